// Where TileLab's tensors lie, as in a product on paper: q on the left of the scores, k above them, each key in a column; v above the
// output. The running maximum and total of each row are between its scores and its output, and its error is on the right. Below there
// is room for the sum of one row. On a narrow page v is above the maximum and the total, and the output has a line of its own, so that
// scores have room for numbers. Both ways have the same places.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, w: number, h: number, rows: number, columns: number }} Block a table: its first corner, the size of a cell, and its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

export const WORD = 13; // pixels: the size of a word, unless its column is too narrow
const APART = 6; // pixels between two words
const LINE = 17; // a title
const INPUT = 13; // on a narrow page, a cell of q, k or v: a colour without a number
export const VALUE = 50; // the number after the sum of a row

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {number} picture.L
 * @param {number} picture.S
 * @param {number} picture.D
 * @param {number} picture.longest how wide the longest word is, at this size
 */
export function planOf({ width, tallest, L, S, D, longest }) {
  const roomy = width >= 560;
  const [gap, error, line] = roomy ? [22, 68, 23] : [8, 56, 20]; // line: of the sum
  const wide = roomy ? clamp(Math.floor(width / 33), 16, 30) : INPUT; // a cell of q
  const x = Math.max(Math.ceil(longest + 9) + D * wide + gap, roomy ? 170 : 106); // left of the keys there is room for a count
  const left = x - gap - D * wide;
  const room = width - x - gap - 2 - (roomy ? 2 * gap + error : 0);
  const w = Math.floor(clamp(room / (S + 2 + (roomy ? D : 0)), 9, roomy ? 62 : 40)); // one width for all columns of numbers
  const narrow = roomy ? w : Math.floor(Math.min(40, (room - S * w) / 2)); // of the running numbers
  const isSmall = longest + APART > w;
  const isUpright = isSmall && (longest * 11) / WORD + APART > w;
  const head = isUpright ? longest + 10 : 19;
  const thin = roomy ? clamp(Math.floor(105 / S), 9, 15) : clamp(Math.floor(96 / S), 8, INPUT); // a row of v
  const high = clamp(Math.floor((LINE + S * thin - head) / D), roomy ? thin : 8, roomy ? 26 : INPUT); // of k: as high as v
  const above = Math.max(head + D * high, LINE + S * thin, 106); // k and v end here
  const top = above + LINE + 7;
  const sumHigh = 2 * line + 12;
  const fits = Math.floor((tallest - top - sumHigh - 14 - (roomy ? 0 : LINE + 10)) / (roomy ? L : 2 * L));
  const h = clamp(fits, roomy ? 11 : 14, Math.min(36, Math.max(17, w)));
  const right = x + S * w + gap;
  const out = {
    ...(roomy ? { x: right + 2 * narrow + gap, y: top } : { x: left, y: top + L * h + LINE + 10 }),
    ...{ w: roomy ? w : Math.floor(Math.min(60, (width - left - gap - error - 2) / D)), h, rows: L, columns: D },
  };
  const value = roomy ? w : Math.floor((2 * narrow) / D);
  const under = out.y + L * h + 14;
  const end = out.x + D * out.w + gap;
  return {
    ...{ width, w, h, roomy, isSmall, isUpright, out },
    q: { x: left, y: top, w: wide, h, rows: L, columns: D },
    k: { x, y: above - D * high, w, h: high, rows: D, columns: S },
    v: { x: roomy ? out.x : right + 2 * narrow - D * value, y: above - S * thin, w: value, h: thin, rows: S, columns: D },
    scores: { x, y: top, w, h, rows: L, columns: S },
    run: { x: right, y: top, w: narrow, h, rows: L, columns: 2 },
    error: { x: end, y: out.y, w: Math.min(90, width - end - 1), h, rows: L, columns: 1 },
    sum: { x, y: under, w: width - x - 1, h: line, pitch: line + 6, most: width - x - VALUE },
    height: under + sumHigh,
  };
}

/**
 * @param {Omit<Block, "rows" | "columns">} block
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export const cellOf = ({ x, y, w, h }, i, j) => ({ x: x + j * w, y: y + i * h, w, h });

/**
 * The part of a block between these rows and columns: all of it, unless they are given.
 *
 * @param {Block} block
 * @param {readonly [number, number]} [rows]
 * @param {readonly [number, number]} [columns]
 * @returns {Box}
 */
export const partOf = ({ x, y, w, h, ...size }, rows = [0, size.rows], columns = [0, size.columns]) => ({
  ...{ x: x + columns[0] * w, y: y + rows[0] * h },
  ...{ w: (columns[1] - columns[0]) * w, h: (rows[1] - rows[0]) * h },
});

/**
 * The score at a point, or null.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[number, number] | null}
 */
export function scoreAt({ scores, w, h }, x, y) {
  const [i, j] = [Math.floor((y - scores.y) / h), Math.floor((x - scores.x) / w)];
  return i >= 0 && i < scores.rows && j >= 0 && j < scores.columns ? [i, j] : null;
}
