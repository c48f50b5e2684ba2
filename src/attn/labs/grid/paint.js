// What both canvases of GridLab have in common: colours, cells, and the ring around the number that is looked at.

import { inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { originOf } from "./model.js";

/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./model.js").ByAxis} ByAxis */

/**
 * The colours by number: fills and inks of what is marked, faded those of the others.
 *
 * @typedef {{ fills: string[], inks: string[], faded: string[], paper: string, ink: string, right: string, axes: Record<string, string> }} Look right: as --lab-good
 */

/**
 * @typedef {object} Marks
 * @property {readonly boolean[]} chosen by number
 * @property {number} pinned the number that is looked at
 * @property {number} pointed the number under the pointer, or that which is pinned
 */

/** How strong the tints are, for what is marked and for the others: no mark is weaker than what is not marked. */
const STRONG = [0.76, 1];
const FADED = { light: [0.13, 0.64], dark: [0.18, 0.58] };
export const DIGIT = 6.6; // pixels of a digit at 11 pixels

/**
 * The colours of all numbers.
 *
 * @param {ByAxis} sizes
 * @param {import("./model.js").Colour} by
 * @param {Record<string, string>} colours those of the page
 * @returns {Look}
 */
export function lookOf(sizes, by, colours) {
  const N = sizes.B * sizes.H * sizes.L * sizes.D;
  const axis = by === "token" ? "L" : "H";
  const pale = FADED[inkOn(colours.paper) === "#000" ? "light" : "dark"];
  const half = Math.floor(sizes[axis] / 2);
  /** @type {(n: number, strengths: number[]) => string} neighbours differ most */
  const tint = (n, [weak, strong]) => {
    const step = n % 2 ? (n - 1) / 2 : half + n / 2;
    return mixed(colours[axis], colours.paper, weak + ((strong - weak) * step) / Math.max(1, sizes[axis] - 1));
  };
  const tinted = range(sizes[axis]).map((n) => [tint(n, STRONG), tint(n, pale)]);
  const both = range(N).map((number) => {
    if (by !== "value") return tinted[originOf(sizes, number)[axis]];
    const { paper } = /** @type {{ paper: string }} */ (shade(number, "signed", Math.max(1, N - 1)));
    return [paper, mixed(paper, colours.paper, pale[1])];
  });
  const fills = both.map(([fill]) => fill);
  /** @type {Map<string, string>} */
  const inks = new Map([...new Set(fills)].map((fill) => [fill, inkOn(fill)]));
  return {
    ...{ fills, inks: fills.map((fill) => /** @type {string} */ (inks.get(fill))), faded: both.map(([, faded]) => faded) },
    ...{ paper: colours.paper, ink: colours.ink, right: mixed("#159447", colours.ink, 0.75), axes: colours },
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
 * @param {boolean} written whether the number itself has room
 */
export function paintCell(pen, number, { x, y, w, h }, look, lit, written) {
  pen.fillStyle = lit ? look.fills[number] : look.faded[number];
  const seam = w > 6 ? 1 : 0;
  pen.fillRect(x, y, w - seam, h - seam);
  if (!written) return;
  pen.fillStyle = lit ? look.inks[number] : look.ink;
  pen.fillText(String(number), x + (w - seam) / 2, y + h / 2 + 0.5);
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
