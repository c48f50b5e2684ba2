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
  if (overwrite === "nothing" || scene.callout <= 0) return;
  const row = rowOf(plan, overwrite, at);
  pen.font = `600 13px ${FONT}`;
  const wide = Math.max(...callout.map((line) => pen.measureText(line).width)) + 16;
  const high = 18 * callout.length + 8;
  const isBelow = at < plan.slots - 3;
  const y = isBelow ? row.y + row.h + 8 : row.y - high - 8;
  const x = Math.max(2, overwrite === "q" ? row.x - 2 : row.x + row.w + 1 - wide);
  pen.globalAlpha = scene.callout;
  pen.fillStyle = looks.paper;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(x, y, wide, high, 6);
  pen.fill();
  pen.stroke();
  const tip = row.x + row.w / 2;
  const edge = isBelow ? y : y + high;
  const point = isBelow ? edge - 7 : edge + 7;
  pen.beginPath();
  pen.moveTo(tip - 7, edge);
  pen.lineTo(tip, point);
  pen.lineTo(tip + 7, edge);
  pen.fill();
  pen.stroke();
  callout.forEach((line, n) => {
    write(pen, line, x + 8, y + 13 + 18 * n, { colour: looks.ink, size: n ? 12 : 13, weight: n ? 400 : 600 });
  });
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
