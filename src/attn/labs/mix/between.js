// What is drawn on the way from one state to another. Where weights come from queries, the weights at every moment are those of the
// queries at that moment, so that no output leaves the hull on its way.

import { range } from "../kit/math.js";
import { mix, swing } from "../kit/time.js";
import { blend, weightsAt } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./model.js").State} State */

/**
 * What the picture shows at one moment.
 *
 * @typedef {object} Frame
 * @property {Point[]} values
 * @property {Point[]} queries
 * @property {number} temperature
 * @property {State["by"]} by
 * @property {number} heads
 * @property {Point | null} target
 * @property {number[][]} weights of each head
 * @property {Point[]} outs
 * @property {boolean} hasPath whether it shows the outputs at other temperatures, too
 * @property {boolean} hasScores whether the weights are the softmax of the scores of the first query
 */

/**
 * The picture at rest: exactly what was computed.
 *
 * @param {State} state
 * @param {Pick<import("./model.js").Results, "weights" | "out">} results
 * @returns {Frame}
 */
export function still({ values, queries, temperature, by, heads, target }, { weights, out }) {
  const S = values.length;
  return {
    ...{ values, queries, temperature, by, heads, target: target ?? null },
    weights: range(heads).map((h) => [...weights.subarray(h * S, (h + 1) * S)]),
    outs: range(heads).map((h) => [out[2 * h], out[2 * h + 1]]),
    hasPath: by === "query" && temperature !== 1,
    hasScores: by === "query" && heads === 1,
  };
}

/**
 * A moment of a story: these settings instead of those of a frame.
 *
 * @param {Frame} frame whose weights come from queries
 * @param {Partial<Pick<Frame, "queries" | "temperature">>} changes
 * @returns {Frame}
 */
export function changed(frame, changes) {
  const { values, queries, temperature, heads } = { ...frame, ...changes };
  const weights = range(heads).map((h) => weightsAt(temperature, queries[h], values.length));
  return { ...frame, ...changes, weights, outs: weights.map((row) => blend(row, values)) };
}

/** @type {(a: Point, b: Point, n: number) => Point} */
const mixPoint = (a, b, n) => [mix(a[0], b[0], n), mix(a[1], b[1], n)];

/**
 * The frame at t on the way along these: the first at 0, the last at 1.
 *
 * @param {Frame[]} route
 * @param {number} t
 * @returns {Frame}
 */
export function along(route, t) {
  const last = route[route.length - 1];
  if (t >= 1 || route.length < 2) return last;
  const leg = Math.min(route.length - 2, Math.floor(t * (route.length - 1)));
  const n = swing(t * (route.length - 1) - leg);
  const [from, to] = [route[leg], route[leg + 1]];
  const { by, heads } = to;
  const values = to.values.map((value, s) => mixPoint(from.values[s] ?? value, value, n));
  const queries = to.queries.map((query, h) => mixPoint(from.queries[h < from.heads ? h : 0], query, n));
  const temperature = from.temperature * (to.temperature / from.temperature) ** n;
  const computed = by === "query" && from.by === "query";
  const weights = range(heads).map((h) =>
    computed
      ? weightsAt(temperature, queries[h], values.length)
      : values.map((_, s) => mix((from.weights[h] ?? from.weights[0])[s] ?? 0, to.weights[h][s], n)),
  );
  const hasScores = to.hasScores && computed;
  return { ...to, values, queries, temperature, weights, hasScores, outs: weights.map((row) => blend(row, values)) };
}

/** @type {Point} the query with which a search for a target begins */
const BEGIN = [1.5, -0.4];
const AGO = 0.012; // between two outputs of a trail, as a part of the move

/**
 * Where the output of the first head was a short time ago, newest first: a trail that ends where the search for a target begins, and
 * that the output catches up with when it rests.
 *
 * @param {Frame[]} route from a frame to the last one, with a story between them
 * @param {number} t
 * @returns {Point[]}
 */
export function trailOf(route, t) {
  const last = route[route.length - 1];
  if (t >= 1 || !last.target || route.length < 3) return [];
  const begin = 1 / (route.length - 1);
  return range(12)
    .map((n) => t - (n + 1) * AGO)
    .filter((one) => one >= begin)
    .map((one) => along(route, one).outs[0]);
}

/**
 * What an experiment shows on its way to a frame. Two heads begin at one place; a low temperature begins at 1; the query of a head that
 * shall reach a point goes from between two keys to half of its length, to all of it, and rests; the output in the middle wanders from
 * one value to another. Any other one begins with equal weights.
 *
 * @param {Frame} to
 * @param {boolean} isOpening whether this is the first experiment
 * @returns {Frame[]}
 */
export function story(to, isOpening) {
  if (to.by !== "query") return [];
  /** @type {(...queries: Point[]) => Frame} */
  const asked = (...queries) => changed(to, { queries: [...queries, ...to.queries].slice(0, 2) });
  if (to.heads === 2) return [asked([3, 0], [3, 0])];
  if (to.temperature !== 1) return [changed(to, { temperature: 1 })];
  if (to.target) {
    const [x, y] = to.queries[0];
    return [asked(BEGIN), asked([x / 2, y / 2]), to];
  }
  return isOpening ? [asked([0.8, 1.2]), asked([-1, 0])] : [asked([0, 0])];
}
