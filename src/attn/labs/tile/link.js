// Where a sum is rescaled: one row, its new maximum, and what that does to its sum and to its output.

import { write } from "../kit/canvas.js";
import { inkOn } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { frame } from "./cells.js";
import { cellOf } from "./layout.js";

const PALE = 0.82; // how much of the other rows is covered

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {import("./sum.js").Shown} sum
 */
export function paintLink(pen, { plan, settings, look, whole, most }, { row, was, rise, focus }) {
  if (!focus || !rise || !was) return;
  const { scores, run, out, bar, sum, roomy, h } = plan;
  const [cause, effect] = focus;
  const y = scores.y + row * h;
  pen.globalAlpha = PALE * cause;
  pen.fillStyle = look.paper;
  pen.beginPath();
  pen.rect(0, 0, plan.width, sum.y - 2);
  pen.rect(0, y, plan.width, h); // these stay: the row, the titles beside each other, and on a narrow page the output
  pen.rect(scores.x, scores.y - 18, plan.width - scores.x, 18);
  if (!roomy) pen.rect(0, out.y + row * h, plan.width, h);
  pen.fill("evenodd");

  const score = cellOf(scores, row, whole.indexOf(rise.to, row * settings.S) - row * settings.S);
  const top = cellOf(run, row, 0);
  const [x, line] = [top.x + top.w / 2, y + h / 2];
  for (const box of [score, top]) frame(pen, box, look.live, 3, cause);
  pen.globalAlpha = cause;
  const link = (/** @type {number[][]} */ ...points) => arrow(pen, look.live, points);
  link([score.x + score.w, line], [top.x, line]);

  const [under, middle] = [run.y + run.rows * h + (roomy ? 0 : 14), bar.y + bar.h / 2];
  pen.globalAlpha = effect;
  link([x, y + h], [x, middle], [bar.x + (was / most) * bar.w + 42, middle]);
  const [left, right, other] = [out.x - 8, out.x + out.columns * out.w, out.y + (row + 0.5) * h];
  if (roomy) link([x, under], [left - 14, under], [left - 14, line], [left, line]);
  else link([x, other], [right, other]);
  pen.fillStyle = look.live;
  pen.beginPath();
  pen.roundRect(x - 37, under - 13, 74, 26, 5);
  pen.fill();
  write(pen, `× ${spelled(rise.factor, 2)}`, x, under + 0.5, {
    colour: inkOn(look.live),
    size: 18,
    weight: 700,
    align: "center",
  });
  pen.globalAlpha = 1;
}

/** A line through these points, with a head. @param {CanvasRenderingContext2D} pen @param {string} colour @param {number[][]} points */
function arrow(pen, colour, points) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 3;
  pen.beginPath();
  for (const [px, py] of points) pen.lineTo(px, py);
  pen.lineTo(x - 6 * dx, y - 6 * dy);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 9 * dx + 6 * dy, y - 9 * dy + 6 * dx);
  pen.lineTo(x - 9 * dx - 6 * dy, y - 9 * dy - 6 * dx);
  pen.fill();
}
