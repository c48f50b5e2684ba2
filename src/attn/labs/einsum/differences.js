// By how much each result changes with a nudged number: the number of the other tensor that it is multiplied with comes from there, and
// goes into the result.

import { spelled } from "../kit/format.js";
import { mix, progress } from "../kit/time.js";
import { boxOf } from "./layout.js";
import { indexOf } from "./model.js";
import { termsOf } from "./pin.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */

const FLIES = 0.35; // the part of the move for which one is on its way
const LIFT = 24; // how high it rises

/** When a nudged number is drawn as it is now: those of the result one row after the other. @param {number} side @param {number} i @param {number} rows */
export const grownAt = (side, i, rows) => (side < 2 ? 0.3 : 0.5 + (0.4 * i) / rows);

/**
 * What is on its way to the results of the large table at a moment of the move.
 *
 * @param {Pick<import("./ink.js").Picture, "plan" | "formula" | "settings" | "results" | "before">} picture
 * @param {import("./scene.js").Scene} scene
 * @param {number} bump how much of the move has passed
 * @returns {{ box: Box, text: string }[]}
 */
export function differencesAt({ plan, formula, settings, results, before }, { trace, isNudge, fronts, marks }, bump) {
  if (!trace || !isNudge || !before) return [];
  /** Row and column of a number in the large table; none if it is in another one. @param {number} side @param {number} n */
  const inFront = (side, n) => {
    const [b, h, ...at] = indexOf(n, plan.places[side]?.sizes ?? []);
    return String([b, h]) === String(fronts[side]) ? [at] : [];
  };
  const boxAt = (/** @type {number} */ side, /** @type {number[]} */ [i, j]) =>
    boxOf(/** @type {Place} */ (plan.places[side]), i, j);
  const R = /** @type {Place} */ (plan.places[2]).sizes[2];
  const changed = [...(marks[2] ?? [])].flatMap((n) => inFront(2, n).map(([i, j]) => ({ n, i, j })));
  return changed.flatMap(({ n, i, j }) => {
    const to = boxAt(2, [i, j]);
    const other = 1 - trace.side;
    const met = termsOf(formula, settings, n, Infinity).terms.filter((term) => term[trace.side] === trace.n);
    const [from] = met.length > 1 ? [] : inFront(other, met[0][other]);
    const until = grownAt(2, i, R);
    const flown = progress(bump, until - FLIES, until);
    if (flown <= 0 || flown >= 1) return [];
    const { x, y, w, h } = from ? boxAt(other, from) : to;
    const rise = LIFT * Math.sin(Math.PI * flown);
    const box = { x: mix(x, to.x, flown), y: mix(y, to.y, flown) - rise, w: mix(w, to.w, flown), h: mix(h, to.h, flown) };
    const added = results.result[n] - before[n];
    return [{ box, text: `${added < 0 ? "" : "+"}${spelled(added)}` }];
  });
}
