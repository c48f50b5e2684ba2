import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLink, toLink } from "../../src/attn/labs/kit/page.js";
import { asCode } from "../../src/attn/labs/kit/share.js";

const _limits = { B: [1, 4], L: [1, 24], S: [1, 24] };
const traits = { B: 2, L: 5, S: null, causal: false, step: "scores", pin: null, shape: [2, 3], _limits, _message: "" };

test("a link contains the settings that differ from the start, and reading it restores them", () => {
  const settings = { B: 3, L: 5, S: 7, causal: true, step: "weights", pin: [0, 1, 2, 3], shape: [2, 3] };
  const link = toLink("lab-1", settings, traits);
  assert.ok(!link.includes("L="));
  assert.deepEqual({ ...traits, ...fromLink("lab-1", traits, link) }, { ...traits, ...settings });
});

test("a link to another lab, or to a heading, has no settings", () => {
  for (const fragment of ["", "#", "#lab-2?B=3", "#lab-10?B=3", "#heading"])
    assert.deepEqual(fromLink("lab-1", traits, fragment), {});
});

test("invalid settings are ignored, and the others are applied", () => {
  const sizes = ["B=9", "B=0", "B=1.5", "B=x", "B=[1]", "shape=3"];
  const bad = [...sizes, "causal=7", "causal=%22no%22", "_message=%22hello%22", "__proto__=1", "nonsense=1", "toString=1"];
  for (const one of bad) assert.deepEqual(fromLink("lab-1", traits, `#lab-1?${one}&L=9`), { L: 9 }, one);
});

test("the code that makes a lab is Python", () => {
  const settings = { B: 2, S: null, causal: true, scale: false, step: "scores", pin: [0, 1, 2, 3] };
  assert.equal(asCode("ShapeLab", settings), 'ShapeLab(B=2, S=None, causal=True, scale=False, step="scores", pin=[0, 1, 2, 3])');
  assert.equal(
    asCode("TrainingLab", { task: "go on", pin: null }, ["copied", "two"]),
    'TrainingLab(copied, two, task="go on", pin=None)',
  );
});
