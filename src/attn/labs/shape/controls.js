// ShapeLab's controls: sizes, the sentence that the reader types, and what else can be set.

import { colourBy, element, slider, toggle } from "../kit/dom.js";
import { LONGEST } from "../kit/language.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { divisors, divisorUpTo } from "../kit/math.js";
import { changesForSentence } from "./model.js";
import { tensorsOf, written } from "./stages.js";

/** @typedef {import("./view.js").State} State */

export const MEANINGS = {
  ...{ B: "sentences", H: "heads", L: "words that ask", D: "numbers per head" },
  ...{ S: "words asked", G: "key/value heads" },
};
const SIZES = /** @type {const} */ (["B", "H", "L", "D", "S", "G"]);

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {(name: string) => void} choose another tensor
 */
export function makeControls({ limits, get, set }, choose) {
  /** @type {State | null} */
  let drawn = null;
  /** @param {typeof SIZES[number]} axis */
  const sliderFor = (axis) => slider(axis, MEANINGS[axis], (size) => set(changesFor(axis, size)));
  const sliders = Object.fromEntries(SIZES.map((axis) => [axis, sliderFor(axis)]));
  const crossing = toggle("attend to another sentence (S)", (on) => set({ S: on ? Math.min(get("L") + 2, limits().S[1]) : null }));
  const grouping = toggle("share key/value heads (G)", (on) => set({ G: on ? (divisors(get("H")).at(-2) ?? 1) : null }));
  const scaling = toggle("divide by √D", (on) => set({ scale: on }));
  const hiding = toggle("hide the future (causal)", (on) => set({ causal: on }));
  const colour = colourBy(["value", "origin"], (by) => set({ colour: by }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  const refused = element("p", { class: "refused", "aria-live": "polite" });
  const typed = element("input", { type: "text", spellcheck: "false", autocomplete: "off", oninput: read, onblur: () => fill() });
  const sentence = element("div", { class: "own" }, element("label", {}, "your sentence ", typed), refused);
  const tensor = element("select", { onchange: () => choose(tensor.value) });
  const tensorLabel = element("label", { class: "tensor" }, "tensor ", tensor);

  /**
   * The settings that a slider changes. G counts key/value heads, so it divides H: its slider goes through the divisors, and a new H
   * takes G along.
   *
   * @param {string} axis
   * @param {number} size
   */
  function changesFor(axis, size) {
    if (axis === "G") return { G: divisors(get("H"))[size - 1] };
    if (axis !== "H" || get("G") === null) return { [axis]: size };
    return { H: size, G: divisorUpTo(size, get("G")) };
  }

  /** Take the sentence that is typed; a bad one is refused with a message, and what was drawn stays. */
  function read() {
    try {
      const changes = changesForSentence(typed.value);
      refused.textContent = "";
      set(changes);
    } catch (error) {
      refused.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Show the sentence of now in its field. */
  function fill() {
    refused.textContent = "";
    if (drawn) typed.value = get("sentence") || wordsAlong({ ...drawn, L: Math.min(drawn.L, LONGEST) }, "L")[0].join(" ");
  }

  /**
   * Show the settings that are drawn, and the tensor that is shown.
   *
   * @param {State} state
   * @param {string} shown
   */
  function update(state, shown) {
    const sizes = sizesOf(state);
    const most = limits();
    for (const axis of /** @type {const} */ (["B", "H", "L", "D", "S"])) sliders[axis].update(sizes[axis], most[axis]);
    const shares = divisors(sizes.H);
    sliders.G.update(shares.indexOf(sizes.G) + 1, [1, shares.length], String(sizes.G));
    sliders.S.node.hidden = state.S === null;
    sliders.G.node.hidden = state.G === null;
    crossing.update(state.S !== null);
    grouping.update(state.G !== null);
    scaling.update(state.scale);
    hiding.update(state.causal);
    colour.update(state.colour);
    const names = tensorsOf(state);
    if (tensor.options.length !== names.length)
      tensor.replaceChildren(...names.map((name) => element("option", { value: name }, written(name))));
    tensor.value = shown;
  }

  return {
    first: { H: sliders.H.node, L: sliders.L.node, D: sliders.D.node },
    more: {
      ...{ sentence, B: sliders.B.node, tensor: tensorLabel, cross: crossing.node, S: sliders.S.node },
      ...{ share: grouping.node, G: sliders.G.node, scale: scaling.node, causal: hiding.node, colour: colour.node, seed },
    },
    ...{ update, fill },
    /**
     * Show the sentence of the settings, unless the reader is typing one.
     *
     * @param {State} state
     * @param {boolean} always
     */
    keep(state, always) {
      drawn = state;
      if (always || document.activeElement !== typed) fill();
    },
  };
}
