// By how much each result changes with a nudged number: the number of the other tensor that it is multiplied with goes from there to the
// result, and stays beside it.

import { spelled } from "../kit/format.js";
import { mix, progress, swing } from "../kit/time.js";
import { boxOf, gridOf } from "./layout.js";
import { indexOf } from "./model.js";
import { termsOf } from "./pin.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */

const FLIES = 0.32; // the part of the move for which one is on its way
const WIDE = 27;
const LEAST = 18; // how wide a cell is that has room for one above or below it

export const GROWS = 0.12; // when the nudged number has grown

/** When result n has changed: those of a column, or of a row, one after the other. @param {number} side of the nudged number @param {number} n @param {import("./layout.js").Sizes} sizes */
export const changesAt = (side, n, [, , R, C]) => 0.5 + 0.35 * (side ? (Math.floor(n / C) % R) / R : (n % C) / C);

/**
 * The differences at a moment of the move: on their way to the results, or beside them. On its way one is faint, because it belongs to none
 * of the numbers that it passes.
 *
 * @param {Pick<import("./ink.js").Picture, "plan" | "formula" | "settings" | "results" | "before">} picture
 * @param {import("./scene.js").Scene} scene
 * @param {number} bump how much of the move has passed
 * @returns {{ box: Box, text: string, alpha: number }[]}
 */
export function differencesAt({ plan, formula, settings, results, before }, { trace, isNudge, fronts, marks }, bump) {
  if (!trace || !isNudge || !before) return [];
  const [goal, other] = [plan.places[2], plan.places[1 - trace.side]].map((place) => /** @type {Place} */ (place));
  const [, , down, across] = gridOf(formula.result).map((letter) => letter && !formula.tensors[trace.side].includes(letter));
  return [...(marks[2] ?? [])].flatMap((n) => {
    const until = changesAt(trace.side, n, goal.sizes);
    const flown = progress(bump, until - FLIES, until, swing);
    const met = termsOf(formula, settings, n, Infinity).terms.filter((term) => term[trace.side] === trace.n);
    const from = met[0][1 - trace.side];
    const isSeen = met.length === 1 && other && String(indexOf(from, other.sizes).slice(0, 2)) === String(fronts[1 - trace.side]);
    const cell = boxOf(goal, n);
    if (flown <= 0 || (flown < 1 && !isSeen) || (across && (down || cell.w < LEAST))) return [];
    const start = isSeen ? boxOf(other, from) : cell;
    const right = cell.x + cell.w + 3;
    const x = right + WIDE > plan.width ? cell.x - 3 - WIDE : right;
    const below = cell.y + cell.h + 3;
    const y = below + cell.h > plan.height ? cell.y - 3 - cell.h : below;
    const end = across ? { ...cell, y } : { ...cell, x, w: WIDE };
    const part = (/** @type {keyof Box} */ key) => mix(start[key], end[key], flown);
    const added = results.result[n] - before[n];
    const box = { x: part("x"), y: part("y"), w: part("w"), h: part("h") };
    return [{ box, text: `${added < 0 ? "" : "+"}${spelled(added)}`, alpha: 0.15 + 0.85 * (2 * flown - 1) ** 4 }];
  });
}
