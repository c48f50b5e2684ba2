// Where the chosen tensor has its cells, large: pure functions of sizes and room.

import { clamp, range } from "../kit/math.js";
import { BEHIND } from "./paint.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./stages.js").Sheets} Sheets */
/**
 * @typedef {object} LargePlan
 * @property {Sheets} sheets
 * @property {Box[]} boxes a box for each head
 * @property {number} w of a cell
 * @property {number} h
 * @property {number} left the room for words beside the rows
 * @property {number} top the room for words above the columns
 * @property {number} across
 * @property {boolean} upright whether the words above the columns are turned
 * @property {boolean} named whether there is room for words beside the rows and above the columns; else both have indices
 * @property {number} digits decimals of the numbers in the cells; -1 where they do not fit
 * @property {string} key the words by index, where there is no room
 * @property {number} height what is used of the room
 */

const LETTER = 6.3; // pixels of a letter of 11 pixels, about
const TITLE = 14; // "head 0" above its cells
const FOOT = 15; // the key below all cells

/**
 * The plan of the large tensor: its heads in as many columns as makes the cells largest. Cells of two words are square.
 *
 * @param {Sheets} sheets
 * @param {{ rows: string[], columns: string[] }} words
 * @param {number} width
 * @param {number} tall
 * @param {number} [behind] further sentences
 * @returns {LargePlan}
 */
export function largePlan(sheets, words, width, tall, behind = 0) {
  const { heads, R, C } = sheets;
  const paired = sheets.rowAxis === "L" && sheets.columnAxis === "S";
  const indexed = words.rows.map((word, n) => `${n} ${word}`).join("  ");
  const canIndex = paired && String(words.rows) === String(words.columns) && 0.9 * indexed.length * LETTER < width;
  const long = (/** @type {string[]} */ list) => Math.max(1, ...list.map((word) => word.length)) * LETTER;
  const title = (sheets.headAxis ? TITLE : 0) + behind * BEHIND;
  /** @param {number} across */
  function sized(across) {
    const down = Math.ceil(heads / across);
    /** @type {(left: number, top: number, foot?: number) => [number, number]} */
    const cell = (left, top, foot = 0) => {
      const w = Math.min(46, (width - left - 10 * (across - 1) - 2 - behind * BEHIND) / (across * C));
      const h = Math.min(paired ? 46 : 32, (tall - top - foot - down * title - 6 * (down - 1) - 2) / (down * R));
      return paired ? [Math.min(w, h), Math.min(w, h)] : [w, h];
    };
    let [left, top] = [long(words.rows) + 18, 16];
    let [w, h] = cell(left, top);
    const upright = /[LS]/.test(sheets.columnAxis) && w < long(words.columns) + 3; // of indices some can be left out
    if (upright) top = long(words.columns) + 8;
    [w, h] = cell(left, top);
    const named = h >= 11 && (!upright || (w >= 11 && top < tall / 3));
    const key = !named && canIndex ? indexed : "";
    if (!named) [left, top] = [30, 16]; // for indices
    [w, h] = cell(left, top, key ? FOOT : 0);
    [w, h] = [Math.min(w, 3.4 * h), Math.min(h, 1.6 * w)];
    const digits = h < 11.5 ? -1 : w >= 38 ? 2 : w >= 31 ? 1 : -1;
    return { across, down, left, top, w, h, named, upright, digits, key };
  }
  /** Large cells with numbers, or at least with words, and few empty places after the last head. @param {ReturnType<typeof sized>} one */
  const worth = ({ across, down, w, h, digits, named }) =>
    (digits >= 0 ? 1000 : 0) + (Math.min(w, 2 * h) * h * heads * (named ? 1.5 : 1)) / (across * down);
  const best = range(heads)
    .map((n) => sized(n + 1))
    .reduce((a, b) => (worth(b) > worth(a) + 0.01 ? b : a));
  const { across, left, top } = best;
  const snap = (/** @type {number} */ size) => (size > 3 ? Math.floor(size * 2) / 2 : Math.max(size, 0.3));
  const [w, h] = [snap(best.w), snap(best.h)];
  const boxes = range(heads).map((n) => ({
    x: left + (n % across) * (C * w + 10),
    y: top + title + Math.floor(n / across) * (R * h + title + 6),
    ...{ w: C * w, h: R * h },
  }));
  const { upright, named, digits, key } = best;
  const height = Math.max(...boxes.map((box) => box.y + box.h)) + 4 + (key ? FOOT : 0);
  return { sheets, boxes, w, h, left, top, across, upright, named, digits, key, height };
}

/**
 * The cell at a point: [head, row, column], or null.
 *
 * @param {{ boxes: Box[] }} plan
 * @param {Sheets} sheets
 * @param {number} x
 * @param {number} y
 * @returns {[number, number, number] | null}
 */
export function cellUnder({ boxes }, { R, C }, x, y) {
  const h = boxes.findIndex((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h);
  if (h < 0) return null;
  const box = boxes[h];
  const [i, j] = [Math.floor(((y - box.y) / box.h) * R), Math.floor(((x - box.x) / box.w) * C)];
  return [h, clamp(i, 0, R - 1), clamp(j, 0, C - 1)];
}
