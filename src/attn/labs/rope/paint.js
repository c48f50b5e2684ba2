// The positions of the two tokens, and below them the clocks.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { CELL, cellsOf } from "./layout.js";
import { signColour } from "./looks.js";
import { scoreOf, termOf } from "./scene.js";
import { positionsText, roundText, score2 } from "./words.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./looks.js").Looks} Looks */
/** @typedef {import("./scene.js").Moment} Moment */
/** @typedef {import("./scene.js").Face} Face */
/** @typedef {CanvasRenderingContext2D} Pen */

const HIGH = 24; // a cell of a position
const HANDS = 0.92; // the longest hand, as a share of the radius

/**
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Moment} moment
 * @param {Looks} looks
 */
export function paintPositions(pen, { width }, { query, key }, looks) {
  const { cells, places, gap } = cellsOf(width, query, key);
  const top = 1;
  pen.lineWidth = 1;
  for (const { at, x } of cells) {
    const near = (/** @type {number} */ place) => Math.max(0, 1 - Math.abs(x - place) / (CELL / 2));
    const [isQuery, isKey] = [near(places.query), near(places.key)];
    const tint = isQuery >= isKey ? looks.q : looks.k;
    pen.fillStyle = mixed(tint, looks.paper, 0.3 * Math.max(isQuery, isKey));
    pen.strokeStyle = looks.line;
    pen.fillRect(x + 1, top, CELL - 3, HIGH);
    pen.strokeRect(x + 1.5, top + 0.5, CELL - 4, HIGH - 1);
    write(pen, String(at), x + CELL / 2 - 0.5, top + HIGH / 2 + 0.5, {
      colour: looks.ink,
      size: at < 1000 ? 12 : 11,
      align: "center",
    });
  }
  if (gap !== null) write(pen, "…", gap, top + HIGH / 2, { colour: looks.ink, size: 16, align: "center" });
  const isSame = Math.abs(places.query - places.key) < CELL / 2;
  const y = top + HIGH + 13;
  const middle = { query: places.query + CELL / 2, key: places.key + CELL / 2 };
  for (const name of /** @type {const} */ (["key", "query"])) {
    pen.strokeStyle = name === "query" ? looks.q : looks.k;
    pen.lineWidth = 2.5;
    pen.strokeRect(places[name] + 1, top, CELL - 3, HIGH);
  }
  const left = Math.min(middle.query, middle.key);
  const wide = Math.abs(middle.query - middle.key);
  if (isSame) {
    write(pen, "query and key", Math.max(40, left), y, { colour: looks.ink, weight: 600, align: "center" });
    return;
  }
  for (const name of /** @type {const} */ (["key", "query"])) {
    const colour = name === "query" ? looks.q : looks.k;
    write(pen, name, Math.max(16, middle[name]), y, { colour, weight: 600, align: "center" });
  }
  const isRoomy = wide > 150;
  const distance = positionsText(query - key);
  pen.strokeStyle = looks.quiet;
  pen.lineWidth = 1;
  const line = isRoomy ? y : y + 14; // where the names are near, the distance is below both, in their middle
  pen.beginPath();
  pen.moveTo(left + (isRoomy ? 24 : 0), line);
  pen.lineTo(left + wide - (isRoomy ? 24 : 0), line);
  pen.stroke();
  const centre = left + wide / 2;
  pen.font = "600 12px system-ui, sans-serif";
  const half = pen.measureText(distance).width / 2 + 4;
  pen.fillStyle = looks.paper;
  pen.fillRect(centre - half, line - 6, 2 * half, 14);
  write(pen, distance, Math.max(centre, half), line, { colour: looks.ink, weight: 600, align: "center" });
}

/**
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {object} drawn
 * @param {Face[]} drawn.faces
 * @param {ArrayLike<number>} drawn.speeds
 * @param {number} drawn.longest the longest hand of all
 * @param {number} drawn.most the largest product of two hands
 * @param {number | null} drawn.chosen
 * @param {Looks} looks
 */
export function paintClocks(pen, plan, { faces, speeds, longest, most, chosen }, looks) {
  const { centres, radius, column } = plan;
  const half = faces.length;
  const isRoomy = column > 140;
  const size = column > 104 ? 12.5 : 11;
  paintSum(pen, plan, scoreOf(faces), looks);
  faces.forEach((face, n) => {
    const { x, y } = centres[n];
    const term = termOf(face);
    const channels = `${isRoomy ? "channels " : ""}${n} and ${n + half}`;
    write(pen, channels, x, y - radius - 10, { colour: looks.quiet, size, align: "center" });
    paintFace(pen, x, y, radius, looks);
    const length = (/** @type {number} */ of) => (HANDS * radius * of) / longest;
    paintWedge(pen, x, y, face, (radius < 45 ? 0.65 : 0.45) * radius, signColour(term));
    for (const one of /** @type {const} */ (["k", "q"]))
      paintHand(pen, x, y, length(face[one].length), face[one].angle, looks[one], one);
    for (const { name, at } of lettersOf(face, length, radius)) paintLetter(pen, x + at[0], y - at[1], looks, name);
    const round = { colour: looks.quiet, size, align: /** @type {const} */ ("center") };
    write(pen, roundText(speeds[n], isRoomy), x, y + radius + 12, round);
    const wide = (Math.min(column - 12, 110) / 2) * (term / most);
    pen.fillStyle = signColour(term);
    pen.fillRect(x, y + radius + 39, wide, 5);
    pen.fillStyle = looks.line;
    pen.fillRect(x - 0.5, y + radius + 37, 1, 9);
    const value = { colour: looks.ink, weight: 600, size: column > 104 ? 15 : 12, align: /** @type {const} */ ("center") };
    write(pen, score2(term), x, y + radius + 28, value);
    if (x > column) write(pen, "+", x - column / 2, y + radius + 28, { colour: looks.quiet, size: 15, align: "center" });
    if (chosen !== n) return;
    const side = Math.min(column / 2 - 3, radius + 22);
    pen.strokeStyle = looks.ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(x - side, y - radius - 17, 2 * side, 2 * radius + 61, 8);
    pen.stroke();
  });
}

/** What the terms add up to. @param {Pen} pen @param {Plan} plan @param {number} score @param {Looks} looks */
function paintSum(pen, { sum: { x, y, isBeside } }, score, looks) {
  const wide = write(pen, "= ", x, y, { colour: looks.quiet, size: 16 });
  const after = wide + write(pen, score2(score), x + wide, y, { colour: looks.ink, size: 24, weight: 700 });
  write(pen, "score", x + (isBeside ? wide : after + 8), y + (isBeside ? -24 : 2), { colour: looks.quiet, size: 13 });
}

const MARKS = 12; // around a clock

/** @param {Pen} pen @param {number} x @param {number} y @param {number} radius @param {Looks} looks */
function paintFace(pen, x, y, radius, looks) {
  pen.strokeStyle = looks.line;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  for (let n = 0; n < MARKS; n++) {
    const [cos, sin] = [Math.cos((2 * Math.PI * n) / MARKS), Math.sin((2 * Math.PI * n) / MARKS)];
    const inner = radius - (n % 3 ? 3 : 6);
    pen.moveTo(x + radius * cos, y + radius * sin);
    pen.lineTo(x + inner * cos, y + inner * sin);
  }
  pen.stroke();
}

/**
 * The angle between the hands, the shorter way round.
 *
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {Face} face
 * @param {number} radius
 * @param {string} colour
 */
function paintWedge(pen, x, y, { q, k }, radius, colour) {
  const between = Math.atan2(Math.sin(q.angle - k.angle), Math.cos(q.angle - k.angle));
  pen.fillStyle = colour;
  pen.globalAlpha = 0.55;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, radius, -k.angle, -k.angle - between, between > 0);
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

const LETTER = 7; // radius

/**
 * Where the letters of the hands are, from the centre of a clock, upwards: at their ends, but not on the centre, and not on each other.
 *
 * @param {Face} face
 * @param {(of: number) => number} length
 * @param {number} radius
 * @returns {{ name: "q" | "k", at: [number, number] }[]}
 */
export function lettersOf(face, length, radius) {
  /** @type {(name: "q" | "k", far: number) => [number, number]} */
  const place = (name, far) => [far * Math.cos(face[name].angle), far * Math.sin(face[name].angle)];
  const far = (/** @type {"q" | "k"} */ name) => Math.max(length(face[name].length), 2 * LETTER);
  /** @type {["q" | "k", "q" | "k"]} */
  const [long, short] = far("q") > far("k") ? ["q", "k"] : ["k", "q"];
  const steps = [0, 4, 8, 12, 16, 20];
  const tried = steps.flatMap((out) => steps.map((back) => ({ out, back }))).sort((a, b) => a.out + a.back - b.out - b.back);
  const places = tried.map(({ out, back }) => ({
    [long]: place(long, Math.max(far(long), Math.min(radius - 2, far(long) + out))),
    [short]: place(short, Math.max(LETTER, far(short) - back)),
  }));
  const free = places.find(({ q, k }) => Math.hypot(k[0] - q[0], k[1] - q[1]) > 2 * LETTER) ?? places[0];
  return [
    { name: "k", at: free.k },
    { name: "q", at: free.q },
  ];
}

/** That of q is a filled disc, that of k a ring. @param {Pen} pen @param {number} x @param {number} y @param {Looks} looks @param {"q" | "k"} name */
function paintLetter(pen, x, y, looks, name) {
  pen.beginPath();
  pen.arc(x, y, LETTER, 0, 7);
  pen.fillStyle = name === "q" ? looks.q : looks.paper;
  pen.fill();
  pen.strokeStyle = looks[name];
  pen.lineWidth = 1.5;
  pen.stroke();
  write(pen, name, x, y - 0.5, { colour: name === "q" ? looks.paper : looks.k, size: 11, weight: 700, align: "center" });
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} length
 * @param {number} angle
 * @param {string} colour
 * @param {"q" | "k"} name
 */
function paintHand(pen, x, y, length, angle, colour, name) {
  const [cos, sin] = [Math.cos(angle), -Math.sin(angle)];
  const [toX, toY] = [x + length * cos, y + length * sin];
  pen.strokeStyle = colour;
  pen.lineWidth = name === "q" ? 3 : 2;
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(toX, toY);
  pen.stroke();
  pen.lineCap = "butt";
}
