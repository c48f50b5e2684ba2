// Where TileLab's tensors lie: the scores in the middle, q on their left, k above and v below them, each key in a column. The running
// maximum, the total and the output of each row are on their right, and above these fast memory, a box with a place for one tile of each;
// on a narrow page both are below all, so that cells have room for numbers.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, rows: number, columns: number }} Block a table: its first corner, and its cells */
/** @typedef {Block & { w: number, h: number }} Slot a place in fast memory, with the size of its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

const LETTER = { roomy: 7, narrow: 6.8, small: 6.3 }; // pixels of a letter of a word
const LINE = 17; // a title
const PAD = 9; // inside the box of fast memory
const ASIDE = 68; // and on a narrow page left of its places, for its name
const APART = { least: 8, most: 34 }; // two places of the box
const SUM = { wide: 96, high: 56 }; // the least room for the sum of a row

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {number} picture.L
 * @param {number} picture.S
 * @param {number} picture.D
 * @param {number} [picture.tile]
 * @param {string[]} picture.words of the keys; empty for random numbers
 * @param {boolean} [picture.compares] whether what the output should be stands beside it; on a wide page it has its room in any case
 * @param {boolean} [picture.isRunning] whether there are a running maximum and total; else the output has their place
 */
export function planOf({ width, tallest, L, S, D, tile = 2, words, compares = false, isRunning = true }) {
  const roomy = width >= 560;
  const letters = Math.max(2, ...words.map((word) => word.length));
  const longest = letters * LETTER[roomy ? "roomy" : "narrow"];
  const gap = roomy ? 16 : 8;
  const left = Math.ceil(longest + 9);
  const should = compares ? D : 0;
  /** @type {[cells: number, gaps: number][]} of each line of blocks */
  const lines = roomy
    ? [[S + 3 * D + 2, 5]]
    : [
        [S + D, 1],
        [D + 2 + should, compares ? 3 : 1],
      ];
  const widest = Math.min(...lines.map(([cells, gaps]) => (width - left - gaps * gap - 2) / cells));
  const w = Math.floor(clamp(widest, 9, roomy ? 54 : 40));
  const isSmall = roomy && longest > w - 2;
  const isUpright = (isSmall ? letters * LETTER.small : longest) > w - 2;
  const head = LINE + (isUpright ? longest + 6 : 15);
  const rows = roomy ? L + 2 * D : 2 * L + 3 * D;
  const fits = Math.floor((tallest - head - (roomy ? 2 : 4) * LINE - 16) / rows);
  const h = clamp(fits, roomy ? 11 : 14, Math.min(26, Math.max(17, w)));
  const x = left + D * w + gap;
  const top = head + D * h + LINE + 5; // the titles of a row of blocks stand in between
  const bottom = top + L * h + (roomy ? gap : 6);
  const below = bottom + D * h + 9;
  const under = below + D * h + 2 * LINE + 14;
  const right = roomy ? x + S * w + gap : left;
  const y = roomy ? top : under;
  const beside = right + (D + 2) * w + 3 * gap; // on a narrow page, right of the output
  const sum = roomy
    ? { x: right, y: bottom, w: width - right, h: D * h }
    : { x: beside, y: under - LINE, w: compares ? 0 : width - beside, h: Math.max(SUM.high, L * h + LINE) };
  const fast = roomy
    ? { x: right, y: 1, w: width - right - 1, h: head + D * h + 2 }
    : { x: 1, y: below, w: width - 2, h: D * h + LINE + 7 };
  const slots = slotsIn(
    { ...{ x: fast.x + (roomy ? PAD : ASIDE), y: roomy ? head : below + LINE }, w: fast.w - PAD - (roomy ? PAD : ASIDE), h: D * h },
    ...[{ w, h }, D, Math.min(tile, L), Math.min(tile, S)],
  );
  return {
    ...{ fast, slots, width, w, h, roomy, isSmall, isUpright, left, head, gap },
    q: { x: left, y: top, rows: L, columns: D },
    k: { x, y: head, rows: D, columns: S },
    scores: { x, y: top, rows: L, columns: S },
    v: { x, y: bottom, rows: D, columns: S },
    top: { x: right, y, rows: L, columns: 1 },
    total: { x: right + w, y, rows: L, columns: 1 },
    out: { x: isRunning ? right + 2 * w + gap : right, y, rows: L, columns: D },
    should: { x: right + 2 * w + (roomy ? 2 : 3) * gap + D * w, y, rows: L, columns: should },
    sum: sum.w >= SUM.wide && sum.h >= SUM.high ? sum : null,
    height: (roomy ? bottom + D * h : under + L * h) + 6,
  };
}

/**
 * The places of fast memory, side by side: for a tile of q, of k, of the scores and of v. Their cells are at most as large as the others.
 *
 * @param {Box} room
 * @param {{ w: number, h: number }} cell
 * @param {number} D
 * @param {number} r rows of a tile
 * @param {number} c and its columns
 */
function slotsIn({ x, y, w: wide, h: tall }, cell, D, r, c) {
  const columns = D + 3 * c;
  const w = Math.min(cell.w, (wide - 3 * APART.least) / columns);
  const h = Math.min(cell.h, tall / Math.max(D, r));
  const step = Math.min(APART.most, (wide - columns * w) / 3);
  /** @type {(n: number, rows: number, columns: number) => Slot} n: how many are on its left */
  const slot = (n, rows, columns) => ({ x: x + (n ? (D + (n - 1) * c) * w + n * step : 0), y, w, h, rows, columns });
  return { q: slot(0, r, D), k: slot(1, D, c), scores: slot(2, r, c), v: slot(3, D, c) };
}

/**
 * @param {{ w: number, h: number }} plan
 * @param {{ x: number, y: number }} block
 * @param {number} i
 * @param {number} j
 * @returns {Box}
 */
export const cellOf = ({ w, h }, { x, y }, i, j) => ({ x: x + j * w, y: y + i * h, w, h });

/**
 * The part of a block between these rows and columns.
 *
 * @param {Plan} plan
 * @param {Block} block
 * @param {readonly [number, number]} rows
 * @param {readonly [number, number]} columns
 * @returns {Box}
 */
export const partOf = ({ w, h }, { x, y }, rows, columns) => ({
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
