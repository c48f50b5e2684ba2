// What ReachLab computes: the graphs of three causal layers, when each node of them is computed, and how far it is from one to another.

import { range } from "../kit/math.js";

/** @typedef {"rnn" | "convolution" | "attention"} Kind */
/** @typedef {{ L: number, kernel: number, layers: number, dilation: number, E: number, at: number }} State */
/** @typedef {{ edges: number, steps: number, reach: number, path: number | null, multiplications: number }} Counts */
/** @typedef {readonly [from: number, to: number]} Edge between nodes, which are numbered row by row; row 0 holds the tokens */
/** @typedef {{ made: Float32Array, from: Float32Array, back: Float32Array }} Numbers of each node */
/** @typedef {Record<string, Float32Array> & { counts: Record<Kind, Counts> }} Results */

export const KINDS = /** @type {const} */ (["rnn", "convolution", "attention"]);

/**
 * How many rows of outputs a layer has.
 *
 * @param {Kind} kind
 * @param {State} state
 */
export const rowsOf = (kind, { layers }) => (kind === "convolution" ? layers : 1);

/**
 * The distance between the positions that a convolution reads, in each layer.
 *
 * @param {State} state
 */
export const dilations = ({ layers, dilation }) => range(layers).map((n) => dilation ** n);

/** The token that is followed: a shorter text may not have it. @param {State} state */
export const followed = ({ at, L }) => Math.min(at, L - 1);

/**
 * All edges, in an order in which whatever is read has been computed.
 *
 * @param {Kind} kind
 * @param {State} state
 * @returns {Edge[]}
 */
export function edgesOf(kind, state) {
  const { L, kernel } = state;
  if (kind === "rnn")
    return range(L).flatMap((t) => /** @type {Edge[]} */ ([[t, L + t], ...(t ? [/** @type {Edge} */ ([L + t - 1, L + t])] : [])]));
  if (kind === "attention") return range(L).flatMap((t) => range(t + 1).map((s) => /** @type {Edge} */ ([s, L + t])));
  return dilations(state).flatMap((gap, row) =>
    range(L).flatMap((t) =>
      range(kernel)
        .map((n) => t - n * gap)
        .filter((s) => s >= 0)
        .map((s) => /** @type {Edge} */ ([row * L + s, (row + 1) * L + t])),
    ),
  );
}

/**
 * @param {Edge[]} edges
 * @param {number} count of the nodes
 * @param {State} state
 * @returns {Numbers}
 */
function numbersOf(edges, count, state) {
  const { L } = state;
  const made = new Float32Array(count);
  const [from, back] = [new Float32Array(count).fill(-1), new Float32Array(count).fill(-1)];
  from[followed(state)] = 0;
  back[count - 1] = 0;
  /** @param {Float32Array} distances @param {number} a @param {number} b one edge further */
  const shorten = (distances, a, b) => {
    if (distances[a] >= 0 && (distances[b] < 0 || distances[b] > distances[a] + 1)) distances[b] = distances[a] + 1;
  };
  for (const [a, b] of edges) {
    if (b >= L) made[b] = Math.max(made[b], made[a] + 1);
    shorten(from, a, b);
  }
  for (const [a, b] of edges.toReversed()) shorten(back, b, a);
  return { made, from, back };
}

/**
 * An edge of an RNN or a convolution is an E × E matrix; one of attention a score and a weight, besides four matrices for each token.
 *
 * @param {Kind} kind
 * @param {State} state
 * @param {number} edges
 */
export const multiplications = (kind, { L, E }, edges) => (kind === "attention" ? 4 * L * E ** 2 + 2 * edges * E : edges * E ** 2);

/**
 * What ReachLab.compute gives in Python.
 *
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const results = /** @type {Results} */ ({ counts: {} });
  for (const kind of KINDS) {
    const count = (rowsOf(kind, state) + 1) * state.L;
    const edges = edgesOf(kind, state);
    const { made, from, back } = numbersOf(edges, count, state);
    Object.assign(results, { [`${kind}_made`]: made, [`${kind}_from`]: from, [`${kind}_back`]: back });
    const path = from[count - 1];
    results.counts[kind] = {
      edges: edges.length,
      steps: Math.max(...made),
      reach: back.subarray(0, state.L).filter((length) => length >= 0).length,
      path: path < 0 ? null : path,
      multiplications: multiplications(kind, state, edges.length),
    };
  }
  return results;
}
