// A result as the sum of its products, or of what it gets from each matrix.

import { FONT, write } from "../kit/canvas.js";
import { shapeOf, summedLetters } from "./formula.js";
import { plain, tile } from "./ink.js";
import { indexOf, TENSORS } from "./model.js";
import { acrossOf, termsOf } from "./pin.js";

/** @typedef {import("./ink.js").Picture} Picture */

const MOST = 6; // products that are drawn as a sum

/**
 * What a result gets from each matrix, and what that adds up to: so one sees that heads are added together. Returns whether it has been
 * drawn: one letter is added up across matrices, and there is room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} n
 */
export function paintShares(pen, picture, n) {
  const { plan, results, look, formula, settings, names } = picture;
  const { x, y, w: room, h } = plan.lane;
  const letter = acrossOf(formula);
  const summed = summedLetters(formula);
  const count = letter.length === 1 ? shapeOf(letter, settings)[0] : 0;
  if (count < 2 || count > MOST) return false;
  const { terms } = termsOf(formula, settings, n, Infinity);
  const sums = Array(count).fill(0);
  for (const [term, [p, q]] of terms.entries())
    sums[indexOf(term, shapeOf(summed, settings))[summed.indexOf(letter)]] += results.left[p] * (results.right?.[q] ?? 0);
  const own = formula.tensors.flatMap((axes, side) => (axes.includes(letter) ? [`${names[side]} `] : []));
  const word = { b: "sentence", g: "head", h: "head" }[letter] ?? letter;
  const [wide, sign] = [30, room < 400 ? 18 : 24];
  pen.font = `600 12px ${FONT}`;
  const long = (/** @type {string} */ text) => pen.measureText(`${text} 0`).width + 5;
  const name = [`${own.length < 2 ? own : ""}${word}`, letter].find((text) => count * (long(text) + wide + sign) + wide <= room);
  if (!name) return false;
  const colour = look.axes[letter.toUpperCase()];
  let left = x + (room - count * (long(name) + wide + sign) - wide) / 2;
  const middle = y + h / 2;
  const between = long(name);
  sums.forEach((sum, at) => {
    write(pen, `${name} ${at}`, left, middle, { colour, weight: 600 });
    plain(pen, picture, { x: left + between, y, w: wide, h }, sum, colour);
    left += between + wide + sign;
    write(pen, at + 1 < count ? "+" : "=", left - sign / 2, middle, { colour: look.ink, size: 15, weight: 700, align: "center" });
  });
  tile(pen, picture, { x: left, y, w: wide, h }, 2, n, results.result[n]);
  return true;
}

/**
 * All factors of a result, in pairs, and what they add up to. Returns whether they are few enough to be drawn.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} n
 */
export function paintSum(pen, picture, n) {
  const { plan, results, look, formula, settings } = picture;
  const { x, y, w: room, h } = plan.lane;
  const { count, terms } = termsOf(formula, settings, n, MOST);
  if (count > MOST) return false;
  const narrow = room < 400;
  const [dot, plus] = narrow ? [9, 15] : [12, 22];
  const signs = terms.length * (dot + plus);
  const wide = Math.min(34, (room - signs) / (2 * terms.length + 1));
  let left = x + (room - signs - wide * (2 * terms.length + 1)) / 2;
  /** @param {string} text @param {number} long */
  const sign = (text, long) => {
    write(pen, text, left + long / 2, y + h / 2, { colour: look.ink, size: 15, weight: 700, align: "center" });
    left += long;
  };
  /** @param {number} side @param {number} at */
  const factor = (side, at) => {
    tile(pen, picture, { x: left, y, w: wide, h }, side, at, results[TENSORS[side]][at]);
    left += wide;
  };
  terms.forEach(([p, q], term) => {
    if (term) sign("+", plus);
    factor(0, p);
    sign("·", dot);
    factor(1, q);
  });
  sign("=", plus);
  factor(2, n);
  return true;
}
