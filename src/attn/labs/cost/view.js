// CostLab: what a model costs, part by part, what fits into which memory, and how many tokens per second are possible at best.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { between, load, MEMORIES, PARTS, stateOf } from "./bars.js";
import { BYTES, compute, DEVICES, MODELS, sizesOf, total } from "./model.js";
import { amount, brief, count, listed, nameOf, sentence, time, waitsFor } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./bars.js").State} State */

/** What the legend calls PARTS, and the names within a bar. */
const NAMES = ["attention matrices", "scores and sums", "MLP", "words", "KV cache"];
const SHORT = ["attention", "scores", "MLP", "words", "cache"];
const ROWS = ["", "operations of a step", "bytes that it moves"];
const WIDTH_OF_A_LETTER = 7; // pixels

const powers = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: to - from + 1 }, (_, n) => 2 ** (from + n));
/** The marks on the sliders. @type {Record<string, number[]>} */
const MARKS = {
  B: powers(0, 10),
  S: powers(4, 20),
  layers: [1, 2, 4, 6, 8, 12, 16, 24, 32, 36, 40, 48, 64, 80, 96, 126],
  E: [256, 512, 768, 1024, 1280, 1600, 2048, 3072, 4096, 5120, 6144, 8192, 12288, 16384],
  H: [1, 2, 4, 6, 8, 12, 16, 20, 24, 25, 32, 40, 48, 64, 96, 128],
  D: [16, 32, 48, 64, 80, 96, 128, 192, 256],
};
const OWN = /** @type {const} */ (["layers", "E", "H", "G", "D"]);

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, limits } = tools;
  const name = unique("cost");
  /** @type {{ settings: Settings, results: Results, state: State } | null} */
  let current = null;
  /** @type {State | null} where the move comes from */
  let before = null;

  const sizes = () => sizesOf(/** @type {any} */ (Object.fromEntries(["model", ...OWN].map((one) => [one, get(one)]))));
  /** @param {string} of @returns {number[]} */
  function marksOf(of) {
    const value = of === "B" || of === "S" ? get(of) : sizes()[/** @type {"E"} */ (of)];
    const marks = of === "G" ? divisors(sizes().H) : MARKS[of].filter((one) => one >= limits()[of][0] && one <= limits()[of][1]);
    return marks.includes(value) ? marks : [...marks, value].sort((a, b) => a - b);
  }
  /** @param {string} of @param {string} meaning @param {(value: number) => void} [change] */
  const sized = (of, meaning, change = (value) => set({ [of]: value })) =>
    slider(of === "layers" ? null : of, meaning, (place) => change(marksOf(of)[place]));
  const sliders = {
    B: sized("B", "sequences"),
    S: sized("S", "tokens each"),
    layers: sized("layers", "layers"),
    E: sized("E", "width"),
    H: sized("H", "query heads", (H) => set({ H, G: get("G") !== null && H % get("G") ? null : get("G") })),
    G: sized("G", "key/value heads"),
    D: sized("D", "numbers per head"),
  };
  const model = selection("model", Object.keys(MODELS), (value) =>
    set({ model: value, ...Object.fromEntries(OWN.map((one) => [one, null])) }),
  );
  const device = selection("device", Object.keys(DEVICES), (value) => set({ device: value }));
  const phase = choice(
    `${name}-phase`,
    "step",
    [
      ["decoding", "decoding"],
      ["prefill", "prefill"],
    ],
    (value) => set({ phase: value }),
  );
  const dtype = choice(
    `${name}-dtype`,
    "stored as",
    Object.keys(BYTES).map((one) => /** @type {[string, string]} */ ([one, one])),
    (value) => set({ dtype: value }),
  );

  const rows = ROWS.map((title) => barOf(title, PARTS));
  const gauges = MEMORIES.map(() => barOf("", ["parameters", "cache"]));
  const times = ["memory", "arithmetic"].map((title) => barOf(title, ["time"]));
  const rate = element("b", { class: "rate" });
  const needs = element("span", {});
  const named = element("b", { class: "rate" });
  let room = 0; // the width of a bar
  const whose = element("span", {});
  rows[0].node.firstElementChild?.prepend(whose);
  const shares = section("shares", legend(), ...rows.map(({ node }) => node));
  const memory = section(
    "memory",
    element("p", { class: "cost-title" }, element("b", {}, "Does it fit?"), needs),
    element("div", { class: "gauges" }, ...gauges.map(({ node }) => node)),
  );
  const clock = section(
    "time",
    element("p", { class: "cost-title" }, named, element("span", {}, element("span", { class: "best" }, "at best "), rate)),
    ...times.map(({ node }) => node),
  );
  const place = stage(tools, {
    picture: [shares, memory, clock],
    controls: { B: sliders.B.node, S: sliders.S.node, model: model.node, device: device.node },
    more: {
      phase: phase.node,
      dtype: dtype.node,
      layers: sliders.layers.node,
      E: sliders.E.node,
      H: sliders.H.node,
      G: sliders.G.node,
      D: sliders.D.node,
    },
    below: true,
  });
  place.node.classList.add("cost");
  const moving = transition(root, paint, 900);

  /** @param {string} part @param {(Node | string)[]} children */
  function section(part, ...children) {
    return element("div", { class: `cost-${part}`, hidden: !shows(tools, part) }, ...children);
  }

  /** The widths of all bars. @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    const { state } = current;
    const now = before ? between(before, state, t) : state;
    rows.forEach(({ fill, mark }, n) => {
      fill(now.shares[n]);
      mark(now.shares[n].map((share, part) => labelOf(SHORT[part], share, share * room)));
    });
    gauges.forEach(({ fill }, n) => fill(now.gauges[n]));
    times.forEach(({ fill }, n) => fill([now.times[n]]));
  }

  /** The texts at the bars, and the sentence. */
  function tell() {
    if (!current) return;
    const { settings, results, state } = current;
    room = rows[0].width();
    const totals = [count(total(results.parameters)), amount(total(results.flops), "FLOP"), amount(total(results.moved), "B")];
    rows.forEach(({ say, describe }, n) => {
      say(totals[n]);
      describe(listed(NAMES, state.shares[n]));
    });
    whose.textContent = `parameters of ${nameOf(settings)}`;
    needs.textContent = `${amount(results.needed.parameters + results.needed.cache, "B")} of parameters and cache`;
    MEMORIES.forEach((size, n) => {
      const full = load(results, size);
      const verdict = element("span", { class: full <= 1 ? "good" : "bad" }, full <= 1 ? "✓" : "✗");
      const text = full < 10 ? `${Math.ceil(100 * full)} %` : `${brief(full)} ×`;
      gauges[n].describe(text);
      gauges[n].say(element("b", {}, `${size} GB `, verdict), element("small", {}, ` ${text}`));
    });
    const figures = DEVICES[settings.device];
    const peak = settings.dtype === "float32" ? figures.float32 : figures.bfloat16;
    const isLonger = [waitsFor(results) === "memory", waitsFor(results) === "arithmetic"];
    const rates = [`${totals[2]} at ${figures.bandwidth} TB/s`, `${totals[1]} at ${peak} TFLOP/s`];
    [results.seconds.memory, results.seconds.arithmetic].forEach((seconds, n) => {
      times[n].say(element("span", {}, `${rates[n]} = `), element("b", {}, time(seconds)));
      times[n].describe(time(seconds));
      times[n].node.classList.toggle("longer", isLonger[n]);
    });
    named.textContent = `waits for ${waitsFor(results)}`;
    rate.textContent = `${brief(results.rate)} tokens/s`;
    const verdict = /step waits for (memory|arithmetic)/; // the answer to the question
    place.tell(
      ...sentence(settings, results)
        .split(/(So a step waits for [a-z]+)/)
        .map((part) => (verdict.test(part) ? element("b", {}, part) : part)),
    );
  }

  /** @param {Settings} settings */
  function drawControls(settings) {
    const of = sizes();
    for (const [one, control] of Object.entries(sliders)) {
      const marks = marksOf(one);
      const value = one === "B" || one === "S" ? settings[one] : of[/** @type {"E"} */ (one)];
      control.update(marks.indexOf(value), [0, marks.length - 1], integer(value));
    }
    model.update(settings.model);
    device.update(settings.device);
    phase.update(settings.phase);
    dtype.update(settings.dtype);
    place.update();
  }

  /** @param {Settings} settings @param {Results | null} results */
  function draw(settings, results) {
    if (!results) return;
    drawControls(settings);
    const last = current;
    const isSame = last?.results === results && JSON.stringify(last.settings) === JSON.stringify(settings);
    current = { settings, results, state: stateOf(results) };
    tell();
    if (isSame) return paint(moving.passed()); // another theme, or another width
    moving.stop();
    before = last ? last.state : null;
    if (last) moving.start();
    else paint(1);
  }

  /** An experiment that holds already is shown again, from where it began. @param {Record<string, any>} changes */
  function perform(changes) {
    if (!current || !before) return moving.start();
    const { settings } = current;
    const holds = Object.keys(changes).every((one) => get(one) === settings[/** @type {"B"} */ (one)]);
    if (holds) moving.start();
  }

  return { node: place.node, draw, perform };
}

/** @param {string} title @param {string[]} options @param {(value: string) => void} onChange */
function selection(title, options, onChange) {
  const select = element("select", { onchange: () => onChange(select.value) }, ...options.map((one) => element("option", {}, one)));
  const node = element("label", { class: "cost-choice" }, title, select);
  /** @param {string} value */
  const update = (value) => {
    select.value = value;
  };
  return { node, update };
}

/** A bar with its title. @param {string} title @param {string[]} parts */
function barOf(title, parts) {
  const spans = parts.map((part) => element("span", { class: `part ${part}` }));
  const bar = element("div", { class: "cost-bar", role: "img" }, ...spans);
  const said = element("span", { class: "said" });
  const head = element("p", { class: "cost-title" }, ...(title ? [element("span", {}, title)] : []), said);
  return {
    node: element("div", { class: "cost-row" }, head, bar),
    width: () => bar.clientWidth,
    /** @param {number[]} shares */
    fill: (shares) =>
      shares.forEach((share, n) => {
        spans[n].style.width = `${(100 * share).toFixed(3)}%`;
      }),
    /** @param {string} text for readers who do not see the bar */
    describe: (text) => bar.setAttribute("aria-label", text),
    /** @param {string[]} labels */
    mark: (labels) =>
      labels.forEach((label, n) => {
        setText(spans[n], label);
      }),
    /** @param {(Node | string)[]} text */
    say: (...text) => said.replaceChildren(...text),
  };
}

/** The colours and what they mean. */
function legend() {
  const entries = PARTS.map((part, n) => element("span", { class: "key" }, element("i", { class: `part ${part}` }), NAMES[n]));
  return element("p", { class: "legend" }, ...entries);
}

/**
 * What is written into a part of a bar: as much as there is room for.
 *
 * @param {string} name
 * @param {number} share
 * @param {number} room in pixels
 */
function labelOf(name, share, room) {
  const percent = `${Math.round(100 * share)} %`;
  const texts = [`${name} ${percent}`, percent];
  return texts.find((text) => text.length * WIDTH_OF_A_LETTER + 6 <= room) ?? "";
}

/** @param {number} n */
const divisors = (n) => Array.from({ length: n }, (_, at) => at + 1).filter((one) => n % one === 0);

export const lab = makeLab({
  title: "CostLab: parameters, operations and bytes of a model, and the least time of a step",
  compute,
  build,
});
