// Where the map draws its tensors: pure functions of sizes and room.

import { divisors, range } from "../kit/math.js";
import { BEHIND } from "./paint.js";
import { axesOf, LAST, shapeNow, sheetsOf, sourcesOf, stageOf, tensorsOf, written } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./stages.js").Sheets} Sheets */
/**
 * A box for each head, and one around them. Its name and its axes are `label` pixels wide, with their sizes if it is `sized`. While sizes
 * change, its cells have a size of their own.
 *
 * @typedef {Sheets & { boxes: Box[], all: Box, behind: number, sized: boolean, label: number, cell?: { w: number, h: number } }} Placed
 */
/**
 * @typedef {object} MapPlan
 * @property {number} width
 * @property {number} height
 * @property {number} p the width of a number
 * @property {Record<string, Placed>} tensors
 * @property {boolean} narrow whether there is only a step of the way: a tensor, after those that it is made from; for x, its end
 */

const HEAD_GAP = 3;
const LARGEST = 28;
export const NARROW = 700; // with less room the map shows a step of the way
const DIGIT = 8.1; // of a digit of 12.5 pixels
const BOLD = 8.9; // of a bold letter of 14 pixels

/**
 * The width of a tensor's name on the map, and of its axes below it.
 *
 * @param {string} name
 * @param {LayerState} state
 * @param {boolean} sized
 */
export function labelWidth(name, state, sized) {
  const shape = shapeNow(name, state);
  const axes = axesOf(name, state).split(" ");
  const wide = (/** @type {string} */ axis) => BOLD * axis.replace("·", "").length + (4 * (axis.length - 1)) / 2;
  const below = axes.reduce((sum, axis, n) => sum + wide(axis) + (sized ? DIGIT * String(shape[n]).length + 7 : 4), -6);
  return Math.max(BOLD * written(name).length, below);
}

/**
 * The plan of the map: all of it, or where there is no room for that, the step to the tensor `shown`.
 *
 * @param {LayerState} state
 * @param {number} width
 * @param {number} tall the height that the map should not exceed
 * @param {string} shown
 * @returns {MapPlan}
 */
export const mapPlan = (state, width, tall, shown) =>
  width < NARROW ? stepPlan(state, width, tall, shown) : wholePlan(state, width, tall);

const ARROW = 65; // room for an arrow, with its name

/** @type {typeof mapPlan} */
function stepPlan(state, width, height, shown) {
  const names = shown === "x" ? ["x", "y"] : [...sourcesOf(shown, state), shown];
  const sheets = names.map((name) => sheetsOf(name, state));
  const behind = state.B - 1; // a sheet for each further sentence
  const top = 20 + behind * BEHIND; // a name is above, axes are below
  const tall = height - top - 20;
  const edge = width - 4; // the frame of the chosen tensor ends there
  const labelled = (/** @type {string} */ name, /** @type {boolean} */ sized) => 0.92 * labelWidth(name, state, sized); // in a smaller font
  const sized = sheets.reduce((sum, { name }) => sum + labelled(name, true), ARROW) < edge;
  /** As few heads lie side by side as there is height for: so all tensors have the most width. @param {number} p */
  function planned(p) {
    let x = 4;
    let fits = true;
    /** @type {MapPlan["tensors"]} */
    const tensors = {};
    for (const one of sheets) {
      if (x > 4) x += one.name === names.at(-1) ? ARROW : 10;
      const label = labelled(one.name, sized);
      const deep = (/** @type {number} */ n) => (one.heads / n) * (one.R * p + HEAD_GAP) - HEAD_GAP;
      const across = divisors(one.heads).find((n) => deep(n) <= tall) ?? one.heads;
      const placed = placedIn(one, across, p, p, x, top, tall);
      tensors[one.name] = { ...placed, behind, sized, label };
      fits &&= placed.all.h <= tall;
      x += Math.max(placed.all.w + behind * BEHIND, label - 6);
    }
    return { width, height, p, tensors, narrow: true, fits: fits && x <= edge };
  }
  for (let p = LARGEST; ; p *= 0.99) {
    const found = planned(p);
    if (found.fits || p < 0.02) return found;
  }
}

/**
 * The heads of a tensor, `wide` of them side by side, in the middle of a height.
 *
 * @param {Sheets} one
 * @param {number} wide
 * @param {number} p the width of a cell
 * @param {number} q its height
 * @param {number} x
 * @param {number} top
 * @param {number} high
 */
function placedIn(one, wide, p, q, x, top, high) {
  const [w, h] = [one.C * p, one.R * q];
  const deep = Math.ceil(one.heads / wide);
  const all = { x, y: 0, w: wide * w + (wide - 1) * HEAD_GAP, h: deep * h + (deep - 1) * HEAD_GAP };
  all.y = top + (high - all.h) / 2;
  const boxes = range(one.heads).map((n) => ({
    x: x + (n % wide) * (w + HEAD_GAP),
    y: all.y + Math.floor(n / wide) * (h + HEAD_GAP),
    ...{ w, h },
  }));
  return { ...one, boxes, all };
}

/** The rows on the way to the scores; all other tensors lie on a line in the middle. @type {Record<string, number>} */
const ROWS = { x: 1, context: 1, q_flat: 0, k_flat: 1, v_flat: 2, q: 0, k: 1, v: 2, kT: 1 };
const LABEL = 34; // above a tensor: its name and its axes
const BELOW = 8; // from a tensor to the name below it: the frame of the chosen one ends halfway
const BETWEEN = 13; // from a tensor to that of the next column: room for an arrow

/**
 * The plan of the whole map: a column for each stage, the same as that of the tracks. A word is equally long in every tensor, and so is
 * a number, at least a fifth of that: scores, of two words, are square. All are as large as fits; heads lie side by side, in more rows
 * where there is no room for that.
 *
 * @param {LayerState} state
 * @param {number} width
 * @param {number} tall
 * @returns {MapPlan}
 */
function wholePlan(state, width, tall) {
  const behind = state.B - 1;
  const pitch = width / (LAST + 1);
  const row = (tall + BELOW / 2) / 3; // below the last one there is no name
  const above = LABEL + behind * BEHIND;
  const high = row - above - BELOW; // of the cells in a row
  const lane = 2 * row + above + high / 2; // v goes along it, to heads
  const room = (/** @type {string} */ name) => (name === "kT" ? 2 * high : name in ROWS ? high : lane - above - 9);
  const wide = pitch - BETWEEN - behind * BEHIND;
  const cut = tensorsOf(state).map((name) => sheetsOf(name, state));
  const byWords = (/** @type {string} */ axis) => axis === "L" || axis === "S";
  /** Each way to lay out a tensor: so many cells along each axis, in so much room. */
  const ways = cut.map(({ name, heads, R, C, rowAxis, columnAxis }) =>
    divisors(heads).map((n) => [
      { words: byWords(columnAxis), count: n * C, space: wide - (n - 1) * HEAD_GAP },
      { words: byWords(rowAxis), count: (heads / n) * R, space: room(name) - (heads / n - 1) * HEAD_GAP },
    ]),
  );
  /** How long a word can be where a number has the length p; 0 if there is no room. @param {number} p */
  const highest = (p) =>
    ways.reduce(
      (least, some) => {
        const found = some.map((axes) =>
          Math.min(...axes.map(({ words, count, space }) => (words ? space / count : count * p <= space ? LARGEST : 0))),
        );
        return Math.min(least, Math.max(0, ...found));
      },
      Math.min(LARGEST, 5 * p),
    );
  let [p, q, most] = [0.01, 0.01, 0];
  for (let number = LARGEST; number > 0.01; number *= 0.98) {
    const word = highest(number);
    const area = Math.min(number, 1.5 * word) * word;
    if (area > most) [p, q, most] = [number, word, area];
  }
  /** @type {MapPlan["tensors"]} */
  const tensors = {};
  for (const one of cut) {
    const { name } = one;
    const at = name === "x" && state.S !== null ? 0 : ROWS[name]; // there is another sentence below x
    const [w, h] = [one.columnAxis, one.rowAxis].map((axis) => (byWords(axis) ? q : p));
    const count = divisors(one.heads).findLast((n) => n * one.C * w + (n - 1) * HEAD_GAP <= wide + 1e-9) ?? 1;
    const left = (stageOf(name) + 0.5) * pitch - (count * (one.C * w + HEAD_GAP) - HEAD_GAP) / 2;
    const placed = placedIn(one, count, w, h, left, above + (at ?? 0) * row, at === undefined ? room(name) : high);
    tensors[name] = { ...placed, behind, sized: false, label: pitch - 8 };
  }
  return { width, height: tall, p, tensors, narrow: false };
}
