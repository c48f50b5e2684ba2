// A cell of TileLab's tables: with its number, empty, gone or masked.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { spelled, spellings } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { cellOf } from "./layout.js";

/** @typedef {import("./layout.js").Box} Box */

export const MOST = 3; // of a score, for its colour
const NIGHT = { least: 0.15, more: 0.75 }; // on dark paper: what is near 0 is nearly white, and would be a slab

/** @param {Record<string, string>} look */
const isDark = ({ paper }) => inkOn(paper) === "#fff";

/** A number as it is written in less and less room: at last without a zero in front. @param {number} value */
const tenths = (value) =>
  [spelled(value, 1), ...spellings(value).slice(1)].flatMap((text) => [text, text.replace(/^(−?)0\./, "$1.")]);

/** @param {CanvasRenderingContext2D} pen @param {Box} box @param {string} colour */
export function frame(pen, { x, y, w, h }, colour, wide = 2, alpha = 1) {
  pen.globalAlpha = alpha;
  pen.strokeStyle = colour;
  pen.lineWidth = wide;
  pen.strokeRect(x, y, w, h);
  pen.globalAlpha = 1;
}

/**
 * A cell with its number, or without.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Record<string, string>} look colours of the axes, paper and ink
 * @param {Box} box
 * @param {number} value
 * @param {"signed" | "weights"} scale
 * @param {number} most
 * @param {{ alpha?: number, isWritten?: boolean }} [how]
 */
export function number(pen, look, { x, y, w, h }, value, scale, most, { alpha = 1, isWritten = true } = {}) {
  const inner = { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 };
  const colours = shade(value, scale, most);
  const share = isDark(look) && scale === "signed" ? NIGHT.least + NIGHT.more * Math.min(1, Math.abs(value) / most) : 1;
  const fill = colours ? mixed(colours.paper, look.paper, share) : look.paper;
  if (!colours) outline(pen, look, inner, 0.16);
  pen.globalAlpha = alpha;
  pen.fillStyle = fill;
  if (colours) pen.fillRect(inner.x, inner.y, inner.w, inner.h);
  if (isWritten) fitted(pen, colours ? tenths(value) : ["−∞"], inner, colours ? inkOn(fill) : look.ink);
  pen.globalAlpha = 1;
}

/**
 * A number without a colour.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Record<string, string>} look
 * @param {Box} box
 * @param {number} value
 */
export const plain = (pen, look, box, value) => fitted(pen, tenths(value), box, look.ink);

/** Where numbers will be. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {import("./layout.js").Block} block */
export function tray(pen, look, block) {
  pen.globalAlpha = 0.06;
  pen.fillStyle = look.ink;
  for (let i = 0; i < block.rows; i++)
    for (let j = 0; j < block.columns; j++) {
      const { x, y, w, h } = cellOf(block, i, j);
      pen.fillRect(x + 0.5, y + 0.5, w - 1, h - 1);
    }
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box @param {number} alpha */
export function outline(pen, look, { x, y, w, h }, alpha) {
  frame(pen, { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 }, look.ink, 1, alpha);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string[]} texts the first that fits is written
 * @param {Box} box
 * @param {string} colour
 */
function fitted(pen, texts, { x, y, w, h }, colour) {
  if (h < 10 || w < 19) return;
  const size = h < 16 || w < 28 ? 11 : w > 42 && h > 24 ? 16 : w > 40 ? 14 : w > 33 ? 13 : 12;
  pen.font = `400 ${size}px ${FONT}`;
  // Where a minus sign fills its cell, a dash stands for it: numbers side by side stay apart.
  const all = w < 32 ? texts.map((one) => one.replace("−", "–")) : texts;
  const text = all.find((one) => pen.measureText(one).width <= w + 1);
  if (text !== undefined) write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour, size, align: "center" });
}

/** A score that was there and is gone: a dot. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box @param {number} alpha */
export function ghost(pen, look, { x, y, w, h }, alpha) {
  pen.globalAlpha = 0.3 * alpha; // whatever it was: it is no more
  pen.fillStyle = look.ink;
  pen.beginPath();
  pen.arc(x + w / 2, y + h / 2, 3, 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = 1;
}

/** A score that is never computed. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} look @param {Box} box */
export function hatch(pen, look, { x, y, w, h }) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, w, h);
  pen.clip();
  pen.globalAlpha = isDark(look) ? 0.6 : 0.35;
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
