// W_Q of a head as a table of colours. A small square inside each number has the colour that this number had before training.

import { write } from "../kit/canvas.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {object} table
 * @param {ArrayLike<number>} table.numbers (D, E)
 * @param {ArrayLike<number>} table.first the numbers before training
 * @param {number} table.most where the scale ends
 * @param {number} table.D
 * @param {number} table.x
 * @param {number} table.y
 * @param {number} table.wide
 * @param {number} table.high
 * @param {boolean} table.isTall whether D runs across
 * @param {import("./board.js").Look} table.look
 */
export function paintParameters(pen, { numbers, first, most, D, x, y, wide, high, isTall, look }) {
  const E = numbers.length / D;
  const [w, h] = isTall ? [wide / D, high / E] : [wide / E, high / D];
  for (let n = 0; n < numbers.length; n++) {
    const [d, e] = [Math.floor(n / E), n % E];
    const [left, top] = isTall ? [x + d * w, y + e * h] : [x + e * w, y + d * h];
    /** @type {[number, number][]} */
    const squares = [
      [numbers[n], 0.5],
      [first[n], 0.3 * h],
    ];
    for (const [value, edge] of squares) {
      pen.fillStyle = shade(value, "signed", most)?.paper ?? "";
      pen.fillRect(left + edge * (edge > 1 ? w / h : 1), top + edge, w - 2 * edge * (edge > 1 ? w / h : 1), h - 2 * edge);
    }
  }
  let at = x + 1;
  for (const [text, colour] of [
    ["■", POSITIVE],
    [" + ", look.quiet],
    ["■", NEGATIVE],
    [" −   inside: before training", look.quiet],
  ])
    at += write(pen, text, at, y + high + 12, { colour, size: isTall && wide > 120 ? 12.5 : 11.5 });
}
