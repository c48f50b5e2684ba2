import assert from "node:assert/strict";
import { test } from "node:test";
import { differencesAt, labelsOf } from "../../src/attn/labs/einsum/differences.js";
import { lettersOf, loopsOf, readFormula, toggled } from "../../src/attn/labs/einsum/formula.js";
import { signed } from "../../src/attn/labs/einsum/ink.js";
import { boxOf, edgesOf, matrixOf, numberAt, planOf, sizesOf } from "../../src/attn/labs/einsum/layout.js";
import { compute, indexOf } from "../../src/attn/labs/einsum/model.js";
import { momentAt, partsOf, stepsAt, stepsOfLoops, stopsOf, timeAt } from "../../src/attn/labs/einsum/moments.js";
import { partnersOf, termsOf, tracePin } from "../../src/attn/labs/einsum/pin.js";
import { originsOf, sceneOf, termsSoFar } from "../../src/attn/labs/einsum/scene.js";
import { walk } from "../../src/attn/labs/einsum/walk.js";
import { coincidences, namesOf, pinText, verdictOf, workText } from "../../src/attn/labs/einsum/words.js";
import { contrast } from "../../src/attn/labs/kit/colours.js";

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

/** The picture of a formula. */
const planFor = (text, width = 1066, tallest = 368, sizes = SIZES) => planOf({ width, tallest, formula: read(text), sizes });

test("of the operands one matrix is drawn, and of the result all of them, without overlap", () => {
  for (const text of ["bhld,bhsd->bhls", "bhld,bgsd->bhls", "bhld,bhsd->bls", "bhls,bhsd->bhld"])
    for (const [width, tallest] of [
      [356, 465],
      [766, 368],
      [1066, 368],
    ]) {
      const [left, right, result] = planFor(text, width, tallest).places;
      assert.ok(left && right && result && left.apart < 0 && right.apart < 0);
      const [B, H] = result.sizes;
      assert.deepEqual(matrixOf(left, 0, 0), matrixOf(left, 1, 2));
      const all = Array.from({ length: B * H }, (_, n) => matrixOf(result, Math.floor(n / H), n % H));
      for (const [n, one] of all.entries())
        for (const other of all.slice(n + 1)) assert.ok(one.x + one.w < other.x || one.y + one.h < other.y, `${text} at ${width}`);
    }
});

test("the partners of an operand's number in a result are those of the terms that have it", () => {
  for (const text of ["bhld,bhsd->bhls", "bhld,bgsd->bhls", "bhls,bgsd->bhld", "bhld,bgsd->bls", "ll,ls->s"]) {
    const formula = read(text);
    for (const [side, at] of [
      [0, 1],
      [0, 29],
      [1, 0],
      [1, 34],
    ]) {
      const trace = tracePin(formula, SIZES, [side, at]);
      for (const n of trace?.cells[2] ?? []) {
        const terms = termsOf(formula, SIZES, n, Infinity).terms.filter((term) => term[side] === at);
        assert.deepEqual(
          partnersOf(formula, SIZES, side, at, n),
          terms.map((term) => term[1 - side]),
          text,
        );
      }
    }
  }
});

test("b always goes down, so that without h its matrices stay where they were", () => {
  assert.deepEqual(sizesOf("bhls", SIZES), [2, 3, 5, 7]);
  assert.deepEqual(sizesOf("bls", SIZES), [2, 1, 5, 7]);
  assert.deepEqual(sizesOf("hls", SIZES), [1, 3, 5, 7]);
  assert.deepEqual(sizesOf("bl", SIZES), [1, 1, 2, 5]);
  assert.deepEqual(sizesOf("", SIZES), [1, 1, 1, 1]);
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

/** What is on its way to the results of a nudge. */
function onTheWay(text, nudge, bump) {
  const formula = read(text);
  const settings = { ...SIZES, formula: text, pin: null, step: null, nudge };
  const [results, { result: before }] = [compute(settings), compute({ ...settings, nudge: null })];
  const plan = planFor(text);
  const view = { x: Infinity, isRunning: false, isFast: false, hovered: null, bump };
  const scene = sceneOf(formula, settings, results, view);
  return {
    all: differencesAt({ plan, formula, settings, results, before, most: { factors: 3, result: 42 } }, scene, bump),
    plan,
    results,
    scene,
  };
}

test("each difference comes from the number that the nudged one meets, and goes into its result, one after the other, and stays there", () => {
  const text = "bhld,bhsd->bhls";
  const spell = (/** @type {number} */ one) => (one < 0 ? `−${-one}` : `+${one}`);
  const middle = (/** @type {any} */ { x, y, w, h }) => [x + w / 2, y + h / 2];
  for (const [nudge, met, changed] of [
    [
      [1, 1, 2, 4, 0],
      [100, 104, 108, 112, 116],
      [179, 186, 193, 200, 207],
    ], // q[1, 2, l, 0], scores[1, 2, l, 4]
    [
      [0, 1, 2, 2, 0],
      [140, 144, 148, 152, 156, 160, 164],
      [189, 190, 191, 192, 193, 194, 195],
    ], // k[1, 2, s, 0], scores[1, 2, 2, s]
  ]) {
    const side = 1 - nudge[0];
    const { plan, results } = onTheWay(text, nudge, 0);
    const [other, goal] = [plan.places[side], plan.places[2]];
    const texts = met.map((n) => spell([results.left, results.right][side][n]));
    const { all } = onTheWay(text, nudge, 1);
    assert.deepEqual(
      all.map((one) => one.text),
      texts,
    );
    for (const [n, { box, alpha }] of all.entries()) {
      assert.equal(alpha, 1);
      assert.deepEqual(box, boxOf(goal, changed[n]), "it is in its own cell, and covers no other");
    }
    assert.equal(numberAt(other, [1, 2], ...middle(onTheWay(text, nudge, 0.19).all[0].box)), met[0], "it starts on the number");
    assert.ok(onTheWay(text, nudge, 0.34).all[0].alpha < 0.2, "faint where it passes others");
    let last = onTheWay(text, nudge, 0.2).all[0].box.x;
    for (let bump = 0.25; bump < 0.48; bump += 0.05) {
      const now = onTheWay(text, nudge, bump).all[0].box.x;
      assert.ok(now > last);
      last = now;
    }
    assert.deepEqual(onTheWay(text, nudge, 0).all, []);
  }
});

test("in a column that is too narrow for a difference, it is wider than its cell and in its middle; in a row it is left out", () => {
  const formula = read("bhld,bhsd->bhls");
  const plan = planFor("bhld,bhsd->bhls", 356, 505);
  const picture = { plan, formula, most: { factors: 3, result: 21 } };
  const [cell, box] = [boxOf(plan.places[2], 179), labelsOf(picture, 1)(179)];
  assert.ok(cell.w < 20 && box.w > 20);
  assert.equal(box.x + box.w / 2, cell.x + cell.w / 2);
  assert.equal(labelsOf(picture, 0), null);
});

test("with two letters for heads each head of q is in front while its scores change, and the last one stays", () => {
  const way = (/** @type {number} */ bump) => onTheWay("bhld,bgsd->bhls", [1, 1, 2, 4, 0], bump);
  const heads = new Set();
  for (let bump = 0; bump <= 1; bump += 0.01) {
    const { all, scene, plan } = way(bump);
    const [b, h] = scene.fronts[0];
    heads.add(h);
    assert.deepEqual([b, scene.indices.h], [1, h]);
    assert.ok(all.length <= 5 * (h + 1), "none goes to a head whose turn has not come");
    const landed = [0, 1, 2].map(
      (head) => all.filter(({ box }) => numberAt(plan.places[2], [0, 0], box.x + 1, box.y + 1) === 105 + 35 * head + 4).length,
    );
    for (const head of [0, 1, 2]) if (head < h) assert.equal(landed[head], 1, "those of the head before are there");
  }
  assert.deepEqual([...heads], [0, 1, 2]);
  const { all, scene } = way(1);
  assert.equal(all.length, 15);
  assert.deepEqual(scene.fronts[0], [1, 2]);
  assert.ok(!("h" in scene.indices), "at rest all heads are meant");
});

test("the colours of numbers are the brighter the larger the number on a dark page, and the reverse on a light one", () => {
  for (const [isDark, paper, ink] of [
    [true, "#121212", "#ced6dd"],
    [false, "#ffffff", "#222832"],
  ])
    for (const sign of [-1, 1]) {
      const lights = [0, 0.3, 0.6, 1].map((share) => contrast(signed({ isDark, paper, ink }, sign * share).paper, "#000"));
      assert.deepEqual(
        lights,
        [...lights].sort((a, b) => (isDark ? a - b : b - a)),
      );
    }
});

test("when nothing runs and nothing is explained, no number is marked, and one of k is offered", () => {
  const at = (text, x, sizes = SIZES) => {
    const settings = { ...sizes, formula: text, pin: null, step: null, nudge: null };
    return sceneOf(read(text), settings, compute(settings), { x, isRunning: false, isFast: true, hovered: null });
  };
  const still = at("bhld,bhsd->bhls", 840);
  assert.deepEqual(still.offered, [1, 156]); // k[1, 2, 4, 0]
  assert.deepEqual(still.fronts, [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  assert.deepEqual(still.indices, {});
  assert.ok(still.marks.every((marks) => marks?.size === 0));
  assert.deepEqual(at("bhld,bhsd->bhls", 10 ** 4, { ...SIZES, H: 4 }).fronts[1], [1, 2], "also if it is not the last matrix");
  assert.deepEqual(at("d,d->", 4).offered, null);
  assert.deepEqual(at("bhld,bhsd->bhls", 836).offered, null);
  const forgotten = at("bhld,bhsd->bls", 840); // what the heads add to the last result stays, as an example
  assert.ok(!forgotten.isStill && forgotten.marks[2]?.size === 1);
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
    for (const [width, tallest] of [
      [356, 465],
      [640, 368],
      [1066, 368],
    ]) {
      const plan = planFor(text, width, tallest);
      assert.ok(plan.width <= width && plan.height <= tallest, `${text} at ${width}: ${plan.width} by ${plan.height}`);
      plan.places.forEach((place, side) => {
        if (!place) return;
        const [B, H, R, C] = place.sizes;
        const [b, h] = [B - 1, H - 1];
        const first = side < 2 ? (b * H + h) * R * C : 0;
        for (let n = first; n < B * H * R * C; n++) {
          const { x, y, w, h: high } = boxOf(place, n);
          assert.equal(numberAt(place, [b, h], x + w / 2, y + high / 2), n);
          assert.ok(x >= 0 && x + w <= plan.width && y + high <= plan.height, `${text} at ${width}`);
        }
        for (const { box } of edgesOf(place, [...read(text).tensors, read(text).result].at(side === 2 ? -1 : side)))
          assert.equal(numberAt(place, [b, h], box.x + box.w / 2, box.y + box.h / 2), null);
      });
    }
});

test("between two matrices is no number", () => {
  const place = planFor("bhld,bhsd->bhls").places[2];
  const { x, y, w, h } = matrixOf(place, 0, 0);
  assert.equal(numberAt(place, [0, 0], x + w + place.apart / 2, y + 1), null);
  assert.equal(numberAt(place, [0, 0], x + 1, y + h + place.apart / 2), null);
  assert.equal(numberAt(place, [0, 0], x - 1, y + 1), null);
});

test("the cells have room for their numbers: those of the operands everywhere, those of a result on a laptop", () => {
  const [q, k] = planFor("bhld,bhsd->bhls", 356, 465).places.map((place) => place?.sheet);
  assert.ok(q.w >= 30 && k.w >= 30 && k.p >= 15);
  const [left, right, scores] = planFor("bhld,bhsd->bhls").places.map((place) => place?.sheet);
  assert.ok(left.w >= 40 && right.w >= 40 && scores.w >= 26 && scores.p >= 24);
  const { sheet } = planFor("bhls,bhsd->bhld").places[0];
  assert.ok(sheet.w >= 26);
});

test("q, k and the first matrix of the result stay where they are, whichever of these formulas is computed", () => {
  const sheets = ["bhld,bhsd->bhls", "bhld,bgsd->bhls", "bhld,bhsd->bls"].map((text) => {
    return planFor(text).places.map((place) => [place?.sheet.x, place?.sheet.y, place?.sheet.p]);
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
  assert.match(coincidences(read("bhls,bgsd->bhld"), SIZES)[0], /^H = G = 3: if one is written for the other/);
  const one = coincidences(read("bhls,bgsd->bhld"), { ...SIZES, G: 1, B: 1 });
  assert.deepEqual(one, ["G = 1: a sum over one number changes nothing, so this mistake cannot be seen."]);
});
