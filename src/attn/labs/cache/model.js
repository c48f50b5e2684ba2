// What CacheLab shows: a run with caches, the same words in one full pass, and the effect of overwriting one position.

import { normal } from "../kit/inputs.js";
import { unequalGroups } from "../kit/layer.js";
import { range } from "../kit/math.js";
import { mergeHeads, splitHeads } from "../kit/tensor.js";
import { costs } from "./costs.js";
import { attend, callEnds, firstNewRow, inputs, isTrained, runLayers } from "./run.js";

/** @typedef {import("./run.js").State} State */

/**
 * The results for the layer that is shown. `gap` and `stale...` leave out what was overwritten.
 *
 * @typedef {object} Results
 * @property {Float32Array} q (H, S, D), with what was overwritten
 * @property {Float32Array} k (G, S, D), with what was overwritten
 * @property {Float32Array} v (G, S, D), with what was overwritten
 * @property {Float32Array} weights (H, S, S), each row from the call that computed it
 * @property {Float32Array} heads (H, S, D), each row from the call that computed it
 * @property {Float32Array} moved (S,) by how much each row of this layer would change if all were computed again
 * @property {Float32Array} gap (S,) by how much each row of the output differs from a full pass
 * @property {Float32Array} stale (S,) by how much keys and values differ from those of a full pass
 * @property {Float32Array} stale_q (S,) the same for queries
 * @property {Float32Array} stale_weights (S,) the same for rows of weights
 * @property {Float32Array} shared (H,) by how much each head's newest row differs from that of layers in which G is H
 * @property {import("./costs.js").Costs} costs
 * @property {boolean} trained
 */

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  check(state);
  const { S, P, H, G, D, causal, overwrite, at } = state;
  const x = inputs(state);
  const cached = runLayers(x, callEnds(P, S), state);
  const full = runLayers(x, [S], state);
  const original = {
    q: splitHeads(cached.q, 1, S, H, D),
    k: splitHeads(cached.k, 1, S, G, D),
    v: splitHeads(cached.v, 1, S, G, D),
  };
  const used = { ...original };
  if (overwrite !== "nothing") used[overwrite] = overwritten(overwrite, original[overwrite], overwrite === "q" ? H : G, S, D, at);
  const before = attend(original.q, original.k, original.v, { H, G, D, causal }, S, S);
  const after = attend(used.q, used.k, used.v, { H, G, D, causal }, S, S);

  // The last call computes with what was overwritten; rows of earlier calls stay as they were.
  const start = firstNewRow(state);
  const weights = cached.weights.slice();
  const heads = splitHeads(cached.concat, 1, S, H, D);
  for (let h = 0; h < H; h++) {
    weights.set(after.weights.subarray((h * S + start) * S, (h + 1) * S * S), (h * S + start) * S);
    heads.set(after.heads.subarray((h * S + start) * D, (h + 1) * S * D), (h * S + start) * D);
  }
  const merged = (tensor, width) => mergeHeads(tensor, 1, H, S, width);
  const separate = runLayers(x, callEnds(P, S), { ...state, G: H });
  const newest = ({ concat }) => concat.subarray((S - 1) * H * D);
  const staleValues = maxDifferences(cached.v, full.v, S);
  return {
    ...used,
    weights,
    heads,
    moved: maxDifferences(merged(before.heads, D), merged(after.heads, D), S),
    gap: maxDifferences(cached.y, full.y, S),
    stale: maxDifferences(cached.k, full.k, S).map((difference, i) => Math.max(difference, staleValues[i])),
    stale_q: maxDifferences(cached.q, full.q, S),
    stale_weights: maxDifferences(merged(cached.weights, S), merged(full.weights, S), S),
    shared: maxDifferences(newest(cached), newest(separate), H),
    costs: costs(state),
    trained: isTrained(state),
  };
}

function check({ S, P, H, G, at }) {
  if (H % G) throw new Error(unequalGroups(H, G));
  if (P > S) throw new Error(`P = ${P} words of prompt and S = ${S} words so far: the prompt is part of them.`);
  if (at >= S) throw new Error(`at = ${at}: the last of S = ${S} words is number ${S - 1}.`);
}

// (heads, S, D) with random numbers at one position, in every head.
function overwritten(name, tensor, heads, S, D, at) {
  const noise = normal(0, `${name} noise`, range(heads), D);
  const out = tensor.slice();
  for (let h = 0; h < heads; h++) for (let d = 0; d < D; d++) out[(h * S + at) * D + d] = 2 * noise[h * D + d];
  return out;
}

// The largest difference between a and b (S, width) in each of the S rows.
function maxDifferences(a, b, S) {
  const width = a.length / S;
  return Float32Array.from(range(S), (i) => {
    let largest = 0;
    for (let n = i * width; n < (i + 1) * width; n++) largest = Math.max(largest, Math.abs(a[n] - b[n]));
    return largest;
  });
}
