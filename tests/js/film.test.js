// FilmLab without its canvas: the shape line, the timeline, and how numbers are printed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arcAt, lettersAt, shapesAt, tokensOf, WIDEST } from "../../src/attn/labs/film/letters.js";
import { compute } from "../../src/attn/labs/film/model.js";
import { numbersOf } from "../../src/attn/labs/film/numbers.js";
import { placesFor } from "../../src/attn/labs/film/places.js";
import { chainOfProduct, chainOfRow } from "../../src/attn/labs/film/print.js";
import { CAPTIONS, current, END, HOLDS, LETTERS, PACE, PARTS, SHAPES, STOPS } from "../../src/attn/labs/film/timeline.js";
import { captionAt } from "../../src/attn/labs/film/words.js";
import { EXAMPLES } from "../../src/attn/labs/kit/language.js";
import { advance } from "../../src/attn/labs/kit/player.js";

const WORDS = EXAMPLES[0].split(" ");
const numbers = numbersOf(compute({ _sentence: EXAMPLES[0] }), WORDS);
const moments = Array.from({ length: Math.round(END * 120) + 1 }, (_, n) => n / 120);
const plain = (tokens) => tokens.map(({ text }) => text).join("");
const STATES = new Set(SHAPES.map(([, , state]) => plain(tokensOf(state))));
const seenAt = (t) =>
  lettersAt(t)
    .filter(({ alpha }) => alpha >= 0.5)
    .sort((a, b) => a.x - b.x);

test("the shape line is a whole shape, except while pieces of it are exchanged", () => {
  const shape = /^[^()]+\([BHLSDE](·[BHLSDE])?(,[BHLSDE](·[BHLSDE])?)*\)$/;
  for (const t of [...moments, ...STOPS]) {
    if (SHAPES.some(([from, length]) => t >= from && t < from + length)) continue;
    const line = plain(seenAt(t));
    assert.ok(STATES.has(line) || (t < SHAPES[0][0] && !line), `${line} at ${t}`);
    if (line) for (const part of line.split(/(?<=\))@/)) assert.match(part, shape, `${line} at ${t}`);
  }
});

test("old pieces of the shape line have vanished before new ones appear", () => {
  for (const t of moments) {
    const n = SHAPES.findLastIndex(([from]) => t >= from);
    const keys = (state) => new Set(state ? tokensOf(state[2]).map(({ key }) => key) : []);
    const [before, after] = [keys(SHAPES[n - 1]), keys(SHAPES[n])];
    const seen = lettersAt(t).map(({ key }) => key);
    assert.ok(
      [before, after].some((state) => seen.every((key) => state.has(key))),
      `${seen} at ${t}`,
    );
    const lifts = lettersAt(t).flatMap(({ lift }) => (lift ? [Math.sign(lift)] : []));
    assert.ok(!lifts.length || lifts.sort().join() === "-1,1", `letters that exchange their places pass each other at ${t}`);
  }
});

test("letters glide: nothing that stays jumps between two frames", () => {
  let before = new Map();
  for (const t of moments) {
    const now = new Map(lettersAt(t).map(({ key, x }) => [key, x]));
    for (const [key, x] of now) if (before.has(key)) assert.ok(Math.abs(x - before.get(key)) < 2.2, `${key} at ${t}`);
    before = now;
  }
});

test("the shape line names tensors with their own axes", () => {
  const sizes = { x: "B, L, E", k: "B, H, S, D", kᵀ: "B, H, D, S", scores: "B, H, L, S", weights: "B, H, L, S", v: "B, H, S, D" };
  for (const t of STOPS)
    for (const { name, axes } of shapesAt(t)) if (sizes[name]) assert.equal(axes, sizes[name], `${name} at ${t}`);
  assert.deepEqual(shapesAt(END), [{ name: "y", axes: "B, L, E" }]);
});

test("an arc joins the two letters that a product sums over, and no others", () => {
  const arcs = new Set(moments.map((t) => arcAt(t)).flatMap((arc) => (arc && arc.alpha > 0.5 ? [arc.axis] : [])));
  assert.deepEqual([...arcs], ["E", "D", "S"]);
  for (const t of moments) {
    const arc = arcAt(t);
    if (!arc || arc.alpha < 0.01) continue;
    const ends = lettersAt(t).filter(
      ({ x, text }) => text === arc.axis && (Math.abs(x - arc.from) < 0.01 || Math.abs(x - arc.to) < 0.01),
    );
    assert.equal(ends.length, 2, `at ${t}`);
  }
});

test("every letter of the shape line is explained from the first moment on", () => {
  for (const t of moments)
    for (const { text, kind } of lettersAt(t))
      if (kind === "axis") {
        const [, meanings] = LETTERS.find(([letter]) => letter === text);
        assert.ok(current(meanings, t));
      }
});

test("each part ends on a still picture, and the film has a new one at most a few seconds later", () => {
  assert.deepEqual(
    [...STOPS].sort((a, b) => a - b),
    STOPS,
  );
  PARTS.forEach(([name], n) => {
    const end = PARTS[n + 1]?.[1] ?? END;
    assert.ok(
      STOPS.some((stop) => stop <= end && stop > end - 0.15),
      name,
    );
  });
});

test("the film takes less than half a minute, and stands still long enough where there is something to read", () => {
  const segments = PACE.map(([from, speed], n) => ((PACE[n + 1]?.[0] ?? END) - from) / speed);
  const total = segments.reduce((all, one) => all + one, 0);
  assert.ok(total > 18 && total < 29, `${total}`);
  assert.ok(Math.abs(advance(PACE, 0, total, END) - END) < 1e-6);
  for (const payoff of [9.2, 14.4, 19.5, 21.44]) {
    const [from, to, seconds] = HOLDS.find(([start, end]) => start <= payoff && payoff <= end);
    assert.ok(seconds >= 1, `${payoff}`);
    assert.ok(Math.abs(advance(PACE, from, seconds, END) - to) < 1e-9);
  }
  for (const [from, to] of HOLDS) assert.ok(CAPTIONS.every(([start]) => start <= from || start >= to));
});

test("every caption can be read while the film plays: at most nine words a second", () => {
  const starts = PACE.map(([from]) => from);
  const seconds = (/** @type {number} */ from, /** @type {number} */ to) => {
    const times = [from, ...starts.filter((start) => from < start && start < to), to];
    const speed = (/** @type {number} */ t) => PACE.findLast(([start]) => start <= t)[1];
    return times.slice(1).reduce((all, next, n) => all + (next - times[n]) / speed(times[n]), 0);
  };
  CAPTIONS.slice(0, -1).forEach(([from], n) => {
    const words = captionAt(from, numbers).split(" ").length;
    const rate = words / seconds(from, CAPTIONS[n + 1][0]);
    assert.ok(rate < 9, `${rate.toFixed(1)} words a second: ${captionAt(from, numbers)}`);
  });
});

test("captions fill every gap with what was computed", () => {
  for (const [from] of CAPTIONS) assert.doesNotMatch(captionAt(from, numbers), /[{}]|undefined|NaN/);
  const weight = numbers.value("weights", 0, 1, 4, 5);
  const most = Math.max(...WORDS.map((_, s) => numbers.value("weights", 0, 1, 3, s)));
  assert.ok(most < 0.3);
  assert.equal(captionAt(21, numbers), `“kings” gives no word more than ${most.toFixed(2)}: its row mixes all 7.`);
  assert.match(captionAt(END, numbers), /^“found” has gathered girls, gold and today\./);
  assert.equal(captionAt(19.5, numbers), `Head 1 answers “what?”: “found” gives ${weight.toFixed(2)} of its weight to “gold”.`);
  assert.deepEqual(numbers.hero, { h: 1, l: 4, s: 5 });
});

test("the printed numbers reproduce each other", () => {
  const { pairs, products, sum, exact } = numbers.product;
  const read = (text) => Number(text.replace("−", "-"));
  assert.ok(exact);
  pairs.forEach(([a, b], d) => {
    const decimals = products[d].split(".")[1].length;
    assert.equal((read(a) * read(b)).toFixed(decimals), read(products[d]).toFixed(decimals));
  });
  const decimals = sum.split(".")[1].length;
  assert.equal(products.reduce((all, one) => all + read(one), 0).toFixed(decimals), read(sum).toFixed(decimals));
  assert.equal(sum, numbers.value("scores", 0, 1, 4, 5).toFixed(decimals));

  const { row } = numbers;
  assert.ok(row.exact);
  row.scores.forEach((score, s) => {
    const places = row.scaled[s].split(".")[1].length;
    assert.ok(Math.abs(read(score) / 2 - read(row.scaled[s])) < 0.5001 / 10 ** places, `${score} ÷ 2`);
    const share = read(row.powers[s]) / read(row.sum);
    const shown = row.weights[s].split(".")[1].length;
    assert.equal(share.toFixed(shown), row.weights[s]);
  });
});

test("where no number of decimals is consistent, that is admitted", () => {
  assert.equal(chainOfProduct([[0.5, 0.5]], 0.25).exact, true);
  assert.equal(chainOfProduct([[1, 1]], 3).exact, false);
  assert.equal(chainOfRow([2, 4], 2).sum, "10.1");
});

test("numbers that are made when they are read equal their definitions", () => {
  const { value } = numbers;
  assert.equal(value("kᵀ", 0, 2, 3, 5), value("k", 0, 2, 5, 3));
  const sum = [0, 1, 2, 3].reduce((all, d) => all + value("q · k", 0, 1, 4, 6, d), 0);
  assert.ok(Math.abs(sum - value("scores", 0, 1, 4, 6)) < 1e-5);
  const powers = WORDS.map((_, s) => value("exp(scaled)", 0, 2, 3, s));
  const total = powers.reduce((all, one) => all + one, 0);
  assert.ok(Math.abs(total - numbers.sum(2, 3)) < 1e-9);
  assert.ok(Math.abs(powers[1] / total - value("weights", 0, 2, 3, 1)) < 1e-6);
  const row = Array.from({ length: 12 }, (_, e) => value("x", 0, 4, e) * value("W_Q", e, 7));
  assert.ok(Math.abs(row.reduce((all, one) => all + one, 0) - value("q_flat", 0, 4, 7)) < 1e-5);
});

test("every place is on the canvas, wide and on a phone", () => {
  for (const width of [320, 358, 390, 600, 700, 900, 1068])
    for (const hero of [0, 1, 2]) {
      const G = placesFor(width, hero);
      const inside = ({ x, y, p }, rows, columns, what) => {
        assert.ok(p > 3, `${what} at ${width}: cells of ${p}`);
        assert.ok(x >= 0 && x + columns * p <= width + 0.5, `${what} at ${width}: ${x} to ${x + columns * p}`);
        assert.ok(y >= 60 && y + rows * p <= G.height, `${what} at ${width}: ${y} to ${y + rows * p}`);
      };
      inside(G.x, 7, 12, "x");
      inside(G.source, 7, 12, "source");
      G.matrices.forEach((one) => inside(one, 12, 12, "matrix"));
      G.outs.forEach((one) => inside(one, 7, 12, "out"));
      G.strips.flat().forEach((one) => Object.values(one).forEach((place) => inside(place, 7, 4, "strip")));
      G.keys.forEach((one) => inside(one, 7, 7, "keys"));
      G.tables.forEach((one) => inside(one, 7, 7, "table"));
      for (const one of G.product.flat()) {
        inside(one.q, 7, 4, "q");
        inside(one.k, 4, 7, "kᵀ");
        inside(one.scores, 7, 7, "scores");
      }
      for (const one of G.blend.flat()) {
        inside(one.weights, 7, 7, "weights");
        inside(one.v, 7, 4, "v");
        inside(one.heads, 7, 4, "weights @ v");
      }
      [G.together(0, 1), G.together(2, 1)].forEach((one) => inside(one, 7, 4, "together"));
      inside(G.W_O, 12, 12, "W_O");
      inside(G.output, 7, 12, "y");
      G.pair.forEach((one) => inside(one, 7, 12, "pair"));
      assert.ok(WIDEST < 45);
    }
});
