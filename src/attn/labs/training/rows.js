// The rows of the embedding as points: seen along the two directions in which they move most, with the way of the chosen one.

import { FONT, penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { ticksTo } from "./curves.js";

/** @typedef {import("./board.js").Look} Look */
/** @typedef {import("./model.js").Run} Run */

const EDGE = 26; // for the numbers beside the map
const TITLE = 36; // the two lines above
const BELOW = 17; // the line below
const HIGH = 13; // of a word

/**
 * Which words can be written beside their points without covering another one: the chosen one first.
 *
 * @param {{ x: number, y: number, wide: number }[]} points
 * @param {number} chosen
 * @returns {boolean[]}
 */
export function readable(points, chosen) {
  const order = [chosen, ...range(points.length).filter((n) => n !== chosen)];
  /** @type {{ x: number, y: number, wide: number }[]} */
  const taken = [];
  const found = points.map(() => false);
  for (const n of order) {
    const { x, y, wide } = points[n];
    if (taken.some((other) => Math.abs(other.x - x) < (other.wide + wide) / 2 + 3 && Math.abs(other.y - y) < HIGH)) continue;
    taken.push(points[n]);
    found[n] = true;
  }
  return found;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Look} picture.look
 * @param {number} picture.side
 * @param {number} picture.word
 * @param {ArrayLike<number>} picture.dots (words, 2)
 * @param {ArrayLike<number>} picture.last the same in the last frame
 * @param {ArrayLike<number>} picture.path (frames until now, 2)
 * @returns {(x: number, y: number) => number} the word nearest to a place
 */
export function paintRows(canvas, { run, look, side, word, dots, last, path }) {
  const pen = penFor(canvas, side, side + TITLE + BELOW);
  const [x0, y0] = [EDGE, TITLE];
  const wide = side - EDGE - 2;
  const most = 1.12 * run.reach[0];
  const toX = (/** @type {number} */ value) => x0 + (wide * (1 + value / most)) / 2;
  const toY = (/** @type {number} */ value) => y0 + (wide * (1 - value / most)) / 2; // y points down on the screen
  const quiet = { colour: look.quiet, size: 11.5 };
  write(pen, "the row of each word, seen along two directions", 2, 8, { colour: look.ink, size: 12.5 });
  write(pen, "↑ the direction in which they move second most", 2, 25, quiet);
  write(pen, "→ the direction in which they move most", EDGE, y0 + wide + 27, quiet);
  pen.lineWidth = 1;
  const [, unit] = ticksTo(run.reach[0], 2);
  for (const tick of [-unit, 0, unit]) {
    pen.strokeStyle = look.faint;
    pen.beginPath();
    pen.moveTo(toX(tick), y0);
    pen.lineTo(toX(tick), y0 + wide);
    pen.moveTo(x0, toY(tick));
    pen.lineTo(x0 + wide, toY(tick));
    pen.stroke();
    const text = number(tick, Number.isInteger(unit) ? 0 : 1);
    write(pen, text, x0 - 5, toY(tick), { colour: look.quiet, align: "right", size: 11 });
    write(pen, text, toX(tick), y0 + wide + 9, { colour: look.quiet, align: "center", size: 11 });
  }
  pen.strokeStyle = look.accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let n = 0; n < path.length; n += 2) pen.lineTo(toX(path[n]), toY(path[n + 1]));
  pen.stroke();
  pen.font = `12px ${FONT}`;
  const points = run.words.map((text, n) => ({ x: toX(dots[2 * n]), y: toY(dots[2 * n + 1]), wide: pen.measureText(text).width }));
  const ends = points.map(({ wide }, n) => ({ x: toX(last[2 * n]), y: toY(last[2 * n + 1]), wide }));
  const seen = readable(ends, word); // the same words in every frame
  points.forEach(({ x, y }, n) => {
    const colour = n === word ? look.ink : look.quiet;
    if (seen[n])
      write(pen, run.words[n], x, y, { colour, align: "center", weight: n === word ? 700 : 400, size: n === word ? 13 : 12 });
    else {
      pen.fillStyle = look.quiet;
      pen.beginPath();
      pen.arc(x, y, 2, 0, 7);
      pen.fill();
    }
  });
  return (x, y) => {
    const far = points.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
    return far.indexOf(Math.min(...far));
  };
}
