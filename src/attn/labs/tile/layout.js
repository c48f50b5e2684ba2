// Where TileLab's tensors lie: the scores in the middle, q on their left, k above and v below them, each key in a column. The running
// maximum, the total and the output of each row are on their right; on a narrow page below all, so that cells have room for numbers.

import { clamp } from "../kit/math.js";

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ x: number, y: number, rows: number, columns: number }} Block a table: its first corner, and its cells */
/** @typedef {ReturnType<typeof planOf>} Plan */

const LETTER = { roomy: 7, narrow: 6.8, small: 6.3 }; // pixels of a letter of a word
const LINE = 17; // a title
const SUM = { wide: 96, high: 56 }; // the least room for the sum of a row

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.tallest
 * @param {number} picture.L
 * @param {number} picture.S
 * @param {number} picture.D
 * @param {string[]} picture.words of the keys; empty for random numbers
 * @param {boolean} [picture.compares] whether what the output should be stands beside it; on a wide page it has its room in any case
 * @param {boolean} [picture.isRunning] whether there are a running maximum and total; else the output has their place
 */
export function planOf({ width, tallest, L, S, D, words, compares = false, isRunning = true }) {
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
  const rows = roomy ? L + 2 * D : 2 * L + 2 * D;
  const fits = Math.floor((tallest - head - (roomy ? 2 : 3) * LINE - 16) / rows);
  const h = clamp(fits, roomy ? 11 : 14, Math.min(26, Math.max(17, w)));
  const x = left + D * w + gap;
  const top = head + D * h + LINE + 5; // the titles of a row of blocks stand in between
  const bottom = top + L * h + (roomy ? gap : 6);
  const under = bottom + D * h + LINE + gap;
  const right = roomy ? x + S * w + gap : left;
  const y = roomy ? top : under;
  const beside = right + (D + 2) * w + 3 * gap; // on a narrow page, right of the output
  const sum = roomy
    ? { x: right, y: bottom, w: width - right, h: D * h }
    : { x: beside, y: under - LINE, w: compares ? 0 : width - beside, h: Math.max(SUM.high, L * h + LINE) };
  return {
    ...{ width, w, h, roomy, isSmall, isUpright, left, head, gap },
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
 * @param {Plan} plan
 * @param {Block} block
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
 * Where a label stands beside a tile of scores, so that it covers none that was there: right of it, else below; null without room.
 *
 * @param {Plan} plan
 * @param {Box} tile
 * @param {{ w: number, h: number }} label
 * @returns {{ x: number, y: number } | null} its middle left
 */
export function besideTile({ scores, w, h }, tile, label) {
  const [right, bottom] = [scores.x + scores.columns * w, scores.y + scores.rows * h];
  const [x, y] = [tile.x + tile.w + 4, tile.y + tile.h + 4];
  if (x + label.w <= right) return { x, y: tile.y + Math.max(tile.h, label.h) / 2 };
  return y + label.h <= bottom ? { x: Math.max(scores.x, right - label.w), y: y + label.h / 2 } : null;
}

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
