// Where BugLab draws a table, the weights of a head or y: as the wrong line of code computes it, and, once the reader knows the line, below
// it as the right one does. One that is alone has the room of both.

import { clamp } from "../kit/math.js";
import { mix } from "../kit/time.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {{ x: number, y: number, w: number, h: number }} Slot where a table begins, and the size of its cells */
/** @typedef {[group: number, table: number, i: number, j: number]} Place group is 0; table H is y */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {Slot[]} slots the tables of the wrong and of the right line of code; of the wrong one alone, while it is not known
 * @property {Slot} whole where a table alone is
 * @property {number} seen the table that is drawn
 * @property {boolean} isY whether it is y
 * @property {boolean} isOfParts whether it is y, as what each head gives to each word
 * @property {number} columns of it
 * @property {number} left where the first column begins
 * @property {number} size of the texts in and beside the cells
 * @property {number} rows of the table, those of words in a cache too
 * @property {boolean} isUpright whether the words above the columns are
 * @property {(slot: Slot, i: number, j: number) => Box} cell
 */

const WIDE = 420; // from this width on, there is room for larger rows
const LETTER = 0.57; // the width of a letter, as a share of its height
const WIDEST = 160; // a column
const BELOW = 20; // between one table and the other below it
const EDGE = 3; // for a line around a table

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
  const isWide = width >= WIDE;
  const size = isWide ? 13 : 12;
  const left = isWide ? 56 : 50;
  const room = width - left - EDGE;
  const tall = isWide ? 147 : 126; // as high as all words, so that the page below stays where it is
  const high = (/** @type {number} */ room) => clamp(Math.floor(room / rows), 12, 72);
  const isY = seen === H;
  const C = !isY ? columns : isOfParts ? H : E;
  const longest = Math.max(...words.map((word) => word.length)) * LETTER * size;
  const isUpright = longest > room / columns - 2;
  const first = { x: left, y: isUpright ? longest + 8 : 22, w: Math.min(WIDEST, room / C), h: high(tall) };
  const second = { ...first, y: first.y + tall + BELOW };
  const whole = { ...first, h: high(tall + BELOW + tall) };
  return {
    ...{ width, height: second.y + tall + 4, slots: isAlone ? [whole] : [first, second], whole, isUpright, left, size },
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
  const slots = plan.slots.map((slot) => ({ ...slot, y: mix(whole.y, slot.y, n), h: mix(whole.h, slot.h, n) }));
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
