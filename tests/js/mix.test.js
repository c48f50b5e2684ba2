// MixLab: the hull, invalid links, the sentences about outputs, and the positions of points in the picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { remark } from "../../src/attn/labs/mix/explain.js";
import { fromPicture, hull, pathThrough, roundToTenth, toPicture, valueAt } from "../../src/attn/labs/mix/geometry.js";
import { blend, compute, problem, TEMPERATURES } from "../../src/attn/labs/mix/model.js";

const START = {
  values: [
    [-3, 2],
    [3, 2],
    [0, 2],
    [0, -1],
  ],
  queries: [
    [0, 2],
    [1, 1],
  ],
  temperature: 1,
  by: "query",
  hand: [
    [1, 1, 0, 0],
    [0, 0, 1, 0],
  ],
  heads: 1,
};
const sorted = (points) => points.map(String).sort();

test("the hull has only corners, for points in any order and on one line", () => {
  assert.deepEqual(
    sorted(hull(START.values)),
    sorted([
      [-3, 2],
      [3, 2],
      [0, -1],
    ]),
  );
  assert.deepEqual(
    sorted(
      hull([
        [1, 1],
        [0, 0],
        [4, 0],
        [0, 4],
        [4, 4],
        [2, 3],
      ]),
    ),
    sorted([
      [0, 0],
      [4, 0],
      [0, 4],
      [4, 4],
    ]),
  );
  assert.deepEqual(
    sorted(
      hull([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    ),
    sorted([
      [0, 0],
      [2, 2],
    ]),
  );
  assert.ok(
    hull([
      [1, 1],
      [1, 1],
      [1, 1],
    ]).every((corner) => String(corner) === "1,1"),
  );
});

test("every weighted sum is inside the hull, on the inner side of every edge", () => {
  const corners = hull(START.values);
  for (let n = 0; n < 200; n++) {
    const drawn = START.values.map((_, s) => ((n * (s + 3) * 7919) % 101) + 0.01);
    const sum = drawn.reduce((a, b) => a + b);
    const [x, y] = blend(
      drawn.map((one) => one / sum),
      START.values,
    );
    corners.forEach(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length];
      assert.ok((bx - ax) * (y - ay) - (by - ay) * (x - ax) > -1e-9);
    });
  }
});

test("an invalid link is refused with the reason", () => {
  assert.equal(problem(START), null);
  const wrong = [
    [
      {
        values: [
          [0, 0],
          [1, 1],
        ],
      },
      /3 to 6 points/,
    ],
    [
      {
        values: [
          [0, 0],
          [1, 1],
          [5, 0],
        ],
      },
      /3 to 6 points/,
    ],
    [{ values: "no" }, /3 to 6 points/],
    [
      {
        values: [
          [0, 0],
          [1, 1],
          [2, null],
        ],
      },
      /3 to 6 points/,
    ],
    [{ queries: [[0, 0]] }, /two points/],
    [{ hand: [[1, 1, 1, 1]] }, /two rows/],
    [
      {
        hand: [
          [1, 1, 1],
          [1, 1, 1],
        ],
      },
      /for each value/,
    ],
    [
      {
        hand: [
          [1, 1, 1, 11],
          [1, 1, 1, 1],
        ],
      },
      /0 to 10/,
    ],
    [
      {
        hand: [
          [1, 1, 1, 0.5],
          [1, 1, 1, 1],
        ],
      },
      /whole number/,
    ],
    [{ temperature: 0 }, /temperature/],
    [{ temperature: NaN }, /temperature/],
    [{ heads: 3 }, /one or two heads/],
    [
      {
        by: "hand",
        hand: [
          [0, 0, 0, 0],
          [1, 1, 1, 1],
        ],
      },
      /All hand weights of head 0 are 0/,
    ],
  ];
  for (const [change, message] of wrong) {
    assert.match(problem({ ...START, ...change }), message);
    assert.throws(() => compute({ ...START, ...change }), message);
  }
  const second = {
    by: "hand",
    hand: [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
  };
  assert.equal(problem({ ...START, ...second }), null); // there is no head 1
  assert.match(problem({ ...START, ...second, heads: 2 }), /head 1/);
});

test("the path runs from one value to the mean of all", () => {
  assert.deepEqual([TEMPERATURES[0], TEMPERATURES[20], TEMPERATURES[40]], [0.01, 1, 100]);
  const { path } = compute({
    ...START,
    queries: [
      [2, -1],
      [0, 0],
    ],
  });
  assert.ok(valueAt([path[0], path[1]], START.values) === 2);
  assert.ok(Math.hypot(path[80] - 0, path[81] - 5 / 4) < 0.05);
});

test("shares sum to 1, a word that points away from the output has a negative one, and an output of zero has none", () => {
  const shares = (changes) => Array.from(compute({ ...START, by: "hand", ...changes }).shares);
  assert.deepEqual(
    shares({
      hand: [
        [0, 0, 3, 1],
        [1, 1, 1, 1],
      ],
    }),
    [0, 0, 1.5 / 1.25, -0.25 / 1.25].map(Math.fround),
  );
  assert.ok(
    shares({
      hand: [
        [0, 0, 1, 2],
        [1, 1, 1, 1],
      ],
    }).every(Number.isNaN),
  );
});

const text = (changes) => remark({ ...START, ...changes }, compute({ ...START, ...changes }));

test("for an output that could be mistaken for a value, the sentence names the weight of that value", () => {
  assert.equal(
    text({ temperature: 0.01 }),
    "The output cannot be distinguished from the value of bank, which has the weight 0.00.",
  );
  assert.equal(
    text({
      by: "hand",
      hand: [
        [0, 0, 5, 0],
        [1, 1, 1, 1],
      ],
    }),
    "The output cannot be distinguished from the value of bank, which has nearly all weight.",
  );
  assert.equal(text({}), "The output is not the value of any word.");
  const apart = text({
    by: "hand",
    heads: 2,
    hand: [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
    ],
  });
  assert.match(apart, /average of the two outputs could not be distinguished from the value of bank. Side by side they can/);
  assert.equal(
    text({
      by: "hand",
      heads: 2,
      hand: [
        [0, 0, 1, 0],
        [0, 0, 1, 0],
      ],
    }),
    "Both outputs are at the value of bank.",
  );
  assert.equal(
    text({
      by: "hand",
      heads: 2,
      hand: [
        [1, 0, 0, 0],
        [0, 0, 0, 1],
      ],
    }),
    "Side by side the two outputs are four numbers.",
  );
});

test("the second coordinate points upwards, and a dragged point is rounded to tenths inside the limits", () => {
  assert.deepEqual(toPicture([0, 0]), [160, 160]);
  assert.deepEqual(fromPicture(toPicture([1, -2])).map(roundToTenth), [1, -2]);
  assert.ok(toPicture([0, 1])[1] < 160 && toPicture([1, 0])[0] > 160);
  assert.deepEqual([roundToTenth(0.249), roundToTenth(9), roundToTenth(-9), Object.is(roundToTenth(-0.01), 0)], [0.2, 4, -4, true]);
  assert.match(
    pathThrough([
      [0, 0],
      [1, 1],
    ]),
    /^M160\.0 160\.0L/,
  );
});
