// ReachLab's canvas: draws what scene.js says.

import { penFor, write } from "../kit/canvas.js";
import { COLOURS, coloursOf, mixed } from "../kit/colours.js";
import { clamp } from "../kit/math.js";
import { followed } from "./model.js";
import { labelsOf } from "./scene.js";
import { verdictOf } from "./words.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./scene.js").Graph} Graph */
/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {ReturnType<typeof looksOf>} Looks */

/**
 * @param {HTMLElement} root
 * @param {Record<"good" | "bad", Element>} verdicts elements in the colours of a good and of a bad result
 */
export function looksOf(root, { good, bad }) {
  const { ink, paper } = coloursOf(root);
  const [green, red] = [good, bad].map((node) => getComputedStyle(node).color);
  return {
    ...{ ink, paper, flow: mixed(COLOURS[0], ink, 0.78), good: green, bad: red, quiet: mixed(ink, paper, 0.7) },
    ...{ spread: mixed(COLOURS[0], paper, 0.85), read: mixed(ink, paper, 0.6) },
    ...{ dot: mixed(ink, paper, 0.25), wire: mixed(ink, paper, 0.3) },
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Plan} plan
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {Graph[]} scene
 * @param {Looks} looks
 */
export function paint(canvas, plan, state, results, scene, looks) {
  const pen = penFor(canvas, plan.width, plan.height);
  for (const graph of scene) {
    const { radius } = plan.panels[graph.kind];
    const verdict = verdictOf(graph.kind, results, graph.passed, followed(state)).kind;
    paintEdges(pen, graph, looks, radius);
    for (const node of graph.nodes) paintNode(pen, node, radius, looks, verdict ? looks[verdict] : looks.ink);
    pen.fillStyle = looks.flow;
    for (const { x, y } of graph.moving) circle(pen, x, y, Math.max(2, radius * 0.6));
    paintTexts(pen, plan, graph, state, looks);
  }
}

/** @param {Pen} pen @param {Graph} graph @param {Looks} looks @param {number} radius */
function paintEdges(pen, { wires, reading, carrying, path }, looks, radius) {
  for (const [lines, colour, wide, alpha] of /** @type {const} */ ([
    [wires, looks.wire, 1, 1],
    [carrying, looks.spread, 1, 0.45], // where it has come to is in the nodes
    [reading, looks.read, 1.5, clamp(60 / reading.length, 0.7, 1)], // many edges on one spot must not become a blot
    [path, looks.flow, clamp(radius, 3, 5), 1],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.lineCap = "round";
    pen.globalAlpha = alpha;
    pen.beginPath();
    for (const [x1, y1, x2, y2] of lines) {
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/**
 * Tokens are squares, outputs circles; an output that has nothing to do with the token and the last output is a dot.
 *
 * @param {Pen} pen
 * @param {import("./scene.js").Node} node
 * @param {number} radius
 * @param {Looks} looks
 * @param {string} verdict the colour of the ring around the last output
 */
function paintNode(pen, { x, y, look, isToken, isRead, isOnPath, isLast }, radius, looks, verdict) {
  const carries = look === "carries";
  const r = isOnPath || isToken ? radius + 1 : carries || isRead || isLast ? radius : radius * 0.55;
  const own = isOnPath || isToken ? looks.flow : looks.spread; // whether its token is left out shows only in the end
  pen.lineWidth = 1.25;
  pen.strokeStyle = carries ? own : isRead ? looks.read : looks.dot;
  pen.fillStyle = carries ? own : isRead ? looks.read : looks.paper;
  pen.beginPath();
  if (isToken) pen.rect(x - r, y - r, 2 * r, 2 * r);
  else pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  if (!isLast) return;
  pen.strokeStyle = verdict;
  pen.lineWidth = 2.25;
  pen.beginPath();
  pen.arc(x, y, radius + 4, 0, 2 * Math.PI);
  pen.stroke();
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r */
function circle(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
}

/** The numbers of some tokens, and which output is the last. @param {Pen} pen @param {Plan} plan @param {Graph} graph @param {import("./model.js").State} state @param {Looks} looks */
function paintTexts(pen, { narrow, columns, panels }, { kind }, state, looks) {
  const { rows, labels, radius } = panels[kind];
  for (const t of labelsOf(state)) {
    const isFollowed = t === followed(state);
    const how = { size: 12, align: /** @type {const} */ ("center") };
    const text = isFollowed && !narrow && kind === "rnn" && t < state.L - 2 && t > 0 ? `token ${t}` : String(t);
    write(pen, text, columns[t], labels, { ...how, colour: isFollowed ? looks.flow : looks.quiet, weight: isFollowed ? 700 : 400 });
  }
  if (narrow) return;
  const above = rows[rows.length - 1] - radius - 9;
  const left = columns[columns.length - 1] - radius - 9; // of the ring
  write(pen, "last output", left, Math.max(above - 2, 7), { colour: looks.quiet, size: 12, align: "right" });
}
