// What both canvases of GridLab have in common: colours, cells, and the ring around the number that is looked at.

import { inkOn, mixed, tints } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { originOf } from "./model.js";

/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./model.js").ByAxis} ByAxis */

/** @typedef {{ fills: string[], inks: string[], faded: string[], paper: string, ink: string, axes: Record<string, string> }} Look */

/**
 * @typedef {object} Marks
 * @property {readonly boolean[]} chosen by number
 * @property {number} pinned the number that is looked at
 * @property {number} pointed the number under the pointer, or that which is pinned
 */

const FADED = 0.42;
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
  const scale = by === "token" ? tints(colours.L, colours.paper, sizes.L) : tints(colours.H, colours.paper, sizes.H);
  const fills = range(N).map((number) => {
    if (by === "value") return /** @type {{ paper: string }} */ (shade(number, "signed", Math.max(1, N - 1))).paper;
    const origin = originOf(sizes, number);
    return scale[(by === "head" ? origin.H : origin.L) % scale.length];
  });
  const sheet = mixed(colours.ink, colours.paper, 0.1); // what is not marked fades towards this grey
  /** @type {Map<string, [ink: string, faded: string]>} */
  const known = new Map();
  const others = fills.map((fill) => {
    if (!known.has(fill)) known.set(fill, [inkOn(fill), mixed(fill, sheet, FADED)]);
    return /** @type {[string, string]} */ (known.get(fill));
  });
  return {
    ...{ fills, inks: others.map(([ink]) => ink), faded: others.map(([, faded]) => faded) },
    ...{ paper: colours.paper, ink: colours.ink, axes: colours },
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
  pen.globalAlpha = lit ? 1 : 0.78;
  pen.fillText(String(number), x + (w - seam) / 2, y + h / 2 + 0.5);
  pen.globalAlpha = 1;
}

/**
 * A line around a cell that is seen on every colour.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {Look} look
 */
export function paintRing(pen, { x, y, w, h }, { ink, paper }) {
  pen.strokeStyle = paper;
  pen.lineWidth = 4;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
  pen.strokeStyle = ink;
  pen.lineWidth = 2;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
}
