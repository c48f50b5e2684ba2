// What the pictures of VarianceLab have in common: their colours and their axes.

import { write } from "../kit/canvas.js";
import { COLOURS, coloursOf, mixed } from "../kit/colours.js";

/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {ReturnType<typeof lookOf>} Look */

export const AXIS = 19; // the height of an axis with its numbers

/** @param {HTMLElement} root */
export function lookOf(root) {
  const { ink, paper } = coloursOf(root);
  return {
    ...{ ink, paper, fill: COLOURS[0], quiet: mixed(ink, paper, 0.75), line: mixed(ink, paper, 0.4) },
    ...{ faint: mixed(ink, paper, 0.14), sheet: mixed(ink, paper, 0.06) },
    edge: mixed(COLOURS[0], ink, 0.55), // of what is filled: it can be seen on the paper
  };
}

/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} y
 * @param {number} width
 * @param {{ at: number, text: string, side?: "left" | "right" }[]} ticks side: where the text begins, or ends; else it is centred
 */
export function drawAxis(pen, look, y, width, ticks) {
  pen.strokeStyle = look.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(0, y + 0.5);
  pen.lineTo(width, y + 0.5);
  for (const { at, text, side } of ticks) {
    if (at < 0 || at > width) continue;
    pen.moveTo(at, y);
    pen.lineTo(at, y + 4);
    const half = 3.3 * text.length;
    const align = at < half ? "left" : at > width - half ? "right" : "center";
    const place = side ? at : { left: 0, center: at, right: width }[align];
    write(pen, text, place, y + 12, { colour: look.quiet, size: 11.5, align: side ?? align });
  }
  pen.stroke();
}
