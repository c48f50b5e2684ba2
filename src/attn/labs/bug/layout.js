// Where BugLab draws its tables: the weights of the three heads and y, above with the right line, below with the wrong one.

import { range } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {[block: number, table: number, i: number, j: number]} Place block 0: the right line, 1: the wrong one */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {number} p the pitch of the cells
 * @property {boolean} isWide whether there is room for words
 * @property {number} left
 * @property {number} top
 * @property {number[][]} sizes for each block its rows and the columns of its weights
 * @property {(block: number, table: number, i: number, j: number) => Box} cell
 */

const LARGEST = 19;

/**
 * @param {object} room
 * @param {number} room.width
 * @param {number[][]} room.sizes for each block the rows and the columns of a table of weights
 * @param {number} room.H
 * @param {number} room.E
 * @param {number} room.S the words above the columns
 * @returns {Plan}
 */
export function planOf({ width, sizes, H, E, S }) {
  const isWide = width >= 520;
  const [left, gap, top] = isWide ? [92, 16, 70] : [22, 7, 18];
  const columns = Math.max(S, ...sizes.map(([, C]) => C));
  const p = Math.min(LARGEST, (width - left - H * gap - 2) / (H * columns + E));
  const starts = range(H + 1).map((table) => left + table * (columns * p + gap));
  const second = top + sizes[0][0] * p + 14;
  return {
    ...{ width, p, isWide, left, top, sizes },
    height: Math.ceil(second + Math.max(1, sizes[1]?.[0] ?? sizes[0][0]) * p + 2),
    cell: (block, table, i, j) => ({ x: starts[table] + j * p, y: (block ? second : top) + i * p, w: p, h: p }),
  };
}

/** How many columns a table has: those of y are the last. @param {Plan} plan @param {number} block @param {number} table @param {{ H: number, E: number }} sizes */
export const columnsOf = (plan, block, table, { H, E }) => (table < H ? (plan.sizes[block]?.[1] ?? 0) : E);

/**
 * The cell at a point of the canvas.
 *
 * @param {Plan} plan
 * @param {{ H: number, E: number }} sizes
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function placeAt(plan, sizes, x, y) {
  for (const block of range(plan.sizes.length))
    for (const table of range(sizes.H + 1)) {
      const first = plan.cell(block, table, 0, 0);
      const [i, j] = [Math.floor((y - first.y) / plan.p), Math.floor((x - first.x) / plan.p)];
      if (i >= 0 && i < plan.sizes[block][0] && j >= 0 && j < columnsOf(plan, block, table, sizes)) return [block, table, i, j];
    }
  return null;
}
