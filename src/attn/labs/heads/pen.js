// How HeadsLab writes and marks on its canvases.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed, ramp } from "../kit/colours.js";
import { spellings } from "../kit/format.js";
import { range } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * The colours of the page: of the axes, a tint for each head and word, and the verdicts.
 *
 * @typedef {object} Look
 * @property {Record<string, string>} axes
 * @property {string[]} heads
 * @property {string[]} words
 * @property {string} good
 * @property {string} bad
 * @property {string} quiet
 * @property {string} faint
 */

const NARROW = { ".": 0.32, "−": 0.84 }; // of the size of the text; a digit is 0.64

/** @typedef {{ text: (value: number) => string, size: number }} Spelling how the numbers of a table are written */

/**
 * How the numbers of a table are written: with two decimals, or one, if there is room for it in each of its cells; null if there is not.
 * Whole numbers would not add up.
 *
 * @param {readonly number[]} values
 * @param {number} room in a cell, in pixels
 * @returns {Spelling | null}
 */
export function spellingFor(values, room) {
  /** @param {string} text */
  const wide = (text) => [...text].reduce((sum, one) => sum + (NARROW[/** @type {"." | "−"} */ (one)] ?? 0.64), 0);
  for (const [level, size] of [
    [0, 15],
    [0, 12],
    [1, 12],
    [1, 11],
  ])
    if (values.every((value) => size * wide(spellings(value)[level]) <= room))
      return { text: (value) => spellings(value)[level].replace(/^[−0.]*$/, "0"), size };
  return null;
}

/**
 * Write a text that is no wider than `most` pixels: squeezed a little if it is too long.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {Parameters<typeof write>[4]} how
 * @param {number} most
 */
export function writeWithin(pen, text, x, y, how, most) {
  const { colour, size = 12, weight = 400, align = "left" } = how;
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.textAlign = align;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, most);
}

/**
 * A tint of H's colour for each head, from nearly black to pale, so that three heads are three colours; the same by day and by night.
 *
 * @param {string} colour of H
 * @param {number} H
 */
export function headTints(colour, H) {
  const tint = ramp(colour, "#fff");
  return range(H).map((h) => {
    const step = h % 2 ? (h - 1) / 2 : Math.floor(H / 2) + h / 2; // neighbours differ
    const place = H > 1 ? (1.3 * step) / (H - 1) - 0.55 : 0.1;
    return place < 0 ? mixed("#000", tint(0), -place) : tint(place);
  });
}

/**
 * A head's tint with its number.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {number} head
 * @param {Box} box
 * @param {boolean} [hollow] the head is off
 */
export function badge(pen, look, head, { x, y, w, h }, hollow = false) {
  const tint = look.heads[head % look.heads.length];
  pen.fillStyle = hollow ? look.axes.paper : tint;
  pen.beginPath();
  pen.roundRect(x, y, w, h, 3);
  pen.fill();
  pen.strokeStyle = hollow ? tint : mixed(look.axes.ink, tint, 0.25);
  pen.lineWidth = hollow ? 1.5 : 1;
  pen.stroke();
  const how = { colour: hollow ? look.axes.ink : inkOn(tint), size: 11.5, weight: 700, align: /** @type {const} */ ("center") };
  write(pen, String(head), x + w / 2, y + h / 2 + 0.5, how);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {string} colour
 * @param {number} [width]
 */
export function frame(pen, { x, y, w, h }, colour, width = 2) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.strokeRect(x, y, w, h);
}
