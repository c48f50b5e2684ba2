// Where a sum is rescaled: one row and its new maximum, and below its total and output before, the factor, and both after it.

import { write } from "../kit/canvas.js";
import { inkOn } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { frame, number, tally, tray } from "./cells.js";
import { cellOf, partOf } from "./layout.js";

const PALE = 0.82; // how much of the other rows is covered

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {import("./sum.js").Shown} sum
 * @param {number} strongest of the values, for the colours of the output
 */
export function paintRescale(pen, { plan, settings, words, look, whole, most }, { row, was, rise, focus }, strongest) {
  if (!focus || !rise || !was) return;
  const { scores, run, out, sum, strips, roomy, h } = plan;
  const [cause, effect, after] = focus;
  const y = scores.y + row * h;
  pen.globalAlpha = PALE * cause;
  pen.fillStyle = look.paper;
  pen.beginPath();
  pen.rect(0, 0, plan.width, sum.y - 2);
  pen.rect(0, y, plan.width, h); // these stay: the row, the titles beside each other, and on a narrow page the output
  pen.rect(scores.x, scores.y - 18, plan.width - scores.x, 18);
  if (!roomy) pen.rect(0, out.y + row * h, plan.width, h);
  pen.fill("evenodd");
  pen.globalAlpha = cause;
  pen.fillRect(run.x - 2, sum.y - 12, plan.width - run.x, 23); // the strips come near what is written below the running numbers
  const score = cellOf(scores, row, whole.indexOf(rise.to, row * settings.S) - row * settings.S);
  for (const box of [score, cellOf(run, row, 0)]) frame(pen, box, look.live, 3, cause);

  // Cells, faded as a whole: they set how strong they are themselves.
  const size = roomy ? 13 : 11;
  for (const [n, strip] of strips.entries()) {
    const alpha = n ? after : effect;
    if (!alpha) continue;
    const scale = n ? rise.factor : 1;
    tray(pen, look, { ...strip, columns: 1 });
    tally(pen, look, cellOf(strip, 0, 0), was.total * scale, most);
    for (const [d, one] of was.out.entries()) number(pen, look, cellOf(strip, 0, d + 1), one * scale, "signed", strongest);
    for (const [text, from, to] of /** @type {const} */ ([["total", 0, 1], ["output", 1, strip.columns]])) // biome-ignore format: one line
      write(pen, text, strip.x + ((from + to) / 2) * strip.w, strip.y - 8, { colour: look.ink, size, align: "center" });
    const { x, y, w, h } = partOf(strip);
    pen.globalAlpha = 1 - alpha;
    pen.fillStyle = look.paper;
    pen.fillRect(x - 1, y - 16, w + 2, h + 17);
    pen.globalAlpha = 1;
  }
  pen.globalAlpha = effect;
  const [left, right] = [strips[0].x + partOf(strips[0]).w, strips[1].x];
  const [from, to, middle] = [left + (roomy ? 14 : 6), right - (roomy ? 14 : 6), strips[0].y + strips[0].h / 2];
  pen.fillStyle = look.live;
  pen.beginPath();
  for (const [px, py] of [[from, -13], [to - 14, -13], [to, 0], [to - 14, 13], [from, 13]]) pen.lineTo(px, middle + py); // biome-ignore format: one line
  pen.fill();
  const how = { colour: inkOn(look.live), size: roomy ? 18 : 14, weight: 700, align: /** @type {const} */ ("center") };
  write(pen, `× ${spelled(rise.factor, 2)}`, (from + to - 7) / 2, middle + 0.5, how);
  if (roomy) write(pen, `“${words.queries[row]}”`, strips[0].x - 12, middle, { ...how, colour: look.L, size: 14, align: "right" });
  pen.globalAlpha = 1;
}
