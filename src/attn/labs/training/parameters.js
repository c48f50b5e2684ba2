// W_Q of a head as a table of colours: D down, E across.

import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";

/** @typedef {{ x: number, y: number, wide: number, high: number }} Room of the table */

const VIVID = 0.7; // of the largest number: from here on the colour is full

/**
 * Where a number of W_Q is, counted in memory.
 *
 * @param {Room} room
 * @param {[D: number, E: number]} sizes
 * @param {number} n
 */
function boxOf({ x, y, wide, high }, [D, E], n) {
  const [w, h] = [wide / E, high / D];
  return [x + (n % E) * w, y + Math.floor(n / E) * h, w, h];
}

/**
 * The number of W_Q at a point.
 *
 * @param {Room} room
 * @param {[D: number, E: number]} sizes
 * @param {number} x
 * @param {number} y
 */
export function parameterAt(room, sizes, x, y) {
  const at = range(sizes[0] * sizes[1]).map((n) => boxOf(room, sizes, n));
  const found = at.findIndex(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h);
  return found < 0 ? null : found;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Room} room
 * @param {object} table
 * @param {ArrayLike<number>} table.numbers (D, E)
 * @param {number} table.most the largest number at any time
 * @param {number} table.D
 * @param {number | null} table.picked the number that is framed
 * @param {import("./board.js").Look} table.look
 */
export function paintParameters(pen, room, { numbers, most, D, picked, look }) {
  /** @type {[number, number]} */
  const sizes = [D, numbers.length / D];
  for (let n = 0; n < numbers.length; n++) {
    const [left, top, w, h] = boxOf(room, sizes, n);
    pen.fillStyle = shade(numbers[n], "signed", VIVID * most)?.paper ?? "";
    pen.fillRect(left, top, w - 0.5, h - 0.5);
  }
  if (picked !== null) {
    const [left, top, w, h] = boxOf(room, sizes, picked);
    for (const [colour, thick] of /** @type {[string, number][]} */ ([
      [look.paper, 7],
      [look.ink, 2.5],
    ])) {
      [pen.strokeStyle, pen.lineWidth] = [colour, thick];
      pen.strokeRect(left - 1, top - 1, w + 1.5, h + 1.5);
    }
  }
}
