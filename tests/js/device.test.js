// DeviceLab: the parts of all devices are the whole, and every message comes to an end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, extentOf, heldBy, laneFrom, partsOf, planOf, pointOn, SHEETS, shares } from "../../src/attn/labs/device/layout.js";
import { CUTS, compute, fits, messages } from "../../src/attn/labs/device/model.js";
import { DEAL, isComplete, sceneOf } from "../../src/attn/labs/device/scene.js";
import {
  arrowText,
  meanwhileOf,
  ownName,
  parcelText,
  sentenceOf,
  sharedName,
  stuckDevices,
  wholeName,
} from "../../src/attn/labs/device/words.js";

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

test("at rest what was added up has the colours of all devices, on each of them and in the layer", () => {
  for (const state of ALL.filter((one) => fits(one, one.cut) && one.N > 1)) {
    const { messages: sent } = compute(state);
    const { layer, held } = sceneOf(planOf(1050, state), state, sent, 1);
    const sums = { B: [], L: [], H: ["y"], E: ["qkv"] }[state.cut];
    for (const { block, by = [] } of [...layer, ...held])
      assert.deepEqual(by, sums.includes(block.sheet) ? Array.from({ length: state.N }, (_, d) => d) : []);
    assert.equal(held.filter(({ by }) => by).length, sums.length * state.N);
  }
});

test("what a device holds stays in its place and its size while something is sent", () => {
  for (const width of [340, 1050])
    for (const state of ALL.filter((one) => fits(one, one.cut) && one.N > 1)) {
      const { messages: sent } = compute(state);
      const plan = planOf(width, state);
      const rest = new Set(sceneOf(plan, state, sent, 1).held.map(({ box }) => JSON.stringify(box)));
      for (const t of [DEAL + 0.01, 0.4, 0.7, 0.99]) {
        const own = sceneOf(plan, state, sent, t).held.slice(0, rest.size);
        for (const { box } of own) assert.ok(rest.has(JSON.stringify(box)), `${state.cut} at ${t}`);
      }
    }
});

test("gradients of the weights cross no name of what is below them", () => {
  const state = { ...SIZES[0], cut: "B" };
  const { messages: sent } = compute(state);
  const plan = planOf(1050, state);
  for (let t = 0.2; t < 1; t += 0.004)
    for (const { box } of sceneOf(plan, state, sent, t).flying.filter(({ block }) => block.sheet.startsWith("W")))
      for (const [d, { y, h }] of plan.devices.entries()) {
        const names = boxOf(plan, d, { sheet: "W_QKV", rows: [0, 16], columns: [0, 1] });
        assert.ok(box.y + box.h <= names.y + names.h + 0.01 || box.y >= y + h - plan.packet.h, `at ${t}`);
      }
});

test("while the parts come to their devices, the caption says what each gets", () => {
  const during = (cut) => meanwhileOf({ ...SIZES[0], cut }, null);
  assert.deepEqual(CUTS.map(during), [
    "Each device gets 1 sequence and all weights.",
    "Each device gets 2 heads, with their weights.",
    "Each device gets 3 tokens of every sequence and all weights.",
    "Each device gets 4 numbers of every token, with the weights that multiply them.",
  ]);
  assert.equal(meanwhileOf({ ...SIZES[0], N: 3, cut: "H" }, null), "Each device gets its part.");
});

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
  for (const width of [340, 780, 820, 1050])
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
        if (t > 0 && t < DEAL && state.N > 1) assert.ok(scene.flying.length);
      }
    }
});

test("while the devices get their parts nothing flies over them", () => {
  for (const state of ALL.filter((one) => one.N > 1 && fits(one, one.cut))) {
    const { messages: sent } = compute(state);
    const plan = planOf(1050, state);
    const rest = sceneOf(plan, state, sent, 1);
    const places = new Set(rest.held.map(({ box }) => JSON.stringify(box)));
    for (const t of [0.05, 0.11, 0.16])
      for (const { box } of sceneOf(plan, state, sent, t).flying) assert.ok(places.has(JSON.stringify(box)));
  }
});

test("a sum has the colours of all that have added to it: one more with each step, and all when it is complete", () => {
  for (const N of [2, 3, 4]) {
    const state = { ...SIZES[0], N, B: 3, L: 4, cut: "H", training: false, G: 8, H: 8 };
    const sent = messages(state, "H");
    const plan = planOf(1050, state);
    const steps = 2 * (N - 1);
    for (let step = 0; step < steps; step++) {
      const { flying, held } = sceneOf(plan, state, sent, DEAL + ((1 - DEAL) * (step + 0.5)) / steps);
      for (const { by, device } of flying) {
        assert.equal(new Set(by).size, Math.min(N, step + 1));
        assert.equal(device, null);
      }
      const most = Math.max(0, ...held.map(({ by = [] }) => by.length));
      assert.equal(most, step === 0 ? 0 : Math.min(step + 1, N));
    }
  }
});

test("one device is the whole layer, which goes to its place when there are more", () => {
  for (const width of [340, 1050]) {
    const [one, four] = [1, 4].map((N) => ({ ...SIZES[0], N, cut: "H", training: false }));
    const [large, plan] = [one, four].map((state) => planOf(width, state));
    assert.equal(large.height, plan.height);
    assert.deepEqual(sceneOf(large, one, [], 1).held, []);
    const sent = messages(four, "H");
    const widths = [0, 0.05, 0.099, 0.2].map((t) => sceneOf(plan, four, sent, t, large.whole)).map((scene) => scene.plan.whole.p);
    assert.deepEqual(
      widths,
      widths.toSorted((a, b) => b - a),
    );
    assert.deepEqual([widths[0], widths[3]], [large.whole.p, plan.whole.p]);
    assert.deepEqual(sceneOf(plan, four, sent, 1, large.whole), sceneOf(plan, four, sent, 1));
  }
});

test("the devices of any number share all the room", () => {
  for (const width of [340, 1050])
    for (const N of [2, 3, 4]) {
      const { devices, height } = planOf(width, { ...SIZES[0], N, cut: "H" });
      const right = Math.max(...devices.map(({ x, w }) => x + w));
      assert.ok(Math.abs(right - width) < 0.01);
      if (width === 340) assert.ok(devices.every(({ y, h }) => y + h <= height + 0.01));
      if (width === 340) assert.ok(Math.abs(Math.max(...devices.map(({ y, h }) => y + h)) - height) < 0.01);
    }
});

test("the devices get their parts in order, and at most two of them at a time", () => {
  const state = { ...SIZES[0], cut: "B", training: false }; // nothing is sent: the whole move brings the parts
  const plan = planOf(1050, state);
  const onTheWay = Array.from({ length: 19 }, (_, n) => {
    const { held, flying } = sceneOf(plan, state, [], (n + 1) / 20);
    const [there, coming] = [held, flying].map((all) => new Set(all.map(({ device }) => device).filter((d) => d !== null)));
    assert.ok(coming.size === 1 || coming.size === 2);
    assert.deepEqual([...there, ...coming], [0, 1, 2, 3].slice(0, there.size + coming.size));
    return there.size;
  });
  assert.deepEqual([Math.min(...onTheWay), Math.max(...onTheWay)], [0, 3]);
});

test("shares are those of torch.chunk", () => {
  assert.deepEqual(shares(7, 3), [[0, 3], [3, 6], [6, 7]]); // biome-ignore format: one line
  assert.deepEqual(shares(4, 3), [[0, 2], [2, 4], [4, 4]]); // biome-ignore format: one line
});

test("a device can compute its scores alone if it holds every column of its heads and of the key/value heads that they read", () => {
  const unequal = [1, 2, 4, 8].flatMap((H) =>
    [1, 2, 4, 8].filter((G) => G <= H).flatMap((G) => [2, 3, 4].map((N) => ({ N, B: 1, L: 2, H, G }))),
  );
  for (const sizes of unequal.filter((one) => !fits(one, "H"))) {
    const { H, G, N } = sizes;
    const state = { ...sizes, cut: "H", training: false };
    const D = 16 / H;
    const columns = Array.from({ length: N }, (_, d) =>
      heldBy(state, d)
        .filter(({ sheet }) => sheet === "qkv")
        .flatMap(({ columns: [from, to] }) => Array.from({ length: to - from }, (_, n) => from + n)),
    );
    const lacks = (/** @type {number[]} */ own) =>
      own.some((column) => {
        const head = Math.floor(column / D);
        if (head >= H) return false;
        const key = H + Math.floor(head / (H / G));
        return [head, key, key + G].some((one) => Array.from({ length: D }, (_, n) => one * D + n).some((c) => !own.includes(c)));
      });
    assert.deepEqual(stuckDevices(state), columns.flatMap((own, d) => (lacks(own) ? [d] : [])), JSON.stringify(state)); // biome-ignore format: one line
  }
});

test("the sentence names what is sent, or why there are no equal parts", () => {
  const say = (state) => sentenceOf(state, compute(state));
  const state = { ...SIZES[0], cut: "H", training: false };
  assert.equal(say(state).verdict, "Each device sends 4,608 bytes in every layer.");
  assert.match(say({ ...state, G: 2 }).text, / Each key\/value head is on 2 devices: this makes L and E cheaper, not H\.$/);
  const bytesOf = (G) => compute({ ...state, G }).bytes;
  assert.deepEqual(
    CUTS.map((cut) => bytesOf(2)[cut] < bytesOf(4)[cut]),
    [false, false, true, true],
  );
  assert.match(say(state).text, /^W_O sums over heads, so y is added up\.$/);
  assert.match(say({ ...state, cut: "E" }).text, / computes all of the attention\.$/);
  assert.match(sentenceOf(state, compute(state), true).text, / What do the other cuts send\?$/);
  assert.equal(say({ ...state, cut: "B" }).verdict, "Nothing is sent.");
  assert.match(
    say({ ...state, cut: "B" }).text,
    /^Each device computes its own sequences, and no step of the forward pass mixes them\.$/,
  );
  const through =
    "8 heads on 3 devices: 3, 3 and 2. The cut goes through a key/value head, and devices 0 and 1 cannot compute their scores alone.";
  assert.ok(say({ ...state, N: 3 }).text.startsWith(through)); // device 2 has heads 6 and 7 and their key/value head 3
  assert.match(say({ ...state, N: 3, G: 2 }).text, /: 3, 3 and 2\. The key\/value heads are not .*, and devices 1 and 2 cannot /);
  assert.match(say({ ...state, N: 4, H: 2, G: 2 }).text, / and no device can compute its scores alone\./);
  assert.match(
    say({ ...state, N: 3, G: 8 }).text,
    /: 3, 3 and 2\. Those that have more let the others wait\. Only tokens have equal parts\.$/,
  );
  assert.match(say({ ...state, N: 3, H: 4 }).text, /^4 heads on 3 devices: the cut goes through a head/);
  assert.deepEqual(
    CUTS.map((cut) => sharedName({ ...state, N: 3 }, cut)),
    ["4 sequences", "8 heads", "12 tokens", "16 numbers"].map((some) => `${some} on 3 devices`),
  );
  assert.match(say({ ...state, cut: "L" }).text, / queries stay\.$/);
  assert.deepEqual(
    CUTS.map((cut) => wholeName(state, cut)),
    ["4 sequences", "8 heads, 4 key/value heads", "12 tokens in each sequence", "16 numbers in each token"],
  );
  assert.equal(say({ ...state, N: 1 }).verdict, "One device sends nothing.");
});

test("on its way a message crosses no title of a device", () => {
  for (const width of [340, 780, 820, 1050])
    for (const state of [...ALL, { ...SIZES[0], N: 3, L: 12, cut: "L" }, { ...SIZES[0], N: 2, cut: "H" }]) {
      const { messages: sent } = compute(state);
      const plan = planOf(width, state);
      // Titles are 20 pixels high, and stand left of the last 30 pixels where something passes them.
      const titles = plan.devices.map(({ x, y, w }) => ({ x, y, w: plan.narrow ? Math.min(w - 30, 130) : w, h: 16 }));
      for (let t = 0; t < 1; t += 0.004)
        for (const { box } of sceneOf(plan, state, sent, t).flying)
          for (const word of titles) {
            const isApart =
              box.x + box.w <= word.x + 0.01 || box.x >= word.x + word.w - 0.01 || box.y + box.h <= word.y + 0.01 || box.y >= word.y + word.h - 0.01; // biome-ignore format: one condition
            assert.ok(isApart, `${width} ${JSON.stringify(state)} at ${t}`);
          }
    }
});

test("a lane leads from the edge of a device to that of the next one, and back to the first", () => {
  for (const width of [340, 1050])
    for (const N of [2, 3, 4]) {
      const plan = planOf(width, { ...SIZES[0], N, cut: "B" });
      const isNear = ([x, y], box) =>
        x >= box.x - 0.01 && x <= box.x + box.w + 0.01 && y >= box.y - 0.01 && y <= box.y + box.h + 0.01;
      for (let d = 0; d < N; d++) {
        const lane = laneFrom(plan, d);
        assert.ok(isNear(lane[0], plan.devices[d]));
        assert.ok(isNear(lane.at(-1), plan.devices[(d + 1) % N]));
        assert.deepEqual(pointOn(lane, 0), lane[0]);
        for (const n of [0, 1]) assert.ok(Math.abs(pointOn(lane, 1)[n] - lane.at(-1)[n]) < 1e-9);
      }
    }
});

test("the arrows and the steps of a move add up to what each device sends", () => {
  for (const state of ALL.filter((one) => fits(one, one.cut) && one.N > 1)) {
    const { messages: sent, bytes } = compute(state);
    const text = arrowText(state, compute(state)).replaceAll(",", "");
    const said = [...text.matchAll(/(\d+) × (\d+)/g)].map((found) => found.slice(1).map(Number));
    assert.equal(said.length, sent.length);
    const all = said.reduce((sum, [steps, each]) => sum + steps * each, 0);
    assert.ok(
      Math.abs(all - bytes[state.cut]) <= said.reduce((sum, [steps]) => sum + steps, 0) / 2,
      `${text} of ${bytes[state.cut]}`,
    );
    if (text.includes("=")) assert.equal(all, Number(text.match(/= (\d+) bytes of /)?.[1]), text);
    if (sent.length === 1) {
      const [, partial, complete] = text.match(/: (\d) partial then (\d) complete\.$/) ?? [];
      if (sent[0].how === "ring") assert.equal(said[0][0], state.N - 1, text);
      else assert.deepEqual([partial, complete].map(Number), [state.N - 1, said[0][0] - (state.N - 1)], text);
      assert.match(text, new RegExp(`^Along each arrow: .* bytes of ${sent[0].what.replaceAll(",", "")}[.:]`));
    }
    for (const message of sent) {
      const during = (/** @type {number} */ step) => meanwhileOf(state, { message, step, steps: 1 });
      assert.match(
        during(0),
        new RegExp(
          `^[A-Z].*\\. Around the ring, 1 of ${state.N - 1}: each device sends [\\d,]+ bytes of ${message.what}(,| to) .*\\.$`,
        ), // first why
      );
      if (message.how !== "ring") assert.match(during(state.N - 1), /\. Around again, 1 of \d: the complete sums /);
      if (!message.backward) for (const one of parcelText({ messages: sent })) assert.ok(one.includes(message.what));
    }
    assert.equal(
      parcelText({ messages: sent })[0].endsWith("gradients"),
      sent.some(({ backward }) => backward),
    );
  }
  const four = { ...SIZES[0], cut: "L" };
  assert.deepEqual([0, 3].map((d) => ownName(four, d).text), ["tokens 0–2", "tokens 9–11"]); // biome-ignore format: one line
  assert.equal(ownName({ ...four, cut: "B" }, 2).text, "sequence 2");
});
