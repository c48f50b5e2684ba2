// Where the numbers of a tensor are drawn: its last two axes are a table, the two before them rows and columns of tables. All further
// axes are at their first index.

import { product, range } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * A tensor to draw.
 *
 * @typedef {object} Detail
 * @property {number} id
 * @property {number} storage two tensors with the same storage share memory
 * @property {string} name
 * @property {number[]} shape
 * @property {string[]} axes
 * @property {Float32Array | number[]} numbers the first ones, in the order of the shape
 * @property {Int32Array | number[]} places where each of them is in the storage
 */

/**
 * @typedef {object} Sheets
 * @property {Box[]} boxes of the numbers, in the order of the shape
 * @property {number} cell the width of a cell in pixels
 * @property {{ axis: string, index: number, x: number, y: number, isRow: boolean }[]} titles of the tables
 * @property {{ axis: string, x: number, y: number, isRow: boolean }[]} edges the letters of the first table's axes
 * @property {number} width
 * @property {number} height
 * @property {boolean} isWhole whether every number is drawn
 */

export const MOST = 4096; // numbers that are drawn
const GAP = { across: 14, down: 24 };
const EDGE = { left: 34, top: 34 };
const LARGEST = 34;
const SMALLEST = 5;

/**
 * Lay out a tensor in a space. Where cells would become too small, fewer tables are drawn.
 *
 * @param {Pick<Detail, "shape" | "axes">} tensor
 * @param {number} width
 * @param {number} height
 * @returns {Sheets}
 */
export function layOut({ shape, axes }, width, height) {
  const full = [...Array(Math.max(0, 4 - shape.length)).fill(1), ...shape.slice(-4)];
  const names = [...Array(Math.max(0, 4 - axes.length)).fill(""), ...axes.slice(-4)];
  const [rows, columns, R, C] = full;
  const across = (width - EDGE.left - (columns - 1) * GAP.across) / Math.max(1, columns * C);
  const down = (height - EDGE.top - (rows - 1) * GAP.down) / Math.max(1, rows * R);
  const cell = Math.floor(Math.max(SMALLEST, Math.min(LARGEST, across, down)));
  const stepX = C * cell + GAP.across;
  const stepY = R * cell + GAP.down;
  const fitting = (/** @type {number} */ space, /** @type {number} */ step) => Math.max(1, Math.floor(space / step));
  const shownColumns = Math.min(columns, fitting(width - EDGE.left + GAP.across, stepX));
  const shownRows = Math.min(rows, fitting(height - EDGE.top + GAP.down, stepY));
  const at = (/** @type {number} */ row, /** @type {number} */ column) => ({
    x: EDGE.left + column * stepX,
    y: EDGE.top + row * stepY,
  });
  /** @type {Box[]} */
  const boxes = [];
  for (const row of range(rows))
    for (const column of range(columns)) {
      const { x, y } = at(row, column);
      const isShown = row < shownRows && column < shownColumns;
      for (const i of range(R))
        for (const j of range(C)) {
          if (boxes.length >= MOST) break;
          boxes.push({ x: x + j * cell, y: y + i * cell, w: isShown ? cell : 0, h: isShown ? cell : 0 });
        }
    }
  const titles = [
    ...(columns > 1 ? range(shownColumns).map((n) => ({ axis: names[1], index: n, ...at(0, n), isRow: false })) : []),
    ...(rows > 1 ? range(shownRows).map((n) => ({ axis: names[0], index: n, ...at(n, 0), isRow: true })) : []),
  ];
  const corner = at(0, 0);
  const edges = [
    ...(shape.length > 1 ? [{ axis: names[2], ...corner, isRow: true }] : []),
    ...(shape.length > 0 ? [{ axis: names[3], ...corner, isRow: false }] : []),
  ];
  return {
    ...{ boxes, cell, titles, edges },
    width: EDGE.left + shownColumns * stepX - GAP.across + 2,
    height: EDGE.top + shownRows * stepY - GAP.down + 2,
    isWhole: shownRows === rows && shownColumns === columns && product(shape) <= MOST && shape.length <= 4,
  };
}

/**
 * What stands at one of several tables: "H 0", or "[0]" if the axis has no letter: "3 0" would read as thirty.
 *
 * @param {string} axis its letter, or its size
 * @param {number} index
 */
export const heading = (axis, index) => (/\D/.test(axis) ? `${axis} ${index}` : `[${index}]`);

/**
 * Which number of the tensor before each number of the next one was: by its place in memory if they share it, else by its value if no
 * two numbers are equal. -1 for a number that was not there. An empty list if nothing can be said.
 *
 * @param {Detail | null} before
 * @param {Detail} next
 * @returns {number[]}
 */
export function origins(before, next) {
  if (!before) return [];
  const shares = before.storage === next.storage;
  const [olds, news] = shares ? [before.places, next.places] : [before.numbers, next.numbers];
  /** @type {Map<number, number>} */
  const home = new Map();
  olds.forEach((one, n) => {
    if (!home.has(one)) home.set(one, n);
  });
  if (!shares && home.size < olds.length) return [];
  const found = Array.from(news, (one) => home.get(one) ?? -1);
  return shares || found.every((one) => one >= 0) ? found : [];
}
