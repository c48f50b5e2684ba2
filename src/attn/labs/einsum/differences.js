// By how much each result changes with a nudged number: the number of the other tensor that it is multiplied with goes from there to the
// result.

import { spelled } from "../kit/format.js";
import { mix, progress, swing } from "../kit/time.js";
import { boxOf } from "./layout.js";
import { indexOf } from "./model.js";
import { termsOf } from "./pin.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */

const FLIES = 0.32; // the part of the move for which one is on its way

export const GROWS = 0.12; // when the nudged number has grown

/** When result n has changed: those of a column, or of a row, one after the other. @param {number} side of the nudged number @param {number} n @param {import("./layout.js").Sizes} sizes */
export const changesAt = (side, n, [, , R, C]) => 0.5 + 0.35 * (side ? (Math.floor(n / C) % R) / R : (n % C) / C);

/**
 * What is on its way to the results at a moment of the move.
 *
 * @param {Pick<import("./ink.js").Picture, "plan" | "formula" | "settings" | "results" | "before">} picture
 * @param {import("./scene.js").Scene} scene
 * @param {number} bump how much of the move has passed
 * @returns {{ box: Box, text: string }[]}
 */
export function differencesAt({ plan, formula, settings, results, before }, { trace, isNudge, fronts, marks }, bump) {
  if (!trace || !isNudge || !before) return [];
  const [goal, other] = [plan.places[2], plan.places[1 - trace.side]].map((place) => /** @type {Place} */ (place));
  return [...(marks[2] ?? [])].flatMap((n) => {
    const until = changesAt(trace.side, n, goal.sizes);
    const flown = progress(bump, until - FLIES, until, swing);
    const met = termsOf(formula, settings, n, Infinity).terms.filter((term) => term[trace.side] === trace.n);
    const from = met[0][1 - trace.side];
    const isSeen = met.length === 1 && String(indexOf(from, other.sizes).slice(0, 2)) === String(fronts[1 - trace.side]);
    if (flown <= 0 || flown >= 1 || !isSeen) return [];
    const [start, end] = [boxOf(other, from), boxOf(goal, n)];
    const part = (/** @type {keyof Box} */ key) => mix(start[key], end[key], flown);
    const added = results.result[n] - before[n];
    return [{ box: { x: part("x"), y: part("y"), w: part("w"), h: part("h") }, text: `${added < 0 ? "" : "+"}${spelled(added)}` }];
  });
}
