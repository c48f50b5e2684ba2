// MixLab: the hull, settings of links, weights by hand, what is drawn on the way, where labels stand, and the sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { aim } from "../../src/attn/labs/mix/aim.js";
import { barPicture } from "../../src/attn/labs/mix/bar.js";
import { along, changed, still, story, trailOf } from "../../src/attn/labs/mix/between.js";
import { asWeights, bordersNear, segmentAt, withBorder, withWeight } from "../../src/attn/labs/mix/hand.js";
import { distance, hull, reached } from "../../src/attn/labs/mix/hull.js";
import { keysPicture } from "../../src/attn/labs/mix/keys.js";
import { labelled } from "../../src/attn/labs/mix/labels.js";
import {
  blend,
  compute,
  VALUES as MODEL_VALUES,
  partsOf,
  problem,
  TEMPERATURES,
  WORDS,
  weightsAt,
} from "../../src/attn/labs/mix/model.js";
import { arrow, between, circle, line, NEAR, roomFor, toPlace, toPoint, toTenth, WIDE } from "../../src/attn/labs/mix/sheet.js";
import { valuesPicture } from "../../src/attn/labs/mix/values.js";
import { movingSentence, pointText, sentence } from "../../src/attn/labs/mix/words.js";
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
  const aimed = frameOf({ target: [0, 3.5], queries: [[2, -4], START.queries[1]] });
  const [begin, half, whole] = story(aimed, false);
  assert.deepEqual(
    [begin, half].map(({ queries }) => queries[0]),
    [
      [1.5, -0.4],
      [1, -2],
    ],
  );
  assert.equal(whole, aimed, "it rests at the end");
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
  assert.equal(told({ ...three, target: [0, 0] }).verdict, "", "it can be reached, and is not yet");
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

const THREE = MODEL_VALUES.slice(0, 3);
const PLANE = {
  values: THREE,
  queries: [
    [1.5, -0.4],
    [2, 1],
  ],
  hand: [
    [1, 2, 1],
    [2, 1, 1],
  ],
};
const LOOK = { tints: ["#111", "#222", "#333"], head: "#444", query: "#555" };
const PLAN = { width: 460, height: 410, unit: 80, centre: /** @type {[number, number]} */ ([0, -0.76]) };
const textsOf = ([shapes]) => shapes.filter(([tag]) => tag === "text").map(([, , text]) => text);

test("the query that is aimed at a target is the one whose output is nearest, within the limits", () => {
  const state = { values: THREE, temperature: 1 };
  assert.deepEqual(aim(state, [0, -0.2]), [0, 0], "the mean");
  const outwards = aim(state, [2, 1]);
  assert.deepEqual(outwards, [2.35, -4], "as long as it may be, along the key of girls");
  assert.deepEqual([aim(state, [4, 2]), aim(state, [4, 0])], [outwards, outwards], "the nearest point is the same corner");
  const far = (query, target) => distance(blend(weightsAt(1, query, 3), THREE), target);
  for (const target of [
    [0.5, 0.5],
    [1, 0.9],
    [-0.7, -0.5],
    [0, 1],
    [2.2, -0.8],
    [-4, -4],
    [0, -2.6],
  ]) {
    const { reach, nearest } = reached(THREE, target);
    const query = aim(state, target);
    assert.ok(query.every((x) => Math.abs(x) <= 4));
    const missed = far(query, target) - distance(nearest, target);
    assert.ok(missed < 0.006 && (reach === "inside" || missed > 0), `${target}: ${missed}`);
  }
});

test("an output that is aimed at a corner leaves a trail that ends in it, and has none at rest", () => {
  const to = frameOf({
    ...PLANE,
    queries: [
      [2.35, -4],
      [2, 1],
    ],
    target: [2, 1],
  });
  const route = [frameOf(PLANE), ...story(to, false), to];
  assert.deepEqual([trailOf(route, 0.25), trailOf(route, 1), trailOf([to, to], 0.5)], [[], [], []]);
  assert.ok(trailOf(route, 0.3).length < trailOf(route, 0.45).length, "it begins where the search begins");
  const trail = trailOf(route, 0.45);
  const far = [along(route, 0.45).outs[0], ...trail].map((out) => distance(out, [2, 1]));
  for (let n = 1; n < far.length; n++) assert.ok(far[n - 1] <= far[n], "the older, the further away");
  assert.ok(distance(trailOf(route, 0.99)[0], to.outs[0]) < 1e-6);
});

test("during a move shares and scores are those of the moment, or are not there", () => {
  const from = frameOf({
    ...PLANE,
    by: "hand",
    values: [
      [-3, 2],
      [3, 2],
      [-1, -0.5],
    ],
    hand: [
      [1, 3, 5],
      [1, 1, 1],
    ],
  });
  const to = frameOf(PLANE);
  const results = compute({ ...START, ...PLANE });
  for (const t of [0.1, 0.3, 0.5, 0.8]) {
    const frame = along([from, to], t);
    const parts = partsOf(frame.weights[0], frame.values, frame.outs[0]);
    const shares = textsOf(valuesPicture(PLAN, frame, results, LOOK, { pick: 0, shares: true })).filter((text) =>
      /\d\.\d\d$/.test(text),
    );
    assert.ok(shares.length > 0);
    for (const text of shares) {
      const [word, number] = text.split(" ");
      close(Number(number.replace("−", "-")), parts[WORDS.indexOf(word)], 0.00501);
    }
    assert.ok(textsOf(keysPicture(PLAN, frame, LOOK, 0)).includes("girls"), "no score fits weights that were set by hand");
  }
  assert.ok(textsOf(keysPicture(PLAN, to, LOOK, 0)).some((text) => /^girls \d/.test(text)));
});

test("picture and sentence agree about a target: there, never there, or so far away", () => {
  const seen = (queries, target) => {
    const state = { ...START, ...PLANE, queries: [queries, [2, 1]], target };
    const results = compute(state);
    const [shapes] = valuesPicture(PLAN, still(state, results), results, LOOK, { pick: 0, shares: false });
    const cross = shapes.find(([, { class: kind }]) => String(kind).startsWith("target"));
    return { ...sentence(state, results), cross: cross?.[1].class, texts: textsOf([shapes]) };
  };
  const mean = seen([0, 0], [0, -0.2]);
  assert.deepEqual([mean.mark, mean.cross], ["✓", "target good"]);
  assert.match(mean.text, /The output is there\.$/);
  const missed = seen([1.5, -0.4], [0, -0.2]);
  assert.deepEqual([missed.mark, missed.cross], ["", "target "]);
  assert.match(missed.text, /inside the hull, so there are weights that lead to it.* is 1\.43 away\.$/);
  const corner = seen([2.35, -4], [2, 1]);
  assert.deepEqual([corner.mark, corner.cross], ["✗", "target bad"]);
  assert.match(corner.text, /comes ever nearer and never arrives, .* the least is 0\.00006, and the output is 0\.0004 away\.$/);
  const twice = seen([2.35, -4], [4, 2]);
  assert.match(twice.text, /stays 2\.24 away\. .* “kings” would need the weight −0\.36 and “others” −0\.28;/);
  assert.ok(twice.texts.includes("2.24 away"));
  assert.match(movingSentence({ ...START, target: [2, 1] }, "edge", true), /in ever smaller steps/);
});

test("the name of a target stays beside its cross, and that of a free weight right of zero", () => {
  const [at, away] = [
    [100, 100],
    [0, 1],
  ];
  const crowd = [{ at, r: 60 }];
  const [[, { x, y }]] = labelled(PLAN, [{ text: "to reach", at, away, gap: 10, isClose: true }], crowd);
  assert.ok(Math.abs(Number(x) - 100) < 60 && Math.abs(Number(y) - 100) < 36);
  const free = frameOf({
    ...PLANE,
    by: "free",
    hand: [
      [-0.3, 0.8, 0.5],
      [1, 1, 1],
    ],
  });
  for (const width of [118, 132]) {
    const [shapes] = barPicture({ ...PLAN, width }, free, LOOK, { head: 0, pick: 0 });
    const texts = shapes.filter(([tag]) => tag === "text");
    assert.ok(texts.length > 3, "the longest words have their weight below them");
    for (const [, { x: middle }, text] of texts) assert.ok(Number(middle) - 3.7 * text.length > width / 3, text);
  }
});
