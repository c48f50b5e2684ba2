import assert from "node:assert/strict";
import { test } from "node:test";
import { arcsOf } from "../../src/attn/labs/mask/arcs.js";
import { momentOf } from "../../src/attn/labs/mask/between.js";
import { cellText, emptyRows, isWrong, rowOutcome, selfBlindQueries, weightText } from "../../src/attn/labs/mask/explain.js";
import { alignAxes, compute, expandedStrides, fillValue, maskedWeights } from "../../src/attn/labs/mask/model.js";
import { brokenRules, intendedMask, paddedWords, paintCell } from "../../src/attn/labs/mask/rules.js";
import { SPELLINGS } from "../../src/attn/labs/mask/spellings.js";
import { codeOf, hiddenBecause, storyOf } from "../../src/attn/labs/mask/words.js";

const START = {
  _texts: ["the cat sat on the mat", "dogs chase the red ball", "she reads books"],
  ...{ L: 6, H: 2, causal: true, window: null, padding: true, pads: "behind", corner: "bottom right" },
  ...{ painted: [], stored: "B, 1, L, S", fill: "zero", dtype: "float32" },
};
const row = (state, b, i) => [...intendedMask(state).subarray((b * state.L + i) * 6, (b * state.L + i) * 6 + 6)];

test("the fill value is a number of the dtype", () => {
  assert.equal(fillValue("-1e9", "float32"), -1e9);
  assert.equal(fillValue("-1e9", "float16"), -Infinity);
  assert.equal(fillValue("finfo.min", "float16"), -65504);
  assert.equal(fillValue("finfo.min", "float32"), Math.fround(-3.4028234663852886e38));
  assert.equal(fillValue("zero", "float32"), -Infinity);
});

test("a fully masked row: zeros, NaN, an average, or the weights without a mask", () => {
  const scores = Float32Array.of(1, 3, 2);
  const nothing = new Float32Array(3);
  const after = (fill, dtype = "float32") => [...maskedWeights(scores, nothing, 3, fill, dtype)];
  const plain = [
    ...maskedWeights(
      scores,
      nothing.map(() => 1),
      3,
      "zero",
      "float32",
    ),
  ];
  assert.deepEqual(after("zero"), [0, 0, 0]);
  assert.ok(after("-inf").every(Number.isNaN));
  assert.deepEqual(after("-1e9"), [1 / 3, 1 / 3, 1 / 3].map(Math.fround));
  assert.ok(after("-1e9", "float16").every(Number.isNaN));
  assert.ok(after("-1e4").every((weight, j) => Math.abs(weight - plain[j]) < 1e-3));
  assert.deepEqual(
    ["zero", "-inf", "-1e9", "-1e4"].map((fill) => rowOutcome(after(fill), [0, 0, 0])),
    ["all zeros", "NaN", "an average over forbidden keys", "the weights without a mask"],
  );
  assert.equal(rowOutcome([0.5, 0.5, 0], [1, 1, 0]), "right");
});

test("rules depend on positions, with right and left padding", () => {
  assert.deepEqual(brokenRules(START, 0, 2, 3), ["causal"]);
  assert.deepEqual(brokenRules({ ...START, window: 2 }, 2, 1, 4), ["causal", "window", "padding"]);
  assert.deepEqual(brokenRules({ ...START, pads: "in front" }, 2, 5, 2), ["padding"]);
  assert.deepEqual(paddedWords({ ...START, pads: "in front" })[2], ["·", "·", "·", "she", "reads", "books"]);
  assert.deepEqual(paddedWords(START)[1], ["dogs", "chase", "the", "red", "ball", "·"]);
});

test("fewer queries are the last ones, but aligned at the top left they are taken for the first", () => {
  assert.deepEqual(row({ ...START, L: 2 }, 0, 0), [1, 1, 1, 1, 1, 0]);
  assert.deepEqual(row({ ...START, L: 2, corner: "top left" }, 0, 1), [1, 1, 0, 0, 0, 0]);
});

test("a painted cell is stored by position, and only if it differs from the rules", () => {
  const once = paintCell({ ...START, L: 2 }, 1, 0, 5, 1);
  assert.deepEqual(once, [[1, 4, 5, 1]]);
  assert.deepEqual(row({ ...START, painted: once }, 1, 4), [1, 1, 1, 1, 1, 1], "the same word with all queries");
  assert.deepEqual(paintCell({ ...START, painted: once }, 1, 4, 5, 0), [], "a cell that agrees with the rules is not an exception");
  assert.deepEqual(paintCell({ ...START, painted: once }, 1, 4, 4, 0), [
    [1, 4, 5, 1],
    [1, 4, 4, 0],
  ]);
  assert.deepEqual(row({ ...START, painted: [[9, 9, 9, 9], "x", [1], [0, 0, 0, 7]] }, 0, 0), [1, 0, 0, 0, 0, 0]);
});

test("shapes are aligned from the right", () => {
  const results = (shape, full) => alignAxes(shape, full).map((axis) => axis.result);
  assert.deepEqual(results([6, 6], [3, 2, 6, 6]), ["repeated", "repeated", "agrees", "agrees"]);
  assert.deepEqual(results([3, 1, 1, 6], [3, 2, 6, 6]), ["agrees", "repeated", "repeated", "agrees"]);
  assert.deepEqual(results([3, 6, 6], [3, 2, 6, 6]), ["repeated", "does not fit", "agrees", "agrees"]);
  assert.deepEqual(expandedStrides([3, 1, 1, 6], [3, 2, 5, 6]), [6, 0, 0, 1]);
  assert.deepEqual(expandedStrides([5, 6], [3, 2, 5, 6]), [0, 0, 6, 1]);
  assert.deepEqual(expandedStrides([3, 1, 1, 6], [3, 2, 1, 6]), [6, 0, 6, 1], "an axis that is not repeated keeps its stride");
});

test("a mask of three axes is refused, or gives head h the mask of sentence h", () => {
  const state = { ...START, stored: "B, L, S" };
  const refused = compute(state);
  assert.equal(refused.weights, null);
  assert.match(storyOf(state, refused, 0, 0, 0).verdict, /tensor a \(2\) must match the size of tensor b \(3\)/);
  const taken = { ...state, H: 3 };
  const results = compute(taken);
  assert.deepEqual([...results.expanded.subarray(0, 3 * 36)], [...results.keep]);
  assert.equal(results.expanded.filter((_, at) => isWrong(taken, 6, results, at)).length, 24);
});

test("a cell is explained by its rule, by the painting and by the mask that the head gets", () => {
  const results = compute(START);
  assert.match(
    cellText(START, results, [0, 0, 2, 3]),
    /^“sat” \(position 2\) may not attend to “on” \(3\): it comes later\. Scaled score .*, weight 0\.$/,
  );
  assert.match(cellText(START, results, [0, 0, 0, 0]), /may attend to “the” \(0\): no rule forbids it.*weight 1\.00\.$/);
  const painted = { ...START, painted: [[0, 2, 3, 1]] };
  assert.match(cellText(painted, compute(painted), [0, 0, 2, 3]), /may attend to “on” \(3\): you painted it so/);
  const lost = { ...START, stored: "L, S" };
  assert.match(cellText(lost, compute(lost), [2, 1, 5, 4]), /it is padding\. But the mask that reaches head 1 says True\./);
});

test("fully masked rows are found in the mask that the head gets", () => {
  const front = { ...START, pads: "in front" };
  assert.deepEqual(emptyRows(front, compute(front), 2, 1), [0, 1, 2]);
  assert.match(storyOf(front, compute(front), 2, 1, 0).text, /position 0 may see nothing, like 2 more queries/);
  assert.deepEqual(emptyRows(START, compute(START), 2, 1), []);
});

test("queries that do not attend to themselves, aligned at the top left, are named with the position that the rules use", () => {
  const corner = { ...START, L: 2, corner: "top left" };
  const results = compute(corner);
  assert.deepEqual(selfBlindQueries(corner, results.keep, 0), [0, 1]);
  assert.deepEqual(
    selfBlindQueries({ ...corner, L: 6 }, intendedMask({ ...corner, L: 6 }), 0),
    [],
    "with all queries both corners are the same",
  );
  assert.deepEqual(selfBlindQueries({ ...corner, corner: "bottom right" }, intendedMask({ ...START, L: 2 }), 0), []);
  assert.deepEqual(selfBlindQueries(corner, results.keep, 1), [0], "the other query is padding");
  assert.equal(storyOf(corner, results, 0, 0, 0).verdict, "“the” does not see itself.");
  assert.match(
    storyOf(corner, results, 0, 0, 1).text,
    /The rules take query 1 for position 1, but it stands at position S − L \+ i = 5\./,
  );
  assert.match(
    cellText(corner, results, [0, 0, 1, 5]),
    /“mat” \(position 5\) may not attend to “mat” \(5\): it comes later, because the rules see this query at position 1\./,
  );
  const painted = { ...corner, painted: [2, 3, 4, 5].map((key) => [0, 5, key, 1]) };
  assert.deepEqual(row(painted, 0, 1), row({ ...START, L: 2 }, 0, 1));
  assert.deepEqual(selfBlindQueries(painted, intendedMask(painted), 0), [0]);
});

test("the four spellings of a cell mean the same", () => {
  assert.deepEqual(
    SPELLINGS.map(({ name, text }) => [name, text(1), text(0)]),
    [
      ["keep", "T", "F"],
      ["drop", "F", "T"],
      ["additive", "0", "−∞"],
      ["0 and 1", "1", "0"],
    ],
  );
  assert.deepEqual(
    [0, 0.001, NaN].map((weight) => weightText(weight)),
    ["0", "0.00", "NaN"],
  );
  assert.deepEqual(
    [0, 0.0012, 0.33, 0.9987, 1, NaN].map((weight) => weightText(weight, true)),
    ["0", "0.001", "0.330", "0.999", "1.000", "NaN"],
  );
});

test("the sentence says who is hidden, why, and where the weight goes", () => {
  const results = compute(START);
  const { verdict, text } = storyOf(START, results, 0, 0, 2);
  assert.equal(verdict, "“sat” may attend to 3 of 6.");
  assert.match(
    text,
    /^“on”, “the” and “mat” come later\. The 0\.\d+ that they had is shared by the others in proportion: each is \d/,
  );
  const at = 2 * 6; // sentence 0, head 0, query 2
  const plain = compute({ ...START, causal: false }).weights.subarray(at, at + 6);
  const taken = plain[3] + plain[4] + plain[5];
  assert.ok(text.includes(`each is ${(1 / (1 - taken)).toFixed(2)} times as large`), text);
  const first = storyOf(START, results, 0, 0, 0);
  assert.match(
    `${first.verdict} ${first.text}`,
    /^“the” may attend to itself alone\. 5 places come later\. So the one weight left is 1/,
  );
  const ball = { ...START, window: 2, painted: [[1, 2, 1, 0]] };
  assert.equal(
    hiddenBecause(ball, 1, 2, [0, 1, 3, 5]),
    "You hid “chase”, “red” comes later, “dogs” is too far away and one place is padding.",
  );
});

test("the sentence about a row that sees nothing names its fate", () => {
  const front = { ...START, pads: "in front" };
  const fateOf = (changes) => {
    const state = { ...front, ...changes };
    const { kind, verdict } = storyOf(state, compute(state), 1, 0, 0);
    return `${kind} ${verdict}`;
  };
  assert.equal(fateOf({}), "good Zeros.");
  assert.equal(fateOf({ fill: "-inf" }), "bad NaN.");
  assert.equal(fateOf({ fill: "-1e9" }), "bad An average over hidden keys.");
  assert.equal(fateOf({ fill: "-1e9", dtype: "float16" }), "bad NaN.");
  assert.equal(fateOf({ fill: "-1e4" }), "bad The weights without a mask.");
});

test("padding is named in the middle of a sentence without a capital", () => {
  const state = { ...START, causal: false, late: true };
  const { verdict } = storyOf(state, compute(state), 2, 0, 4);
  assert.match(verdict, /^The row of the padding at position 4 adds up to 0\.\d+, not 1\.$/);
});

test("a mask after softmax is said to lose weight", () => {
  const state = { ...START, late: true };
  const results = compute(state);
  const row = results.weights.subarray(0, 6);
  assert.equal(storyOf(state, results, 0, 0, 0).kind, "bad");
  assert.equal(row[0], compute({ ...START, causal: false }).weights[0]);
  assert.deepEqual([...row.subarray(1)], [0, 0, 0, 0, 0]);
});

test("the line of code is the one that is computed", () => {
  const code = (changes) => codeOf({ ...START, ...changes });
  assert.equal(code({}), "(scores + where(mask, 0, -inf)).softmax(-1).masked_fill(~mask, 0)");
  assert.equal(code({ fill: "-1e9", dtype: "float16" }), "(scores.half() + where(mask, 0, -1e9)).softmax(-1)");
  assert.equal(code({ late: true }), "scores.softmax(-1) * mask");
});

test("a move begins with the old weights, ends exactly with the new ones, and keeps their sum", () => {
  const drawn = (changes) => {
    const state = { ...START, ...changes };
    return { state, results: compute(state), b: 0, h: 0 };
  };
  const [before, after] = [drawn({ causal: false }), drawn({})];
  const size = 36;
  const [old, now] = [before, after].map(({ results }) => [...results.weights.subarray(0, size)]);
  assert.deepEqual(momentOf(before, after, 0).weights, old);
  assert.deepEqual(momentOf(before, after, 1).weights, now);
  assert.deepEqual(momentOf(null, after, 0.5).weights, now);
  for (const t of [0.2, 0.5, 0.8]) {
    const { weights, fallen } = momentOf(before, after, t);
    for (let i = 0; i < 6; i++) {
      const sum = weights.slice(6 * i, 6 * i + 6).reduce((a, b) => a + b);
      assert.ok(Math.abs(sum - 1) < 1e-5, `row ${i} at ${t}: ${sum}`);
    }
    assert.deepEqual(
      fallen.map((one) => one !== null),
      fallen.map((_, n) => n % 6 > Math.floor(n / 6)),
      "what is hidden falls, and nothing else",
    );
  }
});

test("arcs leave the query side by side, without gaps, in a band as wide as their weights together", () => {
  const weights = [0.1, 0.3, 0.07, 0.23, 0.3];
  const space = { column: 60, band: 40, height: 170 };
  const arcs = arcsOf(weights, 2, space);
  const feet = arcs.map(({ d, j }) => {
    const from = Number(d.match(/^M([\d.-]+) 0/)?.[1]);
    const to = j === 2 ? Number(d.match(/([\d.-]+) 0Z/)?.[1]) : Number(d.match(/0 0 1 ([\d.-]+) 0H/)?.[1]);
    return [from, to];
  });
  const slots = feet.map(([from, to], j) =>
    j < 2 ? [to - 40 * weights[j], to] : j > 2 ? [from, from + 40 * weights[j]] : [from, to],
  );
  slots.sort((a, b) => a[0] - b[0]);
  assert.ok(Math.abs(slots[0][0] - 130) < 0.02 && Math.abs(slots[4][1] - 170) < 0.02, "the band is 40 wide around 150");
  for (let n = 1; n < 5; n++) assert.ok(Math.abs(slots[n][0] - slots[n - 1][1]) < 0.03);
  for (const j of [0, 1]) assert.ok(Math.abs(feet[j][0] - ((j + 0.5) * 60 - 20 * weights[j])) < 0.02, "it ends at its key");
  assert.ok(
    arcs.every(({ y, width }) => -y + width / 2 <= 170),
    "none is higher than the picture",
  );
});
