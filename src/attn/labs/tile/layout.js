// Where TileLab's tensors lie, as in a product on paper: q on the left of the scores, k above them, each key in a column; v above the
// output. The running maximum and total of each row are right of its scores, and the sum of one row is a bar below all. On a narrow page
// v is above the maximum and the total, and the output has a line of its own, so that scores have room for numbers.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, w: number, h: number, rows: number, columns: number }} Block a table: its first corner, the size of a cell, and its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

const LETTER = { roomy: 7, narrow: 6.8, small: 6.3 }; // pixels of a letter of a word
const LINE = 17; // a title
const BAR = { roomy: 74, narrow: 64 }; // the sum of a row, with a line of text
const INPUT = 13; // on a narrow page, a cell of q, k or v: a colour without a number

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {number} picture.L
 * @param {number} picture.S
 * @param {number} picture.D
 * @param {string[]} picture.words of the keys
 * @param {boolean} [picture.isRunning] whether there are a running maximum and total; else the output has their place
 */
export function planOf({ width, tallest, L, S, D, words, isRunning = true }) {
  const roomy = width >= 560;
  const letters = Math.max(2, ...words.map((word) => word.length));
  const longest = letters * LETTER[roomy ? "roomy" : "narrow"];
  const [gap, apart] = roomy ? [20, 30] : [8, 22]; // apart: the output and the one that it is compared with
  const left = Math.ceil(longest + 9);
  const wide = roomy ? clamp(Math.floor(width / 33), 16, 32) : INPUT; // a cell of q
  const high = roomy ? clamp(Math.floor(118 / Math.max(S, D + 2)), 9, 15) : clamp(Math.floor(96 / S), 8, INPUT); // one of k and of v
  const x = left + D * wide + gap;
  const widest = roomy ? (width - x - 2 * gap - apart - 2) / (S + 2 + 2 * D) : (width - x - gap - 2) / (S + 2);
  const w = Math.floor(clamp(widest, 9, roomy ? 54 : 40));
  const isSmall = roomy && longest > w - 2;
  const isUpright = (isSmall ? letters * LETTER.small : longest) > w - 2;
  const head = isUpright ? longest + 10 : 19;
  const above = Math.max(head + D * high, LINE + S * high); // k and v end here
  const top = above + LINE + 7;
  const bar = BAR[roomy ? "roomy" : "narrow"];
  const fits = Math.floor((tallest - top - bar - (roomy ? 0 : LINE + 10)) / (roomy ? L : 2 * L));
  const h = clamp(fits, roomy ? 11 : 14, Math.min(26, Math.max(17, w)));
  const right = x + S * w + gap;
  const out = {
    ...(roomy ? { x: isRunning ? right + 2 * w + gap : right, y: top } : { x: left, y: top + L * h + LINE + 10 }),
    ...{ w: roomy ? w : Math.floor(Math.min(40, (width - left - apart - 2) / (2 * D))), h, rows: L, columns: D },
  };
  const value = roomy ? w : Math.floor((2 * w) / D);
  const under = out.y + L * h + 12;
  return {
    ...{ width, w, h, roomy, isSmall, isUpright, left, head, gap, out },
    q: { x: left, y: top, w: wide, h, rows: L, columns: D },
    k: { x, y: above - D * high, w, h: high, rows: D, columns: S },
    v: { x: roomy ? out.x : right, y: above - S * high, w: value, h: high, rows: S, columns: D },
    scores: { x, y: top, w, h, rows: L, columns: S },
    run: { x: right, y: top, w, h, rows: L, columns: 2 },
    should: { ...out, x: out.x + D * out.w + apart },
    sum: { x: roomy ? x : 2, y: under, w: width - (roomy ? x : 2), h: bar },
    height: under + bar,
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
