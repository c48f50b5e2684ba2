// BugLab: its small tensors, where its tables are, and what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  combined,
  inPrecision,
  linear,
  mapped,
  matmul,
  permute,
  softmaxAlong,
  turned,
  view,
} from "../../src/attn/labs/bug/arrays.js";
import { writer } from "../../src/attn/labs/bug/cells.js";
import { partedAt, placeAt, planOf } from "../../src/attn/labs/bug/layout.js";
import { compute, GIVEN, masksOf, partsOf, promptOf } from "../../src/attn/labs/bug/model.js";
import { paint, TURNED, tableOf } from "../../src/attn/labs/bug/paint.js";
import { paintParts } from "../../src/attn/labs/bug/parts.js";
import { allows, breaks, ruleOf } from "../../src/attn/labs/bug/rules.js";
import { cellText, partText } from "../../src/attn/labs/bug/verdicts.js";
import { askOf, captionOf, foundAs, noteOf, sentenceOf, wordsOf } from "../../src/attn/labs/bug/words.js";
import { RIGHT, WRONG } from "../../src/attn/labs/bug/wrong.js";

const _words = "girls near old kings found gold today".split(" ");
const _context = "yesterday happy cooks behind boys".split(" ");
const base = { bug: "none", given: /** @type {const} */ ("self"), L: 7, _words, _context };
const count = { shape: [2, 2, 3], data: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
const SIZES = { H: 3, E: 12 };

test("axes are exchanged, tables are multiplied, and sizes that do not fit are PyTorch's error", () => {
  assert.deepEqual(turned(count).data, [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
  assert.deepEqual(permute(count, [1, 0, 2]).data, [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]);
  assert.deepEqual(matmul(count, turned(count)).data, [5, 14, 14, 50, 149, 212, 212, 302]);
  assert.throws(() => matmul(count, count), /batch2 tensor to be: \[2, 3\] but got: \[2, 2\]/);
  assert.deepEqual(linear({ shape: [1, 2], data: [1, 2] }, Float32Array.of(1, 0, 0, 1, 1, 1)), { shape: [1, 3], data: [1, 2, 3] });
});

test("a table serves all heads, and an axis of size 1 is repeated", () => {
  const add = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
  assert.deepEqual(combined(count, { shape: [1, 3], data: [100, 200, 300] }, add).data.slice(0, 4), [100, 201, 302, 103]);
  const thin = view({ shape: [], data: [1, 2, 3] }, [1, 3, 1]);
  assert.deepEqual(combined(thin, { shape: [1, 2], data: [10, 20] }, add), { shape: [1, 3, 2], data: [11, 21, 12, 22, 13, 23] });
  assert.throws(() => combined(count, { shape: [2, 5], data: [] }, add), /a \(3\) must match the size of tensor b \(5\)/);
  assert.throws(() => combined(count, { shape: [2, 5], data: [] }, add, true), /a \(5\) must match the size of tensor b \(3\)/);
});

test("softmax sums to 1 along its axis, and is NaN where nothing is left", () => {
  for (const axis of /** @type {const} */ ([0, 1, 2])) {
    const { data } = softmaxAlong(count, axis);
    const total = data.reduce((sum, one) => sum + one, 0);
    assert.ok(Math.abs(total - 12 / count.shape[axis]) < 1e-12);
  }
  assert.ok(Number.isNaN(softmaxAlong({ shape: [1, 1, 1], data: [-Infinity] }, 2).data[0]));
});

test("every wrong step takes the place of a right one", () => {
  for (const steps of Object.values(WRONG)) for (const name of Object.keys(steps)) assert.ok(name in RIGHT);
  assert.throws(() => compute({ ...base, bug: "a typo" }), /no bug “a typo”/);
});

test("all tables fit their room, whose height is that of all words, below or beside each other, and a point in a cell leads back to it", () => {
  for (const width of [330, 358, 430, 450, 560, 770]) {
    const heights = new Set();
    for (const [rows, columns] of [
      [7, 7],
      [4, 4],
      [1, 1],
      [7, 5],
    ]) {
      const plan = planOf({ width, rows, columns, words: _words, ...SIZES });
      heights.add(plan.height);
      assert.ok(plan.slots[1].h >= 15, "room for a word beside each row");
      for (const [table, isOfParts] of /** @type {[number, boolean][]} */ ([
        ...[0, 1, 2, 3].map((one) => [one, false]),
        [3, true],
      ])) {
        const seen = planOf({ width, rows, columns, words: _words, ...SIZES, seen: table, isOfParts });
        const C = table < 3 ? columns : isOfParts ? 3 : 12;
        assert.deepEqual([seen.columns, seen.isOfParts], [C, isOfParts]);
        assert.ok(seen.slots[1].w >= (isOfParts ? 80 : table < 3 ? 34 : 22), "room for a number, or for a head and its word");
        const [wrong, right] = seen.slots;
        assert.equal(right.h, wrong.h, "a row is as high in both");
        for (const slot of seen.slots) {
          const box = seen.cell(slot, rows - 1, C - 1);
          assert.ok(box.x + box.w + 3 <= width + 1e-9 && box.y + box.h <= plan.height, "and for a frame");
          if (slot === wrong) assert.ok(box.y + box.h < right.y, "a table covers no other");
          assert.deepEqual(placeAt(seen, box.x + box.w / 2, box.y + box.h / 2), [0, table, rows - 1, C - 1]);
        }
        assert.deepEqual([right.x, right.w], [wrong.x, wrong.w], "each column is above itself");
        const alone = planOf({ width, rows, columns, words: _words, ...SIZES, seen: table, isOfParts, isAlone: true });
        const last = alone.cell(alone.slots[0], rows - 1, C - 1);
        assert.ok(last.y + last.h <= alone.height);
        assert.deepEqual([alone.slots[0].x, alone.slots[0].y], [wrong.x, wrong.y], "one alone begins where it stays");
        const beside = planOf({
          ...{ width: 2.05 * width + 10, rows, columns, words: _words, ...SIZES, seen: table, isOfParts, isBeside: true },
        });
        const near = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-9);
        near(beside.slots[1].x - alone.slots[0].x, 1.05 * width + 10); // the right table is where one alone is in its column
        near(beside.slots[1].w, alone.slots[0].w);
        assert.deepEqual([beside.height, beside.slots[1].h, beside.slots[1].y], [alone.height, alone.slots[0].h, alone.slots[0].y]);
        assert.ok(
          beside.slots[0].x + beside.columns * beside.slots[0].w + 3 < beside.slots[1].x - beside.left,
          "and covers no other",
        );
        assert.deepEqual(partedAt(beside, 0).slots, [beside.slots[1], beside.slots[1]], "which the wrong one leaves");
        assert.ok(
          last.w === 160 || Math.abs(last.x + last.w + 3 - width) < 1e-9,
          "it has all the width, unless it has few columns",
        );
        assert.deepEqual([alone.slots.length, alone.height + 67], [1, plan.height], "the code leaves them its room");
        const moved = { ...alone.slots[0], y: alone.slots[0].y + 100 };
        assert.deepEqual(partedAt(seen, 0).slots, [moved, right], "the wrong one begins as this one");
        assert.deepEqual(partedAt(seen, 1).slots, seen.slots);
      }
      assert.equal(placeAt(plan, 1, 1), null);
    }
    assert.equal(heights.size, 1);
  }
});

const told = (/** @type {object} */ changes) => {
  const state = { ...base, ...changes };
  const results = compute(state);
  return { state, results, said: sentenceOf(state, results) };
};

test("below a table it is said what is framed, and what is pale", () => {
  const of = (/** @type {object} */ changes, table = 0) => {
    const { state, results } = told(changes);
    return noteOf(state, results, table, { isFramed: true });
  };
  const later = { bug: "later keys visible", given: "prompt" };
  assert.equal(of(later), "Red frame: breaks the rule.");
  assert.equal(of(later, 3), "Red frame: wrong numbers.");
  const next = { bug: "top-left causal mask", given: "new" };
  assert.equal(of(next), "Red frame: wrong numbers. Pale: the prompt.", "a whole row");
  assert.equal(
    of({ bug: "no scale", given: "train" }),
    "Dropout comes after these weights: about half do not reach y. Red frame: wrong numbers.",
  );
  assert.equal(of({ bug: "no scale" }), "Red frame: wrong numbers.");
  const colour = "Colour: the cell’s word. W_O turns each row into y.";
  assert.equal(of({ bug: "merge without the transpose" }, 3), colour, "its colours tell");
  assert.equal(of({ bug: "heads in reverse order" }, 3), `${colour} Red frame: another head.`);
});

test("the reader is asked for what can be seen: cells that break the rule, cells that look wrong, or another input", () => {
  const of = (/** @type {object} */ changes, table = 0, isTried = false) => {
    const { state, results } = told(changes);
    const { verdict, text } = askOf(state, results, table, isTried);
    return `${verdict} ${text}`.trim();
  };
  const rule = "Press two cells that break the rule, or the wrong line of code.";
  assert.equal(of({ bug: "later keys visible", given: "prompt" }), rule);
  assert.equal(of({ bug: "later keys visible", given: "prompt" }, 3), "Choose another table, or press the wrong line of code.");
  const look = "Does a number here give it away? Press it, or the wrong line of code.";
  assert.equal(of({ bug: "merge without the transpose" }), look, "the answer waits for a try");
  assert.equal(
    of({ bug: "merge without the transpose" }, 0, true),
    "No number here gives it away. Choose another table, or press the wrong line of code.",
    "no cell of a head breaks the rule",
  );
  assert.equal(of({ bug: "later keys visible", given: "prompt" }, 0, true), rule, "a try changes nothing where numbers tell");
  assert.equal(of({ bug: "merge without the transpose" }, 3), rule);
  assert.equal(of({ bug: "heads in reverse order" }, 3), rule, "a column has another head");
  assert.equal(of({ bug: "top-left causal mask", given: "new" }), rule);
  assert.equal(of({ bug: "no scale" }), rule.replace("break the rule", "look wrong"));
  assert.equal(of({ bug: "softmax over queries" }), rule.replace("that break", "of rows that break"));
  const line = "or press the wrong line of code.";
  for (const given of ["causal", "prompt"]) {
    assert.equal(of({ bug: "top-left causal mask", given }), look);
    assert.equal(of({ bug: "top-left causal mask", given }, 0, true), `No number here gives it away. Try the next word, ${line}`);
  }
  assert.equal(of({ bug: "keys not transposed" }), `⚠ It stops with an error. Choose another input, ${line}`);
});

test("the sentence says whether anything moves, where else it does, and what stays", () => {
  assert.equal(told({}).said.kind, "good");
  const hidden = told({ bug: "top-left causal mask", given: "prompt" });
  assert.match(hidden.said.text, /^The bug shows with the next word and a cache\.$/);
  const shows = told({ bug: "top-left causal mask", given: "new" });
  assert.match(shows.said.text, /^No error, and every shape stays\. 21 of 21 weights and 12 of 12 numbers of y change\.$/);
  assert.equal(shows.said.verdict, "✗ The query misses allowed keys.");
  assert.equal(told({ bug: "mask after softmax", given: "prompt" }).said.verdict, "✗ Rows of weights no longer sum to 1.");
  const leak = told({ bug: "later keys visible", given: "prompt" }).said;
  assert.equal(told({ bug: "diagonal hidden", given: "causal" }).said.verdict, "✗ Queries miss allowed keys.");
  assert.equal(leak.verdict, "✗ Queries give weight to later keys.");
  const bugs = (/** @type {string} */ bug) => {
    const { state, results } = told({ bug, given: "prompt" });
    return breaks(state, results);
  };
  assert.deepEqual(["later keys visible", "padding ignored", "no scale", "mask after softmax"].map(bugs), [
    true,
    true,
    false,
    false,
  ]);
  assert.match(leak.text, / 90 of 147 weights and 72 of 84 numbers of y change\.$/);
  assert.equal(told({ bug: "padding ignored", given: "prompt" }).said.verdict, "✗ Queries give weight to hidden keys.");
  assert.equal(told({ bug: "no scale" }).said.verdict, "✗ Weights are wrong, though each row sums to 1.");
  assert.match(told({ bug: "no W_O" }).said.text, /\. All 147 weights are right; 84 of 84 numbers of y change\.$/);
  assert.equal(told({ bug: "no W_O" }).said.verdict, "✗ Only y gives it away.");
  assert.match(told({ bug: "keys not transposed" }).said.text, /but got: \[3, 7\]\. With 4 words it runs\./);
  assert.match(told({ bug: "keys from x", given: "other" }).said.text, /With 5 words it runs\./);
  assert.match(told({ bug: "K times Q", given: "new" }).said.text, /^No error\. The weights are \(3, 7, 7\); y is \(7, 12\)/);
  assert.match(told({ bug: "weights transposed", given: "prompt" }).said.text, /All 147 weights are right/);
});

test("who has found the line is told what gives it away, for every bug and input", () => {
  assert.equal(foundAs("✗ Rows of y mix words."), "✓ Right: rows of y mix words.");
  assert.equal(foundAs("⚠ An error."), "✓ Right: an error.");
  assert.equal(foundAs("No number here gives it away."), "✓ Right: no number here gives it away.");
  for (const bug of Object.keys(WRONG))
    for (const given of GIVEN) {
      const { verdict } = told({ bug, given }).said;
      const found = foundAs(verdict);
      assert.match(found, /^✓ Right: [a-z]/, `${bug}, ${given}`);
      assert.ok(verdict.endsWith(found.slice("✓ Right: n".length)), "and all else that the verdict says");
    }
});

test("what one sees of a bug is said of every bug and input, and holds", () => {
  const seen = new Set();
  for (const bug of Object.keys(WRONG))
    for (const given of GIVEN) {
      const { results, said } = told({ bug, given });
      if (said.kind !== "bad") continue;
      seen.add(said.verdict);
      const { weights, right_weights: right, sums } = results;
      if (/each row sums to 1/.test(said.verdict)) {
        const S = results.shapes.weights[2];
        const rows = Array.from({ length: weights.length / S }, (_, row) => weights.slice(row * S, (row + 1) * S));
        const digits = given === "half" ? 1e2 : 1e3;
        const totals = rows.map((row) => Math.round(row.reduce((sum, one) => sum + one, 0) * digits) / digits);
        const wanted = / or to 0 for padding/.test(said.verdict) ? [0, 1] : [1];
        assert.deepEqual([...new Set(totals)].sort(), wanted, `${bug}, ${given}`);
        assert.notEqual(sums, false, bug);
      }
      if (/miss/.test(said.verdict)) assert.ok(weights.some((one, n) => one === 0 && right[n] > 0.01));
      if (/hidden|later/.test(said.verdict)) assert.ok(weights.some((one, n) => right[n] === 0 && one > 0));
      if (/NaN/.test(said.verdict)) assert.ok(weights.some(Number.isNaN));
    }
  assert.ok(seen.size >= 7, [...seen].join(" "));
});

test("the rule that is named is the one that the weights break", () => {
  const of = (/** @type {object} */ changes, table = 0) => {
    const { state, results } = told(changes);
    return ruleOf(state, results, table);
  };
  assert.equal(of({ bug: "softmax over queries" }), "Each row sums to 1.");
  assert.equal(of({ bug: "mask after softmax", given: "prompt" }), "Each row sums to 1, or to 0 for padding.");
  assert.equal(of({ bug: "diagonal hidden", given: "causal" }), "Words attend to all words so far.");
  assert.equal(of({ bug: "hard attention", given: "prompt" }), "Words attend to all words so far but padding.");
  assert.equal(of({ bug: "later keys visible", given: "prompt" }), "Words attend to no later word or padding.");
  assert.equal(of({ bug: "no scale" }), "None is broken: only a right layer tells.");
  assert.equal(of({ bug: "no W_O", given: "other" }), "Words attend to the whole other sentence.", "the weights keep it");
  assert.equal(of({ bug: "no scale" }, 3), "None for y: only a right layer tells.");
  assert.equal(of({ bug: "heads in reverse order" }, 3), "A row has its colour, a column its head.");
  for (const bug of Object.keys(WRONG))
    for (const given of GIVEN) {
      const { state, results } = told({ bug, given });
      const { weights, right_weights: right, moved, shapes } = results;
      if (!weights || moved.weights === 0) continue;
      const rule = ruleOf(state, results, 0);
      const [, L, S] = shapes.weights;
      assert.equal(/L × S/.test(rule), moved.weights === null, `${bug}, ${given}`);
      if (moved.weights === null) continue;
      const first = state.given === "new" ? S - 1 : 0; // the position of the first query
      const isLater = (/** @type {number} */ n) => n % S > (Math.floor(n / S) % L) + first;
      const all = [...weights.keys()];
      const isCausal = ["causal", "prompt", "new", "half"].includes(given);
      const isHidden = (/** @type {number} */ n) => isCausal && (isLater(n) || (given === "prompt" && right[n] === 0));
      const leak = all.some((n) => isHidden(n) && weights[n] > 1e-4);
      const miss = given !== "half" && all.some((n) => !isHidden(n) && weights[n] === 0 && right[n] > 1e-4);
      const sum = (/** @type {Float32Array} */ of, /** @type {number} */ n) =>
        of.slice(n - (n % S), n - (n % S) + S).reduce((a, b) => a + b, 0);
      const off = all.some((n) => !(Math.abs(sum(weights, n) - sum(right, n)) < 2e-3));
      const wanted = leak ? /no later/ : miss ? /to all words|the whole/ : off ? /sums to/ : /^None/;
      assert.match(rule, wanted, `${bug}, ${given}`);
      const { verdict } = sentenceOf(state, results);
      assert.match(verdict, leak ? /give weight/ : miss ? /miss/ : off ? /no longer sum|NaN/ : /though/, `${bug}, ${given}`);
    }
});

test("a wrong merge writes the same parts in other places, and other bugs do not", () => {
  const merge = { ...base, bug: "merge without the transpose", L: 7 };
  const { right, wrong } = partsOf(merge);
  assert.deepEqual(right.slice(0, 6), [0, 7, 14, 1, 8, 15], "a row has one word of each head");
  assert.deepEqual(
    wrong,
    wrong.map((_, n) => n),
    "the order of memory: all words of a head",
  );
  assert.equal(right.filter((part, n) => part === wrong[n]).length, 3);
  assert.deepEqual(partsOf({ ...merge, bug: "heads in reverse order" }).wrong.slice(0, 3), [14, 7, 0]);
  for (const bug of ["none", "split and merge by view", "no W_O"]) assert.equal(partsOf({ ...merge, bug }), null);
  assert.equal(partsOf({ ...merge, given: "new" }), null);
  assert.equal(told(merge).said.verdict, "✗ Rows of y mix words.");
  assert.equal(told({ ...merge, bug: "heads in reverse order" }).said.verdict, "✗ Rows of y have their heads in another order.");
  assert.equal(
    partText(merge, partsOf(merge), [0, 3, 0, 1]),
    "In the row of “girls”: right, head what of “girls”; wrong, head who of “near”.",
  );
  assert.match(partText(merge, partsOf(merge), [0, 3, 3, 1]), /right, head what of “kings”; wrong, the same\.$/);
  const asked = (/** @type {any} */ place, /** @type {boolean} */ isGuess) =>
    partText(merge, partsOf(merge), place, "unknown", isGuess);
  assert.equal(asked([0, 3, 0, 1], false), "In the row of “girls”: head who of “near”.");
  assert.equal(asked([0, 3, 0, 1], true), "✓ head who of “near” is in the place of head what of “girls”.");
  assert.equal(asked([0, 3, 3, 1], true), "✗ head what of “kings” is right here.");
});

test("the words before the next one have their own weights, over the words up to each", () => {
  assert.equal(promptOf({ ...base, given: "prompt" }), null);
  for (const bug of Object.keys(WRONG)) {
    const { right, wrong } = promptOf({ ...base, given: "new", bug });
    for (const [of, by] of /** @type {const} */ ([
      [right, "none"],
      [wrong, bug],
    ])) {
      const alone = compute({ ...base, given: "causal", bug: by, L: 6 });
      assert.deepEqual([of.weights?.shape ?? null, of.message], [alone.shapes.weights, alone.message], bug);
      if (of.weights) assert.deepEqual(Float32Array.from(of.weights.data), alone.weights, bug);
      if (of.y && by !== "cached keys returned as values") assert.deepEqual(Float32Array.from(of.y.data), alone.y, bug);
    }
  }
  const cached = promptOf({ ...base, given: "new", bug: "cached keys returned as values" });
  assert.notDeepEqual(cached.wrong.y, cached.right.y, "the cache returns the keys for the prompt, too");
});

/** What is drawn of a bug. @param {object} changes @param {number} seen @param {"unknown" | "wrong"} line */
function drawn(changes, seen, line = "wrong") {
  const { state, results } = told(changes);
  const { all, keys } = wordsOf(state);
  const H = state.given === "grouped" ? 4 : 3;
  const parts = partsOf(state);
  const size = {
    width: 770,
    rows: all.length,
    columns: Math.max(keys.length, results.shapes.weights?.[2] ?? 0),
    words: keys,
    H,
    E: 12,
  };
  const plan = planOf({ ...size, seen, isOfParts: parts !== null, isAlone: line === "unknown", isBeside: line === "wrong" });
  const axes = Object.fromEntries([..."BHLSDEG"].map((axis) => [axis, "#123456"]));
  const colours = {
    ...axes,
    paper: "#ffffff",
    ink: "#000000",
    weight: "#444499",
    good: "#006600",
    bad: "#660000",
    luck: "#666600",
  };
  const rest = { pointed: null, guesses: [], prompt: promptOf(state), parts, masks: masksOf(state) };
  return /** @type {import("../../src/attn/labs/bug/paint.js").Picture} */ ({ plan, state, results, line, colours, ...rest });
}

/** A pen that notes its calls, and the canvas that it belongs to. */
function noting() {
  /** @type {{ name: string, args: any[], fill: string, stroke: string, alpha: number }[]} */
  const calls = [];
  /** @type {any} */
  const set = { measureText: () => ({ width: 9 }) };
  const pen = new Proxy(set, {
    get: (_, name) =>
      name in set
        ? set[name]
        : (/** @type {any[]} */ ...args) => {
            calls.push({ name: String(name), args, fill: set.fillStyle, stroke: set.strokeStyle, alpha: set.globalAlpha });
          },
  });
  return { calls, pen, canvas: /** @type {any} */ ({ getContext: () => pen, style: {}, width: 0, height: 0 }) };
}

test("above the new word stand the rows of the prompt, as each line has computed them, with no key of the new word", () => {
  for (const bug of Object.keys(WRONG))
    for (const seen of [0, 2, 3]) {
      const picture = drawn({ bug, given: "new" }, seen);
      const [right, wrong] = [tableOf(picture, "right"), tableOf(picture, "wrong")];
      assert.deepEqual([right.rows, right.old, right.offset], [7, 6, 0], bug);
      const { shapes, weights } = picture.results;
      const isAlike = String(shapes[seen < 3 ? "weights" : "y"]?.slice(-2)) === (seen < 3 ? "1,7" : "1,12");
      assert.equal(wrong?.old ?? 0, isAlike ? 6 : 0, bug);
      if (!isAlike || seen === 3) continue;
      assert.ok(wrong.values.every((value, n) => (value === null) === (n < 42 && n % 7 === 6)));
      assert.deepEqual(wrong.values.slice(42), [...weights.slice(7 * seen, 7 * seen + 7)]);
      assert.equal(wrong.values[8], picture.prompt.wrong.weights.data[36 * seen + 7], bug);
    }
});

test("a mask from the top left is the right one for a prompt, and keeps one key of the next word", () => {
  const top = { ...base, bug: "top-left causal mask" };
  for (const given of /** @type {const} */ (["causal", "prompt", "half"])) {
    const masks = masksOf({ ...top, given });
    assert.deepEqual([masks.isSame, masks.isRow, masks.right.length], [true, false, 49]);
  }
  const next = masksOf({ ...top, given: "new" });
  assert.deepEqual(next, { wrong: [1, 0, 0, 0, 0, 0, 0], right: [1, 1, 1, 1, 1, 1, 1], isSame: false, isRow: true });
  assert.equal(masksOf({ ...top, given: "self" }), null, "there is no mask");
  assert.equal(masksOf({ ...base, bug: "later keys visible", given: "new" }), null, "the causal one is right");
  const of = (/** @type {object} */ changes) => {
    const { state, results } = told({ ...top, ...changes });
    return noteOf(state, results, 0, { masks: masksOf(state) });
  };
  assert.equal(of({ given: "causal" }), "S - L = 7 keys - 7 queries = 0: the masks agree.");
  assert.equal(of({ given: "new" }), "S - L = 7 keys - 1 query = 6: the masks differ. Pale: the prompt.");
});

test("the mask takes its room from the rows: the picture is as high, and the row fits below each table", () => {
  for (const [width, isBeside] of /** @type {const} */ ([
    [770, true],
    [358, false],
  ])) {
    const room = { width, rows: 7, columns: 7, words: _words, ...SIZES, isBeside };
    const [without, plan] = [planOf(room), planOf({ ...room, strip: 24 })];
    assert.equal(plan.height, without.height);
    assert.deepEqual(plan.whole, without.whole, "the table alone was as large as ever");
    plan.slots.forEach((slot, n) => {
      const end = isBeside || n === 1 ? plan.height : plan.slots[1].y - 20;
      assert.ok(slot.y + 7 * slot.h + 24 <= end + 1, `${width}, table ${n}`);
    });
  }
});

/**
 * The lines around cells at a moment of a move, of the wrong table and of the right one: where each begins, in cells.
 *
 * @param {number} n
 * @param {object} changes
 * @param {{ seen?: number, isDotted?: boolean, line?: "unknown" | "wrong" }} [of]
 */
function linesAt(n, changes, { seen = 0, isDotted = false, line = "wrong" } = {}) {
  const { calls, canvas } = noting();
  const picture = drawn(changes, seen, line);
  paint(canvas, picture, n);
  const { slots } = partedAt(picture.plan, 1);
  return slots.map(({ x, y, w, h }, k) => {
    let dash = "";
    const own = calls.flatMap(({ name, args }, at) => {
      if (name === "setLineDash") dash = String(args[0]);
      const isOwn =
        name === "moveTo" && dash === (isDotted ? "1,4" : "") && args[0] >= x - 1 && (k || !slots[1] || args[0] < slots[1].x - 60);
      if (!isOwn) return [];
      const stroke = calls.slice(at).find((one) => one.name === "stroke")?.stroke;
      assert.equal(stroke, isDotted ? "#000000" : "#660000", "what is wrong is framed in the colour of a verdict");
      return `${Math.round((args[0] - x) / w)},${Math.round((args[1] - y) / h)}`;
    });
    return own.sort();
  });
}
const top = { bug: "top-left causal mask", given: "new" };
const later = { bug: "later keys visible", given: "causal" };

test("what is wrong has a line around it in the wrong table alone, and nothing has one before the end or where all is right", () => {
  for (const changes of [top, later]) {
    const [wrong, right] = linesAt(1, changes);
    assert.ok(wrong.length > 8);
    assert.deepEqual(right, []);
    assert.deepEqual(linesAt(0.5, changes), [[], []]);
  }
  assert.deepEqual(linesAt(1, { ...top, given: "causal" }), [[], []]);
  assert.deepEqual(linesAt(1, { bug: "grouped heads tiled", given: "grouped" }), [[], []], "head 0 is right");
  assert.deepEqual(linesAt(1, { bug: "heads in reverse order" }, { seen: 3 })[1], []);
  assert.equal(linesAt(1, { bug: "heads in reverse order" }, { seen: 3 })[0].length, 2 * (7 * 2 + 2), "two of three columns");
});

test("the right table comes when the wrong one has left its place, and covers nothing of it", () => {
  const words = (/** @type {number} */ n) => {
    const { calls, canvas } = noting();
    const picture = drawn(later, 0);
    paint(canvas, picture, n);
    return calls.filter(({ name, args }) => name === "fillText" && args[0] === "girls").length;
  };
  assert.deepEqual([0, 0.1, 0.24].map(words), [2, 2, 2], "one table, with its row and its column");
  assert.deepEqual([0.3, 1].map(words), [4, 4]);
  const { calls, canvas } = noting();
  const picture = drawn(later, 0);
  paint(canvas, picture, 0.26);
  assert.deepEqual(
    calls.filter(({ name }) => name === "fillRect").map(({ args, alpha }) => [args[0], alpha > 0.95]),
    [[picture.plan.slots[1].x - picture.plan.left, true]],
    "what is not there yet is under paper, which ends before the wrong table",
  );
});

test("of a new word its row alone is framed, also where the rows of the words before it are wrong", () => {
  const scale = { bug: "no scale", given: "new" };
  for (const seen of [0, 3]) {
    const [right, wrong] = /** @type {const} */ (["right", "wrong"]).map((line) => tableOf(drawn(scale, seen), line).values);
    assert.ok(wrong.slice(7, 14).some((value, n) => Math.abs(value - right[7 + n]) > 0.01));
    const columns = seen ? 12 : 7;
    const around = [...Array(columns).keys()].flatMap((j) => [`${j},6`, `${j},7`]);
    for (const changes of [scale, top])
      assert.deepEqual(linesAt(1, changes, { seen })[0], [...around, "0,6", `${columns},6`].sort());
  }
});

test("the dots around what the rule allows stay when the line is said; y has none, nor has a table without numbers", () => {
  for (const changes of [later, top, { bug: "later keys visible", given: "prompt" }]) {
    const [dots] = linesAt(1, changes, { isDotted: true, line: "unknown" });
    assert.ok(dots.length > 8);
    assert.deepEqual(linesAt(1, changes, { isDotted: true }), [dots, dots]);
    for (const line of /** @type {const} */ (["unknown", "wrong"]))
      assert.deepEqual(linesAt(1, changes, { isDotted: true, seen: 3, line }).flat(), []);
  }
  assert.deepEqual(
    linesAt(1, { bug: "keys not transposed" }, { isDotted: true }).map(({ length }) => length),
    [0, 28],
  );
});

test("it is said what L and S count, in words", () => {
  const of = (/** @type {object} */ changes, table = 0) => {
    const { state, results } = told(changes);
    return noteOf(state, results, table);
  };
  assert.equal(of(later), "L = 7 queries (rows), S = 7 keys (columns).");
  assert.equal(of(top), "L = 1 query (last row), S = 7 keys (6 cached). Pale: the prompt.");
  assert.equal(of({ given: "other", L: 2 }), "L = 2 queries (rows), S = 5 keys (columns).");
  assert.equal(of({}, 3), "", "the columns of y are no keys");
});

test("the colours of y end at the largest number of both tables", () => {
  const { calls, canvas } = noting();
  const picture = drawn({ bug: "scores used as weights" }, 3);
  paint(canvas, picture, 1);
  const { y, right_y } = picture.results;
  assert.ok(Math.max(...y.map(Math.abs)) > 1.5 * Math.max(...right_y.map(Math.abs)), "else nothing could saturate");
  const [slot] = picture.plan.slots;
  const colours = new Map();
  for (const [n, { name, args }] of calls.entries()) {
    const column = name === "roundRect" ? (args[0] - 1 - slot.x) / slot.w : -1;
    if (column < -0.01 || column > 11.01) continue;
    const row = Math.round((args[1] - 1 - slot.y) / slot.h);
    colours.set(y[row * 12 + Math.round(column)], calls.slice(n).find((one) => one.name === "fill")?.fill);
  }
  assert.equal(colours.size, 84);
  const last = [...colours].sort(([a], [b]) => b - a)[0];
  assert.equal([...colours.values()].filter((one) => one === last[1]).length, 1, "no other number has the strongest colour");
});

test("a part that stands in its place does not move while the others fly", () => {
  const { calls, pen } = noting();
  const picture = drawn({ bug: "merge without the transpose" }, 3);
  const { wrong, right } = picture.parts;
  const slot = picture.plan.slots[1];
  paintParts(pen, picture, picture.parts, slot, false, { appeared: 1, flown: 0.12, framed: 0 });
  const boxes = calls.filter(({ name }) => name === "roundRect").map(({ args }) => `${args[0]},${args[1]}`);
  const at = (/** @type {number} */ place) => {
    const { x, y } = picture.plan.cell(slot, Math.floor(place / 3), place % 3);
    return `${x + 1},${y + 1}`;
  };
  for (const place of [0, 10, 20]) assert.ok(wrong[place] === right[place] && boxes.includes(at(place)));
  assert.ok(!boxes.includes(at(1)), "another has left its place");
  assert.ok(TURNED < 1);
});

test("beside the name of each table stands whether its numbers are right, or their shape, or that there are none", () => {
  const of = (/** @type {object} */ changes) => {
    const { state, results } = told(changes);
    return [0, 1, 2, 3].map((table) => captionOf(state, results, table));
  };
  const texts = (/** @type {object} */ changes) => of(changes).map(({ text }) => text);
  const leak = { bug: "later keys visible", given: "prompt" };
  assert.deepEqual(texts(leak), ["✗", "✗", "✗", "✗"]);
  const { moved } = told(leak).results;
  assert.deepEqual([moved.weights, moved.y], [90, 72]);
  assert.deepEqual(texts({ bug: "merge without the transpose" }), ["✓", "✓", "✓", "✗"]);
  assert.deepEqual(
    of({ bug: "merge without the transpose" }).map(({ kind }) => kind),
    ["good", "good", "good", "bad"],
  );
  assert.equal(texts({ bug: "K times Q", given: "new" })[0], "(7, 7)");
  assert.deepEqual(of({ bug: "keys not transposed" })[3], { text: "⚠", kind: "luck" });
  for (const given of GIVEN) assert.ok(of({ bug: "no scale", given }).every(({ kind }) => kind === "bad"));
});

test("the rule of an input allows the weights that the right line of code gives", () => {
  for (const given of GIVEN)
    for (const L of [7, 4, 2]) {
      const { right_weights: right, shapes } = told({ given, L }).results;
      const [, rows, S] = shapes.weights;
      for (const [n, weight] of right.entries()) {
        const is = allows({ ...base, given, L }, Math.floor(n / S) % rows, n % S);
        if (weight > 0) assert.ok(is, `${given}, ${L}`);
        else if (given !== "half") assert.ok(!is, `${given}, ${L}`); // in float16 a weight may round to 0
      }
    }
});

test("a weight that is not 0 is not written as a masked one is, also where it is small", () => {
  const pen = /** @type {any} */ ({ measureText: (/** @type {string} */ text) => ({ width: 8 * text.length }) });
  const texts = (/** @type {number} */ w, isWeights = true) =>
    [0, 0.0003, 0.0049, 0.005, 0.45, 1].map(writer(pen, { w, h: 20, size: 13 }, [0.45], isWeights) ?? assert.fail());
  assert.deepEqual(texts(40), ["0", "<.01", "<.01", "0.01", "0.45", "1.00"]);
  assert.deepEqual(texts(30), ["0", "<.01", "<.01", ".01", ".45", "1"]);
  assert.equal(texts(40, false)[1], "0.0", "numbers of y have no mask");
  const y = (/** @type {number} */ w) => writer(pen, { w, h: 20, size: 11 }, [-3.9], false)?.(-3.9);
  assert.deepEqual([y(38), y(37)], ["–3.9", "–4"], "a minus as wide as a digit, and room at both sides, or a shorter number");
});

test("a grouped layer has four heads with numbers for names, and y after them", () => {
  const { state, results } = told({ bug: "grouped heads tiled", given: "grouped" });
  const texts = [0, 1, 2, 3, 4].map((table) => captionOf(state, results, table).text);
  assert.deepEqual(texts, ["✓", "✗", "✗", "✓", "✗"]);
  assert.match(cellText(state, results, [0, 1, 0, 1], "wrong"), /^weight in head “1”, “girls” → “near”: right/);
  assert.match(cellText(state, results, [0, 4, 0, 1], "wrong"), /^y of “girls”, component 1: right/);
  const merge = { ...base, bug: "merge without the transpose", given: /** @type {const} */ ("grouped") };
  assert.match(partText(merge, partsOf(merge), [0, 4, 0, 1]), /right, head 1 of “girls”; wrong, head 0 of “near”\.$/);
});

test("in float16 a step rounds what it computes, and a number that is too large is infinite or an error", () => {
  const half = (/** @type {number} */ value) => Math.fround(value) && Math.round(value * 1024) / 1024;
  assert.deepEqual(inPrecision(half, () => mapped(count, (value) => value / 3)).data.slice(0, 3), [0, 341 / 1024, 683 / 1024]);
  assert.deepEqual(mapped(count, (value) => value / 3).data.slice(0, 2), [0, 1 / 3], "and not afterwards");
  assert.throws(() => inPrecision(half, () => mapped(count, () => assert.fail("x"))), /x/);
  assert.equal(mapped(count, (value) => value / 3).data[1], 1 / 3, "after an error, too");
  const finite = { bug: "a finite number for −∞" };
  assert.match(told({ ...finite, given: "half" }).said.text, /^PyTorch says: value cannot be converted to type c10::Half/);
  assert.match(told({ ...finite, given: "prompt" }).said.text, /The bug shows with random float16 numbers\.$/);
  const { said } = told({ bug: "no maximum subtracted", given: "half" });
  assert.equal(said.verdict, "✗ Some weights are NaN (×).");
  assert.match(told({ bug: "dropout always on", given: "train" }).said.text, /shows with 7 of the other inputs\.$/);
});

test("a guess is judged by the number that should stand there, and says why where a key is hidden", () => {
  const judge = (/** @type {object} */ changes, /** @type {number[]} */ ...place) => {
    const { state, results } = told(changes);
    return cellText(state, results, /** @type {any} */ ([0, ...place]), "unknown", true);
  };
  const later = { bug: "later keys visible", given: "prompt" };
  assert.match(judge(later, 0, 0, 3), /^✓ 0\.\d{3} should be 0: “pad” must not attend to “kings”\.$/);
  assert.match(judge(later, 0, 2, 0), /^✗ 0 is right: “old” must not attend to “pad”\.$/);
  assert.match(judge(later, 0, 6, 3), /^✗ 0\.\d{3} is right\.$/);
  assert.match(judge(later, 0, 2, 2), /^✗ 0\.\d{3} should be 1, but it breaks no rule\.$/);
  assert.match(judge(later, 3, 2, 1), /^✗ −?\d\.\d{3} should be −?\d\.\d{3}, but it breaks no rule\.$/, "y is not masked");
  const next = { bug: "top-left causal mask", given: "new" };
  assert.match(judge(next, 0, 6, 1), /^✓ 0 should be 0\.\d{3}: “today” attends to “near”\.$/);
  assert.match(judge({ bug: "no scale" }, 1, 0, 1), /^✓ [\d.]+ should be [\d.]+\.$/);
  assert.equal(judge({ bug: "K times Q", given: "new" }, 0, 5, 2), "✓ This tensor is (3, 7, 7).");
  assert.match(judge({ bug: "no scale", given: "new" }, 0, 2, 2), /^“old” is no query/);
  assert.equal(judge({ bug: "keys not transposed" }, 0, 2, 2), "There are no numbers.");
  assert.match(judge({ bug: "no maximum subtracted", given: "half" }, 0, 6, 0), /^✓ NaN should be [\d.]+\.$/);
  for (const bug of Object.keys(WRONG))
    for (const given of GIVEN) {
      const { state, results } = told({ bug, given });
      const { weights, right_weights: right, moved } = results;
      if (!weights || moved.weights === null) continue;
      const [rows, from] = given === "new" ? [1, 6] : [7, 0];
      const S = right.length / (rows * (given === "grouped" ? 4 : 3));
      const at = rows * S + S - 1; // the last number of the first row of head 1
      const verdict = cellText(state, results, [0, 1, from, S - 1], "unknown", true);
      const isWrong = !(Math.abs(weights[at] - right[at]) <= 1e-4);
      assert.equal(verdict[0] === "✓" || verdict.endsWith("it breaks no rule."), isWrong, `${bug}, ${given}: ${verdict}`);
      if (/must not/.test(verdict)) assert.equal(right[at], 0);
    }
});

test("a cell has two numbers, unless there is none", () => {
  assert.deepEqual(wordsOf({ ...base, given: "prompt", L: 2 }).keys, ["pad", "near"]);
  const { state, results } = told({ bug: "keys not transposed" });
  assert.match(cellText(state, results, [0, 3, 2, 5], "wrong"), /^y of “old”, component 5: .* nothing to compare\.$/);
  const other = told({ bug: "K times Q", given: "new" });
  assert.match(cellText(other.state, other.results, [0, 0, 5, 2], "wrong"), /no such number: its weights are \(3, 1, 7\)/);
  assert.match(cellText(other.state, other.results, [0, 3, 5, 2], "wrong"), /no such number: y is \(1, 12\)/);
  const unknown = told({ bug: "later keys visible", given: "prompt" });
  assert.match(cellText(unknown.state, unknown.results, [0, 0, 2, 3], "unknown"), /“old” → “kings”: 0\.\d{3}\.$/);
  assert.equal(cellText(other.state, other.results, [0, 0, 5, 2], "unknown"), "This tensor is (3, 7, 7).");
  const sum = told({ bug: "softmax over queries" });
  assert.match(cellText(sum.state, sum.results, [0, 0, 1, 3], "unknown"), /: 0\.\d{3}\. Its row sums to 0\.45\.$/);
  assert.match(cellText(sum.state, sum.results, [0, 0, 0, 1], "wrong"), /wrong 0\.\d{3}\. Its row sums to 2\.\d{2}\.$/);
  const wrong = told({ bug: "heads in reverse order" });
  assert.match(cellText(wrong.state, wrong.results, [0, 0, 1, 1], "wrong"), /right [\d.]+, wrong the same\.$/);
  assert.match(cellText(wrong.state, wrong.results, [0, 3, 1, 1], "wrong"), /: right −?\d\.\d{3}, wrong −?\d\.\d{3}\.$/);
});
