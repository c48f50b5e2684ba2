// GridLab's pure functions. tests/test_grid_lab.py shows that compute agrees with torch.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MEMORY_HEIGHT, placeAt, placeBox, windowOnto, writing, written } from "../../src/attn/labs/grid/memory.js";
import {
  choicesOf,
  compute,
  indexInside,
  marked,
  misplaced,
  numberAt,
  originOf,
  placeOf,
  runsOf,
  STEPS,
  unravel,
} from "../../src/attn/labs/grid/model.js";
import { lookOf } from "../../src/attn/labs/grid/paint.js";
import { boxesOf, boxOf, columnsAt, flying, nthAt, planOf, walked } from "../../src/attn/labs/grid/scene.js";
import { paintTables } from "../../src/attn/labs/grid/tables.js";
import { coincidences, happened, lies, movedIn, scattered } from "../../src/attn/labs/grid/words.js";
import { contrast } from "../../src/attn/labs/kit/colours.js";

const SIZES = { B: 2, H: 3, L: 5, D: 4 };
const ALL = Object.keys(STEPS);
const MOMENTS = [0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.8, 0.95, 1];
const state = (step, more = {}) => ({ ...SIZES, index: [1, 2, 1, 3], step, mark: "head", colour: "head", ...more });
const of = (step, more) => compute(state(step, more));
const boxes = (plan, step, more) => boxesOf(plan.layouts[step], of(step, more).values);
const strips = () => ({ D: 4, H: 3, chosen: marked(SIZES, originOf(SIZES, 83), "head") });
const placed = (moved) => moved.map(({ x, y, w, h }) => ({ x, y, w, h }));

test("permute leaves every number where it is and swaps two strides", () => {
  const [split, heads] = [of("split"), of("heads")];
  assert.deepEqual(
    [split.strides, heads.strides],
    [
      [60, 12, 4, 1],
      [60, 4, 12, 1],
    ],
  );
  assert.deepEqual([heads.storage, heads.shared, heads.contiguous], [split.storage, true, false]);
  assert.deepEqual([split.at, split.place, heads.at, heads.place], [[1, 1, 2, 3], 83, [1, 2, 1, 3], 83]);
});

test("a copy writes a new row of memory and leaves the tables as they are", () => {
  const [heads, copied] = [of("heads"), of("copied")];
  assert.deepEqual(copied.values, heads.values);
  assert.deepEqual([copied.strides, copied.place, copied.storage[107]], [[60, 20, 4, 1], 107, 83]);
  assert.deepEqual(copied.storage.slice(0, 6), [0, 1, 2, 3, 12, 13]);
  assert.deepEqual([copied.shared, copied.contiguous], [false, true]);
});

test("the wrong ways give the right shapes and put few numbers where they belong", () => {
  assert.deepEqual(of("wrong split").shape, of("heads").shape);
  assert.deepEqual(of("wrong merge").shape, of("merged").shape);
  assert.deepEqual(of("merged").values, of("rows").values);
  for (const step of ALL) assert.equal(of(step).agree < 120, step.startsWith("wrong"), step);
});

test("a contiguous tensor is not copied", () => {
  for (const one of [{ H: 1 }, { L: 1 }]) assert.equal(of("copied", one).shared, true);
});

test("settings that a link invents become those of a new lab", () => {
  assert.deepEqual(indexInside(state("heads", { H: 2, L: 1 })), { B: 1, H: 1, L: 0, D: 3 });
  const first = { B: 0, H: 0, L: 0, D: 0 };
  for (const index of [undefined, null, {}, "x", [9.5, -1, "2"]]) assert.deepEqual(indexInside(state("heads", { index })), first);
  const invented = { step: "toString", mark: "constructor", colour: "red" };
  assert.deepEqual(choicesOf(invented), { step: "split", mark: "head", colour: "head" });
  assert.deepEqual(of("valueOf").values, of("split").values);
});

test("every index of every tensor leads to the place where its number is stored", () => {
  for (const step of ALL)
    for (const sizes of [SIZES, { ...SIZES, H: 1 }, { ...SIZES, L: 1, D: 1 }]) {
      const { values, shape, strides, storage } = of(step, { ...sizes, index: [0, 0, 0, 0] });
      values.forEach((number, nth) => assert.equal(storage[placeOf(strides, unravel(shape, nth))], number, step));
    }
});

test("the numbers that a wrong step puts where others belong are those that it does not count", () => {
  for (const step of ALL) {
    const { values, agree } = of(step);
    assert.equal(misplaced(state(step), values).filter(Boolean).length, 120 - agree, step);
  }
  const wrong = misplaced(state("wrong split"), of("wrong split").values);
  assert.deepEqual([wrong[0], wrong[4]], [false, true]);
  const tables = [0, 1, 2, 3, 4, 5].map((n) => wrong.slice(20 * n, 20 * n + 20).filter(Boolean).length);
  assert.deepEqual(tables, [16, 16, 16, 16, 16, 16]);
});

test("a number and its origin name each other", () => {
  for (let number = 0; number < 120; number++) assert.equal(numberAt(SIZES, originOf(SIZES, number)), number);
});

test("the cell that arrives at each place is that of the number which the tensor has there", () => {
  const plan = planOf(SIZES, 640);
  for (const step of ALL) {
    const { from } = STEPS[step];
    const { values } = of(step);
    const arrived = flying(boxes(plan, from), boxes(plan, step), 1, strips());
    values.forEach((number, nth) => {
      assert.deepEqual(placed(arrived)[number], boxOf(plan.layouts[step], nth), `${step}: ${number}`);
    });
  }
});

test("a move begins where the step before ended, ends where a jump ends, and lets strips fly together, the marked ones first", () => {
  const plan = planOf(SIZES, 640);
  const [from, to] = [boxes(plan, "split"), boxes(plan, "heads")];
  const at = (n) => flying(from, to, n, strips());
  assert.deepEqual(placed(at(0)), from);
  assert.deepEqual(placed(at(1)), to);
  const { chosen } = strips();
  for (const n of MOMENTS) {
    const now = at(n);
    const on = (number) => now[number].go > 0 && now[number].go < 1;
    const flown = new Set(
      now.flatMap((_, number) => (on(number) ? [`${chosen[number]} ${chosen[number] || (number >> 2) % 3}`] : [])),
    );
    assert.ok(flown.size < 2, `${n}: ${[...flown]} fly together`);
    for (let number = 0; number < 120; number++) {
      assert.equal(now[number].y, now[number - (number % 4)].y);
      if (now[number].go > 0 && !chosen[number]) assert.ok(chosen.every((lit, other) => !lit || now[other].go === 1));
    }
    const moved = now.filter((_, number) => on(number));
    for (const [nth, one] of moved.entries())
      for (const other of moved.slice(nth + 1))
        assert.ok(Math.abs(one.x - other.x) > 8 || Math.abs(one.y - other.y) > 8, `${n}: one strip of a head covers another`);
  }
  assert.ok(MOMENTS.some((n) => at(n).some(({ go }) => go > 0 && go < 1)));
});

test("while the marked head flies, everything else is pale, and no number is pale where nothing moves or all have arrived", () => {
  const plan = planOf(SIZES, 640);
  const { chosen } = strips();
  const alphas = (step, n) => flying(boxes(plan, STEPS[step].from), boxes(plan, step), n, strips()).map(({ alpha }) => alpha);
  alphas("heads", 0.3).forEach((alpha, number) => {
    assert.ok(chosen[number] ? alpha === 1 : alpha < 0.6, String(number));
  });
  const waiting = flying(boxes(plan, "split"), boxes(plan, "heads"), 0.4, strips()).filter(({ go }) => go === 0);
  assert.ok(waiting.length === 100 && waiting.every(({ alpha }) => alpha === 0), "seen through the frames of the heads");
  for (const n of [0, 1]) assert.deepEqual(new Set(alphas("heads", n)), new Set([1]));
  for (const n of MOMENTS) assert.deepEqual(new Set(alphas("copied", n)), new Set([1]));
});

test("no number is read through another: while anything flies, only the marked head is written, and its cells lie side by side", () => {
  const { chosen } = strips();
  for (const width of [340, 900])
    for (const step of ["heads", "wrong split", "merged", "split"]) {
      const plan = planOf(SIZES, width);
      for (const n of [0.1, 0.2, 0.3, 0.5, 0.7, 0.9]) {
        const now = flying(boxes(plan, STEPS[step].from), boxes(plan, step), n, strips());
        now.forEach(({ digits, x, w, y }, number) => {
          assert.equal(digits, chosen[number] ? 1 : 0, `${step} at ${n}: ${number}`);
          if (number % 4 < 3) assert.ok(Math.abs(now[number + 1].x - x - w) < 1e-9 && now[number + 1].y === y, `${step} at ${n}`);
        });
      }
    }
});

for (const paper of ["#ffffff", "#121212"])
  test(`what is marked has one colour, much further from the paper ${paper} than the tints of the others`, () => {
    const colours = { ...{ H: paper === "#ffffff" ? "#c44601" : "#e0752d", L: "#0d8a5a" }, paper, ink: "#888888" };
    for (const by of ["head", "token"])
      for (const sizes of [SIZES, { B: 1, H: 1, L: 1, D: 2 }, { B: 2, H: 4, L: 6, D: 1 }]) {
        const { fill, tints } = lookOf(sizes, { colour: by, mark: "head" }, colours);
        assert.equal(fill, colours.H);
        for (const tint of tints) assert.ok(contrast(fill, paper) > 1.7 * contrast(tint, paper), by);
        assert.equal(new Set(tints).size, by === "head" ? sizes.H : sizes.L);
      }
  });

test("cells that stay do not move", () => {
  const plan = planOf(SIZES, 640);
  const [from, to] = [boxes(plan, "heads"), boxes(plan, "copied")];
  for (const n of MOMENTS) assert.deepEqual(placed(flying(from, to, n, strips())), to);
});

test("a new row of memory is written from the old one and ends in its own order", () => {
  const { storage } = of("copied");
  const [start, end] = [writing(640, storage, 2, 0), writing(640, storage, 2, 1)];
  storage.forEach((number, place) => {
    assert.deepEqual(start[number], placeBox(640, 120, 2, number, 0));
    assert.deepEqual(end[number], placeBox(640, 120, 2, place, 1));
  });
  assert.ok(placeBox(640, 120, 2, 119, 1).y + 22 < MEMORY_HEIGHT);
});

test("the numbers that a copy has written are those that have come to their places", () => {
  const { storage } = of("copied");
  for (const n of MOMENTS) {
    const [now, end] = [writing(640, storage, 2, n), writing(640, storage, 2, 1)];
    const arrived = storage.filter((number) => JSON.stringify(now[number]) === JSON.stringify(end[number]));
    assert.deepEqual(written(storage, n), arrived, String(n));
  }
  const counts = MOMENTS.map((n) => movedIn(written(storage, n)));
  assert.ok(counts[0] === 0 && counts[4] > 20 && counts[4] < 60 && counts.at(-1) === 96, String(counts));
});

/** The texts, and the number of crosses, that are painted for a step at rest. */
function painted(step, width, more = {}, mark = "head") {
  const calls = [];
  const pen = new Proxy(
    { measureText: (text) => ({ width: 6.5 * text.length }) },
    {
      get: (own, name) =>
        own[name] ?? ((...values) => ["fillText", "moveTo"].includes(name) && calls.push(name === "fillText" ? values[0] : name)),
      set: () => true,
    },
  );
  const [results, { layouts }] = [of(step, more), planOf({ ...SIZES, ...more }, width)];
  const scene = { layout: layouts[step], boxes: boxesOf(layouts[step], results.values), results };
  const at = indexInside(state(step, more));
  const chosen = marked({ ...SIZES, ...more }, at, mark);
  const wrong = misplaced(state(step, more), results.values);
  const look = { tints: [], axes: {} };
  const move = { from: scene, to: scene, n: 1, ...SIZES, ...more, name: STEPS[step].name, wrong, framed: 5 };
  paintTables(pen, move, look, { chosen, pinned: 0, pointed: 0 });
  return { texts: calls.filter((call) => call !== "moveTo"), crosses: calls.filter((call) => call === "moveTo").length / 2 };
}

test("the matrix of the marked head has its index, on a phone too", () => {
  for (const width of [355, 900]) {
    const named = (...how) => painted(how[0], width, ...how.slice(1)).texts.filter((text) => text.startsWith(" = "));
    assert.deepEqual(named("split"), []);
    assert.deepEqual(named("heads"), [" = y[1, 2]"]);
    assert.deepEqual(named("copied"), [" = c[1, 2]"]);
    if (width > 480) assert.deepEqual(named("swapped"), [" = s[2, 1]"]);
    assert.deepEqual(named("wrong split"), []);
    assert.deepEqual(named("heads", {}, "token"), []);
    assert.deepEqual(named("split", {}, "token"), [" = x[1, 1]"]);
  }
});

test("every number that a wrong step puts where another belongs has a cross, as many as are counted above its matrix", () => {
  for (const [step, count] of [
    ["heads", 0],
    ["wrong split", 96],
    ["wrong merge", 120 - of("wrong merge").agree],
  ])
    for (const width of [355, 900]) assert.equal(painted(step, width).crosses, count, step);
  const counted = (width) => painted("wrong split", width).texts.filter((text) => text.startsWith(":"));
  assert.deepEqual(counted(900), Array(6).fill(": 16 of 20 wrong"));
  assert.deepEqual(counted(355), Array(6).fill(": 16 ✗"));
});

test("no two cells overlap, and all lie in the picture, at every width and for every step", () => {
  for (const width of [200, 334, 358, 640, 900])
    for (const sizes of [SIZES, { B: 4, H: 4, L: 6, D: 6 }, { B: 1, H: 1, L: 1, D: 1 }, { B: 3, H: 4, L: 2, D: 5 }]) {
      const plan = planOf(sizes, width);
      for (const step of ALL) {
        const all = boxes(plan, step, { ...sizes, index: [0, 0, 0, 0] });
        const places = new Set(all.map(({ x, y }) => `${x} ${y}`));
        assert.equal(places.size, all.length, `${step} at ${width}`);
        for (const { x, y, w, h } of all) {
          assert.ok(x >= 0 && y >= 0 && w >= 1 && h >= 1, step);
          assert.ok(x + w <= width && y + h <= plan.region, `${step} at ${width}: ${x + w}, ${y + h} of ${plan.region}`);
        }
      }
    }
});

test("the tables have the same height with all sizes, large cells where there are few, and a row of heads for each sentence", () => {
  for (const width of [355, 640, 1050]) {
    const plan = (more) => planOf({ ...SIZES, ...more }, width);
    for (const more of [{ H: 1 }, { L: 1 }, { H: 1, L: 1 }, { B: 4, H: 4, L: 6, D: 6 }, { D: 1 }])
      assert.equal(plan(more).region, plan({}).region);
    assert.ok(plan({ H: 1, L: 1 }).layouts.heads.cell.h >= 40);
    const { tables } = plan({}).layouts.heads;
    assert.equal(new Set(tables.slice(0, 3).map(({ y }) => y)).size, 1);
    assert.ok(tables[3].y > tables[0].y && tables[3].x === tables[0].x);
  }
  const { tables } = planOf(SIZES, 1050).layouts.heads;
  assert.ok(tables[2].x + tables[2].w > 1030, "room is left at the side");
});

test("the cells of the lab's own sizes have room for their numbers, on a phone too", () => {
  for (const width of [340, 640])
    for (const step of ["rows", "split", "heads", "copied", "merged", "wrong split", "wrong merge"]) {
      const { cell } = planOf(SIZES, width).layouts[step];
      assert.ok(cell.w >= 21 && cell.h >= 14, `${step} at ${width}: ${cell.w} × ${cell.h}`);
    }
});

test("a point in a cell leads to its number, a point beside the tables to none", () => {
  const plan = planOf(SIZES, 640);
  for (const step of ALL) {
    const layout = plan.layouts[step];
    for (const nth of [0, 17, 60, 119]) {
      const { x, y, w, h } = boxOf(layout, nth);
      assert.equal(nthAt(layout, x + w / 2, y + h / 2), nth);
    }
    assert.equal(nthAt(layout, 1, 1), -1);
  }
});

test("a point on memory leads to its place, in both rows and in the window", () => {
  for (const width of [340, 640])
    for (const [nth, rows] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      for (const place of [0, 7, 119]) {
        const seen = windowOnto(width, 120, rows, 83, 4);
        const { x, y, w, h } = placeBox(width, 120, rows, place, nth);
        assert.deepEqual(placeAt(width, 120, rows, x + w / 2, y + h / 2, seen), { nth, place });
        const { box, from } = seen;
        const last = { nth: rows - 1, place: from + 5 };
        assert.deepEqual(placeAt(width, 120, rows, box.x + 5.5 * box.w, box.y + 2, seen), last);
      }
  const seen = windowOnto(640, 120, 1, 83, 4);
  assert.equal(placeAt(640, 120, 1, 300, 2, seen), null);
  assert.equal(placeAt(640, 120, 1, 640, seen.box.y + 2, seen), null);
});

test("a single row has the room of two, and a second one takes it little by little", () => {
  for (const width of [340, 640])
    for (const rows of [1, 2]) {
      const last = placeBox(width, 120, rows, 0, rows > 1 ? 1 : 0);
      const { box } = windowOnto(width, 120, rows, 83, 4);
      assert.ok(last.y + last.h + 10 <= box.y && box.y + box.h <= MEMORY_HEIGHT, `${rows} at ${width}`);
    }
  for (const rows of [1, 1.5, 2]) {
    const [first, second] = [placeBox(640, 120, rows, 0, 0), placeBox(640, 120, rows, 0, 1)];
    assert.ok(first.y + first.h < second.y && second.h === placeBox(640, 120, 2, 0, 1).h);
  }
  const heights = [1, 1.5, 2].map((rows) => placeBox(640, 120, rows, 0).h);
  assert.ok(heights[0] > heights[1] && heights[1] > heights[2]);
});

test("the window onto memory holds the place, begins with a strip, and stays while the place moves inside it", () => {
  for (const [unit, width, N] of [
    [4, 640, 120],
    [6, 340, 576],
    [30, 340, 120],
    [1, 640, 7],
  ])
    for (let place = 0; place < N; place++) {
      const { from, to, box } = windowOnto(width, N, 1, place, unit);
      assert.ok(from <= place && place < to && to <= N && box.w >= 24);
      assert.ok(unit > to - from || from % unit === 0 || to === N);
      assert.ok(box.x + (to - from) * box.w <= width && box.y + box.h <= MEMORY_HEIGHT);
    }
  const [first, last] = [60, 79].map((place) => windowOnto(640, 120, 1, place, 4));
  assert.deepEqual(first, last);
});

test("keys walk to every number of every tensor and stop at its edges", () => {
  for (const step of ALL) {
    const seen = new Set([0]);
    for (const nth of seen) for (const walk of [{ column: 1 }, { row: 1 }]) seen.add(walked(step, SIZES, nth, walk));
    assert.equal(seen.size, 120, step);
    for (const walk of [{ column: -1 }, { row: -1 }, { block: -1 }, { column: -1, all: true }])
      assert.equal(walked(step, SIZES, 0, walk), 0);
    for (const walk of [{ column: 1 }, { row: 1 }, { block: 1 }, { column: 1, all: true }])
      assert.equal(walked(step, SIZES, 119, walk), 119);
  }
});

test("letters that change places fly across each other, and E becomes H and D", () => {
  const [split, heads, rows] = [STEPS.split.axes, STEPS.heads.axes, STEPS.rows.axes];
  const at = (from, to, n) => Object.fromEntries(columnsAt(from, to, n).map(({ axis, x }) => [axis, x]));
  assert.deepEqual(at(split, heads, 0), { B: 0, L: 1, H: 2, D: 3 });
  assert.deepEqual(at(split, heads, 1), { B: 0, H: 1, L: 2, D: 3 });
  const halfway = columnsAt(split, heads, 0.5);
  assert.deepEqual(
    halfway.map(({ axis, lift }) => [axis, Math.sign(lift)]),
    [
      ["B", 0],
      ["H", -1],
      ["L", 1],
      ["D", 0],
    ],
  );
  const cut = columnsAt(rows, split, 0.5);
  assert.deepEqual(
    cut.filter(({ alpha }) => alpha < 1).map(({ axis }) => axis),
    ["H", "D", "E"],
  );
  assert.deepEqual(
    columnsAt(rows, split, 1).map(({ axis, alpha }) => [axis, alpha]),
    [
      ["B", 1],
      ["L", 1],
      ["H", 1],
      ["D", 1],
    ],
  );
});

test("a head has a piece of memory for each token, and one piece in the copy", () => {
  const chosen = marked(SIZES, originOf(SIZES, 83), "head");
  assert.deepEqual(runsOf(chosen), [
    [68, 4],
    [80, 4],
    [92, 4],
    [104, 4],
    [116, 4],
  ]);
  assert.equal(scattered(chosen), "20 numbers in 5 pieces of 4, each 12 places after the one before");
  const told = (mark, step) => lies(mark, step, originOf(SIZES, 83), of(step), marked(SIZES, originOf(SIZES, 83), mark));
  assert.equal(told("head", "copied"), "Head 2 of sentence 1: 20 numbers in one piece.");
  assert.equal(told("token", "heads"), "Token 1 of sentence 1: 12 numbers in one piece.");
  assert.equal(told("number", "heads"), "y[1, 2, 1, 3] = 83 lies at place 83.");
  assert.equal(told("number", "copied"), "c[1, 2, 1, 3] = 83 lies at place 107.");
});

test("the sentence says what happened to memory, to the strides, and what is wrong", () => {
  const at = { B: 0, H: 2, L: 1, D: 3 };
  const said = (step, more) => happened(step, state(step, more), of(step, more), at);
  assert.match(said("heads")[0], /permute moved no number.*\(60, 4, 12, 1\), so y is not contiguous/);
  assert.match(said("split")[0], /^120 numbers lie in one row of memory\.$/);
  assert.match(said("copied")[0], /wrote a new row of memory: 96 of 120 numbers have another place in it\.$/);
  assert.match(said("copied", { H: 1 })[0], /moved no number: y is contiguous already/);
  assert.deepEqual(
    ALL.filter((step) => said(step)[1]),
    ["wrong split", "wrong merge"],
  );
  assert.equal(said("wrong split")[1], "head 2 now holds 40–59: strips of 3 heads from 2 tokens, not from all 5.");
  assert.equal(said("wrong merge")[1], `only ${of("wrong merge").agree} of 120 numbers are in their place.`);
  assert.match(said("wrong split", { L: 1 })[0], /hide the mistake/);
});

test("a sentence names the sizes that coincide and the mistakes that they hide", () => {
  const about = (sizes) => coincidences({ ...SIZES, ...sizes }).join(" ");
  assert.equal(about({}), "");
  assert.match(about({ L: 3 }), /L = H = 3: both orders have the same shape/);
  assert.match(about({ H: 1 }), /H = 1: .* the exchange changes nothing/);
  assert.match(about({ L: 1 }), /L = 1: .* changes nothing/);
  assert.match(about({ H: 2 }), /B = H = 2: .* the shape stays the same/);
});
