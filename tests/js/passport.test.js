import assert from "node:assert/strict";
import { test } from "node:test";
import { fly } from "../../src/attn/labs/kit/moves.js";
import * as strided from "../../src/attn/labs/kit/strided.js";
import { isContiguous, viewStrides } from "../../src/attn/labs/kit/torch/layout.js";
import { blocksOf, flightOf, layout, nextCell, pieceAfter, pieceAt, rowLayout } from "../../src/attn/labs/passport/layout.js";
import {
  compute,
  cutInto,
  lineOf,
  mistakes,
  passport,
  pieceOf,
  possiblePieces,
  receivers,
  strangersIn,
  WAYS,
  wayOf,
} from "../../src/attn/labs/passport/model.js";
import { lab } from "../../src/attn/labs/passport/view.js";
import {
  coincidences,
  cutOf,
  describeElement,
  isLucky,
  sentenceOf,
  threeCounts,
  verdict,
} from "../../src/attn/labs/passport/words.js";

const { arange, contiguous, elements, permute, reshape, transpose, view } = strided;

const SIZES = { B: 1, L: 5, H: 3, D: 4 };
const split = (way, sizes = {}) => ({ ...SIZES, ...sizes, operation: "split", way });
const merge = (way, sizes = {}) => ({ ...SIZES, ...sizes, operation: "merge", way });
const pieces = (piece, sizes = {}) => ({ ...split("pieces", sizes), piece });
/** Every operation and way at some sizes, and every length of a piece that a view can cut. */
const everyLine = (sizes = {}) =>
  [split, merge].flatMap((make) => {
    const named = Object.keys(WAYS[make("right").operation]).filter((way) => way !== "pieces");
    const lengths = possiblePieces(make("pieces", sizes));
    return [...named.map((way) => make(way, sizes)), ...lengths.map((piece) => ({ ...make("pieces", sizes), piece }))];
  });
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
  assert.deepEqual(notes(split("view only", { H: 1 })), ["H = 1: a test at this size cannot see the bug."]);
  assert.deepEqual(notes(merge("no transpose", { L: 1 })), ["L = 1: a test at this size cannot see the bug."]);
  assert.deepEqual(notes(split("interleaved", { L: 1 })), []);
  assert.match(notes(split("interleaved", { D: 1, H: 1 }))[0], /^H = 1 and D = 1: a test at this size/);
  assert.deepEqual(notes(merge("right", { H: 1 })), [
    "H = 1: reshape(B, L, H*D) gives the same; a test at this size cannot see the bug.",
  ]);
  assert.match(notes(split("view only", { L: 3 }))[0], /^L = H = 3: with L and H exchanged, the shape is the same/);
  assert.match(notes(split("interleaved", { D: 3 }))[0], /^H = D = 3: view\(B, L, H, D\) and view\(B, L, D, H\) are the same call/);
  assert.deepEqual(notes(split("view only", { D: 3 })), [], "no call that is not on the screen");
});

test("the reader is warned exactly where a wrong way puts everything in place", () => {
  for (let n = 0; n < 4 ** 4; n++) {
    const [B, L, H, D] = [0, 1, 2, 3].map((axis) => 1 + (Math.floor(n / 4 ** axis) % 4));
    const sizes = { B, L, H, D };
    for (const state of [split("view only", sizes), split("interleaved", sizes), merge("no transpose", sizes)]) {
      const { counts, result } = compute(state);
      const announced = coincidences(state, counts).some((note) => note.includes("cannot see the bug"));
      assert.equal(announced, counts["in place"] === result.length, JSON.stringify(state));
    }
  }
});

test("the verdict counts numbers in the wrong place", () => {
  const sentence = (state) => verdict(compute(state).counts, compute(state).right.length, state);
  assert.equal(sentence(split("view only")), "12 of 60 numbers are in place");
  assert.equal(sentence(split("view only", { B: 3 })), "12 of 60 numbers are in place in each sentence");
  assert.equal(sentence(split("right")), "all 60 numbers are in place");
  assert.equal(sentence(split("right", { L: 1, H: 1, D: 1 })), "the only number is in place");
});

test("the counts in the sentence add up to the numbers of a sentence", () => {
  for (const sizes of [{}, { B: 3 }, { L: 4, H: 2, D: 6 }, { L: 2, H: 2, D: 1 }])
    for (const state of everyLine(sizes)) {
      const results = compute(state);
      if (results.counts["in place"] === results.right.length) continue;
      const said = threeCounts(state, results);
      const numbers = said.match(/\d+/g)?.map(Number) ?? [];
      const total = state.L * state.H * state.D;
      assert.equal(
        numbers.reduce((sum, one) => sum + one, 0),
        total,
        said,
      );
      assert.ok(sentenceOf(state, results).includes(said));
    }
});

test("the sentence says how the row is cut, and what a head gets by it", () => {
  const sentence = (state) => sentenceOf(state, compute(state));
  assert.equal(
    sentence(split("view only")),
    "The line cuts the row into 3 pieces of L·D = 20 numbers, one for each head: 12 are in place, 8 in the right head but in " +
      "another cell, and 40 belong to another head. Head 0 gets numbers of all heads from words 0 and 1, and nothing of words 2 to 4.",
  );
  assert.equal(
    sentence(split("right")),
    "The line cuts the row into 15 pieces of D = 4 numbers, which the 3 heads take in turn: each head gets its own numbers.",
  );
  assert.match(sentence(split("interleaved")), /60 pieces of 1 number, which .*\. Head 0 gets numbers of all heads\.$/);
  const merged =
    /5 pieces of H·D = 12 numbers, one for each word: 12 are in place and 48 belong to another word\. Word 0 gets numbers /;
  assert.match(sentence(merge("no transpose")), merged);
  assert.match(sentence(merge("no transpose")), /of words 0 to 2 from head 0, and nothing of heads 1 and 2\.$/);
  assert.match(
    sentence(split("view only", { H: 1 })),
    /all 20 numbers are in place, because with one head there is nothing to exchange\.$/,
  );
  assert.match(sentence(split("view only", { H: 1, L: 1 })), /because with one head and one word there is nothing to exchange\.$/);
  assert.match(sentence(split("view only", { B: 3 })), /one for each head, in each of the 3 sentences: 12 are in place, 8 in /);
  assert.equal(
    sentence(pieces(7)),
    "No view cuts the row into pieces of 7: each head gets 20 numbers, so only pieces of 1, 2, 4, 5, 10 or 20 fit. PyTorch says: " +
      "shape '[1, -1, 3, 7]' is invalid for input of size 60.",
  );
});

test("what head 0 gets is true: the heads and words that the sentence names are those of its numbers", () => {
  const sizes = [{}, { L: 4, H: 2, D: 6 }, { L: 6, H: 4, D: 2 }];
  for (const state of sizes.flatMap(everyLine)) {
    const results = compute(state);
    const said = sentenceOf(state, results).match(/(Head|Word) 0 gets numbers of (.*?)(?: from (.*), and nothing of (.*))?\.$/);
    assert.equal(Boolean(said), results.counts["in place"] < results.right.length, lineOf(state));
    if (!said) continue;
    const [own, other] = said[1] === "Head" ? ["h", "l"] : ["l", "h"];
    const all = { h: state.H, l: state.L };
    const upTo = (count) => Array.from({ length: count }, (_, n) => n);
    const named = (text, axis) => {
      const numbers = text.match(/\d+/g)?.map(Number) ?? upTo(all[axis]); // "all heads", "both words"
      return text.includes(" to ") ? upTo(numbers[1] + 1).slice(numbers[0]) : numbers;
    };
    const owners = results.result.slice(0, receivers(state).share).map((place) => passport(place, state));
    const held = (axis) => [...new Set(owners.map((one) => one[axis]))].sort();
    assert.deepEqual(named(said[2], own), held(own), said[0]);
    assert.deepEqual(said[3] ? named(said[3], other) : upTo(all[other]), held(other), said[0]);
    if (said[3]) assert.deepEqual([...named(said[3], other), ...named(said[4], other)].sort(), upTo(all[other]), said[0]);
  }
});

test("where sizes hide the bug, the sentence says which ones", () => {
  for (const sizes of [{ H: 1 }, { L: 1 }, { D: 1 }, { H: 1, D: 1 }, { L: 1, H: 1 }])
    for (const state of everyLine(sizes)) {
      const results = compute(state);
      if (!isLucky(state, results)) continue;
      const because = sentenceOf(state, results).match(/because with (.*) there is nothing to exchange\.$/)?.[1] ?? "";
      const names = { "one head": "H", "one word": "L", "one number per head": "D" };
      const said = because.split(" and ").map((name) => names[name]);
      assert.ok(said.length && said.every((axis) => state[axis] === 1), `${because}: ${JSON.stringify(state)}`);
    }
});

test("strangers are as many as the verdict counts, and the other numbers out of place are misplaced", () => {
  for (const state of [...everyLine({ B: 2 }), ...everyLine({ L: 3, H: 4, D: 2 })]) {
    const results = compute(state);
    const marks = mistakes(results, state);
    assert.equal(marks.filter((one) => one === "stranger").length, strangersIn(results.counts, state), lineOf(state));
    assert.equal(marks.filter((one) => one === "").length, results.counts["in place"], lineOf(state));
  }
  assert.equal(mistakes(compute(split("view only")), split("view only")).filter((one) => one === "misplaced").length, 8);
});

test("every line is the same cut with pieces of its length, which heads or words take in turn", () => {
  for (const state of [...everyLine(), ...everyLine({ L: 2, H: 4, D: 3 }), ...everyLine({ L: 6, D: 2 })]) {
    const [piece, { count, share }] = [pieceOf(state), receivers(state)];
    const dealt = Array.from({ length: count }, () => []);
    for (let place = 0; place < count * share; place++) dealt[Math.floor(place / piece) % count].push(place);
    assert.deepEqual(compute(state).result, dealt.flat(), `${lineOf(state)}, pieces of ${piece}`);
    const same = { ...state, ...cutInto(piece, state) };
    assert.deepEqual(compute(same).result, dealt.flat());
    assert.equal(pieceOf(same), piece);
  }
});

test("only pieces of D numbers give each head its own numbers, unless there is one head only", () => {
  for (const sizes of [{}, { L: 4, D: 6 }, { H: 1 }, { L: 1 }, { D: 1 }]) {
    for (const state of everyLine(sizes)) {
      const results = compute(state);
      const all = results.counts["in place"] === results.right.length;
      assert.equal(all, pieceOf(state) === state.D || receivers(state).count === 1, `${lineOf(state)} ${JSON.stringify(sizes)}`);
      if (all && wayOf(state) !== "right" && state.piece !== state.D) assert.ok(isLucky(state, results));
    }
  }
});

test("a length that gives no head whole pieces is PyTorch's error, and the tables stay empty", () => {
  for (let piece = 1; piece <= 30; piece++) {
    const { error, result, next, steps, counts } = compute(pieces(piece));
    assert.equal(error === "", possiblePieces(pieces(piece)).includes(piece), `${piece}`);
    if (!error) continue;
    assert.equal(error, `shape '[1, -1, 3, ${piece}]' is invalid for input of size 60`);
    assert.deepEqual([result, next, steps.length, counts["in place"]], [[], [], 1, 0]);
  }
});

test("the fence has the name of a way where there is one, and says what it cuts", () => {
  const way = (piece, state) => cutInto(piece, state).way;
  assert.deepEqual(
    [1, 2, 4, 5, 10, 20, 7].map((piece) => way(piece, split("right"))),
    [...["interleaved", "pieces", "right", "pieces", "pieces", "view only", "pieces"]],
  );
  assert.deepEqual(
    [1, 4, 12].map((piece) => way(piece, merge("right"))),
    ["pieces", "right", "no transpose"],
  );
  assert.equal(way(1, split("right", { D: 1 })), "right");
  assert.equal(lineOf(pieces(2)), "view(B, -1, H, 2).permute(0, 2, 1, 3).reshape(B, H, L, D)");
  assert.equal(cutOf(pieces(10)), "cuts the row into 6 pieces of 10 numbers, which the 3 heads take in turn");
});

test("keys move the fence to the next length that fits, and nothing moves it out of the row", () => {
  const possible = [1, 2, 4, 5, 10, 20];
  const keys = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: 2, ArrowDown: 2, PageUp: 5, PageDown: 2, Home: 1, End: 20 };
  for (const [key, to] of Object.entries(keys)) assert.equal(pieceAfter(key, 4, possible), to, key);
  assert.deepEqual([pieceAfter("ArrowRight", 20, possible), pieceAfter("ArrowLeft", 1, possible)], [20, 1]);
  assert.deepEqual(
    [pieceAfter("PageUp", 20, possible), pieceAfter("PageDown", 1, possible), pieceAfter("PageUp", 7, possible)],
    [20, 1, 10],
  );
  assert.equal(pieceAfter("Tab", 4, possible), null);
});

test("a fence that is dragged is at the nearest length that fits", () => {
  const possible = [1, 2, 4, 5, 10, 20];
  assert.deepEqual(
    [40, 47, 52, 76, 98, 999, -5].map((x) => pieceAt(x, { pitch: 10, possible })),
    [4, 5, 5, 10, 10, 20, 1],
  );
});

test("every number flies from its place in the row to the cell where the line puts it, and a move ends as a jump", () => {
  const row = rowLayout(60, 632);
  const plan = layout({ tables: 3, R: 5, C: 4, group: 4, width: 300, left: 30, least: 10 });
  for (const state of everyLine())
    compute(state).result.forEach((place, n) => {
      const [from, to] = [row.cellAt(place), plan.cellAt(n)];
      assert.deepEqual(fly(from, to, flightOf(0, place, 60)), from);
      assert.deepEqual(fly(from, to, flightOf(1, place, 60)), to);
    });
});

test("what flies together is of one word and head, side by side in the row and in its table", () => {
  for (const state of everyLine()) {
    const { result } = compute(state);
    const blocks = blocksOf(result, state.D);
    result.forEach((place, n) => {
      const { l, h } = passport(place, state);
      const first = passport(blocks[n], state);
      assert.deepEqual([first.l, first.h], [l, h]);
      assert.equal(result.indexOf(blocks[n]) - n, blocks[n] - place);
    });
  }
  assert.equal(new Set(blocksOf(compute(split("view only")).result, 4)).size, 15);
});

test("the description of a number names where it belongs and what it is taken for", () => {
  const description = (place, state) => describeElement(place, compute(state), state);
  const start = "Word 2, head 0, number 3: belongs at [b, h, l, d] = [0, 0, 2, 3]";
  assert.equal(description(27, split("view only")), `${start}, lies at [0, 1, 1, 3], a cell of word 1, head 1.`);
  assert.equal(description(27, split("right")), `${start}, and lies there.`);
  const second = description(80, merge("no transpose", { B: 2 }));
  assert.equal(
    second,
    "Sentence 1, word 0, head 1, number 0: belongs at [b, l, e] = [1, 0, 4], lies at [1, 1, 8], a cell of word 1, head 2.",
  );
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

const LEAST = 10; // pixels of a cell

test("cells are side by side inside the picture, without overlap", () => {
  for (const [H, C, group, width] of [
    [3, 4, 4, 340],
    [1, 20, 5, 340],
    [8, 8, 8, 300],
    [4, 5, 5, 700],
    [1, 64, 64, 320],
  ]) {
    const plan = layout({ tables: H, R: 6, C, group, width, left: 36, least: LEAST });
    const seen = new Set();
    for (let n = 0; n < H * 6 * C; n++) {
      const { x, y, w, h } = plan.cellAt(n);
      assert.ok(x >= 36 && y >= 0 && x + w <= width && y + h <= plan.height, `${n} of ${H}, ${C}`);
      assert.ok(!seen.has(`${x} ${y}`));
      seen.add(`${x} ${y}`);
    }
  }
});

test("the cells of the row of memory leave no gap, and no two overlap", () => {
  for (const [count, width] of [
    [60, 632],
    [60, 352],
    [512, 352],
    [1, 300],
  ]) {
    const row = rowLayout(count, width);
    for (let place = 0; place < count; place++) {
      const { x, w } = row.cellAt(place);
      assert.ok(w >= 0 && x + w <= width);
      if (place) assert.equal(x, row.cellAt(place - 1).x + row.cellAt(place - 1).w);
    }
  }
});

test("tables are laid out in two lines if only that makes cells wide enough", () => {
  const shape = { R: 5, C: 8, group: 8, left: 36, least: LEAST };
  const broken = (tables, width) => {
    const { across, cellWidth, cellHeight } = layout({ ...shape, tables, width });
    return [across, cellWidth >= LEAST, cellHeight];
  };
  assert.deepEqual(broken(3, 300), [3, true, 18]);
  assert.deepEqual(broken(4, 300), [2, true, 18]);
  assert.deepEqual(broken(4, 1200), [4, true, 23]);
  assert.deepEqual(broken(9, 300), [5, false, 14], "a label needs 14 pixels");
});

test("tables that leave room for rows are as high with few rows as with all of them", () => {
  const heightOf = (/** @type {number} */ R) =>
    layout({ tables: 3, R, C: 4, rows: 6, group: 4, width: 515, left: 36, least: LEAST }).height;
  assert.equal(heightOf(1), heightOf(6));
  assert.ok(heightOf(7) > heightOf(6));
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
