// What MixLab computes: weights from a query or by hand, and the blend of the values under them.

import { range } from "../kit/math.js";
import { softmax } from "../kit/tensor.js";

/** @typedef {[x: number, y: number]} Point */

/**
 * The settings of MixLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} State
 * @property {Point[]} values S points
 * @property {Point[]} queries one for each of two heads
 * @property {number} temperature
 * @property {"query" | "hand"} by
 * @property {number[][]} hand (2, S) whole numbers
 * @property {number} heads 1 or 2
 */

/**
 * @typedef {object} Results
 * @property {Float32Array} weights (H, S)
 * @property {Float32Array} out (H, 2)
 * @property {Float32Array} shares (H, S) NaN where the output is 0
 * @property {Float32Array} path (H, 41, 2) the outputs at TEMPERATURES
 */

// These constants are the same as in lab.py.
export const WORDS = ["river", "money", "bank", "the", "old", "loan"];
/** @type {Point[]} */
export const KEYS = [
  [-1.7, 1],
  [1.7, 1],
  [1.7, -1],
  [-1.7, -1],
  [0, -2],
  [2, 0],
];
export const REACH = 4; // a coordinate is at least -REACH and at most REACH
export const LARGEST_HAND_WEIGHT = 10; // before hand weights are divided by their sum
export const TEMPERATURES = range(41).map((step) => 10 ** ((step - 20) / 10)); // of the path, 0.01 to 100

/**
 * Why settings that came with a link are invalid, or null.
 *
 * @param {any} settings
 * @returns {string | null}
 */
export function problem({ values, queries, hand, temperature, by, heads }) {
  const isCoordinate = (x) => typeof x === "number" && Math.abs(x) <= REACH;
  const isPoint = (point) => Array.isArray(point) && point.length === 2 && point.every(isCoordinate);
  const arePoints = (points) => Array.isArray(points) && points.every(isPoint);
  if (!arePoints(values) || values.length < 3 || values.length > WORDS.length)
    return "values are 3 to 6 points with coordinates from −4 to 4.";
  if (!arePoints(queries) || queries.length !== 2) return "queries are two points with coordinates from −4 to 4.";
  const isHandWeight = (x) => Number.isInteger(x) && x >= 0 && x <= LARGEST_HAND_WEIGHT;
  const isHandRow = (row) => Array.isArray(row) && row.length === values.length && row.every(isHandWeight);
  if (!Array.isArray(hand) || hand.length !== 2 || !hand.every(isHandRow))
    return "hand weights are two rows, a whole number from 0 to 10 for each value.";
  if (!(temperature >= 0.01 && temperature <= 100)) return "The temperature is at least 0.01 and at most 100.";
  if (heads !== 1 && heads !== 2) return "There are one or two heads.";
  const empty = by === "hand" ? hand.slice(0, heads).findIndex((row) => !row.some(Boolean)) : -1;
  return empty < 0
    ? null
    : `All hand weights of head ${empty} are 0. The weights of a head sum to 1, so some word must have a weight.`;
}

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const message = problem(state);
  if (message) throw new Error(message);
  const { values, queries, temperature, by, hand, heads } = state;
  const perHead = range(heads).map((h) => {
    const weights = by === "query" ? weightsAt(temperature, queries[h], values.length) : normalized(hand[h]);
    const out = blend(weights, values);
    const path = TEMPERATURES.flatMap((each) => blend(weightsAt(each, queries[h], values.length), values));
    return { weights, out, shares: sharesOf(weights, values, out), path };
  });
  const joined = (name) => Float32Array.from(perHead.flatMap((one) => one[name]));
  return { weights: joined("weights"), out: joined("out"), shares: joined("shares"), path: joined("path") };
}

// The weights of a query over the first S keys at a temperature.
function weightsAt(temperature, [x, y], S) {
  const scores = KEYS.slice(0, S).map((key) => (x * key[0] + y * key[1]) / (Math.SQRT2 * temperature));
  return [...softmax(scores, S, new Float64Array(S))];
}

function normalized(terms) {
  const sum = terms.reduce((total, term) => total + term, 0);
  return terms.map((term) => term / sum);
}

/**
 * The sum of the points, each times its weight.
 *
 * @param {number[]} weights
 * @param {Point[]} points
 * @returns {Point}
 */
export function blend(weights, points) {
  const sum = (d) => points.reduce((total, point, s) => total + weights[s] * point[d], 0);
  return [sum(0), sum(1)];
}

// How much of the output each weighted value is, measured along the output; NaN if the output is 0.
function sharesOf(weights, values, [x, y]) {
  const squared = x * x + y * y;
  return weights.map((weight, s) => (squared > 1e-12 ? (weight * (values[s][0] * x + values[s][1] * y)) / squared : NaN));
}
