// W_Q of a head as a table of colours.

import { write } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";

/** @typedef {{ x: number, y: number, wide: number, high: number, isTall: boolean }} Room of the table; if it is tall, D runs across */

/**
 * Where a number of W_Q is, counted in memory.
 *
 * @param {Room} room
 * @param {[D: number, E: number]} sizes
 * @param {number} n
 */
function boxOf({ x, y, wide, high, isTall }, [D, E], n) {
  const [d, e] = [Math.floor(n / E), n % E];
  const [w, h] = isTall ? [wide / D, high / E] : [wide / E, high / D];
  return [x + (isTall ? d : e) * w, y + (isTall ? e : d) * h, w, h];
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
 * @param {number} table.most where the scale ends
 * @param {number} table.D
 * @param {number | null} table.picked the number that is framed
 * @param {[x: number, y: number]} table.legend
 * @param {import("./board.js").Look} table.look
 */
export function paintParameters(pen, room, { numbers, most, D, picked, legend: [at, line], look }) {
  /** @type {[number, number]} */
  const sizes = [D, numbers.length / D];
  for (let n = 0; n < numbers.length; n++) {
    const [left, top, w, h] = boxOf(room, sizes, n);
    pen.fillStyle = shade(numbers[n], "signed", most)?.paper ?? "";
    pen.fillRect(left + 0.5, top + 0.5, w - 1, h - 1);
  }
  if (picked !== null) {
    const [left, top, w, h] = boxOf(room, sizes, picked);
    [pen.strokeStyle, pen.lineWidth] = [look.accent, 3];
    pen.strokeRect(left, top, w, h);
  }
  for (const [text, colour] of [
    ["■", POSITIVE],
    [" +  ", look.quiet],
    ["■", NEGATIVE],
    [" −", look.quiet],
  ])
    at += write(pen, text, at, line, { colour, size: 12.5 });
}
