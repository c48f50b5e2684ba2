// Where EinsumLab's picture has its tensors. The operands stand to the left of the result, or above it where there is less room; between them
// and below is the lane where two numbers meet. Of an operand one matrix is drawn, of the result all of them.

import { clamp } from "../kit/math.js";
import { lostLetters } from "./formula.js";
import { indexOf } from "./model.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, w: number, p: number }} Sheet the first corner, and the width and height of a cell */
/** @typedef {[number, number, number, number]} Sizes */

/**
 * @typedef {object} Place where a tensor is drawn
 * @property {Sizes} sizes rows and columns of its matrices, and of the numbers in each
 * @property {Sheet} sheet the first matrix that is drawn
 * @property {number} apart pixels between two matrices; negative if only one is drawn
 * @property {{ x: number, y: number }} title where its name begins
 * @property {{ x: number, y: number }} tile where its letters begin
 */

/** @typedef {{ width: number, height: number, places: (Place | null)[], lane: Box, legend: Box }} Plan legend: its first cell */

const HEAD = 38; // between the letters and a matrix: its name, and the index of the column
const SIDE = 18; // beside a matrix: the index of the row
const LABEL = 26; // left of that: which matrix it is
const EDGE = 12; // right of a matrix: the letter of its columns
const ARROW = 16; // between the operands and the result
const TILE = 25; // how wide a letter of the result is
const LANE = 26; // how high two numbers are that meet
const HINT = 112; // how wide the hint beside the letters is
const NAME = 130; // how wide the name of a result is, with its indices
const SHORT = [46, 58, 24]; // both on a phone, and a cell of the legend
const FILM = 70; // below the lane, where the result stands beside the operands: the loops and their player
export const BESIDE = 600; // the least width of a picture with the result beside the operands
const HIGHEST = 26;
const LEAST = 15; // how high a cell is in which a number can be read
const WIDEST = 42; // a cell of an operand

/**
 * The letters of the axes that go down and across the matrices, and down and across each; "" for none. b always goes down.
 *
 * @param {string} axes
 */
export const gridOf = (axes) =>
  /^b..$/.test(axes) ? [axes[0], "", axes[1], axes[2]] : [..."    ", ...axes].slice(-4).map((one) => one.trim());

/**
 * How many there are of each.
 *
 * @param {string} axes
 * @param {import("./formula.js").Sizes} sizes
 */
export const sizesOf = (axes, sizes) =>
  /** @type {Sizes} */ (gridOf(axes).map((letter) => (letter ? sizes[letter.toUpperCase()] : 1)));

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {import("./formula.js").Formula} picture.formula
 * @param {import("./formula.js").Sizes} picture.sizes
 * @param {number} [picture.letters] how high the letters above the tensors are; 0 if neither they nor the loops are shown
 * @param {boolean} [picture.isHinted] whether there is a hint beside the letters of the result
 * @returns {Plan}
 */
export function planOf({ width, tallest, formula, sizes, letters = 32, isHinted = false }) {
  const [left, right] = formula.tensors.map((axes) => sizesOf(axes, sizes));
  const result = sizesOf(formula.result, sizes);
  const [B, H, R, C] = result;
  const head = letters + HEAD;
  const isBeside = width > BESIDE;
  const room = isBeside ? Math.floor(0.4 * width) : width - 2; // of the operands
  const margins = SIDE + EDGE;
  const columns = left[3] + (right ? right[3] : 0);
  const w = Math.min(WIDEST, Math.floor((room - (right ? 2 * margins + 6 : margins)) / columns));
  const first = (isBeside ? room + ARROW : 0) + SIDE + (B > 1 ? LABEL : 8);
  const free = width - first - EDGE;
  const apart = clamp(Math.floor(free / 60), 3, 9);
  const rows = Math.max(left[2], right ? right[2] : 0);
  const below = (/** @type {number} */ p) => head + rows * p + LANE + 18; // the end of the lane
  const top = (/** @type {number} */ p) => (isBeside ? head : below(p) + head + 2);
  const film = isBeside && letters ? FILM : 0;
  const high = (/** @type {number} */ p, /** @type {number} */ q) =>
    Math.max(below(p) + film, top(p) + B * R * q + (B - 1) * apart + 4);
  let p = HIGHEST;
  while (p > 8 && high(p, isBeside ? 1 : Math.min(p, LEAST)) > tallest) p--;
  const widest = clamp(Math.floor((free - (H - 1) * apart) / (H * C)), 1, HIGHEST + 2);
  let q = Math.min(isBeside ? HIGHEST : p, widest + 3);
  while (q > 1 && high(p, q) > tallest) q--;

  const v = Math.min(widest, Math.max(q + 1, 8)); // cells of every result look alike
  const y = top(p) - head;
  const second = SIDE + left[3] * w + EDGE + SIDE + 6;
  const shift = isBeside ? 0 : Math.max(0, width - 2 - second - (right ? right[3] : 0) * w - EDGE); // the second one is at the right
  const operand = (/** @type {Sizes} */ sizes, /** @type {number} */ x) => ({
    sizes,
    sheet: { x, y: head, w, p },
    apart: -1,
    title: { x: x - 4, y: letters + 7 },
    tile: { x: x - 4, y: 0 },
  });
  const tile = { x: Math.max(30, first - 4), y };
  const [hinted, named, cell] = isBeside ? [HINT, NAME, 30] : SHORT;
  const title = {
    x: tile.x + (letters && TILE * (formula.result + lostLetters(formula)).length + 12) + (isHinted ? hinted : 0),
    y: y + (letters || 16) / 2,
  };
  return {
    width,
    height: Math.ceil(high(p, q)),
    legend: { x: Math.max(title.x + named, first + H * (C * v + apart) - apart - 3 * cell), y: title.y - 9, w: cell, h: 18 },
    lane: { x: 4, y: below(p) - LANE - 6, w: room - 8, h: LANE },
    places: [
      operand(left, SIDE),
      right ? operand(right, second + shift) : null,
      {
        sizes: result,
        sheet: { x: first, y: y + head, w: v, p: q },
        apart,
        title,
        tile,
      },
    ],
  };
}

/** From the corner of one matrix to that of the next. @param {Place} place */
function stepOf({ sheet: { w, p }, sizes: [, , R, C], apart }) {
  return apart < 0 ? { x: 0, y: 0 } : { x: C * w + apart, y: R * p + apart };
}

/**
 * The box of a matrix. Of an operand all have the same.
 *
 * @param {Place} place
 * @param {number} b
 * @param {number} h
 * @returns {Box}
 */
export function matrixOf(place, b, h) {
  const { sheet, sizes } = place;
  const step = stepOf(place);
  return { x: sheet.x + h * step.x, y: sheet.y + b * step.y, w: sizes[3] * sheet.w, h: sizes[2] * sheet.p };
}

/** The box of number n. @param {Place} place @param {number} n @returns {Box} */
export function boxOf(place, n) {
  const [b, h, i, j] = indexOf(n, place.sizes);
  const { w, p: high } = place.sheet;
  const { x, y } = matrixOf(place, b, h);
  return { x: x + j * w, y: y + i * high, w, h: high };
}

/**
 * The number at a point; null beside all matrices.
 *
 * @param {Place} place
 * @param {[number, number]} front the matrix that is drawn of an operand
 * @param {number} x
 * @param {number} y
 * @returns {number | null}
 */
export function numberAt(place, front, x, y) {
  const { sheet, sizes, apart } = place;
  const [B, H, R, C] = sizes;
  const step = stepOf(place);
  const [right, down] = [x - sheet.x, y - sheet.y];
  const [b, h] = apart < 0 ? front : [Math.floor(down / step.y), Math.floor(right / step.x)];
  if (b < 0 || b >= B || h < 0 || h >= H) return null;
  const corner = matrixOf(place, b, h);
  const [i, j] = [Math.floor((y - corner.y) / sheet.p), Math.floor((x - corner.x) / sheet.w)];
  if (i < 0 || i >= R || j < 0 || j >= C) return null;
  return ((b * H + h) * R + i) * C + j;
}

/**
 * The strips beside the matrices that belong to an axis each.
 *
 * @param {Place} place
 * @param {string} axes
 * @returns {{ axis: string, box: Box }[]}
 */
export function edgesOf(place, axes) {
  const { sheet, sizes, apart } = place;
  const last = apart < 0 ? matrixOf(place, 0, 0) : matrixOf(place, sizes[0] - 1, sizes[1] - 1);
  const [w, h] = [last.x + last.w - sheet.x, last.y + last.h - sheet.y];
  const boxes = [
    { x: sheet.x - SIDE - LABEL, y: sheet.y, w: LABEL - 1, h },
    { x: sheet.x, y: sheet.y - 36, w, h: 16 },
    { x: sheet.x - SIDE, y: sheet.y, w: SIDE - 1, h },
    { x: sheet.x, y: sheet.y - 19, w: w + EDGE, h: 18 },
  ];
  return gridOf(axes).flatMap((letter, n) =>
    letter && (n > 1 || apart >= 0) ? [{ axis: letter.toUpperCase(), box: boxes[n] }] : [],
  );
}
