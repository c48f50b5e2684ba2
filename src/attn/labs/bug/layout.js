// Where BugLab draws a table, the weights of a head or y: as the right line of code computes it and, beside it, as the drawn one does; on a
// narrow page above it, column over column. The place of a table is the same with the right and with the wrong line of code.

import { clamp } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {{ x: number, y: number, h: number }} Slot where a table begins, and the height of its cells */
/** @typedef {[group: number, table: number, i: number, j: number]} Place group is 0; table H is y */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {Slot[]} slots the tables of the right and of the drawn line of code
 * @property {boolean} isWide
 * @property {number} seen the table that is drawn
 * @property {boolean} isY whether it is y
 * @property {boolean} isOfParts whether it is y, as what each head gives to each word
 * @property {number} columns of it
 * @property {number} left where the first column of the first table begins
 * @property {number} w the width of a cell
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
 * @returns {Plan}
 */
export function planOf({ width, rows, columns, words, H, E, seen = 0, isOfParts = false }) {
  const isWide = width >= 720;
  const size = isWide ? 13 : 12;
  const left = isWide ? 52 : 50;
  const room = (width - left - 3 - (isWide ? GAP : 0)) / (isWide ? 2 : 1);
  const tall = isWide ? 217 : 133; // as high as all words, so that the page below stays where it is
  const h = clamp(Math.floor(tall / rows), 12, 72);
  const isY = seen === H;
  const C = !isY ? columns : isOfParts ? H : E;
  const w = Math.min(isY ? room : 3.4 * h, room / C);
  const longest = Math.max(...words.map((word) => word.length)) * LETTER * size;
  const isUpright = longest > room / columns - 2;
  const y = (isWide ? TITLE : 0) + (isUpright ? longest + 8 : 22);
  const first = { x: left, y, h };
  const second = isWide ? { x: left + room + GAP, y, h } : { x: left, y: y + tall + BELOW, h };
  return {
    ...{ width, height: second.y + tall + 4, slots: [first, second], isWide, isUpright, left, w, size },
    ...{ seen, isY, isOfParts: isY && isOfParts, rows, columns: C },
    cell: ({ x, y, h }, i, j) => ({ x: x + j * w, y: y + i * h, w, h }),
  };
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
    const [i, j] = [Math.floor((y - slot.y) / slot.h), Math.floor((x - slot.x) / plan.w)];
    if (i >= 0 && i < plan.rows && j >= 0 && j < plan.columns) return [0, plan.seen, i, j];
  }
  return null;
}
