// Scores of random queries and keys, and what softmax makes of them.

import { range } from "../kit/math.js";
import { softmax } from "../kit/tensor.js";
import { average, KEYS, QUERIES, sumsOf } from "./draws.js";

const HEADS = 8; // of the layer whose √E is one of the divisors: E = 8·D

/** @typedef {{ D: number, divide_by: string, numbers: string, mean: number, std: number, correlation: number, seed: number }} Settings */
/** @typedef {{ mean: number, variance: number, error: number, largest: number, norm: number }} Facts see `factsOf` */

// The divisors, and the kinds of numbers with the means of their third and fourth powers, are those of lab.py: a test compares both.
/** @type {Record<string, (D: number) => number>} */
export const DIVISORS = { 1: () => 1, "√D": (D) => Math.sqrt(D), "√E": (D) => Math.sqrt(HEADS * D), D: (D) => D };
/** @type {Record<string, [number, number]>} */
export const MOMENTS = { normal: [0, 3], uniform: [0, 1.8], coin: [0, 1], exponential: [2, 9] };

/**
 * The mean and the variance that a score should have: a number of a query is μ + σu, the number of a key μ + σv with
 * v = ρu + √(1 - ρ²)·w, and u and w are independent.
 *
 * @param {Pick<Settings, "D" | "numbers" | "mean" | "std" | "correlation">} settings
 */
export function law({ D, numbers, mean, std, correlation }) {
  const [third, fourth] = MOMENTS[numbers];
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
function scoresOf({ D, numbers, mean, std, correlation, seed }) {
  const { u, uu, w, uw } = sumsOf({ D, numbers, seed });
  const independent = Math.sqrt(1 - correlation ** 2);
  return Float64Array.from(uw, (_, at) => {
    const i = Math.floor(at / KEYS);
    const linear = u[i] * (1 + correlation) + independent * w[at];
    return D * mean ** 2 + mean * std * linear + std ** 2 * (correlation * uu[i] + independent * uw[at]);
  });
}

/**
 * The norm of the Jacobian of softmax: the largest eigenvalue of diag(p) - p pᵀ. It lies between the two largest weights, where
 * Σ p² / (p - λ) passes through 1.
 *
 * @param {ArrayLike<number>} p the weights of one query
 */
export function jacobianNorm(p) {
  const [first, second] = Array.from(p).sort((a, b) => b - a);
  let [low, high] = [second, first];
  for (let step = 0; step < 36; step++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (let j = 0; j < p.length; j++) sum += (p[j] * p[j]) / (p[j] - middle);
    if (sum < 1) low = middle;
    else high = middle;
  }
  return low;
}

/** @param {number[]} values an odd number of them */
function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) / 2];
}

/**
 * The facts of a panel: mean and variance of the scores, the sampling error of the variance, and the medians over the queries of the
 * largest weight and of the norm of the Jacobian. The error allows for the fact that the scores of a query have that query in common.
 *
 * @param {Float64Array} scores (queries, keys)
 * @param {Float64Array} weights (queries, keys)
 * @returns {Facts}
 */
function factsOf(scores, weights) {
  const mean = average(scores);
  const rowsOf = (numbers) => range(QUERIES).map((i) => numbers.subarray(i * KEYS, (i + 1) * KEYS));
  const variances = rowsOf(scores.map((score) => (score - mean) ** 2)).map(average);
  const variance = average(variances);
  const rows = rowsOf(weights);
  return {
    mean,
    variance,
    error: Math.sqrt(average(variances.map((one) => (one - variance) ** 2)) / (QUERIES - 1)),
    largest: median(rows.map((row) => Math.max(...row))),
    norm: median(rows.map(jacobianNorm)),
  };
}

/**
 * What VarianceLab.compute gives in Python: scores and weights (queries, keys), before and after the division, and their facts.
 *
 * @param {Settings} settings
 */
export function compute(settings) {
  const scores = scoresOf(settings);
  const divisor = DIVISORS[settings.divide_by](settings.D);
  const scaled = scores.map((score) => score / divisor);
  const [raw_weights, weights] = [scores, scaled].map((rows) => softmax(rows, KEYS, new Float64Array(rows.length)));
  return {
    scores,
    scaled,
    raw_weights,
    weights,
    facts: factsOf(scores, raw_weights),
    scaled_facts: factsOf(scaled, weights),
    law: law(settings),
    divisor,
  };
}
