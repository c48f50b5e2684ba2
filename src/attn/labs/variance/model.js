// Scores of random queries and keys, or of the trained layer, and what softmax makes of them.

import { EXAMPLES } from "../kit/language.js";
import { readWith, SIZES } from "../kit/reader.js";
import { softmax } from "../kit/tensor.js";
import { average, KEYS, sumsOf } from "./draws.js";

export const HEADS = 8; // of the layer whose √E is one of the divisors: E = 8·D
export const WIDTH = SIZES.D; // of the heads of the trained layer
const SENTENCES = 4; // that the trained layer reads
export const STUCK = 0.01; // below this norm of the Jacobian a query's weights hardly react

const EXACT = 36; // halvings of an interval that is at most 1 wide

/** @typedef {{ D: number, divide_by: string, numbers: string, mean: number, std: number, correlation: number, seed: number }} Settings */
/** @typedef {{ mean: number, stuck: number, variance: number, variance_error: number, largest: number, largest_error: number, norm: number, norm_error: number }} Facts see `factsOf` */
/** @typedef {{ mean: number, variance: number }} Law */
/** @typedef {{ scores: Float64Array | Float32Array, facts: Facts, scaled_facts: Facts, law: Law | null, divisor: number, trained: boolean }} Results */

// The divisors, and the kinds of numbers with the means of their third and fourth powers, are those of lab.py: a test compares both.
/** @type {Record<string, (D: number) => number>} */
export const DIVISORS = { 1: () => 1, "√D": (D) => Math.sqrt(D), "√E": (D) => Math.sqrt(HEADS * D), D: (D) => D };
/** @type {Record<string, [number, number]>} */
export const MOMENTS = { normal: [0, 3], uniform: [0, 1.8], coin: [0, 1], exponential: [2, 9] };

/**
 * The kind of random numbers: normal ones stand in where the trained layer has none.
 *
 * @param {{ numbers: string }} settings
 */
export const distributionOf = ({ numbers }) => (numbers === "trained" ? "normal" : numbers);

/**
 * The mean and the variance that a score should have: a number of a query is μ + σu, the number of a key μ + σv with
 * v = ρu + √(1 - ρ²)·w, and u and w are independent.
 *
 * @param {Pick<Settings, "D" | "numbers" | "mean" | "std" | "correlation">} settings
 * @returns {Law}
 */
export function law({ D, numbers, mean, std, correlation }) {
  const [third, fourth] = MOMENTS[distributionOf({ numbers })];
  const product =
    std ** 4 * (1 + correlation ** 2 * (fourth - 2)) +
    2 * mean ** 2 * std ** 2 * (1 + correlation) +
    2 * mean * std ** 3 * third * correlation * (1 + correlation);
  return { mean: D * (mean ** 2 + correlation * std ** 2), variance: D * product };
}

/**
 * @param {Settings} settings
 * @returns {Float64Array} (queries, keys)
 */
function randomScores({ D, numbers, mean, std, correlation, seed }) {
  const { u, uu, w, uw } = sumsOf({ D, numbers: distributionOf({ numbers }), seed });
  const independent = Math.sqrt(1 - correlation ** 2);
  const scores = new Float64Array(uw.length);
  for (let at = 0; at < scores.length; at++) {
    const i = Math.floor(at / KEYS);
    const linear = u[i] * (1 + correlation) + independent * w[at];
    scores[at] = D * mean ** 2 + mean * std * linear + std ** 2 * (correlation * uu[i] + independent * uw[at]);
  }
  return scores;
}

/** @type {Float64Array | null} */
let trainedScores = null;

/** The scores of the recorded layer before the division: a row for each sentence, head and word. */
function recordedScores() {
  trainedScores ??= Float64Array.from(EXAMPLES.slice(0, SENTENCES).flatMap((text) => [...readWith(text.split(" ")).scores]));
  return trainedScores;
}

/**
 * How many keys a query has.
 *
 * @param {{ trained: boolean }} results
 */
export const keysOf = ({ trained }) => (trained ? EXAMPLES[0].split(" ").length : KEYS);

/**
 * The norm of the Jacobian of softmax: the largest eigenvalue of diag(p) - p pᵀ. It lies between the two largest weights, where
 * Σ p² / (p - λ) passes through 1.
 *
 * @param {ArrayLike<number>} p the weights of one query
 * @param {number} [steps] the interval is halved so often
 */
export function jacobianNorm(p, steps = EXACT) {
  let [first, second] = [0, 0];
  for (let j = 0; j < p.length; j++) {
    if (p[j] > first) [first, second] = [p[j], first];
    else if (p[j] > second) second = p[j];
  }
  let [low, high] = [second, first];
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (let j = 0; j < p.length; j++) sum += (p[j] * p[j]) / (p[j] - middle);
    if (sum < 1) low = middle;
    else high = middle;
  }
  return low;
}

/** @typedef {{ keys: number, largest: Float64Array, norms: Float64Array }} Rows */

/**
 * What softmax makes of each query's scores divided by c: its largest weight, and the norm of its Jacobian.
 *
 * @param {ArrayLike<number>} scores (queries, keys)
 * @param {number} keys
 * @param {number} [c]
 * @param {number} [steps] fewer for a picture that moves: see `jacobianNorm`
 * @returns {Rows}
 */
export function readRows(scores, keys, c = 1, steps = EXACT) {
  const weights = new Float64Array(scores.length);
  for (let at = 0; at < weights.length; at++) weights[at] = scores[at] / c;
  softmax(weights, keys, weights);
  const count = weights.length / keys;
  const [largest, norms] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const row = weights.subarray(i * keys, (i + 1) * keys);
    largest[i] = Math.max(...row);
    norms[i] = jacobianNorm(row, steps);
  }
  return { keys, largest, norms };
}

/** @type {WeakMap<ArrayLike<number>, Map<number, Rows>>} */
const known = new WeakMap();

/**
 * The same, exactly and kept: facts and pictures need it.
 *
 * @param {ArrayLike<number>} scores that do not change any more
 * @param {number} keys
 * @param {number} c
 * @returns {Rows}
 */
export function rowsOf(scores, keys, c) {
  const byDivisor = known.get(scores) ?? new Map();
  const rows = byDivisor.get(c) ?? readRows(scores, keys, c);
  byDivisor.set(c, rows);
  known.set(scores, byDivisor);
  return rows;
}

/**
 * The share of the queries whose weights hardly react to their scores.
 *
 * @param {Float64Array} norms of the Jacobian, of each query
 */
export const stuckShare = (norms) => norms.filter((norm) => norm < STUCK).length / norms.length;

/**
 * Mean and variance of the scores divided by c, the means over the queries of the largest weight and of the norm of the Jacobian, and
 * the share of the queries whose norm is nearly 0. The scores of a query have that query in common, so the standard errors count
 * queries.
 *
 * @param {ArrayLike<number>} scores (queries, keys)
 * @param {number} keys
 * @param {number} c
 * @returns {Facts}
 */
function factsOf(scores, keys, c) {
  const mean = average(scores) / c;
  const { largest, norms } = rowsOf(scores, keys, c);
  const variances = new Float64Array(norms.length);
  for (let at = 0; at < scores.length; at++) variances[Math.floor(at / keys)] += (scores[at] / c - mean) ** 2 / keys;
  return {
    mean,
    stuck: stuckShare(norms),
    variance: average(variances),
    variance_error: errorOf(variances),
    largest: average(largest),
    largest_error: errorOf(largest),
    norm: average(norms),
    norm_error: errorOf(norms),
  };
}

/**
 * The standard error of the mean.
 *
 * @param {ArrayLike<number>} values
 */
export function errorOf(values) {
  const mean = average(values);
  let squares = 0;
  for (let n = 0; n < values.length; n++) squares += (values[n] - mean) ** 2;
  return Math.sqrt(squares / values.length / (values.length - 1));
}

/**
 * What VarianceLab.compute gives in Python: the scores (queries, keys) before the division, and the facts before and after it.
 *
 * @param {Settings} settings
 * @returns {Results}
 */
export function compute(settings) {
  const trained = settings.numbers === "trained" && settings.D === WIDTH;
  const scores = trained ? recordedScores() : randomScores(settings);
  const divisor = DIVISORS[settings.divide_by](settings.D);
  const keys = keysOf({ trained });
  return {
    scores,
    facts: factsOf(scores, keys, 1),
    scaled_facts: factsOf(scores, keys, divisor),
    law: trained ? null : law(settings),
    divisor,
    trained,
  };
}
