// Where ProductLab's picture of a matrix product has its columns and rows, and the lines between them.

import { clamp } from "../kit/math.js";

export const HEAD = 30; // width of the names of rows
const TITLE = 20; // height of the names of columns
const PADDING = 3; // of a matrix
const STUB = 14; // length of a line that ends without a partner

/**
 * The size of the cells, and of the empty corner between the left factor (N columns, below) and the right factor (M rows and C columns,
 * to the right). `x(n)` is the middle of the left factor's column n, `y(n)` of the right factor's row n.
 *
 * @param {number} width of the whole picture
 * @param {{ N: number, M: number, C: number }} sizes
 */
export function layout(width, { N, M, C }) {
  const cellWidth = clamp(Math.floor((width - HEAD - 4 * PADDING - 2) / (N + C)) - 1, 14, 34);
  const cellHeight = clamp(cellWidth, 19, 25);
  return {
    cellWidth,
    cellHeight,
    cornerWidth: HEAD + 1 + N * (cellWidth + 1) + 2 * PADDING - 1,
    cornerHeight: TITLE + 1 + M * (cellHeight + 1) + 2 * PADDING - 1,
    x: (n) => PADDING + HEAD + 1 + n * (cellWidth + 1) + cellWidth / 2,
    y: (n) => PADDING + TITLE + 1 + n * (cellHeight + 1) + cellHeight / 2,
  };
}

const NAMES = { L: "q", S: "k", H: "h" }; // in front of an index; a number of a query or key has no name

/** @typedef {{ axis: string, d: string, look: string, name: string, x: number, y: number, anchor: "start" | "end" }} Line */

/**
 * The lines in the corner: from column n of the left factor up, and on to row n of the right one.
 *
 * @param {{ N: number, M: number, axes: string[], summed: number | null }} product axes: those of the columns and of the rows; summed: the
 *   number of products that are added so far, null for all
 * @param {Pick<ReturnType<typeof layout>, "cornerWidth" | "cornerHeight" | "x" | "y">} plan
 * @returns {Line[]}
 */
export function linesBetween({ N, M, axes: [left, right], summed }, { cornerWidth, cornerHeight, x, y }) {
  const paired = Math.min(N, M);
  const nameOf = (axis, n) => `${NAMES[axis] ?? ""}${n}`;
  const lookOf = (n) => {
    if (n >= paired) return "unpaired";
    if (summed === null || n < summed - 1) return "";
    return n === summed - 1 ? "here" : "later";
  };
  /** @type {Line[]} */
  const lines = [];
  for (let n = 0; n < Math.max(N, M); n++) {
    const look = lookOf(n);
    if (n < N) {
      const d = `M${x(n)} ${cornerHeight}V${n < paired ? y(n) : cornerHeight - STUB}`;
      lines.push({ axis: left, d, look, name: nameOf(left, n), x: x(n) + 3, y: cornerHeight - 3, anchor: "start" });
    }
    if (n < M) {
      const d = `M${n < paired ? x(n) : cornerWidth - STUB} ${y(n)}H${cornerWidth}`;
      lines.push({ axis: right, d, look, name: nameOf(right, n), x: cornerWidth - 3, y: y(n) - 3, anchor: "end" });
    }
  }
  return lines;
}
