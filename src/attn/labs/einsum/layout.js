// Where EinsumLab's picture has its tensors: the factors above, the result below, and between them the lane where two numbers meet. Of each
// tensor one table is large; beside that of the result all its tables are small.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ axes: string, shape: number[] }} Shaped */
/** @typedef {{ x: number, y: number, w: number, p: number }} Sheet the first corner, and the width and height of a cell */
/** @typedef {{ i: number, j: number, n: number }} Gap after row i or column j (Infinity: after none), how far it is open, from 0 to 1 */
/** @typedef {[number, number, number, number]} Sizes */

/**
 * @typedef {object} Place where a tensor is drawn
 * @property {Sizes} sizes rows and columns of its tables, and of the numbers in each
 * @property {Sheet} sheet the large table
 * @property {Gap} gap in the large table: there stands by how much its numbers change
 * @property {{ x: number, y: number, c: number } | null} all all tables, with cells of c pixels; null if only one is drawn
 * @property {{ x: number, y: number }} title
 */

/** @typedef {{ width: number, height: number, places: (Place | null)[], lane: Box, corner: number }} Plan */

const HEAD = 36; // above a table: the name, and the index of the column
const SIDE = 17; // beside it: the index of the row
export const APART = 3; // pixels between two small tables
const BETWEEN = 22; // between the large table and the small ones
/** Cells of the small tables, and for each the least height of those of the large ones. The first that fit are taken. */
const STEPS = /** @type {const} */ ([
  [4, 15],
  [2, 15],
  [1, 15],
  [0, 8],
]);
const NAMED = 124; // the room for a name with the indices of the only table that is drawn
const LEAST = 19; // how wide a cell is for a sign and a digit, where small tables fit beside it
const WIDEST = 2.7; // a cell, in heights
const EDGE = 13; // right of a large table: the letter of its columns
const CLOSED = { i: Infinity, j: Infinity, n: 0 };

/**
 * The shape as rows and columns of tables and of the numbers in each.
 *
 * @param {number[]} shape
 * @returns {Sizes}
 */
export function sizesOf(shape) {
  return /** @type {Sizes} */ ([...Array(4 - shape.length).fill(1), ...shape]);
}

/** @param {Sizes} sizes @param {number} c */
function allSize([B, H, R, C], c) {
  return c && B * H > 1 ? { w: H * C * c + (H - 1) * APART, h: B * R * c + (B - 1) * APART } : { w: 0, h: 0 };
}

/**
 * How wide a tensor is: its large table, and beside it all tables.
 *
 * @param {Sizes} sizes
 * @param {number} w of a cell
 * @param {number} [c] of a cell of the small tables; without them the name has more to say
 * @param {number} [columns] of the large table
 */
function widthOf(sizes, w, c = 0, columns = sizes[3]) {
  const { w: small } = allSize(sizes, c);
  const isOne = !c && sizes[0] * sizes[1] > 1; // of several tables
  return Math.max(isOne ? NAMED : 0, SIDE + columns * w + EDGE + (small ? BETWEEN + small + 2 : 0));
}

/** The height of the lane between the factors and the result. @param {number} p */
const laneOf = (p) => Math.max(p, 20) + 18;

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {(Shaped | null)[]} picture.tensors left, right and the result
 * @param {number} [picture.corner] how wide the loops are that stand beside the tensors
 * @param {{ i: number, j: number }} [picture.gap] of the result
 * @returns {Plan}
 */
export function planOf({ width, tallest, tensors, corner = 0, gap = CLOSED }) {
  const [left, right, result] = tensors.map((tensor) => tensor && sizesOf(tensor.shape));
  if (!left || !result) throw new Error("A formula has a tensor and a result.");
  const room = width - corner;
  const factors = (/** @type {number} */ w) => widthOf(left, w) + (right ? 8 + widthOf(right, w) : 0);
  const [, , rows, columns] = result;
  const results = (/** @type {number} */ w, /** @type {number} */ c) => widthOf(result, w, c, columns + Number(gap.j < columns));
  const top = (/** @type {number} */ p) => HEAD + Math.max(left[2], right?.[2] ?? 0) * p;
  const below = (/** @type {number} */ p) => top(p) + laneOf(p) + HEAD;
  const heightOf = (/** @type {number} */ p, /** @type {number} */ c) =>
    Math.max((rows + Number(gap.i < rows)) * p, allSize(result, c).h) + 3;
  const fits = (/** @type {number} */ p, /** @type {number} */ c) =>
    factors(c ? Math.max(p, LEAST) : p) <= room && results(p, c) <= room && below(p) + heightOf(p, c) <= tallest;
  let [p, c] = [8, 0];
  for (const [small, least] of STEPS) {
    [p, c] = [32, small];
    while (p > least && !fits(p, c)) p--;
    if (fits(p, c)) break;
  }
  let w = c ? Math.max(p, LEAST) : p;
  while (w < WIDEST * p && factors(w + 1) <= room) w++;
  // The result has more room: first for numbers of three signs, then for its small tables, then for wider cells.
  let [broad, large] = [p, c];
  while (broad < 27 && results(broad + 1, large) <= room) broad++;
  while (large < 14 && results(broad, large + 1) <= room && below(p) + allSize(result, large + 1).h + 3 <= tallest) large++;
  while (broad < WIDEST * p && results(broad + 1, large) <= room) broad++;

  const used = corner ? width : Math.max(factors(w), results(broad, large));
  const first = corner || used - factors(w);
  const free = used - results(broad, large);
  return {
    width: used,
    height: below(p) + heightOf(p, large),
    lane: { x: first, y: top(p) + 8, w: used - first, h: laneOf(p) - 16 },
    corner,
    places: [
      placed(left, { x: first, y: 0, w, p, c: 0 }),
      right && placed(right, { x: used - widthOf(right, w), y: 0, w, p, c: 0 }),
      placed(result, { x: corner || right ? free : Math.floor(free / 2), y: below(p) - HEAD, w: broad, p, c: large }, gap),
    ],
  };
}

/**
 * The small tables stand to the left of the large one.
 *
 * @param {Sizes} sizes
 * @param {{ x: number, y: number, w: number, p: number, c: number }} where
 * @param {{ i: number, j: number }} [gap]
 * @returns {Place}
 */
function placed(sizes, { x, y, w, p, c }, gap = CLOSED) {
  const { w: small } = allSize(sizes, c);
  const all = x + SIDE;
  const sheet = all + (small ? small + BETWEEN : 0);
  return {
    sizes,
    title: { x: (small ? all : sheet) - 5, y: y + 9 }, // not where a product falls into the large table
    sheet: { x: sheet, y: y + HEAD, w, p },
    gap: { ...gap, n: 0 },
    all: small ? { x: all, y: y + HEAD, c } : null,
  };
}

/** Where a line of numbers stands, or the end of all, if the gap is before it. @param {number} at @param {number} line @param {number} n */
const past = (at, line, n) => (at > line ? at + n : at);

/** How wide and high the large table is. @param {Place} place */
export const sizeOf = ({ sheet: { w, p }, sizes: [, , R, C], gap: { i, j, n } }) => ({
  w: past(C, j, n) * w,
  h: past(R, i, n) * p,
});

/**
 * The box of a number in the large table.
 *
 * @param {Place} place
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export const boxOf = ({ sheet: { x, y, w, p }, gap }, i, j) => ({
  x: x + past(j, gap.j, gap.n) * w,
  y: y + past(i, gap.i, gap.n) * p,
  w,
  h: p,
});

/** The row or column at this distance from the first one; the gap belongs to the one before it. @param {number} at @param {number} line @param {number} n */
const lineAt = (at, line, n) => Math.floor(at > line + 1 ? Math.max(line, at - n) : at);

/**
 * The first corner of a small table.
 *
 * @param {Place} place
 * @param {number} b
 * @param {number} h
 */
export function cornerOf({ sizes: [, , R, C], all }, b, h) {
  const { x, y, c } = /** @type {NonNullable<Place["all"]>} */ (all);
  return { x: x + h * (C * c + APART), y: y + b * (R * c + APART) };
}

/**
 * The number at a point, as row and column of its table and in its table; null beside all tables.
 *
 * @param {Place} place
 * @param {[number, number]} front the table that is large
 * @param {number} x
 * @param {number} y
 * @returns {[number, number, number, number] | null}
 */
export function numberAt(place, front, x, y) {
  const { sheet, sizes, all, gap } = place;
  const [B, H, R, C] = sizes;
  const i = lineAt((y - sheet.y) / sheet.p, gap.i, gap.n);
  const j = lineAt((x - sheet.x) / sheet.w, gap.j, gap.n);
  if (i >= 0 && i < R && j >= 0 && j < C) return [...front, i, j];
  if (!all) return null;
  const [b, h] = [Math.floor((y - all.y) / (R * all.c + APART)), Math.floor((x - all.x) / (C * all.c + APART))];
  if (b < 0 || b >= B || h < 0 || h >= H) return null;
  const corner = cornerOf(place, b, h);
  const row = clamp(Math.floor((y - corner.y) / all.c), 0, R - 1);
  return [b, h, row, clamp(Math.floor((x - corner.x) / all.c), 0, C - 1)];
}

/**
 * The strips beside the tables that belong to an axis each.
 *
 * @param {Place} place
 * @param {string} axes
 * @returns {{ axis: string, box: Box }[]}
 */
export function edgesOf({ sheet, sizes: [B, H, R, C], all }, axes) {
  const boxes = [
    { x: sheet.x, y: sheet.y - 19, w: C * sheet.w + EDGE, h: 18 },
    { x: sheet.x - SIDE, y: sheet.y, w: SIDE - 1, h: R * sheet.p },
  ];
  if (all) {
    const [wide, high] = [H * C * all.c + (H - 1) * APART, B * R * all.c + (B - 1) * APART];
    boxes.push({ x: all.x, y: all.y - 20, w: wide, h: 18 }, { x: all.x - SIDE, y: all.y, w: SIDE - 1, h: high });
  }
  return boxes.flatMap((box, n) => (n < axes.length ? [{ axis: axes[axes.length - 1 - n].toUpperCase(), box }] : []));
}
