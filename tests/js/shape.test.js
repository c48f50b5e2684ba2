import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../src/attn/labs/kit/inputs.js";
import { EXAMPLES } from "../../src/attn/labs/kit/language.js";
import { sizesOf } from "../../src/attn/labs/kit/layer.js";
import { product, range } from "../../src/attn/labs/kit/math.js";
import * as tensor from "../../src/attn/labs/kit/tensor.js";
import { arrows } from "../../src/attn/labs/shape/joins.js";
import { cellUnder, largePlan } from "../../src/attn/labs/shape/largeplan.js";
import { clamped, linked } from "../../src/attn/labs/shape/links.js";
import { compute } from "../../src/attn/labs/shape/model.js";
import { resized } from "../../src/attn/labs/shape/paint.js";
import { mapPlan } from "../../src/attn/labs/shape/plan.js";
import {
  ACTS,
  actNow,
  CHANGES,
  LAST,
  SECONDS,
  STAGES,
  shapeNow,
  sheetsOf,
  signsOf,
  sourcesOf,
  stageOf,
  tensorIn,
  tensorsOf,
  usualWords,
  valueAt,
  wayTo,
} from "../../src/attn/labs/shape/stages.js";
import { scoreAt } from "../../src/attn/labs/shape/travel.js";
import { arrival, changeWords, passing } from "../../src/attn/labs/shape/words.js";

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

test("the way takes twelve seconds: more than one for each change of an axis, two for a sum, and less for no change", () => {
  assert.equal(SECONDS.length, ACTS.length);
  assert.ok(Math.abs(SECONDS.reduce((sum, seconds) => sum + seconds) - 12) < 1e-9);
  for (const [n, { renamed, gone, come }] of CHANGES.entries()) {
    const least = gone.length && come.length ? 2 : 1;
    if (renamed || gone.length || come.length) assert.ok(SECONDS[n] > least, `${ACTS[n]} is too short`);
    else assert.ok(SECONDS[n] <= 0.7, `${ACTS[n]} is not short`);
  }
});

test("while the way plays, a few words tell which axes go and come; steps in one shape have the same words", () => {
  assert.deepEqual(
    STAGES.map(([name]) => passing(name, settings)),
    [
      ...["", "{E} becomes {H}·{D}: (2, 7, 12). In k and v, the same words are called {S}."],
      ...["{H} comes: (2, 3, 7, 4).", "No axis comes or goes: (2, 3, 4, 7)."],
      "{D} goes and {S} comes: (2, 3, 7, 7).",
      ...range(3).map(() => "No axis comes or goes: (2, 3, 7, 7)."),
      ...["{S} goes and {D} comes: (2, 3, 7, 4).", "{H} goes: (2, 7, 12).", "{H}·{D} becomes {E}: (2, 7, 12)."],
    ],
  );
});

test("where there is no mask, the step of the mask says so, and its tensor is that before it", () => {
  assert.deepEqual([actNow("mask", settings), actNow("mask", { ...settings, causal: true })], ["mask: none", "mask"]);
  assert.match(arrival("masked", settings), /^No mask is set, so masked = scaled/);
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

const LABEL = 34; // above a tensor: its name and its axes
const SIZES = [
  {},
  { H: 1, D: 12 },
  { H: 6, L: 14, D: 2 },
  { L: 14 },
  { S: 9 },
  { S: 24, H: 8, G: 2, D: 16 },
  { H: 8, L: 24, D: 16, B: 4 },
  { B: 1, H: 1, L: 1, D: 1 },
  { L: 64, D: 64, H: 8, B: 4 },
];
const WHOLE = /** @type {const} */ ([
  [902, 283],
  [734, 234],
  [1064, 283],
]);

for (const [width, tall] of WHOLE)
  for (const changes of SIZES)
    test(`the map has a column for each stage, and room for every tensor and its name: ${width} ${JSON.stringify(changes)}`, () => {
      const state = { ...settings, ...changes };
      const { tensors, height } = mapPlan(state, width, tall, "x");
      assert.deepEqual(Object.keys(tensors).sort(), tensorsOf(state).sort());
      const all = Object.values(tensors);
      const [p, q] = [tensors.x.all.w / tensors.x.C, tensors.x.all.h / tensors.x.R]; // of a number, and of a word
      const long = (/** @type {string} */ axis) => (axis === "L" || axis === "S" ? q : p);
      for (const { name, all: box, boxes, heads, R, C, rowAxis, columnAxis, behind } of all) {
        assert.ok(box.y - 2.5 * behind >= LABEL - 1e-9 && box.y + box.h <= height, `${name} ${JSON.stringify(box)}`);
        assert.ok(Math.abs(box.x + box.w / 2 - ((stageOf(name) + 0.5) * width) / 11) < 1e-9, `${name}: not in its column`);
        assert.ok(box.w + 2.5 * behind <= width / 11 - 12, `${name}: no room for an arrow`);
        assert.equal(boxes.length, heads);
        for (const { w, h } of boxes)
          assert.ok(Math.abs(w - C * long(columnAxis)) < 1e-9 && Math.abs(h - R * long(rowAxis)) < 1e-9, `${name}: not to scale`);
      }
      const boxes = all.flatMap((one) => one.boxes);
      boxes.forEach((a, n) => {
        boxes.slice(n + 1).forEach((b) => assert.ok(!overlap(a, b)));
      });
      const withNames = all.map(({ all: { x, y, w, h }, behind }) => {
        const above = LABEL + 2.5 * behind;
        return { x, y: y - above, w: w + 2.5 * behind, h: h + above + 2 };
      });
      withNames.forEach((a, n) => {
        withNames.slice(n + 1).forEach((b, m) => assert.ok(!overlap(a, b), `${all[n].name} ${all[n + 1 + m].name}`));
      });
    });

test("sheets that change their sizes go from the old places to the new ones, and heads come out of the heads they divide", () => {
  const three = mapPlan(settings, 902, 283, "x").tensors;
  const six = mapPlan({ ...settings, H: 6, D: 2 }, 902, 283, "x").tensors;
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
        const plan = mapPlan(state, width, 130, name);
        assert.deepEqual(Object.keys(plan.tensors), name === "x" ? ["x", "y"] : [...sourcesOf(name, state), name]);
        const all = Object.values(plan.tensors);
        for (const { all: box, boxes, heads, R, C, label, behind } of all) {
          assert.equal(boxes.length, heads);
          for (const { w, h } of boxes) assert.ok(Math.abs(w - C * plan.p) < 1e-9 && Math.abs(h - R * plan.p) < 1e-9, "to scale");
          assert.ok(box.y >= 20 + 2.5 * behind - 1e-9 && box.y + box.h <= 110 + 1e-9, `${name}: no room for names`);
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
          assert.ok(
            points.every(([, y]) => Math.abs(y - to.all.y - to.all.h / 2) <= 3.1),
            "level, but for its head",
          );
        }
        if (name === "scores") assert.deepEqual(texts, ["q · kᵀ", "−D", "+S"]);
        if (name === "k_flat") assert.deepEqual(texts, ["W_K"]);
        if (name === "k") assert.deepEqual(texts, ["split", changes.G ? "+G" : "+H"]);
        const edge = Math.max(...all.map(({ all: box }) => box.x + box.w + 2.5 * (state.B - 1)));
        assert.ok(edge <= width - 4 + 1e-9, "the frame of the last tensor is cut");
      }
    });

test("a phone shows a step at a size that can be read", () => {
  for (const [changes, least] of /** @type {const} */ ([
    [{}, 5.2],
    [{ H: 1, D: 12 }, 7],
    [{ H: 6, D: 2 }, 5.2],
    [{ L: 14 }, 2.3],
  ])) {
    const state = { ...settings, ...changes };
    for (const name of tensorsOf(state)) assert.ok(mapPlan(state, 358, 130, name).p >= least, `${name} ${JSON.stringify(changes)}`);
  }
});

for (const [width, tall] of WHOLE)
  for (const changes of SIZES)
    test(`an arrow leads from each tensor to those that are made from it, and crosses none: ${width} ${JSON.stringify(changes)}`, () => {
      const state = { ...settings, ...changes };
      const plan = mapPlan(state, width, tall, "x");
      /** @type {number[][][]} */
      const lines = [];
      const pen = {
        beginPath: () => lines.push([]),
        moveTo: (/** @type {number} */ ...at) => lines.at(-1)?.push(at),
        lineTo: (/** @type {number} */ ...at) => lines.at(-1)?.push(at),
        ...{ stroke() {}, fill() {} },
      };
      arrows(/** @type {any} */ (pen), plan, /** @type {any} */ ({ palette: { ink: "black" }, state }), () => 1);
      const all = Object.values(plan.tensors);
      const wanted = all.flatMap(({ name }) => sourcesOf(name, state).map((from) => [from, name]));
      const found = lines.filter((one) => one.length === 4);
      assert.equal(found.length, wanted.length);
      for (const [n, [from, to]] of wanted.entries()) {
        const [a, b] = [plan.tensors[from].all, plan.tensors[to].all];
        const [start, , , end] = found[n];
        assert.ok(start[0] > a.x + a.w && start[0] < a.x + a.w + 12 && start[1] === a.y + a.h / 2, `it begins at ${from}`);
        assert.ok(end[0] < b.x && end[0] > b.x - 8 && end[1] === b.y + b.h / 2, `it ends at ${to}`);
        for (const [m, [x, y]] of found[n].slice(1).entries()) {
          const [left, top] = found[n][m];
          assert.ok(x === left || y === top, "upright or level");
          assert.ok(x >= left || m === 0, `${from} to ${to} goes back`);
          const line = { x: Math.min(x, left), y: Math.min(y, top), w: Math.abs(x - left), h: Math.abs(y - top) };
          const one = all.find(({ all: box }) => overlap({ ...line, w: line.w + 0.1, h: line.h + 0.1 }, box));
          assert.ok(!one, `${from} to ${to} crosses ${one?.name}`);
        }
      }
    });

test("while sizes change, the cells of a head fill it: nothing is empty in its frame", () => {
  const wide = { ...settings, H: 1, D: 12 };
  for (const [from, to] of [
    [settings, wide],
    [{ ...settings, H: 6, D: 2, L: 14 }, wide],
    [{ ...settings, L: 14, D: 7 }, settings],
  ]) {
    const [a, b] = [from, to].map((state) => mapPlan(state, 902, 283, "x").tensors);
    for (const name of tensorsOf(to))
      for (const n of [0, 0.2, 0.5, 0.8, 1]) {
        const { boxes, cell } = resized(a[name], b[name], n);
        for (const { w, h } of boxes)
          assert.ok(w <= b[name].C * cell.w + 1e-9 && h <= b[name].R * cell.h + 1e-9, `${name} at ${n}: ${w} × ${h}`);
      }
  }
  const [three, one] = [settings, wide].map((state) => mapPlan(state, 902, 283, "x").tensors.scores);
  const [start] = resized(three, one, 0).boxes;
  assert.ok(Math.abs(start.y - three.boxes[1].y) < 1e-9, "one head comes out of the middle of three");
});

test("each arrow is as strong as the tensor that it leads to", () => {
  const plan = mapPlan(settings, 902, 283, "x");
  /** @type {number[]} */
  const found = [];
  const pen = {
    globalAlpha: 0,
    stroke: () => found.push(pen.globalAlpha),
    ...{ beginPath() {}, moveTo() {}, lineTo() {}, fill() {} },
  };
  arrows(/** @type {any} */ (pen), plan, /** @type {any} */ ({ palette: { ink: "black" }, state: settings }), stageOf);
  assert.deepEqual(found, [1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10]);
});

test("on a laptop a number is 5 pixels wide and a word 7.3 high, and the heads of the scores lie below each other", () => {
  const { kT, q, scores, weights, x } = mapPlan(settings, 902, 283, "x").tensors;
  for (const one of [kT, scores, weights]) assert.equal(new Set(one.boxes.map((box) => box.x)).size, 1, one.name);
  assert.equal(new Set(q.boxes.map((box) => box.y)).size, 1);
  assert.ok(x.all.w >= 5 * 12 && x.all.h >= 7.3 * 7);
});

test("a sentence of one or two words has rows that can be seen", () => {
  for (const L of [1, 2]) {
    const { x, scores } = mapPlan({ ...settings, L }, 902, 283, "x").tensors;
    assert.ok(x.all.h >= 25 && scores.boxes[0].w >= 25, `${L}: ${x.all.h} ${scores.boxes[0].w}`);
  }
});

test("where many columns leave little width for a number, it is as high as there is room", () => {
  for (const changes of [{ D: 13 }, { D: 16 }, { H: 1, D: 12 }, { H: 6, D: 2 }, { L: 14 }]) {
    const { x, q } = mapPlan({ ...settings, ...changes }, 902, 283, "x").tensors;
    for (const { name, all } of [x, q])
      assert.ok(all.h >= 26 && all.w >= 50, `${name} ${JSON.stringify(changes)}: ${all.w} × ${all.h}`);
  }
});

test("the scores are made row after row, from nothing to all of them", () => {
  const found = range(21).map((n) => scoreAt(n / 20, 49));
  assert.deepEqual([found[0], found[6], found[20]], [0, 0, 49]);
  assert.ok(found.slice(8).every((at, n) => at > found[n + 7]));
});

test("k and v have heads of their own name where they share them", () => {
  const shared = { ...settings, G: 1 };
  assert.deepEqual(
    ["q_flat", "k_flat", "q", "v"].map((name) => passing(name, shared)),
    [
      "{E} becomes {H}·{D}: (2, 7, 12). In k and v, the same words are called {S}.",
      "{E} becomes {G}·{D}: (2, 7, 4). In k and v, the same words are called {S}.",
      "{H} comes: (2, 3, 7, 4).",
      "{G} comes: (2, 1, 7, 4).",
    ],
  );
  assert.equal(passing("k_flat", { ...settings, S: 9 }), "{E} becomes {H}·{D}: (2, 9, 12).");
});

test("the axes that an act takes away and brings are written with it", () => {
  assert.deepEqual(range(LAST).map(signsOf), [
    ...["{E}→{H}·{D}", "+{H}", "", "−{D} +{S}", "", "", "", "−{S} +{D}", "−{H}", "{H}·{D}→{E}"],
  ]);
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

test("a cell of two words is square, and where its words have no room below each other, a key names them", () => {
  const words = texts[0].split(" ");
  for (const [H, L, key] of /** @type {const} */ ([
    [1, 7, false],
    [3, 7, false],
    [6, 7, true],
    [3, 14, false],
  ]))
    for (const [width, tall] of [
      [372, 150],
      [358, 188],
    ]) {
      const rows = words.slice(0, L);
      const plan = largePlan(sheetsOf("weights", { ...settings, H, L }), { rows, columns: rows }, width, tall, 1);
      assert.equal(plan.w, plan.h);
      assert.equal(plan.key, key ? rows.map((word, n) => `${n} ${word}`).join("  ") : "", `${H} heads, ${L} words`);
      assert.ok(plan.height <= tall + 3 && Math.max(...plan.boxes.map(({ x, w }) => x + w)) + 2.5 <= width, "there is no room");
    }
});

test("more words than a sentence has are seen by the outline of those that it has", () => {
  const longer = { ...settings, L: 14 };
  assert.deepEqual(
    [usualWords("scores", settings), usualWords("scores", longer), usualWords("weights", longer), usualWords("q", longer)],
    [0, 7, 7, 0],
  );
  assert.equal(usualWords("scores", { ...longer, S: 9 }), 0);
});

test("on a phone three heads stay side by side, also over another sentence", () => {
  const sheets = sheetsOf("weights", { ...settings, S: 9, G: 1 });
  const plan = largePlan(sheets, { rows: range(7).map(() => "yesterday"), columns: range(9).map(() => "yesterday") }, 358, 186);
  assert.equal(new Set(plan.boxes.map(({ y }) => y)).size, 1);
});

test("rows of many numbers keep their words: of the indices above the columns some are left out", () => {
  for (const D of [4, 10]) {
    const sheets = sheetsOf("x", { ...settings, D });
    const plan = largePlan(sheets, { rows: texts[0].split(" ").slice(0, 7), columns: range(3 * D).map(String) }, 372, 136, 1);
    assert.deepEqual([plan.named, plan.upright], [true, false], `D = ${D}`);
  }
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
    "{H} 3 → 1 and {D} 4 → 12: scores are one matrix per sentence, 294 → 98 numbers. x and y keep their shape, (2, 7, 12).",
  );
  assert.equal(
    changeWords(settings, { ...settings, L: 14 }),
    "{L} 7 → 14: q has 168 → 336 numbers, scores 294 → 1,176: a row and a column per word. x and y are (2, 14, 12).",
  );
  assert.equal(
    changeWords(settings, { ...settings, H: 7 }),
    "{H} 3 → 7: scores are 7 matrices per sentence, 294 → 686 numbers. {E} = {H} · {D} = 28: x and y are (2, 7, 28).",
  );
  assert.equal(
    changeWords(settings, { ...settings, H: 7, L: 1 }),
    "{H} 3 → 7 and {L} 7 → 1: q has 168 → 56 numbers, scores 294 → 14: a row and a column per word. {E} = {H} · {D} = 28: x and y are (2, 1, 28).",
  );
  assert.match(
    changeWords(settings, { ...settings, H: 6, L: 14, D: 2 }),
    /^\{H\} 3 → 6, \{L\} 7 → 14 and \{D\} 4 → 2: .* x and y are \(2, 14, 12\)/,
  );
  assert.match(
    changeWords(settings, { ...settings, B: 3, D: 5 }),
    /scores have no \{D\}.* \{E\} = \{H\} · \{D\} = 15: x and y are \(3, 7, 15\)/,
  );
  assert.equal(changeWords(settings, settings), "");
  const other = { ...settings, S: 9 };
  assert.match(changeWords(other, { ...other, L: 8 }), /q has 168 → 192 numbers, scores 378 → 432/);
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
