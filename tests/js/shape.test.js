import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../src/attn/labs/kit/inputs.js";
import { EXAMPLES } from "../../src/attn/labs/kit/language.js";
import { sizesOf } from "../../src/attn/labs/kit/layer.js";
import { product, range } from "../../src/attn/labs/kit/math.js";
import * as tensor from "../../src/attn/labs/kit/tensor.js";
import { arrows } from "../../src/attn/labs/shape/joins.js";
import { clamped, linked } from "../../src/attn/labs/shape/links.js";
import { compute } from "../../src/attn/labs/shape/model.js";
import { resized } from "../../src/attn/labs/shape/paint.js";
import { cellUnder, largePlan, mapPlan } from "../../src/attn/labs/shape/plan.js";
import {
  ACTS,
  CHANGES,
  LAST,
  SECONDS,
  STAGES,
  shapeNow,
  sheetsOf,
  sourcesOf,
  stageOf,
  tensorIn,
  tensorsOf,
  valueAt,
  wayTo,
} from "../../src/attn/labs/shape/stages.js";
import { arrival, changeWords } from "../../src/attn/labs/shape/words.js";

const texts = EXAMPLES.map((text, n) => `${text} ${EXAMPLES[(n + 1) % 4]} ${EXAMPLES[(n + 2) % 4]} ${EXAMPLES[(n + 3) % 4]}`);
const settings = { B: 2, H: 3, L: 7, S: null, D: 4, G: null, seed: 0, scale: true, causal: false, sentence: "", _texts: texts };

// What depends on what -------------------------------------------------------------------------------------------------------

/** All tensors of a random layer for one sentence, where element `at` of the tensor `name` has been moved. */
function layerWith(state, name = "", at = 0) {
  const { H, L, S, D, G, E } = sizesOf(state);
  /** @type {Record<string, Float32Array>} */
  const all = {};
  const add = (made, numbers) => {
    all[made] =
      made === name ? numbers.map((value, n) => (n === at ? 1.37 * value + (name === "weights" ? 0 : 0.37) : value)) : numbers;
  };
  const matrix = (one, rows) => normal(5, one, range(rows), E).map((value) => 0.4 * value);
  add("x", normal(5, "x", range(L), E));
  if (state.S !== null) add("context", normal(5, "context", range(S), E));
  const source = all.context ?? all.x;
  add("q_flat", tensor.linear(all.x, matrix("q", H * D), L, E, H * D));
  add("k_flat", tensor.linear(source, matrix("k", G * D), S, E, G * D));
  add("v_flat", tensor.linear(source, matrix("v", G * D), S, E, G * D));
  add("q", tensor.splitHeads(all.q_flat, 1, L, H, D));
  add("k", tensor.splitHeads(all.k_flat, 1, S, G, D));
  add("v", tensor.splitHeads(all.v_flat, 1, S, G, D));
  const turned = (data, R, C) => data.map((_, n) => data[Math.floor(n / (R * C)) * R * C + (n % R) * C + (Math.floor(n / R) % C)]);
  add("kT", turned(all.k, S, D));
  add("scores", tensor.attentionScores(all.q, turned(all.kT, D, S), 1, H, G, L, S, D));
  add("scaled", tensor.multiply(all.scores, 1 / Math.sqrt(D)));
  add("masked", state.causal ? tensor.maskFuture(all.scaled, L, S) : all.scaled);
  add("weights", tensor.softmax(all.masked, S));
  add("heads", tensor.weightedSum(all.weights, all.v, 1, H, G, L, S, D));
  add("concat", tensor.mergeHeads(all.heads, 1, H, L, D));
  add("y", tensor.linear(all.concat, matrix("o", E), L, E, E));
  return all;
}

/** The cells of a tensor that lie in these regions, by their number in memory. */
function cellsIn(regions, { R, C }) {
  const cells = new Set();
  for (const { h, i, j } of regions)
    for (let head = h[0]; head < h[1]; head++)
      for (let row = i[0]; row < i[1]; row++)
        for (let column = j[0]; column < j[1]; column++) cells.add((head * R + row) * C + column);
  return [...cells].sort((a, b) => a - b);
}

for (const changes of [{}, { G: 1 }, { S: 4 }, { S: 4, G: 1, causal: true }, { S: 2, causal: true }, { causal: true }])
  test(`the cells that are linked are those that change together: ${JSON.stringify(changes)}`, () => {
    const state = { ...settings, B: 1, H: 2, L: 3, D: 2, ...changes };
    const names = tensorsOf(state);
    const still = layerWith(state);
    /** @type {Record<string, Record<string, number[]>[]>} for every cell of every tensor the cells that change with it */
    const felt = {};
    for (const name of names)
      felt[name] = [...still[name]].map((_, at) => {
        const moved = layerWith(state, name, at);
        return Object.fromEntries(
          names.map((one) => [one, range(still[one].length).filter((n) => !Object.is(moved[one][n], still[one][n]))]),
        );
      });
    for (const name of names) {
      const sheets = sheetsOf(name, state);
      felt[name].forEach((changed, at) => {
        const { R, C } = sheets;
        const found = linked(state, name, [0, Math.floor(at / (R * C)), Math.floor(at / C) % R, at % C]);
        for (const other of names) {
          if (other === name) continue;
          const causes = felt[other].flatMap((one, n) => (one[name].includes(at) ? [n] : []));
          const wanted = names.indexOf(other) > names.indexOf(name) && stageOf(other) > stageOf(name) ? changed[other] : causes;
          assert.deepEqual(cellsIn(found[other], sheetsOf(other, state)), wanted, `${name} ${at}: ${other}`);
        }
        assert.deepEqual(cellsIn(found[name], sheets), [at]);
      });
    }
  });

test("a score is linked with its query, its key, its row of weights, and the row of y", () => {
  const found = linked(settings, "scores", [0, 1, 4, 5]);
  assert.deepEqual(found.q, [{ h: [1, 2], i: [4, 5], j: [0, 4] }]);
  assert.deepEqual(found.k, [{ h: [1, 2], i: [5, 6], j: [0, 4] }]);
  assert.deepEqual(found.kT, [{ h: [1, 2], i: [0, 4], j: [5, 6] }]);
  assert.deepEqual(found.x, [{ h: [0, 1], i: [4, 6], j: [0, 12] }]); // rows 4 and 5
  assert.deepEqual(found.weights, [{ h: [1, 2], i: [4, 5], j: [0, 7] }]);
  assert.deepEqual(found.concat, [{ h: [0, 1], i: [4, 5], j: [4, 8] }]);
  assert.deepEqual(found.y, [{ h: [0, 1], i: [4, 5], j: [0, 12] }]);
  assert.deepEqual(found.v, []);
});

test("a pinned cell stays inside the sizes", () => {
  assert.deepEqual(clamped({ ...settings, H: 1 }, "scores", [1, 2, 4, 5]), [1, 0, 4, 5]);
  assert.deepEqual(clamped({ ...settings, B: 1, L: 3 }, "scores", [1, 2, 4, 5]), [0, 2, 2, 2]);
  assert.deepEqual(clamped(settings, "y", [1, 2, 4, 50]), [1, 0, 4, 11]);
});

// Stages ---------------------------------------------------------------------------------------------------------------------

test("every tensor arises in one stage, and every stage but the first is reached by an act", () => {
  const names = STAGES.flat();
  assert.equal(new Set(names).size, names.length);
  assert.equal(ACTS.length, LAST);
  assert.deepEqual(
    names.map(stageOf),
    STAGES.flatMap((some, n) => some.map(() => n)),
  );
});

test("the axes that come and go lead from those of x over those of the scores back to those of x", () => {
  const seen = [new Set(["B", "L", "D"])];
  for (const { gone, come } of CHANGES) {
    const axes = new Set(seen.at(-1));
    for (const axis of gone) assert.ok(axes.delete(axis), `${axis} goes and was not there`);
    for (const axis of come) axes.add(axis);
    seen.push(axes);
  }
  const after = (act) => [...seen[ACTS.indexOf(act) + 1]].sort().join("");
  assert.deepEqual([after("split"), after("q · kᵀ"), after("· v"), after("W_O")], ["BDHL", "BHLS", "BDHL", "BDL"]);
});

test("the projections give the last axis of x another name, and W_O gives it back", () => {
  const renamed = CHANGES.flatMap((one, n) => (one.renamed ? [[ACTS[n], one.renamed]] : []));
  assert.deepEqual(renamed, [
    ["project", "E→H·D"],
    ["W_O", "H·D→E"],
  ]);
  assert.equal(shapeNow("x", settings)[2], shapeNow("q_flat", settings)[2]);
});

test("an act that changes the axes is slower than the others, and every act has its time", () => {
  assert.equal(SECONDS.length, ACTS.length);
  const changing = SECONDS.filter((_, n) => CHANGES[n].gone.length + CHANGES[n].come.length);
  assert.ok(Math.min(...changing) > Math.max(...SECONDS.filter((seconds) => !changing.includes(seconds))));
});

test("who looks at a tensor of keys sees that of the next stage", () => {
  assert.deepEqual(
    [tensorIn(2, "k_flat"), tensorIn(3, "k"), tensorIn(4, "kT"), tensorIn(1, "x"), tensorIn(2, "v"), tensorIn(2, "kT")],
    ["k", "kT", "scores", "q_flat", "v", "q"],
  );
});

test("a tensor has arrived when its stage is reached, and is on its way before", () => {
  assert.deepEqual([wayTo(3, 2), wayTo(3, 3), wayTo(3, 9), wayTo(0, 0)], [0, 1, 1, 1]);
  assert.ok(wayTo(3, 2.4) > 0 && wayTo(3, 2.4) < 1);
});

test("the number at a place of a sheet is that of the tensor, and kT has k turned over", () => {
  const results = compute(settings);
  const sheets = sheetsOf("weights", settings);
  assert.equal(valueAt(sheets, results.weights, [1, 2, 3, 4]), results.weights[((1 * 3 + 2) * 7 + 3) * 7 + 4]);
  const turned = sheetsOf("kT", settings);
  assert.deepEqual([turned.R, turned.C], [4, 7]);
  assert.equal(valueAt(turned, results.k, [1, 2, 3, 4]), results.k[((1 * 3 + 2) * 7 + 4) * 4 + 3]);
});

// Places ---------------------------------------------------------------------------------------------------------------------

const overlap = (a, b) => a.x < b.x + b.w - 0.01 && b.x < a.x + a.w - 0.01 && a.y < b.y + b.h - 0.01 && b.y < a.y + a.h - 0.01;

for (const [width, tall] of [
  [902, 280],
  [704, 280],
])
  for (const changes of [
    {},
    { H: 8, L: 24, D: 16, B: 4 },
    { S: 24, H: 8, G: 2, D: 16 },
    { B: 1, H: 1, L: 1, D: 1 },
    { L: 64, D: 64, H: 8, B: 4 },
    { H: 6, L: 14, D: 2 },
  ])
    test(`the map has room for every tensor, and none covers another: ${width} ${JSON.stringify(changes)}`, () => {
      const state = { ...settings, ...changes };
      const { tensors, p, height } = mapPlan(state, width, tall, "x");
      assert.deepEqual(Object.keys(tensors).sort(), tensorsOf(state).sort());
      const all = Object.values(tensors);
      for (const { all: box, boxes, heads, R, C } of all) {
        assert.ok(box.x >= 0 && box.x + box.w <= width && box.y >= 0 && box.y + box.h <= height, JSON.stringify(box));
        assert.equal(boxes.length, heads);
        for (const { w, h } of boxes) assert.ok(Math.abs(w - C * p) < 1e-9 && Math.abs(h - R * p) < 1e-9, "to scale");
      }
      const boxes = all.flatMap((one) => one.boxes);
      boxes.forEach((a, n) => {
        boxes.slice(n + 1).forEach((b) => assert.ok(!overlap(a, b)));
      });
      const sizes = (/** @type {any} */ { name, sized }) => (sized ? 6.1 * shapeNow(name, state).join(" ").length : 0);
      for (const names of [
        ["q_flat", "q"],
        ["k_flat", "k", "kT"],
        ["heads", "concat", "y"],
        ["scores", "scaled"],
        ["weights", "masked"],
      ]) {
        const row = names.map((name) => tensors[name]);
        for (const [n, one] of row.slice(1).entries())
          assert.ok(one.all.x - row[n].all.x >= 6.5 * names[n].length + sizes(row[n]), `${names[n]} is written over ${one.name}`);
      }
      assert.ok(tensors.scores.sized);
      if (width > 800 && state.L <= 14 && state.S === null)
        assert.ok(
          all.every((one) => one.sized),
          "there is room for all sizes",
        );
    });

test("sheets that change their sizes go from the old places to the new ones, and heads come out of the heads they divide", () => {
  const three = mapPlan(settings, 902, 280, "x").tensors;
  const six = mapPlan({ ...settings, H: 6, D: 2 }, 902, 280, "x").tensors;
  const same = (/** @type {any[]} */ found, /** @type {any[]} */ wanted) =>
    found.forEach(({ x, y, w, h }, n) => {
      const { x: left, y: top, w: wide, h: high } = wanted[n];
      assert.ok(Math.abs(x - left) + Math.abs(y - top) + Math.abs(w - wide) + Math.abs(h - high) < 1e-9);
    });
  for (const [a, b] of [
    [three.q, six.q],
    [six.q, three.q],
    [three.kT, six.kT],
    [three.x, six.x],
  ]) {
    const end = resized(a, b, 1);
    same(end.boxes, b.boxes);
    assert.deepEqual(end.cell, { w: b.boxes[0].w / b.C, h: b.boxes[0].h / b.R });
    assert.deepEqual(resized(a, b, 0).cell, { w: a.boxes[0].w / a.C, h: a.boxes[0].h / a.R });
  }
  same(resized(three.x, six.x, 0).boxes, three.x.boxes);
  const halves = three.q.boxes.flatMap(({ x, y, w, h }) => [
    { x, y, w: w / 2, h },
    { x: x + w / 2, y, w: w / 2, h },
  ]);
  same(resized(three.q, six.q, 0).boxes, halves);
  same(resized({ ...six.q, boxes: halves }, three.q, 0).boxes, three.q.boxes);
});

for (const changes of [
  {},
  { H: 1, D: 12 },
  { H: 6, D: 2 },
  { L: 14 },
  { S: 9 },
  { S: 24, H: 8, G: 2, D: 16 },
  { H: 8, L: 24, D: 16, B: 4 },
  { L: 64, D: 64, H: 8, B: 4 },
])
  for (const width of [330, 358])
    test(`on a phone the map is a tensor after those it is made from, joined by an arrow: ${width} ${JSON.stringify(changes)}`, () => {
      const state = { ...settings, ...changes };
      for (const name of tensorsOf(state)) {
        const plan = mapPlan(state, width, 102, name);
        assert.deepEqual(Object.keys(plan.tensors), [...sourcesOf(name, state), name]);
        const all = Object.values(plan.tensors);
        for (const { all: box, boxes, heads, R, C, label, behind } of all) {
          assert.equal(boxes.length, heads);
          for (const { w, h } of boxes) assert.ok(Math.abs(w - C * plan.p) < 1e-9 && Math.abs(h - R * plan.p) < 1e-9, "to scale");
          assert.ok(box.y >= 20 + 2.5 * behind - 1e-9 && box.y + box.h <= 82 + 1e-9, `${name}: no room for names`);
          assert.ok(box.x + Math.max(box.w, label - 6) <= width, `${name}: ${box.x} ${box.w} ${label}`);
        }
        for (const [n, one] of all.slice(1).entries())
          assert.ok(
            one.all.x - 5 >= all[n].all.x + Math.max(all[n].label - 6, all[n].all.w),
            `${all[n].name} lies under ${one.name}`,
          );
        if (width > 340 && plan.p > 3.5) assert.ok(all.every(({ sized }) => sized));
        /** @type {number[][]} */
        const points = [];
        /** @type {string[]} */
        const texts = [];
        const point = (/** @type {number} */ ...at) => points.push(at);
        const pen = {
          ...{ moveTo: point, lineTo: point, fillText: (/** @type {string} */ text) => texts.push(text) },
          measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }),
          ...{ beginPath() {}, stroke() {}, fill() {}, strokeText() {} },
        };
        arrows(/** @type {any} */ (pen), plan, /** @type {any} */ ({ palette: { ink: "black" }, state, t: 1 }), () => 1);
        const [from, to] = all.slice(-2);
        if (!to) assert.deepEqual([points, texts], [[], []]);
        else {
          assert.ok(points[0][0] > from.all.x + from.all.w && points[1][0] < to.all.x && points[1][0] - points[0][0] > 10);
          assert.equal(points[1][1], to.all.y + to.all.h / 2);
        }
        if (name === "scores") assert.deepEqual(texts, ["q · kᵀ", "−D", "+S"]);
        if (name === "k_flat") assert.deepEqual(texts, ["W_K"]);
      }
    });

test("a phone shows a step at a size that can be read", () => {
  for (const [changes, least] of /** @type {const} */ ([
    [{}, 4],
    [{ H: 1, D: 12 }, 4],
    [{ H: 6, D: 2 }, 3.5],
    [{ L: 14 }, 2],
  ])) {
    const state = { ...settings, ...changes };
    for (const name of tensorsOf(state)) assert.ok(mapPlan(state, 358, 102, name).p >= least, `${name} ${JSON.stringify(changes)}`);
  }
});

for (const width of [704, 760, 902, 1052])
  for (const changes of [{}, { H: 1, D: 12 }, { H: 6, D: 2 }, { L: 14 }, { S: 9 }, { H: 8, L: 24, D: 16, B: 4 }])
    test(`every arrow points at its tensor, and W_Q, W_K and W_V have a place of their own: ${width} ${JSON.stringify(changes)}`, () => {
      const state = { ...settings, ...changes };
      const plan = mapPlan(state, width, 280, "x");
      const { x, context, q_flat, k_flat, v_flat, q, kT, scores, heads, concat, y } = plan.tensors;
      /** @type {number[][][]} */
      const lines = [];
      /** @type {Record<string, number>} */
      const texts = {};
      const pen = {
        beginPath: () => lines.push([]),
        moveTo: (/** @type {number} */ ...at) => lines.at(-1)?.push(at),
        lineTo: (/** @type {number} */ ...at) => lines.at(-1)?.push(at),
        fillText: (/** @type {string} */ text, /** @type {number} */ left) => Object.assign(texts, { [text]: left }),
        measureText: (/** @type {string} */ text) => ({ width: 8 * text.length }),
        ...{ stroke() {}, fill() {}, strokeText() {} },
      };
      arrows(/** @type {any} */ (pen), plan, /** @type {any} */ ({ palette: { ink: "black" }, state, t: 1 }), () => 1);
      const gone = (/** @type {any} */ to) =>
        lines.filter((one) => one.length > 1 && one.at(-1)?.[0] === to.all.x - 13 && one.at(-1)?.[1] === to.all.y + to.all.h / 2);
      for (const to of [q_flat, k_flat, v_flat]) {
        const [[from, , bend, end]] = gone(to);
        assert.ok(from[0] > (to === q_flat || !context ? x : context).all.x && bend[0] < end[0], `${to.name}: ${bend} to ${end}`);
        const left = texts[`W_${to.name[0].toUpperCase()}`];
        assert.ok(left > bend[0] + 1 && left + 24 < to.all.x - 7, `${bend} ${left} ${to.all.x}`);
      }
      for (const to of [q, kT, scores]) assert.ok(gone(to).every((one) => one[0][0] < (one.at(-1)?.[0] ?? 0)));
      for (const [from, to] of [
        [heads, concat],
        [concat, y],
      ])
        assert.ok(from.all.x + from.all.w + from.behind * 2.5 + 3 < to.all.x - 13, `${from.name} to ${to.name}`);
      assert.ok(Object.values(plan.tensors).every(({ all }) => all.x + all.w <= width));
    });

test("each arrow is as strong as the stage that it leads to", () => {
  const plan = mapPlan(settings, 902, 280, "x");
  const wanted = { W_Q: 1, W_K: 1, W_V: 1, "q · kᵀ": 4, "÷ √D": 5, "no mask": 6, softmax: 7, W_O: 10 };
  /** @type {Record<string, number>} */
  const found = {};
  const pen = {
    globalAlpha: 0,
    fillText: (/** @type {string} */ text) => Object.assign(found, { [text]: pen.globalAlpha }),
    measureText: (/** @type {string} */ text) => ({ width: text.length }),
    ...{ beginPath() {}, moveTo() {}, lineTo() {}, stroke() {}, fill() {}, strokeText() {} },
  };
  const scene = /** @type {any} */ ({ palette: { ink: "black" }, state: settings, t: 0 });
  arrows(/** @type {any} */ (pen), plan, scene, (stage) => stage);
  for (const [name, stage] of Object.entries(wanted)) assert.equal(found[name], stage, name);
});

test("the heads of kᵀ lie below each other where that makes the map larger", () => {
  const { kT, k, q, scores } = mapPlan(settings, 902, 280, "x").tensors;
  assert.equal(new Set(kT.boxes.map(({ x }) => x)).size, 1);
  assert.ok(kT.all.y > q.all.y + q.all.h / 2 + 10, "its name stands below the arrow of q");
  assert.ok(k.boxes[0].w >= 20 && scores.boxes[0].h >= 35, "a number is at least 5 pixels large");
});

test("the large tensor stays in its room, and a point in a cell finds the cell", () => {
  for (const changes of [{}, { H: 8, L: 24, D: 16 }, { H: 1, L: 1, D: 1 }])
    for (const name of ["x", "q", "kT", "weights"]) {
      const state = { ...settings, ...changes };
      const sheets = sheetsOf(name, state);
      const words = { rows: range(sheets.R).map(() => "yesterday"), columns: range(sheets.C).map(() => "yesterday") };
      const plan = largePlan(sheets, words, 336, 372);
      for (const box of plan.boxes)
        assert.ok(box.x >= 0 && box.x + box.w <= 337 && box.y + box.h <= 373, `${name} ${JSON.stringify(changes)}`);
      const [h, i, j] = [sheets.heads - 1, sheets.R - 1, 0];
      const { x, y } = plan.boxes[h];
      assert.deepEqual(cellUnder(plan, sheets, x + (j + 0.5) * plan.w, y + (i + 0.5) * plan.h), [h, i, j]);
      assert.equal(cellUnder(plan, sheets, x - 2, y), null);
    }
});

test("on a phone three heads stay side by side, also over another sentence", () => {
  const sheets = sheetsOf("weights", { ...settings, S: 9, G: 1 });
  const plan = largePlan(sheets, { rows: range(7).map(() => "yesterday"), columns: range(9).map(() => "yesterday") }, 358, 186);
  assert.equal(new Set(plan.boxes.map(({ y }) => y)).size, 1);
});

test("the large tensor has words on both sides, or indices on both", () => {
  for (const [H, L, width, tall, named] of /** @type {const} */ ([
    [3, 7, 340, 318, true],
    [6, 7, 340, 318, true],
    [3, 14, 340, 318, false],
    [3, 14, 358, 186, false],
  ])) {
    const sheets = sheetsOf("scores", { ...settings, H, L });
    const words = texts[0].split(" ").slice(0, L);
    const plan = largePlan(sheets, { rows: words, columns: words }, width, tall);
    assert.equal(plan.named, named, `${L} words`);
    assert.ok(!named || (plan.h >= 11 && plan.w >= 11), "words beside rows do not touch");
  }
});

// Words ----------------------------------------------------------------------------------------------------------------------

test("a change is told with the shapes that it gives, and with those it leaves", () => {
  const wide = { ...settings, H: 1, D: 12 };
  assert.equal(
    changeWords(settings, wide),
    "{H} = 1 and {D} = 12: scores are one matrix per sentence, (2, 1, 7, 7). x and y keep their shape, (2, 7, 12).",
  );
  assert.equal(
    changeWords(settings, { ...settings, L: 14 }),
    "{L} = 14: q has 336 instead of 168 numbers, scores 1,176 instead of 294: a row and a column for each word. x and y are (2, 14, 12).",
  );
  assert.equal(changeWords(settings, settings), "");
  const other = { ...settings, S: 9 };
  assert.match(changeWords(other, { ...other, L: 8 }), /q has 192 instead of 168 numbers, scores 432 instead of 378/);
  assert.match(changeWords(settings, { ...settings, causal: true }), /No shape has changed/);
});

test("each told shape is that of the tensor, for every step and for every size that changes", () => {
  for (const changes of [{}, { S: 9 }, { G: 1 }, { H: 6, D: 2, G: 3, S: 5, causal: true, scale: false }]) {
    const state = { ...settings, ...changes };
    const shapes = new Set(tensorsOf(state).map((name) => `(${shapeNow(name, state).join(", ")})`));
    for (const name of tensorsOf(state)) {
      const text = arrival(name, state);
      assert.ok(text.includes(`(${shapeNow(name, state).join(", ")})`), text);
      for (const [shape] of text.matchAll(/\(\d[\d, ]*\)/g)) assert.ok(shapes.has(shape), `${text}: ${shape}`);
    }
    for (const [axis, size] of Object.entries({ B: 3, H: 6, L: 8, S: 11, D: 5, G: 1 })) {
      const next = { ...state, [axis]: size };
      if (state[axis] === size || next.H % (next.G ?? 1)) continue;
      const text = changeWords(state, next);
      const now = new Set(tensorsOf(next).map((name) => `(${shapeNow(name, next).join(", ")})`));
      for (const [shape] of text.matchAll(/\(\d[\d, ]*\)/g)) assert.ok(now.has(shape), `${text}: ${shape}`);
    }
  }
});

test("an axis that goes has been in the tensor before, and one that comes is there afterwards", () => {
  assert.match(arrival("scores", settings), /\{D\} is gone, \{S\} has come/);
  assert.match(arrival("heads", settings), /\{S\} is added up and gone, \{D\} is back/);
  assert.equal(product(shapeNow("q", settings)), product(shapeNow("q_flat", settings)));
});
