// ReachLab's canvas: draws what scene.js says.

import { penFor, write } from "../kit/canvas.js";
import { COLOURS, coloursOf, mixed } from "../kit/colours.js";
import { clamp } from "../kit/math.js";
import { followed } from "./model.js";
import { labelsOf } from "./scene.js";
import { titleOf, verdictOf } from "./words.js";

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
    ...{ ink, paper, flow: mixed(COLOURS[0], ink, 0.75), good: green, bad: red, quiet: mixed(ink, paper, 0.7) },
    ...{ edge: mixed(ink, paper, 0.3), made: mixed(ink, paper, 0.5), pale: mixed(COLOURS[0], paper, 0.4) },
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
    paintEdges(pen, graph, looks, state.L);
    for (const node of graph.nodes) paintNode(pen, node, radius, looks);
    pen.fillStyle = looks.flow;
    for (const { x, y } of graph.moving) circle(pen, x, y, Math.max(2, radius * 0.7));
    paintTexts(pen, plan, graph, state, results, looks);
  }
}

/** @param {Pen} pen @param {Graph} graph @param {Looks} looks @param {number} L */
function paintEdges(pen, { kind, edges, carrying, shortest }, looks, L) {
  const fine = clamp(160 / edges.length, 0.5, 1); // many lines are thin ones,
  const crowd = kind === "attention" ? Math.min(1, 7 / L) : 1; // and many edges on one spot must not become a blot
  for (const [lines, colour, wide, alpha] of /** @type {const} */ ([
    [edges, looks.edge, fine, crowd],
    [carrying, looks.flow, 0.5 + 0.75 * fine, 0.55],
    [shortest, looks.flow, 1.5 + 1.5 * fine, 1],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
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

/** Tokens are squares, outputs circles. @param {Pen} pen @param {import("./scene.js").Node} node @param {number} r @param {Looks} looks */
function paintNode(pen, { x, y, look, isToken, isInReach, isLast }, r, looks) {
  pen.lineWidth = 1.25;
  pen.strokeStyle = look === "carries" ? looks.flow : look === "waiting" ? looks.edge : looks.made;
  pen.fillStyle = look === "carries" ? looks.flow : isToken && isInReach ? looks.pale : looks.paper;
  pen.beginPath();
  if (isToken) pen.rect(x - r, y - r, 2 * r, 2 * r);
  else pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  if (look === "made" && !isToken) {
    pen.fillStyle = looks.made;
    circle(pen, x, y, r * 0.4);
  }
  if (!isLast) return;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 1.75;
  pen.beginPath();
  pen.arc(x, y, r + 3, 0, 2 * Math.PI);
  pen.stroke();
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r */
function circle(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * The title of a graph, what became of the token, and the numbers of some tokens.
 *
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Graph} graph
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {Looks} looks
 */
function paintTexts(pen, { width, columns, panels }, { kind, passed }, state, results, looks) {
  const { head, labels } = panels[kind];
  write(pen, titleOf(kind, state, width < 480), 2, head, { colour: looks.ink, weight: 700, size: 13 });
  const verdict = verdictOf(kind, results, passed);
  const colour = verdict.kind ? looks[verdict.kind] : looks.quiet;
  write(pen, verdict.text, width - 2, head, { colour, weight: 600, size: 12.5, align: "right" });
  for (const t of labelsOf(state)) {
    const how = t === followed(state) ? { colour: looks.flow, weight: 700 } : { colour: looks.quiet };
    write(pen, String(t), columns[t], labels, { ...how, size: 11.5, align: "center" });
  }
}
