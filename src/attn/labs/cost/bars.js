// What the bars of CostLab show: shares of a whole, as lists of numbers between which the picture can move.

import { DEVICES, total } from "./model.js";

/** @typedef {import("./model.js").Results} Results */

/** The parts of a bar, in their order. "mlp": with the norms, which are too few to be seen. "words": embeddings and output matrix. */
export const PARTS = ["attention", "scores", "mlp", "words", "cache"];
export const MEMORIES = [8, 24, 80, 141]; // GB

/**
 * @typedef {object} State
 * @property {number[][]} shares of PARTS, from 0 to 1, in the parameters, the operations and the bytes
 * @property {number[][]} gauges for each of MEMORIES: how much of it parameters and cache fill; together 1 at most
 * @property {number[]} times of memory and arithmetic, as shares of the longer one
 */

/**
 * The amounts of a whole by PARTS.
 *
 * @param {import("./model.js").Parts} of
 */
export function amounts({ attention, scores = 0, mlp, embeddings = 0, output, norms = 0, cache = 0 }) {
  return [attention, scores, mlp + norms, embeddings + output, cache];
}

/** @param {Results} results @returns {State} */
export function stateOf({ parameters, flops, moved, needed, seconds }) {
  const shares = [parameters, flops, moved].map((of) => amounts(of).map((one) => one / total(of)));
  const gauges = MEMORIES.map((memory) => {
    const filled = Math.min(1, needed.parameters / (memory * 1e9));
    return [filled, Math.min(1 - filled, needed.cache / (memory * 1e9))];
  });
  const longest = Math.max(seconds.memory, seconds.arithmetic);
  return { shares, gauges, times: [seconds.memory / longest, seconds.arithmetic / longest] };
}

/**
 * Between two states.
 *
 * @param {State} from
 * @param {State} to
 * @param {number} t from 0 to 1
 * @returns {State}
 */
export function between(from, to, t) {
  if (t === 1) return to;
  const eased = t * t * (3 - 2 * t);
  /** @param {number[]} a @param {number[]} b */
  const mix = (a, b) => a.map((value, n) => value + (b[n] - value) * eased);
  /** @param {number[][]} a @param {number[][]} b */
  const mixAll = (a, b) => a.map((list, n) => mix(list, b[n]));
  return {
    shares: mixAll(from.shares, to.shares),
    gauges: mixAll(from.gauges, to.gauges),
    times: mix(from.times, to.times),
  };
}

/** How many times a memory would have to be larger: below 1 it is large enough. @param {Results} results @param {number} memory GB */
export const load = ({ needed }, memory) => (needed.parameters + needed.cache) / (memory * 1e9);

/** @param {Results} results @param {string} device */
export const fits = (results, device) => load(results, DEVICES[device].memory) <= 1;
