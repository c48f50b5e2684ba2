// Where everything of RolesLab's picture lies: a column for each word, and from top to bottom the words, their queries and keys, the
// scores, one bar of length 1, and the values below it, each as wide as its weight.

import { range } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {boolean} isNarrow whether the names of the rows have no room beside them
 * @property {Box[]} columns of the words, by place
 * @property {number} gutter where the columns begin
 * @property {{ y: number, h: number }} names the letters above queries and keys, or the numbers of the table's columns
 * @property {{ y: number, h: number }} pairs queries beside keys
 * @property {{ y: number, h: number }} scores
 * @property {{ y: number, h: number }} table that lies where queries, keys and scores do
 * @property {Box} bar
 * @property {{ y: number, h: number }} values
 * @property {Box} out
 */

const NARROW = 480;
const GAP = 8; // around words that need more than their share, if there is room

/**
 * @param {number} width of the picture
 * @param {number[]} words the widths of the words, by place
 * @returns {Plan}
 */
export function planOf(width, words) {
  const isNarrow = width < NARROW;
  const gutter = isNarrow ? 0 : 100;
  const columns = columnsOf(gutter, width - gutter, words);
  let y = 4;
  /** @param {number} h @param {number} [after] */
  const band = (h, after = 0) => {
    const here = { y, h };
    y += h + after;
    return here;
  };
  const word = band(isNarrow ? 32 : 38, 8);
  const names = band(isNarrow ? 15 : 16, 1);
  const pairs = band(isNarrow ? 62 : 100, 5);
  const scores = band(isNarrow ? 24 : 28, isNarrow ? 34 : 26);
  const outWidth = isNarrow ? 46 : 64;
  const right = width - outWidth - (isNarrow ? 18 : 30);
  const bar = band(isNarrow ? 30 : 34, 3);
  const values = band(isNarrow ? 72 : 100, 20);
  return {
    ...{ width, height: y, isNarrow, gutter, names, pairs, scores, values },
    columns: columns.map(({ x, w }) => ({ x, w, ...word })),
    table: { y: pairs.y, h: scores.y + scores.h - pairs.y },
    bar: { x: gutter, w: right - gutter, ...bar },
    out: { x: width - outWidth, w: outWidth, ...values },
  };
}

/**
 * Columns beside each other, equally wide unless a word needs more.
 *
 * @param {number} x
 * @param {number} width
 * @param {number[]} words
 */
function columnsOf(x, width, words) {
  const total = words.reduce((a, b) => a + b, 0);
  const gap = Math.min(GAP, (width - total) / words.length); // less than nothing where the words have no room at all
  const needs = words.map((word) => word + gap);
  let [rest, count] = [width, needs.length];
  /** @type {Set<number>} */
  const wide = new Set();
  for (let again = true; again; ) {
    again = false;
    needs.forEach((need, n) => {
      if (wide.has(n) || count < 2 || need <= rest / count) return;
      wide.add(n);
      [rest, count, again] = [rest - need, count - 1, true];
    });
  }
  let left = x;
  return needs.map((need, n) => {
    const w = wide.has(n) ? need : rest / count;
    left += w;
    return { x: left - w, w };
  });
}

/**
 * The key in the middle of the column of a word, and left of it the place of a query, which covers no number of a key. The column of
 * the word that asks holds both.
 *
 * @param {Plan} plan
 * @param {Box} column
 * @param {boolean} [asks]
 * @returns {{ q: Box, k: Box }}
 */
export function stripsOf({ pairs, isNarrow }, column, asks) {
  const w = Math.min(40, column.w / 2.5 - (isNarrow ? 3 : 2));
  const x = Math.max(0, column.x + column.w / 2 - (asks ? 1 : 1.5) * w - (asks ? 1 : 2));
  return { q: { x, w, ...pairs }, k: { x: x + w + 2, w, ...pairs } };
}

/**
 * The score of a column.
 *
 * @param {Plan} plan
 * @param {Box} column
 * @returns {Box}
 */
export function scoreOf({ scores }, column) {
  const w = Math.min(82, column.w - 6);
  return { x: column.x + (column.w - w) / 2, w, ...scores };
}

/**
 * The cells of a table with so many rows and columns, which lie below the words of their places: row after row.
 *
 * @param {Plan} plan
 * @param {number} rows
 * @returns {Box[]}
 */
export function tableCells({ table, columns }, rows) {
  const h = table.h / rows;
  return range(rows * rows).map((n) => {
    const { x, w } = columns[n % rows];
    return { x: x + 1, y: table.y + h * Math.floor(n / rows), w: w - 2, h };
  });
}

/**
 * The place of the word whose column holds this point, and whether the point is on the word itself; null outside.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 */
export function placeAt({ columns, bar }, x, y) {
  const place = columns.findIndex((column) => x >= column.x && x < column.x + column.w);
  if (place < 0 || y < 0 || y >= bar.y) return null;
  return { place, isWord: y < columns[place].y + columns[place].h + 4 };
}
