import assert from "node:assert/strict";
import { test } from "node:test";
import { range } from "../../src/attn/labs/kit/math.js";
import { planOf, positionAt } from "../../src/attn/labs/reach/layout.js";
import { compute, edgesOf, KINDS } from "../../src/attn/labs/reach/model.js";
import { labelsOf, lastStep, litAt, raceTime, sceneOf } from "../../src/attn/labs/reach/scene.js";
import { factsOf, layersNeeded, sentence, titleOf, verdictOf } from "../../src/attn/labs/reach/words.js";

const START = { L: 16, kernel: 3, layers: 4, dilation: 1, E: 64, at: 0 };
const at = (changes) => ({ ...START, ...changes });
const said = (changes, step = 32) =>
  sentence(at(changes), compute(at(changes)), step)
    .filter(Boolean)
    .join(" ");

test("an edge leads to a node from one that is computed before it", () => {
  for (const state of [START, at({ L: 9, dilation: 3, kernel: 2 })])
    for (const kind of KINDS) {
      const made = compute(state)[`${kind}_made`];
      const edges = edgesOf(kind, state);
      assert.equal(new Set(edges.map(String)).size, edges.length);
      for (const [a, b] of edges) assert.ok(made[a] < made[b], `${kind} ${a} ${b}`);
    }
});

test("an RNN takes a step for each token, a convolution one for each layer, attention one", () => {
  for (const L of [2, 7, 32]) {
    const { counts } = compute(at({ L, layers: 5 }));
    assert.deepEqual(
      KINDS.map((kind) => counts[kind].steps),
      [L, 5, 1],
    );
    assert.deepEqual(
      KINDS.map((kind) => counts[kind].edges),
      [2 * L - 1, 5 * (3 * L - 3), (L * (L + 1)) / 2],
    );
  }
});

test("one shortest path leads from the token to the last output, and none where it does not arrive", () => {
  for (const changes of [{ at: 3, dilation: 2 }, { layers: 8 }, { at: 15 }, { L: 32, layers: 8, kernel: 5 }, {}]) {
    const state = at(changes);
    const results = compute(state);
    const plan = planOf(800, state);
    for (const graph of sceneOf(plan, state, results, lastStep(results))) {
      const { path } = results.counts[graph.kind];
      assert.equal(graph.nodes.at(-1)?.look === "carries", path !== null);
      assert.equal(graph.path.length, path ?? 0);
      assert.equal(graph.nodes.filter(({ isOnPath }) => isOnPath).length, path === null ? 0 : path + 1);
      assert.equal(graph.moving.length, 0);
      let end = [plan.columns[state.at], plan.panels[graph.kind].rows[0]];
      for (const [x, y, u, v] of graph.path.toSorted((a, b) => b[1] - a[1] || a[0] - b[0])) {
        assert.deepEqual([x, y], end, "it is in one piece");
        end = [u, v];
      }
      if (path !== null) assert.deepEqual(end, [plan.columns[state.L - 1], plan.panels[graph.kind].rows.at(-1)]);
    }
  }
});

test("only edges of the token and of the last output are drawn", () => {
  const results = compute(at({ L: 32 }));
  const [rnn, convolution, attention] = sceneOf(planOf(800, at({ L: 32 })), at({ L: 32 }), results, 32);
  const drawn = ({ reading, carrying, path }) => [reading.length, carrying.length + path.length];
  assert.deepEqual(drawn(rnn), [63, 32]);
  assert.deepEqual(drawn(convolution), [48, 48]);
  assert.deepEqual(drawn(attention), [32, 32]);
});

test("the race pauses after the first step, when attention alone is done, and shows what each output reads", () => {
  assert.deepEqual(
    [0, 0.09, 0.18, 0.34, 1].map((passed) => Number(raceTime(passed, 16).toFixed(9))),
    [0, 0.5, 1, 1, 16],
  );
  for (const last of [2, 16, 32]) {
    for (let passed = 0; passed < 1; passed += 0.01) assert.ok(raceTime(passed, last) <= raceTime(passed + 0.01, last));
    for (const steps of [1, 2, last]) {
      const done = Array.from({ length: 101 }, (_, n) => n / 100).filter((passed) => raceTime(passed, last) >= steps - 1e-9);
      assert.ok(litAt(done[0] - 0.01, last, steps) === 0 && litAt(done[0] + 0.09, last, steps) === 1);
    }
  }
  const results = compute(START);
  const read = (lit) =>
    sceneOf(planOf(800, START), START, results, 16, () => lit).map(
      ({ nodes }) => nodes.filter((one) => one.isToken && one.isRead).length,
    );
  assert.deepEqual(
    [read(0), read(0.5), read(1)],
    [
      [0, 0, 0],
      [8, 0, 0],
      [16, 9, 16],
    ],
  );
});

test("only the edges of the last output are wires, until it reads them", () => {
  const results = compute(START);
  const wires = (time) => sceneOf(planOf(800, START), START, results, time).map((graph) => graph.wires.length);
  assert.deepEqual(
    [wires(0), wires(1), wires(16)],
    [
      [2, 3, 16],
      [2, 3, 0],
      [0, 0, 0],
    ],
  );
});

test("during a step only what is computed in it moves, and nothing has arrived before", () => {
  const results = compute(START);
  const now = (time) => sceneOf(planOf(600, START), START, results, time);
  const moving = (time) => now(time).map((graph) => graph.moving.length);
  assert.deepEqual(moving(0), [0, 0, 0]);
  assert.deepEqual(moving(0.5), [1, 3, 16]);
  assert.deepEqual(moving(3.5), [1, 21, 0]);
  assert.deepEqual(
    now(0.5).map((graph) => graph.nodes.filter(({ look }) => look === "carries").length),
    [1, 1, 1],
  );
  assert.deepEqual(
    now(2).map((graph) => graph.nodes.filter(({ look }) => look === "waiting").length),
    [14, 32, 0],
  );
});

test("the number of layers that a token needs is the first that reaches it", () => {
  for (const [changes, want] of [
    [{}, 8],
    [{ L: 32 }, 16],
    [{ kernel: 5 }, 4],
    [{ dilation: 2 }, 4],
    [{ dilation: 3 }, 3],
    [{ at: 15 }, 1],
    [{ L: 7, kernel: 2, dilation: 4, at: 3 }, null],
  ]) {
    assert.equal(layersNeeded(at(changes)), want, JSON.stringify(changes));
    const enough = compute(at({ ...changes, layers: want ?? 8 })).counts.convolution.path;
    const less = compute(at({ ...changes, layers: (want ?? 8) - 1 || 1 })).counts.convolution.path;
    assert.equal(enough, want);
    assert.equal(less, want === 1 ? 1 : null);
  }
});

test("the sentence says how far the token is in each network", () => {
  const start = "Token 0 reaches the last output in 1 step through self-attention";
  assert.equal(
    said({}),
    `${start} and in 16 through the RNN. 4 convolutions read back to token 7 only. 8 convolutions would reach it.`,
  );
  assert.equal(said({ dilation: 2 }), `${start}, in 4 through the convolutions and in 16 through the RNN.`);
  assert.match(said({ layers: 1 }), / 1 convolution reads back to token 13 only\. 8 convolutions would reach it\.$/);
  assert.match(said({ layers: 1, at: 15 }), /^Token 15 .*, in 1 through the convolution and in 1 through the RNN\.$/);
  assert.match(
    said({ L: 7, kernel: 2, dilation: 4, at: 3 }),
    / 4 convolutions skip token 3, because .* No number of layers would help\.$/,
  );
  assert.equal(
    said({}, 3),
    "Self-attention was done after step 1. After step 3 the RNN has read 3 of 16 tokens, and 3 of 4 convolutions are done.",
  );
  assert.match(said({ layers: 1 }, 0), /^Nothing is computed yet\. In which step can token 0 change the last output\?$/);
});

test("titles and verdicts fit the settings", () => {
  const results = compute(START);
  assert.deepEqual(
    KINDS.map((kind) => verdictOf(kind, results, 16, 0)).map(({ big, text }) => big + text),
    ["16 steps ✓", "✗ token 0 is left out", "1 step ✓"],
  );
  assert.deepEqual(verdictOf("rnn", results, 0, 0), { kind: "", big: "", text: "" });
  assert.match(factsOf(START, results), /^With E = 64 .*\n1 RNN layer: 31 edges, 126,976 multiplications\n/);
  assert.deepEqual(verdictOf("rnn", results, 3, 0), { kind: "", big: "3", text: " steps so far" });
  assert.equal(titleOf("convolution", at({ dilation: 2 })), "4 dilated convolutions, kernel size 3");
  assert.equal(titleOf("convolution", at({})), "4 convolutions, kernel size 3");
  assert.equal(titleOf("convolution", at({ dilation: 2, layers: 1 })), "1 convolution, kernel size 3");
});

test("nodes lie inside the picture, do not touch, and a point belongs to the nearest column", () => {
  for (const width of [330, 358, 640, 790, 1050])
    for (const L of [2, 16, 32])
      for (const layers of [1, 8]) {
        const state = at({ L, layers });
        const plan = planOf(width, state);
        const pitch = plan.columns[1] - plan.columns[0];
        for (const kind of KINDS) {
          const { rows, radius, labels } = plan.panels[kind];
          assert.ok(plan.columns[0] - radius >= plan.side && plan.columns[L - 1] + radius + 4 <= width);
          assert.ok(2 * radius < Math.min(pitch, rows[0] - rows[1]), `${width} ${L} ${layers} ${kind}`);
          assert.ok(labels + 6 < plan.height);
        }
        for (const t of range(L)) assert.equal(positionAt(plan, plan.columns[t] + 0.4 * pitch), t);
        assert.deepEqual([positionAt(plan, -9), positionAt(plan, width + 9)], [0, L - 1]);
      }
  assert.deepEqual(labelsOf(at({ at: 5 })), [0, 5, 15]);
  assert.deepEqual(labelsOf(at({ at: 1 })), [1, 15]);
});
