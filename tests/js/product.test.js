import assert from "node:assert/strict";
import { test } from "node:test";
import { channels, mixed } from "../../src/attn/labs/kit/colours.js";
import { spellings, sumSign } from "../../src/attn/labs/kit/format.js";
import { paintCell } from "../../src/attn/labs/product/cells.js";
import { linesBetween, placeAt, planOf } from "../../src/attn/labs/product/layout.js";
import { compute, indexOf, matmulError, PRODUCTS, pairsOf, sumOf, truthOf } from "../../src/attn/labs/product/model.js";
import { paint } from "../../src/attn/labs/product/paint.js";
import { pictureOf } from "../../src/attn/labs/product/picture.js";
import { rightBoxes, sceneOf, stripOf } from "../../src/attn/labs/product/scene.js";
import { coincidences, describeCell, describeNudge, describeSource, verdict } from "../../src/attn/labs/product/words.js";
import { within } from "./close.js";

const [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED] = Object.keys(PRODUCTS);
const WORDS = "girls near old kings found gold today yesterday happy cooks behind boys";
const state = (product, more = {}) => ({
  ...{ B: 2, H: 3, L: 5, S: 7, D: 4, seed: 0, front: [0, 0], nudge: null, _texts: [WORDS, WORDS, WORDS, WORDS] },
  ...{ ...more, product },
});
const pairs = (product, sizes, cell) => pairsOf(state(product, sizes), compute(state(product, sizes)), cell);
const title = (product, sizes, cell) => describeCell(state(product, sizes), pairs(product, sizes, cell), cell);
const close = within(1e-5);

function planFor(settings, { width = 640, bench = true } = {}) {
  const { shapes } = compute(settings);
  const [[, , R, N], [, , M, C]] = shapes;
  const words = { rows: WORDS.split(" ").slice(0, R), columns: WORDS.split(" ").slice(0, C), between: [], lying: [] };
  const lying = /** @type {[number, number]} */ ([PRODUCTS[settings.product].turned === "k" ? settings.S : settings.L, settings.D]);
  return planOf({ width, tallest: 390, R, N, M, C, sheets: settings.B * settings.H, words, bench, lying });
}
const sceneAt = (settings, kind, n, more = {}) =>
  sceneOf(settings, compute(settings), planFor(settings), {
    ...{ cell: [2, 3], summed: null, bench: true, nudged: settings.nudge, kind, n },
    ...more,
  });

test("torch checks the leading axes from right to left, then the inner sizes", () => {
  assert.equal(matmulError([2, 3, 5, 4], [2, 3, 4, 7]), "");
  assert.equal(matmulError([1, 3, 5, 4], [2, 1, 4, 7]), "", "an axis of size 1 fits any size");
  assert.match(matmulError([2, 3, 5, 4], [4, 7, 3, 2]), /tensor a \(3\) must match .* tensor b \(7\) .* dimension 1$/);
  assert.match(matmulError([2, 3, 5, 4], [4, 1, 3, 2]), /tensor a \(2\) must match .* tensor b \(4\) .* dimension 0$/);
  assert.match(matmulError([2, 3, 5, 4], [2, 3, 7, 4]), /to be: \[6, 4\] but got: \[6, 7\]\.$/);
  assert.match(matmulError([5, 4], [7, 4]), /\(5x4 and 7x4\)$/);
});

test("a cell is the sum of its products, and every product names its two numbers", () => {
  const found = pairs(TRANSPOSED, {}, [1, 2]);
  assert.equal(title(TRANSPOSED, {}, [1, 2]), "[1, 2]: query 1 meets key 2");
  assert.deepEqual(
    found.map(({ left, right }) => [left, right]),
    [
      ["1,0", "2,0"],
      ["1,1", "2,1"],
      ["1,2", "2,2"],
      ["1,3", "2,3"],
    ],
  );
  close(sumOf(found), compute(state(TRANSPOSED)).result[1 * 7 + 2]);
  assert.equal(sumOf(found.slice(0, 2)), found[0].a * found[0].b + found[1].a * found[1].b);
  assert.equal(sumOf([]), 0);
});

test("every number that a wrong product multiplies is named by its index in k", () => {
  const rights = (product, sizes, at) => pairs(product, sizes, at).map(({ right }) => right);
  assert.deepEqual(rights(FORGOTTEN, { S: 4 }, [1, 2]), ["0,2", "1,2", "2,2", "3,2"]);
  assert.deepEqual(rights(RESHAPED, {}, [1, 2]), ["0,2", "2,1", "4,0", "5,3"]);
  assert.match(title(RESHAPED, {}, [1, 2]), /query 1 meets numbers of keys 0, 2, 4, 5$/);
  assert.deepEqual(rights(REVERSED, { B: 1, D: 3, S: 3 }, [1, 0]), ["0,0,0,0", "0,1,0,0", "0,2,0,0"]);
  assert.equal(title(SWAPPED, {}, [2, 1]), "[2, 1]: key 2 meets query 1");
  close(sumOf(pairs(SWAPPED, {}, [2, 1])), sumOf(pairs(TRANSPOSED, {}, [1, 2])));
});

test("a flat position is converted back to an index", () => {
  assert.deepEqual(indexOf(1 * 84 + 2 * 28 + 5 * 4 + 3, { H: 3, D: 4 }, 7), [1, 2, 5, 3]);
});

test("the sheet in front is that of its sentence and head", () => {
  const there = compute(state(TRANSPOSED, { D: 5, front: [1, 2] }));
  assert.notDeepEqual(there.left, compute(state(TRANSPOSED, { D: 5 })).left);
  assert.deepEqual(there.left, compute(state(TRANSPOSED, { D: 5, front: [9, 9] })).left, "too large: the last one");
  assert.equal(there.right_at[0], (1 * 3 + 2) * 7 * 5);
});

test("a product that runs and is wrong is called wrong; one that is right by accident is a warning", () => {
  const verdictOf = (product, sizes) => verdict(state(product, sizes), compute(state(product, sizes)));
  assert.deepEqual(
    [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED].map((one) => verdictOf(one).kind),
    ["good", "bad", "bad", "bad", "luck"],
  );
  assert.match(verdictOf(FORGOTTEN).text, /They do not fit: q has 4 columns, k has 7 rows/);
  assert.match(verdictOf(FORGOTTEN, { D: 7 }).text, /Wrong without an error, because S = D = 7/);
  assert.match(verdictOf(RESHAPED).text, /Wrong without an error: a column holds numbers of several keys/);
  assert.match(verdictOf(TRANSPOSED, { D: 1 }).text, /fits, 1 column to 1 row:/);
  assert.match(verdictOf(RESHAPED, { S: 1 }).text, /^⚠ At these sizes it is the same/);
  const reversed = /\.T reverses all axes, so D, S = \(4, 7\) of k meet B, H = \(2, 3\) of q\.$/;
  assert.match(verdictOf(REVERSED).text, reversed);
  assert.match(verdictOf(REVERSED, { D: 3 }).text, /^✗ The matrices fit, but \.T reverses all axes, so D, S = \(3, 7\)/);
  assert.match(verdictOf(SWAPPED, { S: 5 }).text, /the shape does not show it/);
});

test("the notes warn of sizes that hide a mistake", () => {
  assert.deepEqual(coincidences(state(TRANSPOSED)), []);
  assert.match(coincidences(state(TRANSPOSED, { S: 4 })).join(), /^S = D = 4: q @ k raises no error/);
  assert.deepEqual(coincidences(state(RESHAPED, { S: 4 })), ["S = D = 4: this reshape leaves k as it is."]);
  assert.deepEqual([...compute(state(RESHAPED, { S: 4 })).right], [...compute(state(FORGOTTEN, { S: 4 })).right]);
  assert.match(coincidences(state(TRANSPOSED, { L: 7 })).join(), /^L = S = 7: in a square result/);
});

test("one key is one column of scores, a row of the exchanged product, and scattered by a reshape", () => {
  const said = (product, more = {}) => {
    const settings = state(product, { ...more, nudge: 3 });
    return describeNudge(settings, compute(settings), 3, "kings");
  };
  assert.match(said(TRANSPOSED), /^Key 3 \(kings\) was changed: only column 3 changes, the scores of this key\.$/);
  assert.match(said(RESHAPED), /: columns 0, 1, 5 and 6 change\. Its numbers are scattered/);
  assert.match(said(SWAPPED), /: only row 3 changes/);
  assert.match(said(FORGOTTEN, { S: 4 }), /: all 4 columns change\. No column is a key\.$/);
  assert.match(said(FORGOTTEN), /there is no result/);
});

test("random numbers are called random, and the recorded layer is named with what its head finds", () => {
  assert.match(describeSource(false, [1, 2], []), /^In front: sentence 1, head 2\. Random whole numbers/);
  assert.match(
    describeSource(true, [0, 1], ["old", "kings"]),
    /this head finds “what”\. The sentence: old kings\. Orange is above 0/,
  );
});

test("a line joins column n with row n, and a line without a partner is short", () => {
  const plan = planFor(state(FORGOTTEN));
  const lines = linesBetween(plan, 4, 7);
  assert.deepEqual(
    lines.filter(({ isPaired }) => !isPaired).map(({ side, n }) => [side, n]),
    [
      ["right", 4],
      ["right", 5],
      ["right", 6],
    ],
  );
  const [up, along] = [
    lines.find(({ side, n }) => side === "left" && n === 2),
    lines.find(({ side, n }) => side === "right" && n === 2),
  ];
  assert.deepEqual(up.to, along.to, "they meet");
});

test("at the largest sizes the picture fits on a phone, and cells do not overlap", () => {
  const plan = planFor(state(TRANSPOSED, { B: 4, H: 4, L: 8, S: 8, D: 8 }), { width: 358 });
  assert.ok(plan.result.x + 8 * plan.w + plan.depth <= 358 && plan.p >= 12);
  assert.ok(plan.left.x + 8 * plan.w + plan.depth <= plan.right.x && plan.right.y + 8 * plan.p + plan.depth <= plan.left.y);
});

test("a number that is written in little room never becomes 0, unless it is", () => {
  assert.deepEqual(spellings(-0.42), ["−0.42", "−0.4", "−.4"]);
  assert.deepEqual(spellings(-10.06), ["−10.06", "−10.1", "−10"]);
  assert.deepEqual(spellings(-3), ["−3", "−3", "−3"]);
  assert.deepEqual(spellings(0), ["0", "0", "0"]);
});

test("the point in the middle of a cell belongs to it, and a point beside the table to none", () => {
  const sheet = { x: 100, y: 50, p: 20, w: 30 };
  assert.deepEqual(placeAt(sheet, 5, 7, 100 + 3.5 * 30, 50 + 2.5 * 20), [2, 3]);
  assert.equal(placeAt(sheet, 5, 7, 99, 60), null);
  assert.equal(placeAt(sheet, 5, 7, 100 + 7 * 30 + 1, 60), null);
});

for (const product of [TRANSPOSED, RESHAPED, SWAPPED, FORGOTTEN, REVERSED])
  for (const kind of /** @type {const} */ (["turn", "cell", "nudge"]))
    test(`the move "${kind}" of ${product} ends where a jump ends`, () => {
      const settings = state(product, { nudge: kind === "nudge" ? 3 : null });
      assert.deepEqual(sceneAt(settings, kind, 1), sceneAt(settings, "rest", 1));
      if (kind !== "turn" && compute(settings).result)
        assert.notDeepEqual(sceneAt(settings, kind, 0.3).cells.concat(sceneAt(settings, kind, 0.3).bench), [
          ...sceneAt(settings, "rest", 1).cells,
          ...sceneAt(settings, "rest", 1).bench,
        ]);
    });

/** The corners of a cell as it is painted. */
const cornersOf = ({ box: { x, y, w, h }, matrix: [a, b, c, d] = [1, 0, 0, 1] }) =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u, v]) => [x + w / 2 + (u * w * a + v * h * c) / 2, y + h / 2 + (u * w * b + v * h * d) / 2]);

/** How far two convex shapes are from each other along the best of their sides' normals; negative: they overlap. */
function gapOf(one, other) {
  const spans = [one, other].flatMap((corners) =>
    corners.map(([x, y], n) => {
      const [p, q] = corners[(n + 1) % 4];
      const [nx, ny] = [(q - y) / Math.hypot(p - x, q - y), (x - p) / Math.hypot(p - x, q - y)];
      const [a, b] = [one, other].map((shape) => shape.map(([u, v]) => u * nx + v * ny));
      return Math.max(Math.min(...a) - Math.max(...b), Math.min(...b) - Math.max(...a));
    }),
  );
  return Math.max(...spans);
}

test("while k flips, each key stays a straight strip of rectangles, and none covers another one", () => {
  for (const more of [{}, { S: 8, D: 8, L: 8 }, { S: 2, D: 7 }, { S: 6, D: 3 }])
    for (const width of [358, 640, 902]) {
      const settings = state(TRANSPOSED, more);
      const [results, plan, { S, D }] = [compute(settings), planFor(settings, { width }), settings];
      for (let n = 0; n < 1; n += 0.013) {
        const boxes = rightBoxes(settings, results, plan, n);
        for (const { matrix = [1, 0, 0, 1] } of boxes) close(matrix[0] * matrix[2] + matrix[1] * matrix[3], 0);
        const strips = Array.from({ length: S }, (_, key) => {
          const [first, last] = [cornersOf(boxes[key]), cornersOf(boxes[(D - 1) * S + key])];
          return [first[0], first[1], last[2], last[3]];
        });
        for (const [at, one] of strips.entries())
          for (const other of strips.slice(at + 1))
            assert.ok(gapOf(one, other) > -1, `${JSON.stringify(more)} ${width} ${n} ${at}`);
      }
    }
});

test("key after key comes to its column, and its word goes from its left side to its top", () => {
  const plan = planFor(state(TRANSPOSED), { width: 902 });
  const at = (n) => [0, 3, 6].map((row) => stripOf(plan, row, 7, n));
  assert.deepEqual(
    [0, 0.5, 1].map((n) => at(n).map(({ aside }) => aside)),
    [
      [0, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ],
  );
  const turned = at(0.57).map(({ angle }) => angle / (Math.PI / 2));
  assert.ok(turned[0] === 1 && turned[1] > 0 && turned[1] < 1 && turned[2] === 0, `${turned}`);
});

test("a key's number changes while its cell is largest, from what it was to what it is", () => {
  const settings = state(TRANSPOSED, { nudge: 3 });
  const before = compute({ ...settings, nudge: null });
  const valuesAt = (n) => sceneAt(settings, "nudge", n, { before }).cells.filter(({ part }) => part === "right");
  const changed = (a, b) => a.filter(({ value }, at) => value !== b[at].value).length;
  assert.equal(changed(valuesAt(0.1), valuesAt(0.9)), 4);
  assert.deepEqual(
    valuesAt(0.1).map(({ value }) => value),
    [...before.right],
  );
});

test("the numbers that small cells keep are those of the cell that is worked out, its row and its column", () => {
  const { cells } = sceneAt(state(RESHAPED), "rest", 1);
  const chosen = (which) => cells.filter(({ part }) => part === which).flatMap(({ isChosen }, at) => (isChosen ? [at] : []));
  assert.deepEqual([chosen("left"), chosen("right"), chosen("result")], [[8, 9, 10, 11], [3, 10, 17, 24], [2 * 7 + 3]]);
});

test("a written sum that its written terms do not add up to is called approximate", () => {
  assert.equal(sumSign([0.58, -0.53, -0.15, 3.96], 3.87), "≈");
  assert.equal(sumSign([0.58, -0.53, -0.15, 3.96], 3.86), "=");
  assert.equal(sumSign([0.126, 0.126], 0.252), "≈");
});

test("shortly before its end a flip is nearly there, so that nothing jumps", () => {
  for (const product of [TRANSPOSED, RESHAPED, SWAPPED]) {
    const settings = state(product);
    const [results, plan] = [compute(settings), planFor(settings)];
    const [nearly, there] = [0.9999, 1].map((n) => rightBoxes(settings, results, plan, n));
    nearly.forEach(({ box }, at) => {
      for (const side of /** @type {const} */ (["x", "y", "w", "h"])) assert.ok(Math.abs(box[side] - there[at].box[side]) < 0.1);
    });
  }
});

test("before the flip a key is a row, after it a column; a reshape never turns it", () => {
  for (const product of [TRANSPOSED, RESHAPED]) {
    const settings = state(product);
    const [results, plan] = [compute(settings), planFor(settings)];
    const boxesOfKey = (n) =>
      rightBoxes(settings, results, plan, n)
        .map(({ box }, at) => ({ box, key: Math.floor(results.right_at[at] / 4) }))
        .filter(({ key }) => key === 3)
        .map(({ box }) => box);
    const same = (boxes, side) => new Set(boxes.map((box) => Math.round(box[side]))).size === 1;
    assert.ok(same(boxesOfKey(0), "y") && !same(boxesOfKey(0), "x"), "it lies in a row");
    assert.equal(same(boxesOfKey(1), "x"), product === TRANSPOSED, "it stands in a column");
  }
});

test("while k is reshaped, no number that flies covers another one", () => {
  for (const more of [{}, { S: 8, D: 7 }, { S: 5, D: 8 }, { S: 3, D: 2 }]) {
    const settings = state(RESHAPED, more);
    const [results, plan] = [compute(settings), planFor(settings)];
    for (let n = 0; n <= 1; n += 0.01) {
      const boxes = rightBoxes(settings, results, plan, n).map(({ box }) => box);
      for (const [at, a] of boxes.entries())
        for (const b of boxes.slice(at + 1))
          assert.ok(
            Math.abs(a.x - b.x) > a.w - 1 || Math.abs(a.y - b.y) > Math.min(a.h, b.h) - 1,
            `${JSON.stringify(more)} at ${n}`,
          );
    }
  }
});

test("only the numbers of k have the colour of a key", () => {
  const keyed = (product) => sceneAt(state(product), "rest", 1).cells.filter(({ key }) => key !== null);
  assert.deepEqual([...new Set(keyed(RESHAPED).map(({ part }) => part))], ["right"]);
  assert.deepEqual(
    keyed(RESHAPED)
      .slice(0, 8)
      .map(({ key }) => key),
    [0, 0, 0, 0, 1, 1, 1, 1],
  );
  assert.deepEqual([...new Set(keyed(SWAPPED).map(({ part }) => part))], ["left"]);
});

test("after the flip pair after pair is lit and comes onto the bench, and the cell is empty until its products are there", () => {
  const settings = state(TRANSPOSED);
  const cellAt = (n) => sceneAt(settings, "turn", n).cells.filter(({ part }) => part === "result")[2 * 7 + 3];
  assert.equal(cellAt(0.9).alpha, 0);
  const pairAt = (n, d) => {
    const { cells, bench } = sceneAt(settings, "turn", n);
    const lit = cells.filter(({ part, isChosen }) => part !== "result" && isChosen).map(({ faint }) => faint);
    return [
      lit[d],
      lit[4 + d],
      ...bench
        .filter(({ part }) => part !== "result")
        .map(({ alpha }) => alpha)
        .slice(2 * d, 2 * d + 2),
    ];
  };
  assert.deepEqual(
    [pairAt(0.8, 0), pairAt(0.74, 3), pairAt(1, 3)],
    [
      [0, 0, 1, 1],
      [1, 1, 0, 0],
      [0, 0, 1, 1],
    ],
  );
  assert.equal(cellAt(1).alpha, 1);
  close(cellAt(1).value, sumOf(pairs(TRANSPOSED, {}, [2, 3])));
  const bench = sceneAt(settings, "turn", 1).bench.filter(({ part }) => part === "result");
  close(
    bench.reduce((all, { value }) => all + value, 0),
    cellAt(1).value,
  );
});

test("a nudged key marks its own numbers, and the cells that change with it by whether they may", () => {
  const marks = (product) => {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { mark, part } of sceneAt(state(product, { nudge: 3 }), "rest", 1).cells)
      counts[`${part} ${mark}`] = (counts[`${part} ${mark}`] ?? 0) + 1;
    return counts;
  };
  assert.deepEqual(marks(TRANSPOSED), { "left ": 20, "right ": 24, "right nudged": 4, "result ": 30, "result good": 5 });
  assert.deepEqual(marks(RESHAPED), { "left ": 20, "right ": 24, "right nudged": 4, "result ": 15, "result bad": 20 });
  assert.deepEqual(marks(SWAPPED), { "left ": 24, "left nudged": 4, "right ": 20, "result ": 30, "result luck": 5 });
});

test("each column of the bench stands above the column of q that it takes, at every width", () => {
  for (const width of [340, 358, 640, 1046])
    for (const settings of [
      state(TRANSPOSED),
      state(SWAPPED),
      state(TRANSPOSED, { S: 8, D: 8, L: 8 }),
      state(TRANSPOSED, { D: 1 }),
    ]) {
      const { bench, left } = planFor(settings, { width });
      assert.deepEqual([bench.x, bench.w], [left.x, left.w]);
    }
});

test("the bench ends before the words of the rows of k", () => {
  const words = { rows: ["found"], columns: [], between: ["girls", "kings"], lying: [] };
  for (const width of [330, 640, 1050]) {
    const plan = planOf({ width, tallest: 356, R: 5, N: 4, M: 4, C: 4, sheets: 6, words, bench: true, lying: [4, 4] });
    assert.ok(plan.bench.x + 4 * plan.bench.w <= plan.right.x - 12 - 5 * 6.4, `${width}`);
  }
});

test("a wrong result is compared with the scores, where there are as many columns as keys", () => {
  const scoresOf = (/** @type {string} */ product, more = {}) =>
    truthOf(state(product, more), compute(state(product, more)))?.result;
  for (const more of [{}, { front: [1, 2], nudge: 3 }])
    assert.deepEqual(scoresOf(RESHAPED, more), compute(state(TRANSPOSED, more)).result);
  assert.deepEqual(scoresOf(FORGOTTEN, { S: 4 }), compute(state(TRANSPOSED, { S: 4 })).result);
  for (const product of [TRANSPOSED, SWAPPED, FORGOTTEN]) assert.equal(scoresOf(product), undefined);
  assert.equal(scoresOf(REVERSED, { B: 2, H: 2, D: 2, S: 3 }), undefined);
});

test("while keys are coloured, what is no key's is neutral", () => {
  const fills = (/** @type {"key" | "value"} */ colour) => {
    /** @type {string[]} */
    const log = [];
    const known = {
      measureText: () => ({ width: 9 }),
      fillRect() {
        log.push(/** @type {any} */ (this).fillStyle);
      },
    };
    const pen = /** @type {any} */ (new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? (() => {}) }));
    const [look, most] = [
      { ink: "#222222", paper: "#ffffff" },
      { factors: 5, result: 9 },
    ];
    const picture = /** @type {any} */ ({ plan: { w: 60 }, short: { factors: 0, result: 0 }, look, most, colour });
    for (const value of [-4, 4]) {
      const cell = { box: { x: 0, y: 0, w: 60, h: 20 }, part: "result", value, key: null, alpha: 1, faint: 0, mark: "" };
      paintCell(pen, picture, /** @type {any} */ (cell));
    }
    return [log[2], log[5]];
  };
  assert.equal(new Set(fills("key")).size, 1);
  assert.equal(new Set(fills("value")).size, 2);
});

test("a number on a faded colour is readable on light and on dark paper, all the way", () => {
  const share = (/** @type {number} */ one) => (one <= 10 ? one / 3294 : ((one / 255 + 0.055) / 1.055) ** 2.4);
  const light = (/** @type {string} */ colour) => {
    const [r, g, b] = channels(colour).map(share);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  for (const [paper, ink] of [
    ["#ffffff", "#323232"],
    ["#121212", "#ced6dd"],
  ])
    for (const key of [0, 1, 2, 3, 4, 5, 6, 7])
      for (const faint of [0, 0.1, 0.3, 0.5, 0.7, 1]) {
        let [ground, worst] = [paper, 21];
        const known = {
          measureText: () => ({ width: 9 }),
          fillRect() {
            ground = mixed(/** @type {any} */ (this).fillStyle, ground, /** @type {any} */ (this).globalAlpha);
          },
          fillText() {
            const { fillStyle, globalAlpha } = /** @type {any} */ (this);
            const pair = [light(mixed(fillStyle, ground, globalAlpha)), light(ground)];
            worst = Math.max(...pair) / Math.min(...pair);
          },
        };
        const pen = /** @type {any} */ (new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? (() => {}) }));
        const picture = { plan: { w: 60 }, short: { factors: 0, result: 0 }, look: { ink, paper }, most: {}, colour: "key" };
        const cell = { box: { x: 0, y: 0, w: 60, h: 24 }, part: "right", value: 3, key, alpha: 1, faint, mark: "" };
        paintCell(pen, /** @type {any} */ (picture), /** @type {any} */ (cell));
        const least = faint % 1 ? 3 : 4.5;
        assert.ok(worst < 21 && worst >= least, `${paper}, key ${key}, faint ${faint}: ${worst}`);
        if (faint === 1 && paper === "#121212") assert.ok(light(ground) < 0.2, "it does not shine");
      }
});

test("what is not in the chosen row and column fades after the flip, and with a changed key what does not change", () => {
  const clear = (kind, n, more = {}) => {
    const { cells } = sceneAt(state(TRANSPOSED, more), kind, n);
    return ["left", "right", "result"].map((part) => cells.filter((cell) => cell.part === part && !cell.faint).length);
  };
  assert.deepEqual(clear("rest", 1), [4, 4, 1]);
  assert.deepEqual(clear("turn", 0.6), [20, 28, 35]);
  assert.deepEqual(clear("rest", 1, { nudge: 3 }), [20, 4, 5]);
});

test("beside a wrong result stand kᵀ and the scores, row by row and with a column for each key", () => {
  const settings = state(RESHAPED, { nudge: 3 });
  const [[, , R, N], [, , M, C]] = compute(settings).shapes;
  const words = { rows: ["found"], columns: [], between: [], lying: [] };
  for (const width of [740, 902]) {
    const plan = planOf({ width, tallest: 390, R, N, M, C, sheets: 6, words, bench: true, lying: [7, 4], truth: true });
    const view = { cell: /** @type {[number, number]} */ ([2, 3]), summed: null, bench: true, nudged: 3 };
    const scene = (kind, n) => sceneOf(settings, compute(settings), plan, { ...view, kind, n });
    const beside = ({ cells }) => cells.filter(({ box }) => box.x + 5 >= (plan.truth?.right.x ?? 0));
    const [right, scores] = ["right", "result"].map((part) => beside(scene("rest", 1)).filter((cell) => cell.part === part));
    assert.deepEqual(
      scores.map(({ value }) => value),
      [...compute(state(TRANSPOSED, { nudge: 3 })).result],
    );
    assert.deepEqual(
      right.map(({ key }) => key),
      Array.from({ length: 28 }, (_, at) => at % 7),
    );
    const wrong = scene("rest", 1).cells.filter(({ part }) => part === "result");
    assert.deepEqual(
      scores.map(({ box }) => box.y),
      wrong.slice(0, 35).map(({ box }) => box.y),
    );
    assert.equal(scores.filter(({ mark }) => mark === "good").length, 5, "the changed key is one column");
    assert.ok(plan.truth && plan.truth.right.x + C * plan.truth.right.w <= width, `${width}`);
    assert.ok(plan.truth.right.x > plan.right.x + C * plan.w + plan.depth);
    assert.deepEqual([beside(scene("turn", 0.5)).length, plan.bench.w], [0, plan.left.w], "after the move; the bench is over q");
  }
});

test("the keys of a wrong factor are counted and coloured, whichever cell is chosen", () => {
  const faint = (product) => sceneAt(state(product), "rest", 1).cells.filter((cell) => cell.part === "right" && cell.faint).length;
  assert.deepEqual([RESHAPED, TRANSPOSED].map(faint), [0, 24]);
});

test("a column that is no key's has its number as name, and its keys are counted", () => {
  const namesAt = (/** @type {number} */ width, more = {}) => {
    const settings = { ...state(RESHAPED, more), summed: null, colour: /** @type {const} */ ("key") };
    const pen = /** @type {any} */ (
      new Proxy({ measureText: () => ({ width: 9 }) }, { get: (target, name) => target[name] ?? (() => {}) })
    );
    const view = { width, look: /** @type {any} */ ({}), cell: /** @type {[number, number]} */ ([2, 3]), bench: true };
    const { pair, mixed, words, plan } = pictureOf(pen, settings, compute(settings), view);
    return [...pair, mixed.join(), words.columns.length, plan.truth !== null];
  };
  assert.deepEqual(namesAt(902), ["old", "column 3", "4,4,4,4,4,4,4", 0, true]);
  assert.deepEqual(namesAt(902, { D: 2, S: 3 }), ["old", "column 3", "2,2,2", 0, true]);
  assert.deepEqual(namesAt(358), ["old", "col 3", "4,4,4,4,4,4,4", 0, false]);
});

test("the picture says how many words ask and are asked, counts the keys of wrong columns, and judges what stands side by side", () => {
  const written = (product, width) => {
    /** @type {string[]} */
    const log = [];
    const known = {
      measureText: (/** @type {string} */ text) => ({ width: 6.5 * text.length }),
      fillText: (/** @type {string} */ text) => log.push(text.trim()),
    };
    const pen = /** @type {any} */ (new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? (() => {}) }));
    const settings = { ...state(product, { B: 1 }), summed: null, colour: /** @type {const} */ ("key") };
    const axes = Object.fromEntries([..."BHLSD"].map((axis) => [axis, "#222222"]));
    const look = { axes, paper: "#ffffff", ink: "#222222", good: "#008800", bad: "#aa0000", luck: "#aa8800" };
    const results = compute(settings);
    const cell = /** @type {[number, number]} */ ([2, 1]);
    const picture = pictureOf(pen, settings, results, { width, look, cell: results.result && cell, bench: true });
    const view = { cell: picture.cell, summed: null, bench: true, nudged: null, kind: /** @type {const} */ ("rest"), n: 1 };
    const canvas = /** @type {any} */ ({ getContext: () => pen, style: {} });
    paint(canvas, picture, sceneOf(settings, results, picture.plan, view));
    return (/** @type {string} */ text) => log.filter((one) => one === text).length;
  };
  for (const [product, width, texts] of /** @type {[string, number, [string, number][]][]} */ ([
    [
      FORGOTTEN,
      902,

      [
        ["5 words ask", 1],
        ["7 words are asked", 1],
        ["✗", 3],
      ],
    ],
    [
      FORGOTTEN,
      358,

      [
        ["5 words ask", 1],
        ["7 are asked", 1],
      ],
    ],
    [
      TRANSPOSED,
      902,

      [
        ["5 words ask", 1],
        ["7 words are asked", 1],
        ["kᵀ", 1],
        ["today", 1],
      ],
    ],
    [
      SWAPPED,
      902,

      [
        ["7 words are asked", 1],
        ["5 words ask", 1],
      ],
    ],
    [
      RESHAPED,
      902,

      [
        ["4 keys", 7],
        ["✗ reshaped k", 1],
        ["✓ kᵀ", 1],
        ["✓ scores", 1],
        ["today", 1],
      ],
    ],
    [
      RESHAPED,
      740,

      [
        ["4 keys", 0],
        ["4 keys in each column", 1],
        ["1 key in each column", 1],
        ["✓ scores", 1],
        ["today", 0],
      ],
    ],
    [
      RESHAPED,
      358,

      [
        ["✗ reshaped k", 1],
        ["4 keys in each column", 1],
        ["✓ kᵀ", 0],
        ["✓ scores", 0],
        ["today", 0],
      ],
    ],
  ])) {
    const count = written(product, width);
    for (const [text, times] of texts) assert.equal(count(text), times, `${product} ${width}: ${text}`);
  }
});

test("a number is written only where its cell has room for it", () => {
  const written = (/** @type {number} */ w, /** @type {number} */ wide, matrix = /** @type {any} */ (undefined)) => {
    /** @type {string[]} */
    const log = [];
    const known = { measureText: () => ({ width: wide }), fillText: (/** @type {string} */ text) => log.push(text) };
    const pen = /** @type {any} */ (new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? (() => {}) }));
    const picture = {
      plan: { w },
      short: { factors: 0, result: 0 },
      look: { ink: "#222222", paper: "#ffffff" },
      most: {},
      colour: "key",
    };
    const cell = { box: { x: 0, y: 0, w, h: 24 }, part: "left", value: -3, key: 1, alpha: 1, faint: 0, mark: "", matrix };
    paintCell(pen, /** @type {any} */ (picture), /** @type {any} */ (cell));
    return log.length;
  };
  const turned = [
    [0.55, 0.2, 1, 0.45],
    [1, 1, 0, 1],
  ].map((matrix) => written(60, 20, matrix));
  assert.deepEqual([written(24, 20), written(24, 24), ...turned], [1, 0, 0, 0]);
});
