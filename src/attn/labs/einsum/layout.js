// Where EinsumLab's picture has its tensors: the factors above, the result below, and between them the lane where two numbers meet. Of each
// tensor one table is large; beside it all its tables are small.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ axes: string, shape: number[] }} Shaped */
/** @typedef {{ x: number, y: number, w: number, p: number }} Sheet the first corner, and the width and height of a cell */

/**
 * @typedef {object} Place where a tensor is drawn
 * @property {[number, number, number, number]} sizes rows and columns of its tables, and of the numbers in each
 * @property {Sheet} sheet the large table
 * @property {{ x: number, y: number, c: number } | null} all all tables, with cells of c pixels; null if there is one
 * @property {{ x: number, y: number }} title
 */

/** @typedef {{ width: number, height: number, places: (Place | null)[], lane: Box, corner: { w: number, h: number } }} Plan */

const HEAD = 36; // above a table: the name, and the index of the column
const SIDE = 17; // beside it: the index of the row
export const APART = 3; // pixels between two small tables
const BETWEEN = 22; // between two tensors, and between a large table and the small ones
/** Cells of the small tables, and for each the least height of those of the large ones. The first that fit are taken. */
const STEPS = /** @type {const} */ ([
  [10, 20],
  [9, 20],
  [8, 20],
  [7, 17],
  [6, 17],
  [5, 17],
  [4, 20],
  [3, 19],
  [2, 15],
  [1, 15],
  [0, 8],
]);
const NARROW = 480; // a picture without room for small tables of the factors: their large ones have all of it
const NAMED = 104; // the room for a name with the indices of the only table that is drawn
const LEAST = 19; // how wide a cell is for a sign and a digit, where small tables fit beside it
const WIDEST = 1.9; // a cell, in heights
const EDGE = 13; // right of a large table: the letter of its columns

/**
 * The shape as rows and columns of tables and of the numbers in each.
 *
 * @param {number[]} shape
 * @returns {[number, number, number, number]}
 */
export function sizesOf(shape) {
  return /** @type {[number, number, number, number]} */ ([...Array(4 - shape.length).fill(1), ...shape]);
}

/** @param {[number, number, number, number]} sizes @param {number} c */
function allSize([B, H, R, C], c) {
  return c && B * H > 1 ? { w: H * C * c + (H - 1) * APART, h: B * R * c + (B - 1) * APART } : { w: 0, h: 0 };
}

/** @typedef {[number, number, number, number]} Sizes */

/**
 * How wide a tensor is: its large table, and beside it all tables.
 *
 * @param {Sizes | null} sizes
 * @param {number} w of a cell
 * @param {number} c of a cell of the small tables
 */
function widthOf(sizes, w, c) {
  if (!sizes) return 0;
  const { w: small } = allSize(sizes, c);
  const isOne = !c && sizes[0] * sizes[1] > 1; // of several tables
  return Math.max(isOne ? NAMED : 0, SIDE + sizes[3] * w + EDGE + (small ? BETWEEN + small + 2 : 0));
}

/** @param {Sizes | null} sizes @param {number} p height of a cell @param {number} c */
const heightOf = (sizes, p, c) => (sizes ? Math.max(sizes[2] * p, allSize(sizes, c).h) : 0);

/** The height of the lane between the factors and the result. @param {number} p */
const laneOf = (p) => Math.max(p, 20) + 18;

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {(Shaped | null)[]} picture.tensors left, right and the result
 * @param {{ w: number, h: number }} [picture.corner] what covers the first corner of the picture: the tensors are beside it, or, where the
 * result is too wide, below it
 * @returns {Plan}
 */
export function planOf({ width, tallest, tensors, corner = { w: 0, h: 0 } }) {
  const [left, right, result] = tensors.map((tensor) => tensor && sizesOf(tensor.shape));
  if (!left || !result) throw new Error("A formula has a tensor and a result.");
  const wide = width - corner.w;
  const isBeside = corner.w > 0 && widthOf(result, LEAST, 1) <= wide;
  const room = isBeside ? wide : width; // of the result
  const factors = (/** @type {number} */ w, /** @type {number} */ c) =>
    widthOf(left, w, c) + (right ? 8 + widthOf(right, w, c) : 0);
  const top = (/** @type {number} */ p, /** @type {number} */ c) => HEAD + Math.max(heightOf(left, p, c), heightOf(right, p, c));
  /** How far down the factors, the lane and, where the result is below it, the corner reach. @param {number} p @param {number} c */
  const below = (p, c) => Math.max(top(p, c) + laneOf(p), isBeside ? 0 : corner.h);
  const fits = (/** @type {number} */ p, /** @type {number} */ c) =>
    factors(c ? Math.max(p, LEAST) : p, c) <= wide &&
    widthOf(result, p, c) <= room &&
    below(p, c) + HEAD + heightOf(result, p, c) + 3 <= tallest;
  let [p, c] = [8, 0];
  for (const [small, least] of width < NARROW && right ? STEPS.slice(-1) : STEPS) {
    [p, c] = [32, small];
    while (p > least && !fits(p, c)) p--;
    if (fits(p, c)) break;
  }
  let w = c ? Math.max(p, LEAST) : p;
  while (w < WIDEST * p && factors(w + 1, c) <= wide) w++;
  // The result has more room: first for numbers of three signs, then for its small tables, then for wider cells.
  let [broad, large] = [p, c];
  while (broad < 27 && widthOf(result, broad + 1, large) <= room) broad++;
  const high = tallest - below(p, c) - HEAD - 3;
  while (large < 14 && widthOf(result, broad, large + 1) <= room && allSize(result, large + 1).h <= high) large++;
  while (broad < WIDEST * p && widthOf(result, broad + 1, large) <= room) broad++;

  const used = corner.w ? width : Math.max(factors(w, c), widthOf(result, broad, large));
  const y = below(p, c);
  const first = corner.w || used - factors(w, c);
  const lane = { x: first, y: top(p, c) + 8, w: used - first, h: laneOf(p) - 16 };
  const free = used - widthOf(result, broad, large);
  return {
    width: used,
    height: y + HEAD + heightOf(result, p, large) + 3,
    lane,
    corner,
    places: [
      placed(left, { x: first, y: 0, w, p, c }),
      right && placed(right, { x: used - widthOf(right, w, c), y: 0, w, p, c }),
      placed(result, { x: corner.w || right ? free : Math.floor(free / 2), y, w: broad, p, c: large }),
    ],
  };
}

/**
 * The small tables stand to the left of the large one.
 *
 * @param {Sizes} sizes
 * @param {{ x: number, y: number, w: number, p: number, c: number }} where
 * @returns {Place}
 */
function placed(sizes, { x, y, w, p, c }) {
  const { w: small } = allSize(sizes, c);
  const all = x + SIDE;
  const sheet = all + (small ? small + BETWEEN : 0);
  return {
    sizes,
    title: { x: small ? all - 5 : sheet - 5, y: y + 9 }, // not where a product falls into the large table
    sheet: { x: sheet, y: y + HEAD, w, p },
    all: small ? { x: all, y: y + HEAD, c } : null,
  };
}

/**
 * The box of a number in the large table.
 *
 * @param {Place} place
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export const boxOf = ({ sheet: { x, y, w, p } }, i, j) => ({ x: x + j * w, y: y + i * p, w, h: p });

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
  const { sheet, sizes, all } = place;
  const [B, H, R, C] = sizes;
  const [i, j] = [Math.floor((y - sheet.y) / sheet.p), Math.floor((x - sheet.x) / sheet.w)];
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
    boxes.push({ x: all.x, y: all.y - 20, w: wide, h: 18 }, { x: all.x - BETWEEN, y: all.y, w: BETWEEN - 2, h: high });
  }
  return boxes.flatMap((box, n) => (n < axes.length ? [{ axis: axes[axes.length - 1 - n].toUpperCase(), box }] : []));
}
