import assert from "node:assert/strict";
import { test } from "node:test";
import { pick } from "../../src/attn/labs/kit/inputs.js";
import { range } from "../../src/attn/labs/kit/math.js";
import { softmax } from "../../src/attn/labs/kit/tensor.js";
import { binsOf, outsideOf, reachOf, ticksOf } from "../../src/attn/labs/variance/bins.js";
import { average, prepare, sumsOf, VALUES } from "../../src/attn/labs/variance/draws.js";
import { compute, jacobianNorm, law, readRows } from "../../src/attn/labs/variance/model.js";
import { momentOf, stateOf } from "../../src/attn/labs/variance/scene.js";
import { bestText, brief, legends, sentence, stuckText, withError } from "../../src/attn/labs/variance/words.js";
import { within } from "./close.js";

const START = { D: 64, divide_by: "√D", numbers: "normal", mean: 0, std: 1, correlation: 0, seed: 4 };
const close = within(1e-9);

test("a picked number depends only on its position, the seed and the name", () => {
  const [long, short, other, named] = [20, 7, 20, 20].map((length) => new Float64Array(length));
  pick(1, "k", 5, VALUES.uniform, long);
  pick(1, "k", 5, VALUES.uniform, short);
  pick(2, "k", 5, VALUES.uniform, other);
  pick(1, "q", 5, VALUES.uniform, named);
  assert.deepEqual(long.slice(0, 7), short);
  assert.notDeepEqual(long, other);
  assert.notDeepEqual(long, named);
});

test("every kind of number has mean 0 and variance 1", () => {
  for (const values of Object.values(VALUES)) {
    close(values.reduce((sum, value) => sum + value, 0) / values.length, 0);
    close(values.reduce((sum, value) => sum + value ** 2, 0) / values.length, 1);
    assert.equal(Math.log2(values.length) % 1, 0);
  }
});

test("the norm of the Jacobian is its largest eigenvalue, at most 1/2, which two equal weights reach", () => {
  close(jacobianNorm([0.5, 0.5, 0, 0]), 0.5);
  close(jacobianNorm([0.3, 0.7]), 2 * 0.3 * 0.7);
  close(jacobianNorm(new Array(16).fill(1 / 16)), 1 / 16);
  close(jacobianNorm([1, 0, 0]), 0);
  const scores = new Float64Array(16 * 60);
  pick(0, "s", 0, VALUES.normal, scores);
  const weights = softmax(
    scores.map((score) => 4 * score),
    16,
    new Float64Array(scores.length),
  );
  for (let row = 0; row < 60; row++) {
    const p = weights.subarray(16 * row, 16 * row + 16);
    let v = Array.from(p, (_, n) => Math.sin(n + 1)); // power iteration
    let length = 0;
    for (let n = 0; n < 4000; n++) {
      const along = p.reduce((sum, weight, j) => sum + weight * v[j], 0);
      v = v.map((value, j) => p[j] * (value - along));
      length = Math.hypot(...v);
      v = v.map((value) => value / length);
    }
    close(jacobianNorm(p), length, 1e-5);
    assert.ok(jacobianNorm(p) < 0.5);
  }
});

test("changing mean, standard deviation and correlation keeps the random numbers", () => {
  const first = compute(START).scores;
  compute({ ...START, mean: 1, std: 2, correlation: -0.3 });
  assert.deepEqual(compute(START).scores, first);
  assert.notDeepEqual(compute({ ...START, seed: 5 }).scores, first);
  assert.notDeepEqual(compute({ ...START, numbers: "uniform" }).scores, first);
});

test("sums that continue from a smaller D equal sums that are computed at once", () => {
  const settings = { numbers: "normal", seed: 11 };
  const atOnce = sumsOf({ ...settings, D: 96 });
  for (const seed of [1, 2, 3]) sumsOf({ ...settings, seed: 11 + seed, D: 1 }); // discards the sums of seed 11
  for (const D of [64, 2, 80, 5]) sumsOf({ ...settings, D });
  assert.deepEqual(sumsOf({ ...settings, D: 96 }), atOnce);
  assert.notEqual(sumsOf({ ...settings, D: 96 }), atOnce);
});

test("the law covers the case of the sources and those with one assumption broken", () => {
  const lawOf = (changes) => law({ ...START, ...changes });
  assert.deepEqual(lawOf({}), { mean: 0, variance: 64 });
  assert.deepEqual(lawOf({ mean: 1 }), { mean: 64, variance: 192 });
  assert.deepEqual(lawOf({ std: 2 }), { mean: 0, variance: 1024 });
  close(lawOf({ numbers: "coin", correlation: 1 }).variance, 0); // q = k: every product is 1
  close(lawOf({ correlation: 0.5 }).variance / 64, 1.25);
  close(lawOf({ correlation: 1 }).variance / 64, 2);
  close(lawOf({ correlation: -1, mean: 1 }).variance / 64, 2);
  close(lawOf({ correlation: 1, numbers: "exponential" }).variance / 64, 8);
});

test("numbers that are drawn ahead, some columns at a time, are the same", () => {
  const settings = { numbers: "uniform", seed: 21 };
  const atOnce = sumsOf({ ...settings, D: 200 });
  for (const seed of [1, 2, 3]) sumsOf({ ...settings, seed: 21 + seed, D: 1 }); // discards the sums of seed 21
  let calls = 1;
  while (!prepare(settings, [5, 96, 200])) calls += 1;
  assert.ok(calls > 4, "in steps");
  assert.deepEqual(sumsOf({ ...settings, D: 200 }), atOnce);
});

test("every number is in a bin, and the bins are a quarter of the spread wide", () => {
  const numbers = new Float64Array(3000);
  pick(3, "n", 0, VALUES.normal, numbers);
  const bins = binsOf(numbers.map((one) => 40 * one + 7));
  assert.equal(average(bins.counts) * bins.counts.length, 3000);
  close(bins.step, bins.spread / 4);
  close(bins.mean, 7 + 40 * average(numbers));
  close(bins.first / bins.step + 0.5, Math.round(bins.first / bins.step + 0.5), 1e-6); // one bin is centred at 0
  const within = (from, to) => numbers.filter((one) => 40 * one + 7 >= from && 40 * one + 7 < to).length;
  bins.counts.forEach((count, n) => {
    assert.equal(count, within(bins.first + n * bins.step, bins.first + (n + 1) * bins.step));
  });
});

test("equal numbers have one bin", () => {
  assert.deepEqual([...binsOf(new Float64Array(30).fill(64)).counts], [30]);
});

test("every bin contains equally many of the values that sums of coins can have", () => {
  for (const [numbers, count] of [
    [[-1, 1], 2],
    [range(33).map((n) => 2 * n - 32), 17],
  ]) {
    const { counts } = binsOf(numbers);
    assert.equal(counts.length, count);
    assert.equal(new Set(counts.slice(0, -1)).size, 1, "all equally frequent");
  }
});

test("the axis has room for nearly all scores at every setting, says how many others there are, and is the same one from D = 1 to 512", () => {
  const lawOf = (changes) => law({ ...START, ...changes });
  assert.equal(new Set(range(512).map((n) => reachOf(lawOf({ D: n + 1 })))).size, 1);
  for (const mean of [-2, 0, 2])
    for (const std of [0.25, 2])
      for (const correlation of [-1, 0, 1])
        for (const D of [1, 64, 512]) {
          const settings = { ...START, D, mean, std, correlation };
          const { scores } = compute(settings);
          const reach = reachOf(law(settings));
          const outside = scores.filter((score) => Math.abs(score) > reach).length;
          const [left, right] = outsideOf(binsOf(scores), reach);
          assert.ok(Math.abs(left + right - outside) <= 1, "the bin at the edge may be cut");
          assert.ok(outside <= 10, `${outside} of 2000 outside at ${JSON.stringify(settings)}`);
        }
});

test("the largest weight of a query is that of its best key", () => {
  const { scores } = compute(START);
  const { largest } = readRows(scores, 16, 3);
  largest.forEach((weight, i) => {
    const row = [...scores.subarray(16 * i, 16 * i + 16)].map((score) => Math.exp(score / 3));
    close(weight, Math.max(...row) / row.reduce((sum, one) => sum + one, 0));
  });
});

test("behind the scores of a narrow head stand those of the widest, if both are around 0 and on one axis", () => {
  const ghost = (changes) => {
    const settings = { ...START, ...changes };
    return stateOf(compute(settings), settings.D).ghost;
  };
  close(ghost({ D: 4 }), Math.sqrt(512));
  assert.equal(ghost({ D: 512 }), 0);
  assert.equal(ghost({ D: 256 }), 0, "too wide to have one");
  assert.equal(ghost({ D: 4, mean: 1 }), 0);
  assert.equal(ghost({ D: 16, std: 2 }), 0, "the widest would be on another axis");
  const [narrow, wide] = [4, 512].map((D) => stateOf(compute({ ...START, D }), D));
  assert.equal(momentOf(narrow, wide, 0.5).ghost, narrow.ghost, "it stays while the scores spread up to it");
  assert.equal(momentOf(narrow, wide, 1).ghost, 0);
});

test("a division moves bars and leaves their counts as they are", () => {
  const now = stateOf(compute(START));
  const { outline, filled } = momentOf(null, now, 1);
  assert.equal(outline.bins, filled.bins);
  assert.deepEqual([outline.divisor, filled.divisor], [1, 8]);
});

test("a move begins where the last one ended, spreads the scores, squeezes them, and ends where a jump ends", () => {
  const [narrow, wide] = [4, 512].map((D) => stateOf(compute({ ...START, D })));
  const [first, spread, last] = [0, 0.34, 1].map((t) => momentOf(narrow, wide, t));
  close(first.filled.bins.spread, narrow.bins.spread / 2);
  close(first.outline.bins.spread, narrow.bins.spread);
  const wider = momentOf(narrow, wide, 0.34);
  close(wider.outline.bins.spread, wide.bins.spread);
  assert.equal(wider.reach, narrow.reach, "the axis stays");
  const shifted = stateOf(compute({ ...START, D: 512, mean: 2 }));
  assert.equal(momentOf(narrow, shifted, 0.33).reach, narrow.reach, "the scores move before the axis follows");
  assert.ok(shifted.reach > narrow.reach);
  close(average(first.filled.rows.largest), average(narrow.divided.largest));
  assert.equal(first.reach, narrow.reach);
  close(spread.filled.bins.spread / spread.filled.divisor, wide.bins.spread);
  assert.deepEqual(last, momentOf(null, wide, 1));
  const widths = range(20).map((n) => momentOf(narrow, wide, 0.42 + 0.029 * n).filled.divisor);
  assert.deepEqual(
    widths,
    [...widths].sort((a, b) => a - b),
  );
});

test("if only the divisor changes, the scores go from one division to the other", () => {
  const [by1, byRoot] = ["1", "√D"].map((divide_by) => stateOf(compute({ ...START, divide_by })));
  const divisors = range(11).map((n) => momentOf(byRoot, by1, n / 10).filled.divisor);
  close(divisors[0], 8);
  close(divisors[10], 1);
  assert.deepEqual(
    divisors,
    [...divisors].sort((a, b) => b - a),
  );
});

test("scores of the trained layer can follow random ones, although there are fewer of them", () => {
  const trained = stateOf(compute({ ...START, D: 4, numbers: "trained" }));
  assert.equal(trained.keys, 7);
  const random = stateOf(compute({ ...START, D: 4 }));
  for (const t of [0, 0.3, 0.7])
    for (const [from, to] of [
      [random, trained],
      [trained, random],
    ])
      assert.equal(momentOf(from, to, t).filled.bins, to.bins);
});

test("what lies outside of the axis is counted on its side", () => {
  const bins = { first: -10, step: 1, counts: Float64Array.from({ length: 30 }, (_, n) => n), most: 29, mean: 9, spread: 7 };
  assert.deepEqual(outsideOf(bins, 8), [
    0 + 1,
    range(30)
      .slice(18)
      .reduce((a, b) => a + b),
  ]);
  assert.deepEqual(outsideOf(bins, 30), [0, 0]);
});

test("ticks are round numbers inside the window", () => {
  assert.deepEqual(ticksOf(6), [-6, -4, -2, 0, 2, 4, 6]);
  assert.deepEqual(ticksOf(90.5), [-80, -60, -40, -20, 0, 20, 40, 60, 80]);
});

test("numbers are written with about three digits, and an error with two", () => {
  assert.deepEqual([512.4, 64, 1.0000000000000002, 0.0314, 0.00060307, -3.1459].map(brief), [
    "512",
    "64",
    "1",
    "0.031",
    "6.0·10⁻⁴",
    "−3.15",
  ]);
  assert.equal(brief(0), "0");
  assert.equal(brief(-30228.4), "−30,228");
  assert.equal(withError(525.19, 15.45), "525 ± 15");
  assert.equal(withError(64.27, 2.134), "64.3 ± 2.1");
  assert.equal(withError(1.0049, 0.0333), "1.00 ± 0.03");
  assert.equal(withError(29207, 2262), "29,200 ± 2,300");
  assert.equal(withError(-5512, 430), "−5,500 ± 400");
  assert.equal(withError(1, 0), "1");
  assert.equal(withError(0.00203, 0.000061), "0.00203 ± 0.00006");
});

const told = (changes) => {
  const settings = { ...START, ...changes };
  return sentence(settings, compute(settings)).replaceAll(/[{}]/g, "");
};

test("the sentence says what each division does to the variance, the best key and the queries that are stuck", () => {
  assert.match(
    told({}),
    /^A score is a sum of 64 products: its variance is about D\. Divided by √D, it is about 1 at every D\. So the best .* 0\.2\d .* a gradient gets through for every query\.$/,
  );
  assert.match(
    told({ divide_by: "1", D: 512 }),
    /give one key nearly all of the weight, 0\.9\d on average\. Then \d\d % of the queries are stuck: hardly any gradient gets through their weights\.$/,
  );
  assert.match(
    told({ divide_by: "D" }),
    /the more equal the scores\. The best of 16 keys gets 0\.07\d .* equal weights give 0\.063: the head can hardly choose\.$/,
  );
  assert.match(told({ divide_by: "D", D: 4 }), /equal weights give 0\.063\.$/, "at this width the head can choose");
  assert.match(
    told({ divide_by: "√E" }),
    /E = 8·D is the width of a whole token, so √E divides too much: 0\.12\d+ ± 0\.\d+ is left, 1\/8 of what should be\./,
  );
  assert.match(
    told({ D: 4 }),
    /At so small a D it is hardly needed: undivided, the best of 16 keys gets 0\.4\d of the weight, not 0\.2\d, and no query is stuck either way\.$/,
  );
  assert.match(told({ D: 1 }), /sum of 1 product: .* gets (0\.\d\d) of a query’s weight on average, and/, "nothing has changed");
});

test("the sentence calls a variance about the expected one only within two standard errors", () => {
  const kinds = ["normal", "exponential"].flatMap((numbers) => range(20).map((seed) => ({ ...START, numbers, seed })));
  const near = kinds.map((settings) => {
    const { facts } = compute(settings);
    const isNear = Math.abs(facts.variance - 64) < 2 * facts.variance_error;
    assert.match(
      sentence(settings, compute(settings)),
      isNear ? /it is about 1 at every/ : /it is 1 on average over many draws at every/,
    );
    return isNear;
  });
  assert.ok(near.includes(true) && near.includes(false), "both happen");
});

test("the sentence names the assumptions that are broken and what the law says then", () => {
  assert.match(
    told({ mean: 1 }),
    /^The mean is 1 and not 0: by the law the scores have mean 64 and variance 192 instead of 0 and 64\. Divided by √D = 8, it is 3\.\d/,
  );
  assert.match(
    told({ std: 2, correlation: 0.9 }),
    /^The standard deviation is 2 and not 1, queries and keys are correlated \(0\.9\): .* instead of 0 and 64\./,
  );
  for (const correlation of [1, -1])
    assert.match(
      told({ correlation }),
      /variance 128 instead of 0 and 64\..* All 16 keys of a query are the same, so there is nothing to choose\.$/,
    );
});

test("the lab says which numbers are trained and which stand in for them", () => {
  assert.match(told({ D: 4, numbers: "trained" }), /^These are scores of a trained layer: variance 11\.8, not 4/);
  assert.match(told({ D: 8, numbers: "trained" }), /^The trained layer has D = 4; at D = 8 the numbers are random\./);
});

test("the words beside the pictures state what was computed", () => {
  const settings = { ...START, D: 512, divide_by: "1" };
  const results = compute(settings);
  const { facts } = results;
  const state = stateOf(results);
  const [plain, divided] = legends(settings, results, momentOf(null, state, 1));
  const [variance] = withError(facts.variance, facts.variance_error).split(" ± ");
  assert.equal(plain, "", "they are the same");
  assert.equal(divided, `scores, not divided: variance ${variance} (expected 512)`);
  const halved = legends({ ...settings, divide_by: "√D" }, compute({ ...settings, divide_by: "√D" }), momentOf(null, state, 1));
  assert.equal(halved[0], divided);
  assert.match(halved[1], /^divided by √\{D\} = 22\.6: variance 1\.0\d \(expected 1\)$/);
  const moves = momentOf(state, stateOf(compute({ ...settings, D: 4 })), 0.4);
  assert.deepEqual(legends(settings, results, moves), ["", "scores, not divided"], "no numbers on the way");
  const { raw } = state;
  assert.equal(bestText(raw), `${facts.largest.toFixed(2)} on average`);
  assert.equal(stuckText(raw), `${Math.round(100 * facts.stuck)} % stuck`);
  const even = stateOf(compute({ ...START, divide_by: "D" })).divided;
  assert.match(bestText(even), /^0\.07\d on average: nearly equal$/);
});
