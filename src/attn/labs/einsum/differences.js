// By how much each result changes with a nudged number: the number of the other tensor that it is multiplied with goes from there into the
// result, and stays there.

import { spelled } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { mix, progress, swing } from "../kit/time.js";
import { boxOf, gridOf } from "./layout.js";
import { indexOf } from "./model.js";
import { partnersOf } from "./pin.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */

export const GROWS = 0.12; // when the nudged number has grown
const TURNS = 0.73; // the part of the move after that in which the results change, matrix by matrix
const FLIES = 0.44; // the part of a matrix's turn for which a difference is on its way

/** Which of several matrices of the result has its turn. @param {number} bump how much of the move has passed @param {number} count */
export const turnAt = (bump, count) => clamp(Math.floor(((bump - GROWS) / TURNS) * count), 0, count - 1);

/**
 * When result n has changed: the matrices one after the other, and in each the results of a column, or of a row.
 *
 * @param {number} side of the nudged number
 * @param {number} n
 * @param {import("./layout.js").Sizes} sizes
 * @param {number[]} turns the matrices that change
 */
export function changesAt(side, n, [, , R, C], turns) {
  const turn = Math.max(0, turns.indexOf(Math.floor(n / (R * C))));
  const share = side ? (Math.floor(n / C) % R) / R : (n % C) / C;
  return GROWS + (TURNS / turns.length) * (turn + 0.52 + 0.48 * share);
}

/**
 * Where the differences stand in the results, all equally wide; null if they have no room. Those of a narrow column are wider than their
 * cells.
 *
 * @param {Pick<import("./ink.js").Picture, "plan" | "formula" | "most">} picture
 * @param {number} side of the nudged number
 * @returns {((n: number) => Box) | null}
 */
export function labelsOf({ plan, formula, most }, side) {
  const place = /** @type {Place} */ (plan.places[2]);
  const wide = Math.max(place.sheet.w, 13 + 8 * spelled(most.factors).length);
  const across = gridOf(formula.result)[3];
  const isRow = across && !formula.tensors[side].includes(across); // of cells side by side
  if (place.sheet.p < 11 || (isRow && wide > place.sheet.w)) return null;
  return (n) => {
    const cell = boxOf(place, n);
    return { ...cell, x: cell.x + (cell.w - wide) / 2, w: wide };
  };
}

/**
 * The differences at a moment of the move: on their way to the results, or in them. On its way one is faint, because it belongs to none of
 * the numbers that it passes.
 *
 * @param {Pick<import("./ink.js").Picture, "plan" | "formula" | "settings" | "results" | "before" | "most">} picture
 * @param {import("./scene.js").Scene} scene
 * @param {number} bump how much of the move has passed
 * @returns {{ box: Box, text: string, alpha: number }[]}
 */
export function differencesAt(picture, { trace, isNudge, fronts, marks, turns }, bump) {
  const { plan, formula, settings, results, before } = picture;
  const labels = trace && isNudge && labelsOf(picture, trace.side);
  if (!labels || !before) return [];
  const [goal, other] = [plan.places[2], plan.places[1 - trace.side]].map((place) => /** @type {Place} */ (place));
  return [...(marks[2] ?? [])].flatMap((n) => {
    const until = changesAt(trace.side, n, goal.sizes, turns);
    const flown = progress(bump, until - (FLIES * TURNS) / turns.length, until, swing);
    const [from, ...others] = partnersOf(formula, settings, trace.side, trace.n, n);
    const isSeen = !others.length && other && String(indexOf(from, other.sizes).slice(0, 2)) === String(fronts[1 - trace.side]);
    const added = results.result[n] - before[n];
    const text = `${added < 0 ? "" : "+"}${spelled(added)}`;
    if (flown <= 0 || (flown < 1 && !isSeen)) return [];
    const end = labels(n);
    const start = isSeen ? boxOf(other, from) : end;
    const part = (/** @type {keyof Box} */ key) => mix(start[key], end[key], flown);
    const box = { x: part("x"), y: part("y"), w: part("w"), h: part("h") };
    return [{ box, text, alpha: 0.15 + 0.85 * (2 * flown - 1) ** 4 }];
  });
}
