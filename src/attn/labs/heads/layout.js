// Where HeadsLab's pictures lie: the table of what the heads add, and the two tables of the merge.

import { clamp, range } from "../kit/math.js";
import { mix } from "../kit/time.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {ReturnType<typeof tableOf>} Plan */
/** @typedef {ReturnType<typeof mergeOf>} MergePlan */

const GAP = 3; // between the rows of the table
const HEADER = 22;
const COLUMN = 46; // what is written out has room in it

/**
 * The table in `width` pixels: a row for each head, above the row of head `block` the rows of W_O that it meets, below them y and the
 * signs of what has changed in it.
 *
 * @param {object} sizes
 * @param {number} sizes.width
 * @param {number} sizes.H
 * @param {number} sizes.E
 * @param {number | null} [sizes.block]
 * @param {number} [sizes.open] how far its rows of W_O are unfolded, 0 to 1
 * @param {number} [sizes.room] the height that is filled when they are; y ends where it did, and what is above it moves upwards
 * @param {number} [sizes.column] that is written out: where columns are narrow, it is wider than the others
 */
export function tableOf({ width, H, E, block = null, open = 1, room = 0, column = -1 }) {
  const roomy = width >= 520;
  const large = width >= 860;
  const side = large ? 138 : roomy ? 124 : 90;
  const cell = Math.min(84, Math.floor((width - side - 2) / E));
  const [high, highest] = H <= 4 ? (large ? [36, 54] : [28, 44]) : H <= 8 ? [20, 36] : [14, 28];
  const wide = column < 0 ? cell : Math.max(cell, COLUMN);
  const thin = (E * cell - wide) / (E - 1);
  const gap = H <= 8 ? GAP : 1;
  const around = HEADER + H * gap + 23;
  const shut = around + H * high + highest;
  const low = clamp(Math.floor((room - shut - 4) / (E / H)), 15, 26); // a row of W_O
  const unfolded = (E / H) * low + 4;
  const height = block === null ? shut : Math.max(room, shut + unfolded);
  const growth = block === null ? 1 : 1 + (open * (height - shut - unfolded)) / (H * high + highest); // all bars get the room that is left
  const [tall, last] = [Math.floor(high * growth), Math.floor(highest * growth)];
  const step = tall + gap;
  const folded = block === null ? 0 : unfolded * open;
  const first = height - around - H * tall - last - folded;
  const heads = range(H).map((h) => first + HEADER + h * step + (block !== null && h >= block ? folded : 0));
  const rows = block === null ? [] : range(E / H).map((d) => mix(heads[block], heads[block] - unfolded + 1 + d * low, open));
  return {
    ...{ width, roomy, side, cell, column, wide, thin, tall, low, first, heads, rows, last, height },
    sum: height - last - 16,
  };
}

/**
 * @param {Plan} plan
 * @param {number} y of the row
 * @param {number} e
 * @param {number} h of the row
 * @returns {Box}
 */
export const cellOf = ({ side, column, wide, thin }, y, e, h) => ({
  ...{ x: side + e * thin + (e > column ? wide - thin : 0), y },
  ...{ w: (e === column ? wide : thin) - 1, h },
});

/**
 * The row and the column of the table at a point: row H is y; null outside of the cells.
 *
 * @param {Plan} plan
 * @param {number} E
 * @param {number} x
 * @param {number} y
 * @returns {{ row: number, column: number | null } | null}
 */
export function tablePlace(plan, E, x, y) {
  const { tall, heads, sum, last } = plan;
  const at = heads.findIndex((top) => y >= top && y < top + tall + 1);
  const row = at >= 0 ? at : y >= sum && y < sum + last ? heads.length : null;
  if (row === null) return null;
  const isAt = (/** @type {number} */ e) => x >= cellOf(plan, y, e, 0).x && x < cellOf(plan, y, e + 1, 0).x;
  return { row, column: range(E).find(isAt) ?? null };
}

/**
 * The two tables of the merge: the heads beside each other, and concat below them.
 *
 * @param {object} sizes
 * @param {number} sizes.width
 * @param {number} sizes.H
 * @param {number} sizes.L
 * @param {number} sizes.E
 */
export function mergeOf({ width, H, L, E }) {
  const roomy = width >= 520;
  const large = width >= 860; // the titles stand beside the tables, not above them
  const [side, after] = large ? [180, 96] : roomy ? [84, 64] : [66, 36];
  const gap = H <= 4 ? 14 : H <= 8 ? 7 : 4;
  const cell = Math.min(68, Math.floor((width - side - Math.max(after, (H - 1) * gap)) / E));
  const p = large ? 26 : 25;
  const [top, between] = large ? [22, 26] : [42, 48];
  const bottom = top + L * p + between;
  return { ...{ width, roomy, large, side, gap, cell, p, top, bottom }, piece: (cell * E) / H, height: bottom + L * p + 4 };
}

/**
 * Where the piece of word i in head h lies.
 *
 * @param {MergePlan} plan
 * @param {number} h
 * @param {number} i
 * @returns {Box}
 */
export const sourceBox = ({ side, gap, piece, p, top }, h, i) => ({
  ...{ x: side + h * (piece + gap), y: top + i * p },
  ...{ w: piece, h: p },
});

/**
 * Where piece `slot` of row i of concat lies.
 *
 * @param {MergePlan} plan
 * @param {number} i
 * @param {number} slot
 * @returns {Box}
 */
export const slotBox = ({ side, piece, p, bottom }, i, slot) => ({ x: side + slot * piece, y: bottom + i * p, w: piece, h: p });

/**
 * The row and the piece of concat at a point, or null.
 *
 * @param {MergePlan} plan
 * @param {{ H: number, L: number }} sizes
 * @param {number} x
 * @param {number} y
 * @returns {[row: number, slot: number] | null}
 */
export function mergePlace({ side, piece, p, bottom }, { H, L }, x, y) {
  const [i, slot] = [Math.floor((y - bottom) / p), Math.floor((x - side) / piece)];
  return i >= 0 && i < L && slot >= 0 && slot < H ? [i, slot] : null;
}
