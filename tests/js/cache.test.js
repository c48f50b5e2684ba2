import assert from "node:assert/strict";
import { test } from "node:test";
import { costs, multiplications } from "../../src/attn/labs/cache/costs.js";
import {
  cellText,
  comparison,
  differenceText,
  isStale,
  overwriteEffect,
  queryCacheUse,
  rowList,
} from "../../src/attn/labs/cache/explain.js";
import { compute } from "../../src/attn/labs/cache/model.js";
import { callEnds, firstNewRow, visibleCount } from "../../src/attn/labs/cache/run.js";

const START = {
  S: 7,
  P: 5,
  H: 4,
  G: 4,
  D: 3,
  causal: true,
  layer: 1,
  overwrite: "q",
  at: 2,
  _texts: ["the cat sat on the mat and looked at the"],
};
const at = (changes) => ({ ...START, ...changes });
const effect = (changes) => overwriteEffect(at(changes), compute(at(changes)));
const verdict = (changes) => comparison(at(changes), compute(at(changes)));

test("the prompt is computed at once, then one word at a time", () => {
  assert.deepEqual(callEnds(5, 7), [5, 6, 7]);
  assert.deepEqual(callEnds(1, 1), [1]);
  assert.equal(firstNewRow({ S: 7, P: 5 }), 6);
  assert.equal(firstNewRow({ S: 5, P: 5 }), 0);
});

test("a row attends to the words that existed when it was computed", () => {
  const seen = (causal) => [0, 4, 5, 6].map((i) => visibleCount(i, { P: 5, causal }));
  assert.deepEqual(seen(true), [1, 5, 6, 7]);
  assert.deepEqual(seen(false), [5, 5, 6, 7]);
  const { weights } = compute(at({ causal: false, overwrite: "nothing" }));
  const nonzero = (i) => weights.subarray(i * 7, i * 7 + 7).filter((weight) => weight > 0).length;
  assert.deepEqual([0, 4, 5, 6].map(nonzero), [5, 5, 6, 7]);
});

test("a causal run with a cache equals the full pass to the last bit", () => {
  for (const layer of [1, 2]) {
    const { gap, stale, stale_q, stale_weights } = compute(at({ layer, S: 10, P: 3 }));
    assert.ok(Math.max(...gap, ...stale, ...stale_q, ...stale_weights) === 0);
  }
});

test("with the cache a step costs S times less, and a prefill costs the same", () => {
  const { step, text, computed } = costs(START);
  assert.equal(step[1], 7 * step[0]);
  assert.equal(step[0], multiplications(START, 1, 7));
  assert.deepEqual(computed, [1, 7]);
  assert.equal(text[0], multiplications(START, 5, 5) + multiplications(START, 1, 6) + step[0]);
  const prefill = costs(at({ S: 5 }));
  assert.equal(prefill.step[0], prefill.step[1]);
  assert.equal(prefill.read, 0);
  assert.equal(costs(at({ G: 4 })).kept, 4 * costs(at({ G: 1 })).kept);
});

test("the effect of overwriting is described for queries, keys, values, the newest word and a prefill", () => {
  assert.match(effect({}), /^The query of “sat” is overwritten: the new row does not move\. Nobody .* row 2 would move\.$/);
  assert.match(effect({ overwrite: "k" }), /the new row moves by up to \d\.\d\d, and so will .* rows 2 to 6 would move\.$/);
  assert.match(effect({ overwrite: "q", at: 6 }), /^The query of “and” is overwritten: the new row moves by up to \d\.\d\d\. /);
  assert.match(effect({ S: 5 }), /in a prefill row 2 moves\.$/);
  assert.match(effect({ S: 5, overwrite: "v" }), /in a prefill rows 2 to 4 move\.$/);
  assert.match(effect({ overwrite: "q", at: 0 }), /does not move\. Nobody reads that query again\.$/); // row 0 has one key
  assert.match(effect({ causal: false }), /older rows change with each word, and need their queries again\.$/);
  assert.match(effect({ causal: false, layer: 2 }), /and here their queries do too: nothing that is old can be used\.$/);
  for (const layer of [1, 2]) assert.doesNotMatch(effect({ causal: false, layer }), /Nobody/);
});

test("without a mask old rows are stale, and in layer 2 so are the new rows of weights and heads", () => {
  const rows = (tensor, changes) => {
    const results = compute(at({ causal: false, ...changes }));
    return [0, 1, 2, 3, 4, 5, 6].filter((i) => isStale(tensor, i, results));
  };
  const old = [0, 1, 2, 3, 4, 5];
  const all = (changes) => Object.fromEntries(["q", "k", "v", "weights", "heads"].map((tensor) => [tensor, rows(tensor, changes)]));
  for (const overwrite of ["nothing", "q", "k", "v"]) {
    assert.deepEqual(all({ overwrite }), { q: [], k: [], v: [], weights: old, heads: old });
    assert.deepEqual(all({ overwrite, layer: 2 }), { q: old, k: old, v: old, weights: [...old, 6], heads: [...old, 6] });
  }
});

test("the comparison with a full pass has three outcomes", () => {
  const good = "ached = full pass: the new row is the same and the 6 older rows still hold.";
  assert.equal(verdict({ overwrite: "nothing" }).text, `C${good}`);
  assert.equal(verdict({}).text, `Without the overwriting, c${good}`);
  assert.equal(verdict({ S: 5, layer: 2, causal: false }).kind, "equal");
  assert.equal(verdict({ causal: false }).kind, "new row only");
  const out = verdict({ causal: false, layer: 2 });
  assert.equal(out.kind, "different");
  assert.match(
    out.text,
    /^Without the overwriting, cached ≠ full pass: the new row is off by 0\.\d\d\. .* of 6 words are stale\. .* for 6 of 6 older words\.$/,
  );
});

test("a rounding error of torch is not a difference", () => {
  const results = { gap: Float32Array.of(2e-7, 1e-7, 3e-7), stale: new Float32Array(3) };
  assert.match(comparison({ S: 3, P: 2 }, results).text, /the new row is the same and the 2 older rows still hold/);
  assert.deepEqual([0, 2e-7, 2e-4, 0.256].map(differenceText), ["0.00", "0.00", "0.01", "0.26"]);
});

test("a cache of queries would be useful only in layer 1 without a mask", () => {
  const use = (changes) => queryCacheUse(at(changes), "336 bytes");
  assert.equal(use({}), "A cache of queries would take 336 bytes, and no step would read it.");
  assert.equal(use({ layer: 2 }), use({}));
  assert.match(use({ causal: false }), /336 bytes; to bring the older rows up to date a step would read it\.$/);
  assert.match(use({ causal: false, layer: 2 }), /336 bytes; they would be stale too\.$/);
  assert.match(use({ causal: false, layer: 2, S: 5 }), /336 bytes; after the next word they would be stale\.$/);
});

test("the text of a cell states when it was computed and which steps read it", () => {
  const text = (tensor, i, j, changes = {}) => cellText(tensor, i, j, at(changes), compute(at(changes)), 0.5);
  assert.equal(
    text("q", 1, 0),
    "q of “cat”, number 0: 0.50. Computed in the prefill, used for row 1, not kept. No later row reads it.",
  );
  assert.equal(
    text("k", 5, 2),
    "k of “mat”, number 2: 0.50. Computed when “mat” was new, read from the cache at every step since.",
  );
  assert.equal(text("v", 6, 0), "v of “and”, number 0: 0.50. Computed now, and written into the cache.");
  const stale = / Stale: a full pass has other numbers in this row\.$/;
  for (const name of ["q", "k", "v", "weights", "heads"]) {
    assert.match(text(name, 1, 0, { causal: false, layer: 2 }), stale);
    assert.doesNotMatch(text(name, 1, 0), stale);
    assert.equal(stale.test(text(name, 6, 0, { causal: false, layer: 2 })), name === "weights" || name === "heads");
  }
  assert.equal(text("weights", 2, 4), "“sat” did not see “the”: it is later.");
  assert.equal(
    text("weights", 2, 6, { causal: false }),
    "“sat” did not see “and”: it was not there yet. Stale: a full pass has other numbers in this row.",
  );
  assert.match(text("weights", 6, 1), /^“and” looks at “cat” with weight 0\.50: computed now, used for row 6/);
  assert.match(text("heads", 1, 0), /^Row 1 of this head's output: computed in the prefill/);
});

test("consecutive rows are written as a range, others one by one", () => {
  assert.deepEqual([[3], [2, 3, 4], [0, 4, 5]].map(rowList), ["row 3", "rows 2 to 4", "rows 0, 4, 5"]);
});

test("sizes that do not fit together are refused", () => {
  assert.throws(() => compute(at({ G: 3 })), { message: /H = 4 is not a multiple of G = 3/ });
  assert.throws(() => compute(at({ P: 8 })), { message: /P = 8 words of prompt and S = 7/ });
  assert.throws(() => compute(at({ at: 7 })), { message: /the last of S = 7 words is number 6/ });
});
