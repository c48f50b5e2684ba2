// By how much each result changes with a nudged number: the number of the other tensor that it is multiplied with comes from there, and
// stays beside the result, in a gap that opens.

import { spelled } from "../kit/format.js";
import { mix, progress } from "../kit/time.js";
import { boxOf } from "./layout.js";
import { indexOf } from "./model.js";
import { termsOf } from "./pin.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */

const FLIES = 0.3; // the part of the move for which one is on its way

/** When a nudged number is drawn as it is now: those of the result one row after the other. @param {number} side @param {number} i @param {number} rows */
export const grownAt = (side, i, rows) => (side < 2 ? 0.12 : 0.5 + (0.4 * i) / rows);

/** The column or the row in which all these results are. @param {ArrayLike<number | boolean> | null | undefined} changed @param {import("./layout.js").Sizes} sizes */
export function gapOf(changed, [, , R, C]) {
  const all = Array.from(changed ?? [], Number).flatMap((yes, n) => (yes ? [n] : []));
  const [rows, columns] = [new Set(all.map((n) => Math.floor(n / C) % R)), new Set(all.map((n) => n % C))];
  const [[i = Infinity], [j = Infinity]] = [rows, columns];
  return { i: columns.size > 1 && rows.size === 1 ? i : Infinity, j: columns.size === 1 ? j : Infinity };
}

/**
 * What is on its way to the results of the large table at a moment of the move, or has arrived.
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
  const { sizes, gap } = /** @type {Place} */ (plan.places[2]);
  const [right, down] = [gap.j < Infinity, gap.i < Infinity].map(Number);
  const changed = [...(marks[2] ?? [])].flatMap((n) => inFront(2, n).map(([i, j]) => ({ n, i, j })));
  return changed.flatMap(({ n, i, j }) => {
    const { x, y, w, h } = boxAt(2, [i, j]);
    const to = { x: x + right * w, y: y + down * h, w, h };
    const other = 1 - trace.side;
    const met = termsOf(formula, settings, n, Infinity).terms.filter((term) => term[trace.side] === trace.n);
    const [from] = met.length > 1 ? [] : inFront(other, met[0][other]);
    const until = grownAt(2, i, sizes[2]);
    const flown = progress(bump, until - FLIES, until);
    if (flown <= 0 || (flown >= 1 && !right && !down)) return [];
    const start = from ? boxAt(other, from) : to;
    const part = (/** @type {keyof Box} */ key) => mix(start[key], to[key], flown);
    const box = { x: part("x"), y: part("y"), w: part("w"), h: part("h") };
    const added = results.result[n] - before[n];
    return [{ box, text: `${added < 0 ? "" : "+"}${spelled(added)}` }];
  });
}
