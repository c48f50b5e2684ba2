// DeviceLab: the parts of all devices are the whole, and every message comes to an end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, laneFrom, planOf, pointOn } from "../../src/attn/labs/device/layout.js";
import { CUTS, compute, fits, isDrawn, messages, mostSent } from "../../src/attn/labs/device/model.js";
import { columnsOf, extentOf, heldBy, partsOf, SHEETS, shares, stuckDevices } from "../../src/attn/labs/device/parts.js";
import { isComplete, isReversed, momentsOf, sceneOf, sentBy, stopsOf } from "../../src/attn/labs/device/scene.js";
import {
  blockText,
  chipText,
  laneTexts,
  meanwhileOf,
  ownName,
  questionOf,
  sentenceOf,
  sentName,
  shortName,
  yName,
} from "../../src/attn/labs/device/words.js";

const SIZES = [
  { N: 4, B: 4, L: 12, H: 8, G: 4, training: true },
  { N: 4, B: 4, L: 12, H: 8, G: 2, training: true },
  { N: 3, B: 4, L: 7, H: 8, G: 8, training: true },
  { N: 2, B: 1, L: 2, H: 1, G: 1, training: false },
  { N: 1, B: 2, L: 3, H: 2, G: 1, training: true },
];
const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, n) => n);
const ALL = SIZES.flatMap((sizes) => CUTS.map((cut) => ({ ...sizes, cut })));

/** The moments of a cut, its times in small steps, and what is drawn at a time. */
function filmOf(state, width = 1050) {
  const sent = compute(state).messages.filter(isDrawn);
  const [plan, moments] = [planOf(width, state), momentsOf(state, sent)];
  const end = moments.length;
  const times = Array.from({ length: end * 20 + 1 }, (_, n) => n / 20);
  return { sent, plan, moments, end, times, at: (t) => sceneOf(plan, state, sent, t) };
}
const FITTING = ALL.filter((one) => fits(one, one.cut) && one.N > 1);
const UNEQUAL = [1, 2, 4, 8].flatMap((H) =>
  [1, 2, 4, 8].filter((G) => G <= H).flatMap((G) => [2, 3, 4].map((N) => ({ N, B: 4, L: 7, H, G, training: false }))),
);

/** How often each cell of a sheet is in these blocks. */
function covered(state, sheet, blocks) {
  const [rows, columns] = extentOf(state)[sheet];
  const count = Array.from({ length: rows * columns }, () => 0);
  for (const block of blocks.filter((one) => one.sheet === sheet))
    for (let i = block.rows[0]; i < block.rows[1]; i++)
      for (let j = block.columns[0]; j < block.columns[1]; j++) count[i * columns + j] += 1;
  return count;
}

test("at rest every device holds its parts, solid", () => {
  for (const state of FITTING.map((one) => ({ ...one, training: false }))) {
    const { at, end, plan } = filmOf(state);
    const { held: seen, flying, sending } = at(end);
    const held = seen.filter(({ alpha }) => alpha === 1); // what is received is pale
    assert.deepEqual([flying, sending], [[], null]);
    const all = Array.from({ length: state.N }, (_, d) => heldBy(state, d).map((block) => JSON.stringify(boxOf(plan, d, block))));
    assert.deepEqual(held.map(({ box }) => JSON.stringify(box)).toSorted(), all.flat().toSorted());
    assert.ok(held.every(({ by = [], alpha }) => !by.length && alpha === 1));
    for (const { block, device } of held.filter(({ block }) => block.sheet === "y" && state.cut === "H"))
      assert.equal(device, null, `${block.sheet}: all devices have it`);
  }
});

test("no result is there before what it is made of", () => {
  for (const state of ALL.filter((one) => one.N > 1)) {
    const { at, times, moments, end } = filmOf(state);
    const last = (/** @type {(one: any) => boolean} */ is) => moments.findLastIndex(is);
    const arrived = last(({ message }) => message && !message.backward) + 1; // when the last part of the forward message is there
    for (const t of times) {
      const { held, flying } = at(t);
      const on = (/** @type {string} */ sheet) => held.filter(({ block }) => block.sheet === sheet);
      if (t <= 1) assert.deepEqual([...on("qkv"), ...on("y"), ...flying], [], `${state.cut} at ${t}`);
      if (t < 1.5) assert.deepEqual(on("y"), []);
      if (!fits(state, state.cut) || t >= arrived || !arrived) continue;
      const isWhole = (/** @type {import("../../src/attn/labs/device/scene.js").Piece} */ { by = [] }) => !by.length;
      if (t > arrived - 0.03) continue;
      if (state.cut === "E") assert.deepEqual(on("y"), [], `E at ${t}`);
      if (state.cut === "H" && t < 2 + state.N - 1 - 0.03) assert.equal(on("y").filter(isWhole).length, 0);
      if (state.cut === "E" && t < 2 + state.N - 1 - 0.03) assert.equal(on("qkv").filter(isWhole).length, 0);
      if (state.cut === "L") assert.equal(on("y").filter(isWhole).length, 0);
    }
    assert.ok(end >= 2);
  }
});

test("with the tokens cut, all of y has the terms of each part that has arrived, in the colours of the devices that they come from", () => {
  for (const N of [2, 3, 4]) {
    const state = { ...SIZES[0], N, training: false, cut: "L" };
    const { at, moments, end } = filmOf(state);
    const stops = stopsOf(moments);
    assert.equal(end, 2 + (N - 1));
    for (let n = 1; n < end; n++) {
      const held = at(stops[n]).held.filter(({ block }) => block.sheet === "y");
      for (let d = 0; d < N; d++) {
        const rows = new Set(heldBy(state, d).flatMap(({ sheet, rows: [from] }) => (sheet === "y" ? [from] : [])));
        const own = held.filter(({ block, box }) => rows.has(block.rows[0]) && box.x >= 0);
        const width = own.reduce((sum, { block: { columns } }) => sum + columns[1] - columns[0], 0);
        assert.equal(width, rows.size * 16, `device ${d} at stop ${n}`);
        const by = [...new Set(own.flatMap((one) => one.by ?? []))];
        assert.deepEqual(by, n === N ? [] : Array.from({ length: n }, (_, k) => (d - k + N) % N));
      }
    }
  }
});

test("with the tokens cut, received keys and values stay in sight until gradients come, each beside those that came before, and their gradients come home", () => {
  for (const N of [2, 3, 4]) {
    const state = { ...SIZES[0], N, cut: "L" };
    const { at, moments, end, sent, plan } = filmOf(state);
    const pale = (/** @type {any} */ { held }) => held.filter((/** @type {any} */ { alpha }) => alpha < 1);
    const named = (/** @type {number | null} */ device, /** @type {any} */ box) => `${device}: ${JSON.stringify(box)}`;
    for (const [n, stop] of stopsOf(moments).entries()) {
      if (n < 1 || moments[n].message?.what === "gradients of k and v") continue;
      const count = moments[n].message?.backward ? 0 : moments.slice(0, n + 1).filter(({ message }) => message).length;
      // After so many rounds device d has received those of the devices behind it, in their colours and in their rows.
      const received = range(N).flatMap((d) =>
        range(count).flatMap((k) => {
          const from = (d - 1 - k + N) % N;
          return partsOf(state, sent[0])[from].map((block) => named(from, boxOf(plan, d, block)));
        }),
      );
      assert.deepEqual(pale(at(stop)).map(({ device, box }) => named(device, box)).toSorted(), received.toSorted()); // biome-ignore format: one line
    }
    const last = moments.findLastIndex(({ message }) => message === sent[1]);
    const rows = partsOf(state, sent[1]).map((blocks) => blocks.map((one) => String(one.rows)));
    for (const [k, { block }] of at(last + 0.5).flying.entries())
      assert.ok(rows[(Math.floor(k / state.B) - 1 + N) % N].includes(String(block.rows)));
    assert.deepEqual([at(end).isBothWays, at(3).isBothWays], [true, false]);
  }
});

test("what was sent counts up to all bytes, one arrival after the other, and from nothing", () => {
  for (const state of FITTING) {
    const { moments, times, end, sent } = filmOf(state);
    const all = sent.reduce((sum, one) => sum + 4 * one.sent, 0);
    const counts = times.map((t) => sentBy(moments, t).reduce((sum, one) => sum + (4 * one.sent) / (one.how === "ring" ? state.N - 1 : 2 * (state.N - 1)), 0)); // biome-ignore format: one line
    assert.ok(counts.every((count, n) => n === 0 || count >= counts[n - 1]));
    assert.equal(counts[times.findIndex((t) => t >= 2.5)] ?? 0, 0);
    assert.ok(Math.abs(counts[times.indexOf(end)] - all) < 1e-6);
  }
});

test("a still picture has nothing on its way, and two neighbours differ", () => {
  for (const state of FITTING) {
    const { at, moments } = filmOf(state);
    const stills = stopsOf(moments).map((t) => at(t));
    assert.ok(stills.every(({ flying }) => !flying.length));
    for (let n = 1; n < stills.length; n++) assert.notDeepEqual(stills[n].held, stills[n - 1].held, `${state.cut} ${n}`);
  }
});

test("what cannot be computed is not drawn: no y where a device lacks keys, and no sum that nobody has completed", () => {
  for (const sizes of UNEQUAL)
    for (const cut of CUTS.filter((one) => !fits({ ...sizes, cut: one }, one))) {
      const state = { ...sizes, cut };
      const { at, end, sent, plan } = filmOf(state);
      assert.deepEqual([sent, end], [[], 2]);
      const { held } = at(end);
      const stuck = cut === "H" ? stuckDevices(state) : [];
      for (let d = 0; d < state.N; d++) {
        const { x, w } = plan.devices[d];
        const y = held.filter(({ block, box }) => block.sheet === "y" && box.x >= x && box.x < x + w && box.w * box.h > 0);
        if (cut === "E" || stuck.includes(d)) assert.deepEqual(y, []);
        else assert.ok(y.every(({ by = [] }) => (cut === "B" ? !by.length : String(by) === String(d))));
      }
      if (cut === "E") assert.ok(held.filter(({ block }) => block.sheet === "qkv").every(({ by }) => by?.length === 1));
    }
  const { at, end } = filmOf({ N: 3, B: 4, L: 12, H: 8, G: 4, training: false, cut: "H" });
  assert.deepEqual(at(end).held.filter(({ block }) => block.sheet === "y").map(({ by }) => by), [[2]]); // biome-ignore format: one line
});

test("a message stays in its own columns: y crosses no key and no value", () => {
  for (const N of [2, 3, 4]) {
    const state = { ...SIZES[0], N, B: 3, L: 12, G: 8, H: 8, cut: "H", training: false };
    if (!fits(state, "H")) continue;
    const { at, times, plan } = filmOf(state);
    for (const t of times)
      for (const { box } of at(t).flying)
        for (let d = 0; d < N; d++) {
          const { x, y, w, h } = boxOf(plan, d, { sheet: "qkv", rows: [0, 36], columns: [0, 48] });
          const isApart = box.x + box.w <= x || box.x >= x + w || box.y >= y + h || box.y + box.h <= y;
          assert.ok(isApart, `at ${t}`);
        }
  }
});

test("with room, a packet is as large as what it carries, and goes straight down, along its lane and straight up", () => {
  for (const [cut, G] of [
    ["H", 8],
    ["L", 4],
    ["E", 4],
  ]) {
    // biome-ignore format: one line
    const { at, plan } = filmOf({ ...SIZES[0], cut, G, training: false });
    const [down, along, up] = [2.25, 2.5, 2.8].map((t) => at(t).flying);
    const blocks = along.length / 4;
    for (const [k, { block, box }] of along.entries()) {
      const [from, to] = [0, 1].map((n) => boxOf(plan, (Math.floor(k / blocks) + n) % 4, block));
      assert.ok(Math.abs(box.w - from.w) < 1e-9 && Math.abs(box.h - from.h) < 0.12 * from.h, `${cut}: ${box.h} of ${from.h}`);
      assert.ok(Math.abs(down[k].box.x - from.x) < 1e-9 && Math.abs(up[k].box.x - to.x) < 1e-9, cut);
      assert.ok(plan.devices.every(({ y, h }) => box.y >= y + h && box.y + box.h <= plan.height));
    }
    for (const { box } of along.slice(1, blocks)) assert.ok(box.y >= along[0].box.y + along[0].box.h, "one above the other");
  }
});

test("on a phone keys and values that open in a device cross no y", () => {
  const { at, plan } = filmOf({ ...SIZES[0], cut: "L", training: false }, 340);
  for (const now of [0.8, 0.9])
    for (const { box } of at(2 + now).flying)
      for (let d = 0; d < 4; d++) {
        const { x, y, w, h } = boxOf(plan, d, { sheet: "y", rows: [0, 48], columns: [0, 16] });
        assert.ok(box.x + box.w <= x || box.x >= x + w || box.y >= y + h || box.y + box.h <= y, `at ${now}`);
      }
});

test("what a device holds stays in its place and its size while something is sent", () => {
  for (const width of [340, 1050])
    for (const state of FITTING) {
      const { at, times, moments, plan } = filmOf(state, width);
      const isWeight = (/** @type {{ block: { sheet: string } }} */ { block }) =>
        block.sheet === "x" || block.sheet.startsWith("W");
      const own = range(state.N).flatMap((d) => heldBy(state, d).map((block) => ({ block, box: boxOf(plan, d, block) })));
      const rest = new Set(own.map(({ box }) => JSON.stringify(box)));
      for (const t of stopsOf(moments)
        .slice(1)
        .flatMap((one) => [one, one - 0.5])) {
        const boxes = new Set(at(t).held.map(({ box }) => JSON.stringify(box)));
        for (const one of own.filter(isWeight)) assert.ok(boxes.has(JSON.stringify(one.box)), `${state.cut} at ${t}`);
      }
      for (const t of times.filter((_, n) => n < 30 && n % 5 === 0))
        for (const { box } of at(t).held) assert.ok(rest.has(JSON.stringify(box)));
    }
});

test("gradients of the weights cross no name of what is below them", () => {
  const { at, plan, times } = filmOf({ ...SIZES[0], cut: "B" });
  for (const t of times)
    for (const { box } of at(t).flying.filter(({ block }) => block.sheet.startsWith("W")))
      for (const [d, { y, h }] of plan.devices.entries()) {
        const names = boxOf(plan, d, { sheet: "W_QKV", rows: [0, 16], columns: [0, 1] });
        assert.ok(box.y + box.h <= names.y + names.h + 0.01 || box.y >= y + h - plan.packet.h, `at ${t}`);
      }
});

test("while the parts come to their devices, the caption says what each gets, and then what it computes", () => {
  const during = (cut, name = "x, W") => meanwhileOf({ ...SIZES[0], cut }, { name, step: 0 });
  assert.deepEqual(
    CUTS.map((cut) => during(cut)),
    [
      "Each device gets 1 sequence and all weights.",
      "Each device gets 2 heads, with their weights.",
      "Each device gets 3 tokens of every sequence and all weights.",
      "Each device gets 4 numbers of every token, with the weights that multiply them.",
    ],
  );
  const unequal = { ...SIZES[0], N: 3, cut: "H" };
  assert.equal(meanwhileOf(unequal, { name: "x, W", step: 0 }), "Each device gets its part.");
  assert.equal(meanwhileOf(unequal, { name: "compute", step: 0 }), "Each device computes what it can from its own part.");
  assert.equal(new Set(CUTS.map((cut) => during(cut, "compute"))).size, 4);
  assert.match(during("E", "compute"), / no y yet\.$/);
  assert.match(during("E", "y"), / computes its numbers of y\.$/);
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
    for (const message of messages(state, state.cut).filter(isDrawn)) {
      const blocks = partsOf(state, message).flat();
      const counts = SHEETS.map((sheet) => covered(state, sheet, blocks).reduce((sum, count) => sum + count, 0));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        message.numbers,
        message.what,
      );
    }
});

test("where devices have copies of a key/value head, the gradients of its weights are added up, counted, named, and not drawn", () => {
  const bytes = (/** @type {any} */ now) => {
    const state = { ...SIZES[0], cut: /** @type {const} */ ("H"), ...now };
    const results = compute(state);
    const [copied, ...more] = results.messages.filter((one) => !isDrawn(one));
    assert.deepEqual(more, []);
    const { text } = sentenceOf(state, results);
    assert.equal(/added up, too \(not drawn\)/.test(text), Boolean(copied), text);
    return [results.bytes.H, 4 * (copied?.sent ?? 0), copied?.devices];
  };
  assert.deepEqual(bytes({ G: 4 }), [9216, 0, undefined]);
  assert.deepEqual(bytes({ G: 2 }), [9216 + 256, 256, 2]); // W_K and W_V of a head: 64 numbers, in an all-reduce of 2 devices
  assert.deepEqual(bytes({ G: 1 }), [9216 + 384, 384, 4]);
  assert.deepEqual(bytes({ G: 1, training: false }), [4608, 0, undefined]);
});

test("an all-reduce completes every part on every device, and none before it has met all others", () => {
  for (const N of [2, 3, 4])
    for (let d = 0; d < N; d++)
      for (let part = 0; part < N; part++) {
        assert.ok(!isComplete(N, d, part, N - 2));
        assert.ok(isComplete(N, d, part, 2 * (N - 1)));
      }
});

test("a move ends at rest, begins empty, and stays inside the picture", () => {
  for (const width of [340, 780, 820, 1050])
    for (const state of ALL) {
      const { at, end, times, plan } = filmOf(state, width);
      assert.equal(at(end).flying.length, 0);
      if (state.N > 1) assert.deepEqual(at(0).held, []);
      for (const t of times.filter((_, n) => n % 4 === 0 || n % 4 === 1)) {
        const scene = at(t);
        for (const { box } of [...scene.held, ...scene.flying, ...scene.passed]) {
          assert.ok(box.x >= -0.01 && box.x + box.w <= plan.width + 0.01, `${state.cut} at ${t}`);
          assert.ok(box.y >= -0.01 && box.y + box.h <= plan.height + 0.01, `${state.cut} at ${t}`);
        }
      }
    }
});

test("while the devices get their parts nothing flies over them", () => {
  for (const state of FITTING) for (const t of [0.2, 0.6, 1, 1.4, 1.9]) assert.deepEqual(filmOf(state).at(t).flying, []);
});

test("a sum is hatched in the colours of all that have added to it: one more with each step, and solid when it is complete", () => {
  for (const N of [2, 3, 4]) {
    const state = { ...SIZES[0], N, B: 3, L: 4, cut: "H", training: false, G: 8, H: 8 };
    const sent = messages(state, "H");
    const plan = planOf(1050, state);
    const steps = 2 * (N - 1);
    for (let step = 0; step < steps; step++) {
      const { flying, held } = sceneOf(plan, state, sent, 2 + step + 0.5);
      for (const { by = [], device } of flying) {
        assert.equal(new Set(by).size, step + 1 < N ? step + 1 : 0);
        assert.equal(device, null);
      }
      const of = held.filter(({ block }) => block.sheet === "y");
      const most = Math.max(0, ...of.map(({ by = [] }) => by.length));
      assert.equal(most, Math.min(step + 1, N - 1));
      assert.equal(
        of.some(({ by = [] }) => !by.length),
        step >= N - 1,
      );
    }
  }
});

test("one device is as high as several, holds all of every tensor in its colour, and has all of y", () => {
  for (const width of [340, 1050]) {
    const [one, four] = [1, 4].map((N) => ({ ...SIZES[0], N, cut: "H", training: false }));
    const [large, plan] = [one, four].map((state) => planOf(width, state));
    assert.equal(large.height, plan.height);
    const { held, passed, y } = sceneOf(large, one, [], 1);
    assert.ok(held.every(({ device, alpha, by }) => device === 0 && alpha === 1 && !by));
    assert.deepEqual([passed, y], [[], [2]]);
    for (const sheet of SHEETS) assert.ok(covered(one, sheet, held.map(({ block }) => block)).every((count) => count === 1)); // biome-ignore format: one line
    assert.ok(large.devices[0].x + large.devices[0].w > width - 1);
  }
});

test("each line of a device is higher than its letters, and its sheets stand apart from its edge and from each other", () => {
  for (const width of [340, 1050])
    for (const state of ALL) {
      const plan = planOf(width, state);
      const { title, outer, names, foot, size } = plan.air;
      assert.ok(size > 11 && Math.min(title, outer, names, foot) >= size + 5);
      for (const [d, device] of plan.devices.entries()) {
        const boxes = SHEETS.map((sheet) => {
          const [rows, columns] = extentOf(state)[sheet];
          return boxOf(plan, d, { sheet, rows: [0, rows], columns: [0, columns] });
        });
        const [x, weights, qkv, , y] = boxes;
        const rooms = [x.x - device.x, qkv.x - x.x - x.w, y.x - qkv.x - qkv.w, device.x + device.w - y.x - y.w];
        assert.ok(Math.min(...rooms) > 5.9 && Math.max(rooms[0], rooms[3]) - Math.min(rooms[0], rooms[3]) < 0.01, `${rooms}`);
        assert.ok(Math.abs(x.y - weights.y - weights.h - names) < 0.01 && device.y + device.h - y.y - y.h >= foot - 0.01);
      }
    }
});

test("each packet that has arrived leaves a trace on its lane, in the colours of what it was, and all traces have one scale", () => {
  for (const width of [340, 1050])
    for (const state of FITTING) {
      const { at, end, moments, plan, sent } = filmOf(state, width);
      for (const [n, stop] of stopsOf(moments).entries()) {
        const { passed, lanes } = at(stop);
        assert.equal(lanes, (n + 1 < end && moments[n].message) || (sent[0] ?? null));
        const isAll = n + 1 === end || !moments[n].message; // of all messages so far, or only of that for which the lanes are
        const steps = moments.slice(0, n + 1).filter(({ message }) => message && (isAll || message === lanes));
        assert.equal(passed.length, steps.length * state.N, `${state.cut} at ${stop}`);
        for (const [k, { by = [], isComplete, device, box }] of passed.entries()) {
          const lane = k % state.N;
          const { message, step } = steps[Math.floor(k / state.N)];
          if (message.how === "ring" && !message.backward)
            assert.equal(device === lane, step === 0); // first its own keys and values
          else if (message.how === "ring")
            assert.notEqual(device, lane); // these gradients come home
          else assert.deepEqual([by.length, Boolean(isComplete)], step + 1 < state.N ? [step + 1, false] : [0, true]);
          const count = moments.filter((one) => one.message === message).length;
          assert.ok(Math.abs(box.w + plan.trace.gap - (plan.trace.w * message.sent) / count / mostSent(state)) < 1e-9);
          assert.ok(
            plan.devices.every(({ y, h }) => box.y >= y + h || box.y + box.h <= y),
            "between the devices",
          );
          for (const other of passed.slice(k + 1)) {
            const isApart = box.x + box.w < other.box.x || other.box.x + other.box.w < box.x || box.y + box.h < other.box.y || other.box.y + other.box.h < box.y; // biome-ignore format: one condition
            assert.ok(isApart, `${width} ${JSON.stringify(state)} at ${stop}`);
          }
        }
      }
    }
});

test("between two rounds of a lane's traces the gap is wider, by as much everywhere", () => {
  for (const width of [340, 1050])
    for (const state of FITTING) {
      const { at, end, moments, plan } = filmOf(state, width);
      const { gap, apart } = plan.trace;
      assert.ok(apart >= 2 * gap);
      const steps = moments.filter(({ message }) => message);
      const { passed } = at(end);
      for (const [n, { message, step }] of steps.entries()) {
        const before = steps[n - 1]?.message;
        if (!before || isReversed(before) || isReversed(message)) continue; // those lie at the other end
        for (const d of range(state.N)) {
          const [one, next] = [n - 1, n].map((k) => passed[k * state.N + d].box);
          const room = Math.max(one.x, next.x) - Math.min(one.x + one.w, next.x + next.w);
          const isNew = step % (state.N - 1) === 0; // the first of a round
          assert.ok(Math.abs(room - gap - (isNew ? apart : 0)) < 1e-9, `${state.cut} ${n}: ${room}`);
        }
      }
    }
});

test("gradients stay until the end, where their tensors were: complete on every device that is to have them", () => {
  for (const state of FITTING.filter(({ training }) => training)) {
    const { at, moments, end, sent, plan } = filmOf(state);
    const backward = sent.filter((one) => one.backward);
    assert.deepEqual(at(end).gradients, backward.map(({ what }) => what)); // biome-ignore format: one line
    assert.deepEqual(at(stopsOf(moments)[1]).gradients, []);
    assert.equal(at(end).sending, null); // the devices are said to have their y again
    const seen = at(end).held.flatMap(({ box, isComplete }) => (isComplete ? [JSON.stringify(box)] : []));
    for (const message of backward.filter(({ how }) => how === "all-reduce"))
      for (const d of range(state.N))
        for (const block of partsOf(state, message).flat()) assert.ok(seen.includes(JSON.stringify(boxOf(plan, d, block))), message.what); // biome-ignore format: one line
  }
});

test("each device is said to have no y, then a part, then what it will have, and never more than it has", () => {
  const state = { ...SIZES[0], training: false };
  const seen = (cut) => {
    const { at, moments } = filmOf({ ...state, cut });
    return stopsOf(moments).map((t) => at(t).y[3]);
  };
  assert.deepEqual(CUTS.map(seen), [[0, 2], [0, 1, 1, 1, 1, 1, 1, 2], [0, 1, 1, 1, 2], [0, 0, 0, 0, 0, 0, 0, 0, 2]]); // biome-ignore format: by cut
  const named = (has) => CUTS.map((cut) => yName({ ...state, cut }, 3, has));
  assert.deepEqual(named(0), Array(4).fill("has no y yet"));
  assert.deepEqual(named(1).slice(1, 3), ["has a part of every y", "has a part of its y"]);
  assert.deepEqual(named(2), ["has y of sequence 3", "has all of y", "has y of tokens 9–11", "has its numbers of y"]);
  const unequal = { ...state, N: 3, cut: "H" };
  assert.deepEqual(filmOf(unequal).at(2).y, [0, 0, 1]);
  assert.equal(yName(unequal, 0, 0), "has no y");
});

test("the devices of any number share all the room", () => {
  for (const width of [340, 1050])
    for (const N of [2, 3, 4]) {
      const { devices, height } = planOf(width, { ...SIZES[0], N, cut: "H" });
      const right = Math.max(...devices.map(({ x, w }) => x + w));
      assert.ok(Math.abs(right - width) < 0.01);
      assert.ok(devices.every(({ y, h }) => y + h <= height + 0.01));
      if (width > 500 || N < 3) continue;
      const [a, b, c] = devices; // as a text is read
      assert.ok(a.y === b.y && a.x < b.x && a.x === c.x && a.y + a.h < c.y);
    }
});

test("the devices get their parts in order, and at most two of them at a time", () => {
  const state = { ...SIZES[0], cut: "B", training: false };
  const onTheWay = Array.from({ length: 19 }, (_, n) => {
    const { held } = sceneOf(planOf(1050, state), state, [], (n + 1) / 20);
    const own = held.filter(({ block, device }) => block.sheet === "x" && device !== null);
    const [there, coming] = [own.filter(({ alpha }) => alpha === 1), own.filter(({ alpha }) => alpha < 1)];
    assert.ok(coming.length === 1 || coming.length === 2);
    assert.deepEqual(own.map(({ device }) => device), [0, 1, 2, 3].slice(0, own.length)); // biome-ignore format: one line
    return there.length;
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
  assert.match(say({ ...state, G: 2 }).text, / Each key\/value head is on 2 devices, and y is no smaller\.$/);
  const bytesOf = (G) => compute({ ...state, G }).bytes;
  assert.deepEqual(
    CUTS.map((cut) => bytesOf(2)[cut] < bytesOf(4)[cut]),
    [false, false, true, true],
  );
  assert.match(say(state).text, /^W_O sums over heads: y is added up and passed on, because .* next layer reads all of it\.$/);
  assert.match(
    say({ ...state, cut: "E" }).text,
    / computes all of the attention\. A device's own part of y is enough for the next layer\.$/,
  );
  assert.ok(!say({ ...state, cut: "E", training: true }).text.includes("next layer"));
  assert.match(sentenceOf(state, compute(state), true).text, / What do the other cuts send\?$/);
  assert.equal(say({ ...state, cut: "B" }).verdict, "Nothing is sent.");
  assert.match(
    say({ ...state, cut: "B" }).text,
    /^Each device computes its own sequences, and no step of the forward pass mixes them\. A device's own part of y is enough for the next layer\.$/,
  );
  assert.equal(say({ ...state, N: 3 }).verdict, "3 devices cannot share 8 heads equally.");
  const through =
    "They get 3, 3 and 2. The cut goes through a key/value head, and devices 0 and 1 cannot compute their scores alone.";
  assert.ok(say({ ...state, N: 3 }).text.startsWith(through)); // device 2 has heads 6 and 7 and their key/value head 3
  assert.match(say({ ...state, N: 3, G: 2 }).text, / 3, 3 and 2\. The key\/value heads are not .*, and devices 1 and 2 cannot /);
  assert.match(
    say({ ...state, N: 4, H: 2, G: 2 }).text,
    / and no device can compute its scores alone\. Only sequences, tokens and numbers divide by 4\.$/,
  );
  assert.match(
    say({ ...state, N: 3, G: 8 }).text,
    / 3, 3 and 2\. Those that have more let the others wait\. Only tokens divide by 3\.$/,
  );
  assert.match(say({ ...state, N: 3, H: 4 }).text, /^The cut goes through a head/);
  assert.deepEqual(
    CUTS.map((cut) => chipText({ ...state, N: 3, L: 7 }, cut, true)),
    ["4 sequences", "8 heads", "7 tokens", "16 numbers"].map((some) => `${some}, 3 devices`),
  );
  assert.match(say({ ...state, cut: "L" }).text, / queries stay\. A device's own part /);
  assert.equal(say({ ...state, N: 1 }).verdict, "One device sends nothing.");
});

test("the last cut to be played ranks all four, where the ranking and its reasons hold", () => {
  const last = (state) => sentenceOf(state, compute(state), false, true).verdict;
  const state = { ...SIZES[0], cut: "E", training: false };
  assert.deepEqual([2, 4].map((N) => last({ ...state, N })), Array(2).fill("B sends nothing, L least, E most.")); // biome-ignore format: one line
  assert.equal(last({ ...state, G: 8 }), "Each device sends 13,824 bytes in every layer."); // k and v are then two of y
  assert.equal(last({ ...state, training: true }), "Each device sends 13,824 bytes in every layer.");
  assert.match(last({ ...state, N: 3, cut: "L" }), /^Each device sends/); // the others do not divide
});

test("on its way a message crosses no title of a device, and no name of its weights", () => {
  for (const width of [340, 780, 820, 1050])
    for (const state of [...ALL, { ...SIZES[0], N: 3, L: 12, cut: "L" }, { ...SIZES[0], N: 2, cut: "H" }]) {
      const { at, plan, end } = filmOf(state, width);
      const titles = plan.devices.map(({ x, y, w }) => ({ x, y, w, h: 32 })); // with the names of the weights
      for (let t = 2; t < end; t += 0.03)
        for (const { box } of at(t).flying)
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
      const state = { ...SIZES[0], N, B: 3, G: 8, cut: "H" };
      const [plan, columns] = [planOf(width, state), columnsOf(state, messages(state, "H")[0])];
      const isNear = ([x, y], box) =>
        x >= box.x - 0.01 && x <= box.x + box.w + 0.01 && y >= box.y - 0.01 && y <= box.y + box.h + 0.01;
      for (let d = 0; d < N; d++) {
        const lane = laneFrom(plan, d, columns);
        assert.ok(isNear(lane[0], plan.devices[d]));
        assert.ok(isNear(lane.at(-1), plan.devices[(d + 1) % N]));
        assert.deepEqual(pointOn(lane, 0), lane[0]);
        for (const n of [0, 1]) assert.ok(Math.abs(pointOn(lane, 1)[n] - lane.at(-1)[n]) < 1e-9);
      }
    }
});

test("on a phone no lane crosses another one or a device", () => {
  for (const N of [2, 3, 4])
    for (const cut of CUTS) {
      const state = { ...SIZES[0], N, B: 12, cut };
      const plan = planOf(340, state);
      for (const message of fits(state, cut) ? messages(state, cut) : []) {
        const lanes = range(N).map((d) => laneFrom(plan, d, columnsOf(state, message)));
        const parts = lanes.flatMap((lane, d) => lane.slice(1).map((to, n) => ({ d, from: lane[n], to })));
        const [low, high] = [Math.min, Math.max].map((end) => (one, n) => end(one.from[n], one.to[n]));
        for (const one of parts) {
          const isOver = ({ x, y, w, h }) =>
            [x, y].every((at, n) => high(one, n) > at + 1) && [x + w, y + h].every((at, n) => low(one, n) < at - 1);
          const own = [one.d, (one.d + 1) % N]; // it ends in the edge or the title of these
          assert.ok(!plan.devices.some((box, d) => !own.includes(d) && isOver(box)), `${state.cut} ${N}`);
          for (const other of parts.filter(({ d }) => d > one.d))
            assert.ok(
              [0, 1].some((n) => high(one, n) < low(other, n) || low(one, n) > high(other, n)),
              `${state.cut} ${N}`,
            );
        }
      }
    }
});

test("a chip names what its cut sends and who then has y; before that what a device gets; and in training that gradients are sent, too", () => {
  const state = { ...SIZES[0], training: false };
  assert.deepEqual(CUTS.map((cut) => sentName(state, cut)), ["of ", "of y", "of k, v", "of q, k, v"]); // biome-ignore format: one line
  for (const cut of CUTS) {
    const sent = messages({ ...state, cut }, cut);
    if (sent.length) assert.equal(sentName(state, cut), `of ${shortName(sent[0])}`);
  }
  const texts = (/** @type {any} */ now, isDone = true) => CUTS.map((cut) => chipText({ ...state, ...now }, cut, isDone));
  assert.deepEqual(texts({}), ["own part of y", "all of y", "own part of y", "own part of y"]);
  assert.deepEqual(
    texts({}, false),
    ["1 sequence", "2 heads", "3 tokens", "4 numbers"].map((some) => `${some} per device`),
  );
  assert.deepEqual(texts({ training: true }), [
    "of gradients",
    "of y + gradients",
    "of k, v + gradients",
    "of q, k, v + gradients",
  ]);
  assert.deepEqual(texts({ N: 1 }), Array(4).fill("all of y"));
  assert.deepEqual(texts({ N: 3 }, false), [
    "4 sequences, 3 devices",
    "8 heads, 3 devices",
    "4 tokens per device",
    "16 numbers, 3 devices",
  ]);
  assert.deepEqual(
    CUTS.map((cut) => questionOf({ ...state, cut }).includes("so that all devices have y")),
    [false, true, false, false], // the other cuts leave each device a part
  );
});

test("what goes along a lane and the steps of a move add up to what each device sends", () => {
  for (const state of ALL.filter((one) => fits(one, one.cut) && one.N > 1)) {
    const { messages: sent, bytes } = compute(state);
    const counts = sent.map((message) => laneTexts([message])[1].replaceAll(",", "").match(/^(\d+) × (\d+) bytes of (.*)$/) ?? []); // biome-ignore format: one line
    const all = counts.reduce((sum, [, steps, each]) => sum + Number(steps) * Number(each), 0);
    const rounding = counts.reduce((sum, [, steps]) => sum + Number(steps), 0) / 2;
    assert.ok(Math.abs(all - bytes[state.cut]) <= rounding, `${all} of ${bytes[state.cut]}`);
    for (const [n, message] of sent.entries()) {
      const [, steps, each, what] = counts[n];
      assert.equal(what, shortName(message).replaceAll(",", ""));
      assert.equal(Math.round((4 * message.sent) / Number(steps)), Number(each));
      if (!isDrawn(message)) continue;
      const bytes = `${Number(each).toLocaleString("en")} bytes`;
      const [, factors, said] = blockText(state, message).match(/: (.*) numbers × 4 bytes = (.*)$/) ?? [];
      assert.equal(`${said} bytes`, bytes); // and they are the product of what is named
      const [count, by = 1] = factors.replaceAll(",", "").split(" / ").map(Number);
      assert.ok(Math.abs((4 * count) / by - Number(each)) <= 0.5, blockText(state, message));
    }
    for (const message of sent.filter(isDrawn)) {
      const during = (/** @type {number} */ step) => meanwhileOf(state, { name: "", message, step });
      assert.match(
        during(0),
        new RegExp(
          `^[A-Z].*\\. Around the ring, 1 of ${state.N - 1}: each device sends [\\d,]+ bytes of ${message.what}(,| to) .*\\.$`,
        ), // first why
      );
      if (message.how !== "ring") assert.match(during(state.N - 1), /\. Pass on, 1 of \d: the complete sums /);
      assert.ok(shortName(message).length <= 10);
    }
  }
  const four = { ...SIZES[0], cut: "L" };
  const parts = "3 × 768 bytes of k, v + 3 × 768 bytes of grad k, v + 6 × 768 bytes of grad W";
  assert.deepEqual(laneTexts(messages(four, "L")), [`each device sends ${parts}`, parts, "each device sends 9,216 bytes", "9,216 bytes"]); // biome-ignore format: one line
  const blocks = (/** @type {any} */ now) =>
    messages({ ...four, ...now }, now.cut).map((one) => blockText({ ...four, ...now }, one));
  assert.equal(blocks({ cut: "H" })[0], "1/4 of y: 192 numbers × 4 bytes = 768");
  assert.equal(blocks({ cut: "H", N: 3, B: 1, L: 7, G: 8 })[0], "1/3 of y: 112 / 3 numbers × 4 bytes = 149");
  assert.deepEqual(blocks({ cut: "L" }), [
    "1/4 of k, v: 192 numbers × 4 bytes = 768",
    "1/4 of grad k, v: 192 numbers × 4 bytes = 768",
    "1/4 of grad W: 192 numbers × 4 bytes = 768",
  ]);
  assert.deepEqual([0, 3].map((d) => ownName(four, d).text), ["tokens 0–2", "tokens 9–11"]); // biome-ignore format: one line
  assert.equal(ownName({ ...four, cut: "B" }, 2).text, "sequence 2");
  const named = (/** @type {any} */ state) => [0, 1, 2].map((d) => ownName({ ...SIZES[0], N: 3, ...state }, d).text);
  assert.deepEqual(named({ cut: "H" }), ["heads 0–2", "heads 3–5", "heads 6–7"]);
  assert.deepEqual(named({ cut: "H", H: 4 }), ["heads 0–1", "heads 1–2", "head 3"]); // the cut goes through head 1
  assert.deepEqual(named({ cut: "B" }), ["sequences 0–1", "sequences 2–3", "sequences –"]);
});
