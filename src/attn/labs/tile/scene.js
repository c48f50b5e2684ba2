// What TileLab draws at a time: how strong each part is, and where the scores are that come and go.

import { clamp, range } from "../kit/math.js";
import { mix, progress, soft } from "../kit/time.js";
import { partOf } from "./layout.js";
import { EMPTY, GONE, SCORE, SKIPPED, WEIGHT } from "./model.js";

/** @typedef {import("./model.js").Moment} Moment */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {{ name: "q" | "k" | "v" | "scores" | "run" | "out", rows: Cut, columns: Cut }} Lit a part that is in fast memory */
const READ = 0.45; // of a step: by then the tiles that it reads are there

/** @typedef {{ value: number, kind: "score" | "weight" | "gone" | "skipped" | "empty", alpha: number, leave: number }} Score */

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
  if (kind === "mix") parts.push(lit("v", own, [0, D]));
  if (kind === "scores" || kind === "exp" || kind === "softmax" || (kind === "mix" && !isFused))
    parts.push(lit("scores", rows, own));
  if (isFused) parts.push(lit("run", rows, [0, 2]));
  if (isFused || kind === "mix") parts.push(lit("out", rows, [0, D]));
  return parts;
}

/** @typedef {{ name: Lit["name"], box: import("./layout.js").Box, alpha: number }} Frame around a part that is in fast memory */

/**
 * The frames between two moments. A frame that stays glides to its next place, so a window goes over the scores tile by tile. It is
 * there also when its scores are gone.
 *
 * @param {import("./layout.js").Plan} plan
 * @param {{ D: number, S: number, method: "fused" | "stored" }} settings
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @returns {Frame[]}
 */
export function framesBetween(plan, settings, before, after, part) {
  const [were, are] = [before, after].map(({ step }) => {
    const all = litAfter(settings, step).filter(({ name }) => name !== "scores" || settings.method === "stored");
    if (settings.method === "fused" && step?.columns) all.push({ name: "scores", rows: step.rows, columns: step.columns });
    return new Map(all.map(({ name, rows, columns }) => [name, partOf(plan[name], rows, columns)]));
  });
  return /** @type {const} */ (["q", "k", "v", "scores", "run", "out"]).flatMap((name) => {
    const [old, now] = [were.get(name), are.get(name)];
    if (old && now) return [{ name, box: between(old, now, progress(part, 0, READ, soft)), alpha: 1 }];
    if (now) return [{ name, box: now, alpha: progress(part, 0, READ, soft) }];
    return old && part < READ ? [{ name, box: old, alpha: 1 - progress(part, 0, READ, soft) }] : [];
  });
}

/** @param {import("./layout.js").Box} from @param {import("./layout.js").Box} to @param {number} n */
const between = (from, to, n) => ({
  ...{ x: mix(from.x, to.x, n), y: mix(from.y, to.y, n), w: mix(from.w, to.w, n), h: mix(from.h, to.h, n) },
});

/**
 * The score in row i and column j between two moments, `part` of the way from one to the next.
 *
 * @param {number} at its place
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @returns {Score}
 */
export function scoreBetween(at, before, after, part) {
  const [from, to] = [before.states[at], after.states[at]];
  const late = part >= 0.5;
  const state = late ? to : from;
  const value = late ? after.values[at] : before.values[at];
  const kinds = { [EMPTY]: "empty", [SCORE]: "score", [WEIGHT]: "weight", [GONE]: "gone", [SKIPPED]: "skipped" };
  /** @type {Score} */
  const score = { value, kind: /** @type {Score["kind"]} */ (kinds[state]), alpha: 1, leave: 0 };
  if (from === EMPTY && to === SCORE)
    return { ...score, value: after.values[at], kind: "score", alpha: progress(part, READ, 0.7, soft) };
  if (from === WEIGHT && to === GONE)
    return { ...score, value: before.values[at], kind: late ? "gone" : "weight", leave: clamp(4 * part - 1, 0, 1) }; // gone when it no longer counts
  if (from === SCORE && to !== SCORE && to !== WEIGHT) {
    const wait = (0.5 * at) / before.states.length; // those with which the film opens leave one after the other
    return { ...score, value: before.values[at], kind: "score", alpha: 1 - progress(part, wait, wait + 0.4, soft) };
  }
  if (from === SCORE && to === WEIGHT) return { ...score, alpha: 0.35 + 0.65 * Math.abs(2 * part - 1) };
  return score;
}

/** How much of a step has passed for what was added before, which shrinks first, and for the new terms. @param {number} part */
const phases = (part) => [progress(part, 0.2, 0.5, soft), clamp((part - 0.55) / 0.35, 0, 1)];

/** Whether the n-th of so many new terms has arrived: each of them does as a whole. @param {number} grown @param {number} n @param {number} count */
const arrived = (grown, n, count) => Number(grown > n / count);

/**
 * How much is seen of where a new maximum comes from, then of what it rescales.
 *
 * @param {import("./model.js").Step | null} step
 * @param {number} part
 */
export function focusBetween(step, part) {
  if (step?.kind === "exp") return [progress(part, 0, 0.08, soft), progress(part, 0.1, 0.18, soft)];
  const left = 1 - progress(part, 0, 0.3, soft);
  return [left, left];
}

/**
 * A number of the output between two moments.
 *
 * @param {number} before
 * @param {number} after
 * @param {number} part
 * @param {import("./model.js").Step | null} step
 */
export const numberBetween = (before, after, part, step) => mix(before, after, step?.kind === "exp" ? phases(part)[0] : soft(part));

/** @typedef {{ from: number, to: number, factor: number }} Rise of a maximum */
/** @typedef {{ row: number, terms: number[], fresh: Cut | null, was: number[] | null, rise: Rise | null }} Sum was: before a rescaling */

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
 * The sum of one row between two moments: first the old terms shrink, then the new ones come. The row is the one of its tile whose
 * maximum rises most.
 *
 * @param {{ S: number, D: number, tile: number, L: number, rescale: boolean }} settings
 * @param {Moment[]} moments
 * @param {number} from
 * @param {number} to
 * @param {number} part
 * @param {number} [chosen] another row
 * @returns {Sum}
 */
export function sumBetween(settings, moments, from, to, part, chosen) {
  const { step } = moments[to];
  const rows = step?.rows ?? [0, Math.min(settings.tile, settings.L)];
  const riseOf = (/** @type {number} */ i) =>
    Math.max(...moments.slice(1).map(({ top }, n) => (Number.isFinite(moments[n].top[i]) ? top[i] - moments[n].top[i] : 0)));
  const all = range(rows[1] - rows[0]).map((n) => rows[0] + n);
  const row = chosen ?? all.reduce((best, i) => (riseOf(i) > riseOf(best) ? i : best));
  const [old, now] = [from, to].map((n) => termsAt(settings, moments, n, row));
  const columns = step?.columns ?? null;
  const isFused = moments.some((one) => one.step?.kind === "exp");
  const fresh = step?.kind === "exp" || (step?.kind === "mix" && isFused) ? columns : null;
  const isNow = step?.kind === "exp" || step?.kind === "softmax";
  const first = fresh?.[0] ?? 0;
  const [shrunk, grown] = phases(part);
  const terms = now.map((term, j) => {
    if (!isNow) return term;
    return j < first ? mix(old[j], term, shrunk) : term * arrived(grown, j - first, (columns?.[1] ?? settings.S) - first);
  });
  const exp = !fresh ? 0 : isNow ? to : moments.findIndex((one, n) => n < to && one.step?.kind === "exp" && isSame(one.step, step));
  const [low, high] = exp > 0 ? [moments[exp - 1].top[row], moments[exp].top[row]] : [0, 0];
  const rise = Number.isFinite(low) && high > low ? { from: low, to: high, factor: shrinkOf(low, high) } : null;
  return { row, terms, fresh, was: rise && settings.rescale ? termsAt(settings, moments, exp - 1, row) : null, rise };
}

/** @param {import("./model.js").Step} one @param {import("./model.js").Step | null} other */
const isSame = (one, other) => String([one.rows, one.columns]) === String([other?.rows, other?.columns]);

/**
 * The maximum and the total of a row between two moments: the maximum is known first, and the total is as long as its bar.
 *
 * @param {{ S: number, rescale: boolean }} settings
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} row
 * @param {number} part
 */
export function runBetween({ S, rescale }, before, after, row, part) {
  const [first, grown] = phases(part);
  const { step } = after;
  const isAdded = step?.kind === "exp" && row >= step.rows[0] && row < step.rows[1];
  const [start, end] = (isAdded && step.columns) || [0, 0];
  const added = range(end - start).reduce((sum, n) => sum + after.values[row * S + start + n] * arrived(grown, n, end - start), 0);
  const old = before.total[row] * (rescale ? shrinkOf(before.top[row], after.top[row]) : 1);
  return {
    top: (part > 0 ? after : before).top[row],
    total: mix(before.total[row], old, first) + added,
  };
}
