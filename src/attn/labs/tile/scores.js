// The grid of scores on TileLab's canvas: those that exist, and a dot for each that is gone.

import { fall, soft } from "../kit/time.js";
import { ghost, hatch, MOST, number, tray } from "./cells.js";
import { cellOf, partOf } from "./layout.js";
import { isKept } from "./model.js";
import { scoreBetween } from "./scene.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Moment} Moment */

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Moment} before @param {Moment} after @param {number} part */
export function paintScores(pen, { plan, settings, look }, before, after, part) {
  const { L, S, tile } = settings;
  tray(pen, look, plan.scores);
  for (let at = 0; at < L * S; at++) {
    const [i, j] = [Math.floor(at / S), at % S];
    const box = cellOf(plan.scores, i, j);
    const { value, kind, alpha, leave } = scoreBetween(at, before, after, part);
    if (kind === "score" || kind === "weight") {
      const [dx, dy] = [box.w, box.h].map((size) => 0.45 * size * fall(leave)); // it shrinks to a dot
      const moved = { x: box.x + dx, y: box.y + dy, w: box.w - 2 * dx, h: box.h - 2 * dy };
      const isWeight = kind === "weight";
      const how = { alpha, isWritten: leave < 0.15 };
      number(pen, look, moved, value, isWeight ? "weights" : "signed", isWeight ? 1 : MOST, how);
    }
    if (!isKept(settings, i, j)) hatch(pen, look, box);
    else if (leave > 0 || kind === "gone") ghost(pen, look, box, leave > 0 ? soft(leave) : 1);
  }
  // The tiles stand apart.
  const { x, y, w, h } = partOf(plan.scores);
  pen.fillStyle = look.paper;
  for (let j = tile; j < S; j += tile) pen.fillRect(x + j * plan.w - 1.5, y, 3, h);
  for (let i = tile; i < L; i += tile) pen.fillRect(x, y + i * plan.h - 1.5, w, 3);
}
