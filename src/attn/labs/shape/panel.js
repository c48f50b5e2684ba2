// The panel in the place of ShapeLab's sentence, which explains one number.

import { element } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { partsOf, quoted, sentenceFor } from "./cell.js";
import { PAIRED } from "./model.js";
import { written } from "./stages.js";

/** @typedef {import("./cell.js").Numbers} Numbers */
/** @typedef {import("./cell.js").Place} Place */
/** @typedef {import("../kit/layer.js").LayerState} LayerState */

export function panel() {
  const node = element("div", { class: "pinned" });

  function clear() {
    node.classList.add("empty");
    node.replaceChildren();
  }

  /**
   * @param {string} name of the tensor
   * @param {string} axes
   * @param {LayerState} state
   * @param {Numbers} numbers
   * @param {Place} place
   */
  function explain(name, axes, state, numbers, place) {
    if (PAIRED.has(name)) node.replaceChildren(...pair(name, state, numbers, place));
    else {
      const { index, text } = sentenceFor(name, state, place, axes);
      const value = element("output", { "data-of": name }, number(numbers.value ?? Number.NaN));
      const cell = element("code", {}, `${written(name)}[${index.join(", ")}]`);
      node.replaceChildren(element("p", {}, cell, " = ", value), element("p", {}, text));
    }
  }
  return { node, clear, explain };
}

/**
 * From a query and a key to their weight.
 *
 * @param {string} name
 * @param {LayerState} state
 * @param {Numbers} numbers
 * @param {Place} place
 */
function pair(name, state, numbers, place) {
  const [b, h, i, j] = place;
  const { D } = sizesOf(state);
  const { query, key, products, group, score, scaled, masked, weight } = partsOf(state, numbers, place);
  /**
   * @param {string} axis
   * @param {string | number} text
   */
  const index = (axis, text) => element("b", { "data-axis": axis }, String(text));
  /**
   * @param {string} title
   * @param {ArrayLike<number>} values
   */
  const row = (title, values) => {
    const cells = Array.from(values, (value) => element("td", {}, number(value, values.length > 12 ? 1 : 2)));
    return element("tr", {}, element("th", { scope: "row" }, title), ...cells);
  };
  /**
   * @param {string} step
   * @param {string} before
   * @param {number} value
   */
  const part = (step, before, value) => {
    const output = element("output", { "data-of": step }, number(value, 2));
    return element("span", { class: step === name ? "part here" : "part" }, `${before} `, output);
  };
  return [
    element(
      "p",
      {},
      ...["head ", index("H", h), ": score and weight of "],
      ...[index("L", quoted(wordsAlong(state, "L")[b][i])), " for ", index("S", quoted(wordsAlong(state, "S")[b][j]))],
    ),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "query, key and their products" },
      element("table", {}, row(`q[${b}, ${h}, ${i}]`, query), row(`k[${b}, ${group}, ${j}]`, key), row("product", products)),
    ),
    element(
      "p",
      { class: "chain" },
      part("scores", "q · k =", score),
      part("scaled", state.scale ? `÷ √${D} =` : "not scaled:", scaled),
      part("masked", !state.causal ? "no mask:" : masked === -Infinity ? "hidden:" : "seen:", masked),
      part("weights", "softmax =", weight),
    ),
  ];
}
