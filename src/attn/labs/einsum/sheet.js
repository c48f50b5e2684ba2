// The matrices of a tensor, number by number.

import { spelled } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { mix, progress } from "../kit/time.js";
import { changesAt, GROWS, labelsOf } from "./differences.js";
import { fill, number, outlined, shadeOf } from "./ink.js";
import { boxOf, matrixOf } from "./layout.js";
import { TENSORS } from "./model.js";
import { termsSoFar } from "./scene.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {import("./ink.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const FADED = 0.2;
const BEHIND = 3; // pixels from one matrix of a stack to the next

/**
 * How pale the numbers are that do not belong to the one that is explained, and how strong its marks in this tensor. What a nudge changes
 * is marked when it has changed.
 *
 * @param {Scene} scene
 * @param {number} side
 * @param {number} bump how much of the move of a nudged number has passed
 */
export function fadeOf({ trace }, side, bump) {
  const n = trace ? progress(bump, side === 2 ? 0.85 : 0, side === 2 ? 1 : GROWS) : 0;
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
  const { apart, sheet } = place;
  const [B, H, R, C] = place.sizes;
  const isAll = apart >= 0;
  const [b, h] = scene.fronts[side];
  const first = isAll ? 0 : (b * H + h) * R * C;
  const count = (isAll ? B * H : 1) * R * C;
  const fade = fadeOf(scene, side, bump);
  if (!isAll) for (const n of range(Math.min(2, B * H - 1))) paintBehind(pen, look, matrixOf(place, b, h), (2 - n) * BEHIND);
  const grownAt = (/** @type {number} */ n) => (side < 2 ? GROWS : changesAt(trace?.side ?? 0, n, place.sizes, scene.turns));
  const line = sheet.w < 8 ? 0 : 0.5; // the paper between two cells
  /** @type {{ n: number, text: string, fills: string[], ink: string } | null} */
  let grown = null;
  for (let n = first; n < first + count; n++) {
    const cell = boxOf(place, n);
    const box = { x: cell.x + line, y: cell.y + line, w: cell.w - 2 * line, h: cell.h - 2 * line };
    const done = side === 2 ? termsSoFar(scene, n) / moment.terms : 1;
    const isWhole = done >= 1;
    const isOther = trace !== null && !marks?.has(n);
    const isFaded = isOther && fade.n > 0.5;
    const old = marks?.has(n) ? oldOf(picture, scene, side, n) : null;
    const isOld = bump < grownAt(n);
    const value = isWhole ? ((isOld ? old : null) ?? data[n]) : scene.sum;
    const { fills, ink, origins } = shadeOf(picture, side, n, value);
    fill(pen, cell, [look.paper]);
    fill(pen, box, [look.empty]); // a result that has not been computed has no colour
    if (done > 0) {
      const high = isWhole ? box.h : box.h * done;
      pen.globalAlpha = isOther ? fade.alpha : 1;
      fill(pen, { ...box, y: box.y + box.h - high, h: high }, fills);
      pen.globalAlpha = 1;
    }
    // 210 colours are seen at a glance, 210 numbers are not: a result shows its number when it is marked. One that changes shows by how much.
    if (B * H > 1 && isAll && (sheet.w < 23 || !marks?.has(n) || scene.isNudge)) continue;
    if (!isWhole && (done === 0 || scene.isFast)) continue;
    const isMixed = origins !== null && origins.length > 1;
    const isPlain = isWhole && !isMixed; // one colour is behind the number
    const colour = isFaded ? look.quiet : isPlain ? ink : look.ink;
    if (side < 2 && old !== null && !isOld) {
      grown = { n, text: `${spelled(old)}→${spelled(value)}`, fills, ink };
      continue;
    }
    number(pen, box, spelled(value), colour, isPlain || isFaded ? "" : look.paper);
  }
  const labels = side === 2 && trace && scene.isNudge && labelsOf(picture, trace.side);
  let boxAt = labels || ((/** @type {number} */ n) => boxOf(place, n));
  if (grown) {
    // Both numbers need more room than a cell has, so it covers a part of its neighbours.
    const { x, w: all } = matrixOf(place, b, h);
    const cell = boxAt(grown.n);
    const w = Math.max(cell.w, 8 + 8.5 * grown.text.length);
    const box = { ...cell, x: clamp(cell.x + (cell.w - w) / 2, x, Math.max(x, x + all - w)), w };
    fill(pen, box, grown.fills);
    number(pen, box, grown.text, grown.ink);
    boxAt = () => box;
  }
  const here = [...(marks ?? [])].filter((n) => n >= first && n < first + count);
  for (const table of isAll ? range(B * H) : [b * H + h])
    frameMarks(pen, picture, here.filter((n) => Math.floor(n / (R * C)) === table).map(boxAt), trace ? fade.n : 1);
}

/** The edge of a matrix behind this one: the tensor has more of them. @param {CanvasRenderingContext2D} pen @param {Picture["look"]} look @param {Box} box @param {number} by */
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
 * Frames around the marked numbers of a matrix: one around all of them if they fill a rectangle.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Box[]} here
 * @param {number} n how visible they are; a frame that appears is larger at first
 */
function frameMarks(pen, { look }, here, n) {
  if (!here.length || n <= 0) return;
  const [from, to] = [here[0], here[here.length - 1]];
  const whole = { x: from.x, y: from.y, w: to.x + to.w - from.x, h: to.y + to.h - from.y };
  const isWhole = Math.round((whole.w * whole.h) / (to.w * to.h)) === here.length;
  pen.globalAlpha = n;
  for (const { x, y, w, h } of isWhole ? [whole] : here) {
    const out = 1 + (n < 1 ? 3 * Math.sin(Math.PI * n) : 0);
    outlined(pen, look, { x: x - out / 2, y: y - out / 2, w: w + out, h: h + out }, clamp(w / 6, 1, 2.5));
  }
  pen.globalAlpha = 1;
}
