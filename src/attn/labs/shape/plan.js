// Where the map draws its tensors, and where the large tensor has its cells: pure functions of sizes and room.

import { sizesOf } from "../kit/layer.js";
import { clamp, divisors, range } from "../kit/math.js";
import { axesOf, shapeNow, sheetsOf, sourcesOf, tensorsOf, written } from "./stages.js";

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
 * @property {number} p the size of a number
 * @property {Record<string, Placed>} tensors
 * @property {boolean} narrow whether there is only a step of the way: a tensor, after those that it is made from
 */

const HEAD_GAP = 3;
const BEHIND = 2.5; // pixels from a sheet to the next one behind it
const LARGEST = 9;
const NARROW = 700; // with less room the map shows a step of the way
const LETTER = 6.3; // pixels of a letter of 11 pixels, about
const DIGIT = 8.1; // of a digit of 12.5 pixels
const BOLD = 8.9; // of a bold letter of 14 pixels

/** @type {Record<string, [column: number, row: number]>} */
const GRID = {
  ...{ x: [0, 1], context: [0, 2], q_flat: [1, 0], k_flat: [1, 1], v_flat: [1, 2], q: [2, 0], k: [2, 1], v: [2, 2], kT: [3, 1] },
  ...{ scores: [4, 0], scaled: [5, 0], masked: [5, 1], weights: [4, 1], heads: [4, 2], concat: [5, 2], y: [6, 2] },
};

/**
 * The sheets that are drawn behind a tensor, one for each further sentence.
 *
 * @param {number} B
 */
const sheetsBehind = (B) => B - 1;

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

const ARROW = 66; // room for an arrow, with its name

/** @type {typeof mapPlan} */
function stepPlan(state, width, height, shown) {
  const sheets = [...sourcesOf(shown, state), shown].map((name) => sheetsOf(name, state));
  const behind = sheetsBehind(state.B);
  const top = 20 + behind * BEHIND; // a name is above, axes are below
  const tall = height - top - 20;
  const labelled = (/** @type {string} */ name, /** @type {boolean} */ sized) => 0.92 * labelWidth(name, state, sized); // in a smaller font
  const sized = sheets.reduce((sum, { name }) => sum + labelled(name, true), ARROW) < width;
  /**
   * @param {number} across how many heads lie side by side at most
   * @param {number} p
   */
  function planned(across, p) {
    let x = 6;
    let fits = true;
    /** @type {MapPlan["tensors"]} */
    const tensors = {};
    for (const one of sheets) {
      if (x > 6) x += one.name === shown ? ARROW : 10;
      const label = labelled(one.name, sized);
      const placed = placedIn(one, Math.min(one.heads, across), p, x, top, tall);
      tensors[one.name] = { ...placed, behind, sized, label };
      fits &&= placed.all.h <= tall;
      x += Math.max(placed.all.w + behind * BEHIND, label - 6);
    }
    return { width, height, p, tensors, narrow: true, fits: fits && x <= width };
  }
  const ways = divisors(Math.max(...sheets.map(({ heads }) => heads)));
  for (let p = LARGEST; ; p *= 0.97) {
    const found = ways.map((across) => planned(across, p)).findLast(({ fits }) => fits || p < 0.02);
    if (found) return found;
  }
}

/**
 * The heads of a tensor, `wide` of them side by side, in the middle of a height.
 *
 * @param {Sheets} one
 * @param {number} wide
 * @param {number} p
 * @param {number} x
 * @param {number} top
 * @param {number} high
 */
function placedIn(one, wide, p, x, top, high) {
  const [w, h] = [one.C * p, one.R * p];
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

/**
 * The plan of the whole map: as large as fits, every number of every tensor equally large. Heads lie side by side, in more rows where there
 * are too many; those of kᵀ, which has its column for itself, may lie below each other.
 *
 * @param {LayerState} state
 * @param {number} width
 * @param {number} tall the height that the map should not exceed
 * @returns {MapPlan}
 */
function wholePlan(state, width, tall) {
  const gaps = [62, 50, 46, 44, 68, 16, 0]; // to the right of columns, for arrows and their names
  const beside = [48, 10, 10, 44, 10, 10, 0]; // to the right of names: arrows turn beside x and kᵀ
  const [left, right] = [6, 4];
  const [above, below, between] = [37, 9, 3];
  const behind = sheetsBehind(state.B) * BEHIND;
  const names = tensorsOf(state);
  const cut = names.map((name) => sheetsOf(name, state));
  const heads = Math.max(...cut.map((one) => one.heads));
  const { G, H, L } = sizesOf(state);
  /** @param {boolean} sized */
  const needed = (sized) => {
    const widest = range(7).map((n) =>
      Math.max(0, ...names.filter((it) => GRID[it][0] === n).map((it) => labelWidth(it, state, sized || n === 4))),
    );
    return widest.map((one, n) => one + beside[n]);
  };
  // Names need room, too. Where there is not enough for all sizes beside them, some names stand alone, but not those of the scores.
  const least = needed(needed(true).reduce((a, b) => a + b) < 0.98 * (width - left - right));

  /**
   * @param {number} across how many heads lie side by side at most
   * @param {number} turned how many of kᵀ do
   */
  function fitted(across, turned) {
    const wideOf = (/** @type {Sheets} */ one) => Math.min(one.heads, one.name === "kT" ? turned : across);
    const columns = range(7).map((n) => ({ cells: 0, fixed: behind, gap: gaps[n], least: least[n] }));
    const rows = range(3).map(() => ({ cells: 0, fixed: above + below + behind }));
    for (const one of cut) {
      const [column, row] = GRID[one.name];
      const wide = wideOf(one);
      const high = Math.ceil(one.heads / wide);
      columns[column].cells = Math.max(columns[column].cells, wide * one.C);
      columns[column].fixed = Math.max(columns[column].fixed, (wide - 1) * HEAD_GAP + behind);
      // Above kᵀ there is room as far as the arrow beside q, and below it as much.
      const [spare, free] = one.name === "kT" ? [Math.ceil(H / across) * L, 14] : [0, 0];
      rows[row].cells = Math.max(rows[row].cells, high * one.R - spare);
      rows[row].fixed = Math.max(rows[row].fixed, (high - 1) * HEAD_GAP + above + below + behind - free);
    }
    const sum = (/** @type {{ cells: number, fixed: number }[]} */ list, /** @type {"cells" | "fixed"} */ key) =>
      list.reduce((total, one) => total + one[key], 0);
    let [wide, over] = [0, LARGEST]; // the largest numbers with which all columns fit lie between these
    for (let n = 0; n < 24; n++) {
      const half = (wide + over) / 2;
      if (columns.reduce((total, one) => total + pitch(one, half), left + right) <= width) wide = half;
      else over = half;
    }
    const high = (tall - 2 * between - sum(rows, "fixed")) / sum(rows, "cells");
    return { wideOf, columns, rows, p: Math.min(wide, high, LARGEST) };
  }
  // Rows of heads are equally long: five above one would look like two tensors.
  const best = divisors(heads)
    .flatMap((across) =>
      divisors(G)
        .toReversed()
        .map((turned) => fitted(across, turned)),
    )
    .reduce((a, b) => (b.p >= a.p ? b : a));
  const p = Math.max(best.p > 2 ? Math.floor(best.p * 4) / 4 : best.p, 0.02);
  /** @type {number[]} */
  const xs = [];
  let x = left;
  // What is left of the width goes between the columns, and to the right of the last one.
  const used = best.columns.reduce((sum, column) => sum + pitch(column, p), left + right);
  const more = Math.max(0, (width - used) / 6);
  for (const column of best.columns) {
    xs.push(x);
    x += pitch(column, p) + more;
  }
  /** @type {{ top: number, high: number }[]} */
  const ys = [];
  let y = 0;
  const filled = best.rows.reduce((sum, { cells, fixed }) => sum + cells * p + fixed, 2 * between);
  const spread = between + Math.min(24, Math.max(0, tall - filled) / 2); // what is left of the height goes between rows
  for (const { cells, fixed } of best.rows) {
    ys.push({ top: y + above + behind, high: cells * p + fixed - above - below - behind });
    y += cells * p + fixed + spread;
  }
  /** @type {Record<string, Placed>} */
  const tensors = {};
  for (const one of cut) {
    const [column, row] = GRID[one.name];
    const lifted = one.name === "x" && state.S !== null ? 0 : row; // there is another sentence below x
    const { top, high } = ys[lifted];
    const placed = placedIn(one, best.wideOf(one), p, xs[column], top, high);
    const space = column < 6 ? pitch(best.columns[column], p) + more - beside[column] : width - right - xs[column];
    const sized = labelWidth(one.name, state, true) <= space;
    const label = labelWidth(one.name, state, sized);
    tensors[one.name] = { ...placed, behind: sheetsBehind(state.B), sized, label };
  }
  return { width, height: Math.ceil(y - spread) + 3, p, tensors, narrow: false };
}

/**
 * From the beginning of a column of the map to that of the next.
 *
 * @param {{ cells: number, fixed: number, gap: number, least: number }} column
 * @param {number} p the size of a number
 */
function pitch({ cells, fixed, gap, least }, p) {
  return Math.max(cells * p + fixed + gap, least);
}

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
 * @property {number} height what is used of the room
 */

const TITLE = 15; // "head 0" above its cells

/**
 * The plan of the large tensor: its heads in as many columns as makes the cells largest.
 *
 * @param {Sheets} sheets
 * @param {{ rows: string[], columns: string[] }} words
 * @param {number} width
 * @param {number} tall
 * @returns {LargePlan}
 */
export function largePlan(sheets, words, width, tall) {
  const { heads, R, C } = sheets;
  const long = (/** @type {string[]} */ list) => Math.max(1, ...list.map((word) => word.length)) * LETTER;
  const title = sheets.headAxis ? TITLE : 0;
  /** @param {number} across */
  function sized(across) {
    const down = Math.ceil(heads / across);
    /** @type {(left: number, top: number) => [number, number]} */
    const cell = (left, top) => [
      Math.min(46, (width - left - 10 * (across - 1) - 2) / (across * C)),
      Math.min(32, (tall - top - down * title - 6 * (down - 1) - 2) / (down * R)),
    ];
    let [left, top] = [long(words.rows) + 22, 16];
    let [w, h] = cell(left, top);
    const upright = w < long(words.columns) + 3;
    if (upright) top = long(words.columns) + 8;
    [w, h] = cell(left, top);
    const named = h >= 11 && (!upright || (w >= 11 && top < tall / 3));
    if (!named) [left, top] = [30, 16]; // for indices
    [w, h] = cell(left, top);
    [w, h] = [Math.min(w, 3.4 * h), Math.min(h, 1.6 * w)];
    const digits = h < 11.5 ? -1 : w >= 38 ? 2 : w >= 31 ? 1 : -1;
    return { across, down, left, top, w, h, named, upright, digits };
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
  const { upright, named, digits } = best;
  const height = Math.max(...boxes.map((box) => box.y + box.h)) + 4;
  return { sheets, boxes, w, h, left, top, across, upright, named, digits, height };
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
