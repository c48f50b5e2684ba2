// ProductLab's cells: numbers on the colour of their value or of their key.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { spellings } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { shade } from "../kit/scale.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Cell} Cell */

/** Soft hues: black text is readable on each. */
const HUES = ["#f5e3a0", "#9ad5c2", "#f7b9c4", "#c9bcec", "#c8d98f", "#f5bf96", "#a9cdf0", "#cfcfcf"];

/** @param {number} key */
export const colourOfKey = (key) => HUES[key % HUES.length];

/**
 * A cell turns with its sheet, but what is written on it stays upright, where there is room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Cell} cell
 */
export function paintCell(pen, picture, cell) {
  const { x, y, w, h } = cell.box;
  if (cell.alpha <= 0 || w < 1 || h < 1) return;
  const { look } = picture;
  const { part, value, key, faint, mark, matrix = [1, 0, 0, 1] } = cell;
  pen.save();
  pen.translate(x + w / 2, y + h / 2);
  pen.save();
  pen.transform(...matrix, 0, 0);
  const fill = (/** @type {string} */ colour, /** @type {number} */ alpha) => {
    pen.globalAlpha = cell.alpha * alpha;
    pen.fillStyle = colour;
    pen.fillRect(-w / 2 + 0.5, -h / 2 + 0.5, w - 1, h - 1);
  };
  fill(look.paper, 1);
  fill(look.ink, 0.1);
  const isDark = inkOn(look.paper) === "#fff"; // there a soft hue that fades is mud: it gets fuller and darker, with light text
  const strength = Math.max(0, 1 - (isDark ? 0.74 : 0.4) * faint);
  const isNeutral = picture.colour === "key" && key === null; // while keys are coloured, all that is no key's
  const paper = isNeutral
    ? mixed(look.ink, look.paper, 0.08)
    : picture.colour === "key"
      ? mixed(colourOfKey(key ?? 0), "#cfcfcf", isDark ? 1 + faint : 1)
      : (shade(value, "signed", picture.most[part === "result" ? part : "factors"])?.paper ?? look.paper);
  fill(paper, strength);
  if (mark && mark !== "nudged") fill(look[mark], 0.2);
  pen.restore();
  pen.globalAlpha = cell.alpha * (1 - 0.25 * faint); // what fades stays readable
  writeIn(pen, picture, cell, matrix, isNeutral ? look.ink : inkOn(mixed(paper, look.paper, strength)));
  pen.restore();
}

/**
 * The edge of a cell that is marked, which is painted before the cells: of cells side by side there is one frame.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Cell} cell
 */
export function paintEdge(pen, { look }, { box: { x, y, w, h }, mark, alpha }) {
  if (!mark) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = mark === "nudged" ? look.ink : look[mark];
  pen.fillRect(x - 2, y - 2, w + 4, h + 4);
}

/**
 * Write a cell's value as long as there is room; in small cells only that of the cell that is worked out and of a key that changes.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Cell} cell
 * @param {readonly number[]} matrix
 * @param {string} colour
 */
function writeIn(pen, { plan, short }, { part, value, mark, box: { w, h }, isChosen = true }, [a, b, c, d], colour) {
  if ((plan.w < 20 && !isChosen && !mark) || pen.globalAlpha < 0.02) return;
  const size = sizeFor(pen, w, h);
  const det = Math.abs(a * d - b * c);
  const fits = (/** @type {number} */ wide) =>
    Math.abs(d) * wide + Math.abs(c) * 10 <= det * (w < 20 ? w + 1 : w - 1) && Math.abs(b) * wide + Math.abs(a) * 10 <= det * h;
  const texts = spellings(value).slice(part === "result" ? short.result : short.factors);
  const text = texts.find((one) => fits(pen.measureText(one).width));
  if (text !== undefined) write(pen, text, 0, 0.5, { colour, size, align: "center" });
}

/**
 * Write as large as a cell has room for.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} w
 * @param {number} h
 */
function sizeFor(pen, w, h) {
  const size = Math.floor(clamp(Math.min(w / 4, h / 2), 11, 16));
  pen.font = `400 ${size}px ${FONT}`;
  pen.letterSpacing = w < 20 ? "-1px" : "0px";
  return size;
}

/**
 * Which spelling of `spellings` the numbers of a table have room for, in cells of this size. A number from 10 on may be shorter.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {ArrayLike<number>} values
 * @param {{ w: number, p: number }} sheet
 */
export function shortest(pen, values, { w, p }) {
  pen.save();
  sizeFor(pen, w, p);
  const all = Array.from(values).filter((value) => Math.abs(value) < 9.95);
  const found = [0, 1].find((n) => all.every((value) => pen.measureText(spellings(value)[n]).width <= w - 4));
  pen.restore();
  return found ?? 2;
}
