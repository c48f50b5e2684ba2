// RolesLab: who asks and who answers, what a table of weights cannot do, where things are drawn on the way, and the sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EXAMPLES, LONGEST } from "../../src/attn/labs/kit/language.js";
import { range } from "../../src/attn/labs/kit/math.js";
import { readWith } from "../../src/attn/labs/kit/reader.js";
import { placeAt, planOf, tableCells } from "../../src/attn/labs/roles/layout.js";
import { alikeness, compute, orderOf, pointsAt, problem, SHORTEST, SOURCES, wordsOf } from "../../src/attn/labs/roles/model.js";
import { signless } from "../../src/attn/labs/roles/paint.js";
import { restOf, sceneOf } from "../../src/attn/labs/roles/scene.js";
import { askedPlace, foundBy, pairOf, sentenceOf } from "../../src/attn/labs/roles/words.js";
import { within } from "./close.js";

// A table that puts 0.75 on the place after the asking one, and the rest on the first; the real ones come from Python.
const shifted = (rows) => range(rows).map((i) => range(rows).map((j) => (j === (i + 1) % rows ? 0.75 : 0) + (j === 0 ? 0.25 : 0)));
const EVEN = range(LONGEST).map(() => range(LONGEST).map(() => 1 / LONGEST));
const TABLES = range(LONGEST - SHORTEST + 1).map((n) => [
  shifted(n + SHORTEST),
  shifted(n + SHORTEST),
  EVEN.slice(0, n + SHORTEST),
]);
const SHARES = { x: [[0, 0, 0]], one: [[0, 0, 0]], three: [[1, 1, 1]], table: TABLES.map((_, n) => [n / 10, n / 20, n / 30]) };
const OPEN = {
  ...{ source: "three", head: 0, sentence: 0, replaced: null, swap: [], rows: 7, asker: 4, asked: null },
  ...{ _sentences: EXAMPLES, _tables: TABLES, _shares: SHARES, _drawn: 2000 },
};
const WIDTHS = [640, 358].map((width) => [width, planOf(width, [35, 30, 22, 35, 42, 30, 38])]);
const stateOf = (changes, plan = WIDTHS[0][1]) => {
  const settings = { ...OPEN, ...changes };
  return { settings, results: compute(settings), plan };
};
const close = within(1e-5);
const sum = (numbers) => Array.from(numbers).reduce((a, b) => a + b, 0);
const said = (changes) => {
  const { settings, results } = stateOf(changes);
  return sentenceOf(settings, results);
};

test("settings that a link may not contain are refused with the reason", () => {
  assert.equal(problem(OPEN), null);
  for (const swap of [[1], [1, 1], [0, 7], [-1, 0], [0, 1, 2], "no", null, [0.5, 1]])
    assert.match(problem({ ...OPEN, swap }), /^swap takes/, JSON.stringify(swap));
  for (const rows of [3, 8, 4.5, "x"]) assert.match(problem({ ...OPEN, rows }), /^A stored matrix has 4 to 7 rows/);
  for (const sentence of [-1, 4, 0.5]) assert.match(problem({ ...OPEN, sentence }), /numbered from 0 to 3/);
  for (const changes of [{ asker: 7 }, { asked: -1 }, { asked: "x" }, { replaced: 7 }, { replaced: "x" }])
    assert.match(problem({ ...OPEN, ...changes }), /no word/);
  assert.throws(() => compute({ ...OPEN, swap: [2, 2] }), /two different words/);
});

test("with three matrices the numbers are those of the recorded layer", () => {
  for (const head of range(3)) {
    const { results } = stateOf({ head });
    const layer = readWith(EXAMPLES[0].split(" "));
    assert.deepEqual([...results.weights], [...layer.weights.subarray(49 * head, 49 * head + 49)]);
    assert.deepEqual([...results.out], [...layer.heads.subarray(28 * head, 28 * head + 28)]);
  }
});

test("scores are symmetric from x and from one matrix, and not from three", () => {
  for (const sentence of range(4))
    for (const head of range(3)) {
      for (const source of ["x", "one"]) {
        const { scaled, symmetric } = compute({ ...OPEN, source, sentence, head });
        assert.equal(symmetric, true);
        range(49).forEach((n) => {
          close(scaled[n], scaled[(n % 7) * 7 + Math.floor(n / 7)]);
        });
      }
      assert.equal(compute({ ...OPEN, sentence, head }).symmetric, false);
    }
});

test("every row of weights sums to 1, from every source", () => {
  for (const source of SOURCES)
    for (const rows of [7, 5]) {
      const { weights } = compute({ ...OPEN, source, rows });
      const S = Math.sqrt(weights.length);
      for (const i of range(S)) close(sum(weights.subarray(i * S, i * S + S)), 1);
    }
});

test("when words are exchanged, computed weights follow them, and a table's weights stay", () => {
  const [plain, exchanged] = [[], [5, 6]].map((swap) => compute({ ...OPEN, source: "table", swap }));
  assert.deepEqual([...plain.weights], [...exchanged.weights]);
  const settings = { ...OPEN, head: 1, swap: [5, 6] };
  assert.deepEqual(orderOf(settings), [0, 1, 2, 3, 4, 6, 5]);
  assert.deepEqual(wordsOf(settings).slice(4), ["found", "today", "gold"]);
  const [before, after] = [compute({ ...OPEN, head: 1 }), compute(settings)];
  assert.equal(before.points_at[4], 5);
  assert.equal(after.points_at[4], 6);
  assert.deepEqual([before.answers[4], after.answers[4]], [5, 6]);
});

test("a table that is smaller than the sentence has no output, and says torch's error", () => {
  const { out, message, weights } = compute({ ...OPEN, source: "table", rows: 6 });
  assert.equal(out, null);
  assert.equal(message, "mat1 and mat2 shapes cannot be multiplied (6x6 and 7x4)");
  assert.equal(weights.length, 36);
  assert.equal(compute({ ...OPEN, rows: 6 }).message, "");
});

test("a row points at the first of its largest weights, and nowhere if all are equal", () => {
  assert.equal(pointsAt([0.2, 0.4, 0.4]), 1);
  assert.equal(pointsAt([0.25, 0.25, 0.25, 0.25]), null);
});

test("columns lie beside each other and give long words the room that they need", () => {
  for (const width of [270, 328, 358, 640, 830]) {
    const words = [56, 38, 35, 40, 28, 28, 30];
    const { columns, bar, out, values, height } = planOf(width, words);
    close(columns[6].x + columns[6].w, width);
    columns.forEach(({ x, w }, n) => {
      assert.ok(w >= words[n] - 1, `${words[n]} in ${w}`);
      if (n) close(columns[n - 1].x + columns[n - 1].w, x);
    });
    assert.ok(bar.x + bar.w < out.x && out.x + out.w <= width && values.y + values.h < height);
  }
});

test("a point on a word is told from a point below it, and the bar is neither", () => {
  for (const [, plan] of WIDTHS) {
    const [{ x, y, w, h }] = plan.columns.slice(3);
    assert.deepEqual(placeAt(plan, x + w / 2, y + h / 2), { place: 3, isWord: true });
    assert.deepEqual(placeAt(plan, x + w / 2, plan.scores.y), { place: 3, isWord: false });
    assert.equal(placeAt(plan, x + w / 2, plan.bar.y + 2), null);
    if (!plan.isNarrow) assert.equal(placeAt(plan, 3, y), null);
  }
});

test("the parts of the bar are the weights, and each value is as wide as its weight", () => {
  for (const [, plan] of WIDTHS)
    for (const source of SOURCES) {
      const { segments, values, out } = restOf(stateOf({ source }, plan));
      close(sum(segments.map(({ box }) => box.w)), plan.bar.w, 1e-3);
      segments.forEach(({ weight, box }, n) => {
        close(box.w, weight * plan.bar.w, 1e-9);
        close(values[n].box.w, box.w, 1e-9);
      });
      range(out.values.length).forEach((d) => {
        close(out.values[d], sum(segments.map(({ weight }, n) => weight * values[n].values[d])), 1e-4);
      });
    }
});

test("a score is the sum of the products of the query and the key above it, divided by the root of their length", () => {
  for (const source of ["x", "one", "three"]) {
    const { queries, keys, scores } = restOf(stateOf({ source }));
    scores.forEach(({ value }, n) => {
      const [{ values }] = queries;
      close(value, sum(values.map((q, d) => q * keys[n].values[d])) / Math.sqrt(values.length), 1e-4);
    });
    assert.equal(queries.length, 1, "one query meets all keys");
  }
});

test("every move ends in exactly what a jump shows", () => {
  for (const source of SOURCES) {
    const before = stateOf({ source, head: 1 });
    const after = stateOf({ source, head: 1, swap: [5, 6] });
    for (const kind of ["ask", "exchange"]) assert.deepEqual(sceneOf(kind, before, after, 1), restOf(after));
  }
});

test("an exchange begins with what was shown, moves words and their scores, and leaves a table's parts where they are", () => {
  for (const source of SOURCES) {
    const [before, after] = [[], [0, 6]].map((swap) => stateOf({ source, swap }));
    const [start, first, middle] = [restOf(before), ...[0, 0.5].map((t) => sceneOf("exchange", before, after, t))];
    const boxOf = (scene, id) => scene.words.find((word) => word.id === id).box;
    for (const id of range(7)) close(boxOf(first, id).x, boxOf(start, id).x);
    close(boxOf(middle, 0).x, (boxOf(start, 0).x + boxOf(start, 6).x) / 2, 1e-6);
    assert.notEqual(boxOf(middle, 0).y, boxOf(middle, 6).y, "two words that cross do not cover each other");
    close(boxOf(middle, 3).y, boxOf(start, 3).y);
    const widths = (scene) => scene.segments.map(({ box }) => box.x);
    if (source === "table") assert.deepEqual(widths(middle), widths(start));
    else assert.equal(middle.scores.length, 7);
  }
});

test("the query visits one key after the other, and what has been visited has its score", () => {
  const after = stateOf({});
  let seen = 0;
  for (const t of range(56).map((n) => n / 100)) {
    const { visitor, scores, segments } = sceneOf("ask", null, after, t);
    const visited = scores.filter(({ alpha }) => alpha > 0).length;
    assert.ok(visited >= seen && (visitor === null) === t >= 0.5);
    seen = visited;
    assert.ok(scores.slice(seen).every(({ alpha }) => alpha === 0));
    if (t < 0.4) assert.ok(segments.every(({ alpha }) => alpha === 0));
  }
  assert.equal(seen, 7);
});

test("the row of a table falls out of it into equal parts of the bar", () => {
  const after = stateOf({ source: "table" });
  const { falling, frame } = sceneOf("ask", null, after, 0.3);
  assert.equal(falling.length, 7);
  assert.ok(falling.every(({ box }) => box.y > frame.y));
  const cells = tableCells(after.plan, 7);
  assert.equal(cells[4 * 7].y, frame.y);
  assert.ok(sceneOf("ask", null, after, 0.05).falling.length === 0);
});

test("without a row in the table there are no weights and no output", () => {
  const scene = restOf(stateOf({ source: "table", rows: 5, asker: 6 }));
  assert.deepEqual([scene.segments.length, scene.values.length, scene.frame, scene.out.values], [0, 0, null, null]);
  assert.equal(scene.cells.length, 25);
  const within = restOf(stateOf({ source: "table", rows: 5 }));
  assert.deepEqual([within.segments.length, within.out.values], [5, null]);
});

test("the compared word is the right answer, or else the one with the largest weight among the others, unless it is chosen", () => {
  for (const [changes, place] of [
    [{}, 0],
    [{ head: 1 }, 5],
    [{ head: 1, swap: [5, 6] }, 6],
    [{ asked: 3 }, 3],
    [{ asked: 6, swap: [5, 6] }, 5],
    [{ source: "table", rows: 4, asker: 6 }, 0],
    [{ source: "x" }, 0],
  ]) {
    const { settings, results } = stateOf(changes);
    assert.equal(askedPlace(settings, results), place, JSON.stringify(changes));
  }
});

test("a pair scores the same in both directions from x and one matrix, and differs with three", () => {
  const pair = (changes) => {
    const { settings, results } = stateOf(changes);
    return pairOf(settings, results);
  };
  const three = pair({});
  assert.deepEqual(
    [three.one, three.other, three.relation],
    ["“found” asks “girls”: score 2.36", "“girls” asks “found”: score −0.86", "≠"],
  );
  for (const source of ["x", "one"]) {
    const { there, back, relation } = pair({ source });
    assert.equal(there, back);
    assert.equal(relation, "=");
  }
  assert.equal(pair({ asked: 4 }).relation, null);
  const table = pair({ source: "table", asked: 0 });
  assert.deepEqual([table.one, table.other], ["row 4, column 0: 0.25", "row 0, column 4: 0.00"]);
  assert.deepEqual([pair({ source: "table", rows: 4 }).there, pair({ source: "table", rows: 4 }).relation], ["none", null]);
});

test("what a word finds from each source is where its largest weight is", () => {
  const found = (changes) => {
    const { settings, results } = stateOf(changes);
    return foundBy(settings, results);
  };
  const brief = (changes) => {
    const { verdict, text } = found(changes);
    return [text, verdict];
  };
  assert.deepEqual(brief({}), ["girls", true]);
  assert.deepEqual(brief({ source: "x" }), ["itself", false]);
  assert.deepEqual(brief({ source: "one" }), ["itself", false]);
  assert.deepEqual(brief({ source: "table", head: 1 }), ["gold", true]);
  assert.deepEqual(brief({ source: "table", head: 1, swap: [5, 6] }), ["today", false]);
  assert.deepEqual(brief({ source: "table", rows: 4 }), ["no row", false]);
  assert.deepEqual(brief({ source: "table", head: 2 }), ["nothing", false]);
  assert.equal(found({ asker: 0 }).verdict, null);
  close(sum(found({}).weights), 1);
});

test("at rest only the word that asks has a query, and one that visits a key covers no key", () => {
  for (const [, plan] of WIDTHS) {
    const after = { ...stateOf({}), plan };
    const { keys, queries } = restOf(after);
    assert.equal(queries.length, 1);
    for (const place of range(6)) {
      const { visitor } = sceneOf("ask", null, after, 0.1 + (0.4 / 7) * (place + 1) + 1e-9);
      const [from, to] = [visitor.box.x, visitor.box.x + visitor.box.w];
      assert.ok(Math.abs(to + 2 - keys[place].box.x) < 0.01, "it stands beside its key");
      assert.ok(keys.every(({ box }) => to <= box.x || box.x + box.w <= from));
    }
  }
});

test("the sentence says whether the word finds its answer, with its numbers", () => {
  const three = said({});
  assert.equal(three.verdict, true);
  assert.match(
    three.text,
    /^“found” asks “who\?” Its query \(q\) scores 2\.36 with the key \(k\) of “girls”, so 0\.96 of the output is the value \(v\) of “girls”\.$/,
  );
  assert.match(said({ asker: 0 }).text, /^“girls” does not ask “who\?”\. Its weights must add up to 1, too/);
  assert.equal(said({ asker: 0 }).verdict, null);
  const x = said({ source: "x" });
  assert.equal(x.verdict, false);
  assert.match(
    x.text,
    /It puts 0\.38 of its weight on itself: a vector has a large product with itself\. The answer is “girls”\.$/,
  );
  assert.match(
    said({ source: "one" }).text,
    /It puts 1\.00 of its weight on itself: W_Q gives each word new numbers, but its query is still its key\. /,
  );
  assert.match(
    said({ source: "one", asker: 6 }).text,
    /“today” does not ask “who\?”\. It puts .* on “found”: the vector of “found” is longer/,
  );
  const moved = said({ head: 1, swap: [5, 6] });
  assert.equal(moved.verdict, true);
  assert.match(moved.text, /are exchanged, and the largest weight has gone with “gold”: 0\.97 before, 0\.97 now\.$/);
  assert.match(said({ head: 2, swap: [1, 2] }).text, /the largest weight stays on “today”: 0\.96 before, 0\.96 now\.$/);
  const first = said({ swap: [0, 3] });
  assert.match(
    first.text,
    /“girls” and “kings” are exchanged, and 0\.96 of 1 is on “kings” now; before, the largest weight was on “girls”/,
  );
  assert.equal(first.verdict, true);
  const odd = said({ swap: [0, 6] });
  assert.equal(odd.verdict, false);
  assert.match(odd.text, /of its weight on “girls”\. By the grammar of the language it is “kings”\. Such an order/);
});

test("a word that replaces the answer has almost its key, almost its weight and another value, and the sentence says so", () => {
  const length = (numbers) => Math.hypot(...numbers);
  const cosine = (a, b) => sum(a.map((n, d) => n * b[d])) / length(a) / length(b);
  for (const sentence of range(4))
    for (const head of range(3)) {
      const plain = compute({ ...OPEN, sentence, head });
      plain.answers.forEach((answer, asker) => {
        if (answer === null) return;
        const { settings, results } = stateOf({ sentence, head, asker, replaced: answer });
        const row = (tensor, i) => Array.from(tensor.slice(4 * i, 4 * i + 4));
        const { keys, values } = alikeness(settings);
        close(keys, cosine(row(plain.k, answer), row(results.k, answer)));
        close(values, cosine(row(plain.v, answer), row(results.v, answer)));
        assert.ok(keys > 0.95 && values < 0.5);
        assert.ok(cosine(row(plain.out, asker), row(results.out, asker)) < 0.5, "the output is different");
        const { verdict, text } = sentenceOf(settings, results);
        const [was, now] = [plain, results].map(({ weights }) => weights[7 * asker + answer].toFixed(2));
        const said = was === now ? `${now} as before` : `${now} (${was} before)`;
        assert.ok(verdict && text.includes(`So its weight is ${said}, but the output differs from the old one (pale).`), text);
        assert.match(text, /has almost the same key as .* and another value\./);
      });
    }
  assert.equal(
    said({ replaced: 0 }).text,
    "“found” asks “who?” “boys” has almost the same key as “girls” and another value. So its weight is 0.96 as before, but the output differs from the old one (pale).",
  );
  assert.match(
    said({ replaced: 3 }).text,
    /“boys” has almost the same key as “kings” .* The largest weight, 0\.9\d, is on “girls”\.$/,
  );
  assert.deepEqual(wordsOf({ ...OPEN, replaced: 5, swap: [5, 6] }).slice(4), ["found", "today", "bread"]);
});

test("when a word is replaced, its numbers change on the way, and no word moves", () => {
  const [before, after] = [null, 0].map((replaced) => stateOf({ replaced }));
  const [start, middle, end] = [restOf(before), sceneOf("exchange", before, after, 0.5), restOf(after)];
  middle.words.forEach(({ box }, n) => {
    close(box.x, start.words[n].box.x);
    close(box.y, start.words[n].box.y);
  });
  middle.values[0].values.forEach((value, d) => {
    close(value, (start.values[0].values[d] + end.values[0].values[d]) / 2, 1e-4);
  });
});

test("a number that is rounded to zero has no sign", () => {
  assert.deepEqual(
    [-0.04, 0.04, -0.05001, -0.004, 0, -10].map((value) => signless(value, 1)),
    ["0.0", "0.0", "−0.1", "0.0", "0.0", "−10.0"],
  );
});

test("the text on a part of the bar waits until the part is as wide as it says", () => {
  const after = stateOf({});
  for (const t of range(100).map((n) => n / 100)) {
    const { segments } = sceneOf("ask", null, after, t);
    const isWide = segments.every(({ box, weight }) => Math.abs(box.w - weight * after.plan.bar.w) < 0.01);
    assert.ok(isWide || segments.every(({ said }) => said === 0), `at ${t}`);
  }
  assert.ok(restOf(after).segments.every(({ said }) => said === 1));
});

test("a word that looks at itself is said to do so because of negative scores only where all others are", () => {
  const seen = new Set();
  for (const source of ["x", "one"])
    for (const sentence of range(4))
      for (const head of range(3))
        for (const asker of range(7)) {
          const { text } = said({ source, sentence, head, asker });
          if (!/ on itself: /.test(text)) continue;
          const { scaled } = compute({ ...OPEN, source, sentence, head });
          const others = range(7).filter((place) => place !== asker);
          const alone = others.every((place) => scaled[7 * asker + place] < 0);
          assert.equal(/all other scores are negative/.test(text), alone, text);
          seen.add(alone);
        }
  assert.equal(seen.size, 2);
});

test("a weight is said to have gone with its word only if it has", () => {
  for (const sentence of range(4))
    for (const head of range(3))
      for (const a of range(7))
        for (const b of range(a)) {
          const [plain, settings] = [[], [a, b]].map((swap) => ({ ...OPEN, sentence, head, swap }));
          const [before, results] = [plain, settings].map(compute);
          for (const asker of range(7)) {
            const { text, verdict } = sentenceOf({ ...settings, asker }, results);
            if (!/gone with|stays on/.test(text)) continue;
            const row = orderOf(settings).indexOf(asker);
            assert.equal(orderOf(settings)[results.points_at[row]], before.points_at[asker], text);
            assert.equal(/gone with/.test(text), results.points_at[row] !== before.points_at[asker]);
            assert.equal(verdict, true);
            const [, was, now] = /** @type {string[]} */ (text.match(/([\d.]+) before, ([\d.]+) now/));
            assert.equal(/x also tells the place/.test(text), was !== now, text);
          }
        }
});

test("of a table the sentence says that its weights belong to places", () => {
  const { text, verdict } = said({ source: "table" });
  assert.equal(verdict, false);
  assert.equal(
    text,
    "“found” asks “who?” Row 4 puts 0.75 on column 5: over many sentences, 75 % of its answers stood there. Here it is “gold”; the answer is “girls”.",
  );
  assert.equal(said({ source: "table", head: 1 }).verdict, true);
  assert.match(
    said({ source: "table", head: 1, swap: [5, 6] }).text,
    /The words have moved, the weights have stayed\. Row 4 .* “today”; the answer is “gold”/,
  );
  assert.match(
    said({ source: "table", head: 2 }).text,
    /In sentences of up to 7 words, nothing is asked of this head in row 4\. Any weights will do: they are equal/,
  );
  assert.match(said({ source: "table", rows: 6 }).text, /For “today” it has no column, so 6 weights meet 7 values: an error\.$/);
  const none = said({ source: "table", rows: 4 });
  assert.match(none.text, /Its row would be row 4, and the stored matrix ends with row 3: no weights/);
  assert.equal(none.verdict, false);
});

test("on a phone each cell of a stored matrix has room for its number", () => {
  const cells = tableCells(planOf(342, Array(7).fill(36)), 7);
  assert.ok(cells.every(({ w, h }) => w >= 30 && h >= 13));
});
