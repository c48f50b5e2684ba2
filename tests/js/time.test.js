import assert from "node:assert/strict";
import { test } from "node:test";
import { at, between, fade, fall, mix, progress, soft, swing } from "../../src/attn/labs/kit/time.js";

test("every ease runs from 0 to 1 and never back", () => {
  for (const ease of [swing, fall, soft]) {
    const values = Array.from({ length: 101 }, (_, n) => ease(n / 100));
    assert.equal(values[0], 0);
    assert.equal(values[100], 1);
    values.slice(1).forEach((value, n) => assert.ok(value >= values[n], `${ease.name} at ${n}`));
  }
});

test("progress is 0 before its time and 1 after it, also if it takes no time", () => {
  assert.deepEqual(
    [1, 2, 3].map((t) => progress(t, 1, 3)),
    [0, 0.5, 1],
  );
  assert.deepEqual(
    [0.9, 1, 1.1].map((t) => progress(t, 1, 1)),
    [0, 1, 1],
  );
});

test("what fades in stays until it fades out", () => {
  assert.deepEqual(
    [0, 1, 5].map((t) => fade(t, 0, 1)),
    [0, 1, 1],
  );
  assert.deepEqual(
    [1, 2, 4].map((t) => fade(t, 0, 1, 3, 4)),
    [1, 1, 0],
  );
});

test("a mix ends in exactly the number where it goes, whatever it starts from", () => {
  for (const [a, b] of [
    [1e9, 0.1],
    [-1 / 3, 2 / 3],
    [0.1, 1e-9],
  ])
    assert.equal(mix(a, b, 1), b);
});

test("a track rests at each place until the next move, and moves that overlap continue from where the sheet is", () => {
  const [a, b, c] = [
    { x: 0, y: 0, p: 10 },
    { x: 100, y: 40, p: 20 },
    { x: -7, y: 3, p: 1 },
  ];
  const track = /** @type {import("../../src/attn/labs/kit/time.js").Track} */ ([a, [1, 2, b], [3, 4, c]]);
  assert.deepEqual(
    [0, 1, 2, 2.5, 3, 4, 9].map((t) => at(track, t)),
    [a, a, b, b, b, c, c],
  );
  assert.deepEqual(at(track, 1.5), between(a, b, 0.5));
});
