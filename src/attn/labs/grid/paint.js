// What both canvases of GridLab have in common: colours, cells, and the ring around the number that is looked at.

import { inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { originOf } from "./model.js";

/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./model.js").ByAxis} ByAxis */

/**
 * Whatever is marked has one colour, fill, and its numbers the ink on it; the others have tints, by number.
 *
 * @typedef {{ fill: string, inkOnFill: string, tints: string[], paper: string, ink: string, wrong: string, axes: Record<string, string> }} Look wrong: as --lab-bad
 */

/**
 * @typedef {object} Marks
 * @property {readonly boolean[]} chosen by number
 * @property {number} pinned the number that is looked at
 * @property {number} pointed the number under the pointer, or that which is pinned
 */

/** How strong the tints are: all are much paler than what is marked. */
const PALE = { light: [0.07, 0.38], dark: [0.08, 0.46] };
export const DIGIT = 6.6; // pixels of a digit at 11 pixels

/**
 * The colours of all numbers.
 *
 * @param {ByAxis} sizes
 * @param {{ colour: import("./model.js").Colour, mark: import("./model.js").Mark }} choices
 * @param {Record<string, string>} colours those of the page
 * @returns {Look}
 */
export function lookOf(sizes, { colour, mark }, colours) {
  const N = sizes.B * sizes.H * sizes.L * sizes.D;
  const axis = colour === "token" ? "L" : "H";
  const [weak, strong] = PALE[inkOn(colours.paper) === "#000" ? "light" : "dark"];
  const half = Math.floor(sizes[axis] / 2);
  const tinted = range(sizes[axis]).map((n) => {
    const step = n % 2 ? (n - 1) / 2 : half + n / 2; // neighbours differ most
    return mixed(colours[axis], colours.paper, weak + ((strong - weak) * step) / Math.max(1, sizes[axis] - 1));
  });
  /** @param {number} number */
  const shaded = (number) => /** @type {{ paper: string }} */ (shade(number, "signed", Math.max(1, N - 1))).paper;
  const fill = colours[mark === "token" ? "L" : "H"];
  return {
    ...{ fill, inkOnFill: inkOn(fill), paper: colours.paper, ink: colours.ink, wrong: mixed("#d6304a", colours.ink, 0.75) },
    tints: range(N).map((number) =>
      colour === "value" ? mixed(shaded(number), colours.paper, 0.6) : tinted[originOf(sizes, number)[axis]],
    ),
    axes: colours,
  };
}

/**
 * One number in its cell.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} number
 * @param {Box} box
 * @param {Look} look
 * @param {boolean} lit
 * @param {number} digits how visible the number itself is
 */
export function paintCell(pen, number, { x, y, w, h }, look, lit, digits) {
  pen.fillStyle = lit ? look.fill : look.tints[number];
  const seam = w > 6 ? 1 : 0;
  pen.fillRect(x, y, w - seam, h - seam);
  if (!digits) return;
  const alpha = pen.globalAlpha;
  pen.globalAlpha = alpha * digits;
  pen.fillStyle = lit ? look.inkOnFill : look.ink;
  pen.fillText(String(number), x + (w - seam) / 2, y + h / 2 + 0.5);
  pen.globalAlpha = alpha;
}

/**
 * The sign that a number belongs elsewhere: beside the number, or in the corner of a small cell.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {string} colour
 */
export function paintCross(pen, { x, y, w, h }, colour) {
  const [half, right, middle] = w > 52 ? [3.5, x + w / 2 + 20, y + h / 2] : [2, x + w - 4, y + 3];
  pen.strokeStyle = colour;
  pen.lineWidth = 1.6;
  pen.beginPath();
  for (const slope of [-half, half]) {
    pen.moveTo(right - half, middle - slope);
    pen.lineTo(right + half, middle + slope);
  }
  pen.stroke();
}

/**
 * A text: what passes under it ends beside it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function paintText(pen, { paper }, text, x, y) {
  pen.strokeStyle = paper;
  pen.lineWidth = 4;
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/**
 * A line around a cell that is seen on every colour.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {Look} look
 * @param {boolean} [thin] around the pinned number while another one is pointed at
 */
export function paintRing(pen, { x, y, w, h }, { ink, paper }, thin = false) {
  pen.strokeStyle = paper;
  pen.lineWidth = thin ? 3 : 4;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
  pen.strokeStyle = ink;
  pen.lineWidth = thin ? 1 : 2;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
}
