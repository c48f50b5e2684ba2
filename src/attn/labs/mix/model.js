// What MixLab computes: weights from a query or by hand, and the average of the values under them.

import { range } from "../kit/math.js";
import { softmax } from "../kit/tensor.js";
import { reached } from "./hull.js";

/** @typedef {[x: number, y: number]} Point */

/**
 * The settings of MixLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} State
 * @property {Point[]} values S points
 * @property {Point[]} queries one for each of two heads
 * @property {number} temperature
 * @property {"query" | "hand" | "free"} by
 * @property {number[][]} hand (2, S)
 * @property {number} heads 1 or 2
 * @property {Point | null} target
 */

/**
 * @typedef {object} Results
 * @property {Float32Array} weights (H, S)
 * @property {Float32Array} out (H, 2)
 * @property {Float32Array} parts (H, S) how much of the output each weighted value is; NaN where the output is 0
 * @property {Float32Array} path (H, 41, 2) the outputs at TEMPERATURES
 * @property {"" | "inside" | "edge" | "outside"} reach where the target lies
 * @property {Float32Array} nearest (2,) the point of the hull that is nearest to the target
 * @property {Float32Array} needed (S,) for three values the weights that lead to the target
 */

// These constants are the same as in lab.py.
export const WORDS = ["kings", "girls", "others", "gold", "today", "found"];
/** @type {Point[]} */
export const KEYS = [
  [1, 1.7],
  [1, -1.7],
  [-2, 0],
  [-1, 0],
  [-1, 1.7],
  [-1, -1.7],
];
/** @type {Point[]} */
export const VALUES = [
  [-2, 1],
  [2, 1],
  [0, -2.6],
  [0, 1],
  [-2, -2],
  [3, -2],
];
export const HAND = [
  [1, 2, 1, 0, 1, 1],
  [2, 1, 1, 0, 1, 1],
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
export function problem({ values, queries, hand, temperature, by, heads, target }) {
  const isWithin = (most) => (x) => typeof x === "number" && Math.abs(x) <= most;
  const isPoint = (point) => Array.isArray(point) && point.length === 2 && point.every(isWithin(REACH));
  const arePoints = (points) => Array.isArray(points) && points.every(isPoint);
  if (!arePoints(values) || values.length < 3 || values.length > WORDS.length)
    return "values are 3 to 6 points with coordinates from −4 to 4.";
  if (!arePoints(queries) || queries.length !== 2) return "queries are two points with coordinates from −4 to 4.";
  if (target != null && !isPoint(target)) return "The target is a point with coordinates from −4 to 4.";
  const isRow = (row) => Array.isArray(row) && row.length <= WORDS.length && row.every(isWithin(LARGEST_HAND_WEIGHT));
  if (!Array.isArray(hand) || hand.length !== 2 || !hand.every(isRow))
    return "hand weights are two rows, a number from −10 to 10 for each value.";
  if (!(temperature >= 0.01 && temperature <= 100)) return "The temperature is at least 0.01 and at most 100.";
  if (heads !== 1 && heads !== 2) return "There are one or two heads.";
  if (by !== "query" && by !== "hand" && by !== "free") return "Weights come from a query, by hand, or are free.";
  if (by !== "hand") return null;
  const rows = range(heads).map((h) => handOf({ hand, values }, h));
  const below = rows.findIndex((row) => row.some((weight) => weight < 0));
  if (below >= 0)
    return `A hand weight of head ${below} is below 0. No weight of a softmax is: only free weights may be any numbers.`;
  const empty = rows.findIndex((row) => !row.some(Boolean));
  return empty < 0
    ? null
    : `All hand weights of head ${empty} are 0. The weights of a head sum to 1, so some word must have a weight.`;
}

/**
 * The hand weights of a head, as many as there are values.
 *
 * @param {Pick<State, "hand" | "values">} state
 * @param {number} h
 */
export const handOf = ({ hand, values }, h) => values.map((_, s) => hand[h][s] ?? HAND[h][s]);

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const message = problem(state);
  if (message) throw new Error(message);
  const { values, queries, temperature, by, heads, target } = state;
  const perHead = range(heads).map((h) => {
    const hand = handOf(state, h);
    const weights = by === "query" ? weightsAt(temperature, queries[h], values.length) : by === "hand" ? normalized(hand) : hand;
    const out = blend(weights, values);
    const path = TEMPERATURES.flatMap((each) => blend(weightsAt(each, queries[h], values.length), values));
    return { weights, out, parts: partsOf(weights, values, out), path };
  });
  /** @param {"weights" | "out" | "parts" | "path"} name */
  const joined = (name) => Float32Array.from(perHead.flatMap((one) => one[name]));
  const { reach, nearest, needed } = reached(values, target ?? null);
  return {
    ...{ weights: joined("weights"), out: joined("out"), parts: joined("parts"), path: joined("path") },
    ...{ reach, nearest: new Float32Array(nearest), needed: new Float32Array(needed) },
  };
}

/**
 * The weights of a query over the first S keys at a temperature.
 *
 * @param {number} temperature
 * @param {Point} query
 * @param {number} S
 */
export function weightsAt(temperature, query, S) {
  return [...softmax(scoresAt(temperature, query, S), S, new Float64Array(S))];
}

/**
 * The scores of the first S keys: the dot product with the query, divided by √2 and by the temperature.
 *
 * @param {number} temperature
 * @param {Point} query
 * @param {number} S
 */
export const scoresAt = (temperature, [x, y], S) =>
  KEYS.slice(0, S).map((key) => (x * key[0] + y * key[1]) / (Math.SQRT2 * temperature));

/**
 * Numbers that are not below 0, divided by their sum.
 *
 * @param {number[]} terms
 */
export function normalized(terms) {
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
  /** @param {0 | 1} d */
  const sum = (d) => points.reduce((total, point, s) => total + weights[s] * point[d], 0);
  return [sum(0), sum(1)];
}

/**
 * How much of the output each weighted value is, measured along the output; NaN if the output is 0.
 *
 * @param {number[]} weights
 * @param {Point[]} values
 * @param {Point} out
 */
export function partsOf(weights, values, [x, y]) {
  const squared = x * x + y * y;
  return weights.map((weight, s) => (squared > 1e-12 ? (weight * (values[s][0] * x + values[s][1] * y)) / squared : NaN));
}
