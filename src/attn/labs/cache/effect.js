// What CacheLab's picture says in words and lines: the step of an arrival; what overwriting changes, and a note beside what was overwritten.

import { FONT, write } from "../kit/canvas.js";
import { mix } from "../kit/time.js";
import { rowOf } from "./layout.js";
import { quiet } from "./looks.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintLines(pen, { looks }, { lines }) {
  pen.strokeStyle = looks.ink;
  pen.fillStyle = looks.ink;
  for (const { from, to, n } of lines) {
    if (n <= 0) continue;
    const middle = mix(from.x, to.x, 0.5);
    pen.globalAlpha = 1;
    pen.lineWidth = 1.8;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    const steps = 24;
    let [x, y] = [from.x, from.y];
    for (let s = 1; s <= steps * n; s++) {
      [x, y] = curve(from, { x: middle, y: from.y }, { x: middle, y: to.y }, to, s / steps);
      pen.lineTo(x, y);
    }
    pen.stroke();
    if (n < 1) continue;
    pen.beginPath();
    pen.moveTo(to.x + 1, to.y);
    pen.lineTo(to.x - 6, to.y - 4);
    pen.lineTo(to.x - 6, to.y + 4);
    pen.fill();
  }
}

/** @returns {[number, number]} */
function curve(a, b, c, d, t) {
  const u = 1 - t;
  const along = (/** @type {"x" | "y"} */ axis) =>
    u ** 3 * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t ** 3 * d[axis];
  return [along("x"), along("y")];
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintCallout(pen, { plan, looks, state: { overwrite, at }, callout }, scene) {
  if (overwrite === "nothing" || !callout || scene.callout <= 0) return;
  // Over the place of a query that was not kept, so that it covers no number: of the word before or after it, or of the key's word.
  const isQuery = overwrite === "q";
  const beside = isQuery ? (at ? at - 1 : 1) : at;
  const row = rowOf(plan, "q", beside);
  const text = callout[plan.narrow ? 1 : 0];
  pen.font = `600 12px ${FONT}`;
  const wide = pen.measureText(text).width + 12;
  const box = { x: Math.max(2, row.x + row.w - wide), y: row.y, w: wide, h: row.h };
  pen.globalAlpha = scene.callout;
  pen.fillStyle = looks.paper;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(box.x, box.y, box.w, box.h, 6);
  pen.fill();
  pen.stroke();
  const middle = row.y + row.h / 2;
  if (!isQuery) {
    pen.beginPath();
    pen.moveTo(box.x + box.w, middle - 6);
    pen.lineTo(box.x + box.w + 6, middle);
    pen.lineTo(box.x + box.w, middle + 6);
    pen.fill();
    pen.stroke();
  }
  write(pen, text, box.x + 6, middle + 0.5, { colour: looks.ink, weight: 600 });
  pen.globalAlpha = 1;
}

/**
 * What happens while a word arrives, and at rest what is kept.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintCaption(pen, { plan, looks, state: { causal } }, { step }) {
  const [x, y] = [plan.narrow ? plan.x.word : plan.x.q, plan.foot + 8];
  const colour = looks.ink;
  if (step.length) {
    const lines = plan.narrow ? step : [step.join(" ")];
    for (const [n, line] of lines.entries()) write(pen, line, x, y + 16 * n, { colour, weight: 700 });
    return;
  }
  write(pen, plan.narrow ? "queries: not kept" : "not kept", x, y, { colour, weight: 700 });
  const below = plan.narrow ? "keys, values: kept" : causal ? "no later word reads an old query" : "";
  write(pen, below, x, y + 16, { colour: quiet(looks) });
}
