import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sizesOf } from "../../src/attn/labs/kit/layer.js";
import { divisors } from "../../src/attn/labs/kit/math.js";
import { numbersAt, partsOf, sentenceFor } from "../../src/attn/labs/shape/cell.js";
import { coincidences, compute, STEPS, shapeOf } from "../../src/attn/labs/shape/model.js";

const _texts = JSON.parse(readFileSync(new URL("../../src/attn/labs/texts.json", import.meta.url)));
const state = { B: 2, H: 6, L: 5, S: 7, D: 4, G: 3, scale: true, causal: true, seed: 1, _texts };

test("every tensor has the size of its axes", () => {
  const results = compute(state);
  const sizes = sizesOf(state);
  for (const [name, axes] of STEPS)
    assert.equal(
      results[name].length,
      shapeOf(axes, sizes).reduce((a, b) => a * b),
      name,
    );
  assert.equal(compute({ ...state, S: null }).context, null);
});

test("lengthening the sentences changes no number that was there before", () => {
  const long = { ...state, S: null, L: 7 };
  const [short, longer] = [compute({ ...long, L: 5 }), compute(long)];
  assert.deepEqual([...longer.q_flat.subarray(0, 5 * 24)], [...short.q_flat.subarray(0, 5 * 24)]);
});

test("a G that does not divide H is refused with the message of the package", () => {
  assert.throws(() => compute({ ...state, G: 4 }), /H = 6 is not a multiple of G = 4: .* G can be \[1, 2, 3, 6\]\./);
  assert.deepEqual(divisors(8), [1, 2, 4, 8]);
});

test("the explanation of a cell has the numbers of the tensors", () => {
  for (const setting of [state, { ...state, scale: false, causal: false, G: null }, { ...state, S: null, L: 6 }]) {
    const results = compute(setting);
    const { H, L, S } = sizesOf(setting);
    for (const [b, h, i, j] of [
      [0, 0, 0, 0],
      [1, 5, 4, 5],
      [0, 3, 2, 4],
      [1, 2, 0, 3],
    ]) {
      const parts = partsOf(setting, numbersAt(setting, results, "scores", [b, h, i, j]), [b, h, i, j]);
      const at = ((b * H + h) * L + i) * S + j;
      for (const [part, name] of [
        ["score", "scores"],
        ["scaled", "scaled"],
        ["masked", "masked"],
        ["weight", "weights"],
      ]) {
        const [got, wanted] = [parts[part], results[name][at]];
        assert.ok(got === wanted || Math.abs(got - wanted) < 1e-5, `${name}[${[b, h, i, j]}]: ${got}, ${wanted}`);
      }
    }
  }
});

test("the number at a position is found in tensors without heads and with key/value heads", () => {
  const results = compute(state);
  const { E, L, S, G, D } = sizesOf(state);
  assert.equal(numbersAt(state, results, "y", [1, 0, 3, 18]).value, results.y[(1 * L + 3) * E + 18]);
  assert.equal(numbersAt(state, results, "v", [1, 2, 6, 3]).value, results.v[((1 * G + 2) * S + 6) * D + 3]);
});

test("an explanation names the position where the same number was before", () => {
  const results = compute(state);
  const { E, L, D } = sizesOf(state);
  const { index, text } = sentenceFor("q", state, [1, 4, 3, 2], "B H L D");
  assert.deepEqual(index, [1, 4, 3, 2]);
  assert.match(text, /^q_flat\[1, 3, 18\]/);
  assert.equal(results.q[((1 * 6 + 4) * L + 3) * D + 2], results.q_flat[(1 * L + 3) * E + 18]);
  const merged = sentenceFor("concat", state, [1, 0, 3, 18], "B L H·D");
  assert.deepEqual(merged.index, [1, 3, 18]);
  assert.match(merged.text, /^heads\[1, 4, 3, 2\]/);
  assert.equal(results.concat[(1 * L + 3) * E + 18], results.heads[((1 * 6 + 4) * L + 3) * D + 2]);
  for (const [name, axes] of STEPS.filter(([, axes]) => !axes.endsWith("L S")))
    assert.ok(!/undefined|NaN/.test(sentenceFor(name, state, [1, 0, 2, 3], axes).text), name);
});

test("a sentence names sizes that coincide and the bug that they hide, and no others", () => {
  const quiet = { B: 2, H: 3, L: 5, S: null, D: 4, G: null };
  assert.deepEqual(coincidences(quiet), []);
  assert.deepEqual(coincidences({ ...quiet, S: 7 }), []);
  assert.match(coincidences({ ...quiet, H: 4 })[0], /^H = D = 4: cutting E as \(D, H\)/);
  assert.match(coincidences({ ...quiet, S: 5 })[0], /^L = S = 5: /);
  assert.match(coincidences({ ...quiet, L: 3 })[0], /^H = L = 3: .*keeps the shape/);
  assert.match(coincidences({ ...quiet, H: 1 })[0], /^H = 1: .*gives the right numbers/);
});
