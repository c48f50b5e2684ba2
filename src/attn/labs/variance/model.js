// Random queries and keys, their scores, and what softmax makes of them. Pure: VarianceLab draws it.

import { number } from "../kit/format.js";
import { pick } from "../kit/inputs.js";
import { range } from "../kit/math.js";

export const QUERIES = 125; // odd: a median is one of them
export const KEYS = 16; // of each query
export const HEADS = 8; // for √E: E = 8·D

const middles = range(4096).map((n) => (n + 0.5) / 4096);

// Equally likely values with mean 0 and variance 1, exactly. Normal ones: Box and Muller's formula on a grid of 256 radii and 64
// angles.
const RADII = range(256).map((n) => Math.sqrt(-2 * Math.log((n + 0.5) / 256)));
const ANGLES = range(64).map((n) => Math.cos((2 * Math.PI * (n + 0.5)) / 64));
export const VALUES = {
  normal: standard(RADII.flatMap((radius) => ANGLES.map((angle) => radius * angle))),
  uniform: standard(middles),
  coin: standard([-1, 1]),
  exponential: standard(middles.map((share) => -Math.log(share))),
};

// Means of the third and fourth powers, of the distributions themselves.
const MOMENTS = { normal: [0, 3], uniform: [0, 1.8], coin: [0, 1], exponential: [2, 9] };

function standard(values) {
  const mean = average(values);
  const spread = Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
  return Float64Array.from(values, (value) => (value - mean) / spread);
}

function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function divisorOf({ D, divide_by }) {
  return { 1: 1, "√D": Math.sqrt(D), "√E": Math.sqrt(HEADS * D), D }[divide_by];
}

// Mean and variance of a score. With numbers μ + σu for q and μ + σv for k, v = ρu + √(1 − ρ²)·w, and u, w independent.
export function law({ D, numbers, mean, std, correlation }) {
  const [third, fourth] = MOMENTS[numbers];
  const both = correlation * (1 + correlation);
  const product =
    std ** 4 * (1 + correlation ** 2 * (fourth - 2)) +
    2 * mean ** 2 * std ** 2 * (1 + correlation) +
    2 * mean * std ** 3 * third * both;
  return { mean: D * (mean ** 2 + correlation * std ** 2), variance: D * product };
}

// Sums over the D places, from which any mean, spread and correlation follow without drawing again. For each query those of u
// and u², for each key those of w and u·w.
function sumsOf({ D, numbers, seed }) {
  const sums = { u: new Float64Array(QUERIES), uu: new Float64Array(QUERIES) };
  sums.w = new Float64Array(QUERIES * KEYS);
  sums.uw = new Float64Array(QUERIES * KEYS);
  const [query, key] = [new Float64Array(D), new Float64Array(D)];
  for (let i = 0; i < QUERIES; i++) {
    pick(seed, "q", i, VALUES[numbers], query);
    for (let d = 0; d < D; d++) {
      sums.u[i] += query[d];
      sums.uu[i] += query[d] * query[d];
    }
    for (let j = i * KEYS; j < (i + 1) * KEYS; j++) {
      pick(seed, "k", j, VALUES[numbers], key);
      let [w, uw] = [0, 0];
      for (let d = 0; d < D; d++) {
        w += key[d];
        uw += key[d] * query[d];
      }
      sums.w[j] = w;
      sums.uw[j] = uw;
    }
  }
  return sums;
}

const kept = { of: "", sums: null }; // the last sums: most controls do not change them

function scoresOf({ D, numbers, mean, std, correlation, seed }) {
  const wanted = `${D} ${numbers} ${seed}`;
  if (kept.of !== wanted) Object.assign(kept, { of: wanted, sums: sumsOf({ D, numbers, seed }) });
  const { u, uu, w, uw } = kept.sums;
  const own = Math.sqrt(1 - correlation ** 2);
  return Float64Array.from(uw, (_, at) => {
    const i = Math.floor(at / KEYS);
    const linear = u[i] * (1 + correlation) + own * w[at];
    return D * mean ** 2 + mean * std * linear + std ** 2 * (correlation * uu[i] + own * uw[at]);
  });
}

export function softmaxRows(scores) {
  const out = new Float64Array(scores.length);
  for (let from = 0; from < scores.length; from += KEYS) {
    const row = scores.subarray(from, from + KEYS);
    const most = Math.max(...row);
    let sum = 0;
    for (let j = 0; j < KEYS; j++) sum += out[from + j] = Math.exp(row[j] - most);
    for (let j = 0; j < KEYS; j++) out[from + j] /= sum;
  }
  return out;
}

// The largest eigenvalue of diag(p) − p pᵀ. It lies between the two largest weights, where Σ p² / (p − λ) passes through 1.
export function jacobianNorm(p) {
  const [first, second] = Array.from(p).sort((a, b) => b - a);
  let [low, high] = [second, first];
  for (let n = 0; n < 36; n++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const weight of p) sum += (weight * weight) / (weight - middle);
    if (sum < 1) low = middle;
    else high = middle;
  }
  return low;
}

function median(values) {
  return values.sort((a, b) => a - b)[(values.length - 1) >> 1];
}

// What a panel says. The sampling error allows for scores of one query having that query in common.
function factsOf(scores, weights) {
  const mean = average(scores);
  const squares = range(QUERIES).map((i) => average(scores.slice(i * KEYS, (i + 1) * KEYS).map((score) => (score - mean) ** 2)));
  const variance = average(squares);
  const off = squares.reduce((sum, square) => sum + (square - variance) ** 2, 0);
  const rows = range(QUERIES).map((i) => weights.subarray(i * KEYS, (i + 1) * KEYS));
  return {
    mean,
    variance,
    error: Math.sqrt(off / (QUERIES - 1) / QUERIES),
    largest: median(rows.map((row) => Math.max(...row))),
    norm: median(rows.map(jacobianNorm)),
  };
}

export function compute(state) {
  const scores = scoresOf(state);
  const divisor = divisorOf(state);
  const scaled = scores.map((score) => score / divisor);
  const [raw_weights, weights] = [scores, scaled].map(softmaxRows);
  return {
    scores,
    scaled,
    raw_weights,
    weights,
    facts: factsOf(scores, raw_weights),
    scaled_facts: factsOf(scaled, weights),
    law: law(state),
    divisor,
  };
}

// A number with about three digits.
export function brief(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.001) {
    const power = Math.floor(Math.log10(size));
    const raised = [...String(-power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
    return `${number(value / 10 ** power, 1)}·10⁻${raised}`;
  }
  const whole = Math.abs(value - Math.round(value)) <= 1e-9 * size;
  return number(value, whole || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

// "64.3 ± 1.9": the error with two digits, the value with as many places.
export function within(value, error) {
  const places = error > 0 ? Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(error)))) : 3;
  return `${number(value, places)} ± ${number(error, places)}`;
}

// What the setting does to the law, in a sentence.
export function note(state) {
  const { D, mean, std, correlation } = state;
  const broken = [
    mean !== 0 && "the mean is not 0",
    std !== 1 && "the standard deviation is not 1",
    correlation !== 0 && "queries and keys are not independent",
  ].filter(Boolean);
  if (!broken.length) return "All assumptions hold: mean 0, standard deviation 1, independent. So the law says: variance D.";
  const list = broken.join(" and ");
  const told = law(state);
  const alike = Math.abs(correlation) === 1 ? ` All ${KEYS} keys of a query are the same: nothing to choose.` : "";
  return `${list[0].toUpperCase()}${list.slice(1)}: the law says mean ${brief(told.mean)}, variance ${brief(told.variance)} instead of 0 and ${D}.${alike}`;
}
