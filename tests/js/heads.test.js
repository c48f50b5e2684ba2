// HeadsLab: where the numbers of concat come from, the plane of its arrows, its moves, and its sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paintArrows } from "../../src/attn/labs/heads/arrows.js";
import { cellOf, mergeOf, mergePlace, slotBox, sourceBox, tableOf, tablePlace } from "../../src/attn/labs/heads/layout.js";
import { compute, problem, sourceOf } from "../../src/attn/labs/heads/model.js";
import { headTints } from "../../src/attn/labs/heads/pen.js";
import { flatBetween, flatten, frameOf, orderOf, sharesOf, tipsOf } from "../../src/attn/labs/heads/plane.js";
import { judged, repliesOf } from "../../src/attn/labs/heads/replies.js";
import { sceneOf } from "../../src/attn/labs/heads/scene.js";
import { paintTable } from "../../src/attn/labs/heads/table.js";
import {
  changesOf,
  countStrangers,
  mergeSentence,
  partOf,
  percents,
  rowText,
  signed,
  sumSentence,
  termsOf,
} from "../../src/attn/labs/heads/words.js";
import { contrast } from "../../src/attn/labs/kit/colours.js";
import { range } from "../../src/attn/labs/kit/math.js";

const TEXT = "girls near old kings found gold today";
const WORDS = TEXT.split(" ");
const START = { E: 12, H: 3, L: 7, off: [], project: true, merge: "right", seed: 0, block: null, _texts: [TEXT] };
const FOUND = 4;

const near = (a, b, tolerance = 1e-4) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const vectorsOf = ({ whole }, { H, L, E }, i) => range(H).map((h) => Array.from(whole.slice((h * L + i) * E, (h * L + i + 1) * E)));

const squares = (/** @type {ArrayLike<number>[]} */ vectors) =>
  vectors.flatMap((one) => Array.from(one)).reduce((sum, one) => sum + one * one, 0);

test("after the right merge a word's row holds its own heads in order", () => {
  for (let i = 0; i < 7; i++) for (let e = 0; e < 12; e++) assert.deepEqual(sourceOf(START, i, e), [Math.floor(e / 4), i, e % 4]);
  assert.deepEqual(countStrangers(START), { all: 21, strangers: 0 });
});

test("after the wrong merge the rows are filled head by head, and every number is used once", () => {
  const wrong = { ...START, merge: "wrong" };
  const all = new Set();
  for (let i = 0; i < 7; i++) for (let e = 0; e < 12; e++) all.add(String(sourceOf(wrong, i, e)));
  assert.equal(all.size, 84);
  assert.deepEqual(sourceOf(wrong, 0, 0), [0, 0, 0]);
  assert.deepEqual(sourceOf(wrong, 1, 0), [0, 3, 0]); // the fourth piece is the fourth word in head 0
  assert.deepEqual(sourceOf(wrong, 2, 4), [1, 0, 0]);
  assert.deepEqual(countStrangers(wrong), { all: 21, strangers: 18 });
  for (const hiding of [{ H: 1 }, { L: 1 }]) assert.equal(countStrangers({ ...wrong, ...hiding }).strangers, 0);
});

test("the verdict on a merge counts the pieces in the wrong place, or says at which size they cannot be seen", () => {
  const wrong = { ...START, merge: "wrong" };
  assert.equal(rowText(wrong, WORDS, FOUND), "The row of “found” holds “gold” and “today” of head 1 and “girls” of head 2.");
  assert.equal(mergeSentence(START, WORDS, [0, 0]).kind, "good");
  assert.deepEqual(
    [mergeSentence(wrong, WORDS, [0, 0]).kind, mergeSentence(wrong, WORDS, [0, 0]).verdict],
    ["bad", "✗ 18 of 21 pieces are in the wrong place."],
  );
  const twelve = mergeSentence({ ...wrong, H: 12 }, WORDS, [FOUND, 7]).text;
  assert.match(twelve, /holds 12 pieces of heads 6, 7 and 8\. The marked piece is “today” of head 7\./);
  for (const [hiding, why] of [
    [{ H: 1 }, "H = 1"],
    [{ L: 1 }, "L = 1"],
  ]) {
    const { kind, verdict } = mergeSentence({ ...wrong, ...hiding }, WORDS, [0, 0]);
    assert.deepEqual([kind, verdict], ["luck", `⚠ At ${why} the transpose changes nothing.`]);
  }
});

test("invalid settings are refused with the reason", () => {
  assert.equal(problem(START), "");
  assert.match(problem({ ...START, E: 20 }), /takes E = 12 or 16/);
  assert.match(problem({ ...START, H: 5 }), /H can be \[1, 2, 3, 4, 6, 12\]/);
  assert.match(problem({ ...START, off: [4] }), /there is no head 4/);
  assert.throws(() => compute({ ...START, off: ["x"] }), /there is no head x/);
});

test("the terms of a number add up to it", () => {
  const state = { ...START, E: 16, H: 8, seed: 7 };
  const { parts, sum } = termsOf(state, compute(state), [3, 13]);
  assert.equal(parts.length, 8);
  near(
    parts.reduce((a, b) => a + b),
    sum,
    1e-5,
  );
});

test("found asks who, what and when, and each head that is off takes its own answer away", () => {
  const right = ["girls", "gold", "today"];
  const answers = (off) => {
    const results = compute({ ...START, off });
    return repliesOf(results.y.slice(FOUND * 12, FOUND * 12 + 12), WORDS, FOUND);
  };
  assert.deepEqual(
    answers([]).map(({ word }) => word),
    right,
  );
  for (const { chance } of answers([])) assert.ok(chance > 0.98);
  for (const h of [0, 1, 2]) {
    const got = answers([h]);
    got.forEach((reply, n) => {
      assert.equal(reply.right, right[n]);
      if (n !== h) assert.ok(reply.word === right[n] && reply.chance > 0.98);
      else assert.ok(reply.chance < 0.3 && judged(reply) === "lost", "the head is gone, and its answer is not");
    });
  }
  assert.deepEqual(repliesOf(compute(START).y.slice(0, 12), WORDS, 0), [], "girls asks nothing");
});

test("the sentence names what is missing without a head, with the measured share of right answers", () => {
  const told = (settings, place = [FOUND, 7], isRead = false) => {
    const state = { ...START, ...settings };
    const { verdict, text } = sumSentence(state, compute(state), WORDS.slice(0, state.L), place, true, isRead);
    return `${verdict} ${text}`;
  };
  assert.match(told({}), /added tip to tail, are y of “found”\. Along y, 26 % is from head 0 \(who\), 17 % from head 1/);
  assert.match(
    told({ off: [0] }),
    /^12 of 12 numbers of y change; 1 of 3 answers is lost\. Without head 0, who\? is a guess among 8 words: “boys” with 24 %, not “girls”\./,
  );
  assert.match(told({ off: [0] }), /Over 2,000 new sentences, who\? is then right in 13 %, instead of 100 %\.$/);
  assert.match(told({ off: [1] }), /what\? is a guess among 6 words: “gold” with 20 %\. .* right in 16 %, instead of 100 %\.$/);
  assert.match(told({ off: [2] }), /when\? is .* right in 15 %, instead of 100 %\.$/);
  assert.match(told({ off: [0, 1] }), /^12 of 12 numbers of y change; 2 of 3 answers are lost\. Without heads 0 and 1,/);
  assert.match(
    told({ off: [1] }, [2, 7]),
    /^12 of 12 numbers of y change; 0 of 1 answers are lost\. .* still gets the right answer\.$/,
  );
  assert.match(told({ off: [0], project: false }), /^4 of 12 numbers of y change; /);
  assert.match(told({}, [FOUND, 7], true), /^Number 7 of y is 8\.23: 3\.20 \+ 1\.68 \+ 3\.35, one number from each head\.$/);
  assert.match(
    told({ off: [0] }, [FOUND, 0], true),
    /^Number 0 of y is 2\.58, not −0\.01: −2\.56 \+ 5\.14, one .* that is left\.$/,
  );
  assert.match(told({ block: 1 }, [FOUND, 7], true), /^What head 1 adds is/);
  assert.match(told({ off: [0, 1, 2] }), /y is 0/);
  assert.match(told({ block: 1 }), /its 4 numbers in concat times rows 4 to 7 of W_O/);
  assert.match(
    told({ merge: "wrong" }),
    /^✗ No error, and a wrong y of “found”: who\? is answered “thieves” \(61 %\), not “girls”/,
  );
  assert.match(told({ H: 4 }), /At these sizes the numbers are random\.$/);
  assert.match(told({ H: 12 }), /The share of head 1, −10 %, is negative/);
  assert.match(told({ H: 1 }), /^One head adds all of y/);
  assert.match(told({ project: false }), /no share is negative/);
  assert.match(told({ off: [1] }, [0, 7]), /^12 of 12 numbers of y change\. Without head 1, the length of y of “girls” goes from/);
});

test("shares in whole percent add up to 100, and none is further than one percent from its share", () => {
  assert.deepEqual(percents([0.264, 0.164, 0.572]), ["27 %", "16 %", "57 %"]);
  assert.deepEqual(percents([0, 0, 0]), ["0 %", "0 %", "0 %"]);
  for (let seed = 0; seed < 20; seed++) {
    const state = { ...START, H: [2, 3, 4, 6, 12][seed % 5], seed, off: seed % 3 ? [] : [0] };
    const { shares } = compute(state);
    const own = range(state.H).map((h) => shares[h * 7 + FOUND]);
    const whole = percents(own).map((text) => Number(text.replace("−", "-").replace(" %", "")));
    assert.equal(
      whole.reduce((sum, one) => sum + one),
      100,
    );
    whole.forEach((one, h) => assert.ok(Math.abs(one - 100 * own[h]) < 1));
  }
});

test("the products that the sentence spells out add up to what the head adds to this number", () => {
  const state = { ...START, block: 2 };
  const { text } = sumSentence(state, compute(state), WORDS, [FOUND, 3]);
  const [, products, sum] = /** @type {RegExpMatchArray} */ (text.match(/Number 3: (.*) ≈ (.*)\.$/));
  const value = (/** @type {string} */ one) => Number(one.replaceAll("−", "-"));
  const terms = products.replaceAll(" − ", " + −").split(" + ").map(value);
  assert.equal(terms.length, 4);
  near(
    terms.reduce((all, one) => all + one, 0),
    value(sum),
    0.03,
  );
  const single = { ...START, H: 12, block: 2 };
  assert.match(sumSentence(single, compute(single), WORDS, [FOUND, 3]).text, /Number 3: [−0-9.]+ ≈ [−0-9.]+\./);
});

test("in the plane the arrows end at y, which points right, and their lengths along y are their shares", () => {
  for (const [state, i] of [
    [START, FOUND],
    [{ ...START, H: 12 }, 2],
    [{ ...START, E: 16, H: 8, seed: 3 }, 0],
    [{ ...START, H: 1 }, 0],
  ]) {
    const results = compute(state);
    const vectors = vectorsOf(results, state, i);
    const { points } = flatten(vectors);
    const y = Math.hypot(...results.y.slice(i * state.E, (i + 1) * state.E));
    const tips = tipsOf(points);
    near(tips[state.H][0], y);
    near(tips[state.H][1], 0);
    points.forEach(([right], h) => near(right / y, results.shares[h * state.L + i]));
    sharesOf({ points }).forEach((share, h) => near(share, results.shares[h * state.L + i]));
    points.forEach(([right, up], h) => assert.ok(Math.hypot(right, up) <= results.norms[h * state.L + i] + 1e-4));
    const kept = squares(points) / squares(vectors);
    assert.ok(kept > 0.3 && kept <= 1 + 1e-6 && points[0][1] >= -1e-6);
  }
});

test("a head that is switched off leaves the shares of the others as they are: they lie along the y of all heads", () => {
  const [all, without] = [[], [0]].map((off) => sharesOf(flatten(vectorsOf(compute({ ...START, off }), START, FOUND))));
  assert.deepEqual(without, all);
  assert.deepEqual(percents(all), ["26 %", "17 %", "57 %"]);
});

test("the numbers of y that change are those to which less is added", () => {
  const vectors = [
    [1, 0, 2],
    [0, 0, -2],
  ];
  assert.deepEqual(changesOf(vectors, [0, 1]), [0, 2]);
  assert.deepEqual(changesOf(vectors, [0, 0]), [0], "what cancels does not change the sum");
  assert.deepEqual(changesOf(vectors, [1, 1]), []);
});

test("three arrows follow each other in the order of the heads, and many in an arc: each turns to the right of the one before", () => {
  assert.deepEqual(orderOf(flatten(vectorsOf(compute(START), START, 0)).points), [0, 1, 2]);
  for (const state of [
    { ...START, H: 12 },
    { ...START, E: 16, H: 8, seed: 3 },
  ]) {
    const { points } = flatten(vectorsOf(compute(state), state, FOUND));
    const order = orderOf(points);
    assert.deepEqual(
      order.toSorted((a, b) => a - b),
      range(state.H),
    );
    const arc = order.map((h) => points[h]);
    arc.slice(1).forEach(([x, y], n) => assert.ok(Math.atan2(y, x) <= Math.atan2(arc[n][1], arc[n][0])));
    const added = sceneOf({ vectors: points, on: points.map(() => true), order }, null, "sum", 1.5 / state.H).grown;
    assert.equal(added[order[0]], 1);
    assert.equal(added[order[state.H - 1]], 0);
  }
});

test("the plane is the one in which the rests of the parts are longest", () => {
  const rests = [
    [1, 0, 3, 0],
    [1, 0.5, -3, 0.2],
    [2, -0.5, 0, -0.2],
  ];
  const { points } = flatten(rests);
  near(points[0][0], 1);
  near(points[0][1], 3, 0.05);
  assert.ok(squares(points) > 0.95 * squares(rests));
  const zero = flatten([
    [0, 0],
    [0, 0],
  ]);
  assert.deepEqual(zero.points, [
    [0, 0],
    [0, 0],
  ]);
});

test("all arrows are inside of the frame, also those that are left without a head and the missing one", () => {
  const room = { width: 300, height: 160, edge: { x: 40, y: 30 } };
  for (let seed = 0; seed < 20; seed++) {
    const state = { ...START, H: [2, 3, 4, 6, 12][seed % 5], seed };
    const { points } = flatten(vectorsOf(compute(state), state, 1));
    for (const off of [[], [0], [1], [0, 1]]) {
      const { scale, x, y } = frameOf(points, off, room);
      const left = points.map((_, h) => Number(!off.includes(h)));
      for (const [right, up] of [...tipsOf(points).slice(-1), ...tipsOf(points, left)]) {
        const [px, py] = [x + right * scale, y - up * scale];
        assert.ok(px >= 40 - 0.01 && px <= 260.01 && py >= 20 && py <= 140, `${px} ${py}`);
      }
      const [a, b] = [[], off].map((gone) => ({ points, frame: frameOf(points, gone, room) }));
      for (const n of [0.25, 0.5, 0.75]) {
        const { frame } = flatBetween(a, b, n);
        const amounts = left.map((one) => 1 - n + n * one);
        for (const [right, up] of tipsOf(points, amounts)) {
          const [px, py] = [frame.x + right * frame.scale, frame.y - up * frame.scale];
          assert.ok(px >= 0 && px <= 300 && py >= 0 && py <= 160, `on the way: ${px} ${py}`);
        }
      }
    }
  }
});

test("a move begins at the old picture and ends at the new one", () => {
  const vectors = [
    [1, 2],
    [3, -1],
  ];
  const [all, one] = [
    { vectors, on: [true, true] },
    { vectors, on: [false, true] },
  ];
  assert.deepEqual(sceneOf(one, all, "off", 0).y, [4, 1]);
  assert.deepEqual(sceneOf(one, all, "off", 1), sceneOf(one, null, "rest", 1));
  assert.deepEqual(sceneOf(one, all, "off", 1).y, [3, -1]);
  const other = { vectors: vectors.map((row) => row.map((value) => -value)), on: [true, true] };
  assert.deepEqual(sceneOf(other, all, "change", 0).vectors, vectors);
  assert.deepEqual(sceneOf(other, all, "change", 1), sceneOf(other, null, "rest", 1));
  const flats = [all, other].map(({ vectors: rows }) => {
    const flat = flatten(rows);
    return { ...flat, frame: frameOf(flat.points, [], { width: 200, height: 100, edge: { x: 5, y: 5 } }) };
  });
  assert.deepEqual(flatBetween(flats[0], flats[1], 1), flats[1]);
});

test("the rows of W_O unfold, are multiplied and then drop", () => {
  const now = { vectors: [[1, 2]], on: [true] };
  const at = (/** @type {number} */ n) => sceneOf(now, null, "block", n);
  assert.deepEqual([at(0).open, at(0).times, at(0).fallen], [0, 0, 0]);
  assert.deepEqual([at(0.25).open, at(0.25).times, at(0.25).fallen], [1, 0, 0], "W_O itself is seen");
  assert.deepEqual([at(0.5).times, at(0.5).fallen], [1, 0]);
  assert.ok(at(0.8).fallen > 0.4 && at(0.8).fallen < 0.7);
  assert.deepEqual(at(1), sceneOf(now, null, "rest", 1));
});

test("the arrow of y is drawn when all heads have been added", () => {
  const now = { vectors: [[1], [2], [3]], on: [true, true, true] };
  assert.deepEqual([sceneOf(now, null, "sum", 0.84).answered, sceneOf(now, null, "sum", 0.85).grown], [0, [1, 1, 1]]);
  const half = sceneOf(now, null, "sum", 0.93).answered;
  assert.ok(half > 0.1 && half < 0.9);
  assert.deepEqual(sceneOf(now, null, "sum", 1), sceneOf(now, null, "rest", 1));
});

test("while the heads are added up, y is the sum of what has been added of each", () => {
  const now = {
    vectors: [
      [1, 2],
      [3, -1],
      [5, 5],
    ],
    on: [true, false, true],
  };
  assert.ok(sceneOf(now, null, "sum", 0).isEmpty);
  const half = sceneOf(now, null, "sum", 0.42);
  assert.deepEqual([half.y, half.isEmpty], [[1, 2], false]);
  assert.deepEqual(sceneOf(now, null, "sum", 1).y, [6, 7]);
  let last = 0;
  for (let n = 0; n <= 1; n += 0.05) {
    const { grown, y, adding } = sceneOf(now, null, "sum", n);
    assert.deepEqual(
      y,
      [0, 1].map((e) => grown[0] * now.vectors[0][e] + grown[2] * now.vectors[2][e]),
      "the row y is the sum that the arrows show",
    );
    assert.ok(adding !== 1, "a head that is off is not added");
    const arrived = grown.reduce((all, one) => all + one);
    assert.ok(arrived >= last);
    last = arrived;
  }
});

test("parts are named after heads, and after the wrong merge after the head and the word that they are from", () => {
  assert.deepEqual(partOf(START, true, WORDS, FOUND, 1), { head: 1, text: "what", stranger: false });
  assert.deepEqual(partOf({ ...START, merge: "wrong" }, true, WORDS, FOUND, 0), { head: 1, text: "gold", stranger: true });
  assert.deepEqual(partOf({ ...START, H: 4 }, false, WORDS, FOUND, 3), { head: 3, text: "", stranger: false });
});

const LOOK = {
  ...{
    axes: { ink: "#222222", paper: "#ffffff", H: "#ee6622", E: "#666666" },
    heads: ["#ee6622", "#662211", "#ffcc88"],
    words: [],
  },
  ...{ good: "#008800", bad: "#880000", quiet: "#777777", faint: "#aaaaaa" },
};

/** A pen, and its log: the colours of what is filled, what is written, and "dashed". @returns {{ pen: any, log: string[], places: Map<string, number[]> }} */
function logging() {
  /** @type {string[]} */
  const log = [];
  const places = new Map();
  const known = {
    measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }),
    fillText(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
      if (/** @type {any} */ (this).globalAlpha === 0) return;
      log.push(text);
      places.set(text, [x, y]);
    },
    fill() {
      log.push(/** @type {any} */ (this).fillStyle);
    },
    setLineDash: (/** @type {number[]} */ dash) => dash.length && log.push("dashed"),
    moveTo: (/** @type {number} */ x) => places.set("drawn from", [x]),
  };
  return { pen: new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? (() => {}) }), log, places };
}

/** The arrows of a word's y at a moment of the move in which the heads are added up. */
function arrowsAt(state, i, n, width = 700) {
  const results = compute(state);
  const vectors = vectorsOf(results, state, i);
  const flat = flatten(vectors);
  const [room, order] = [{ width, height: 220, edge: { x: 71, y: 27 } }, orderOf(flat.points)];
  const drawn = { ...flat, frame: frameOf(flat.points, state.off, room, order) };
  const on = range(state.H).map((h) => !state.off.includes(h));
  const labels = range(state.H).map((head) => ({ head, text: "", stranger: false }));
  const { pen, log, places } = logging();
  paintArrows(
    pen,
    { room, look: LOOK, labels, shares: sharesOf(flat), order },
    drawn,
    sceneOf({ vectors, on, order }, null, "sum", n),
  );
  return { log, places, frame: drawn.frame };
}

test("y lies over the arrows of the heads, and each share stands once, below y", () => {
  const { log } = arrowsAt(START, FOUND, 1);
  assert.deepEqual(
    log.filter((one) => one.endsWith("%")),
    ["26 %", "17 %", "57 %"],
  );
  const last = Math.max(...LOOK.heads.map((tint) => log.indexOf(tint)));
  assert.deepEqual(log.slice(last + 1, last + 3), [LOOK.axes.paper, LOOK.axes.ink]);
});

test("the place where the sum starts has a name from the beginning, and y has one when all arrows have landed", () => {
  for (const n of [0, 0.4, 0.9, 1]) {
    const { log, places, frame } = arrowsAt(START, FOUND, n);
    const [x, y] = /** @type {number[]} */ (places.get("start: 0"));
    assert.ok(x < frame.x - 58 && Math.abs(y - frame.y) < 1, "left of the origin");
    assert.equal(log.includes("y"), n === 1);
    const [tip] = places.get("drawn from") ?? [0]; // of the last arrow: from 0.85 on that is y
    if (n === 0.9) assert.ok(tip > frame.x && tip < 300, "y is on its way");
    if (n === 1) assert.ok(tip > 400);
  }
  for (const state of [START, { ...START, H: 4 }, { ...START, H: 12 }, { ...START, E: 16, H: 16 }])
    for (const [i, off, width] of range(7).flatMap((word) =>
      [[], [0], [state.H - 1]].flatMap((one) => [358, 1058].map((w) => [word, one, w])),
    )) {
      const { log } = arrowsAt({ ...state, off }, i, 1, width);
      assert.ok(log.includes("start: 0") && log.includes("y"), `${state.H} ${i} ${off} ${width}`);
    }
});

test("of many arrows only the long ones are named, and the one that is missing", () => {
  const named = (off) => range(12).filter((h) => arrowsAt({ ...START, H: 12, off }, FOUND, 1).log.includes(String(h)));
  assert.deepEqual(named([]), [1, 2, 4, 8]);
  assert.ok(named([7]).includes(7));
});

/** What is written into the table and how many bars are outlines. */
function tableAt(kind, n, { state = START, width = 1058, block = null, column = -1 } = {}) {
  const results = compute(state);
  const { H, E } = state;
  const vectors = vectorsOf(results, state, FOUND);
  const D = E / H;
  const scene = sceneOf({ vectors, on: range(H).map((h) => !state.off.includes(h)) }, null, kind, n);
  const rows = (h) => range(D).map((d) => Array.from(results.W_O.slice((h * D + d) * E, (h * D + d + 1) * E)));
  const { pen, log } = logging();
  const picture = {
    ...{ plan: tableOf({ width, H, E, block, open: scene.open, room: 430, column }), look: LOOK, E, word: "found", column },
    ...{ labels: range(H).map((head) => ({ head, text: "", stranger: false })), on: range(H).map((h) => scene.amounts[h] > 0.5) },
    block:
      block === null
        ? null
        : { h: block, factors: range(D).map((d) => results.concat[FOUND * E + block * D + d]), rows: rows(block) },
  };
  paintTable(pen, picture, scene);
  return { written: log.filter((one) => /^[+−]?\d+\.\d+$/.test(one)), dashed: log.filter((one) => one === "dashed").length, log };
}

test("a row is an outline until its arrow has landed", () => {
  assert.deepEqual(
    [0, 0.29, 0.57, 1].map((n) => tableAt("sum", n).dashed),
    [36, 24, 12, 0],
  );
  assert.equal(tableAt("off", 1, { state: { ...START, off: [0] } }).dashed, 24, "of a head that is off, and of y as it was");
});

test("while the rows of W_O move, a sum is written when all of its terms have arrived", () => {
  const at = (n) => tableAt("block", n, { block: 0, column: 7 });
  const others = ["1.68", "3.35"];
  assert.deepEqual(at(0.25).written.length, 6, "four numbers of W_O");
  assert.deepEqual(at(0.39).written, others, "while they are multiplied, none");
  assert.deepEqual(at(0.8).written, [...others, "0.63", "−0.13", "0.50", "2.20"]);
  assert.deepEqual(at(1).written, ["3.20", ...others, "8.23", "0.63", "−0.13", "0.50", "2.20"]);
  assert.deepEqual([at(0).dashed, at(0.8).dashed, at(1).dashed], [0, 24, 0], "the move begins with what was there");
});

test("a change is written with so many decimals that it is seen, and two lengths so that they differ", () => {
  assert.deepEqual([0.26, -0.0049, 0.000002, -3].map(signed), ["+0.26", "−0.005", "+0.000002", "−3.00"]);
  const { written } = tableAt("off", 1, { state: { ...START, H: 12, off: [6] } });
  assert.ok(written.length === 12 && written.every((one) => /[1-9]/.test(one)), String(written));
  const decimals = range(12).map((h) => {
    const state = { ...START, H: 12, off: [h] };
    const { text } = sumSentence(state, compute(state), WORDS, [FOUND, 7]);
    const [, from, to] = /** @type {RegExpMatchArray} */ (text.match(/goes from (\d\.\d+) to (\d\.\d+)\./));
    assert.notEqual(from, to);
    return from.split(".")[1].length;
  });
  assert.ok(Math.min(...decimals) === 2 && Math.max(...decimals) > 2, String(decimals));
});

test("on a phone one line counts the numbers that change", () => {
  const { log } = tableAt("off", 1, { state: { ...START, off: [0] }, width: 358 });
  assert.ok(log.includes("12 of 12 numbers of y change") && !log.includes("≠"));
});

test("every head can be seen on light and on dark paper, and three heads are three colours", () => {
  for (const [colour, paper, least] of [
    ["#ca4c0a", "#ffffff", 1.4],
    ["#d76d28", "#121212", 2.5],
  ])
    for (const H of [1, 2, 3, 4, 6]) {
      const tints = headTints(colour, H, paper);
      for (const tint of tints) assert.ok(contrast(tint, paper) >= least, `${tint} on ${paper}: ${contrast(tint, paper)}`);
      assert.equal(new Set(tints).size, H);
    }
  const [a, b, c] = headTints("#d76d28", 3, "#121212").sort((one, other) => contrast(one, "#000") - contrast(other, "#000"));
  assert.ok(contrast(a, b) > 1.5 && contrast(b, c) > 1.5);
});

test("the tables fit on a phone and on a page, and a point finds the cell that is drawn there", () => {
  for (const width of [300, 343, 358, 560, 634, 784])
    for (const [E, H] of [12, 16].flatMap((one) => [1, 2, 4, one].map((count) => [one, count]))) {
      for (const block of [null, 0, H - 1]) {
        const plan = tableOf({ width, H, E, block });
        assert.ok(plan.side + E * plan.cell <= width && plan.cell >= 10, `${width} ${E}`);
        const box = cellOf(plan, plan.heads[H - 1], E - 1, plan.tall);
        assert.deepEqual(tablePlace(plan, E, box.x + 3, box.y + 3), { row: H - 1, column: E - 1 });
        assert.deepEqual(tablePlace(plan, E, plan.side + 2, plan.sum + 3), { row: H, column: 0 });
        assert.deepEqual(tablePlace(plan, E, 20, plan.heads[0] + 3), { row: 0, column: null });
        const read = tableOf({ width, H, E, block, column: 7 });
        const [before, own, after] = [6, 7, 8].map((e) => cellOf(read, 0, e, 0));
        assert.ok(
          own.w >= 43 && own.x > before.x + before.w && after.x > own.x + own.w,
          "what is written out covers no other column",
        );
        assert.ok(cellOf(read, 0, E - 1, 0).x + cellOf(read, 0, E - 1, 0).w <= width);
        for (const e of range(E)) {
          const { x, w } = cellOf(read, 0, e, 0);
          assert.equal(tablePlace(read, E, x + w / 2, read.sum + 3)?.column, e);
        }
        const room = 420;
        const [shut, half, open] = [0, 0.5, 1].map((n) => tableOf({ width, H, E, block, open: n, room }));
        for (const { height, sum, first, last } of [shut, half, open]) {
          assert.equal(sum + last, shut.sum + shut.last, "y ends where it did");
          assert.ok(block === null || height >= room);
          assert.ok(first >= open.first && open.first >= 0);
        }
      }
      const merge = mergeOf({ width, H, L: 7, E });
      const last = slotBox(merge, 6, H - 1);
      assert.ok(last.x + last.w <= width && sourceBox(merge, H - 1, 6).x + merge.piece <= width + 0.01, `${width} ${E} ${H}`);
      assert.deepEqual(mergePlace(merge, { H, L: 7 }, last.x + 2, last.y + 2), [6, H - 1]);
      assert.equal(mergePlace(merge, { H, L: 7 }, 2, last.y + 2), null);
    }
});
