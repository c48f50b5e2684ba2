// What CacheLab's picture says in words and lines: the step of an arrival, and which rows overwriting changes.

import { write } from "../kit/canvas.js";
import { mix } from "../kit/time.js";
import { quiet } from "./looks.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintLines(pen, { looks }, { lines }) {
  pen.strokeStyle = looks.ink;
  pen.fillStyle = looks.ink;
  for (const { from, to, n } of lines) {
    if (n <= 0) continue;
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    const [middle, y] = [from.x + 7, mix(from.y, to.y, Math.min(1, 2 * n))]; // first along the rows, then to the one that changes
    pen.lineTo(middle, from.y);
    pen.lineTo(middle, y);
    pen.lineTo(mix(middle, to.x, Math.max(0, 2 * n - 1)), y);
    pen.stroke();
    if (n < 1) continue;
    pen.beginPath();
    pen.moveTo(to.x + 1, to.y);
    pen.lineTo(to.x - 6, to.y - 4);
    pen.lineTo(to.x - 6, to.y + 4);
    pen.fill();
  }
}

/** From the new query to the keys that it meets. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintRays(pen, { looks }, { rays }) {
  pen.strokeStyle = quiet(looks);
  pen.lineWidth = 1;
  for (const { from, to, alpha } of rays) {
    pen.globalAlpha = 0.7 * alpha;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
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
