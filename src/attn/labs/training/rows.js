// The rows of the embedding as points: seen along the two directions in which they move most, each with the last part of its way.

import { FONT, penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { pathOf } from "./model.js";
import { ticksTo } from "./timeline.js";

/** @typedef {import("./board.js").Look} Look */
/** @typedef {import("./model.js").Run} Run */
/** @typedef {{ x: number, y: number, wide: number }} Point of a word, which is so wide */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

const TITLE = 22; // the line above
const BELOW = 22; // the line below
const HIGH = 15; // of a word
const DOT = 4; // the radius of a point; that of the chosen one is larger by 2
const APART = [7, 18, 30, 44, 60]; // a word and its point, at the nearest place that is free
const TAIL = 5; // frames of the way that are seen well; what is older is faint

const SIDES = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, 1], [-1, 1], [1, -1], [-1, -1]]; // biome-ignore format: one line

/**
 * The places of a word beside its point: right, left, above, below, and aslant below and above on both sides; then all of them farther away.
 *
 * @param {Point} point
 * @returns {Box[]}
 */
const sidesOf = ({ x, y, wide }) =>
  APART.flatMap((far) =>
    SIDES.map(([right, down]) => {
      const left = x + right * far - (wide * (1 - right)) / 2;
      const top = y + down * far - (HIGH * (1 - down)) / 2;
      return /** @type {Box} */ ([left, top, left + wide, top + HIGH]);
    }),
  );

/** How far two boxes cover each other. @param {Box} one @param {Box} other */
const overlap = (one, other) => Math.min(one[2] - other[0], other[2] - one[0], one[3] - other[1], other[3] - one[1]);

/**
 * On which side of its point each word covers no other word or point: the chosen one first, then those nearest to it; null if on none.
 *
 * @param {Point[]} points
 * @param {number} chosen
 * @param {Box} room
 * @returns {(number | null)[]}
 */
export function sidesFor(points, chosen, room) {
  const far = points.map(({ x, y }) => Math.hypot(x - points[chosen].x, y - points[chosen].y));
  const order = range(points.length).sort((a, b) => far[a] - far[b] || Number(b === chosen) - Number(a === chosen));
  const dots = points.map(({ x, y }) => /** @type {Box} */ ([x - DOT - 1, y - DOT - 1, x + DOT + 1, y + DOT + 1]));
  /** @type {Box[]} */
  const taken = [];
  /** @type {(number | null)[]} */
  const found = points.map(() => null);
  for (const n of order) {
    const isFree = (/** @type {Box} */ box) =>
      box[0] >= room[0] &&
      box[1] >= room[1] &&
      box[2] <= room[2] &&
      box[3] <= room[3] &&
      [...taken, ...dots.filter((_, at) => at !== n)].every((other) => overlap(box, other) <= 0);
    const side = sidesOf(points[n]).findIndex(isFree);
    if (side < 0 && n !== chosen) continue;
    found[n] = Math.max(0, side);
    taken.push(sidesOf(points[n])[found[n]]);
  }
  return found;
}

/** @type {WeakMap<Run, Float32Array[]>} */
const known = new WeakMap();

/** The ways of all rows. @param {Run} run */
function pathsOf(run) {
  const paths = known.get(run) ?? run.words.map((_, word) => pathOf(run, word));
  known.set(run, paths);
  return paths;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.height
 * @param {number} picture.word
 * @param {Float32Array} picture.dots (words, 2)
 * @param {Float32Array} picture.ends the dots for which the words are placed
 * @param {number} picture.frame that is behind us
 * @returns {(x: number, y: number) => number} the word nearest to a place
 */
export function paintRows(canvas, { run, look, width, height, word, dots, ends: goals, frame }) {
  const pen = penFor(canvas, width, height);
  /** @type {Box} */
  const map = [1, TITLE, width - 1, height - BELOW];
  const [x0, y0, x1, y1] = map;
  const paths = pathsOf(run);
  const ends = [0, 1].map((axis) => {
    const all = paths.flatMap((path) => [...path.subarray(2 * run.fall)].filter((_, n) => n % 2 === axis));
    return [Math.min(...all), Math.max(...all)];
  });
  const [wide, high] = ends.map(([least, most]) => most - least || 1);
  const scale = Math.min((x1 - x0 - 70) / wide, (y1 - y0 - 30) / high); // one for both directions; words need some room
  const [midX, midY] = ends.map(([least, most]) => (least + most) / 2);
  const toX = (/** @type {number} */ value) => (x0 + x1) / 2 + scale * (value - midX);
  const toY = (/** @type {number} */ value) => (y0 + y1) / 2 - scale * (value - midY); // y points down on the screen
  // Rows that begin far away come in during the first steps: until then they are rings on the edge.
  const inX = (/** @type {number} */ value) => clamp(toX(value), x0, x1);
  const inY = (/** @type {number} */ value) => clamp(toY(value), y0, y1);
  const quiet = { colour: look.quiet, size: 12.5 };
  write(pen, "each word’s row of the embedding, and its way", 2, 8, { colour: look.ink, size: 13 });
  write(pen, "axes: the two directions of the largest moves", 2, y1 + 13, quiet);
  pen.strokeStyle = look.faint;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(x0, y0, x1 - x0, y1 - y0, 8);
  pen.stroke();
  const [, unit] = ticksTo(Math.max(wide, high) / 2, 2);
  pen.fillStyle = look.quiet;
  pen.fillRect(x1 - 14 - scale * unit, y1 - 12, scale * unit, 2);
  const length = number(unit, Number.isInteger(unit) ? 0 : 1);
  write(pen, `distance ${length}`, x1 - 14 - (scale * unit) / 2, y1 - 21, { ...quiet, align: "center" });
  pen.save();
  pen.clip();
  const faint = Math.min(0.3, 4 / run.words.length); // many ways are a web

  const order = [...range(run.words.length).filter((n) => n !== word), word];
  for (const n of order) {
    const isChosen = n === word;
    pen.strokeStyle = isChosen ? look.accent : look.quiet;
    pen.lineWidth = isChosen ? 2.5 : 1.5;
    for (let at = 0; at <= frame; at++) {
      const next = at < frame ? paths[n].subarray(2 * at + 2) : dots.subarray(2 * n);
      pen.globalAlpha = isChosen ? 1 : Math.max(faint, 0.6 - (0.5 * (frame - at)) / TAIL);
      pen.beginPath();
      pen.moveTo(inX(paths[n][2 * at]), inY(paths[n][2 * at + 1]));
      pen.lineTo(inX(next[0]), inY(next[1]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    if (!isChosen) continue;
    pen.beginPath();
    pen.arc(inX(paths[n][0]), inY(paths[n][1]), DOT, 0, 7);
    pen.fillStyle = look.paper;
    pen.fill();
    pen.stroke();
  }
  pen.font = `14px ${FONT}`;
  const widths = run.words.map((text) => 1.08 * pen.measureText(text).width); // the chosen one is bold
  const [placed, points] = [goals, dots].map((all) =>
    widths.map((wide, n) => ({ x: inX(all[2 * n]), y: inY(all[2 * n + 1]), wide })),
  );
  const sides = sidesFor(placed, word, map);
  /** @type {Box[]} */
  const written = [];
  for (const n of [...order].reverse()) {
    const { x, y } = points[n];
    const isChosen = n === word;
    pen.beginPath();
    pen.arc(x, y, isChosen ? DOT + 2 : DOT, 0, 7);
    const isFar = x !== toX(dots[2 * n]) || y !== toY(dots[2 * n + 1]);
    [pen.strokeStyle, pen.lineWidth] = [isChosen ? look.accent : look.quiet, 1];
    pen.fillStyle = isFar ? look.paper : pen.strokeStyle;
    pen.fill();
    pen.stroke();
    const side = sides[n];
    if (side === null) continue;
    const box = sidesOf(points[n])[side]; // the same side as long as it plays; where words meet on their way, one of them fades
    pen.globalAlpha = clamp(1 - Math.max(0, ...written.map((other) => overlap(box, other))) / 4, 0, 1);
    written.push(box);
    if (side >= SIDES.length) {
      pen.beginPath(); // from a word that stands far away to its point
      pen.moveTo(x, y);
      pen.lineTo(clamp(x, box[0], box[2]), clamp(y, box[1] + 2, box[3] - 2));
      pen.stroke();
    }
    write(pen, run.words[n], (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, {
      ...{ colour: isChosen ? look.ink : look.quiet, align: "center", weight: isChosen ? 700 : 400, size: 14 },
    });
    pen.globalAlpha = 1;
  }
  pen.restore();
  return (x, y) => {
    const far = points.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
    return far.indexOf(Math.min(...far));
  };
}
