// The large table of a tensor, number by number.

import { spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { mix, progress } from "../kit/time.js";
import { grownAt } from "./differences.js";
import { fill, number, outlined, shadeOf } from "./ink.js";
import { boxOf, sizeOf } from "./layout.js";
import { TENSORS } from "./model.js";
import { termsSoFar } from "./scene.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {import("./ink.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const FADED = 0.2;
const BEHIND = 3; // pixels from one table of a stack to the next

/**
 * How pale the numbers are that do not belong to the one that is explained, and how strong its marks in this tensor. What a nudge changes
 * is marked when it has changed.
 *
 * @param {Scene} scene
 * @param {number} side
 * @param {number} bump how much of the move of a nudged number has passed
 */
export function fadeOf({ trace }, side, bump) {
  const n = trace ? progress(bump, side === 2 ? 0.85 : 0, side === 2 ? 1 : 0.12) : 0;
  return { n, alpha: mix(1, FADED, n) };
}

/**
 * A result fills up from below as its terms fall into it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {Place} place
 * @param {number} side
 * @param {number} bump
 */
export function paintSheet(pen, picture, scene, place, side, bump) {
  const { results, look } = picture;
  const data = results[TENSORS[side]];
  const marks = scene.marks[side];
  const { moment, trace } = scene;
  const [B, H, R, C] = place.sizes;
  const [b, h] = scene.fronts[side];
  const first = (b * H + h) * R * C;
  const { x, y } = place.sheet;
  const whole = { x, y, ...sizeOf(place) };
  const fade = fadeOf(scene, side, bump);
  if (!place.all) for (const n of range(Math.min(2, B * H - 1))) paintBehind(pen, look, whole, (2 - n) * BEHIND);
  fill(pen, whole, [look.paper]);
  for (const n of range(R * C).map((at) => first + at)) {
    const [i, j] = [Math.floor((n - first) / C), (n - first) % C];
    const cell = boxOf(place, i, j);
    const box = { x: cell.x + 0.5, y: cell.y + 0.5, w: cell.w - 1, h: cell.h - 1 };
    const done = side === 2 ? termsSoFar(scene, n) / moment.terms : 1;
    const isWhole = done >= 1;
    const isOther = trace !== null && !marks?.has(n);
    const isFaded = isOther && fade.n > 0.5;
    const old = marks?.has(n) ? oldOf(picture, scene, side, n) : null;
    const isOld = bump < grownAt(side, i, R);
    const value = isWhole ? ((isOld ? old : null) ?? data[n]) : scene.sum;
    const { fills, ink, origins } = shadeOf(picture, side, n, value);
    fill(pen, box, [isWhole ? look.empty : look.paper]); // a result that has not been computed has no colour
    if (done > 0) {
      const high = isWhole ? box.h : box.h * done;
      pen.globalAlpha = isOther ? fade.alpha : 1;
      fill(pen, { ...box, y: box.y + box.h - high, h: high }, fills);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = look.rule;
    pen.lineWidth = 1;
    if (!isWhole) pen.strokeRect(box.x, box.y, box.w, box.h);
    if (!isWhole && (done === 0 || scene.isFast)) continue;
    const isMixed = origins !== null && origins.length > 1;
    const isFilled = isWhole || done > 0.6;
    const colour = isFaded ? look.quiet : isFilled && !isMixed ? ink : look.ink;
    const isGrown = side < 2 && old !== null && !isOld;
    if (isGrown && number(pen, box, `${spelled(old)}→${spelled(value)}`, colour)) continue;
    number(pen, box, spelled(value), colour, isMixed && !isFaded ? look.paper : "");
  }
  frameMarks(pen, picture, place, first, marks, trace ? fade.n : 1);
}

/** The edge of a table behind this one: the tensor has more of them. @param {CanvasRenderingContext2D} pen @param {Picture["look"]} look @param {Box} box @param {number} by */
function paintBehind(pen, look, { x, y, w, h }, by) {
  fill(pen, { x: x + by, y: y + by, w, h }, [look.empty]);
  pen.strokeStyle = look.rule;
  pen.lineWidth = 1;
  pen.strokeRect(x + by + 0.5, y + by + 0.5, w - 1, h - 1);
}

/** A number before the nudge; null if the nudge does not change it. @param {Picture} picture @param {Scene} scene @param {number} side @param {number} n */
function oldOf({ before, results }, { trace, isNudge }, side, n) {
  if (!isNudge || !before) return null;
  if (side === 2) return before[n];
  return trace?.side === side && trace.n === n ? results[TENSORS[side]][n] - 1 : null;
}

/**
 * Frames around the marked numbers of the large table: one around all of them if they fill a rectangle.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Place} place
 * @param {number} first the first number of the table
 * @param {Set<number> | null} marks
 * @param {number} n how visible they are; a frame that appears is larger at first
 */
function frameMarks(pen, { look }, place, first, marks, n) {
  const [, , R, C] = place.sizes;
  const here = [...(marks ?? [])].map((at) => at - first).filter((at) => at >= 0 && at < R * C);
  if (!here.length || n <= 0) return;
  const rows = here.map((at) => Math.floor(at / C));
  const columns = here.map((at) => at % C);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [high, wide] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  const groups = high * wide === here.length ? [[top, left, high, wide]] : here.map((_, at) => [rows[at], columns[at], 1, 1]);
  pen.globalAlpha = n;
  for (const [i, j, tall, broad] of groups) {
    const { x, y, w, h } = boxOf(place, i, j);
    const out = 1 + (n < 1 ? 3 * Math.sin(Math.PI * n) : 0);
    const thick = h < 20 ? 1.75 : 2.5; // low numbers beside it stay whole
    outlined(pen, look, { x: x - out / 2, y: y - out / 2, w: broad * w + out, h: tall * h + out }, thick);
  }
  pen.globalAlpha = 1;
}
