// Where ProductLab's picture has its tables: the left factor below, the right factor above, the result where they cross, and in the
// corner that stays empty the bench, on which one cell of the result is worked out.

import { clamp } from "../kit/math.js";

const LETTER = 6.4; // pixels of a letter of a word
export const BAR = 8; // how far the bar of an axis is from its table: no frame hides it
const GAP = 8 + BAR; // between two tables
const LINE = 18; // height of a name
const TRUE = 0.75; // the columns of what is right, in those of what is wrong
export const BENCH = 4; // rows: number of the left factor, number of the right one, product; the sum

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, p: number, w: number }} Sheet the first corner of a table, the height and the width of its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {number} picture.R rows of the left factor and of the result
 * @param {number} picture.N columns of the left factor
 * @param {number} picture.M rows of the right factor
 * @param {number} picture.C columns of the right factor and of the result
 * @param {number} picture.sheets how many products there are, of which one is in front
 * @param {{ rows: string[], columns: string[], between: string[], lying: string[] }} picture.words beside the rows of the left factor,
 *   above the columns of the right one, beside its rows, and beside those of its operand
 * @param {boolean} picture.bench whether the corner has room for the bench
 * @param {[number, number]} picture.lying rows and columns of the right factor's operand before it is turned
 * @param {boolean} [picture.truth] whether kᵀ and the scores stand beside a wrong product, in narrower columns
 */
export function planOf({ width, tallest, R, N, M, C, sheets, words, bench, lying, truth = false }) {
  const longest = (/** @type {string[]} */ some) => Math.max(0, ...some.map((word) => word.length));
  const step = sheets > 1 ? Math.min(width < 480 ? 1.6 : 4, 10 / (sheets - 1)) : 0;
  const depth = step * (sheets - 1); // of the sheets behind
  const left = Math.ceil(Math.max(!bench ? 38 : width < 480 ? 50 : 76, 16 + LETTER * longest(words.rows))); // on the bench they are bold
  const beside = words.between.length ? (width < 480 ? 30 : 16) + LETTER * longest(words.between) : 0; // with room for a cross beside a line
  const between = Math.max(GAP + depth, beside);
  const above = bench ? Math.max(M, BENCH) : M;
  const widest = (width - left - between - depth - (truth ? GAP + 14 : 4)) / (N + C * (truth ? 1 + TRUE : 1));
  const fitted = (/** @type {number} */ head) => {
    const highest = (tallest - LINE - head - GAP - 2 * depth - LINE - 4) / (above + R);
    const p = clamp(Math.floor(Math.min(widest, highest)), 12, 38);
    return { p, w: clamp(Math.floor(widest), p, width < 480 ? 38 : 80), head };
  };
  const flat = fitted(24); // also without words, so that no code moves the tables
  const isUpright = longest(words.columns) * LETTER > flat.w;
  const { p, w, head } = isUpright ? fitted(12 + Math.ceil(LETTER * longest(words.columns))) : flat;
  const [top, middle] = [LINE + head, LINE + head + above * p + GAP + depth];
  const x = left + N * w + between;
  /** @type {Sheet} */
  const right = { x, y: top + (above - M) * p, p, w };
  const height = middle + R * p + depth + LINE + 4;
  const [rows, columns] = lying;
  const aside = 10 + LETTER * longest(words.lying); // for the words beside the operand, if there is room
  const besides = words.between.length ? LETTER * longest(words.between) + 8 : 0; // the bench leaves them free
  const narrow = Math.min(w, (x - left - BAR - 4 - besides) / N); // column over column, if there is room
  /** @type {Sheet} */
  const result = { x, y: middle, p, w };
  const where = { x: x + C * w + depth + GAP + 6, w: TRUE * w };
  const room = Math.min(p, (height - LINE - 4 - middle) / rows, ((width - x - 4) * p) / (columns * w));
  const free = width - x - 4 - columns * w;
  return {
    ...{ width, height, p, w, step, depth, head, isUpright, length: columns }, // length: of what is turned
    left: { x: left, y: middle, p, w },
    right,
    result,
    bench: { x: left, y: top + ((above - BENCH) * p) / 2, p, w: narrow },
    truth: truth ? { right: { ...right, ...where }, result: { ...result, ...where } } : null,
    lying: { x: x + clamp(free, 0, aside), y: middle, p: room, w: Math.min(w, (width - x - 4) / columns) }, // where the result will be
    hasLyingWords: aside <= free,
    edge: x - 21 - (words.between.length ? LETTER * longest(words.between) : -12), // where the lines to the rows of the right factor end
    names: { above: LINE / 2, below: height - LINE / 2 - 1 },
  };
}

/**
 * The cell in row i and column j of a sheet.
 *
 * @param {Sheet} sheet
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export const boxOf = ({ x, y, p, w }, i, j) => ({ x: x + j * w, y: y + i * p, w, h: p });

/**
 * The row and column of a sheet at a point, null beside it.
 *
 * @param {Sheet} sheet
 * @param {number} rows
 * @param {number} columns
 * @param {number} x
 * @param {number} y
 * @returns {[number, number] | null}
 */
export function placeAt(sheet, rows, columns, x, y) {
  const [i, j] = [Math.floor((y - sheet.y) / sheet.p), Math.floor((x - sheet.x) / sheet.w)];
  return i >= 0 && i < rows && j >= 0 && j < columns ? [i, j] : null;
}

/** @typedef {{ side: "left" | "right", n: number, isPaired: boolean, from: [number, number], to: [number, number] }} Line */

/**
 * The lines in the corner: from column n of the left factor up, and from row n of the right one to the left, until they meet. A line
 * without a partner is short.
 *
 * @param {Plan} plan
 * @param {number} N
 * @param {number} M
 * @returns {Line[]}
 */
export function linesBetween({ left, right, edge }, N, M) {
  const paired = Math.min(N, M);
  const stub = 9;
  const x = (/** @type {number} */ n) => left.x + (n + 0.5) * left.w;
  const y = (/** @type {number} */ n) => right.y + (n + 0.5) * right.p;
  const bottom = left.y - BAR - 1;
  /** @type {Line[]} */
  const lines = [];
  for (let n = 0; n < N; n++)
    lines.push({ side: "left", n, isPaired: n < paired, from: [x(n), bottom], to: [x(n), n < paired ? y(n) : bottom - stub] });
  for (let n = 0; n < M; n++)
    lines.push({ side: "right", n, isPaired: n < paired, from: [edge, y(n)], to: [n < paired ? x(n) : edge - stub, y(n)] });
  return lines;
}
