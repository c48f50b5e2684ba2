import assert from "node:assert/strict";
import { test } from "node:test";
import * as strided from "../../src/attn/labs/kit/strided.js";
import { layout, nextCell } from "../../src/attn/labs/passport/layout.js";
import { coincidences, compute, describeElement, passport, verdict, wayOf } from "../../src/attn/labs/passport/model.js";
import { lab } from "../../src/attn/labs/passport/view.js";

const { arange, contiguous, elements, isContiguous, permute, reshape, transpose, view, viewStrides } = strided;

const SIZES = { B: 1, L: 5, H: 3, D: 4 };
const split = (way, sizes = {}) => ({ ...SIZES, ...sizes, operation: "split", way });
const merge = (way, sizes = {}) => ({ ...SIZES, ...sizes, operation: "merge", way });
const TOO_FAR = {
  message:
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous " +
    "subspaces). Use .reshape(...) instead.",
};

test("a view shares the storage, a reshape copies where it must", () => {
  const x = arange([2, 3, 4]);
  assert.deepEqual(x.strides, [12, 4, 1]);
  const exchanged = permute(x, [1, 0, 2]);
  assert.equal(exchanged.storage, x.storage);
  assert.deepEqual(
    [exchanged.shape, exchanged.strides],
    [
      [3, 2, 4],
      [4, 12, 1],
    ],
  );
  assert.throws(() => view(exchanged, [6, 4]), TOO_FAR);
  const copy = reshape(exchanged, [6, 4]);
  assert.notEqual(copy.storage, x.storage);
  assert.deepEqual(elements(copy).slice(0, 8), [0, 1, 2, 3, 12, 13, 14, 15]);
  assert.deepEqual(copy.strides, [4, 1]);
  assert.equal(reshape(exchanged, [3, 2, 2, 2]).storage, x.storage);
});

test("an axis of size 1 never prevents a view", () => {
  assert.ok(isContiguous(transpose(arange([4, 1, 3]), 0, 1)));
  assert.deepEqual(viewStrides(permute(arange([1, 5, 1, 4]), [0, 2, 1, 3]), [20]), [1]);
  assert.equal(viewStrides(permute(arange([1, 5, 2, 4]), [0, 2, 1, 3]), [40]), null);
});

test("contiguous returns the tensor itself if it is already contiguous", () => {
  const x = arange([3, 4]);
  assert.equal(contiguous(x), x);
  assert.deepEqual(contiguous(transpose(x, 0, 1)).storage.slice(0, 4), [0, 4, 8, 1]);
});

test("sizes that do not fit raise PyTorch's own messages", () => {
  assert.throws(() => view(arange([3, 4]), [5, -1]), { message: "shape '[5, -1]' is invalid for input of size 12" });
  assert.throws(() => reshape(arange([3, 4]), [13]), { message: "shape '[13]' is invalid for input of size 12" });
  assert.throws(() => view(arange([3, 4]), [-1, -1]), { message: "only one dimension can be inferred" });
  assert.deepEqual(view(arange([3, 4]), [2, -1, 3]).shape, [2, 2, 3]);
});

test("a passport depends on the order of the storage: x is stored token by token, heads head by head", () => {
  assert.deepEqual(passport(17, split("right")), { b: 0, l: 1, h: 1, d: 1 });
  assert.deepEqual(passport(61, split("right", { B: 2 })), { b: 1, l: 0, h: 0, d: 1 });
  assert.deepEqual(passport(17, merge("right")), { b: 0, l: 4, h: 0, d: 1 });
  assert.deepEqual(passport(25, merge("right")), { b: 0, l: 1, h: 1, d: 1 });
});

test("every way treats all samples alike, so the lab can compute one and copy it", () => {
  for (const state of [split("right"), split("view only"), split("interleaved"), merge("right"), merge("no transpose")]) {
    const { result, right } = compute({ ...state, B: 3 });
    const size = result.length / 3;
    for (const places of [result, right]) {
      const samples = [0, 1, 2].map((b) => Array.from(places.slice(b * size, (b + 1) * size), (place) => place - b * size));
      assert.deepEqual(samples, [samples[0], samples[0], samples[0]]);
    }
  }
});

test("the right ways put everything in place, the wrong ones do not, and all results have the same shape", () => {
  const placed = (state) => compute(state).counts["in place"];
  assert.equal(placed(split("right")), 60);
  assert.equal(placed(merge("right")), 60);
  const counts = (state) => Object.values(compute(state).counts); // in place, another head, another token, another channel
  assert.deepEqual(counts(split("view only")), [12, 40, 48, 0]);
  assert.deepEqual(counts(split("interleaved")), [10, 30, 0, 40]);
  assert.deepEqual(counts(merge("no transpose")), [12, 40, 48, 0]);
  for (const way of ["right", "view only", "interleaved"]) assert.deepEqual(compute(split(way)).steps.at(-1).shape, [1, 3, 5, 4]);
});

test("the next calls raise an error, make a view or copy", () => {
  const does = (state) => compute(state).next.map((one) => one.does);
  assert.deepEqual(does(split("right")), ["error", "copy", "copy", "view"]);
  assert.deepEqual(does(split("view only")), ["view", "view", "view", "error"]);
  assert.deepEqual(does(split("interleaved")), ["view", "view", "copy", "error"]);
  assert.deepEqual(does(merge("right")), ["error", "copy", "copy"]);
  assert.deepEqual(does(merge("no transpose")), ["view", "view", "view"]);
  assert.equal(compute(split("right")).next[0].message, TOO_FAR.message);
});

test("the notes warn of sizes that hide the bug", () => {
  const notes = (state) => coincidences(state, compute(state).counts);
  assert.deepEqual(notes(split("view only")), []);
  assert.deepEqual(notes(split("view only", { H: 1 })), ["H = 1: all 20 elements are in place; this test cannot see the bug."]);
  assert.deepEqual(notes(merge("no transpose", { L: 1 })), ["L = 1: all 12 elements are in place; this test cannot see the bug."]);
  assert.deepEqual(notes(split("interleaved", { L: 1 })), []);
  assert.match(notes(split("interleaved", { D: 1, H: 1 }))[0], /^H = 1 and D = 1: all 5 elements are in place;/);
  assert.deepEqual(notes(merge("right", { H: 1 })), ["H = 1: reshape(B, L, H*D) gives the same; this test cannot see the bug."]);
  assert.match(notes(split("view only", { L: 3 }))[0], /^L = H = 3: \(B, L, H, D\) and \(B, H, L, D\) are the same shape/);
  assert.deepEqual(notes(split("right", { D: 3 })), ["H = D = 3: view(B, L, H, D) and view(B, L, D, H) are the same call."]);
});

test("the reader is warned exactly where a wrong way puts everything in place", () => {
  for (let n = 0; n < 4 ** 4; n++) {
    const [B, L, H, D] = [0, 1, 2, 3].map((axis) => 1 + (Math.floor(n / 4 ** axis) % 4));
    const sizes = { B, L, H, D };
    for (const state of [split("view only", sizes), split("interleaved", sizes), merge("no transpose", sizes)]) {
      const { counts, result } = compute(state);
      const announced = coincidences(state, counts).some((note) => note.includes(`all ${result.length} elements are in place`));
      assert.equal(announced, counts["in place"] === result.length, JSON.stringify(state));
    }
  }
});

test("the verdict counts elements in the wrong place", () => {
  const sentence = (state) => verdict(compute(state).counts, 60);
  assert.equal(sentence(split("view only")), "40 of 60 elements in another head, 48 at another token; 12 in place (20%)");
  assert.equal(sentence(split("interleaved")), "30 of 60 elements in another head, 40 in another channel; 10 in place (16.7%)");
  assert.equal(sentence(split("right")), "all 60 elements are in place");
});

test("the description of an element names where it belongs and what it is taken for", () => {
  const description = (place, state) => describeElement(place, compute(state), state);
  const start = "Place 27 in memory holds token 2, head 0, channel 3. It belongs at [0, 0, 2, 3] of the result";
  const wrong = "view(B, H, L, D) puts it at [0, 1, 1, 3], where it is taken for token 1, head 1, channel 3.";
  assert.equal(description(27, split("view only")), `${start}; ${wrong}`);
  assert.equal(description(27, split("right")), `${start}, and view(B, L, H, D).permute(0, 2, 1, 3) puts it there.`);
  const second = description(80, merge("no transpose", { B: 2 }));
  assert.match(second, /head 1, channel 0 of sample 1\. It belongs at \[1, 0, 4\] of the result; .* at \[1, 1, 8\]/);
});

test("the kernel's float32 numbers give the same descriptions as the browser's", () => {
  const state = split("view only");
  const results = compute(state);
  const floats = { ...results, result: Float32Array.from(results.result), right: Float32Array.from(results.right) };
  for (let place = 0; place < 60; place++)
    assert.equal(describeElement(place, floats, state), describeElement(place, results, state));
});

test("an operation with the way of the other one, as in a link written by hand, gets its own bug", () => {
  assert.equal(wayOf(merge("view only")), "no transpose");
  assert.equal(wayOf(split("no transpose")), "view only");
  assert.deepEqual(lab.compute(merge("view only")), compute(merge("no transpose")));
});

test("cells are side by side inside the picture, without overlap", () => {
  for (const [H, C, group, width] of [
    [3, 4, 4, 340],
    [1, 20, 5, 340],
    [8, 8, 8, 300],
    [4, 5, 5, 700],
    [1, 64, 64, 320],
  ]) {
    const shape = { tables: 2 * H, perSample: H, R: 6, C, group, width, left: 36, captioned: true, wrap: true, labelWidth: 26 };
    const plan = layout(shape);
    const seen = new Set();
    for (let n = 0; n < 2 * H * 6 * C; n++) {
      const [x, y] = plan.cellAt(n);
      assert.ok(x >= 36 && y >= 0 && x + plan.cellWidth <= plan.width && y + plan.cellHeight <= plan.height, `${n} of ${H}, ${C}`);
      assert.ok(!seen.has(`${x} ${y}`));
      seen.add(`${x} ${y}`);
    }
  }
});

test("tables are laid out in two lines if that makes room for labels", () => {
  const shape = { tables: 3, perSample: 3, R: 5, C: 4, group: 4, left: 36, captioned: false, labelWidth: 26 };
  const broken = (width, wrap) => {
    const { across, hasLongLabels } = layout({ ...shape, width, wrap });
    return [across, hasLongLabels];
  };
  assert.deepEqual(broken(340, true), [2, true]);
  assert.deepEqual(broken(340, false), [3, false]);
  assert.deepEqual(broken(700, true), [3, true]);
});

test("arrow keys stay inside a table, page keys inside a sample, and home and end move between samples", () => {
  const shape = { tables: 6, perSample: 3, R: 5, C: 4 };
  assert.equal(nextCell(0, "ArrowRight", shape), 1);
  assert.equal(nextCell(3, "ArrowRight", shape), 3);
  assert.equal(nextCell(0, "ArrowUp", shape), 0);
  assert.equal(nextCell(1, "ArrowDown", shape), 5);
  assert.equal(nextCell(1, "PageDown", shape), 21);
  assert.equal(nextCell(41, "PageDown", shape), 41);
  assert.equal(nextCell(41, "End", shape), 101);
  assert.equal(nextCell(101, "Home", shape), 41);
});
