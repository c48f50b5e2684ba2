import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLink, toLink } from "../../src/attn/labs/kit/page.js";
import { asCode } from "../../src/attn/labs/kit/share.js";
import { whole, wholes } from "../../src/attn/labs/kit/takes.js";

const _limits = { B: [1, 4], L: [1, 24], S: [1, 24] };
const choices = { step: ["scores", "weights"], scale: [1, 2] };
const optional = { S: "number", pin: "array" };
const settings = { B: 2, L: 5, S: null, causal: false, step: "scores", scale: 1, pin: null, shape: [2, 3] };
const traits = { ...settings, _limits, _schema: { choices, optional }, _message: "" };

test("a link contains the settings that differ from the start, and reading it restores them", () => {
  const changed = { ...settings, B: 3, S: 7, causal: true, step: "weights", scale: 2, pin: [0, 1, 2, 3] };
  const link = toLink("lab-1", changed, traits);
  assert.ok(!link.includes("L="));
  assert.deepEqual({ ...traits, ...fromLink("lab-1", traits, link) }, { ...traits, ...changed });
});

test("a setting that is now null has no value in a link, and both ways to write it are read", () => {
  const start = { ...traits, S: 7, pin: [0, 1, 2, 3] };
  const link = toLink("lab-1", settings, start);
  assert.equal(link, "#lab-1?S=&pin=");
  for (const written of [link, "#lab-1?S=null&pin=null"])
    assert.deepEqual(fromLink("lab-1", start, written), { S: null, pin: null });
});

test("a link to another lab, or to a heading, has no settings", () => {
  for (const fragment of ["", "#", "#lab-2?B=3", "#lab-10?B=3", "#heading"])
    assert.deepEqual(fromLink("lab-1", traits, fragment), {});
});

test("invalid settings are ignored, and the others are applied", () => {
  const sizes = ["B=9", "B=0", "B=1.5", "B=x", "B=[1]", "B=null", "B=", "shape=3", "shape=null"];
  const others = ["step=nonsense", "step=null", "scale=3", "scale=two", "pin=3", "pin=here", "S=[1]"];
  const bad = [
    ...sizes,
    ...others,
    "causal=7",
    "causal=%22no%22",
    "_message=%22hello%22",
    "__proto__=1",
    "nonsense=1",
    "toString=1",
  ];
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

test("a list of an address has as many whole numbers as the setting, or it is none", () => {
  const two = wholes(2);
  for (const value of [null, [0, 1], [99, 3]]) assert.ok(two(value), JSON.stringify(value));
  for (const value of [[], [1], [1, 2, 3], [[1]], ["a", 1], [null, 1], [-1, 0], [0.5, 1], "1,2", {}]) assert.ok(!two(value));
  assert.deepEqual([null, 0, 7, -1, 1.5, "7", [7]].map(whole), [true, true, true, false, false, false, false]);
});
