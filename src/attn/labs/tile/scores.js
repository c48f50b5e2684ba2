// The grid of scores on TileLab's canvas: those that exist, a dot for each that is gone, and how many there are.

import { FONT, write } from "../kit/canvas.js";
import { inkOn } from "../kit/colours.js";
import { fall, mix, soft } from "../kit/time.js";
import { frame, ghost, hatch, MOST, number, tray } from "./cells.js";
import { cellOf, partOf } from "./layout.js";
import { cutsOf, isKept } from "./model.js";
import { scoreBetween } from "./scene.js";
import { aliveAt } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Moment} Moment */
/** @typedef {import("./layout.js").Box} Box */

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Moment} before @param {Moment} after @param {number} part */
export function paintScores(pen, { plan, settings, look, whole }, before, after, part) {
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
    else if (leave > 0 || kind === "gone") ghost(pen, look, box, whole[at], leave > 0 ? soft(leave) : 1);
  }
  // The tiles stand apart.
  const { x, y, w, h } = partOf(plan.scores);
  pen.fillStyle = look.paper;
  for (let j = tile; j < S; j += tile) pen.fillRect(x + j * plan.w - 1.5, y, 3, h);
  for (let i = tile; i < L; i += tile) pen.fillRect(x, y + i * plan.h - 1.5, w, 3);
}

/**
 * How many scores exist, at the window that is over them.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Moment} now
 * @param {import("./scene.js").Frame[]} frames
 */
export function paintCount(pen, picture, now, frames) {
  const window = frames.find(({ name }) => name === "scores");
  const count = aliveAt(now);
  if (window && count) say(pen, picture, window.box, `${count} score${count > 1 ? "s" : ""}`);
}

/** At the end: a whole tile, that of the highest score, against all of the grid. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
export function paintHeld(pen, picture) {
  const { plan, settings, look, whole } = picture;
  const highest = whole.indexOf(Math.max(...whole));
  const [rows, columns] = [Math.floor(highest / settings.S), highest % settings.S].map((at, n) => {
    const cuts = cutsOf([settings.L, settings.S][n], settings.tile).filter(([from, to], _, all) => to - from === all[0][1]);
    return cuts.findLast(([from]) => from <= at) ?? cuts[0];
  });
  const box = partOf(plan.scores, rows, columns);
  pen.fillStyle = look.paper;
  pen.fillRect(box.x, box.y, box.w, box.h);
  for (let i = rows[0]; i < rows[1]; i++)
    for (let j = columns[0]; j < columns[1]; j++)
      number(pen, look, cellOf(plan.scores, i, j), whole[i * settings.S + j], "signed", MOST);
  frame(pen, box, look.live, 3);
  say(pen, picture, box, `${(rows[1] - rows[0]) * (columns[1] - columns[0])} at once`);
}

/** A label under a box of the grid, or above it, or over one that fills the grid. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {string} text */
function say(pen, { plan, look }, box, text) {
  const size = plan.roomy ? 15 : 13;
  const grid = partOf(plan.scores);
  pen.font = `700 ${size}px ${FONT}`;
  const [wide, high] = [pen.measureText(text).width + 12, 1.5 * size];
  const middle = Math.min(Math.max(box.x + box.w / 2, grid.x + wide / 2), grid.x + grid.w - wide / 2);
  const [under, over] = [box.y + box.h + 4, box.y - 4 - high];
  const y = under + high < grid.y + grid.h + 8 ? under : over > grid.y - 8 ? over : mix(box.y, box.y + box.h - high, 0.5);
  pen.fillStyle = look.live;
  pen.beginPath();
  pen.roundRect(middle - wide / 2, y, wide, high, 4);
  pen.fill();
  write(pen, text, middle, y + high / 2 + 0.5, { colour: inkOn(look.live), size, weight: 700, align: "center" });
}
