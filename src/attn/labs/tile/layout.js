// Where TileLab's tensors lie, as in a product on paper: q on the left of the scores, k above them, each key in a column; v above the
// output. The running maximum and total of each row are between its scores and its output; the output of all scores at once comes on the
// right. Below there is room for the sum of one row and for what rescales it. On a narrow page v is above the maximum and the total, and
// the outputs have a line of their own, so that scores have room for numbers. Both ways have the same places.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, w: number, h: number, rows: number, columns: number }} Block a table: its first corner, the size of a cell, and its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

export const WORD = 13; // pixels: the size of a word, unless its column is too narrow
const APART = 6; // pixels between two words
const NUMBER = 34; // the width at which a number of one decimal has room: what is left goes to the scores
const LINE = 17; // a title
const BAR = { roomy: 58, narrow: 62 }; // the sum of a row, with a line of text
const TIMES = { roomy: 150, narrow: 80 }; // between what a rescaling finds and what it leaves
const INPUT = 13; // on a narrow page, a cell of q, k or v: a colour without a number

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
  const [gap, apart] = roomy ? [20, 30] : [8, 22]; // apart: the output and the one that it is compared with
  const wide = roomy ? clamp(Math.floor(width / 33), 16, 32) : INPUT; // a cell of q
  const high = roomy ? clamp(Math.floor(118 / Math.max(S, D + 2)), 9, 15) : clamp(Math.floor(96 / S), 8, INPUT); // one of k and of v
  const x = Math.max(Math.ceil(longest + 9) + D * wide + gap, roomy ? 170 : 106); // left of the keys there is room for a count
  const left = x - gap - D * wide;
  const room = width - x - gap - 2 - (roomy ? gap + apart : 0);
  const [w, narrow] = widthsOf(room, S, roomy ? 2 + 2 * D : 2, roomy ? 54 : 40);
  const isSmall = longest + APART > w;
  const isUpright = isSmall && (longest * 11) / WORD + APART > w;
  const head = isUpright ? longest + 10 : 19;
  const above = Math.max(head + D * high, LINE + S * high, 106); // k and v end here
  const top = above + LINE + 7;
  const bar = BAR[roomy ? "roomy" : "narrow"];
  const fits = Math.floor((tallest - top - bar - (roomy ? 0 : LINE + 10)) / (roomy ? L : 2 * L));
  const h = clamp(fits, roomy ? 11 : 14, Math.min(30, Math.max(17, w)));
  const right = x + S * w + gap;
  const out = {
    ...(roomy ? { x: right + 2 * narrow + gap, y: top } : { x: left, y: top + L * h + LINE + 10 }),
    ...{ w: roomy ? narrow : Math.floor(Math.min(40, (width - left - apart - 2) / (2 * D))), h, rows: L, columns: D },
  };
  const value = roomy ? narrow : Math.floor((2 * narrow) / D);
  const under = out.y + L * h + 14;
  const sum = { x: roomy ? x : 2, y: under, w: width - (roomy ? x : 2), h: bar };
  return {
    ...{ width, w, h, roomy, isSmall, isUpright, out, sum },
    q: { x: left, y: top, w: wide, h, rows: L, columns: D },
    k: { x, y: above - D * high, w, h: high, rows: D, columns: S },
    v: { x: roomy ? out.x : right + 2 * narrow - D * value, y: above - S * high, w: value, h: high, rows: S, columns: D },
    scores: { x, y: top, w, h, rows: L, columns: S },
    run: { x: right, y: top, w: narrow, h, rows: L, columns: 2 },
    should: { ...out, x: out.x + D * out.w + apart },
    bar: { x: sum.x, y: under + (roomy ? 4 : 18), w: sum.w - (roomy ? 60 : 36), h: roomy ? 28 : 22 },
    strips: stripsOf(sum, D, roomy),
    height: under + bar,
  };
}

/**
 * Where the total and the output of one row stand before and after a rescaling.
 *
 * @param {Box} sum
 * @param {number} D
 * @param {boolean} roomy
 * @returns {Block[]}
 */
function stripsOf({ x, y, w }, D, roomy) {
  const times = TIMES[roomy ? "roomy" : "narrow"];
  const cell = Math.min(52, Math.floor((w - times - 2) / (2 * D + 2)));
  const strip = { x, y: y + 25, w: cell, h: roomy ? 30 : 26, rows: 1, columns: D + 1 };
  return [strip, { ...strip, x: x + strip.columns * cell + times }];
}

/**
 * The width of a column of scores and that of another one.
 *
 * @param {number} room
 * @param {number} S
 * @param {number} others how many
 * @param {number} most
 */
function widthsOf(room, S, others, most) {
  const least = Math.min(NUMBER, room / (S + others));
  const w = Math.floor(clamp((room - others * least) / S, 9, most));
  return [w, Math.floor(clamp((room - S * w) / others, 9, most))];
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
