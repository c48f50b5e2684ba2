import assert from "node:assert/strict";
import { test } from "node:test";
import { between, stateOf } from "../../src/attn/labs/cost/bars.js";
import { compute, total } from "../../src/attn/labs/cost/model.js";
import { amount, brief, count, listed, nameOf, sentence, time } from "../../src/attn/labs/cost/words.js";

const OWN = { layers: null, E: null, H: null, G: null, D: null };
const START = { model: "Llama 3 8B", ...OWN, B: 1, S: 4096, phase: "decoding", dtype: "bfloat16", device: "H100 SXM" };
const said = (changes) => sentence({ ...START, ...changes }, compute({ ...START, ...changes }));

test("amounts have three digits and the unit that fits them", () => {
  assert.deepEqual([1.574, 15.74, 157.4, 1574, 99.96, 0.0123].map(brief), ["1.57", "15.7", "157", "1,574", "100", "0.012"]);
  assert.deepEqual(
    [1, 999, 999.6, 537e6, 15.01e9, 1.1e12, 1e25].map((value) => amount(value, "B")),
    ["1.00 B", "999 B", "1.00 kB", "537 MB", "15.0 GB", "1.10 TB", "10,000 ZB"],
  );
  assert.deepEqual([124_439_808, 8_030_261_248, 999_900_000, 864].map(count), [
    "124 million",
    "8.03 billion",
    "1.00 billion",
    "864",
  ]);
  assert.deepEqual([1.5, 0.00464, 1.7e-5, 0.9999e-3, 3e-10].map(time), ["1.50 s", "4.64 ms", "17.0 µs", "1.00 ms", "0.30 ns"]);
});

test("the shares of each bar add up to one, and a move begins and ends at its states", () => {
  const [one, many] = [START, { ...START, B: 64, phase: "prefill" }].map((settings) => stateOf(compute(settings)));
  for (const { shares, times } of [one, many, between(one, many, 0.4)]) {
    for (const bar of shares) assert.ok(Math.abs(bar.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
    for (const length of times) assert.ok(length > 0 && length <= 1);
  }
  assert.deepEqual(one.times[0], 1);
  assert.deepEqual(many.times[1], 1);
  assert.deepEqual(between(one, many, 0), one);
  assert.equal(between(one, many, 1), many);
  assert.ok(one.gauges.every(([parameters, cache]) => parameters + cache <= 1));
});

test("the sentence says what a step waits for, and when that changes", () => {
  assert.match(said({}), /^For one token a step reads 15\.0 GB of parameters and 537 MB of cache\. So a step waits for memory: /);
  assert.match(said({ B: 64, S: 64 }), /as computing\. From a batch of 353 on it waits for arithmetic\. At best/);
  assert.match(said({ B: 512, S: 64 }), /So a step waits for arithmetic: computing takes 1\.35 times as long as moving\./);
  assert.match(said({ B: 64 }), /as computing\. With caches this long, no batch changes that\. At best/);
  assert.match(said({ phase: "prefill" }), /serve 4,096 tokens, .* waits for arithmetic: .* tokens of prompt per second\.$/);
  assert.match(said({ model: "Llama 2 70B" }), /But it needs 139 GB, and one H100 SXM has 80 GB\.$/);
  assert.match(said({ model: "GPT-2 small" }), /cannot take 4,096 tokens/);
});

test("a model with other sizes says which", () => {
  assert.equal(nameOf({ ...START, G: 8 }), "Llama 3 8B");
  assert.equal(nameOf({ ...START, G: 32, layers: 3 }), "Llama 3 8B with layers = 3, G = 32");
  assert.throws(() => compute({ ...START, G: 3 }), /H = 32 is not a multiple of G = 3/);
  assert.equal(total(compute({ ...START, model: "GPT-2 small" }).parameters), 124_439_808);
});

test("a bar in words leaves out what it does not have", () => {
  assert.equal(listed(["MLP", "norms", "KV cache"], [0.725, 0, 0.275]), "MLP 72.5 %, KV cache 27.5 %");
});
