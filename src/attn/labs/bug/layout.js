// Where BugLab draws its tables: the weights of the three heads and y side by side, or on a narrow page one of them, with room for its
// numbers. The place of a table is the same with the right and with the wrong line.

import { clamp, range } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {[group: number, table: number, i: number, j: number]} Place group is 0; table H is y */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {boolean} isWide whether all tables are side by side
 * @property {number[]} drawn the tables that are drawn
 * @property {number} left where the first column begins
 * @property {number} h the height of a cell
 * @property {number} size of the texts in and beside the cells
 * @property {number} rows of the tables that are drawn, those of words in a cache too
 * @property {boolean} isUpright whether the words above the columns are
 * @property {number} head how high these words are
 * @property {(table: number) => { x: number, y: number, w: number, columns: number }} table its first corner, the width of its cells
 * @property {(table: number, i: number, j: number) => Box} cell
 */

const LETTER = 0.57; // the width of a letter, as a share of its height
const TITLES = 38; // two lines above each table; a narrow page has tabs instead
const SIGNED = 1.35; // a cell of y is wider than one of the weights: its number may have a sign

/**
 * @param {object} room
 * @param {number} room.width
 * @param {number} room.rows
 * @param {number} room.columns of the weights
 * @param {string[]} room.words
 * @param {number} room.H
 * @param {number} room.E
 * @param {number} [room.seen] the table that a narrow page draws
 * @returns {Plan}
 */
export function planOf({ width, rows, columns, words, H, E, seen = 0 }) {
  const isWide = width >= 880;
  const size = width >= 960 ? 13 : 12;
  const longest = Math.max(...words.map((word) => word.length)) * LETTER * size;
  const left = isWide ? 56 : 50;
  const [gap, tall] = isWide ? [14, 224] : [0, 217]; // tall: as high as all words, so that the page below stays where it is
  const h = clamp(Math.floor(tall / rows), 15, 34);
  const across = isWide ? H * columns + SIGNED * E : columns;
  const w = Math.min((isWide ? 2.2 : 3.4) * h, (width - left - (isWide ? H * gap : 0) - 3) / across);
  const isUpright = longest > w - 2;
  const head = isWide || isUpright ? Math.max(40, longest + 8) : 22;
  const y = (isWide ? TITLES : 0) + head;
  const span = columns * w + gap;
  const yWidth = isWide ? Math.min(2.2 * h, SIGNED * w) : (width - left - 3) / E;
  const places = range(H + 1).map((table) =>
    table < H
      ? { x: isWide ? left + table * span : left, y, w, columns }
      : { x: isWide ? left + H * span : left, y, w: yWidth, columns: E },
  );
  return {
    ...{ width, h, size, isWide, left, rows, isUpright, head },
    drawn: isWide ? range(H + 1) : [seen],
    height: y + tall + 4,
    table: (table) => places[table],
    cell: (table, i, j) => ({ x: places[table].x + j * places[table].w, y: places[table].y + i * h, w: places[table].w, h }),
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
  for (const table of plan.drawn) {
    const first = plan.table(table);
    const [i, j] = [Math.floor((y - first.y) / plan.h), Math.floor((x - first.x) / first.w)];
    if (i >= 0 && i < plan.rows && j >= 0 && j < first.columns) return [0, table, i, j];
  }
  return null;
}
