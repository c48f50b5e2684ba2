// What CacheLab's picture says in words and lines: the step of an arrival, and which rows overwriting changes.

import { write } from "../kit/canvas.js";
import { mix } from "../kit/time.js";
import { rowOf } from "./layout.js";
import { quiet } from "./looks.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const TRUNK = 11; // pixels from a trunk to the ends of its lines

/** Who reads what is overwritten, and from a new query to its scores. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintLines(pen, { plan, looks }, { lines }) {
  pen.strokeStyle = looks.ink;
  pen.fillStyle = looks.ink;
  pen.lineWidth = 1.5;
  const dot = (/** @type {{ x: number, y: number }} */ { x, y }) => {
    pen.beginPath();
    pen.arc(x, y, 3, 0, 2 * Math.PI);
    pen.fill();
  };
  for (const { from, to, n, start, end, alpha = 1 } of lines) {
    if (n <= 0) continue;
    const longest = Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
    const middle = mix(from.x, to.x, 0.5);
    pen.globalAlpha = alpha;
    pen.setLineDash(n < 1 ? [n * longest, longest] : []); // a line that grows
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    if (plan.narrow) {
      const trunk = to.x - TRUNK; // curves would lie upon each other
      pen.arcTo(trunk, from.y, trunk, to.y, 4);
      pen.arcTo(trunk, to.y, to.x, to.y, 4);
      pen.lineTo(to.x, to.y);
    } else pen.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
    pen.stroke();
    pen.setLineDash([]);
    if (start) dot(from);
    if (n === 1 && end === "dot") dot(to);
    if (n < 1 || end !== "arrow") continue;
    pen.beginPath();
    pen.moveTo(to.x + 1, to.y);
    pen.lineTo(to.x - 6, to.y - 4);
    pen.lineTo(to.x - 6, to.y + 4);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/**
 * What happens while a word arrives, and at rest what is kept.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintCaption(pen, { plan, looks, state: { S, overwrite } }, { step, started }) {
  const [x, y] = [plan.narrow ? plan.x.word : plan.x.q, plan.foot + 8];
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
  if (overwrite === "nothing" && !plan.narrow) return;
  const [first, second] =
    overwrite === "nothing" ? ["queries: not kept", "keys, values: kept"] : ["computed again", "for this test"];
  if (overwrite !== "nothing") pen.globalAlpha = started;
  write(pen, first, x, y, { colour, weight: 700, size });
  write(pen, second, x, y + apart, { colour: quiet(looks), size: small });
  pen.globalAlpha = 1;
}
