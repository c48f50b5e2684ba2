// Where BugLab draws a table, the weights of a head or y. Until the reader knows the wrong line of code, one table has all the room. Then it
// is drawn as the right line computes it and, beside it, as the wrong one does; on a narrow page above it, column over column.

import { clamp } from "../kit/math.js";
import { mix } from "../kit/time.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {{ x: number, y: number, w: number, h: number }} Slot where a table begins, and the size of its cells */
/** @typedef {[group: number, table: number, i: number, j: number]} Place group is 0; table H is y */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {Slot[]} slots the tables of the right and of the wrong line of code; of the wrong one alone, while it is not known
 * @property {Slot} whole where a table alone is
 * @property {boolean} isWide
 * @property {number} seen the table that is drawn
 * @property {boolean} isY whether it is y
 * @property {boolean} isOfParts whether it is y, as what each head gives to each word
 * @property {number} columns of it
 * @property {number} left where the first column of the first table begins
 * @property {number} size of the texts in and beside the cells
 * @property {number} rows of the table, those of words in a cache too
 * @property {boolean} isUpright whether the words above the columns are
 * @property {(slot: Slot, i: number, j: number) => Box} cell
 */

const LETTER = 0.57; // the width of a letter, as a share of its height
const TITLE = 24; // a line above each of two tables
const GAP = 58; // between them, with the words beside the second
const BELOW = 20; // and between one and the other below it

/**
 * @param {object} room
 * @param {number} room.width
 * @param {number} room.rows
 * @param {number} room.columns of the weights
 * @param {string[]} room.words
 * @param {number} room.H
 * @param {number} room.E
 * @param {number} [room.seen] the table that is drawn; H is y
 * @param {boolean} [room.isOfParts] whether y is drawn as what each head gives to each word
 * @param {boolean} [room.isAlone] whether one table is drawn
 * @returns {Plan}
 */
export function planOf({ width, rows, columns, words, H, E, seen = 0, isOfParts = false, isAlone = false }) {
  const isWide = width >= 720;
  const size = isWide ? 13 : 12;
  const left = isWide ? 52 : 50;
  const room = (width - left - 3 - (isWide ? GAP : 0)) / (isWide ? 2 : 1);
  const tall = isWide ? 217 : 133; // as high as all words, so that the page below stays where it is
  const high = (/** @type {number} */ room) => clamp(Math.floor(room / rows), 12, 72);
  const h = high(tall);
  const isY = seen === H;
  const C = !isY ? columns : isOfParts ? H : E;
  const w = Math.min(isY ? room : 3.4 * h, room / C);
  const longest = Math.max(...words.map((word) => word.length)) * LETTER * size;
  const isUpright = longest > room / columns - 2;
  const y = (isWide ? TITLE : 0) + (isUpright ? longest + 8 : 22);
  const first = { x: left, y, w, h };
  const second = isWide ? { x: left + room + GAP, y, w, h } : { x: left, y: y + tall + BELOW, w, h };
  const whole = { x: left, y, w: (width - left - 3) / C, h: high(second.y + tall - y) };
  return {
    ...{ width, height: second.y + tall + 4, slots: isAlone ? [whole] : [first, second], whole, isWide, isUpright, left, size },
    ...{ seen, isY, isOfParts: isY && isOfParts, rows, columns: C },
    cell: ({ x, y, w, h }, i, j) => ({ x: x + j * w, y: y + i * h, w, h }),
  };
}

/**
 * The plan in which the tables have come to a part n of their way from the place of the one alone.
 *
 * @param {Plan} plan
 * @param {number} n
 * @returns {Plan}
 */
export function partedAt(plan, n) {
  const { whole } = plan;
  const slots = plan.slots.map(({ x, y, w, h }) => ({
    ...{ x: mix(whole.x, x, n), y: mix(whole.y, y, n) },
    ...{ w: mix(whole.w, w, n), h: mix(whole.h, h, n) },
  }));
  return { ...plan, slots };
}

/**
 * The cell at a point of the canvas: a row of what is drawn, which may be one of the cache.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function placeAt(plan, x, y) {
  for (const slot of plan.slots) {
    const [i, j] = [Math.floor((y - slot.y) / slot.h), Math.floor((x - slot.x) / slot.w)];
    if (i >= 0 && i < plan.rows && j >= 0 && j < plan.columns) return [0, plan.seen, i, j];
  }
  return null;
}
