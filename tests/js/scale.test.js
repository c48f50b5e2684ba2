import assert from "node:assert/strict";
import { test } from "node:test";
import { magnitude, pixels, shade } from "../../src/attn/labs/kit/scale.js";

test("weights are coloured from 0 to 1, signed numbers are white at 0, infinity and NaN have no colour", () => {
  const [dark, bright, ...none] = pixels(Float32Array.from([0, 1, -Infinity, NaN]), "weights", 1);
  assert.equal(dark, 0xff540144); // #440154, stored as ABGR
  assert.equal(bright, 0xff25e7fd);
  assert.deepEqual(none, [0, 0]);
  const [low, zero, high] = pixels(Float32Array.from([-3, 0, 3]), "signed", 3);
  assert.equal(low, 0xffac6621);
  assert.equal(high, 0xff0658b3);
  for (const shift of [0, 8, 16]) assert.ok(((zero >> shift) & 255) > 240);
  assert.equal(magnitude(Float32Array.from([1, -3, -Infinity, NaN])), 3);
  assert.equal(magnitude(new Float32Array(4)), 1);
});

test("text on a cell is readable: its contrast is at least 4.5 on every colour", () => {
  const luminance = (rgb) => {
    const linear = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  for (const [kind, least] of [
    ["weights", 0],
    ["signed", -1],
  ])
    for (let value = least; value <= 1; value += 1 / 128) {
      const { paper, ink } = shade(value, kind, 1);
      const [a, b] = [luminance(paper.match(/\d+/g).map(Number)), ink === "#000" ? 0 : 1];
      assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 4.5, `${ink} on ${paper}`);
    }
  assert.equal(shade(-Infinity, "weights", 1), null);
});
