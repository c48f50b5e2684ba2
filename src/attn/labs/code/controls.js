// The controls of CodeLab: a slider for each size that the program sets, and the switch that shows a second version.

import { element, slider, toggle } from "../kit/dom.js";
import { sizesIn } from "./sizes.js";

/** @type {Record<string, [meaning: string, most: number]>} */
const AXES = {
  ...{ B: ["sentences", 4], H: ["heads", 8], G: ["key/value heads", 8], L: ["queries", 12], S: ["keys", 12] },
  ...{ D: ["per head", 8], E: ["per word", 32] },
};

/**
 * @param {object} options
 * @param {(letter: string, value: number) => void} options.onSize
 * @param {(on: boolean) => void} options.onCompare
 */
export function controls({ onSize, onCompare }) {
  const sliders = Object.entries(AXES).map(([letter, [meaning, most]]) => ({
    ...{ letter, most, value: /** @type {number | null | undefined} */ (null) },
    ...slider(letter, meaning, (value) => onSize(letter, value)),
  }));
  const sizes = element("div", { class: "sizes" }, ...sliders.map(({ node }) => node));
  const compare = toggle("compare two versions", onCompare);
  /** @type {string | null} */
  let drawn = null;

  /**
   * @param {string} code
   * @param {Record<string, string>} aliases
   * @param {boolean} isCompared
   */
  function update(code, aliases, isCompared) {
    compare.update(isCompared);
    if (code === drawn) return;
    drawn = code;
    const found = sizesIn(code, aliases);
    for (const one of sliders) {
      const value = found.get(one.letter)?.value;
      if (value === one.value) continue; // most keys change no size
      one.value = value;
      one.node.hidden = value === undefined;
      if (value !== undefined) one.update(value, [Math.min(1, value), Math.max(one.most, value)]);
    }
  }
  return { nodes: { sizes, compare: compare.node }, update };
}
