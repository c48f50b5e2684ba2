// SoftmaxLab: rounding to float16, what a link may carry, which cells a line has, and what is said of a line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, compute, half, linesOf, problem, resized, verdict } from "../../src/attn/labs/softmax/model.js";

const START = {
  scores: [
    [2.3, 9.1, 0.5],
    [5, 5, 5],
  ],
  temperature: 1,
  axis: "keys",
  shift: 0,
  precision: "float32",
};

// A number of float16 from its 16 bits, as IEEE 754 defines it.
function fromBits(bits) {
  const [sign, power, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (power === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (power - 25));
}

test("every number of float16 stays, and what lies between two goes to the nearer, a tie to the even one", () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    const here = fromBits(bits);
    assert.equal(half(here), here);
    assert.equal(half(-here), -here);
    if (bits === 0x7bff) break;
    const next = fromBits(bits + 1);
    const middle = (here + next) / 2;
    assert.equal(half(middle), bits % 2 ? next : here);
    assert.equal(half(middle - (next - here) / 64), here);
    assert.equal(half(middle + (next - here) / 64), next);
  }
});

test("float16 ends at 65504", () => {
  assert.deepEqual([65504, 65519.9, 65520, -1e9, Infinity].map(half), [65504, 65504, Infinity, -Infinity, Infinity]);
  assert.ok(Number.isNaN(half(NaN)));
  assert.equal(half(Math.exp(12)), Infinity);
  assert.ok(half(Math.exp(11)) < Infinity);
});

test("a link with a table that is none is refused in words", () => {
  for (const scores of [[], [[]], [[1], [1, 2]], [1, 2], "no", Array(7).fill([1]), [Array(9).fill(1)], [[1, [2]]], [[null]]])
    assert.ok(problem(scores), JSON.stringify(scores));
  assert.match(problem([[1, 12.1]]), /between −12 and 12/);
  assert.equal(
    problem([
      [1, -12],
      [0, 12],
    ]),
    null,
  );
  assert.throws(() => compute({ ...START, scores: [[1], [1, 2]] }), /as many in every row/);
});

test("a table that grows keeps its scores, and one that grows again has the same new ones", () => {
  const grown = resized(START.scores, 4, 8);
  assert.deepEqual(
    grown.slice(0, 2).map((row) => row.slice(0, 3)),
    START.scores,
  );
  assert.equal(problem(grown), null);
  assert.deepEqual(resized(resized(grown, 2, 3), 4, 8), grown);
  assert.deepEqual(resized(START.scores, 1, 2), [[2.3, 9.1]]);
});

test("lines are rows of keys or columns of queries", () => {
  assert.deepEqual(linesOf(START), [
    [0, 1, 2],
    [3, 4, 5],
  ]);
  assert.deepEqual(linesOf({ ...START, axis: "queries" }), [
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
});

const said = (changes) => {
  const { naive_terms, naive_sums, naive, weights } = compute({ ...START, ...changes });
  const row = (values) => Array.from(values.slice(0, 3));
  return verdict(row(naive_terms), naive_sums[0], row(naive), row(weights)).join(" ");
};

test("each way in which the naive program breaks has its sentence", () => {
  assert.match(said({}), /^✓/);
  assert.match(said({ shift: 79 }), /^✓/);
  assert.match(said({ shift: 80 }), /^✗ A term is ∞/);
  assert.match(said({ scores: [[8, 8, 8]], shift: 80 }), /^✗ No term is ∞, but their sum is: every weight is 0/);
  assert.match(said({ shift: -120 }), /^✗ Every term is 0/);
  assert.match(said({ shift: -110 }), /^⚠ Terms near 0 .* off by 0\.001/);
  assert.match(said({ shift: 2, precision: "float16" }), /^✗ A term is ∞/);
  assert.match(said({ shift: 1, precision: "float16" }), /^✓/);
});

test("numbers are brief", () => {
  assert.deepEqual([0, 1, 0.5, 8955.29, 0.00111378, 12345, -6.8, 3e-5, Infinity, NaN].map(brief), [
    ...["0", "1", "0.5", "8955", "0.001114", "1.2e4", "−6.8", "3.0e−5", "∞", "NaN"],
  ]);
});
