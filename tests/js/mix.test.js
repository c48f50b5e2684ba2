// MixLab: the hull, settings of links, weights by hand, what is drawn on the way, where labels stand, and the sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { along, changed, still, story } from "../../src/attn/labs/mix/between.js";
import { asWeights, bordersNear, segmentAt, withBorder, withWeight } from "../../src/attn/labs/mix/hand.js";
import { hull, reached } from "../../src/attn/labs/mix/hull.js";
import { labelled } from "../../src/attn/labs/mix/labels.js";
import { blend, compute, VALUES as MODEL_VALUES, problem, TEMPERATURES } from "../../src/attn/labs/mix/model.js";
import { arrow, between, circle, line, NEAR, roomFor, toPlace, toPoint, toTenth, WIDE } from "../../src/attn/labs/mix/sheet.js";
import { pointText, sentence } from "../../src/attn/labs/mix/words.js";
import { within } from "./close.js";

const VALUES = [
  [-3, 2],
  [3, 2],
  [0, -3],
  [0, 2],
  [-2, -2],
  [3, -2],
];
const START = {
  values: VALUES.slice(0, 4),
  queries: [
    [3, 0],
    [1, -1],
  ],
  temperature: 1,
  by: "query",
  hand: [
    [1, 1, 0, 0],
    [0, 0, 0, 1],
  ],
  heads: 1,
  target: null,
};
const sorted = (points) => points.map(String).sort();
const frameOf = (changes) => still({ ...START, ...changes }, compute({ ...START, ...changes }));
const told = (changes) => sentence({ ...START, ...changes }, compute({ ...START, ...changes }));
const close = within(1e-9);

test("the hull has only corners, for points in any order and on one line", () => {
  assert.deepEqual(sorted(hull(START.values)), ["-3,2", "0,-3", "3,2"]);
  const square = [...["1,1", "0,0", "4,0", "0,4", "4,4", "2,3"]].map((text) => text.split(",").map(Number));
  assert.deepEqual(sorted(hull(square)), ["0,0", "0,4", "4,0", "4,4"]);
  const diagonal = [0, 1, 2].map((n) => [n, n]);
  assert.deepEqual(sorted(hull(diagonal)), ["0,0", "2,2"]);
  assert.ok(hull([1, 1, 1].map((n) => [n, n])).every((corner) => String(corner) === "1,1"));
});

test("every average is inside the hull, on the inner side of every edge, and `reached` says so", () => {
  const corners = hull(START.values);
  for (let n = 0; n < 200; n++) {
    const drawn = START.values.map((_, s) => ((n * (s + 3) * 7919) % 101) + 0.01);
    const sum = drawn.reduce((a, b) => a + b);
    const weights = drawn.map((one) => one / sum);
    const [x, y] = blend(weights, START.values);
    corners.forEach(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length];
      assert.ok((bx - ax) * (y - ay) - (by - ay) * (x - ax) > -1e-9);
    });
    assert.equal(reached(START.values, [x, y]).reach, "inside");
  }
});

test("the weights that a target needs lead there; outside of the hull one of them is below 0", () => {
  const values = VALUES.slice(0, 3);
  for (const [target, reach] of [
    [[0.6, 3.5], "outside"],
    [[0, 0], "inside"],
    [[0, 2], "edge"],
    [[-3, 2], "edge"],
    [[4, 4], "outside"],
  ]) {
    const found = reached(values, target);
    assert.equal(found.reach, reach, String(target));
    blend(found.needed, values).forEach((x, d) => {
      close(x, target[d]);
    });
    close(
      found.needed.reduce((a, b) => a + b),
      1,
    );
    assert.equal(Math.min(...found.needed) < -1e-9, reach === "outside");
  }
  reached(values, [0.6, 3.5]).nearest.forEach((x, d) => {
    close(x, [0.6, 2][d]);
  });
  assert.ok(reached(START.values, [0, 0]).needed.every(Number.isNaN), "with four values the weights are not the only ones");
});

test("settings that a link may not contain are refused with the reason", () => {
  assert.equal(problem(START), null);
  const wrong = [
    [{ values: VALUES.slice(0, 2) }, /3 to 6 points/],
    [{ values: [...VALUES.slice(0, 2), [5, 0]] }, /3 to 6 points/],
    [{ values: "no" }, /3 to 6 points/],
    [{ values: [...VALUES.slice(0, 2), [2, null]] }, /3 to 6 points/],
    [{ queries: [[0, 0]] }, /two points/],
    [{ target: [0, 4.5] }, /The target/],
    [{ target: 3 }, /The target/],
    [{ hand: [[1, 1, 1, 1]] }, /two rows/],
    [{ hand: [[1, 1, 1, 11], START.hand[1]] }, /−10 to 10/],
    [{ hand: [[1, "x"], START.hand[1]] }, /a number/],
    [{ temperature: 0 }, /temperature/],
    [{ temperature: NaN }, /temperature/],
    [{ heads: 3 }, /one or two heads/],
    [{ by: "eye" }, /Weights come/],
    [{ by: "hand", hand: [[0, 0, 0, 0], START.hand[1]] }, /All hand weights of head 0 are 0/],
    [{ by: "hand", hand: [[1, -1, 0, 0], START.hand[1]] }, /head 0 is below 0/],
  ];
  for (const [change, message] of wrong) {
    assert.match(problem({ ...START, ...change }), message);
    assert.throws(() => compute({ ...START, ...change }), message);
  }
  const second = { by: "hand", hand: [START.hand[0], [0, 0, 0, 0]] };
  assert.equal(problem({ ...START, ...second }), null); // there is no head 1
  assert.match(problem({ ...START, ...second, heads: 2 }), /head 1/);
  assert.equal(problem({ ...START, by: "free", hand: [[1, -1, 0, 0], START.hand[1]] }), null);
});

test("a row by hand that is too short or too long fits the values", () => {
  const { weights } = compute({ ...START, by: "hand", hand: [[3, 1], [1]] });
  assert.deepEqual(Array.from(weights), [0.6, 0.2, 0.2, 0].map(Math.fround));
  assert.equal(compute({ ...START, values: VALUES.slice(0, 3), by: "hand" }).weights.length, 3);
});

test("the path runs from one value to the mean of all", () => {
  assert.deepEqual([TEMPERATURES[0], TEMPERATURES[20], TEMPERATURES[40]], [0.01, 1, 100]);
  const { path } = compute({
    ...START,
    queries: [
      [1, -2],
      [0, 0],
    ],
  });
  assert.ok(Math.hypot(path[0] - 3, path[1] - 2) < 0.01);
  assert.ok(Math.hypot(path[80] - 0, path[81] - 3 / 4) < 0.05);
});

test("the parts of an output sum to 1, one that points away from it is below 0, and an output of zero has none", () => {
  const parts = (hand) =>
    Array.from(
      compute({
        ...START,
        values: [
          [0, 2],
          [0, -1],
          [3, 3],
        ],
        by: "hand",
        hand: [hand, [1, 1, 1]],
      }).parts,
    );
  assert.deepEqual(parts([3, 1, 0]), [1.5 / 1.25, -0.25 / 1.25, 0].map(Math.fround));
  assert.ok(parts([1, 2, 0]).every(Number.isNaN));
});

test("a border of the bar moves weight between two neighbours, as far as they have some", () => {
  assert.deepEqual(withBorder([0.2, 0.5, 0.3], 0, 0.4), [0.4, 0.3, 0.3]);
  assert.deepEqual(withBorder([0.2, 0.5, 0.3], 0, 0.9), [0.7, 0, 0.3]);
  assert.deepEqual(withBorder([0.2, 0.5, 0.3], 1, 0.1), [0.2, 0, 0.8]);
  assert.deepEqual(bordersNear([0.5, 0, 0.5], 0.51, 0.05), [0, 1], "a weight of 0 can be pulled out of both of its borders");
  assert.deepEqual(bordersNear([0.5, 0.25, 0.25], 0.6, 0.05), []);
  assert.deepEqual(
    [0, 0.3, 0.8, 1].map((at) => segmentAt([0.2, 0.5, 0.3], at)),
    [0, 1, 2, 2],
  );
});

test("a weight that is set leaves a sum of 1, and any numbers become weights that a softmax could make", () => {
  assert.deepEqual(withWeight([0.2, 0.2, 0.6], 2, 0.2), [0.4, 0.4, 0.2]);
  assert.deepEqual(withWeight([0, 0, 1], 2, 0.5), [0.25, 0.25, 0.5]);
  assert.deepEqual(withWeight([0.5, 0.5], 0, 7), [1, 0]);
  assert.deepEqual(asWeights([0.6, 0.9, -0.5]), [0.4, 0.6, 0]);
  assert.deepEqual(asWeights([-1, -1]), [0.5, 0.5]);
});

test("on the way between queries no output leaves the hull, and the way ends exactly at what was computed", () => {
  const [from, to] = [
    frameOf({
      queries: [
        [-2, 3],
        [0, 0],
      ],
    }),
    frameOf({
      queries: [
        [2, -4],
        [0, 0],
      ],
      temperature: 0.2,
    }),
  ];
  for (let n = 0; n <= 20; n++) {
    const { outs, weights } = along([from, ...story(to, true), to], n / 20);
    close(
      weights[0].reduce((a, b) => a + b),
      1,
      1e-6,
    );
    assert.notEqual(reached(START.values, outs[0]).reach, "outside");
  }
  assert.equal(along([from, to], 1), to);
  assert.deepEqual(along([from, to], 0).queries[0], from.queries[0]);
});

test("from the query to weights by hand every weight moves straight", () => {
  const [from, to] = [frameOf({}), frameOf({ by: "hand", hand: [[0, 0, 1, 0], START.hand[1]] })];
  const { weights } = along([from, to], 0.5);
  weights[0].forEach((weight, s) => {
    close(weight, (from.weights[0][s] + to.weights[0][s]) / 2);
  });
});

test("each experiment has its own story", () => {
  const two = story(frameOf({ heads: 2 }), false);
  assert.deepEqual(two[0].outs[0], two[0].outs[1], "two heads begin at one place");
  assert.equal(story(frameOf({ temperature: 0.1 }), false)[0].temperature, 1);
  const outside = story(frameOf({ target: [0, 3.5] }), false).map(({ outs }) => outs[0][0]);
  assert.ok(outside[0] < 0 && outside[1] > 0, "it is tried left and right");
  const opening = story(frameOf({}), true).map(({ outs }) => outs[0][0]);
  assert.ok(opening[0] < -2 && opening[1] > opening[0] + 1, "it wanders");
  assert.deepEqual(
    changed(frameOf({}), {
      queries: [
        [0, 0],
        [0, 0],
      ],
    }).weights[0],
    [0.25, 0.25, 0.25, 0.25],
  );
  assert.deepEqual(story(frameOf({ by: "hand" }), false), []);
});

test("labels do not cover each other nor their points, and an optional one gives way", () => {
  const plan = { width: 200, height: 200, unit: 20, centre: /** @type {[number, number]} */ ([0, 0]) };
  const at = /** @type {[number, number]} */ ([100, 100]);
  const one = { text: "output", at, away: [0, -1], gap: 9 };
  const drawn = labelled(plan, [one, one, one], [{ at, r: 8 }]).map(([, { x, y }]) => [Number(x), Number(y)]);
  assert.equal(drawn.length, 3);
  for (const [n, [x, y]] of drawn.entries())
    for (const [u, v] of drawn.slice(n + 1)) assert.ok(Math.abs(x - u) >= 40 || Math.abs(y - v) >= 12, String(drawn));
  const full = [{ at, r: 90 }];
  assert.deepEqual(labelled(plan, [{ ...one, optional: true }], full), []);
  assert.deepEqual(labelled(plan, [{ ...one, optional: true, clear: full }], []), []);
  assert.equal(labelled(plan, [one], full).length, 1);
});

test("the second coordinate points upwards, and a dragged point is in tenths inside the limits", () => {
  const plan = { width: 270, height: 180, unit: 20, centre: /** @type {[number, number]} */ ([0, 0]) };
  assert.deepEqual(toPlace(plan, [0, 0]), [135, 90]);
  assert.deepEqual(toPlace({ ...plan, centre: [0.5, -1] }, [0, 0]), [125, 70]);
  for (const centre of [plan.centre, [0.5, -1]])
    assert.deepEqual(toPoint({ ...plan, centre }, toPlace({ ...plan, centre }, [1, -2])), [1, -2]);
  assert.deepEqual([0.249, 9, -9].map(toTenth), [0.2, 4, -4]);
  assert.ok(Object.is(toTenth(-0.01), 0));
  assert.equal(
    line([
      [0, 0],
      [1.25, -0.01],
    ]),
    "M0 0L1.3 0",
  );
  assert.match(circle([10, 10], 5), /^M5 10a5 5/);
  assert.equal(arrow([0, 0], [10, 0], 2), "M0 1L4 1L4 3L10 0L4 -3L4 -1L0 -1Z");
  assert.equal(arrow([0, 0], [8, 0], 2, 3), "M0 0.5L2 0.5L2 1.5L5 0L2 -1.5L2 -0.5L0 -0.5Z", "it ends 3 before, and is thin");
  assert.equal(arrow([3, 3], [3, 3], 4), "");
});

test("a sheet shows one of two rooms, and goes straight from one to the other", () => {
  assert.equal(roomFor(MODEL_VALUES.slice(0, 4)), NEAR);
  assert.equal(roomFor(MODEL_VALUES), WIDE);
  for (const outside of [
    [3, 0],
    [0, 2],
    [0, -3],
  ])
    assert.equal(roomFor([...MODEL_VALUES.slice(0, 3), outside]), WIDE);
  assert.deepEqual([between(NEAR, WIDE, 0), between(NEAR, WIDE, 1)], [NEAR, WIDE]);
  assert.deepEqual(between(NEAR, WIDE, 0.5).size, [(NEAR.size[0] + 9) / 2, (NEAR.size[1] + 9) / 2]);
});

test("the sentence says where the output is", () => {
  const three = { values: VALUES.slice(0, 3) };
  assert.match(
    told({
      ...three,
      queries: [
        [3, -0.4],
        [0, 0],
      ],
    }).text,
    /^“girls” has 0.72 of 1, “kings” 0.28: the output \(1.34, 2.00\) is almost exactly on the line between their values \(0\.0008 goes to “others”\)\.$/,
  );
  assert.match(
    told({
      ...three,
      queries: [
        [0, 0],
        [0, 0],
      ],
    }).text,
    /^All weights are nearly equal: the output \(0.00, 0.33\)/,
  );
  assert.match(
    told({
      ...three,
      queries: [
        [2, -4],
        [0, 0],
      ],
    }).text,
    /“girls” has > 0\.999 of 1: the output \(3.00, 2.00\) is almost at its value/,
  );
  assert.match(
    told({
      ...three,
      queries: [
        [3, -0.4],
        [0, 0],
      ],
      temperature: 0.1,
    }).text,
    /the lead in score of “girls” over “kings” grows from 0.96 to 9.6.*is almost at this corner/,
  );
  assert.match(
    told({
      ...three,
      queries: [
        [0.3, -0.4],
        [0, 0],
      ],
    }).text,
    /lies inside the (hull|triangle of values), as every average does/,
  );
  assert.match(told({ temperature: 0.01 }).text, /cannot be distinguished from the value of “gold”, which has the weight 0.00/);
  assert.equal(pointText([-0.001, 2]), "(0.00, 2.00)");
});

test("the sentence tells two heads from one", () => {
  const two = (first, second) => told({ by: "hand", heads: 2, hand: [first, second] }).text;
  assert.match(
    two([1, 0, 0, 0], [0, 1, 0, 0]),
    /passes on both points, .* One head, half and half, would give \(0.00, 2.00\), the value of the fourth word, “gold”, at which neither head looks\.$/,
  );
  assert.match(two([0.99, 0, 0.01, 0], [0, 1, 0, 0]), /would give \(0.01, 1.98\), nearly the value of the fourth word, “gold”/);
  assert.match(two([1, 1, 0, 2], [1, 1, 0, 8]), /look alike/);
  assert.match(two([9, 0, 0, 1], [0, 9, 0, 1]), /the value of the fourth word, “gold”\.$/, "both heads look at gold");
  assert.match(two([0, 0, 0, 1], [0, 0, 0, 1]), /Both stand at the value of “gold”/);
  assert.match(two([1, 0, 0, 0], [0, 0, 0, 1]), /each lies in the hull/);
  assert.match(two([1, 0, 1, 0], [1, 0, 1, 0]), /look alike say no more than one\.$/);
});

test("the sentence says whether a target can be reached, and offers the weights", () => {
  const three = {
    values: VALUES.slice(0, 3),
    queries: [
      [4, -0.2],
      [0, 0],
    ],
  };
  const outside = told({ ...three, target: [0.6, 3.5] });
  assert.equal(outside.verdict, "bad");
  outside.offer.forEach((weight, s) => {
    close(weight, [0.55, 0.75, -0.3][s], 1e-6);
  });
  assert.equal(told({ ...three, target: [0, 0] }).verdict, "good");
  assert.match(told({ ...three, target: [3, 2] }).text, /as near as you like/);
  const taken = told({
    ...three,
    target: [0.6, 3.5],
    by: "free",
    hand: [
      [0.55, 0.75, -0.3],
      [1, 1, 1],
    ],
  });
  assert.match(taken.text, /is reached, but not by a head. “others” has a weight below 0/);
  assert.equal(taken.offer, null);
  assert.match(
    told({
      ...three,
      by: "free",
      hand: [
        [1, 1, 0],
        [1, 1, 1],
      ],
    }).text,
    /sum to 2.00, not to 1.*outside of the hull/,
  );
  assert.match(
    told({
      ...three,
      by: "free",
      hand: [
        [0.5, 0.5, 0],
        [1, 1, 1],
      ],
    }).text,
    /none is below 0. The output \(0.00, 2.00\) lies in the hull/,
  );
});

test("the sentence names the values that pull the output back", () => {
  const { text } = told({
    values: [
      [-3, 2],
      [3, 2],
      [-1, -0.5],
    ],
    by: "hand",
    hand: [
      [1, 3, 5],
      [1, 1, 1],
    ],
    shares: true,
  });
  assert.match(
    text,
    /^Measured along the output: “others”, with the weight 0.56, makes up −0.\d\d of it.*“others” pulls the output back\.$/,
  );
});
