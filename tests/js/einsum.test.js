import assert from "node:assert/strict";
import { test } from "node:test";
import { differencesAt, gapOf } from "../../src/attn/labs/einsum/differences.js";
import { lettersOf, loopsOf, readFormula, shapeOf, toggled } from "../../src/attn/labs/einsum/formula.js";
import { boxOf, numberAt, planOf, sizeOf, sizesOf } from "../../src/attn/labs/einsum/layout.js";
import { compute, indexOf } from "../../src/attn/labs/einsum/model.js";
import { momentAt, partsOf, stepsAt, stepsOfLoops, stopsOf, timeAt } from "../../src/attn/labs/einsum/moments.js";
import { axesOf, termsOf, tracePin } from "../../src/attn/labs/einsum/pin.js";
import { originsOf, sceneOf, termsSoFar } from "../../src/attn/labs/einsum/scene.js";
import { walk } from "../../src/attn/labs/einsum/walk.js";
import { coincidences, namesOf, pinText, verdictOf, workText } from "../../src/attn/labs/einsum/words.js";

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
  assert.equal(sentence("bhld,bhsd->bhls"), "210 results of 4 terms each, 840 multiplications.");
  assert.equal(sentence("bhls,bgsd->bhld"), "120 results of 21 terms each, 2,520 multiplications; torch adds up g first: 840.");
  assert.equal(sentence("bhl,sd->b"), "2 results of 420 terms each, 840 multiplications; torch adds up h, l, s and d first: 2.");
  assert.equal(sentence("l,s->ls"), "35 results of 1 term each, 35 multiplications.");
  assert.equal(sentence("bhls->bhl"), "30 results of 7 terms each; nothing is multiplied.");
  assert.equal(sentence("d,d->"), "1 result of 4 terms, 4 multiplications.");
});

test("the letters of the result are the outer loops, and the line inside adds only if a letter is summed", () => {
  const lines = (text) => loopsOf(read(text), SIZES).map(({ text }) => text);
  assert.deepEqual(lines("ld,d->l"), ["for l in range(5):", "for d in range(4):", "result[l] += left[l,d] * right[d]"]);
  assert.deepEqual(lines("d,d->").at(-1), "result[()] += left[d] * right[d]");
  assert.deepEqual(lines("l,s->ls").at(-1), "result[l,s] = left[l] * right[s]");
});

const FORMULAS = ["bhld,bhsd->bhls", "bhls,bgsd->bhld", "bhld,hde->ble", "bhll->bhl", "d,d->", "l,s->ls", "l,s->", "ll->"];

test("the moments of the loops are all index tuples in order, and each product falls into its result", () => {
  for (const text of FORMULAS) {
    const formula = read(text);
    const { steps, terms } = stepsOfLoops(formula, SIZES);
    const results = compute({ ...SIZES, formula: text });
    const sums = new Float32Array(results.result.length);
    let last = "";
    for (let n = 1; n <= steps; n++) {
      const moment = momentAt(formula, SIZES, n);
      assert.equal(moment.n, n - 1);
      assert.equal(moment.part, 1);
      assert.equal(moment.line, lettersOf(formula).length);
      const place = [...lettersOf(formula)].map((letter) => String(moment.indices[letter]).padStart(2, "0")).join();
      assert.ok(place > last, `${text}: ${place} after ${last}`);
      last = place;
      const pair = termsOf(formula, SIZES, moment.result, terms).terms[moment.term];
      sums[moment.result] += results.left[pair[0]] * (results.right ? results.right[pair[1]] : 1);
    }
    assert.deepEqual([...sums], [...results.result], text);
  }
});

test("at the beginning of a run the outermost loop that went on is marked, then the line inside", () => {
  const formula = read("bhld,bhsd->bhls");
  const line = (x) => momentAt(formula, SIZES, x).line;
  assert.deepEqual([line(0), line(0.05), line(0.5)], [0, 0, 5]);
  assert.deepEqual([line(1.05), line(4.05), line(28.05), line(140.05), line(420.05)], [4, 3, 2, 1, 0]);
});

test("time and steps lead to each other, and the parts of the film are one result, a row, a table and all", () => {
  for (const text of FORMULAS) {
    const formula = read(text);
    const parts = partsOf(formula, SIZES);
    const { steps, terms } = stepsOfLoops(formula, SIZES);
    const stops = stopsOf(parts);
    assert.equal(parts[0].last, terms);
    assert.equal(parts.at(-1).last, steps, text);
    assert.equal(stops.at(-1), parts.at(-1).until);
    assert.deepEqual(
      stops,
      [...stops].sort((a, b) => a - b),
    );
    for (const stop of stops) {
      const x = stepsAt(parts, stop);
      assert.ok(Math.abs(x - Math.round(x)) < 1e-6, `${text}: a still picture in the middle of a run`);
      assert.ok(Math.abs(timeAt(parts, x) - stop) < 1e-9);
    }
  }
  const parts = partsOf(read("bhld,bhsd->bhls"), SIZES);
  assert.deepEqual(
    parts.map(({ name, runs, last }) => [name, runs, last]),
    [
      ["one result", "d", 4],
      ["one row", "s", 28],
      ["one matrix", "l", 140],
      ["all 6 matrices", "bh", 840],
    ],
  );
});

test("a result fills up with its terms, in the order of the loops", () => {
  const formula = read("bhld,bhsd->bhls");
  const settings = { ...SIZES, formula: "bhld,bhsd->bhls", pin: null, step: 6 };
  const results = compute(settings);
  const scene = sceneOf(formula, settings, results, { x: 6, isRunning: false, isFast: false, hovered: null });
  assert.deepEqual(
    [0, 1, 2].map((n) => termsSoFar(scene, n)),
    [4, 2, 0],
  );
  assert.deepEqual(scene.pair, [1, 5]); // q[0, 0, 0, 1] and k[0, 0, 1, 1]
  assert.equal(scene.sum, results.left[0] * results.right[4] + results.left[1] * results.right[5]);
  assert.deepEqual(scene.marks, [new Set([1]), new Set([5]), new Set([1])]);
});

test("where whole results are shown, a loop that is added up has no index of its own", () => {
  for (const [text, letters] of [
    ["bhld,bhsd->bhls", "bhls"],
    ["bhld,bhsd->bls", "bls"],
  ]) {
    const settings = { ...SIZES, formula: text, pin: null, step: null };
    const view = { x: 40.5, isRunning: true, isFast: true, hovered: null };
    const { indices, moment } = sceneOf(read(text), settings, compute(settings), view);
    assert.deepEqual(Object.keys(indices), [...letters]);
    for (const letter of letters) assert.equal(indices[letter], moment.indices[letter]);
    const slow = sceneOf(read(text), settings, compute(settings), { ...view, isFast: false });
    assert.deepEqual(slow.indices, moment.indices);
  }
});

test("where whole results are shown, all their factors are marked, in every head, and the large table stays", () => {
  const formula = read("bhld,bhsd->bls");
  const settings = { ...SIZES, formula: "bhld,bhsd->bls", pin: null, step: null, nudge: null };
  const results = compute(settings);
  for (let x = 8 * 12 + 0.5; x < 9 * 12; x++) {
    const { marks, fronts } = sceneOf(formula, settings, results, { x, isRunning: true, isFast: true, hovered: null });
    assert.deepEqual([marks[0]?.size, marks[1]?.size, marks[2]?.size], [12, 12, 1]);
    assert.deepEqual(fronts, [
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  }
});

/** The tensors of a formula, as layout.js takes them. */
function shapedOf(text) {
  return axesOf(read(text)).map((axes) => (axes === null ? null : { axes, shape: shapeOf(axes, SIZES) }));
}

test("of the factors one table is drawn, and of the result all of them, small and to the left of the large one", () => {
  for (const text of ["bhld,bhsd->bhls", "bhld,bgsd->bhls", "bhld,bhsd->bls"])
    for (const [width, corner] of [
      [358, 0],
      [784, 280],
      [1054, 334],
    ]) {
      const [left, right, result] = planOf({ width, tallest: 370, tensors: shapedOf(text), corner }).places;
      assert.deepEqual([left?.all, right?.all], [null, null]);
      assert.ok(result?.all && result.all.c >= 4 && result.all.x < result.sheet.x, `${text} at ${width}`);
    }
});

test("a letter of the result is deleted, and comes back where it was", () => {
  const text = "bhld,bhsd->bhls";
  for (const letter of "bhls") {
    const without = toggled(read(text), letter);
    assert.equal(without, `bhld,bhsd->${"bhls".replace(letter, "")}`);
    assert.equal(toggled(read(without), letter), text);
  }
  assert.equal(toggled(read("d,d->"), "d"), "d,d->d");
  assert.equal(toggled(read("bhls->bhl"), "s"), "bhls->bhls");
});

test("what is pinned is explained, and a nudged number when the loops have run", () => {
  const formula = read("bhld,bhsd->bhls");
  const settings = { ...SIZES, formula: "bhld,bhsd->bhls", pin: null, step: null, nudge: [1, 1, 2, 4, 0] };
  const results = compute(settings);
  const view = { x: 840, isRunning: false, isFast: false, hovered: null };
  const scene = sceneOf(formula, settings, results, view);
  assert.ok(scene.isNudge);
  assert.deepEqual(scene.fronts, [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  assert.deepEqual([...scene.marks[2]], [179, 186, 193, 200, 207]);
  assert.equal(sceneOf(formula, { ...settings, pin: [2, 3] }, results, view).isNudge, false);
  assert.equal(sceneOf(formula, { ...settings, step: 3 }, results, view).trace, null);
  assert.equal(sceneOf(formula, settings, results, { ...view, isRunning: true }).trace, null);
});

/** What stands beside the results, of a nudge in a wide picture. */
function beside(text, nudge, bump) {
  const formula = read(text);
  const settings = { ...SIZES, formula: text, pin: null, step: null, nudge };
  const [results, { result: before }] = [compute(settings), compute({ ...settings, nudge: null })];
  const gap = gapOf(results.changed, sizesOf(shapeOf(formula.result, SIZES)));
  const plan = planOf({ width: 1054, tallest: 370, tensors: shapedOf(text), corner: 334, gap });
  for (const place of plan.places) if (place) place.gap.n = 1;
  const scene = sceneOf(formula, settings, results, { x: Infinity, isRunning: false, isFast: false, hovered: null });
  return { all: differencesAt({ plan, formula, settings, results, before }, scene, bump), plan, results };
}

test("each difference comes from the number that the nudged one meets, and stays in a gap beside its result", () => {
  const text = "bhld,bhsd->bhls";
  const k = [1, 1, 2, 4, 0];
  const { all, plan, results } = beside(text, k, 0.49); // the first one has not arrived
  const spell = (/** @type {number} */ one) => (one < 0 ? `−${-one}` : `+${one}`);
  const met = [100, 104, 108, 112, 116].map((n) => spell(results.left[n])); // q[1, 2, l, 0]
  assert.deepEqual(
    all.map((one) => one.text),
    met.slice(0, all.length),
  );
  const middle = (/** @type {any} */ { x, y, w, h }) => [x + w / 2, y + h / 2];
  const [first] = beside(text, k, 0.21).all;
  assert.deepEqual(numberAt(plan.places[0], [1, 2], ...middle(first.box)), [1, 2, 0, 0], "it starts on the number of q");
  let last = first.box.x;
  for (let bump = 0.25; bump <= 0.49; bump += 0.05) {
    const now = beside(text, k, bump).all[0].box.x;
    assert.ok(now > last);
    last = now;
  }
  const end = beside(text, k, 1);
  const table = end.plan.places[2];
  assert.deepEqual(
    end.all.map((one) => one.text),
    met,
  );
  end.all.forEach(({ box }, l) => {
    const [changed, next] = [boxOf(table, l, 4), boxOf(table, l, 5)];
    assert.deepEqual([box.x, box.y], [changed.x + changed.w, changed.y], "right of the number that changes");
    assert.ok(box.x + box.w <= next.x, "and it covers none");
    assert.deepEqual(numberAt(table, [1, 2], ...middle(box)), [1, 2, l, 4]);
  });
  const { sheet } = table;
  assert.ok(sheet.x + sizeOf(table).w <= plan.width && sheet.y + sizeOf(table).h <= plan.height);
  const row = beside(text, [0, 1, 2, 2, 0], 1);
  row.all.forEach(({ box }, s) => {
    assert.deepEqual([box.x, box.y], [boxOf(row.plan.places[2], 2, s).x, boxOf(row.plan.places[2], 3, s).y - box.h]);
  });
  assert.equal(row.all.length, 7);
  assert.deepEqual(beside(text, k, 0).all, []);
  assert.equal(beside("bhld,bgsd->bhls", k, 1).all.length, 5, "those of the large table");
  assert.equal(beside("hd,l->hl", [1, 2], 1).all.length, 3, "of several products the sum");
});

test("no weight is negative, and each row of weights sums to 10", () => {
  for (const S of [1, 2, 7, 8])
    for (const seed of [0, 1, 2]) {
      const { left } = compute({ ...SIZES, S, seed, formula: "bhls,bgsd->bhld" });
      for (let n = 0; n < left.length; n += S) {
        const row = [...left.slice(n, n + S)];
        assert.ok(row.every((one) => one >= 0));
        assert.equal(
          row.reduce((sum, one) => sum + one, 0),
          10,
        );
      }
    }
  for (const text of ["bhls->bhl", "bhld,bhsd->bhls", "bhls,bhl->b"])
    assert.ok(compute({ ...SIZES, formula: text }).left.includes(-3), text);
});

test("a result is made of its own head alone, unless the heads are added up or have two letters", () => {
  const heads = (text) => originsOf(read(text), SIZES, 2, 40, "head");
  assert.deepEqual(heads("bhld,bhsd->bhls"), [1]);
  assert.deepEqual(heads("bhld,bhsd->bls"), [0, 1, 2]);
  assert.deepEqual(heads("bhld,bgsd->bhls"), [0, 1, 2]);
  assert.deepEqual(originsOf(read("bhld,bhsd->bhls"), SIZES, 2, 40, "key"), [5]);
  assert.deepEqual(originsOf(read("bhls,bhsd->bhld"), SIZES, 2, 40, "key"), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(originsOf(read("bhld,bhsd->bhls"), SIZES, 0, 0, "key"), null);
});

test("every cell of the picture is found where it is drawn, at every width", () => {
  for (const text of FORMULAS)
    for (const [width, corner] of [
      [360, 0],
      [640, 280],
      [780, 280],
    ]) {
      const plan = planOf({ width, tallest: 400, tensors: shapedOf(text), corner });
      assert.ok(plan.width <= width && plan.height <= 400, `${text} at ${width}: ${plan.width} by ${plan.height}`);
      for (const place of plan.places) {
        if (!place) continue;
        const { sheet, sizes, all } = place;
        const [B, H, R, C] = sizes;
        assert.ok(sheet.x + C * sheet.w <= plan.width && sheet.x >= corner);
        assert.deepEqual(numberAt(place, [0, 0], sheet.x + (C - 0.5) * sheet.w, sheet.y + (R - 0.5) * sheet.p), [
          0,
          0,
          R - 1,
          C - 1,
        ]);
        if (!all) continue;
        const [wide, high] = [H * C * all.c + 3 * (H - 1), B * R * all.c + 3 * (B - 1)];
        assert.ok(all.x + wide <= plan.width);
        assert.deepEqual(numberAt(place, [0, 0], all.x + wide - 1, all.y + high - 1), [B - 1, H - 1, R - 1, C - 1]);
      }
    }
});

test("the cells of the large tables have room for their numbers, on a phone and beside the loops", () => {
  for (const [width, tallest, corner, factor, broad] of [
    [358, 300, 0, 30, 24],
    [1054, 370, 334, 50, 50],
  ])
    for (const gap of [undefined, { i: Infinity, j: 4 }]) {
      const plan = planOf({ width, tallest, tensors: shapedOf("bhld,bhsd->bhls"), corner, gap });
      const [q, k, scores] = plan.places.map((place) => Number(place?.sheet.w));
      assert.ok(q >= factor && k >= factor && scores >= broad, `${[width, q, k, scores]}`);
      assert.ok(plan.height <= tallest && plan.width <= width);
    }
});

test("beside the loops the large tables stay where they are, whichever of these formulas is computed", () => {
  const sheets = ["bhld,bhsd->bhls", "bhld,bgsd->bhls", "bhld,bhsd->bls"].map((text) => {
    return planOf({ width: 1054, tallest: 370, tensors: shapedOf(text), corner: 334 }).places.map((place) => place?.sheet);
  });
  for (const other of sheets.slice(1)) assert.deepEqual(other, sheets[0]);
});

test("keys walk from number to number, and Enter from tensor to tensor", () => {
  const formula = read("bhld,bhsd->bhls");
  assert.deepEqual(walk(formula, SIZES, null, "ArrowDown"), [2, 0]);
  assert.deepEqual(walk(formula, SIZES, [2, 0], "ArrowRight"), [2, 1]);
  assert.deepEqual(walk(formula, SIZES, [2, 0], "ArrowLeft"), [2, 0]);
  assert.deepEqual(walk(formula, SIZES, [2, 0], "PageDown"), [2, 35]);
  assert.deepEqual(walk(formula, SIZES, [2, 0], "End"), [2, 105]);
  assert.deepEqual(walk(formula, SIZES, [2, 209], "Enter"), [0, 119]); // the nearest number
  assert.deepEqual(walk(formula, SIZES, [0, 0], "Enter"), [1, 0]);
  assert.deepEqual(walk(read("ll->"), SIZES, [2, 0], "Enter"), [0, 0]);
  assert.equal(walk(formula, SIZES, [2, 0], "x"), null);
});

test("formulas of q and k, and of weights and v, are judged; others are not", () => {
  const verdict = (text, sizes = SIZES) => verdictOf(read(text), sizes)?.kind;
  assert.equal(verdict("bhld,bhsd->bhls"), "good");
  assert.equal(verdict("bhls,bhsd->bhld"), "good");
  assert.equal(verdict("bhld,bhsd->bls"), "bad");
  assert.equal(verdict("bhld,bgsd->bhls"), "bad");
  assert.equal(verdict("bhld,bgsd->bhls", { ...SIZES, G: 1 }), "luck");
  assert.equal(verdict("bhld,bhsd->bls", { ...SIZES, H: 1 }), "luck");
  assert.equal(verdict("bhld,bhsd->bhsl"), "luck");
  assert.equal(verdict("bhld,hde->ble"), undefined);
  assert.deepEqual(namesOf(read("bhld,bhsd->bls")), ["q", "k", "result"]);
  assert.deepEqual(namesOf(read("bhls,bhsd->bhld")), ["weights", "v", "output"]);
  assert.deepEqual(namesOf(read("bhld,hde->ble")), ["left", "right", "result"]);
});

test("the notes warn of equal sizes and sums over one number for the letters of the formula", () => {
  assert.deepEqual(coincidences(read("bhld,bhsd->bhls"), SIZES), []);
  assert.match(coincidences(read("bhls,bgsd->bhld"), SIZES)[0], /^H = G = 3: from the shape alone/);
  const one = coincidences(read("bhls,bgsd->bhld"), { ...SIZES, G: 1, B: 1 });
  assert.deepEqual(one, ["G = 1: a sum over one number changes nothing, so this mistake cannot be seen."]);
});
