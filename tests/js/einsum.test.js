import assert from "node:assert/strict";
import { test } from "node:test";
import { coincidences, pinText, workText } from "../../src/attn/labs/einsum/explain.js";
import { loopsOf, readFormula } from "../../src/attn/labs/einsum/formula.js";
import { compute, indexOf } from "../../src/attn/labs/einsum/model.js";
import { termsOf, tracePin } from "../../src/attn/labs/einsum/pin.js";

const SIZES = { B: 2, H: 3, L: 5, S: 7, D: 4, E: 12, G: 3 };
const read = readFormula;

test("a number's index counts the last axis fastest", () => {
  assert.deepEqual(indexOf(0, [2, 3]), [0, 0]);
  assert.deepEqual(indexOf(5, [2, 3]), [1, 2]);
  assert.deepEqual(indexOf(200, [2, 3, 5, 7]), [1, 2, 3, 4]);
  assert.deepEqual(indexOf(0, []), []);
});

test("a result is computed from one row of each operand", () => {
  const { cells, fixed, used } = tracePin(read("bhld,bhsd->bhls"), SIZES, [2, 200]);
  assert.deepEqual(fixed, { b: 1, h: 2, l: 3, s: 4 });
  assert.deepEqual(cells[0], [112, 113, 114, 115]); // ((1 * 3 + 2) * 5 + 3) * 4
  assert.deepEqual(cells[1], [156, 157, 158, 159]);
  assert.deepEqual(cells[2], [200]);
  assert.ok(used);
});

test("a number affects the results along the letters that its tensor lacks, and meets a column of the other tensor", () => {
  const { cells } = tracePin(read("bhld,bhsd->bhls"), SIZES, [1, 156]);
  assert.deepEqual(cells[2], [179 + 0, 179 + 7, 179 + 14, 179 + 21, 179 + 28]);
  assert.deepEqual(cells[0], [100, 104, 108, 112, 116]);
  assert.equal(tracePin(read("bhls,bgsd->bhld"), SIZES, [1, 0]).cells[2].length, 15);
});

test("a pin that does not fit the formula is ignored", () => {
  const formula = read("d,d->");
  assert.equal(tracePin(formula, SIZES, [0, 4]), null);
  assert.equal(tracePin(read("ll->"), SIZES, [1, 0]), null);
  assert.equal(tracePin(formula, SIZES, [3, 0]), null);
  assert.equal(tracePin(formula, SIZES, null), null);
  assert.deepEqual(tracePin(formula, SIZES, [2, 0]).cells, [[0, 1, 2, 3], [0, 1, 2, 3], [0]]);
});

test("a diagonal uses only its own numbers", () => {
  const formula = read("ll->l");
  assert.deepEqual(tracePin(formula, SIZES, [2, 3]).cells, [[18], null, [3]]);
  assert.equal(tracePin(formula, SIZES, [0, 17]).used, false);
  assert.match(
    pinText(formula, SIZES, compute({ ...SIZES, formula: "ll->l" }), tracePin(formula, SIZES, [0, 17])),
    /is used nowhere/,
  );
});

test("the terms of a result are written out, long sums are cut short, and the sum is right", () => {
  for (const [formulaText, n] of [
    ["bhld,bhsd->bhls", 200],
    ["bhls,bgsd->bhld", 50],
    ["bhls->bhl", 3],
    ["l,s->ls", 9],
    ["d,d->", 0],
  ]) {
    const formula = read(formulaText);
    const results = compute({ ...SIZES, formula: formulaText });
    const { count, terms } = termsOf(formula, SIZES, n, Infinity);
    assert.equal(terms.length, count);
    const value = ([p, q]) => results.left[p] * (q === undefined ? 1 : results.right[q]);
    assert.equal(
      terms.reduce((sum, term) => sum + value(term), 0),
      results.result[n],
      formulaText,
    );
    const text = pinText(formula, SIZES, results, tracePin(formula, SIZES, [2, n]));
    assert.ok(text.endsWith(`= ${String(results.result[n]).replace("-", "−")}`), text);
    assert.equal(text.includes("more)"), count > 12, text);
  }
});

test("the multiplications are those of the loops, and fewer where torch adds up a letter first", () => {
  const sentence = (text) => workText(read(text), SIZES);
  assert.equal(sentence("bhld,bhsd->bhls"), "210 results, 4 terms each: 840 multiplications.");
  assert.equal(
    sentence("bhls,bgsd->bhld"),
    "120 results, 21 terms each: 2,520 multiplications as loops. Torch adds up g first: 840.",
  );
  assert.equal(
    sentence("bhl,sd->b"),
    "2 results, 420 terms each: 840 multiplications as loops. Torch adds up h and l and s and d first: 2.",
  );
  assert.equal(sentence("l,s->ls"), "35 results, 1 term each: 35 multiplications.");
  assert.equal(sentence("bhls->bhl"), "30 results, 7 terms each: nothing is multiplied.");
  assert.equal(sentence("d,d->"), "1 result, 4 terms each: 4 multiplications.");
});

test("only the loops that are summed are marked", () => {
  const marked = (text) => loopsOf(read(text), SIZES).map(({ text, summed }) => `${summed ? "+" : " "}${text}`);
  assert.deepEqual(marked("ld,d->l"), [
    " for l in range(5):",
    "+total = 0",
    "+for d in range(4):",
    "+total += left[l,d] * right[d]",
    " result[l] = total",
  ]);
  assert.deepEqual(marked("d,d->").at(-1), " result[()] = total");
  assert.deepEqual(marked("l,s->ls").at(-1), " result[l,s] = left[l] * right[s]");
});

test("the notes warn of equal sizes and sums over one number for the letters of the formula", () => {
  assert.deepEqual(coincidences(read("bhld,bhsd->bhls"), SIZES), []);
  assert.match(coincidences(read("bhls,bgsd->bhld"), SIZES)[0], /^H = G = 3: from the shape alone/);
  const one = coincidences(read("bhls,bgsd->bhld"), { ...SIZES, G: 1, B: 1 });
  assert.deepEqual(one, ["G = 1: a sum over one number changes nothing, so this mistake cannot be seen."]);
});
