import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTry } from "../../src/attn/labs/kit/tries.js";

test("the settings of a sentence are numbers, truth values, lists, null or text", () => {
  const { lab, settings } = parseTry('H=1, causal=true, pin=[0, 1, 2, 3], S=null, way=view only, step="k, v"');
  assert.equal(lab, "");
  assert.deepEqual(settings, { H: 1, causal: true, pin: [0, 1, 2, 3], S: null, way: "view only", step: "k, v" });
});

test("a sentence may name its lab", () => {
  assert.deepEqual(parseTry("MaskLab: rule=causal"), { lab: "MaskLab", settings: { rule: "causal" } });
});
