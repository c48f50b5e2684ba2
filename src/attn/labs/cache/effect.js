// What CacheLab's picture says in words and lines: the step of an arrival, and which rows overwriting changes.

import { write } from "../kit/canvas.js";
import { mix } from "../kit/time.js";
import { rowOf } from "./layout.js";
import { quiet } from "./looks.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

/** Who reads what is overwritten, and from a new query to its scores. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintLines(pen, { looks }, { lines }) {
  pen.strokeStyle = looks.ink;
  pen.fillStyle = looks.ink;
  pen.lineWidth = 1.5;
  for (const { from, to, level = to.x, n, ends, alpha = 1 } of lines) {
    if (n <= 0) continue;
    const longest = Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
    const middle = mix(from.x, level, 0.5);
    pen.globalAlpha = alpha;
    pen.setLineDash(n < 1 ? [n * longest, longest] : []); // a line that grows
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.bezierCurveTo(middle, from.y, middle, to.y, level, to.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
    if (n < 1 || !ends) continue;
    pen.beginPath();
    pen.moveTo(to.x + 1, to.y);
    pen.lineTo(to.x - 6, to.y - 4);
    pen.lineTo(to.x - 6, to.y + 4);
    pen.fill();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/**
 * What happens while a word arrives, and at rest what is kept.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintCaption(pen, { plan, looks, state: { S, overwrite } }, { step, own }) {
  const [x, y] = [plan.narrow ? plan.x.word : own ? plan.weights.x : plan.x.q, plan.foot + 8];
  const colour = looks.ink;
  pen.globalAlpha = 1;
  if (overwrite === "nothing" && !plan.narrow && S > 1) {
    const { x, y, w, h } = rowOf(plan, "q", Math.min(S - 2, 2));
    write(pen, "not kept", x + w / 2, y + h / 2, { colour, weight: 700, size: 15, align: "center" });
  }
  const [size, small, apart] = plan.narrow ? [12, 12, 16] : [15, 13, 21];
  if (step.length) {
    const lines = plan.narrow ? step : [step.join(" ")];
    for (const [n, line] of lines.entries()) write(pen, line, x, y + apart * n, { colour, weight: 700, size });
    return;
  }
  if (overwrite === "nothing" && !plan.narrow && !own) return;
  const [first, second] = own
    ? ["dashed:", "before sharing"]
    : overwrite === "nothing"
      ? ["queries: not kept", "keys, values: kept"]
      : ["computed again", "as a test: none is kept"];
  write(pen, first, x, y, { colour, weight: 700, size });
  write(pen, second, x, y + apart, { colour: quiet(looks), size: small });
}
