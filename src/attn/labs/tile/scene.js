// What TileLab draws at a time: how strong each part is, and where the scores are that come and go.

import { clamp, range } from "../kit/math.js";
import { mix, progress, soft } from "../kit/time.js";
import { cellOf } from "./layout.js";
import { EMPTY, GONE, SCORE, SKIPPED, WEIGHT } from "./model.js";

/** @typedef {import("./model.js").Moment} Moment */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {{ name: "q" | "k" | "v" | "scores" | "run" | "out", rows: Cut, columns: Cut }} Lit a part that is in fast memory */
const READ = 0.45; // of a step: by then the tiles that it reads are there

/** @typedef {{ value: number, kind: "score" | "weight" | "gone" | "skipped" | "empty", alpha: number, leave: number, isFast: boolean }} Score */

/**
 * The parts that are in fast memory after a step.
 *
 * @param {{ D: number, S: number, method: "fused" | "stored" }} settings
 * @param {import("./model.js").Step | null} step
 * @returns {Lit[]}
 */
export function litAfter({ D, S, method }, step) {
  if (!step) return [];
  const { kind, rows, columns } = step;
  const isFused = method === "fused";
  const own = columns ?? /** @type {Cut} */ ([0, S]);
  /** @type {(name: Lit["name"], rows: Cut, columns: Cut) => Lit} */
  const lit = (name, rows, columns) => ({ name, rows, columns });
  const parts = [];
  if (kind === "write") return [];
  if (isFused || kind === "read" || kind === "scores") parts.push(lit("q", rows, [0, D]));
  if (kind === "scores") parts.push(lit("k", [0, D], own));
  if (kind === "mix") parts.push(lit("v", [0, D], own));
  if (kind === "scores" || kind === "exp" || kind === "softmax" || (kind === "mix" && !isFused))
    parts.push(lit("scores", rows, own));
  if (isFused) parts.push(lit("run", rows, [0, 2]));
  if (isFused || kind === "mix") parts.push(lit("out", rows, [0, D]));
  return parts;
}

/** @typedef {{ name: "q" | "k" | "v" | "scores", i: number, j: number, box: import("./layout.js").Box, alpha: number }} Copy of a number, in fast memory or on its way */

/**
 * The tiles that are read between two moments: a copy of each number goes from its place in slow memory to that in fast memory, stays as
 * long as it is needed, and fades.
 *
 * @param {import("./layout.js").Plan} plan
 * @param {{ D: number, S: number, method: "fused" | "stored" }} settings
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @returns {Copy[]}
 */
export function copiesBetween(plan, settings, before, after, part) {
  const [were, are] = [before, after].map(({ step }) => litAfter(settings, step));
  return /** @type {const} */ (["q", "k", "v", "scores"]).flatMap((name) => {
    if (name === "scores" && after.step?.kind !== "mix") return []; // weights alone are read
    const slot = plan.slots[name];
    const [old, now] = [were, are].map((all) => all.find((one) => one.name === name));
    const lit = now ?? old;
    if (!lit) return [];
    const isKept = old && now && String([old.rows, old.columns]) === String([now.rows, now.columns]);
    const there = now && !isKept ? progress(part, 0, name === "v" ? 0.3 : READ, soft) : 1;
    const alpha = now ? 1 : 1 - progress(part, 0, 0.5, soft);
    const [rows, columns] = [lit.rows, lit.columns].map(([from, to]) => range(to - from).map((n) => from + n));
    if (!alpha) return [];
    return rows.flatMap((i) =>
      columns.map((j) => {
        const box = between(cellOf(plan, plan[name], i, j), cellOf(slot, slot, i - rows[0], j - columns[0]), there);
        return { name, i, j, box, alpha };
      }),
    );
  });
}

/** @param {import("./layout.js").Box} from @param {import("./layout.js").Box} to @param {number} n */
export const between = (from, to, n) => ({
  ...{ x: mix(from.x, to.x, n), y: mix(from.y, to.y, n), w: mix(from.w, to.w, n), h: mix(from.h, to.h, n) },
});

/**
 * The score in row i and column j between two moments, `part` of the way from one to the next.
 *
 * @param {number} at its place
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @param {boolean} isFast whether it is in fast memory
 * @returns {Score}
 */
export function scoreBetween(at, before, after, part, isFast) {
  const [from, to] = [before.states[at], after.states[at]];
  const late = part >= 0.5;
  const state = late ? to : from;
  const value = late ? after.values[at] : before.values[at];
  const kinds = { [EMPTY]: "empty", [SCORE]: "score", [WEIGHT]: "weight", [GONE]: "gone", [SKIPPED]: "skipped" };
  /** @type {Score} */
  const score = { value, kind: /** @type {Score["kind"]} */ (kinds[state]), alpha: 1, leave: 0, isFast };
  if (from === EMPTY && to === SCORE)
    return { ...score, value: after.values[at], kind: "score", alpha: progress(part, READ, 0.7, soft) };
  if (from === WEIGHT && to === GONE)
    return { ...score, value: before.values[at], kind: late ? "gone" : "weight", leave: clamp(4 * part - 1, 0, 1) }; // gone when it no longer counts
  if (from === SCORE && to === WEIGHT) return { ...score, alpha: 0.35 + 0.65 * Math.abs(2 * part - 1) };
  return score;
}

/**
 * The colour of a running number between two moments: it changes in the second half of a step. What is written is true at every moment: see
 * saidBetween.
 *
 * @param {number} before
 * @param {number} after
 * @param {number} part
 */
export function numberBetween(before, after, part) {
  if (part >= 1 || before === after) return after;
  if (!Number.isFinite(before)) return part < 0.5 ? before : after;
  return mix(before, after, soft(Math.max(0, 2 * part - 1)));
}

/**
 * The number of the output that is written between two moments: one of theirs. Rescaling comes with the maximum, which is known first.
 *
 * @param {number} before
 * @param {number} after
 * @param {number} part
 * @param {import("./model.js").Step | null} step
 */
export const saidBetween = (before, after, part, step) => (part >= (step?.kind === "exp" ? 1e-6 : 0.5) ? after : before);

/** @typedef {{ row: number, terms: number[], fresh: Cut | null, was: number | null, rise: { from: number, to: number, factor: number } | null }} Sum */

/**
 * The terms that a row has added up after a step, each on the scale that it has by then.
 *
 * @param {{ S: number, rescale: boolean }} settings
 * @param {Moment[]} moments
 * @param {number} n
 * @param {number} row
 * @returns {number[]} (S,)
 */
export function termsAt({ S, rescale }, moments, n, row) {
  const terms = range(S).map(() => 0);
  for (let at = 1; at <= n; at++) {
    const { step, top, total, values } = moments[at];
    if (!step || row < step.rows[0] || row >= step.rows[1]) continue;
    if (step.kind === "softmax") return range(S).map((j) => values[row * S + j] * total[row]); // its values are weights
    if (step.kind !== "exp" || !step.columns) continue;
    const shrink = rescale ? shrinkOf(moments[at - 1].top[row], top[row]) : 1;
    for (let j = 0; j < step.columns[0]; j++) terms[j] *= shrink;
    for (let j = step.columns[0]; j < step.columns[1]; j++) terms[j] = values[row * S + j];
  }
  return terms;
}

/** What a rise of the maximum does to what was added before. @param {number} from @param {number} to */
const shrinkOf = (from, to) => (Number.isFinite(from) ? Math.exp(from - to) : 1);

/**
 * The sum of one row between two moments: first the old terms shrink, then the new ones grow. The row is the one of its tile whose
 * maximum rises most.
 *
 * @param {{ S: number, tile: number, L: number, rescale: boolean }} settings
 * @param {Moment[]} moments
 * @param {number} from
 * @param {number} to
 * @param {number} part
 * @returns {Sum}
 */
export function sumBetween(settings, moments, from, to, part) {
  const { step } = moments[to];
  const rows = step?.rows ?? [0, Math.min(settings.tile, settings.L)];
  const riseOf = (/** @type {number} */ i) =>
    Math.max(...moments.slice(1).map(({ top }, n) => (Number.isFinite(moments[n].top[i]) ? top[i] - moments[n].top[i] : 0)));
  const row = range(rows[1] - rows[0]).reduce((best, n) => (riseOf(rows[0] + n) > riseOf(best) ? rows[0] + n : best), rows[0]);
  const [old, now] = [from, to].map((n) => termsAt(settings, moments, n, row));
  const columns = step?.columns ?? null;
  const isFused = moments.some((one) => one.step?.kind === "exp");
  const fresh = step?.kind === "exp" || (step?.kind === "mix" && isFused) ? columns : null;
  const isNow = step?.kind === "exp" || step?.kind === "softmax";
  const first = fresh?.[0] ?? 0;
  const terms = now.map((term, j) => {
    if (!isNow) return term;
    return j < first ? mix(old[j], term, soft(clamp(2 * part, 0, 1))) : term * soft(clamp(2 * part - 1, 0, 1));
  });
  const exp = !fresh ? 0 : isNow ? to : moments.findIndex((one, n) => n < to && one.step?.kind === "exp" && isSame(one.step, step));
  const [low, high] = exp > 0 ? [moments[exp - 1].top[row], moments[exp].top[row]] : [0, 0];
  const rise = Number.isFinite(low) && high > low ? { from: low, to: high, factor: shrinkOf(low, high) } : null;
  const before = rise ? termsAt(settings, moments, exp - 1, row).reduce((sum, term) => sum + term, 0) : 0;
  return { row, terms, fresh, was: rise && settings.rescale ? before : null, rise };
}

/** @param {import("./model.js").Step} one @param {import("./model.js").Step | null} other */
const isSame = (one, other) => String([one.rows, one.columns]) === String([other?.rows, other?.columns]);

/**
 * The maximum and the total of a row that are written between two moments: first the maximum of then and with it the total that is
 * rescaled, then the new terms are in it. No number in between, which would never hold.
 *
 * @param {{ rescale: boolean }} settings
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} row
 * @param {number} part
 */
export function runBetween({ rescale }, before, after, row, part) {
  if (part <= 1e-6) return { top: before.top[row], total: before.total[row] };
  const old = before.total[row] * (rescale ? shrinkOf(before.top[row], after.top[row]) : 1);
  return { top: after.top[row], total: part < 0.5 ? old : after.total[row] };
}
