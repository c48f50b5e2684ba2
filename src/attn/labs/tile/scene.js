// What TileLab draws at a time: how strong each part is, and where the scores are that come and go.

import { mix, soft } from "../kit/time.js";
import { EMPTY, GONE, SCORE, SKIPPED, WEIGHT } from "./model.js";

/** @typedef {import("./model.js").Moment} Moment */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {{ name: "q" | "k" | "v" | "scores" | "run" | "out", rows: Cut, columns: Cut }} Lit a part that is in fast memory */
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
  if (from === EMPTY && to === SCORE) return { ...score, value: after.values[at], kind: "score", alpha: soft(part) };
  if (from === WEIGHT && to === GONE)
    return { ...score, value: before.values[at], kind: part < 1 ? "weight" : "gone", leave: part };
  if (from === SCORE && to === WEIGHT) return { ...score, alpha: 0.35 + 0.65 * Math.abs(2 * part - 1) };
  return score;
}

/**
 * The number of a running tensor between two moments: it changes in the second half of a step.
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
