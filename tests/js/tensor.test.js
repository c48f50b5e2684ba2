import assert from "node:assert/strict";
import { test } from "node:test";
import * as tensor from "../../src/attn/labs/kit/tensor.js";

const random = (n) => Float32Array.from({ length: n }, () => Math.random() * 2 - 1);
const close = (got, wanted) => {
  assert.equal(got.length, wanted.length);
  const near = (a, b) => a === b || Math.abs(a - b) < 1e-5;
  got.forEach((value, n) => assert.ok(near(value, wanted[n]), `at ${n}: ${value}, ${wanted[n]}`));
};
const each = (sizes, f) => {
  const out = [];
  const walk = (at) => {
    if (at.length === sizes.length) out.push(f(...at));
    else for (let n = 0; n < sizes[at.length]; n++) walk([...at, n]);
  };
  walk([]);
  return out;
};

test("linear is x times the transposed weight, whatever the sizes and the width of a stored row", () => {
  for (const [N, I, O, width] of [
    [1, 1, 1, 1],
    [3, 5, 7, 5],
    [2, 4, 4, 8],
    [5, 3, 2, 3],
    [4, 7, 6, 11],
  ]) {
    const [x, weight] = [random(N * I), random(O * width)];
    const wanted = each([N, O], (n, o) => 0.5 * each([I], (i) => x[n * I + i] * weight[o * width + i]).reduce((a, b) => a + b));
    close(tensor.linear(x, weight, N, I, O, width, 0.5), wanted);
  }
});

test("splitting gives head h the channels h·D to (h+1)·D, and merging undoes it", () => {
  const [B, L, H, D] = [2, 5, 3, 4];
  const x = random(B * L * H * D);
  const heads = tensor.splitHeads(x, B, L, H, D);
  close(
    heads,
    each([B, H, L, D], (b, h, i, d) => x[(b * L + i) * H * D + h * D + d]),
  );
  close(tensor.mergeHeads(heads, B, H, L, D), x);
});

test("scores and weighted sums of values read key/value head h // (H / G)", () => {
  const [B, H, G, L, S, D] = [2, 6, 2, 3, 5, 7];
  const [q, k, v, weights] = [random(B * H * L * D), random(B * G * S * D), random(B * G * S * D), random(B * H * L * S)];
  const kv = (x, b, h, j, d) => x[((b * G + Math.floor(h / (H / G))) * S + j) * D + d];
  const sum = (n, f) => each([n], f).reduce((a, b) => a + b);
  const scores = each([B, H, L, S], (b, h, i, j) => sum(D, (d) => q[((b * H + h) * L + i) * D + d] * kv(k, b, h, j, d)));
  close(tensor.attentionScores(q, k, B, H, G, L, S, D), scores);
  const mixed = each([B, H, L, D], (b, h, i, d) => sum(S, (j) => weights[((b * H + h) * L + i) * S + j] * kv(v, b, h, j, d)));
  close(tensor.weightedSum(weights, v, B, H, G, L, S, D), mixed);
});

test("the causal mask is aligned at the bottom right: query i of L is at position S - L + i", () => {
  const [L, S] = [2, 4];
  const masked = tensor.maskFuture(new Float32Array(2 * L * S), L, S);
  const row = (seen) => Array.from({ length: S }, (_, j) => (j < seen ? 0 : -Infinity));
  assert.deepEqual([...masked], [...row(3), ...row(4), ...row(3), ...row(4)]);
});

test("weights are not negative and each row sums to 1, or is zero if every key is masked", () => {
  const scores = Float32Array.from([1000, 1000, -Infinity, 0, 1, 2, -Infinity, -Infinity, -Infinity]);
  const weights = tensor.softmax(scores, 3);
  close(weights.subarray(0, 3), [0.5, 0.5, 0]);
  close(weights.subarray(3, 6), [0.09003057, 0.24472847, 0.66524096]);
  close(weights.subarray(6), [0, 0, 0]);
});
