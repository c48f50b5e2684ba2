// How HeadsLab writes and marks on its canvases.

import { FONT, write } from "../kit/canvas.js";
import { contrast, inkOn, mixed, ramp } from "../kit/colours.js";
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
 * A tint of H's colour for each head, so that three heads are three colours: from nearly black to pale, on dark paper from strong to pale.
 *
 * @param {string} colour of H
 * @param {number} H
 * @param {string} paper
 */
export function headTints(colour, H, paper) {
  const tint = ramp(colour, "#fff");
  const darkest = inkOn(paper) === "#000" ? -0.55 : -0.2;
  return range(H).map((h) => {
    const all = Math.max(3, H); // one or two heads look like the first ones of three
    const step = h % 2 ? (h - 1) / 2 : Math.floor(all / 2) + h / 2; // neighbours differ
    const apart = H === 4 && darkest < -0.5 ? [0, -0.13, 0.13, 0][step] : 0;
    const place = (1.3 * step) / (all - 1) + darkest + apart;
    return place < 0 ? mixed("#000", tint(0), -place) : tint(Math.min(place, 0.95));
  });
}

/** What surrounds a tint: some tints are near the paper. @param {Look} look @param {string} tint */
export const edgeOf = ({ axes }, tint) => mixed(axes.ink, tint, 0.45);

/** Thin lines of a tint. @param {Look} look @param {string} tint */
export const lineOf = (look, tint) => (contrast(tint, look.axes.paper) < 2.5 ? edgeOf(look, tint) : tint);

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
  pen.strokeStyle = (hollow ? lineOf : edgeOf)(look, tint);
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
