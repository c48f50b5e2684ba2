// The pen of EinsumLab's canvas: its colours, its texts and its numbers.

import { FONT, write } from "../kit/canvas.js";
import { coloursOf, inkOn, mixed, tints } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { originsOf } from "./scene.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {ReturnType<typeof lookOf>} Look */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {import("./layout.js").Plan} plan
 * @property {import("./formula.js").Formula} formula
 * @property {import("./model.js").State} settings
 * @property {import("./model.js").Results} results
 * @property {ArrayLike<number> | null} before the results without the nudge; null if no number is nudged
 * @property {readonly string[]} names of left, right and the result
 * @property {"value" | "key" | "head"} colour
 * @property {{ factors: number, result: number }} most where the scales end
 * @property {Look} look
 */

/** The colours of the page. @param {Element} root */
export function lookOf(root) {
  const axes = coloursOf(root);
  const { paper, ink } = axes;
  const isDark = inkOn(paper) === "#fff";
  return {
    axes,
    paper,
    ink,
    isDark,
    empty: mixed(ink, paper, 0.05),
    rule: mixed(ink, paper, 0.28),
    quiet: mixed(ink, paper, 0.72),
  };
}

/**
 * How a number looks: the colours it is filled with, from left to right, and the text on it.
 *
 * @param {Picture} picture
 * @param {number} side
 * @param {number} n
 * @param {number} value
 * @returns {{ fills: string[], ink: string, origins: number[] | null }} origins: the keys or heads whose colours these are
 */
export function shadeOf({ formula, settings, colour, most, look }, side, n, value) {
  const origins = colour === "value" ? null : originsOf(formula, settings, side, n, colour);
  if (colour !== "value" && !origins) return { fills: [look.empty], ink: look.ink, origins };
  if (origins) {
    const axis = colour === "key" ? "S" : "H";
    const all = tintsOf(look, axis);
    const fills = origins.map((at) => all[at % all.length]);
    return { fills, ink: inkOn(fills[0]), origins };
  }
  const found = signed(look, value / (side === 2 ? most.result : most.factors));
  return { fills: [found.paper], ink: found.ink, origins };
}

/**
 * The colour of a signed number, and that of a text on it. On a dark page the scale of the kit would be brightest at 0; there it is dark.
 *
 * @param {Look} look
 * @param {number} share of the largest one, from -1 to 1
 */
export function signed({ isDark, paper, ink }, share) {
  const found = isDark ? null : shade(share, "signed", 1);
  if (found) return found;
  const dark = mixed(share < 0 ? "#7cc0f5" : "#ffa94d", mixed(ink, paper, 0.14), Math.abs(share));
  return { paper: dark, ink: inkOn(dark) };
}

/** @type {WeakMap<Look, Record<string, string[]>>} */
const known = new WeakMap();

/** @param {Look} look @param {string} axis */
export function tintsOf(look, axis) {
  const found = known.get(look) ?? {};
  known.set(look, found);
  found[axis] ??= tints(look.axes[axis], look.paper, axis === "H" ? 4 : 8);
  return found[axis];
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {string[]} fills
 */
export function fill(pen, { x, y, w, h }, fills) {
  fills.forEach((colour, n) => {
    pen.fillStyle = colour;
    pen.fillRect(x + (n * w) / fills.length, y, w / fills.length, h);
  });
}

/**
 * A number in its box, if there is room for it. Returns whether there is.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {string} text
 * @param {string} colour
 * @param {string} [halo] a colour around it, where it stands on several
 */
export function number(pen, { x, y, w, h }, text, colour, halo = "") {
  const size = w > 30 && h > 20 ? 13 : w > 24 && h > 16 ? 12 : 11;
  pen.font = `400 ${size}px ${FONT}`;
  if (h < 11 || pen.measureText(text).width > w + 1) return false;
  if (halo) {
    pen.textAlign = "center";
    pen.strokeStyle = halo;
    pen.lineWidth = 3;
    pen.strokeText(text, x + w / 2, y + h / 2 + 0.5);
  }
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour, size, align: "center" });
  return true;
}

/** A frame that can be seen on every colour. @param {CanvasRenderingContext2D} pen @param {Look} look @param {Box} box @param {number} thick */
export function outlined(pen, look, { x, y, w, h }, thick) {
  for (const [colour, wide] of /** @type {const} */ ([
    [look.paper, 2 * thick],
    [look.ink, thick],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.strokeRect(x, y, w, h);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {number} side @param {number} n @param {number} value */
export function tile(pen, picture, box, side, n, value) {
  const { fills, ink } = shadeOf(picture, side, n, value);
  fill(pen, box, fills);
  outline(pen, picture, box);
  number(pen, box, spelled(value), ink);
}

/** A product: it has no colour yet, because it is not the result. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {number} value @param {string} [colour] of its frame */
export function plain(pen, picture, box, value, colour) {
  fill(pen, box, [picture.look.paper]);
  outline(pen, picture, box, colour);
  number(pen, box, spelled(value), picture.look.ink);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {string} [colour] */
function outline(pen, { look }, { x, y, w, h }, colour = look.ink) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.strokeRect(x, y, w, h);
}
