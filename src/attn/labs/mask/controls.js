// The controls of MaskLab: three that are always there, and those behind "more".

import { choice, element, letter, setText, slider, toggle } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { HEADS } from "../kit/reader.js";
import { FILL_NAMES } from "./explain.js";
import { PADDING } from "./rules.js";
import { isTrained } from "./scores.js";

/**
 * @param {string} id of the radio buttons
 * @param {import("../kit/host.js").Tools} tools
 */
export function makeControls(id, { get, set, limits }) {
  const query = slider(null, "query", (position) => set({ pin: [position, get("pin")[1]] }));
  query.node.classList.add("chosen-query");
  query.node.firstElementChild?.prepend(letter("L"), " ");
  /** @type {(key: string, title: string | Node, options: (readonly [string | number, string])[]) => ReturnType<typeof choice>} */
  const radios = (key, title, options) => choice(`${id}-${key}`, title, options, (value) => set({ [key]: value }));
  const heads = range(limits().H[1]).map((n) => /** @type {const} */ ([n, `${n}`]));
  const head = radios("head", element("span", {}, letter("H"), " head"), heads);
  const causal = toggle("what comes later", (on) => set({ causal: on }));
  const padding = toggle("padding", (on) => set({ padding: on }));
  const rules = element("fieldset", { class: "choice" }, element("legend", {}, "Hide"), causal.node, padding.node);
  const fills = [...Object.entries(FILL_NAMES), /** @type {[string, string]} */ (["late", "after softmax: × 0"])];
  const fill = choice(`${id}-fill`, "Hidden scores get", fills, (value) =>
    set(value === "late" ? { late: true } : { fill: value, late: false }),
  );
  const pads = radios("pads", "Padding is", [
    ["behind", "behind"],
    ["in front", "in front"],
  ]);
  const window = slider(null, "window", (width) => set({ window: width === limits().window[1] ? null : width }));
  const L = slider("L", "queries, the newest", (n) => set({ L: n }));
  const corner = radios("corner", "Query i is at", [
    ["bottom right", "S − L + i"],
    ["top left", "i, the top left"],
  ]);
  const H = slider("H", "heads", (n) => set({ H: n }));
  const dtype = radios("dtype", "Numbers", [
    ["float32", "float32"],
    ["float16", "float16"],
  ]);
  const detail = radios("detail", "Look closer", [
    ["none", "arcs and weights"],
    ["spellings", "four spellings"],
    ["broadcast", "the broadcast"],
  ]);
  const clear = element("button", { type: "button", onclick: () => set({ painted: [] }) }, "clear what is painted");
  /**
   * @param {any} state
   * @param {{ b: number, h: number, words: string[], position: number }} drawn
   */
  function update(state, { h, words, position }) {
    const S = words.length;
    query.update(position, [S - state.L, S - 1], words[position] === PADDING ? "padding" : words[position], words);
    head.update(h);
    head.inputs.forEach((input, n) => {
      const label = /** @type {HTMLElement} */ (input.parentElement);
      label.hidden = n >= state.H;
      setText(/** @type {Node} */ (label.lastChild), isTrained(state) ? (HEADS[n] ?? "") : String(n));
    });
    causal.update(state.causal);
    padding.update(state.padding);
    fill.update(state.late ? "late" : state.fill);
    pads.update(state.pads);
    const widest = limits().window[1];
    const width = state.window ?? widest;
    window.update(width, limits().window, width === widest ? "all" : String(width), ["all"]);
    L.update(state.L, limits().L);
    corner.update(state.corner);
    corner.node.hidden = state.L === S;
    H.update(state.H, limits().H);
    dtype.update(state.dtype);
    detail.update(state.detail);
    clear.disabled = !state.painted.length;
  }
  return {
    first: { query: query.node, head: head.node, rules: rules },
    more: {
      ...{ fill: fill.node, pads: pads.node, window: window.node, L: L.node, corner: corner.node, H: H.node },
      ...{ dtype: dtype.node, detail: detail.node, clear },
    },
    update,
  };
}
