// The path from x to y: a button for each tensor, with its shape in letters and numbers, drawn to scale.

import { element, letters, setText } from "../kit/dom.js";
import { byteCount, integer } from "../kit/format.js";
import { product, range } from "../kit/math.js";
import { axesNow, STEPS, shapeOf } from "./model.js";

/** @typedef {import("../kit/layer.js").LayerState & { step: string }} State */
/** @typedef {import("./model.js").Sizes} Sizes */

const LARGEST = 60; // pixels of the longest side
const SHEETS = 5; // tables drawn behind each other; more look the same

/** @param {(name: string) => void} onChoose */
export function path(onChoose) {
  const steps = STEPS.map((step) => stepButton(...step, onChoose));
  const middle = STEPS.findIndex(([name]) => name === "scores");
  /** @param {typeof steps} some */
  const row = (some) => element("div", { class: "row" }, ...some.map((one) => one.node));
  const rows = [row(steps.slice(0, middle)), row(steps.slice(middle))];
  const node = element("div", { class: "path", role: "group", "aria-label": "tensors, in the order in which they arise" }, ...rows);
  let chosen = "";

  /**
   * @param {State} state
   * @param {Sizes} sizes
   */
  function draw(state, sizes) {
    const unit = Math.min(4, LARGEST / Math.max(sizes.L, sizes.S, sizes.E));
    for (const one of steps) one.draw(sizes, unit, state);
    if (chosen === state.step) return;
    chosen = state.step;
    if (node.scrollWidth <= node.clientWidth) return;
    const button = steps[STEPS.findIndex(([name]) => name === chosen)].node;
    node.scrollLeft += button.getBoundingClientRect().left - node.getBoundingClientRect().left - 40;
  }
  return { node, draw };
}

/**
 * @param {string} name
 * @param {string} axes
 * @param {string} how
 * @param {(name: string) => void} onChoose
 */
function stepButton(name, axes, how, onChoose) {
  const sheet = element("span", { class: "sheet" });
  const [shapeText, countText, bytesText] = [element("span", { class: "numbers" }), element("small"), element("small")];
  const howText = element("small", { class: "how" }, how);
  const axesText = element("span");
  let drawnAxes = "";
  const node = element(
    "button",
    { type: "button", class: "step", "data-step": name, onclick: () => onChoose(name) },
    ...[howText, element("span", { class: "drawn", "aria-hidden": "true" }, sheet), element("strong", {}, name)],
    ...[axesText, shapeText, countText, bytesText],
  );

  /**
   * @param {Sizes} sizes
   * @param {number} unit pixels for each number
   * @param {State} state
   */
  function draw(sizes, unit, state) {
    const axesHere = axesNow(axes, state);
    if (drawnAxes !== axesHere) {
      drawnAxes = axesHere;
      axesText.replaceChildren(letters(axesHere));
    }
    const shape = shapeOf(axes, sizes);
    const count = product(shape);
    const [height, width] = shape.slice(-2).map((one) => Math.max(2, one * unit));
    const sheets = Math.min(SHEETS, product(shape.slice(0, -2)));
    const behind = range(sheets - 1).flatMap((n) => {
      const offset = `${(n + 1) * 3}px ${(n + 1) * -3}px 0`;
      return [`${offset} -1px var(--lab-sheet)`, `${offset} 0 var(--lab-line)`];
    });
    const style = `width:${width.toFixed(1)}px;height:${height.toFixed(1)}px;box-shadow:${behind.join(",") || "none"}`;
    if (sheet.dataset.style !== style) {
      sheet.dataset.style = style;
      sheet.style.cssText = style;
    }
    setText(shapeText, `(${shape.join(", ")})`);
    setText(countText, `${integer(count)} numbers`);
    setText(bytesText, byteCount(4 * count));
    if (name === "k_flat" || name === "v_flat") setText(howText, how.replace("x", state.S === null ? "x" : "context"));
    if (name === "scaled") setText(howText, state.scale ? how : "not scaled");
    if (name === "masked") setText(howText, state.causal ? "hide later" : "no mask");
    node.hidden = name === "context" && state.S === null;
    node.setAttribute("aria-pressed", String(state.step === name));
  }
  return { node, draw };
}
