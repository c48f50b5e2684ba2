// RopeLab: turned hands, their moves, the curve and the sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { range } from "../../src/attn/labs/kit/math.js";
import { envelope, reachOf } from "../../src/attn/labs/rope/curve.js";
import { cellsOf, clockAt, planOf } from "../../src/attn/labs/rope/layout.js";
import { marksWith } from "../../src/attn/labs/rope/marks.js";
import { clocksOf, compute, scoreAt, termAt } from "../../src/attn/labs/rope/model.js";
import { lettersOf } from "../../src/attn/labs/rope/paint.js";
import { momentOf, scoreOf, shortened, shortest, stateOf, termOf } from "../../src/attn/labs/rope/scene.js";
import { explanation, roundText, sentence } from "../../src/attn/labs/rope/words.js";
import { within } from "./close.js";

const START = { query: 5, key: 2, D: 8, base: 10000, turn: "both", equal: false, seed: 0, clock: null };
const close = within(1e-9);
const stateWith = (changes) => {
  const settings = { ...START, ...changes };
  return stateOf(settings, compute(settings));
};
const between = ({ q, k }) => Math.cos(q.angle - k.angle);

test("the term of a clock is the length of q times the length of k times the cosine between its hands", () => {
  for (const turn of ["both", "q", "none"])
    for (const [query, key] of [
      [5, 2],
      [1000, 3],
      [0, 4096],
    ]) {
      const settings = { ...START, turn, query, key };
      const results = compute(settings);
      const clocks = clocksOf(results);
      clocks.forEach((clock, d) => close(termAt(clock, turn, query, key), results.terms[d]));
      close(scoreAt(clocks, turn, query, key), results.score);
      momentOf(null, stateOf(settings, results), 1).faces.forEach((face, d) => close(termOf(face), results.terms[d]));
    }
});

test("while both move, every hand turns and no angle between hands changes, however far they go", () => {
  for (const by of [1, 7, 100, 4000]) {
    const [from, to] = [stateWith({}), stateWith({ query: 5 + by, key: 2 + by })];
    const start = momentOf(null, from, 1).faces;
    for (const t of [0, 0.3, 0.5, 0.8, 1]) {
      const moment = momentOf(from, to, t);
      moment.faces.forEach((face, n) => close(between(face), between(start[n])));
      close(moment.query - moment.key, 3);
    }
    const [before, halfway] = [0, 0.5].map((t) => momentOf(from, to, t).faces);
    halfway.forEach(({ q }, n) => assert.notEqual(q.angle, before[n].q.angle));
  }
});

test("a move begins where the picture was, and ends where a jump ends", () => {
  const from = stateWith({});
  for (const changes of [{ query: 12 }, { D: 16 }, { D: 2 }, { seed: 3 }, { equal: true }, { base: 100 }, { turn: "none" }]) {
    const to = stateWith(changes);
    const [start, was] = [momentOf(from, to, 0).faces, momentOf(null, from, 1).faces];
    start.slice(0, 4).forEach((face, n) => {
      for (const name of ["q", "k"]) {
        close(Math.cos(face[name].angle), Math.cos(was[n][name].angle));
        close(face[name].length, was[n][name].length);
      }
    });
    assert.deepEqual(momentOf(from, to, 1), momentOf(null, to, 1));
  }
});

test("long turns lose full rounds and nothing else", () => {
  const round = 2 * Math.PI;
  for (const angle of [0, 1, -1, 6, 13, 100, -1000]) {
    const short = shortened(angle);
    close(Math.cos(short), Math.cos(angle), 1e-9);
    close(Math.sin(short), Math.sin(angle), 1e-9);
    assert.ok(Math.abs(short) <= 3 * round && Math.abs(short) <= Math.abs(angle));
    assert.ok(Math.abs(shortest(0.4, angle)) <= Math.PI + 1e-9);
  }
});

test("clocks stand in one row where there is room, in two on a phone, and each is found at its centre", () => {
  for (const [width, count, rows] of [
    [800, 8, 1],
    [350, 8, 2],
    [350, 4, 1],
    [240, 1, 1],
  ]) {
    const plan = planOf({ width, count, positions: true });
    assert.equal(new Set(plan.centres.map(({ y }) => y)).size, rows);
    plan.centres.forEach(({ x, y }, n) => {
      assert.equal(clockAt(plan, x, y), n);
      assert.ok(x - plan.radius >= 0 && x + plan.radius <= width && y + plan.radius <= plan.height);
    });
    assert.equal(clockAt(plan, 5, 5), null);
  }
});

test("the cells around the tokens have their positions, none is negative, and a long distance has a gap", () => {
  for (const [query, key, hasGap] of [
    [5, 2, false],
    [105, 102, false],
    [2, 5, false],
    [0, 0, false],
    [1002, 2, true],
    [50.5, 47.5, false],
  ]) {
    const { cells, places, gap } = cellsOf(400, query, key);
    assert.equal(gap !== null, hasGap);
    assert.ok(cells.every(({ at, x }) => at >= 0 && x > -36 && x < 400));
    for (const [at, place] of [
      [query, places.query],
      [key, places.key],
    ])
      if (Number.isInteger(at)) close(cells.find((cell) => cell.at === at && Math.abs(cell.x - place) < 1).x, place);
  }
});

test("the curve reaches beyond the distance, and its columns hold every distance", () => {
  assert.deepEqual([3, 32, 100, -5, 4096].map(reachOf), [
    [0, 32],
    [0, 64],
    [0, 128],
    [-32, 32],
    [0, 4096],
  ]);
  const fine = envelope((at) => at * at, 0, 8, 100);
  assert.deepEqual(
    fine.map(({ at, low, high }) => [at, low, high]),
    range(9).map((at) => [at, at * at, at * at]),
  );
  const coarse = envelope((at) => at, 0, 10, 4);
  assert.deepEqual(
    coarse.map(({ low, high }) => [low, high]),
    [
      [0, 2],
      [3, 5],
      [6, 8],
      [9, 10],
    ],
  );
});

test("a slider has every small position, and the present one", () => {
  assert.ok(marksWith(102, 4096).includes(102));
  assert.deepEqual(marksWith(3, 5), [0, 1, 2, 3, 4, 5]);
});

const told = (changes, start = START) => {
  const settings = { ...START, ...changes };
  return sentence(settings, compute(settings), start);
};

test("the hands that are drawn add up to the score of their distance, unless full rounds are left out", () => {
  const [from, to] = [START, { ...START, query: 12 }].map((settings) => stateOf(settings, compute(settings)));
  for (const t of [0.2, 0.5, 0.8, 1]) {
    const { faces, query, key } = momentOf(from, to, t);
    close(scoreOf(faces), scoreAt(to.clocks, "both", query, key));
  }
});

test("the sentence says the score before and after", () => {
  const score = (changes) =>
    compute({ ...START, ...changes })
      .score.toFixed(2)
      .replace("-", "−");
  assert.match(told({}), /^The query is at 5 and the key at 2: .* The 4 clocks add up to a score of 1\.69\. What if both move\?$/);
  assert.match(told({ query: 105, key: 102 }), /^Both moved by 100 positions\. .* stayed\. The score was 1\.69 and is 1\.69\.$/);
  assert.match(told({ query: 4, key: 1 }), /^Both moved back by 1 position\./);
  assert.match(
    told({ query: 12 }),
    /^The query moved by 7 positions: the distance is 10, not 3\. .* by 1\.1 rounds on the first clock, by 0\.4° on the last\. The score went from 1\.69 to/,
  );
  assert.ok(told({ query: 12 }).endsWith(`from 1.69 to ${score({ query: 12 })}.`));
  assert.match(told({ key: 7 }), /^The key moved by 5 positions: the distance is −2, not 3\./);
  assert.match(told({ query: 6, key: 1 }), /^The query moved by 1 position, the key back by 1 position:/);
  const eight = { ...START, D: 16 };
  assert.match(
    sentence(eight, compute(eight), START, false),
    /^8 clocks, 8 speeds: one turn takes from 6\.3 to 19,869 tokens\. .* a score of −1\.69; still, only the distance counts\.$/,
  );
  const others = { ...START, query: 12, D: 16 };
  const unseen = sentence(others, compute(others), START, false); // the lab began with other clocks
  assert.match(unseen, new RegExp(`not 3\\. .* The score is ${score(others)}\\.$`));
  const both = { ...others, query: 105, key: 102 };
  assert.ok(sentence(both, compute(both), START, false).endsWith(`The score is ${score(both)} in both places.`));
  assert.match(told({ query: 12, D: 2 }), /The angle between the hands changed by 1\.1 rounds\./);
});

test("the sentence says what happens if q alone is turned, or nothing", () => {
  assert.match(told({ turn: "q" }), /^Only q is turned, .* It is −2\.45\. Move both, and it changes\.$/);
  assert.match(
    told({ turn: "q", query: 105, key: 102 }),
    /Both moved by 100 positions, and the score goes from −2\.45 to −0\.06\.$/,
  );
  assert.match(told({ turn: "none", query: 900 }), /^Neither q nor k is turned: the score is .* wherever the two tokens stand\./);
});

test("a clock that is chosen is explained with its own numbers", () => {
  const settings = { ...START, clock: 2 };
  const results = compute(settings);
  assert.match(explanation(settings, results), /^Channels 2 and 6 turn by 0\.01 a position\. /);
  assert.ok(explanation(settings, results).includes(`= ${results.terms[2].toFixed(2).replace("-", "−")}.`));
  assert.match(explanation({ ...settings, clock: 7 }, results), /^A clock: two of the \{D\} channels/, "there is no such clock");
  assert.deepEqual([roundText(1, true), roundText(0.001, false)], ["one turn in 6.3 tokens", "1 turn in 6,283"]);
});

test("the letters of a clock's hands never lie on each other, nor far outside", () => {
  for (const radius of [31, 41, 62])
    for (const seed of range(200)) {
      const [a, b, c] = [0.37, 0.61, 0.83].map((step) => (seed * step) % 1);
      const face = { q: { length: 0.03 + a, angle: 6 * b }, k: { length: 0.03 + c, angle: 6 * b + (seed % 5) * 0.2 } };
      const [k, q] = lettersOf(face, (of) => (0.92 * radius * of) / 1.03, radius);
      assert.deepEqual([k.name, q.name], ["k", "q"]);
      const apart = Math.hypot(k.at[0] - q.at[0], k.at[1] - q.at[1]);
      assert.ok(apart > 14, `${radius} ${seed}: ${apart}`);
      for (const { at } of [k, q]) assert.ok(Math.hypot(...at) <= radius - 1.9);
    }
});
