// SoftmaxLab: the settings that a link may contain, the cells of a line, what is drawn on the way, and the sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EXAMPLES, parse } from "../../src/attn/labs/kit/language.js";
import { range } from "../../src/attn/labs/kit/math.js";
import { readWith } from "../../src/attn/labs/kit/reader.js";
import { progress } from "../../src/attn/labs/kit/time.js";
import { between, endOfTerms, endsOfScale, softmaxOf } from "../../src/attn/labs/softmax/between.js";
import { compute, linesOf, problem, tableOf, unraised } from "../../src/attn/labs/softmax/model.js";
import { placeOf, REACH } from "../../src/attn/labs/softmax/program.js";
import { brief, onlineVerdict, rowSentence, stableVerdict, verdict } from "../../src/attn/labs/softmax/words.js";
import { within } from "./close.js";

const WORDS = EXAMPLES[0].split(" ");
const LAYER = {
  head: 0,
  scores: null,
  L: 7,
  S: 7,
  raised: [],
  shift: 0,
  temperature: 1,
  masked: false,
  axis: "keys",
  precision: "float32",
  _words: WORDS,
};
const OWN = {
  ...LAYER,
  scores: [
    [2.3, 9.1, 0.5],
    [5, 5, 5],
  ],
  L: 2,
  S: 3,
};
const stateOf = (settings) => ({ settings, results: compute(settings) });
const close = within(1e-6);

test("settings that a link may not contain are refused with the reason", () => {
  for (const scores of [[], [[]], [[1], [1, 2]], [1, 2], "no", Array(8).fill([1]), [Array(8).fill(1)], [[1, [2]]], [[null]]])
    assert.ok(problem({ ...OWN, scores }), JSON.stringify(scores));
  assert.match(problem({ ...OWN, scores: [[1, 12.1]] }), /between −12 and 12/);
  assert.equal(problem({ ...OWN, scores: [[1, -12]] }), null);
  assert.equal(problem(LAYER), null);
  for (const raised of [[1], [[0, 1]], [[0, 7, 1]], [[-1, 0, 1]], [[0.5, 0, 1]], [[0, 0, 25]], [[0, 0, null, 1]], [[0, 0, "x"]]])
    assert.match(problem({ ...LAYER, raised }), /^raised contains/, JSON.stringify(raised));
  for (const temperature of [0, -1, 11, "x", null]) assert.match(problem({ ...LAYER, temperature }), /^The temperature/);
  assert.throws(() => compute({ ...OWN, scores: [[1], [1, 2]] }), /as many in every row/);
});

test("the scores are those of the recorded layer, to two decimals, and found looks most at the answers", () => {
  const { scaled } = readWith(WORDS);
  const found = WORDS.indexOf("found");
  for (const head of range(3)) {
    const scores = tableOf({ ...LAYER, head }).flat();
    scores.forEach((score, n) => {
      close(score, scaled[head * 49 + n], 0.00501);
    });
    const { weights } = compute({ ...LAYER, head });
    const row = Array.from(weights.slice(7 * found, 7 * found + 7));
    const { answer } = parse(WORDS).filter(({ asker }) => asker === found)[head];
    assert.equal(row.indexOf(Math.max(...row)), answer);
  }
});

test("a table that grows keeps its scores, and new scores are the same each time", () => {
  const grown = unraised({ ...OWN, L: 4, S: 7 });
  assert.deepEqual(
    grown.slice(0, 2).map((row) => row.slice(0, 3)),
    OWN.scores,
  );
  assert.deepEqual(unraised({ ...OWN, L: 4, S: 7 }), grown);
  assert.deepEqual(unraised({ ...OWN, L: 1, S: 2 }), [[2.3, 9.1]]);
  assert.ok(grown.flat().every((score) => Math.abs(score) <= 12));
});

test("a score that is raised stays in range, and raising changes no other", () => {
  const raised = [
    [0, 1, 5],
    [1, 2, -20],
    [1, 2, 1],
    [6, 0, 3],
  ];
  assert.deepEqual(tableOf({ ...OWN, raised }), [
    [2.3, 12, 0.5],
    [5, 5, -11],
  ]);
  assert.deepEqual(unraised(OWN), OWN.scores);
});

test("lines are rows of keys or columns of queries", () => {
  assert.deepEqual(linesOf(OWN), [
    [0, 1, 2],
    [3, 4, 5],
  ]);
  assert.deepEqual(linesOf({ ...OWN, axis: "queries" }), [
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
});

test("every move ends in exactly the numbers of a jump, and begins with those before it", () => {
  const before = stateOf(LAYER);
  for (const changes of [
    { raised: [[4, 3, 2.3]] },
    { shift: 5 },
    { temperature: 0.5 },
    { axis: "queries" },
    { axis: "queries", shift: 80, masked: true },
  ]) {
    const after = stateOf({ ...LAYER, ...changes });
    const end = between(before, after, 1);
    assert.equal(end.weights, after.results.weights);
    assert.equal(end.scaled, after.results.scaled);
    assert.equal(between(null, after, 0.3).weights, after.results.weights);
    if (changes.masked) continue;
    const begin = between(before, after, 0);
    begin.weights.forEach((weight, n) => {
      close(weight, before.results.weights[n]);
      close(begin.scaled[n], before.results.scaled[n]);
    });
  }
});

test("on the way the weights of every line are the softmax of its scores, so a shift moves no weight", () => {
  for (const axis of ["keys", "queries"]) {
    const [before, shifted, sharp] = [{}, { shift: 5 }, { temperature: 0.5 }].map((changes) =>
      stateOf({ ...LAYER, axis, ...changes }),
    );
    for (const t of [0.1, 0.5, 0.8]) {
      const { weights } = between(before, sharp, t);
      const go = progress(t, 0.68, 1);
      const scaled = before.results.scaled.map((score, n) => score + go * (sharp.results.scaled[n] - score));
      for (const cells of linesOf(sharp.settings)) {
        const sum = cells.reduce((all, at) => all + Math.exp(scaled[at]), 0);
        for (const at of cells) close(weights[at], Math.exp(scaled[at]) / sum);
      }
      const still = between(before, shifted, t);
      still.weights.forEach((weight, n) => {
        close(weight, before.results.weights[n]);
      });
    }
    const early = between(before, shifted, 0.14);
    assert.ok(early.scaled[0] > before.results.scaled[0] && early.scaled[0] < shifted.results.scaled[0]);
    assert.equal(early.raised[0], before.results.scaled[0], "the exponentials follow the scores");
  }
});

test("adding ln 10 to one score multiplies its ratio to every other weight by ten", () => {
  for (const seed of range(8)) {
    const row = range(5).map((j) => 4 * Math.sin(7 * seed + 3 * j));
    for (const j of range(5)) {
      const before = softmaxOf(row);
      const after = softmaxOf(row.map((score, n) => score + (n === j ? Math.log(10) : 0)));
      close(
        after.reduce((a, b) => a + b),
        1,
      );
      for (const n of range(5)) if (n !== j) close(after[j] / after[n] / (before[j] / before[n]), 10);
    }
  }
});

test("the scale of the scores ends where it has ended before, unless a score is outside", () => {
  assert.deepEqual(
    [[0], [6, -2], [-6.01, 6.01], [12], [13], [25, -2.1], [61], [132], [1320], [Number.NEGATIVE_INFINITY]].map(endsOfScale),
    [
      ...[
        [3, 1],
        [6, 3],
        [12, 12],
        [12, 1],
        [24, 1],
        [60, 3],
        [120, 1],
        [240, 1],
        [2400, 1],
        [3, 1],
      ],
    ],
  );
});

test("the scale of the exponentials ends at 6 while they can be seen, and never below one", () => {
  for (const row of [[0.1], [1.5, -9], [Math.log(6)], [Number.NEGATIVE_INFINITY]]) close(Math.exp(endOfTerms(row)), 6);
  for (const [highest, end] of [
    [6.1, 15],
    [16, 30],
    [31, 60],
    [61, 150],
    [257, 300],
    [0.9, 1.5],
    [0.2, 0.3],
    [2e-5, 3e-5],
  ])
    close(Math.exp(endOfTerms([Math.log(highest), -40])) / end, 1);
  for (const n of range(400)) {
    const highest = n * 6.7 - 1320;
    const room = endOfTerms([highest]) - highest;
    assert.ok(room >= -1e-9 && room < Math.log(15), `${highest}: ${room}`);
  }
});

const verdictOf = (changes) => {
  const { naive_terms, naive_sums, naive, weights } = compute({ ...OWN, ...changes });
  const row = (values) => Array.from(values.slice(0, 3));
  return verdict(row(naive_terms), naive_sums[0], row(naive), row(weights)).join(" ");
};

test("each failure of the naive program has its sentence", () => {
  assert.match(verdictOf({}), /^✓/);
  assert.match(verdictOf({ shift: 79 }), /^✓/);
  assert.match(verdictOf({ shift: 80 }), /^✗ A term is ∞/);
  assert.match(verdictOf({ scores: [[8, 8, 8]], L: 1, shift: 80 }), /^✗ No term is ∞, but their sum is: every weight is 0/);
  assert.match(verdictOf({ shift: -120 }), /^✗ Every term is 0/);
  assert.match(verdictOf({ shift: -110 }), /^⚠ Terms near 0 .* off by 0\.001/);
  assert.match(verdictOf({ shift: 2, precision: "float16" }), /^✗ A term is ∞/);
  assert.match(verdictOf({ shift: 1, precision: "float16" }), /^✓/);
  assert.match(verdictOf({ shift: 2, precision: "mixed" }), /^✓/);
});

test("a hidden first key spoils the online program, and a column of hidden scores every program", () => {
  const { factors, totals, weights } = compute({ ...LAYER, masked: true });
  assert.match(onlineVerdict([...factors.slice(0, 7)], [...totals.slice(0, 7)]).join(" "), /^✗ The first score is −∞/);
  assert.equal(weights[0], 0);
  const columns = compute({ ...LAYER, masked: true, axis: "queries" });
  assert.match(stableVerdict(columns.maxima[0]).join(" "), /^✗ Every score is −∞/);
  assert.match(stableVerdict(columns.maxima[1]).join(" "), /^✓/);
  const plain = compute(LAYER);
  assert.match(onlineVerdict([...plain.factors.slice(0, 7)], [...plain.totals.slice(0, 7)])[1], /rescaled once/);
});

const sentenceOf = (changes, i = 4) => {
  const settings = { ...LAYER, ...changes };
  return rowSentence(settings, compute(settings), i);
};

test("the sentence about a row has its numbers", () => {
  const row = compute(LAYER).weights.slice(28, 35);
  assert.match(
    sentenceOf({}),
    new RegExp(`^“found” asks who\\? “girls” has ${row[0].toFixed(3)} of 1\\. .* e\\^3\\.68 = 39\\.6 times`),
  );
  close(row[0] / row[3], 39.6, 0.05);
  assert.match(sentenceOf({ head: 2 }), /^“found” asks when\? “today” has/);
  assert.match(sentenceOf({}, 0), /^The weights of “girls” sum to 1\. “near” has 0\.389 of 1\. /);
  assert.match(sentenceOf({}, 3), /^The weights of “kings” sum to 1\. Its own key has 0\.346 of 1\. Its score/);
  assert.match(sentenceOf({ shift: -7 }), /^−7 on all scores: .* no weight changes/);
  assert.match(sentenceOf({ shift: 120, precision: "float16" }), /Only rounding changes a weight, by 0\.0/);
  assert.match(
    sentenceOf({ temperature: 0.5 }),
    /^All scores are divided by 0\.5: “girls” leads “kings” by 7\.36 instead of 3\.68/,
  );
  assert.match(sentenceOf({ temperature: 2 }), /^All scores are divided by 2: .* by 1\.84 instead of 3\.68/);
  assert.match(
    sentenceOf({ raised: [[4, 0, -1]] }),
    /^−1\.0 on “girls”: .* e\^−1\.0 = 0\.368 times as large, and so is its ratio to each other weight: .* Its weight falls only from/,
  );
  assert.match(sentenceOf({ raised: [[4, 0, 20]] }), /^\+9\.6 on “girls”/, "a score ends at 12");
  assert.match(sentenceOf({ masked: true }), /The key “girls” is hidden: its score is −∞, its weight 0\.$/);
  assert.match(sentenceOf({ S: 1 }), /^Only “girls” can be seen: its weight is 1/);
  assert.match(sentenceOf({ axis: "queries" }), /^Divided by the sums of the columns, every column sums to 1, but the row of/);
  assert.match(rowSentence(OWN, compute(OWN), 0), /^key 1 has 0\.999 of 1\. Its score is 6\.80 higher than that of key 0/);
});

test("numbers are short", () => {
  assert.deepEqual(
    [0, 1, 0.5, 8955.29, 0.00111378, 12345, -6.8, 3e-5, Infinity, NaN].map((x) => brief(x)),
    ["0", "1", "0.5", "8955", "0.001114", "1.2e4", "−6.8", "3.0e−5", "∞", "NaN"],
  );
  assert.equal(brief(148.413, 3), "148");
});

test("a number stands between 0 and ∞ by its power of ten, and what a precision cannot hold is at an end", () => {
  const { float32, float16 } = REACH;
  assert.ok(placeOf(1, float32) > 0.5 && placeOf(1, float32) < 0.6);
  assert.ok(Math.abs(placeOf(3.4e38, float32) - 1) < 1e-3 && Math.abs(placeOf(65504, float16) - 1) < 1e-3);
  assert.deepEqual(
    [0, Infinity, 1e30].map((value) => placeOf(value, float16)),
    [0, 1, 1],
  );
  assert.ok(placeOf(1e30, float32) < 1);
});
