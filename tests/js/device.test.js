// DeviceLab: the parts of all devices are the whole, and every message comes to an end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { extentOf, heldBy, partsOf, planOf, SHEETS, shares } from "../../src/attn/labs/device/layout.js";
import { CUTS, compute, fits, messages } from "../../src/attn/labs/device/model.js";
import { isComplete, sceneOf } from "../../src/attn/labs/device/scene.js";
import { sentenceOf } from "../../src/attn/labs/device/words.js";

const SIZES = [
  { N: 4, B: 4, L: 12, H: 8, G: 4, training: true },
  { N: 4, B: 4, L: 12, H: 8, G: 2, training: true },
  { N: 3, B: 4, L: 7, H: 8, G: 8, training: true },
  { N: 2, B: 1, L: 2, H: 1, G: 1, training: false },
  { N: 1, B: 2, L: 3, H: 2, G: 1, training: true },
];
const ALL = SIZES.flatMap((sizes) => CUTS.map((cut) => ({ ...sizes, cut })));

/** How often each cell of a sheet is in these blocks. */
function covered(state, sheet, blocks) {
  const [rows, columns] = extentOf(state)[sheet];
  const count = Array.from({ length: rows * columns }, () => 0);
  for (const block of blocks.filter((one) => one.sheet === sheet))
    for (let i = block.rows[0]; i < block.rows[1]; i++)
      for (let j = block.columns[0]; j < block.columns[1]; j++) count[i * columns + j] += 1;
  return count;
}

test("together the devices hold every cell of every tensor, and no device holds one twice", () => {
  for (const state of ALL) {
    const all = Array.from({ length: state.N }, (_, d) => heldBy(state, d));
    for (const sheet of SHEETS) {
      assert.ok(covered(state, sheet, all.flat()).every((count) => count >= 1 && count <= state.N));
      for (const blocks of all) assert.ok(covered(state, sheet, blocks).every((count) => count <= 1));
    }
  }
});

test("what is drawn on a device is as many numbers as it holds", () => {
  for (const state of ALL.filter((one) => fits(one, one.cut)))
    for (let d = 0; d < state.N; d++) {
      const drawn = heldBy(state, d).reduce((sum, { rows, columns }) => sum + (rows[1] - rows[0]) * (columns[1] - columns[0]), 0);
      assert.equal(drawn, compute(state).held);
    }
});

test("the parts of a message are its whole tensor", () => {
  for (const state of ALL.filter((one) => fits(one, one.cut)))
    for (const message of messages(state, state.cut)) {
      const blocks = partsOf(state, message).flat();
      const counts = SHEETS.map((sheet) => covered(state, sheet, blocks).reduce((sum, count) => sum + count, 0));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        message.numbers,
        message.what,
      );
    }
});

test("an all-reduce completes every part on every device, and none before it has met all others", () => {
  for (const N of [2, 3, 4])
    for (let d = 0; d < N; d++)
      for (let part = 0; part < N; part++) {
        assert.ok(!isComplete(N, d, part, N - 2));
        assert.ok(isComplete(N, d, part, 2 * (N - 1)));
      }
});

test("a move ends at rest, is somewhere else on its way, and stays inside the picture", () => {
  for (const width of [340, 780])
    for (const state of ALL) {
      const { messages: sent } = compute(state);
      const plan = planOf(width, state);
      const rest = sceneOf(plan, state, sent, 1);
      assert.equal(rest.flying.length, 0);
      for (const t of [0, 0.1, 0.2, 0.33, 0.4, 0.6, 0.8, 0.99]) {
        const scene = sceneOf(plan, state, sent, t);
        for (const { box } of [...scene.layer, ...scene.held, ...scene.flying]) {
          assert.ok(box.x >= -0.01 && box.x + box.w <= plan.width + 0.01, `${state.cut} at ${t}`);
          assert.ok(box.y >= -0.01 && box.y + box.h <= plan.height + 0.01, `${state.cut} at ${t}`);
        }
        if (t > 0 && t < 0.3) assert.ok(scene.flying.length);
      }
    }
});

test("shares are those of torch.chunk", () => {
  assert.deepEqual(shares(7, 3), [[0, 3], [3, 6], [6, 7]]); // biome-ignore format: one line
  assert.deepEqual(shares(4, 3), [[0, 2], [2, 4], [4, 4]]); // biome-ignore format: one line
});

test("the sentence names what is sent, or why there are no equal parts", () => {
  const say = (state) => sentenceOf(state, compute(state));
  const state = { ...SIZES[0], cut: "H", training: false };
  assert.equal(say(state).verdict, "4,608 bytes from each device.");
  assert.match(say({ ...state, G: 2 }).text, /2 devices have a copy of each key\/value head/);
  assert.equal(say({ ...state, cut: "B" }).verdict, "Nothing is sent.");
  assert.match(say({ ...state, N: 3 }).text, /goes through a head/);
  assert.equal(say({ ...state, N: 1 }).verdict, "Nothing is sent.");
});
