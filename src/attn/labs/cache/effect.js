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
  for (const { way, n } of lines) {
    if (n <= 0) continue;
    const to = way[way.length - 1];
    const lengths = way.slice(1).map(({ x, y }, m) => Math.abs(x - way[m].x) + Math.abs(y - way[m].y)); // it turns at right angles
    let left = n * lengths.reduce((sum, one) => sum + one, 0);
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(way[0].x, way[0].y);
    for (const [m, length] of lengths.entries()) {
      const part = length ? Math.max(0, Math.min(1, left / length)) : 0;
      if (part > 0) pen.lineTo(mix(way[m].x, way[m + 1].x, part), mix(way[m].y, way[m + 1].y, part));
      left -= length;
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

/** From the new query to its scores. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
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
export function paintCaption(pen, { plan, looks, state: { causal, S, P } }, { step }) {
  const [x, y] = [plan.narrow ? plan.x.word : plan.x.q, plan.foot + 8];
  const colour = looks.ink;
  const [size, small, apart] = plan.narrow ? [12, 12, 16] : [15, 13, 21];
  if (step.length) {
    const lines = plan.narrow ? step : [step.join(" ")];
    for (const [n, line] of lines.entries()) write(pen, line, x, y + apart * n, { colour, weight: 700, size });
    return;
  }
  write(pen, plan.narrow ? "queries: not kept" : "not kept", x, y, { colour, weight: 700, size });
  const below = plan.narrow ? "keys, values: kept" : causal && S > P ? "no later word reads an old query" : "";
  write(pen, below, x, y + apart, { colour: quiet(looks), size: small });
}
