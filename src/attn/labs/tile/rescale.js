// Where a sum is rescaled: one row, its new maximum, and what that rescales. The other rows are pale.

import { frame } from "./cells.js";
import { cellOf, partOf } from "./layout.js";

const PALE = 0.7; // how much of the other rows is covered

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {import("./sum.js").Shown} sum
 */
export function paintRescale(pen, { plan, settings, look, whole }, { row, was, rise, focus }) {
  if (!focus || !rise || !was) return;
  const { scores, run, out, roomy, h, width } = plan;
  const [cause, effect] = focus;
  pen.globalAlpha = PALE * cause;
  pen.fillStyle = look.paper;
  for (const { y, rows } of roomy ? [scores] : [scores, out]) {
    pen.fillRect(0, y - 2, width, row * h + 2);
    pen.fillRect(0, y + (row + 1) * h, width, (rows - row - 1) * h + 2);
  }
  const score = cellOf(scores, row, whole.indexOf(rise.to, row * settings.S) - row * settings.S);
  for (const box of [score, cellOf(run, row, 0)]) frame(pen, box, look.live, 3, cause);
  for (const box of [cellOf(run, row, 1), partOf(out, [row, row + 1])]) frame(pen, box, look.live, 2, effect);
}
