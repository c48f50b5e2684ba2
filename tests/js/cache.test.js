import assert from "node:assert/strict";
import { test } from "node:test";
import { costs, multiplications } from "../../src/attn/labs/cache/costs.js";
import { planOf, rowOf, tabOf, targetAt } from "../../src/attn/labs/cache/layout.js";
import { compute } from "../../src/attn/labs/cache/model.js";
import { callEnds, firstNewRow, readings, visibleCount } from "../../src/attn/labs/cache/run.js";
import { openOf, sceneOf } from "../../src/attn/labs/cache/scene.js";
import {
  callSentence,
  comparison,
  differenceText,
  isStale,
  overwriteEffect,
  queryCacheUse,
  readersOf,
  rowList,
  rowText,
} from "../../src/attn/labs/cache/words.js";

const START = {
  S: 7,
  P: 5,
  H: 4,
  G: 4,
  D: 3,
  causal: true,
  layer: 1,
  overwrite: "q",
  at: 2,
  _texts: ["girls near old kings found gold today"],
};
const at = (changes) => ({ ...START, ...changes });
const effect = (changes) => overwriteEffect(at(changes), compute(at(changes))).join("");
const verdict = (changes) => comparison(at(changes), compute(at(changes)));

test("the prompt is computed at once, then one word at a time", () => {
  assert.deepEqual(callEnds(5, 7), [5, 6, 7]);
  assert.deepEqual(callEnds(1, 1), [1]);
  assert.equal(firstNewRow({ S: 7, P: 5 }), 6);
  assert.equal(firstNewRow({ S: 5, P: 5 }), 0);
});

test("a row attends to the words that existed when it was computed", () => {
  const seen = (causal) => [0, 4, 5, 6].map((i) => visibleCount(i, { P: 5, causal }));
  assert.deepEqual(seen(true), [1, 5, 6, 7]);
  assert.deepEqual(seen(false), [5, 5, 6, 7]);
  const { weights } = compute(at({ causal: false, overwrite: "nothing" }));
  const nonzero = (i) => weights.subarray(i * 7, i * 7 + 7).filter((weight) => weight > 0).length;
  assert.deepEqual([0, 4, 5, 6].map(nonzero), [5, 5, 6, 7]);
});

test("a causal run with a cache equals the full pass to the last bit", () => {
  for (const layer of [1, 2]) {
    const { gap, stale, stale_q, stale_weights } = compute(at({ layer, S: 7, P: 3 }));
    assert.ok(Math.max(...gap, ...stale, ...stale_q, ...stale_weights) === 0);
  }
});

test("with the cache a step costs S times less, and a prefill costs the same", () => {
  const { step, text, computed } = costs(START);
  assert.equal(step[1], 7 * step[0]);
  assert.equal(step[0], multiplications(START, 1, 7));
  assert.deepEqual(computed, [1, 7]);
  assert.equal(text[0], multiplications(START, 5, 5) + multiplications(START, 1, 6) + step[0]);
  const prefill = costs(at({ S: 5 }));
  assert.equal(prefill.step[0], prefill.step[1]);
  assert.equal(prefill.read, 0);
  assert.equal(costs(at({ G: 4 })).kept, 4 * costs(at({ G: 1 })).kept);
});

test("the effect of overwriting is described for queries, keys, values, the newest word and a prefill", () => {
  assert.equal(
    effect({}),
    "With another query of “old”, 1 of 7 rows changes: row 2. No other row reads it, and no later word will: so it is not kept.",
  );
  assert.match(
    effect({ overwrite: "k" }),
    /^With another key of “old”, 5 of 7 rows change: rows 2 to 6\. Its own row and every later row read it, and every later word will: so it is kept\.$/,
  );
  assert.match(
    effect({ overwrite: "q", at: 6 }),
    /query of “today”, 1 of 7 .* row 6\. It is the one query that this step reads\.$/,
  );
  assert.match(effect({ S: 5 }), /1 of 5 rows changes: row 2\. No other row reads it, and no later word will: so/);
  assert.match(effect({ S: 5, causal: false }), /row 2\. No other row reads it\.$/);
  assert.match(effect({ S: 5, overwrite: "v" }), /3 of 5 rows change: rows 2 to 4\. Its own row and every later row read it/);
  assert.match(effect({ S: 5, overwrite: "v", causal: false }), /5 of 5 rows .* There is no mask: all rows read it\.$/);
  assert.match(effect({ overwrite: "q", at: 0 }), /0 of 7 rows change\. Row 0 has one key, whose weight is 1/);
  assert.match(effect({ causal: false }), /older rows change with each word, and need their queries again\.$/);
  assert.match(effect({ causal: false, layer: 2 }), /and here their queries do too: nothing that is old can be used\.$/);
  for (const layer of [1, 2]) assert.doesNotMatch(effect({ causal: false, layer }), /no later row/);
});

test("the sentence of a call names what is kept, and what sharing saves", () => {
  const parts = (changes) => callSentence(at({ overwrite: "nothing", ...changes }), compute(at(changes)));
  const sentence = (changes) => parts(changes).join("");
  assert.equal(parts({ G: 1 })[0], "4 query heads share 1 key/value head: 168 bytes, not 672 bytes.", "the result, in bold");
  assert.equal(sentence({}), "The query of “today” met 7 keys; no later word reads it. Its key and value stay: 96 bytes more.");
  assert.match(
    sentence({ G: 1 }),
    /^4 query heads share 1 key\/value head: 168 bytes, not 672 bytes\. The price: heads 1 to 3 give other numbers\./,
  );
  const shared = callSentence(at({ G: 1, overwrite: "nothing" }), compute(at({ G: 1 })), 1).join("");
  assert.match(shared, /heads 1 to 3 give other numbers \(head 1 is drawn\)\.$/);
  assert.match(sentence({ H: 2, G: 1 }), / The price: head 1 gives other numbers\./);
  assert.match(sentence({ G: 1, layer: 2 }), / The price: heads 0 to 3 give other numbers/);
  assert.doesNotMatch(sentence({}), /other numbers/);
  assert.match(
    sentence({ S: 5 }),
    /^The 5 words of the prompt are computed at once\. Their keys and values are kept, their queries are not\.$/,
  );
  assert.match(sentence({ S: 1, P: 1, at: 0 }), /^The prompt, 1 word, is computed at once\./);
  assert.doesNotMatch(sentence({ causal: false }), /no later word/);
});

test("without a mask old rows are stale, and in layer 2 so are the new rows of weights and heads", () => {
  const rows = (tensor, changes) => {
    const results = compute(at({ causal: false, ...changes }));
    return [0, 1, 2, 3, 4, 5, 6].filter((i) => isStale(tensor, i, results));
  };
  const old = [0, 1, 2, 3, 4, 5];
  const all = (changes) => Object.fromEntries(["q", "k", "v", "weights", "heads"].map((tensor) => [tensor, rows(tensor, changes)]));
  for (const overwrite of ["nothing", "q", "k", "v"]) {
    assert.deepEqual(all({ overwrite }), { q: [], k: [], v: [], weights: old, heads: old });
    assert.deepEqual(all({ overwrite, layer: 2 }), { q: old, k: old, v: old, weights: [...old, 6], heads: [...old, 6] });
  }
});

test("the comparison with a full pass has three outcomes", () => {
  const good = { kind: "good", text: "✓ Same output as without a cache: this step takes 744 multiplications, not 5,208." };
  assert.deepEqual(verdict({ overwrite: "nothing" }), good);
  assert.deepEqual(verdict({ G: 1, overwrite: "nothing" }), { kind: "good", text: "" }); // the price of sharing is said
  assert.deepEqual(verdict({}), good); // overwriting does not count
  assert.equal(verdict({ S: 5, layer: 2, causal: false }).kind, "good");
  assert.equal(verdict({ S: 5 }).text, "", "a prefill is a full pass");
  assert.match(verdict({ causal: false }).text, /^⚠ The new row is right, .* for 6 of 6 older words\.$/);
  const out = verdict({ causal: false, layer: 2 });
  assert.equal(out.kind, "bad");
  assert.match(
    out.text,
    /^✗ The new row is off by 0\.\d\d\. .* of 6 words are stale \(red frames\)\. .* for 6 of 6 older words\.$/,
  );
});

test("a rounding error of torch is not a difference", () => {
  const results = { gap: Float32Array.of(2e-7, 1e-7, 3e-7), stale: new Float32Array(3), costs: { step: [1, 3] } };
  assert.equal(comparison({ S: 3, P: 2 }, results).kind, "good");
  assert.deepEqual([0, 2e-7, 2e-4, 0.256].map(differenceText), ["0.00", "0.00", "0.01", "0.26"]);
});

test("a cache of queries would be useful only in layer 1 without a mask", () => {
  const use = (changes) => queryCacheUse(at(changes), "336 bytes");
  assert.equal(use({}), "A cache of queries would take 336 bytes, and no step would read it.");
  assert.equal(use({ layer: 2 }), use({}));
  assert.match(use({ causal: false }), /336 bytes; to bring the older rows up to date a step would read it\.$/);
  assert.match(use({ causal: false, layer: 2 }), /336 bytes; they would be stale too\.$/);
  assert.match(use({ causal: false, layer: 2, S: 5 }), /336 bytes; after the next word they would be stale\.$/);
});

test("the text of a row states when it was computed and which steps read it", () => {
  const text = (tensor, i, changes = {}) => rowText(tensor, i, at(changes), compute(at(changes)));
  assert.equal(
    text("q", 1),
    "The query of “near”: computed in the prefill, met 2 keys, not kept. No later row of this layer reads it.",
  );
  assert.match(text("q", 1, { causal: false }), /met 5 keys, not kept/);
  assert.equal(text("k", 5), "The key of “gold”: computed when “gold” was new, read from the cache at every step since.");
  assert.equal(text("v", 6), "The value of “today”: computed now, and written into the cache.");
  const stale = / Stale: a full pass has other numbers in this row\.$/;
  for (const name of ["q", "k", "v"]) {
    assert.match(text(name, 1, { causal: false, layer: 2 }), stale);
    assert.doesNotMatch(text(name, 1), stale);
    assert.doesNotMatch(text(name, 6, { causal: false, layer: 2 }), stale);
  }
});

test("consecutive rows are written as a range, others one by one", () => {
  assert.deepEqual(
    [[3], [5, 6], [2, 3, 4], [0, 4, 5]].map((rows) => rowList(rows)),
    ["row 3", "rows 5 and 6", "rows 2 to 4", "rows 0, 4, 5"],
  );
});

test("sizes that do not fit together are refused", () => {
  assert.throws(() => compute(at({ G: 3 })), { message: /H = 4 is not a multiple of G = 3/ });
  assert.throws(() => compute(at({ P: 8 })), { message: /P = 8 words of prompt and S = 7/ });
  assert.throws(() => compute(at({ at: 7 })), { message: /the last of S = 7 words is number 6/ });
});

const WORDS = START._texts[0].split(" ");
const planFor = (width, sizes = {}) =>
  planOf({ ...{ width, slots: 7, H: 4, D: 3, words: WORDS, heads: true, open: 1, bytes: true }, ...sizes });
const scene = (changes, moment = {}) => {
  const state = at({ overwrite: "nothing", ...changes });
  return sceneOf(planFor(640), state, compute(state), { ...{ head: 0, kind: "rest", n: 1, from: state.H }, ...moment });
};
const drawn = (changes) => ({ untouched: compute(at({ overwrite: "nothing", ...changes })) });
const looks = ({ rows }, part) => rows.filter((row) => row.part === part && row.alpha > 0).map((row) => row.look);

test("where heads share keys and values, the newest row and its weights stay in sight as they were", () => {
  for (const S of [5, 7]) {
    const state = at({ overwrite: "nothing", S, G: 1 });
    const separate = compute({ ...state, G: state.H });
    const plan = planFor(640);
    const { own, bars, rows } = sceneOf(plan, state, compute(state), { head: 1, kind: "rest", n: 1, from: state.H, separate });
    const row = 1 * S + S - 1;
    assert.deepEqual(own.values, [...separate.heads.subarray(row * state.D, (row + 1) * state.D)]);
    assert.deepEqual(
      bars.map(({ was }) => was),
      [...separate.weights.subarray(row * S, (row + 1) * S)],
    );
    const place = rowOf(plan, "out", S - 1);
    const newest = rows.findLast(({ part }) => part === "out")?.box ?? place;
    assert.ok(newest.y === place.y && newest.y + newest.h < own.box.y, "below the newest row");
    assert.ok(own.box.h < newest.h / 2 && own.box.y + own.box.h <= place.y + place.h, "a strip in the place of this row");
  }
  const moment = { head: 1, kind: "rest", n: 1, from: 4 };
  assert.ok(!scene({ G: 1 }, moment).own && scene({ G: 1 }, moment).bars.every(({ was }) => was === undefined));
});

test("an old query leaves an empty place, keys and values stay, and later words have room", () => {
  const now = scene({ S: 6 });
  assert.deepEqual(looks(now, "q"), [...Array(5).fill("gone"), "now"]);
  assert.equal(now.lines.length, 0);
  for (const part of ["k", "v"]) assert.deepEqual(looks(now, part), [...Array(6).fill("kept"), "slot"]);
  assert.deepEqual(looks(now, "out"), [...Array(5).fill("past"), "now"]);
  assert.deepEqual(looks(scene({ S: 5 }), "out"), Array(5).fill("now"));
});

test("numbers are in the row that the picture is about: that of the newest word, and in an experiment what is overwritten", () => {
  const told = (changes) =>
    scene(changes).rows.flatMap(({ part, i, look, bare }) => (bare || /slot|gone|same|changed/.test(look) ? [] : [`${part} ${i}`]));
  for (const S of [5, 7])
    assert.deepEqual(
      told({ S }),
      ["q", "k", "v", "out"].map((part) => `${part} ${S - 1}`),
    );
  for (const overwrite of ["q", "k", "v"]) assert.deepEqual(told({ overwrite }), [`${overwrite} 2`]);
});

test("an arrival ends exactly as it is drawn at rest, and so do the other moves", () => {
  assert.deepEqual(scene({ S: 7 }, { kind: "arrive", n: 1 }), scene({ S: 7 }));
  assert.deepEqual(scene({ overwrite: "k" }, { kind: "overwrite", n: 1 }), scene({ overwrite: "k" }));
  assert.deepEqual(scene({ G: 1 }, { kind: "share", n: 1 }), scene({ G: 1 }));
});

test("while a word arrives its query meets the keys before its weights are known, and the query before it is gone first", () => {
  const moment = (n) => scene({}, { kind: "arrive", n });
  const landed = (n) => moment(n).flying.map((row) => row.landed);
  assert.deepEqual(
    [landed(0.1), landed(0.36)],
    [
      [0, 0],
      [1, 1],
    ],
  );
  for (const n of [0.05, 0.1, 0.18, 0.24, 0.3]) {
    const row = rowOf(planFor(640), "q", 6);
    const [k, v] = moment(n).flying.map(({ box }) => box);
    assert.ok(row.x + row.w < k.x && k.x + k.w < v.x && k.y === row.y && v.y === row.y, `side by side at ${n}`);
    if (n < 0.14) assert.ok(v.x + v.w < planFor(640).sheet.x, "made before the cache");
  }
  assert.deepEqual(looks(moment(0), "q"), [...Array(5).fill("gone"), ...Array(3).fill("now")]); // number by number
  assert.deepEqual(looks(moment(0.55), "q"), [...Array(6).fill("gone"), "now"]);
  assert.ok(moment(0.36).copies.length === 1 && moment(0.2).copies.length === 0 && moment(0.55).copies.length === 0);
  const steps = [0, 0.1, 0.2, 0.4, 0.55, 0.6, 0.7, 1].map((n) => moment(n).step.join(" "));
  assert.ok(new Set(steps).size === 8 && steps[3] === "the query meets every key" && steps[7] === "");
  const scoresAt = (n) => moment(n).bars.flatMap(({ alpha }, j) => (alpha > 0 ? [j] : []));
  assert.deepEqual([0.36, 0.43, 0.48].map(scoresAt), [[], [3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]); // one key after the other, the newest first
  const [scored, weighed] = [0.49, 0.57].map((n) => moment(n).bars);
  assert.ok(scored.every((bar) => !bar.isWeight) && weighed.every((bar) => bar.isWeight));
  const total = weighed.reduce((sum, bar) => sum + bar.share, 0);
  assert.ok(Math.abs(total - 1) < 1e-6);
  const ratio = Math.exp(scored[2].value - scored[5].value);
  assert.ok(Math.abs(ratio - weighed[2].value / weighed[5].value) < 1e-5); // the weights are the softmax of the scores
});

test("values dim to their weights at their full height, and each is added to the one empty row of the output", () => {
  const moment = (n) => scene({}, { kind: "arrive", n });
  const place = (i, part = "v") => rowOf(planFor(640), part, i);
  const { slices } = moment(0.67);
  assert.deepEqual(
    slices.map(({ box }) => box),
    [0, 1, 2, 3, 4, 5, 6].map((i) => place(i)),
    "in their places",
  );
  assert.deepEqual(
    slices.map(({ weight }) => weight),
    moment(0.67).bars.map(({ share }) => share),
  );
  const sumAt = (n) =>
    moment(n).rows.filter(({ part, i, look, alpha }) => part === "out" && i === 6 && look !== "gone" && alpha > 0);
  const emptyAt = (n) =>
    moment(n)
      .rows.filter(({ part, look, lit }) => part === "out" && look === "gone" && lit === 1)
      .map(({ i }) => i);
  assert.deepEqual([sumAt(0), sumAt(0.67), emptyAt(0.67)], [[], [], [6]]);
  for (const n of [0.78, 0.82, 0.86, 0.9, 0.95]) {
    const [{ values }] = sumAt(n);
    const added = moment(n).slices.filter(({ isAdded }) => isAdded);
    const sum = values.map((_, d) => added.reduce((total, slice) => total + slice.weight * slice.values[d], 0));
    assert.deepEqual(values, sum);
    assert.ok(moment(n).slices.every(({ box }) => Math.abs(box.h - place(0).h) < 1e-9));
  }
  const [[almost], [done]] = [sumAt(0.95), sumAt(1)];
  assert.ok(
    almost.values.every((value, d) => Math.abs(value - done.values[d]) < 1e-5),
    "all values are added",
  );
});

test("before the heads have merged the picture shows what it showed before they share; then keys and values change, then the output", () => {
  const state = at({ overwrite: "nothing", G: 1 });
  const [before, results] = [compute({ ...state, G: 4 }), compute(state)];
  const moment = (n) => sceneOf(planFor(640), state, results, { head: 1, kind: "share", n, from: 4, before, separate: before });
  const numbers = ({ rows }, part) => rows.filter((row) => row.part === part).map(({ values }) => values);
  const was = scene({ G: 4 }, { head: 1 });
  for (const n of [0, 0.3, 0.65]) {
    for (const part of ["k", "v", "out"]) assert.deepEqual(numbers(moment(n), part), numbers(was, part), `${part} at ${n}`);
    assert.deepEqual(
      moment(n).bars.map(({ share }) => share),
      was.bars.map(({ share }) => share),
    );
    assert.equal(moment(n).own, null);
  }
  assert.equal(moment(0.65).caches.n, 1, "they have merged");
  const [between, end] = [moment(0.8), moment(1)];
  assert.deepEqual([numbers(between, "k"), numbers(between, "out")], [numbers(end, "k"), numbers(was, "out")]);
  assert.ok(end.own.alpha === 1 && end.rows.every(({ alpha }) => alpha === 1));
});

test("the room of the tabs opens before heads share and closes after; the picture is as high as before", () => {
  const opens = [0, 0.35, 0.65, 1].map((n) => openOf("share", n, 4, 1, 4));
  assert.deepEqual(opens, [0, 1, 1, 1]);
  assert.deepEqual(
    [0, 0.65, 1].map((n) => openOf("share", n, 1, 4, 4)),
    [1, 1, 0],
  );
  assert.deepEqual([openOf("rest", 1, 4, 4, 4), openOf("rest", 1, 4, 2, 4), openOf("share", 0.5, 1, 2, 4)], [0, 1, 1]);
  for (const width of [346, 640, 1000]) {
    const heights = [0, 0.5, 1].map((open) => planFor(width, { open }).height);
    assert.ok(heights.every((height) => Math.abs(height - heights[0]) < 1e-9));
  }
});

test("a row reads its own query, and every key that it may attend to", () => {
  const pairs = (changes) => readings({ ...START, ...changes });
  assert.deepEqual(pairs({ overwrite: "nothing" }), []);
  assert.deepEqual(
    pairs({ overwrite: "q" }),
    [0, 1, 2].map((j) => [2, j]),
  );
  for (const overwrite of ["k", "v"]) {
    assert.deepEqual(
      pairs({ overwrite }),
      [2, 3, 4, 5, 6].map((i) => [i, 2]),
    );
    assert.equal(pairs({ overwrite, causal: false }).length, 7);
  }
});

test("each row that reads what is overwritten has one path, without a gap: query, key, value, output", () => {
  const plan = planFor(640);
  const middle = (part, i) => rowOf(plan, part, i).y + rowOf(plan, part, i).h / 2;
  const edges = (part) => [plan.x[part], plan.x[part] + plan.row];
  for (const overwrite of ["q", "k", "v"])
    for (const causal of [true, false]) {
      const { lines, rows } = scene({ overwrite, causal });
      const pairs = readings({ ...START, overwrite, causal });
      assert.deepEqual(
        lines.map(({ from, to }) => [from.y, to.y]),
        pairs.flatMap(([i, j]) => [
          [middle("q", i), middle("k", j)],
          [middle("k", j), middle("v", j)],
          [middle("v", j), middle("out", i)],
        ]),
      );
      for (const [n, { from, to, start, end }] of lines.entries()) {
        const parts = ["q", "k", "v", "out"].slice(n % 3, (n % 3) + 2);
        const [left, right] = [edges(parts[0])[1], edges(parts[1])[0]];
        assert.ok(from.x >= left && from.x <= left + 2 && to.x <= right && to.x >= right - 2, "from edge to edge, over no number");
        assert.deepEqual(
          [start, end],
          [
            ["", "dot"],
            ["", ""],
            ["dot", "arrow"],
          ][n % 3].map((mark) => mark || undefined),
        );
      }
      const changed = rows.filter(({ look }) => look === "changed").map(({ i }) => i);
      assert.deepEqual(changed, [...new Set(pairs.map(([i]) => i))], "exactly the rows that read it");
      const lit = (part) => rows.flatMap((row) => (row.part === part && row.lit === 1 ? [row.i] : []));
      for (const [n, part] of /** @type {const} */ (["q", "k", "v"]).entries())
        assert.deepEqual(
          lit(part),
          [...new Set(pairs.map((pair) => pair[Math.min(n, 1)]))].sort((a, b) => a - b),
          "what takes part has a frame",
        );
    }
});

test("a light runs down all rows: each is known when it has passed, and those that read what is overwritten stay lit", () => {
  const moment = (n) => scene({ overwrite: "k" }, { kind: "overwrite", n });
  const known = (n) => moment(n).rows.flatMap(({ part, i, look }) => (part === "out" && look !== "past" ? [i] : []));
  assert.deepEqual(
    [0, 0.3, 1].map((n) => known(n).length),
    [0, 0, 7],
  );
  const counts = [0.5, 0.6, 0.7, 0.8, 0.9].map((n) => known(n).length);
  assert.ok(counts.every((count, m) => !m || count >= counts[m - 1]) && new Set(counts).size > 3);
  const queries = scene({ overwrite: "k" }).rows.filter(({ part }) => part === "q");
  assert.deepEqual(
    queries.map(({ i, alpha, lit }) => [i, alpha === 1, lit === 1]),
    [0, 1, 2, 3, 4, 5, 6].map((i) => [i, i >= 2, i >= 2]),
  );
  assert.deepEqual(scene({ overwrite: "k" }).bars, [], "the weights make room for the lines");
});

test("while the light runs the picture asks who reads it, and then it answers", () => {
  const title = (changes, n = 1) => readersOf(changes.overwrite, scene(changes, { kind: "overwrite", n }).lines).join(" ");
  assert.equal(title({ overwrite: "k" }, 0.7), "who reads it?");
  assert.equal(title({ overwrite: "k" }), "5 queries read it");
  assert.equal(title({ overwrite: "k", at: 6 }), "1 query reads it");
  assert.equal(title({ overwrite: "q" }, 0.5), "what does it read?");
  assert.equal(title({ overwrite: "q" }), "it reads 3 keys");
  assert.equal(title({ overwrite: "q", at: 0 }), "it reads 1 key");
});

test("an experiment begins with the picture that was there, and after another experiment with that one", () => {
  const seen = ({ rows }) =>
    rows.flatMap(({ part, i, look, alpha, values }) =>
      alpha > 0 && look !== "slot" ? [[part, i, part === "out" ? "" : look, alpha, values]] : [],
    );
  const [was, start] = [scene({ S: 5 }), scene({ overwrite: "k" }, { kind: "overwrite", n: 0, since: 5, ...drawn({ S: 7 }) })];
  assert.deepEqual(seen(start), seen(was));
  assert.deepEqual([start.bars, start.asking, start.isRead, start.started], [was.bars, 4, false, 0]);
  const next = scene({ overwrite: "k" }, { kind: "overwrite", n: 0, again: true, ...drawn({ S: 7 }) });
  assert.deepEqual([next.bars, looks(next, "q"), next.isRead], [[], Array(7).fill("now"), false]);
  assert.deepEqual(
    [0.35, 0.36, 1].map((n) => scene({ overwrite: "k" }, { kind: "overwrite", n }).isRead),
    [false, true, true],
  );
});

test("words that come with an experiment come before it", () => {
  const alphas = (n) => {
    const { rows, word, since } = scene({ overwrite: "k" }, { kind: "overwrite", n, since: 5 });
    return [since, word, ...rows.filter(({ part, i }) => part === "v" && i > 4).map(({ alpha }) => alpha)];
  };
  assert.deepEqual(alphas(0), [5, 0, 0, 0]);
  assert.ok(alphas(0.14).every((alpha) => alpha > 0));
});

test("nothing of the picture lies outside of it or over its neighbour, at any size and width", () => {
  for (const width of [330, 358, 560, 640, 790])
    for (const H of [1, 2, 3, 4])
      for (const D of [1, 2, 3, 4, 5]) {
        const plan = planFor(width, { H, D });
        const parts = /** @type {const} */ (["word", "q", "weights", "k", "v", "out"]);
        const boxes = parts.map((part) => rowOf(plan, part, 6));
        boxes.forEach((box, n) => assert.ok(box.x + box.w <= (boxes[n + 1]?.x ?? width + 0.5), `${width} ${H} ${D} ${parts[n]}`));
        assert.ok(plan.sheet.x >= rowOf(plan, "weights", 0).x + plan.weights.w);
        assert.ok(plan.sheet.x + plan.sheet.w + 3 * (H - 1) <= plan.x.out);
        const last = tabOf(plan, "k", H - 1);
        assert.ok(last.x + last.w <= width);
      }
});

test("a point of the picture is a row, a tab or the place of the next word", () => {
  const plan = planFor(640);
  const sizes = { S: 6, H: 4 };
  const middle = ({ x, y, w, h }) => /** @type {const} */ ([x + w / 2, y + h / 2]);
  for (const what of /** @type {const} */ (["q", "k", "v"]))
    assert.deepEqual(targetAt(plan, sizes, ...middle(rowOf(plan, what, 3))), { what, n: 3 });
  assert.deepEqual(targetAt(plan, sizes, ...middle(tabOf(plan, "q", 2))), { what: "tab", n: 2 });
  assert.deepEqual(targetAt(plan, sizes, ...middle(rowOf(plan, "word", 6))), { what: "next", n: 6 });
  assert.equal(targetAt(plan, sizes, ...middle(rowOf(plan, "k", 6))), null);
  assert.equal(targetAt(plan, sizes, ...middle(rowOf(plan, "out", 3))), null);
});
