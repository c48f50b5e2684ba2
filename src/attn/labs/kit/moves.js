// How cells move when a tensor changes its shape. Every move is a function of n, from 0 (before) to 1 (afterwards), and ends exactly
// where a jump would. A cell that is drawn before and after keeps its identity: it flies.

import { range } from "./math.js";
import { fall, mix, soft, swing } from "./time.js";

/** @typedef {import("./time.js").Sheet} Sheet */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */

/**
 * Where the cell in row i and column j of a sheet lies.
 *
 * @param {Sheet} sheet
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export function cellOf({ x, y, p }, i, j) {
  return { x: x + j * p, y: y + i * p, w: p, h: p };
}

/**
 * How far the cell with number `k` of `count` has come: the cells start one after the other, and each takes `share` of the time.
 *
 * @param {number} n
 * @param {number} k
 * @param {number} count
 * @param {number} [share]
 */
export function inTurn(n, k, count, share = 0.6) {
  if (count < 2) return n;
  const start = ((1 - share) * k) / (count - 1);
  return n >= 1 ? 1 : Math.max(0, Math.min(1, (n - start) / share));
}

/**
 * A cell flies from one place to another: split, merge, exchange of axes, squeeze, and copies that are broadcast.
 *
 * @param {Box} from
 * @param {Box} to
 * @param {number} n
 * @param {number} [lift] how high it rises on the way, in pixels, so that cells that cross can be told apart
 * @returns {Box}
 */
export function fly(from, to, n, lift = 0) {
  const go = swing(n);
  return {
    x: mix(from.x, to.x, go),
    y: mix(from.y, to.y, go) - (n < 1 ? lift * Math.sin(Math.PI * go) : 0),
    w: mix(from.w, to.w, go),
    h: mix(from.h, to.h, go),
  };
}

/**
 * A sheet turns over its diagonal: the cell in row i and column j comes to row j and column i. Returns the centre of the cell and the
 * matrix that draws it, turned, around that centre: pen.transform(a, b, c, d, x, y).
 *
 * @param {Sheet} sheet
 * @param {number} i
 * @param {number} j
 * @param {number} n
 */
export function turn({ x, y, p }, i, j, n) {
  const go = swing(n);
  if (n <= 0 || n >= 1) {
    const { x: left, y: top } = cellOf({ x, y, p }, ...(n < 1 ? /** @type {const} */ ([i, j]) : /** @type {const} */ ([j, i])));
    return { x: left + p / 2, y: top + p / 2, matrix: /** @type {const} */ ([1, 0, 0, 1]) };
  }
  const c = Math.cos(Math.PI * go); // from 1 through 0, where the sheet is seen from its edge, to -1
  const [along, across] = [((i + j + 1) / 2) * p, ((j - i) / 2) * p];
  const near = 1 + (Math.sin(Math.PI * go) * across) / (14 * p); // what comes towards the reader looks larger
  return {
    x: x + (along + across * c) * near,
    y: y + (along - across * c) * near,
    matrix: /** @type {const} */ ([(1 + c) / 2, (1 - c) / 2, (1 - c) / 2, (1 + c) / 2]),
  };
}

/**
 * Product and sum: the products of one pair of rows fall into the cell of their sum, the last of them first.
 *
 * @param {Box[]} products
 * @param {Box} sum
 * @param {number} n
 * @returns {Box[]}
 */
export function fold(products, sum, n) {
  return products.map((box, d) => {
    const go = fall(inTurn(n, products.length - 1 - d, products.length));
    return { x: mix(box.x, sum.x, go), y: mix(box.y, sum.y, go), w: mix(box.w, sum.w, go), h: mix(box.h, sum.h, go) };
  });
}

/**
 * Softmax: the cells of a row become parts of one bar, which is as long as the row, because the weights sum to 1. At n = 0 all cells are
 * equally wide, at n = 1 each is as wide as its weight.
 *
 * @param {ArrayLike<number>} weights of the row; all zero: nothing is visible, and the bar stays empty
 * @param {Box} row
 * @param {number} n
 * @returns {Box[]}
 */
export function divide(weights, row, n) {
  const go = swing(n);
  let x = row.x;
  return range(weights.length).map((s) => {
    const w = row.w * mix(1 / weights.length, weights[s], go);
    x += w;
    return { x: x - w, y: row.y, w, h: row.h };
  });
}

/**
 * The weighted sum: rows become as thick as their weights, and lie on each other in one row.
 *
 * @param {ArrayLike<number>} weights
 * @param {Box[]} rows
 * @param {Box} sum
 * @param {number} n
 * @returns {Box[]}
 */
export function blend(weights, rows, sum, n) {
  const [thin, rise] = [swing(Math.min(1, 2 * n)), swing(Math.max(0, 2 * n - 1))];
  let above = 0;
  return rows.map((row, s) => {
    const h = mix(row.h, weights[s] * mix(row.h, sum.h, rise), thin);
    const top = sum.y + above * sum.h;
    above += weights[s];
    return { x: mix(row.x, sum.x, rise), y: mix(row.y + (row.h - h) / 2, top, rise), w: mix(row.w, sum.w, rise), h };
  });
}

/**
 * A mask: what is hidden falls out of its table. Returns where the cell is, and how visible.
 *
 * @param {Box} box
 * @param {number} n
 * @returns {Box & { alpha: number }}
 */
export function hide(box, n) {
  return { ...box, y: box.y + fall(n) * box.h * 2.4, alpha: 1 - soft(n) };
}

/**
 * A cell that is new, or gone: it comes out of a point in the middle of its place. Read backwards (1 - n), it disappears.
 *
 * @param {Box} box
 * @param {number} n
 * @returns {Box & { alpha: number }}
 */
export function appear({ x, y, w, h }, n) {
  const go = soft(n);
  const [cut, low] = [(w * (1 - go)) / 2, (h * (1 - go)) / 2];
  return { x: x + cut, y: y + low, w: w * go, h: h * go, alpha: go };
}

/**
 * Append: a row or column slides onto the edge of its table, from `away` pixels further out.
 *
 * @param {Box} box
 * @param {number} n
 * @param {{ x?: number, y?: number }} away
 * @returns {Box & { alpha: number }}
 */
export function append(box, n, { x = 0, y = 0 }) {
  const left = 1 - swing(n);
  return { ...box, x: box.x + x * left, y: box.y + y * left, alpha: soft(Math.min(1, 2 * n)) };
}
