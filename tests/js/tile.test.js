// TileLab: its steps, what they move, how many scores exist, where everything lies, and its sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { range } from "../../src/attn/labs/kit/math.js";
import { cellOf, partOf, planOf, scoreAt } from "../../src/attn/labs/tile/layout.js";
import { compute, cutsOf, momentsOf, movedIn, stepsOf, strayedRows } from "../../src/attn/labs/tile/model.js";
import { paceOf } from "../../src/attn/labs/tile/pace.js";
import { paint } from "../../src/attn/labs/tile/paint.js";
import {
  focusBetween,
  framesBetween,
  litAfter,
  numberBetween,
  runBetween,
  scoreBetween,
  sumBetween,
  termsAt,
} from "../../src/attn/labs/tile/scene.js";
import {
  aliveAt,
  countOf,
  endSentence,
  isUndivided,
  playSentence,
  questionOf,
  scoresTitle,
  stepSentence,
  strayedSentence,
} from "../../src/attn/labs/tile/words.js";

const TEXT = "girls near old kings found gold today";
const START = {
  L: 6,
  S: 7,
  D: 4,
  tile: 2,
  method: "fused",
  causal: false,
  hidden: 0,
  rescale: true,
  seed: 0,
  step: null,
  _text: TEXT,
};
const KEYS = TEXT.split(" ");
const WORDS = { keys: KEYS, queries: KEYS.slice(1) };
const all = (changes = {}) => {
  const settings = { ...START, ...changes };
  const results = compute(settings);
  return { settings, results, moments: momentsOf(settings, results) };
};

test("the cuts of an axis cover it once", () => {
  for (const size of range(13).slice(1))
    for (const tile of range(7).slice(1)) {
      const cuts = cutsOf(size, tile);
      assert.deepEqual(
        cuts.flatMap(([from, to]) => range(to - from).map((n) => from + n)),
        range(size),
      );
      assert.ok(cuts.every(([from, to]) => to - from <= tile));
    }
});

test("tile by tile, never more scores exist than a tile has, whatever the sizes; stored, all do", () => {
  for (const [L, S, tile] of [
    [6, 7, 2],
    [5, 12, 3],
    [12, 12, 1],
    [1, 4, 6],
  ])
    for (const causal of [false, true]) {
      const fused = all({ L, S, tile, causal, seed: 3 });
      assert.equal(Math.max(...fused.moments.map(aliveAt)), fused.results.alive);
      assert.equal(fused.results.alive, Math.min(tile, L) * Math.min(tile, S));
      assert.equal(aliveAt(fused.moments.at(-1)), 0);
      const stored = all({ L, S, tile, causal, seed: 3, method: "stored" });
      assert.equal(Math.max(...stored.moments.map(aliveAt)), L * S);
    }
});

test("storing the scores moves four numbers more for each score, and the tile decides how often k and v are read", () => {
  for (const [L, S, D, tile] of [
    [6, 7, 4, 2],
    [9, 12, 3, 4],
    [5, 8, 6, 1],
  ]) {
    const { results } = all({ L, S, D, tile });
    assert.equal(results.moved, 2 * L * D + 2 * Math.ceil(L / tile) * S * D);
    assert.equal(results.otherwise - results.moved, 4 * L * S);
    const steps = stepsOf({ ...START, L, S, D, tile });
    assert.equal(
      steps.reduce((sum, step) => sum + movedIn({ S, D, method: "fused" }, step), 0),
      results.moved,
    );
  }
});

test("what the steps add up to is attention, in every order of tiles; without rescaling it is not", () => {
  const { results } = all();
  assert.ok(Math.max(...results.off) < 1e-5);
  for (const tile of [1, 3, 6]) assert.ok(Math.max(...all({ tile }).results.off) < 1e-5);
  const wrong = all({ rescale: false }).results;
  assert.ok(Math.min(...wrong.off) > 0.1);
  assert.ok(Math.max(...all({ rescale: false, tile: 6, S: 6 }).results.off) < 1e-5); // one tile of keys
});

test("a row is wrong once a tile is added to what was not rescaled, and stays wrong; the lab says after how many tiles", () => {
  const { settings, results, moments } = all({ rescale: false });
  const right = momentsOf({ ...settings, rescale: true }, results);
  const strayed = strayedRows(moments, right, settings.D);
  const first = strayed.findIndex((rows) => rows.length > 0);
  assert.deepEqual([moments[first].step.kind, moments[first].tile], ["mix", 2]);
  assert.ok(strayed.slice(0, first).every((rows) => rows.length === 0));
  assert.ok(strayed[first].every((i) => moments[first].top[i] > moments[first - 2].top[i]));
  strayed.slice(1).forEach((rows, n) => {
    assert.ok(strayed[n].every((row) => rows.includes(row)));
  });
  assert.deepEqual(strayed.at(-1), range(6));
  const { verdict, text } = strayedSentence(moments[first], results, strayed[first]);
  assert.equal(verdict, "✗ 2 rows are wrong after 2 of 12 tiles.");
  assert.match(text, /^The maximum rose, but what was added before kept its old scale/);
  for (const n of [first + 1, first + 2])
    assert.match(strayedSentence(moments[n], results, [2]).verdict, /^✗ 1 row is wrong after 2 /); // the third is not added yet
  assert.match(strayedSentence(moments[first + 3], results, [2]).verdict, /after 3 of 12 tiles/);
  assert.ok(strayedRows(right, right, settings.D).every((rows) => rows.length === 0));
});

test("the question and the count follow the experiment", () => {
  const asked = "How many scores exist at once with 2 × 2 tiles?";
  for (const [changes, question, counts] of [
    [
      { tile: 3 },
      "How many scores exist at once with 3 × 3 tiles?",
      ["9 of 42 scores at once, at most", "9 of 42 scores at once, at most"],
    ],
    [
      { method: "stored" },
      "How many scores exist at once if all of them are stored?",
      ["18 of 42 scores at once, at most", "42 of 42 scores at once, at most"],
    ],
    [
      { rescale: false },
      "How many rows are wrong if no total is ever rescaled?",
      ["2 of 6 rows are wrong so far", "6 of 6 rows are wrong so far"],
    ],
    [
      { causal: true },
      "How many 2 × 2 tiles are left under a causal mask?",
      ["2 of 12 tiles computed so far", "9 of 12 tiles computed so far"],
    ],
  ]) {
    const { settings, results, moments } = all(changes);
    const right = momentsOf({ ...settings, rescale: true }, results);
    const strayed = strayedRows(moments, right, settings.D);
    assert.equal(questionOf(settings, asked), question);
    assert.equal(questionOf(settings, "Another?"), "Another?"); // a page's own
    const countAt = (n) => countOf(settings, results, moments.slice(0, n + 1), strayed[n]);
    assert.equal(countAt(0).count, null); // what it is comes with the steps
    const told = [7, moments.length - 1].map(countAt).map(({ count, of, label }) => `${count} of ${of} ${label}`);
    assert.deepEqual(told, counts);
  }
});

test("with masked keys in front the maximum stays −∞ until a key is not masked, and nothing becomes NaN", () => {
  const { moments, results } = all({ hidden: 3 });
  const first = moments.find(({ step }) => step?.kind === "exp");
  assert.equal(first.top[0], Number.NEGATIVE_INFINITY);
  assert.equal(first.total[0], 0);
  assert.ok([...results.out].every(Number.isFinite) && Math.max(...results.off) < 1e-5);
  const none = all({ hidden: 6, causal: true }).results;
  assert.ok(none.total.slice(0, 5).every((one) => one === 0) && none.out.slice(0, 20).every((one) => one === 0));
});

test("a causal mask lets tiles be skipped, but only where the scores are not stored", () => {
  assert.deepEqual([all({ causal: true }).results.tiles, all({ causal: true }).results.grid], [9, 12]);
  assert.equal(all({ causal: true, method: "stored" }).results.tiles, 12);
});

test("more queries than keys are refused", () => {
  assert.throws(() => compute({ ...START, L: 5, S: 4 }), /L = 5 and S = 4/);
});

test("what is in fast memory is within the number that the lab gives", () => {
  for (const changes of [{}, { tile: 3, L: 5 }, { method: "stored" }, { method: "stored", tile: 1 }]) {
    const { settings, results, moments } = all(changes);
    const sizes = moments.map(({ step }) =>
      litAfter(settings, step).reduce((sum, { rows, columns }) => sum + (rows[1] - rows[0]) * (columns[1] - columns[0]), 0),
    );
    assert.equal(Math.max(...sizes), results.fast);
  }
});

test("a score appears, becomes a term and leaves; at the end of a step it is what the next step begins with", () => {
  const { moments } = all();
  const [read, scores, exp, mix] = moments.slice(1, 5);
  assert.deepEqual(
    [read, scores, exp, mix].map(({ step }) => step.kind),
    ["read", "scores", "exp", "mix"],
  );
  assert.equal(scoreBetween(0, read, scores, 0).alpha, 0);
  assert.equal(scoreBetween(0, read, scores, 1).alpha, 1);
  assert.equal(scoreBetween(0, scores, exp, 0.2).kind, "score");
  assert.equal(scoreBetween(0, scores, exp, 0.8).kind, "weight");
  assert.equal(scoreBetween(0, read, scores, 0.4).alpha, 0); // the keys come first
  assert.equal(scoreBetween(0, exp, mix, 0.375).leave, 0.5);
  for (const part of [0.5, 0.9]) {
    const { leave, kind } = scoreBetween(0, exp, mix, part);
    assert.deepEqual([leave, kind], [1, "gone"]); // as soon as it no longer counts among those that exist
  }
  assert.equal(scoreBetween(0, exp, mix, 1).kind, "gone");
  for (const { step } of [exp, mix])
    assert.deepEqual(
      [0, 1].map((part) => numberBetween(2, 4, part, step)),
      [2, 4],
    );
  assert.equal(numberBetween(4, 2, 0.5, exp.step), 2); // rescaled with the total, before new terms are added
  assert.equal(numberBetween(2, 4, 0.5, mix.step), 3);
});

test("the scores with which the film opens leave one after the other, and none is left when the first tile comes", () => {
  const { moments } = all();
  const stored = all({ method: "stored", tile: 12 }).moments[2];
  const opening = { ...moments[0], states: stored.states, values: stored.values };
  const seen = (part) => range(42).map((at) => scoreBetween(at, opening, moments[1], part));
  assert.ok(seen(0).every(({ kind, alpha, value }, at) => kind === "score" && alpha === 1 && value === stored.values[at]));
  const middle = seen(0.4).map(({ alpha }) => alpha);
  assert.ok(middle[0] === 0 && middle[41] === 1 && middle.every((alpha, at) => at === 0 || alpha >= middle[at - 1]));
  assert.ok(seen(1).every(({ alpha }) => alpha === 0));
});

test("the film is slowest where a sum is rescaled most, and lasts less than half a minute", () => {
  const speedAt = (pace, n) => pace.findLast(([from]) => n >= from)[1];
  for (const changes of [{}, { causal: true }, { tile: 1 }, { rescale: false }, { tile: 6, S: 6 }, { method: "stored" }]) {
    const { settings, moments } = all(changes);
    const last = moments.length - 1;
    const { pace, parts, risen } = paceOf(settings, moments, 0);
    const speeds = range(last).map((n) => speedAt(pace, n));
    const seconds = speeds.reduce((sum, speed) => sum + 1 / speed, 0);
    assert.ok(seconds > 2 && seconds < 30, `${JSON.stringify(changes)}: ${seconds}`);
    if (risen) assert.equal(speeds.indexOf(Math.min(...speeds)), risen - 1);
    assert.ok(parts.every((from) => from < last));
  }
  const { settings, moments } = all();
  const { risen } = paceOf(settings, moments, 0);
  assert.deepEqual([risen, moments[risen].step.kind], [9, "exp"]);
  assert.equal(paceOf({ ...settings, rescale: false }, moments, 0).risen, 0);
});

test("the tensors lie beside each other, inside the picture, on every screen", () => {
  const isApart = (one, other) =>
    one.x + one.w <= other.x + 0.01 ||
    other.x + other.w <= one.x + 0.01 ||
    one.y + one.h <= other.y + 0.01 ||
    other.y + other.h <= one.y + 0.01;
  for (const width of [330, 358, 560, 800, 1062])
    for (const [L, S, D] of [
      [6, 7, 4],
      [12, 12, 6],
      [1, 1, 1],
    ]) {
      const plan = planOf({ width, tallest: width < 560 ? 454 : 418, L, S, D, longest: 42 });
      const names = ["q", "k", "v", "scores", "run", "out", "error"];
      const { sum } = plan;
      const boxes = [...names.map((name) => partOf(plan[name])), sum, { ...sum, y: sum.y + sum.pitch }];
      assert.ok(sum.x >= 100 && sum.x + sum.most + 40 < width, "with room for a name and for the number");
      if (D === 4 && S === 7) assert.ok(plan.v.w >= 10, "no slivers");
      for (const [n, box] of boxes.entries()) {
        assert.ok(box.x >= 0 && box.x + box.w <= width + 1 && box.y >= 0 && box.y + box.h <= plan.height, `${width} ${names[n]}`);
        assert.ok(
          boxes.slice(n + 1).every((other) => isApart(box, other)),
          `${width} ${names[n]}`,
        );
      }
      assert.equal(plan.k.y + D * plan.k.h, plan.v.y + S * plan.v.h, "keys and values end at one height");
      assert.equal(plan.run.y, plan.scores.y);
      assert.equal(plan.error.y, plan.out.y);
      if (plan.roomy) assert.ok(plan.v.x === plan.out.x && plan.out.y === plan.scores.y);
      if (plan.roomy) assert.deepEqual([plan.run.w, plan.out.w, plan.v.w, plan.k.w], Array(4).fill(plan.w), "one grid");
      if (S === 7) assert.ok(plan.error.x + plan.error.w >= width - 24, "the whole width is used");
      const { x, y, w, h } = cellOf(plan.scores, L - 1, S - 1);
      assert.deepEqual(scoreAt(plan, x + w / 2, y + h / 2), [L - 1, S - 1]);
      assert.equal(scoreAt(plan, plan.q.x + 1, y), null);
    }
});

test("on a phone, at the sizes at which the lab opens, a cell has room for a number", () => {
  const { w, h } = planOf({ width: 350, tallest: 454, L: 6, S: 7, D: 4, longest: 37 });
  assert.ok(w >= 26 && h >= 14, `${w} × ${h}`);
});

test("the sentences say what a step did, with the numbers of the row that changed most", () => {
  const { settings, moments, results } = all();
  const say = (n) => stepSentence(settings, moments[Math.max(0, n - 1)], moments[n], WORDS);
  assert.equal(say(0), "6 queries × 7 keys = 42 scores. As the formula is written, all of them exist at once.");
  assert.equal(say(1), "Read: queries near, old, 8 numbers. They stay in fast memory for a row of tiles.");
  assert.equal(say(2), "Scores: queries near, old meet keys girls, near. 4 scores appear. No other score exists.");
  assert.match(say(8), /4 scores appear\. No other score exists\.$/);
  assert.match(say(3), /each row gets a maximum/);
  assert.match(say(4), /The 4 scores of the tile are gone/);
  const rise = "“old” meets a higher score: 2.7, not 0.1. Its total and its output so far ";
  assert.equal(say(9), `${rise}shrink × 0.08. Then the new terms join.`);
  const forgot = { ...settings, rescale: false };
  assert.equal(stepSentence(forgot, moments[8], moments[9], WORDS), `${rise}should shrink × 0.08. They do not.`);
  const play = (n) => playSentence(moments[n], results, WORDS, true, moments[n - 1]);
  assert.equal(play(2), "Tile 1 of 12: at most 4 scores; no other exists.");
  assert.equal(play(9), say(9));
  assert.match(playSentence(moments[9], results, WORDS, false, moments[8]), /They do not\.$/);
  assert.doesNotMatch(play(3), /higher|shrink/);
  assert.equal(play(1), "Read: queries near, old.");
  const second = moments.findIndex(({ step }) => step?.rows[0] === 2);
  assert.equal(new Set(range(moments.length - second).map((n) => play(second + n))).size, 1); // it passes quickly
  const kept = all({ method: "stored" });
  const told = kept.moments.slice(1).map((one) => playSentence(one, kept.results, WORDS, true));
  assert.equal(new Set(told).size, 1); // the picture says the rest
  const end = endSentence(settings, results, WORDS.queries);
  assert.equal(end.kind, "good");
  assert.equal(end.verdict, "✓ At most 4 of 42 scores existed at once, and every row is right.");
  for (const [changes, text] of [
    [{}, "A row keeps only a maximum, a total and its output."],
    [{ S: 6, tile: 6 }, "One tile has them all."],
  ]) {
    const one = all(changes);
    assert.equal(endSentence(one.settings, one.results, WORDS.queries).text, text);
  }
  const causal = all({ causal: true });
  const skipped = endSentence(causal.settings, causal.results, WORDS.queries);
  assert.equal(skipped.verdict, "✓ 9 of 12 tiles were enough, and every row is right.");
  assert.equal(skipped.text, "The other 3 are masked as a whole, so they are skipped.");
  const wrong = all({ rescale: false });
  assert.match(endSentence(wrong.settings, wrong.results, WORDS.queries).verdict, /6 of 6 rows are wrong/);
  const stored = all({ method: "stored" });
  assert.match(endSentence(stored.settings, stored.results, WORDS.queries).text, /moved 672 bytes more\.$/);
  for (const changes of [{}, { method: "stored" }, { rescale: false, hidden: 3 }, { tile: 5, causal: true }]) {
    const one = all(changes);
    for (const n of range(one.moments.length)) {
      const text = stepSentence(one.settings, one.moments[Math.max(0, n - 1)], one.moments[n], WORDS);
      assert.ok(text.length > 20 && !/undefined|NaN|Infinity/.test(text), text);
    }
  }
});

test("the titles say what is there: scores, their exponentials or weights, and whether the output is still a sum", () => {
  for (const [changes, made] of [
    [{}, "e^(score − max)"],
    [{ tile: 3, causal: true }, "e^(score − max)"],
    [{ method: "stored" }, "weights"],
  ]) {
    const { settings, moments } = all(changes);
    for (const moment of moments) {
      const kinds = new Set(Array.from(moment.states).filter((state) => state === 1 || state === 2));
      const right = kinds.size === 2 ? `scores → ${made}` : kinds.has(2) ? made : "scores";
      assert.equal(scoresTitle(settings.method, moment, false), right);
      if (settings.method === "fused") assert.equal(scoresTitle(settings.method, moment, true), "scores");
      if (settings.method === "fused" && moment.step) {
        const isOpen = !["write", "read"].includes(moment.step.kind);
        const isSum = Array.from(moment.out).some((one, n) => one !== 0 && Math.floor(n / settings.D) >= moment.written);
        assert.equal(isUndivided(moment, settings.D), isSum);
        assert.ok(!isSum || isOpen);
      }
    }
    assert.equal(isUndivided(moments.at(-1), settings.D), false);
  }
});

test("frames are around what is in fast memory, and the one over the scores glides from tile to tile", () => {
  for (const changes of [{}, { tile: 3, L: 5 }, { tile: 6, D: 2 }, { method: "stored" }]) {
    const { settings, moments } = all(changes);
    const plan = planOf({ width: 900, tallest: 418, ...settings, longest: 42 });
    const framesAt = (n, part) => framesBetween(plan, settings, moments[n - 1], moments[n], part);
    for (let n = 1; n < moments.length; n++) {
      const { step } = moments[n];
      const here = framesAt(n, 1);
      for (const { name, rows, columns } of litAfter(settings, step))
        assert.deepEqual(here.find((one) => one.name === name), { name, box: partOf(plan[name], rows, columns), alpha: 1 }); // biome-ignore format: one line
      if (n > 1) assert.deepEqual(framesAt(n, 0).filter(({ alpha }) => alpha), framesAt(n - 1, 1)); // biome-ignore format: one line
    }
  }
  const { settings, moments } = all();
  const plan = planOf({ width: 900, tallest: 418, ...settings, longest: 42 });
  const windowAt = (part) =>
    framesBetween(plan, settings, moments[4], moments[5], part).find(({ name }) => name === "scores").box.x;
  assert.equal(windowAt(0), plan.scores.x);
  assert.ok(windowAt(0.2) > windowAt(0) && windowAt(0.2) < windowAt(1));
  assert.equal(windowAt(1), plan.scores.x + 2 * plan.w);
});

test("the terms of a row add up to its total after every step, rescaled or not; their old part shrinks before the new one grows", () => {
  for (const changes of [{}, { rescale: false }, { tile: 3, seed: 4 }, { hidden: 3 }, { causal: true }, { method: "stored" }]) {
    const { settings, moments } = all(changes);
    for (const n of range(moments.length))
      for (const row of range(settings.L)) {
        const sum = termsAt(settings, moments, n, row).reduce((total, term) => total + term, 0);
        assert.ok(Math.abs(sum - moments[n].total[row]) < 1e-5, `${n} ${row}`);
      }
  }
  const { settings, moments } = all();
  const [early, middle, late] = [0, 0.5, 1].map((part) => sumBetween(settings, moments, 8, 9, part));
  const total = (terms) => terms.reduce((sum, term) => sum + term, 0);
  assert.equal(early.row, 1, "the maximum of old rises most");
  assert.equal(sumBetween(settings, moments, 8, 9, 1, 4).row, 4, "unless another row is asked for");
  assert.ok(Math.abs(total(early.terms) - moments[8].total[1]) < 1e-5);
  assert.ok(Math.abs(total(middle.terms) - moments[8].total[1] * late.rise.factor) < 1e-5);
  assert.ok(Math.abs(total(late.terms) - moments[9].total[1]) < 1e-5);
  assert.ok(Math.abs(total(late.was) - moments[8].total[1]) < 1e-5, "what was there before");
  late.was.slice(0, 4).forEach((one, j) => {
    assert.ok(Math.abs(one * late.rise.factor - late.terms[j]) < 1e-5, "the factor makes of it what the step leaves");
  });
  for (const part of [0, 0.2, 0.3, 0.5, 0.7, 1]) {
    const { top, total: shown } = runBetween(settings, moments[8], moments[9], 1, part);
    assert.ok(Math.abs(shown - total(sumBetween(settings, moments, 8, 9, part).terms)) < 1e-6, `${part}: as long as its bar`);
    assert.equal(top, moments[part ? 9 : 8].top[1], "the maximum is known first");
  }
  assert.deepEqual(sumBetween(settings, moments, 9, 10, 1).rise, late.rise, "while the values are added, too");
  assert.equal(sumBetween(settings, moments, 10, 11, 1).rise, null);
  assert.equal(sumBetween({ ...settings, rescale: false }, all({ rescale: false }).moments, 8, 9, 1).was, null);
});

test("new terms arrive whole, one after the other, and the total counts only those that are there", () => {
  const { settings, moments } = all();
  const { values } = moments[3];
  for (const [part, count] of [
    [0.5, 0],
    [0.6, 1],
    [0.7, 1],
    [0.8, 2],
    [1, 2],
  ]) {
    const { terms, row } = sumBetween(settings, moments, 2, 3, part);
    const there = [0, 1].map((j) => (j < count ? values[row * 7 + j] : 0));
    assert.deepEqual(terms.slice(0, 2), there);
    const { total } = runBetween(settings, moments[2], moments[3], row, part);
    assert.ok(Math.abs(total - there[0] - there[1]) < 1e-6);
  }
});

test("the new maximum shows before what it does, before anything shrinks, and leaves while the values are added", () => {
  const [exp, mix] = [{ kind: "exp" }, { kind: "mix" }];
  assert.deepEqual(focusBetween(exp, 0), [0, 0]);
  assert.deepEqual(focusBetween(exp, 0.09), [1, 0]);
  assert.deepEqual(focusBetween(exp, 0.19), [1, 1]);
  assert.equal(numberBetween(2, 4, 0.19, exp), 2);
  assert.deepEqual(focusBetween(exp, 1), focusBetween(mix, 0));
  assert.deepEqual(focusBetween(mix, 0.3), [0, 0]);
});

test("the sum that should be is that of the same row, and it is right where the mistake makes none", () => {
  const { settings, moments } = all({ rescale: false });
  const right = all({}).moments;
  for (let n = 1; n < moments.length; n++)
    for (const part of [0.2, 0.7, 1]) {
      const [sum, should] = [
        sumBetween(settings, moments, n - 1, n, part),
        sumBetween({ ...settings, rescale: true }, right, n - 1, n, part),
      ];
      assert.equal(sum.row, should.row);
      const [made, wanted] = [sum, should].map(({ terms }) => terms.reduce((total, term) => total + term, 0));
      assert.ok(made >= wanted - 1e-5, `${n} ${part}`); // what is not rescaled stays too large
    }
});

const LOOK = {
  ...{ L: "#008050", S: "#802000", paper: "#ffffff", ink: "#202020", quiet: "#666666" },
  ...{ live: "#1060e0", good: "#108030", bad: "#a02040" },
};
const PEN = "setTransform clearRect beginPath rect clip moveTo lineTo fill stroke save restore translate rotate".split(" ");

/** What is painted at a moment: texts with their places, and the places and colours of other marks. */
function painted({ settings, results, moments }, n, part, width = 1062) {
  const [texts, dots, frames, fills] = [[], [], [], []];
  const pen = {
    ...Object.fromEntries(PEN.map((name) => [name, () => {}])),
    measureText: (text) => ({ width: 6 * text.length }),
    fillText: (text, x, y) => pen.globalAlpha > 0.3 && texts.push({ text, x, y }),
    fillRect: (x, y, w, h) => fills.push({ x, y, w, h, colour: pen.fillStyle, alpha: pen.globalAlpha }),
    arc: () => dots.push(`${pen.fillStyle} ${pen.globalAlpha}`),
    strokeRect: (x, y) => frames.push({ x, y }),
  };
  const plan = planOf({ width, tallest: width < 560 ? 454 : 418, ...settings, longest: 42 });
  const whole = all({ ...settings, method: "stored", tile: 12 }).moments[2].values;
  const rights = settings.rescale ? null : momentsOf({ ...settings, rescale: true }, results);
  const most = Math.max(...moments.flatMap(({ total }) => [...total]));
  const of = (changes, some) => sumBetween({ ...settings, ...changes }, some, n - 1, n, part);
  const should = rights && of({ rescale: true }, rights);
  const isSeen = n < moments.length - 1;
  const sum = { ...of({}, moments), should, isSeen, focus: focusBetween(moments[n].step, part) };
  const picture = { plan, settings, operands: results, words: WORDS, look: LOOK, whole, most };
  const canvas = { width: 0, height: 0, style: {}, getContext: () => pen };
  globalThis.devicePixelRatio = 1;
  paint(canvas, picture, moments[n - 1], moments[n], part, rights ? strayedRows(moments, rights, settings.D)[n] : [], sum);
  return { plan, texts, dots, frames, fills };
}

/** Those of these points that are inside a block. */
const inside = (block, points) => {
  const { x, y, w, h } = partOf(block);
  return points.filter((one) => one.x >= x && one.x <= x + w && one.y >= y && one.y <= y + h);
};

/** The two lines of the sum: for each the segments and what is written. */
const linesOf = ({ plan: { sum }, texts, fills }) =>
  [0, 1].map((at) => {
    const y = sum.y + at * sum.pitch;
    return {
      segments: fills.filter((one) => one.y === y && one.h === sum.h && one.x >= sum.x && one.alpha === 1 && one.w > 0),
      said: texts.filter((one) => Math.abs(one.y - y - sum.h / 2) < 2).map(({ text }) => text),
    };
  });

test("at the end all scores are dots of one colour, no tile is lit, and each row has its numbers and its error", () => {
  const one = all();
  const { plan, texts, dots, frames } = painted(one, one.moments.length - 1, 1);
  assert.deepEqual([dots.length, new Set(dots).size], [42, 1]);
  assert.deepEqual(inside(plan.scores, [...texts, ...frames]), []);
  const names = texts.map(({ text }) => text);
  for (const name of ["max", "total", "output", "error"]) assert.ok(names.includes(name), name);
  assert.deepEqual(inside(plan.error, texts).map(({ text }) => text), Array(6).fill("✓ 0.00")); // biome-ignore format: one line
});

test("a row has its error as soon as it is written; before that only a cross, if it is wrong already", () => {
  for (const [changes, n, errors] of [
    [{}, 4, []],
    [{ rescale: false }, 4, []],
    [{ rescale: false }, 6, []], // the maximum has risen, but nothing is added yet
    [{ rescale: false }, 7, ["✗", "✗"]],
    [{}, 14, ["✓ 0.00", "✓ 0.00"]],
    [{ rescale: false }, 14, ["✗ 1.11", "✗ 1.29"]],
    [{ method: "stored" }, 19, []],
  ]) {
    const { plan, texts } = painted(all(changes), n, 1);
    assert.deepEqual(inside(plan.error, texts).map(({ text }) => text), errors); // biome-ignore format: one line
  }
});

test("a rescaling shows which key has added what before, the factor, and what is left of it with the new terms", () => {
  for (const width of [1062, 800, 350]) {
    const [early, late] = [0.19, 1].map((part) => linesOf(painted(all(), 9, part, width)));
    assert.deepEqual([early[0].segments.length, late[0].segments.length], [4, 4], "four keys");
    assert.ok(late[0].said.includes("2.4") && late[0].said.includes("old"));
    assert.equal(early[1].segments.length, 4, "first a copy of it");
    assert.ok(early[1].said.includes("× 0.08 + new"));
    assert.ok(late[1].said.includes("1.2") && late[1].said.includes("gold"));
    const wide = (line, n) => line.segments.at(n).w + 1;
    assert.ok(Math.abs(wide(late[1], -3) / wide(late[0], -1) - 0.08) < 0.01, "kings has shrunk, found and gold are new");
  }
});

test("a term has one colour, in its cell and in the sum", () => {
  const one = painted(all(), 3, 1);
  const cells = [0, 1].map((j) => cellOf(one.plan.scores, 1, j));
  const colours = cells.map(
    ({ x, y }) => one.fills.find((some) => some.x === x + 0.5 && some.y === y + 0.5 && some.alpha === 1).colour,
  );
  assert.deepEqual(linesOf(one)[0].segments.map(({ colour }) => colour), colours); // biome-ignore format: one line
});

test("what is not rescaled has below it what it should be, once they differ", () => {
  const forgot = all({ rescale: false });
  assert.ok(!linesOf(painted(forgot, 4, 1))[1].said.includes("should be"));
  const [made, wanted] = linesOf(painted(forgot, 9, 1));
  assert.ok(made.said.includes("4.5") && wanted.said.includes("1.2") && wanted.said.includes("should be"));
});

test("no maximum is written as −∞: before the first score, and while all keys are masked, there is none", () => {
  for (const changes of [{}, { hidden: 3 }, { hidden: 6, causal: true }]) {
    const one = all(changes);
    for (const n of range(one.moments.length).slice(1))
      for (const part of [0.4, 1]) {
        const { plan, texts } = painted(one, n, part);
        assert.deepEqual(inside(plan.run, texts).filter(({ text }) => text === "−∞"), []); // biome-ignore format: one line
      }
  }
});
