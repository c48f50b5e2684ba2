// The random numbers that queries and keys are made of, and the sums over them from which VarianceLab gets its scores.

import { pick } from "../kit/inputs.js";
import { range } from "../kit/math.js";

export const QUERIES = 125; // odd, so that the median over the queries is one of them
export const KEYS = 16; // of each query
const COLUMNS = 64; // that are drawn at once while nothing else is to be done

/** @param {ArrayLike<number>} values */
export function average(values) {
  let sum = 0;
  for (let n = 0; n < values.length; n++) sum += values[n];
  return sum / values.length;
}

/** @param {number[]} values @returns the values, shifted and scaled to mean 0 and variance 1 */
function standardize(values) {
  const mean = average(values);
  const std = Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
  return Float64Array.from(values, (value) => (value - mean) / std);
}

// Normal values are made with Box and Muller's formula on a grid of 256 radii and 64 angles.
const SHARES = range(4096).map((n) => (n + 0.5) / 4096);
const RADII = range(256).map((n) => Math.sqrt(-2 * Math.log((n + 0.5) / 256)));
const ANGLES = range(64).map((n) => Math.cos((2 * Math.PI * (n + 0.5)) / 64));

/**
 * For each kind of numbers a list of equally likely values with mean 0 and variance 1, exactly. The length is a power of two.
 *
 * @type {Record<string, Float64Array>}
 */
export const VALUES = {
  normal: standardize(RADII.flatMap((radius) => ANGLES.map((angle) => radius * angle))),
  uniform: standardize(SHARES),
  coin: standardize([-1, 1]),
  exponential: standardize(SHARES.map((share) => -Math.log(share))),
};

/**
 * Sums over the numbers of u (queries, D) and w (queries, keys, D): of u and u² for each query, of w and u·w for each key. Any mean,
 * standard deviation and correlation of the scores follows from them.
 *
 * @typedef {{ u: Float64Array, uu: Float64Array, w: Float64Array, uw: Float64Array }} Sums
 */

/** @type {Map<string, Map<number, Sums>>} the sums by D, for each kind of numbers and seed, the latest last */
const kept = new Map();
const KEPT = 3;

/**
 * The sums for this D, which are kept. They continue from the largest D that has been asked for below it, so that a slider that moves up draws only the
 * numbers that are new.
 *
 * @param {{ D: number, numbers: string, seed: number }} settings
 * @returns {Sums}
 */
export function sumsOf({ D, numbers, seed }) {
  const bySize = sumsBySize(numbers, seed);
  const known = bySize.get(D);
  if (known) return known;
  const from = Math.max(...[...bySize.keys()].filter((size) => size < D));
  const sums = structuredClone(/** @type {Sums} */ (bySize.get(from)));
  addColumns(sums, from, D, seed, VALUES[numbers]);
  bySize.set(D, sums);
  return sums;
}

/**
 * Draw the numbers of the first of these sizes that is still missing, `COLUMNS` columns at most, so that a frame has time for it.
 * Returns whether all sizes are there. Nobody has to call this: `sumsOf` draws what it lacks.
 *
 * @param {{ numbers: string, seed: number }} settings
 * @param {readonly number[]} sizes ascending
 */
export function prepare({ numbers, seed }, sizes) {
  const bySize = sumsBySize(numbers, seed);
  const next = sizes.find((size) => !bySize.has(size));
  if (next === undefined) return true;
  const from = Math.max(...[...bySize.keys()].filter((size) => size < next));
  sumsOf({ D: Math.min(next, from + COLUMNS), numbers, seed });
  return false;
}

/**
 * @param {string} numbers
 * @param {number} seed
 */
function sumsBySize(numbers, seed) {
  const of = `${numbers} ${seed}`;
  const bySize = kept.get(of) ?? new Map([[0, noSums()]]);
  kept.set(of, bySize);
  if (kept.size > KEPT) kept.delete([...kept.keys()][0]);
  return bySize;
}

/** @returns {Sums} zeros */
function noSums() {
  const zeros = (count) => new Float64Array(count);
  return { u: zeros(QUERIES), uu: zeros(QUERIES), w: zeros(QUERIES * KEYS), uw: zeros(QUERIES * KEYS) };
}

/**
 * Add columns `from` to `to` - 1 of all queries and keys. Nearly all the time of the lab is spent here. The arguments always have the
 * same types, so that the optimized code stays valid when the kind of numbers changes.
 *
 * @param {Sums} sums
 * @param {number} from
 * @param {number} to
 * @param {number} seed
 * @param {Float64Array} values
 */
function addColumns({ u, uu, w, uw }, from, to, seed, values) {
  const count = to - from;
  const [query, key] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < QUERIES; i++) {
    pick(seed, "q", i, values, query, from);
    for (let d = 0; d < count; d++) {
      u[i] += query[d];
      uu[i] += query[d] * query[d];
    }
    for (let j = i * KEYS; j < (i + 1) * KEYS; j++) {
      pick(seed, "k", j, values, key, from);
      let keySum = w[j];
      let productSum = uw[j];
      for (let d = 0; d < count; d++) {
        keySum += key[d];
        productSum += key[d] * query[d];
      }
      w[j] = keySum;
      uw[j] = productSum;
    }
  }
}
