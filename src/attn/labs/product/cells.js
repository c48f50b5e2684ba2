// ProductLab's cells: numbers on the colour of their value or of their key.

import { FONT, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { spellings } from "../kit/format.js";
import { shade } from "../kit/scale.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Cell} Cell */
/** @typedef {{ texts: string[], box: Box, colour: string }} Writing the first text that fits */

/** Soft hues: black text is readable on each. */
const HUES = ["#f5e3a0", "#9ad5c2", "#f7b9c4", "#c9bcec", "#c8d98f", "#f5bf96", "#a9cdf0", "#cfcfcf"];

/** @param {number} key */
export const colourOfKey = (key) => HUES[key % HUES.length];

/**
 * A cell turns with its row, but what is written on it stays upright.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Cell} cell
 */
export function paintCell(pen, picture, cell) {
  const { x, y, w, h } = cell.box;
  if (cell.alpha <= 0 || w < 1 || h < 1) return;
  const { look } = picture;
  const [a, b] = (cell.matrix ?? [1, 0]).map(Math.abs);
  pen.save();
  pen.translate(x + w / 2, y + h / 2);
  pen.save();
  if (cell.matrix) pen.transform(...cell.matrix, 0, 0);
  const box = { x: -w / 2 + 0.5, y: -h / 2 + 0.5, w: w - 1, h: h - 1 };
  pen.globalAlpha = cell.alpha;
  pen.fillStyle = look.paper;
  pen.fillRect(box.x, box.y, box.w, box.h);
  pen.globalAlpha = cell.alpha * 0.1;
  pen.fillStyle = look.ink;
  pen.fillRect(box.x, box.y, box.w, box.h);
  const alpha = cell.alpha * (cell.isFaint ? 0.3 : 1);
  const { part, value, key, isFaint } = cell;
  const colours =
    picture.colour === "key" // then all that is no key's is neutral
      ? key !== null
        ? { paper: colourOfKey(key), ink: "#000" }
        : { paper: mixed(look.ink, look.paper, 0.08), ink: look.ink }
      : shade(value, "signed", part === "result" ? picture.most.result : picture.most.factors);
  pen.globalAlpha = alpha;
  pen.fillStyle = colours?.paper ?? look.paper;
  pen.fillRect(box.x, box.y, box.w, box.h);
  if (cell.mark) {
    pen.globalAlpha = cell.alpha;
    pen.strokeStyle = cell.mark === "nudged" ? look.ink : look[cell.mark];
    pen.lineWidth = 2.5;
    pen.strokeRect(box.x + 1, box.y + 1, box.w - 2, box.h - 2);
  }
  pen.restore();
  pen.globalAlpha = isFaint ? Math.min(1, alpha * 3) : alpha; // what fades stays readable
  const [wide, high] = [a * w + b * h, a * h + b * w];
  const room = b ? { x: -wide / 2, y: -high / 2, w: wide, h: high } : box;
  fitted(pen, { texts: textsOf(picture, cell), box: room, colour: (!isFaint && colours?.ink) || look.ink });
  pen.restore();
}

/**
 * The spellings of a cell's value; none in small cells but those of the cell that is worked out and of a key that changes.
 *
 * @param {Picture} picture
 * @param {Cell} cell
 */
const textsOf = ({ plan, short }, { part, value, mark, isChosen = true }) =>
  plan.w < 24 && !isChosen && !mark ? [] : spellings(value).slice(part === "result" ? short.result : short.factors);

/**
 * Write as large, and as far apart, as a cell of this width has room for.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} w
 */
function writeIn(pen, w) {
  const size = w > 50 ? 14 : w > 36 ? 12 : 11;
  pen.font = `400 ${size}px ${FONT}`;
  pen.letterSpacing = w < 30 ? "-0.5px" : "0px";
  return size;
}

/**
 * Which spelling of `spellings` the numbers of a table have room for, in cells of this width. A number from 10 on may be shorter.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {ArrayLike<number>} values
 * @param {number} w
 */
export function shortest(pen, values, w) {
  pen.save();
  writeIn(pen, w);
  const all = Array.from(values).filter((value) => Math.abs(value) < 9.95);
  const found = [0, 1].find((n) => all.every((value) => pen.measureText(spellings(value)[n]).width <= w - (w < 30 ? 0 : 3)));
  pen.restore();
  return found ?? 2;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Writing} writing
 */
function fitted(pen, { texts, box: { x, y, w, h }, colour }) {
  if (h < 11 || pen.globalAlpha < 0.02) return;
  const size = writeIn(pen, w);
  const text = texts.find((one) => pen.measureText(one).width <= w + 1);
  if (text !== undefined) write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour, size, align: "center" });
}
