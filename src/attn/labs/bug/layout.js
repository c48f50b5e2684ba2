// Where BugLab draws a table, the weights of a head or y: as the wrong line of code computes it, and, once the reader knows the line, beside
// or below it as the right one does. The code then is shorter, and leaves its room.

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
 * @property {boolean} isBeside whether the tables are beside each other
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
const SHARE = 2.05; // one of two tables has the column of one alone, as style.css has it,
const GAP = 10; // and what is between the columns
export const STRIP = 24; // below a table, for a row of the mask
const SHORTER = 100; // by which the code is less high on a phone,
const FREED = SHORTER - 33; // and without the line of the probes, which comes then
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
 * @param {boolean} [room.isBeside] whether the right one is beside the wrong one
 * @param {number} [room.strip] what stands below each of two tables
 * @returns {Plan}
 */
export function planOf(room) {
  const { width, rows, columns, words, H, E, seen = 0, isOfParts = false, isAlone = false, isBeside = false, strip = 0 } = room;
  const own = isBeside ? (width - GAP) / SHARE : width;
  const isWide = own >= WIDE;
  const size = isWide ? 13 : 12;
  const left = isWide ? 56 : 50;
  const free = own - left - EDGE;
  const alone = isWide ? 314 : 250; // as high as all words, so that the page below stays where it is
  const isHigh = isAlone || isBeside;
  const tall = isHigh ? alone : (alone + FREED - BELOW) / 2;
  const high = (/** @type {number} */ height) => clamp(Math.floor(height / rows), 12, 72);
  const isY = seen === H;
  const C = !isY ? columns : isOfParts ? H : E;
  const longest = Math.max(...words.map((word) => word.length)) * LETTER * size;
  const isUpright = longest > free / columns - 2;
  const first = {
    x: left,
    y: isUpright ? longest + 8 : 22,
    w: Math.min(WIDEST, free / C),
    h: high(tall - strip),
  };
  const second = isBeside ? { ...first, x: width - own + left } : { ...first, y: first.y + tall + BELOW };
  const whole = { ...(isBeside ? second : first), y: first.y + (isHigh ? 0 : SHORTER), h: high(alone) };
  return {
    ...{ width, height: (isHigh ? first : second).y + tall + 4, slots: isAlone ? [first] : [first, second], whole },
    ...{ isUpright, left, size, isBeside, seen, isY, isOfParts: isY && isOfParts, rows, columns: C },
    cell: ({ x, y, w, h }, i, j) => ({ x: x + j * w, y: y + i * h, w, h }),
  };
}

/**
 * The plan in which the wrong table has come to a part n of its way from the place where it was alone.
 *
 * @param {Plan} plan
 * @param {number} n
 * @returns {Plan}
 */
export function partedAt({ whole, ...plan }, n) {
  const [{ x, y, w, h }, ...right] = plan.slots;
  const wrong = { x: mix(whole.x, x, n), y: mix(whole.y, y, n), w, h: mix(whole.h, h, n) };
  return { ...plan, whole, slots: [wrong, ...right] };
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
