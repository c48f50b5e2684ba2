// The move from one mask to another: what is hidden falls, and then the others share its weight.

import { range } from "../kit/math.js";
import { mix, progress, swing } from "../kit/time.js";
import { placeOf } from "./explain.js";
import { batchOf } from "./rules.js";

/**
 * What is drawn: the settings, their results, and sentence and head within the sizes.
 *
 * @typedef {{ state: import("./rules.js").State, results: import("./model.js").Results, b: number, h: number }} Drawn
 */
/** @typedef {{ weights: number[], fallen: (number | null)[], before: number[] }} Moment for each cell of the table */

/**
 * The weights of the table that is drawn, (L, S), or null where there are none.
 *
 * @param {Drawn} drawn
 */
export function weightsOf({ state, results, b, h }) {
  return part(results.weights, state, b, h);
}

/**
 * The mask that reaches the table that is drawn, (L, S), 1 where a query may attend, or null if none does.
 *
 * @param {Drawn} drawn
 */
export function reachingMask({ state, results, b, h }) {
  return part(results.expanded, state, b, h);
}

/**
 * @param {Float32Array | null} all (B, H, L, S)
 * @param {import("./rules.js").State} state
 * @param {number} b
 * @param {number} h
 */
function part(all, state, b, h) {
  const { S } = batchOf(state);
  const start = placeOf(state, S, [b, h, 0, 0]);
  return all && [...all.subarray(start, start + state.L * S)];
}

/**
 * Whether the same cell of both tables is the same query and key.
 *
 * @param {Drawn} one
 * @param {Drawn} other
 */
export function isAlike(one, other) {
  const same = ["L", "H", "pads"].every((name) => one.state[name] === other.state[name]);
  return same && one.b === other.b && Boolean(one.results.weights && other.results.weights);
}

/**
 * The table at time t: as `before` at 0, and exactly as `after` at 1. fallen: how far a cell that has been hidden has fallen, null for
 * one that has not. What is no number has no weight on the way.
 *
 * @param {Drawn | null} before
 * @param {Drawn} after
 * @param {number} t
 * @returns {Moment}
 */
export function momentOf(before, after, t) {
  const to = weightsOf(after) ?? [];
  const old = before && t < 1 ? weightsOf(before) : null;
  if (!before || !old) return { weights: to, fallen: to.map(() => null), before: to };
  const [had, has] = [reachingMask(before) ?? [], reachingMask(after) ?? []];
  const from = old.map(finite);
  const isCut = range(to.length).map((n) => had[n] === 1 && has[n] === 0);
  const isAnyCut = isCut.includes(true);
  const go = progress(t, isAnyCut ? 0.4 : 0, 1, swing);
  const drop = progress(t, 0, 0.65, (n) => n);
  return {
    weights: to.map((weight, n) => mix(from[n], finite(weight), go)),
    fallen: isCut.map((cut) => (cut && drop < 1 ? drop : cut ? 1 : null)),
    before: from,
  };
}

/** @param {number} weight */
const finite = (weight) => (Number.isFinite(weight) ? weight : 0);
