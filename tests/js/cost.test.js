import assert from "node:assert/strict";
import { test } from "node:test";
import { between, CLOCKS, endOf, squares, stateOf } from "../../src/attn/labs/cost/clocks.js";
import { compute, total } from "../../src/attn/labs/cost/model.js";
import { amount, brief, compared, count, grown, idle, listed, nameOf, sentence, time } from "../../src/attn/labs/cost/words.js";

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

const stateFor = (changes) => stateOf({ ...START, ...changes }, compute({ ...START, ...changes }));

test("the areas of the squares are the times, and the longer one fills its frame", () => {
  const [one, many] = [stateFor({}), stateFor({ B: 64, phase: "prefill" })];
  for (const state of [one, many, between(one, many, 0.4)]) {
    for (const shares of state.shares) assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
    const sides = squares(state).map(({ side }) => side);
    assert.equal(Math.max(...sides), 1);
    const [memory, arithmetic] = state.seconds;
    assert.ok(Math.abs(sides[0] ** 2 / sides[1] ** 2 / (memory / arithmetic) - 1) < 1e-9);
  }
  assert.equal(squares(one)[CLOCKS.indexOf("memory")].side, 1);
  assert.equal(squares(many)[CLOCKS.indexOf("arithmetic")].side, 1);
  assert.deepEqual(between(one, many, 0), one);
  assert.equal(between(one, many, 1), many);
});

test("from nothing both clocks run equally fast, and the shorter one stops when its part is done", () => {
  for (const state of [stateFor({}), stateFor({ phase: "prefill" })]) {
    const longest = Math.max(...state.seconds);
    const shorter = state.seconds.indexOf(Math.min(...state.seconds));
    for (const t of [0.001, 0.4, 0.9]) {
      const areas = squares(between(null, state, t), longest).map(({ side }) => side ** 2);
      assert.ok(Math.abs(areas[1 - shorter] - t) < 1e-9);
      assert.ok(Math.abs(areas[shorter] - Math.min(t, state.seconds[shorter] / longest)) < 1e-9);
    }
    assert.equal(between(null, state, 1), state);
  }
  for (const { once } of squares(between(null, stateFor({}), 0.5), 1))
    assert.equal(once, null, "one token is not drawn into itself");
});

test("one token of one sequence is drawn into what takes longer", () => {
  assert.deepEqual(
    squares(stateFor({})).map(({ once }) => once),
    [null, null],
  );
  const prompt = stateFor({ phase: "prefill" });
  const [memory, arithmetic] = squares(prompt);
  assert.equal(memory.once, null, "it reads the same bytes");
  assert.ok(Math.abs(1 / arithmetic.once ** 2 - prompt.seconds[1] / compute(START).seconds.arithmetic) < 1e-6);
  assert.deepEqual(
    squares(stateFor({ S: 16 })).map(({ once }) => once),
    [null, squares(stateFor({ S: 16 }))[1].once],
    "it does not leave its frame",
  );
  assert.deepEqual(
    [1, 64, 3840.4, 2.104].map((factor) => grown(factor, "one token")),
    ["", "64 × one token", "3,840 × one token", "2.10 × one token"],
  );
  assert.equal(grown(4.878, "cache of 4,096"), "4.88 × the dashed");
  /** @param {Partial<typeof START>} changes */
  const dashed = (changes) => compared({ ...START, ...changes }, compute({ ...START, ...changes }));
  assert.deepEqual([{ S: 131072 }, { S: 16 }].map(dashed), ["cache of 4,096", "cache of 4,096"]);
  const small = { model: "GPT-2 small" }; // takes 1,024 tokens
  assert.deepEqual(
    [
      { ...small, S: 64 },
      { ...small, S: 1024 },
    ].map(dashed),
    ["cache of 1,024", "one token"],
  );
  assert.deepEqual([{}, { B: 64, S: 131072 }, { phase: "prefill", S: 8192 }].map(dashed), Array(3).fill("one token"));
});

test("a clock that waits never waits all of the step", () => {
  assert.deepEqual([1, 0.5, 0.07, 0.00374, 1e-6].map(idle), ["", "waits 50 %", "waits 93 %", "waits 99.6 %", "waits 99.9 %"]);
});

test("the bar of what is needed has room for all of it and for each memory", () => {
  for (const changes of [{}, { model: "Llama 2 70B", B: 64 }]) {
    const state = stateFor(changes);
    const { needed } = compute({ ...START, ...changes });
    const whole = state.needed.reduce((sum, one) => sum + one, 0);
    assert.ok(Math.abs(whole * 1e9 - needed.parameters - needed.cache) < 1e3);
    assert.ok(endOf(state) > Math.max(141, whole));
  }
});

test("the sentence says what a step waits for, and when that changes", () => {
  assert.match(
    said({}),
    /^For one token a step reads 15\.0 GB of parameters \(all but the embeddings\) and 537 MB of cache\. So a step waits for memory: /,
  );
  assert.match(said({ B: 64, S: 64 }), /as computing\. From a batch of 353 on it waits for arithmetic\.$/);
  assert.match(
    said({ B: 512, S: 64 }),
    /So a step waits for arithmetic: computing takes 1\.35 times as long as moving the bytes\./,
  );
  assert.match(said({ B: 64 }), /as computing\. More sequences would wait for memory too\.$/);
  assert.match(
    said({ phase: "prefill" }),
    /serve 4,096 tokens, .* waits for arithmetic: computing takes 14\.3 times as long as moving the bytes\.$/,
  );
  assert.match(said({ model: "Llama 2 70B" }), /But it needs 139 GB, and one H100 SXM has 80 GB\.$/);
  assert.match(said({ model: "GPT-2 small", S: 64 }), /^For one token a step reads 247 MB of parameters and /);
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
