// The rows of the embedding as points: seen along the two directions in which they move most, each with the last part of its way, and
// the chosen one with all of it. The map shows all that is drawn, so it shows less when the rows have come closer.

import { FONT, penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { mix } from "../kit/time.js";
import { pathOf } from "./model.js";
import { ticksTo } from "./timeline.js";

/** @typedef {import("./board.js").Look} Look */
/** @typedef {import("./model.js").Run} Run */
/** @typedef {{ x: number, y: number, wide: number }} Point of a word, which is so wide */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

const TITLE = 22; // the line above
const BELOW = 22; // the line below
const HIGH = 14; // of a word
const DOT = 4; // the radius of a point; that of the chosen one is larger by 2
const APART = [7, 18, 30, 44, 60, 80, 110]; // a word and its point, at the nearest place that is free
const LEADS = 15; // pixels: a line leads from a point to a word that is farther away
const TAIL = 5; // frames of the way that are drawn

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
 * @param {(number | null)[]} [wishes] the sides to try first
 * @returns {(number | null)[]}
 */
export function sidesFor(points, chosen, room, wishes = []) {
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
    const sides = sidesOf(points[n]);
    const wish = wishes[n] ?? 0;
    const side = wish < SIDES.length && isFree(sides[wish]) ? wish : sides.findIndex(isFree);
    if (side < 0 && n !== chosen) continue;
    found[n] = Math.max(0, side);
    taken.push(sides[found[n]]);
  }
  return found;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.height
 * @param {number} picture.word
 * @param {Float32Array[]} picture.around the dots (words, 2) of the frames behind and before us, and those of the end
 * @param {number} picture.time in frames
 * @returns {(x: number, y: number) => number} the word nearest to a place
 */
export function paintRows(canvas, { run, look, width, height, word, around, time }) {
  const frame = Math.floor(time);
  const dots = around[0].map((at, n) => mix(at, around[1][n], time - frame));
  const pen = penFor(canvas, width, height);
  /** @type {Box} */
  const map = [1, TITLE, width - 1, height - BELOW];
  const [x0, y0, x1, y1] = map;
  const paths = run.words.map((_, n) => pathOf(run, n));
  const tail = (/** @type {number} */ n, at = frame) => (n === word ? 0 : Math.max(0, at - TAIL)); // where the drawn part of a way begins
  const ends = [0, 1].map((axis) => {
    const [[a, b], [c, d]] = [frame, frame + 1].map((at) => {
      const all = paths.flatMap((path, n) => [...path.subarray(2 * tail(n, at))].filter((_, n) => n % 2 === axis));
      return [Math.min(...all), Math.max(...all)];
    });
    return [mix(a, c, time - frame), mix(b, d, time - frame)];
  });
  const [wide, high] = ends.map(([least, most]) => most - least || 1);
  const scale = Math.min((x1 - x0 - 70) / wide, (y1 - y0 - 16) / high); // one for both directions; words need some room
  const [midX, midY] = ends.map(([least, most]) => (least + most) / 2);
  const toX = (/** @type {number} */ value) => (x0 + x1) / 2 + scale * (value - midX);
  const toY = (/** @type {number} */ value) => (y0 + y1) / 2 - scale * (value - midY); // y points down on the screen
  const quiet = { colour: look.quiet, size: 12.5 };
  write(pen, "rows of the embedding, and their last moves", 2, 8, { colour: look.ink, size: 13 });
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
  const order = [...range(run.words.length).filter((n) => n !== word), word];
  for (const n of order) {
    const isChosen = n === word;
    pen.strokeStyle = isChosen ? look.accent : look.quiet;
    pen.lineWidth = isChosen ? 2.5 : 1.5;
    for (let at = tail(n); at <= frame; at++) {
      const next = at < frame ? paths[n].subarray(2 * at + 2) : dots.subarray(2 * n);
      pen.globalAlpha = isChosen ? 1 : 0.6 - (0.5 * (time - at)) / TAIL;
      pen.beginPath();
      pen.moveTo(toX(paths[n][2 * at]), toY(paths[n][2 * at + 1]));
      pen.lineTo(toX(next[0]), toY(next[1]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    if (!isChosen) continue;
    pen.beginPath();
    pen.arc(toX(paths[n][0]), toY(paths[n][1]), DOT, 0, 7);
    pen.fillStyle = look.paper;
    pen.fill();
    pen.stroke();
  }
  pen.font = `13px ${FONT}`;
  const widths = run.words.map((text) => 1.08 * pen.measureText(text).width); // the chosen one is bold
  const [points, behind, before, last] = [dots, ...around].map((all) =>
    widths.map((wide, n) => ({ x: toX(all[2 * n]), y: toY(all[2 * n + 1]), wide })),
  );
  // At each frame words cover nothing, and as far as they can they stand where they will at the end; between two frames they glide.
  const wishes = sidesFor(last, word, map);
  const boxes = [behind, before].map((some) => sidesFor(some, word, map, wishes).map((side, n) => sidesOf(some[n])[side ?? -1]));
  /** @type {Box[]} */
  const written = [];
  for (const n of [...order].reverse()) {
    const { x, y } = points[n];
    const isChosen = n === word;
    pen.beginPath();
    pen.arc(x, y, isChosen ? DOT + 2 : DOT, 0, 7);
    [pen.strokeStyle, pen.lineWidth] = [isChosen ? look.accent : look.quiet, 1];
    pen.fillStyle = pen.strokeStyle;
    pen.fill();
    pen.stroke();
    const [from, to] = boxes.map((some) => some[n]);
    if (!from || !to) continue;
    const box = /** @type {Box} */ (from.map((at, side) => mix(at, to[side], time - frame)));
    const end = [clamp(x, box[0], box[2]), clamp(y, box[1] + 2, box[3] - 2)];
    pen.globalAlpha = clamp(1 - Math.max(0, ...written.map((other) => overlap(box, other))) / 4, 0, 1);
    written.push(box);
    if (Math.hypot(end[0] - x, end[1] - y) > LEADS) {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(end[0], end[1]);
      pen.stroke();
    }
    write(pen, run.words[n], (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, {
      ...{ colour: isChosen ? look.ink : look.quiet, align: "center", weight: isChosen ? 700 : 400, size: 13 },
    });
    pen.globalAlpha = 1;
  }
  pen.restore();
  return (x, y) => {
    const far = points.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
    return far.indexOf(Math.min(...far));
  };
}
