// A cell of TileLab's tables: with its number, empty, gone or masked.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { spelled, spellings } from "../kit/format.js";
import { shade } from "../kit/scale.js";

/** @typedef {import("./layout.js").Box} Box */

export const WRITTEN = 20; // the least width of a cell of q, k or v whose number is written
const NIGHT = { least: 0.15, more: 0.75 }; // on dark paper: what is near 0 is nearly white, and would be a slab

/** @param {Record<string, string>} look */
const isDark = ({ paper }) => inkOn(paper) === "#fff";

/** A number as it is written in less and less room. @param {number} value */
const tenths = (value) => [spelled(value, 1), ...spellings(value).slice(1)];
/** The same without a zero in front. @param {number} value */
const short = (value) => tenths(value).map((text) => text.replace(/^(−?)0\./, "$1."));

/** @param {CanvasRenderingContext2D} pen @param {Box} box @param {string} colour */
export function frame(pen, { x, y, w, h }, colour, wide = 2) {
  pen.globalAlpha = 1;
  pen.strokeStyle = colour;
  pen.lineWidth = wide;
  pen.strokeRect(x, y, w, h);
}

/**
 * A cell with its number; null is a number that does not exist yet.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Record<string, string>} look colours of the axes, paper and ink
 * @param {Box} box
 * @param {number | null} value
 * @param {"signed" | "weights"} scale
 * @param {number} most
 * @param {{ alpha?: number, isWritten?: boolean, said?: number | null }} [how] said: what is written, while the colour changes
 */
export function number(pen, look, { x, y, w, h }, value, scale, most, { alpha = 1, isWritten = true, said = value } = {}) {
  const inner = { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 };
  if (value === null) return outline(pen, look, inner, 0.16);
  const colours = shade(value, scale, most);
  const share = isDark(look) && scale === "signed" ? NIGHT.least + NIGHT.more * Math.min(1, Math.abs(value) / most) : 1;
  const fill = colours ? mixed(colours.paper, look.paper, share) : look.paper;
  pen.globalAlpha = alpha;
  pen.fillStyle = fill;
  pen.fillRect(inner.x, inner.y, inner.w, inner.h);
  if (!colours) {
    outline(pen, look, inner, 0.16);
    pen.globalAlpha = alpha;
  }
  const colour = colours ? inkOn(fill) : look.ink;
  if (isWritten) fitted(pen, colours ? (w < 32 ? short : tenths)(said ?? value) : ["−∞"], inner, colour);
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box @param {number | null} value @param {number} strength */
export function plain(pen, look, { x, y, w, h }, value, strength) {
  const inner = { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 };
  outline(pen, look, inner, 0.16);
  if (value === null) return;
  pen.globalAlpha = 0.08 + 0.1 * strength;
  pen.fillStyle = look.ink;
  pen.fillRect(inner.x, inner.y, inner.w, inner.h);
  pen.globalAlpha = 1;
  fitted(pen, Number.isFinite(value) ? (w < 32 ? short : tenths)(value) : ["−∞"], inner, look.ink);
}

/** @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box @param {number} alpha */
export function outline(pen, look, { x, y, w, h }, alpha) {
  pen.globalAlpha = alpha;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  pen.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} texts the first that fits is written
 * @param {Box} box
 * @param {string} colour
 */
function fitted(pen, texts, { x, y, w, h }, colour) {
  if (h < 10) return;
  const size = w > 41 ? 13 : w > 33 ? 12 : 11;
  pen.font = `400 ${size}px ${FONT}`;
  // Where a minus sign fills its cell, a dash stands for it: numbers side by side stay apart.
  const all = w < 32 ? texts.map((one) => one.replace("−", "–")) : texts;
  const text = all.find((one) => pen.measureText(one).width <= w + 1);
  if (text !== undefined) write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour, size, align: "center" });
}

/** A score that was there and is gone. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box @param {number} alpha */
export function ghost(pen, look, { x, y, w, h }, alpha) {
  pen.globalAlpha = 0.07 * alpha;
  pen.fillStyle = look.ink;
  pen.fillRect(x + 3, y + 3, w - 6, h - 6);
  pen.globalAlpha = 0.55 * alpha;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  pen.strokeRect(x + 3.5, y + 3.5, w - 7, h - 7);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** A score that is never computed. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box */
export function hatch(pen, look, { x, y, w, h }) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, w, h);
  pen.clip();
  pen.globalAlpha = 0.22;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let n = -h; n < w; n += 6) {
    pen.moveTo(x + n, y + h);
    pen.lineTo(x + n + h, y);
  }
  pen.stroke();
  pen.restore();
}
