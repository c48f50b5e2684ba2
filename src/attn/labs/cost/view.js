// CostLab: what a model costs, part by part, what fits into which memory, and how many tokens per second are possible at best.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { between, CLOCKS, endOf, MEMORIES, PARTS, squares, stateOf } from "./clocks.js";
import { BYTES, compute, DEVICES, MODELS, sizesOf, total } from "./model.js";
import { amount, brief, compared, count, grown, idle, listed, nameOf, sentence, time } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./clocks.js").State} State */

/** What PARTS are called. A step does not need all embeddings, a memory does. */
const NAMES = ["KV cache", "scores", "W_Q to W_O", "MLP", "output matrix"];
const KEYS = [...NAMES.slice(0, -1), "embeddings + output"];
const INSIDE = 70; // pixels: a dashed square that is wider has its name inside
const NAMED = 30; // pixels: beside it is its name, if the middle of no other name is lower
const ASIDE = 96; // and the width
const TINY = 16; // pixels: and one that is narrower has no room for dashes
const LOWEST = 16; // pixels: a part of a square that is lower has no name
const LETTER = 8; // pixels of its name, at most
const APART = 58; // pixels between the names of two memories

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

  const clocks = CLOCKS.map(clockOf);
  const filled = PARTS.map((part) => element("i", { class: `part ${part}` }));
  const gauge = element("div", { class: "gauge", role: "img" }, ...[...filled].reverse());
  const marks = MEMORIES.map((size) => element("span", { class: "memory" }, `${size} GB `, element("b")));
  const needs = element("span", {});
  const named = element("b", {});
  const rate = element("b", {});
  const rated = element("span", { class: "label" });
  const slow = element("b", {});
  const whose = element("span", { class: "whose" });
  let room = 0; // the side of a frame
  const work = section("clocks", ...clocks.map(({ node }) => node), legend());
  const answer = section(
    "rate",
    element("p", {}, element("span", { class: "label" }, "the step waits for"), named),
    element("p", { class: "takes" }, element("span", { class: "label" }, "and takes"), slow),
    element("p", {}, rated, rate),
  );
  const memory = section(
    "memory",
    element("p", { class: "cost-title" }, element("b", {}, "Does it fit into a device's memory?"), needs),
    gauge,
    element("div", { class: "memories" }, ...marks),
    whose,
  );
  const place = stage(tools, {
    picture: [work, answer, memory],
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
  const moving = transition(root, paint, 2400);

  /** @param {string} part @param {(Node | string)[]} children */
  function section(part, ...children) {
    return element("div", { class: `cost-${part}`, hidden: !shows(tools, part) }, ...children);
  }

  /** The squares, and the bar of needed bytes. The numbers are those of the step from the start. @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    const { state } = current;
    const now = between(before, state, t);
    squares(now, before ? undefined : Math.max(...state.seconds)).forEach(({ side, once }, n) =>
      clocks[n].fill(now.shares[n], state.shares[n], side, once, room),
    );
    const how = before ? "grow and shrink to the times of this step" : "grow while the time of this step passes";
    place.meanwhile(t < 1 ? `The squares ${how}.` : "");
    const end = endOf(now);
    filled.forEach(({ style }, n) => {
      style.width = percent(now.needed[n] / end);
    });
    let free = Number.POSITIVE_INFINITY;
    for (const n of [...marks.keys()].reverse()) {
      const x = MEMORIES[n] / end;
      marks[n].style.left = percent(x);
      const [sign, kind] = total(Object(state.needed)) <= MEMORIES[n] ? ["✓", "good"] : ["✗", "bad"];
      const [mark] = marks[n].children;
      setText(mark, sign);
      mark.className = kind;
      marks[n].hidden = free - x * gauge.clientWidth < APART;
      if (!marks[n].hidden) free = x * gauge.clientWidth;
    }
  }

  /** The texts, and the sentence. */
  function tell() {
    if (!current) return;
    const { settings, results, state } = current;
    room = clocks[0].width();
    const figures = DEVICES[settings.device];
    const peak = settings.dtype === "float32" ? figures.float32 : figures.bfloat16;
    const totals = [amount(total(results.moved), "B"), amount(total(results.flops), "FLOP")];
    const rates = [`at ${figures.bandwidth} TB/s`, `at ${peak} TFLOP/s`];
    const longest = Math.max(...state.seconds);
    const usual = compared(settings, results);
    clocks.forEach(({ say, ghostName, node }, n) => {
      const seconds = state.seconds[n];
      const took = time(seconds);
      const parts = listed(NAMES, state.shares[n]);
      say(
        [totals[n], rates[n], took, grown(seconds / state.once[n], usual), idle(seconds / longest)],
        `${CLOCKS[n]}: ${totals[n]} ${rates[n]} take ${took}. ${parts}.`,
      );
      setText(ghostName, usual);
      node.classList.toggle("longer", seconds === longest);
    });
    setText(named, CLOCKS[state.seconds.indexOf(longest)]);
    setText(slow, time(longest));
    setText(rate, brief(results.rate));
    const { parameters, cache } = results.needed;
    setText(needs, `${amount(parameters, "B")} of parameters + ${amount(cache, "B")} of cache`);
    setText(rated, `tokens ${settings.phase === "prefill" ? "read" : "written"} per second, at best`);
    setText(whose, `${nameOf(settings)} has ${count(total(results.parameters))} parameters`);
    gauge.setAttribute("aria-label", `${amount(parameters + cache, "B")} are needed`);
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
    current = { settings, results, state: stateOf(settings, results) };
    tell();
    if (isSame) return paint(moving.passed()); // another theme, or another width
    moving.stop();
    before = last ? last.state : null;
    if (last) moving.start();
    else paint(1);
  }

  /** An experiment that holds already is shown again, from where it began. @param {Record<string, any>} changes */
  function perform(changes) {
    if (current && Object.keys(changes).every((one) => get(one) === current?.settings[/** @type {"B"} */ (one)])) moving.start();
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

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(3)}%`;

/** A square in its frame, with its texts. @param {string} name */
function clockOf(name) {
  const texts = PARTS.map(() => element("span", { class: "text" }));
  const stripes = PARTS.map((part, n) => element("span", { class: `part ${part}` }, texts[n]));
  const square = element("div", { class: "square" }, ...stripes);
  const ghost = element("i", { class: "once" });
  const ghostName = element("span", { class: "once-name" });
  const waits = element("span", {});
  const part = element("span", { class: "of" }, " of the step");
  const idleness = element("span", { class: "waits" }, waits, part);
  const frame = element("div", { class: "frame", role: "img" }, square, ghost, ghostName, idleness);
  const [total, speed, seconds, growth] = ["total", "speed", "seconds", "grown"].map((of) => element("span", { class: of }));
  const head = element("p", { class: "head" }, element("b", {}, name), " ", total, seconds);
  return {
    node: element("div", { class: "clock" }, head, frame, element("p", { class: "foot" }, speed, growth)),
    ghostName,
    width: () => frame.clientWidth,
    /**
     * @param {number[]} shares of the square
     * @param {number[]} last the same at last
     * @param {number} side
     * @param {number | null} once
     * @param {number} room
     */
    fill(shares, last, side, once, room) {
      let top = side;
      let isFree = true; // of names beside the dashed square
      square.style.width = square.style.height = percent(side);
      stripes.forEach((stripe, n) => {
        stripe.style.height = percent(shares[n]);
        const height = shares[n] * side;
        const above = Math.max(0, Math.min(height, top - (once ?? 0)));
        const isAbove = above * room >= LOWEST; // its name stands above the dashed square, otherwise beside it
        const width = room * (isAbove ? side : side - (once ?? 0));
        const name = `${NAMES[n]} ${Math.round(100 * last[n])} %`;
        const fits = height * room >= LOWEST && width >= LETTER * name.length + 10;
        stripe.style.paddingBottom = `${isAbove ? (height - above) * room : 0}px`;
        setText(texts[n], fits ? name : "");
        top -= height;
        if (fits && (top + height / 2) * room < NAMED) isFree = false; // a name is in the middle of its part
      });
      ghost.hidden = once === null;
      ghost.style.width = ghost.style.height = percent(once ?? 0);
      const isInside = (once ?? 0) * room > INSIDE; // in its upper left corner, away from the names of the parts
      const isOn = side >= 0.4; // on the square, where it must hide no part
      ghostName.classList.toggle("inside", isInside);
      ghostName.classList.toggle("on", isOn || isInside);
      ghostName.hidden =
        once === null || (!isInside && (isOn ? !isFree || (side - once) * room < ASIDE : once > (room < 200 ? 0.12 : 0.4)));
      ghost.classList.toggle("tiny", (once ?? 1) * room < TINY);
      ghostName.style.left = isInside ? "5px" : `calc(${percent(isOn ? (once ?? 0) : side)} + 7px)`;
      ghostName.style.bottom = isInside ? `calc(${percent(once ?? 0)} - 23px)` : "0";
      idleness.hidden = (1 - side) * room <= 24;
    },
    /** @param {string[]} written what it takes, and how long; how much it waits @param {string} text for readers who do not see it */
    say(written, text) {
      [total, speed, seconds, growth, waits].forEach((node, n) => {
        setText(node, written[n]);
      });
      part.hidden = !written[4];
      frame.setAttribute("aria-label", text);
    },
  };
}

/** The colours and what they mean. */
function legend() {
  const entries = PARTS.map((part, n) => element("span", { class: "key" }, element("i", { class: `part ${part}` }), KEYS[n]));
  return element("p", { class: "legend" }, element("b", {}, "area = time"), ...entries.reverse());
}

/** @param {number} n */
const divisors = (n) => Array.from({ length: n }, (_, at) => at + 1).filter((one) => n % one === 0);

export const lab = makeLab({
  title: "CostLab: parameters, operations and bytes of a model, and the least time of a step",
  compute,
  build,
});
