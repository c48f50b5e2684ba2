// What CostLab's picture shows. Two squares, whose areas are the times of memory and arithmetic, stand in frames of the area of the
// longer one: a step takes as long as that, and what is empty of a frame is time in which its part of the device waits.

import { compute, DEVICES, total } from "./model.js";

/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Settings} Settings */

/** The parts of a square, from above. "mlp": with the norms, which are too few to be seen. "words": embeddings and output matrix. */
export const PARTS = ["cache", "scores", "attention", "mlp", "words"];
export const CLOCKS = /** @type {const} */ (["memory", "arithmetic"]);
export const MEMORIES = [24, 80, 141]; // GB, of DEVICES
const USUAL = 4096; // tokens of the sequence with which all steps are compared, if the model takes as many
const SPARE = 1.12; // of the bar of needed bytes

/**
 * @typedef {object} State
 * @property {number[]} seconds of CLOCKS
 * @property {number[]} once the same for one token of one sequence
 * @property {number[][]} shares of PARTS in each of CLOCKS, from 0 to 1
 * @property {number[]} needed GB by PARTS
 */

/**
 * The amounts of a whole by PARTS.
 *
 * @param {import("./model.js").Parts} of
 */
export function amounts({ attention, scores = 0, mlp, embeddings = 0, output, norms = 0, cache = 0 }) {
  return [cache, scores, attention, mlp + norms, embeddings + output];
}

/** The tokens of the sequence with which all steps of a model are compared. @param {Results} results */
export const usualTokens = ({ sizes }) => Math.min(USUAL, sizes.places || USUAL);

/** @param {Settings} settings @param {Results} results @returns {State} */
export function stateOf(settings, results) {
  const { parameters, needed, seconds } = results;
  const bytes = needed.parameters / total(parameters);
  /** @param {Results} of */
  const sharesOf = (of) => [of.moved, of.flops].map((parts) => amounts(parts).map((part) => part / total(parts)));
  const one = compute({ ...settings, B: 1, S: usualTokens(results), phase: "decoding" });
  return {
    seconds: CLOCKS.map((clock) => seconds[clock]),
    once: CLOCKS.map((clock) => one.seconds[clock]),
    shares: sharesOf(results),
    needed: amounts({ ...parameters, cache: needed.cache / bytes }).map((part) => (part * bytes) / 1e9),
  };
}

/**
 * Between two states. Times grow by equal factors in equal times, so that a growth from microseconds to a tenth of a second is seen.
 * From nothing, both clocks run until each has done its part.
 *
 * @param {State | null} from
 * @param {State} to
 * @param {number} t from 0 to 1
 * @returns {State}
 */
export function between(from, to, t) {
  if (t === 1) return to;
  if (!from) {
    const [seconds, once] = [to.seconds, to.once].map((times) => times.map((time) => Math.min(time, t * Math.max(...to.seconds))));
    return { ...to, seconds, once };
  }
  const eased = t * t * (3 - 2 * t);
  /** @param {number[]} a @param {number[]} b */
  const mix = (a, b) => a.map((value, n) => value + (b[n] - value) * eased);
  /** @param {number[]} a @param {number[]} b */
  const grow = (a, b) => a.map((value, n) => value * (b[n] / value) ** eased);
  return {
    seconds: grow(from.seconds, to.seconds),
    once: grow(from.once, to.once),
    shares: from.shares.map((list, n) => mix(list, to.shares[n])),
    needed: mix(from.needed, to.needed),
  };
}

/**
 * The sides of the squares, where a frame has side 1: of what a step takes, and of what one token of one sequence takes (null if
 * that is larger than the frame, or the same).
 *
 * @param {State} state
 * @param {number} [longest] seconds: the area of a frame
 * @returns {{ side: number, once: number | null }[]}
 */
export function squares({ seconds, once }, longest = Math.max(...seconds)) {
  return seconds.map((time, n) => {
    const [side, ghost] = [time, once[n]].map((one) => Math.sqrt(one / longest));
    return { side, once: ghost > 1.001 || Math.abs(ghost / side - 1) < 0.01 ? null : ghost };
  });
}

/** The bar of needed bytes ends at so many GB. @param {State} state */
export const endOf = ({ needed }) => SPARE * Math.max(...MEMORIES, total(Object(needed)));

/** How many times a memory would have to be larger: below 1 it is large enough. @param {Results} results @param {number} memory GB */
export const load = ({ needed }, memory) => (needed.parameters + needed.cache) / (memory * 1e9);

/** @param {Results} results @param {string} device */
export const fits = (results, device) => load(results, DEVICES[device].memory) <= 1;
