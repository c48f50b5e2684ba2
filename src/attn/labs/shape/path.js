// The way from x to y: a button for each tensor, with its shape in letters and numbers, drawn to scale.

import { element, letters, setText } from "../kit/dom.js";
import { byteCount } from "../kit/format.js";
import { range } from "../kit/math.js";
import { axesNow, STEPS, shapeOf } from "./model.js";

const LARGEST = 60; // pixels of the longest side
const thousands = new Intl.NumberFormat("en");
const SHEETS = 5; // tables drawn behind each other; more look the same

export function path(onChoose) {
  const steps = STEPS.map(([name, axes, how]) => step(name, axes, how, onChoose));
  const half = STEPS.findIndex(([name]) => name === "scores");
  const row = (some) => element("div", { class: "row" }, ...some.map((one) => one.node));
  const rows = [row(steps.slice(0, half)), row(steps.slice(half))];
  const node = element("div", { class: "path", role: "group", "aria-label": "tensors, in the order in which they arise" }, ...rows);
  let chosen = null;
  function draw(state, sizes) {
    const unit = Math.min(4, LARGEST / Math.max(sizes.L, sizes.S, sizes.E));
    steps.forEach((one) => one.draw(sizes, unit, state));
    if (chosen === state.step) return;
    chosen = state.step;
    if (node.scrollWidth <= node.clientWidth) return;
    const [at, edge] = [steps[STEPS.findIndex(([name]) => name === chosen)].node, node].map(
      (one) => one.getBoundingClientRect().left,
    );
    node.scrollLeft += at - edge - 40;
  }
  return { node, draw };
}

function step(name, axes, how, onChoose) {
  const box = element("span", { class: "sheet" });
  const [shape, elements, memory] = [element("span", { class: "numbers" }), element("small"), element("small")];
  const does = element("small", { class: "how" }, how);
  const named = element("span");
  let written = null;
  const node = element(
    "button",
    { type: "button", class: "step", "data-step": name, onclick: () => onChoose(name) },
    ...[does, element("span", { class: "drawn", "aria-hidden": "true" }, box), element("strong", {}, name)],
    ...[named, shape, elements, memory],
  );
  function draw(sizes, unit, state) {
    const reads = axesNow(axes, state);
    if (written !== reads) named.replaceChildren(letters((written = reads)));
    const size = shapeOf(axes, sizes);
    const count = size.reduce((product, one) => product * one, 1);
    const [height, width] = size.slice(-2).map((one) => Math.max(2, one * unit));
    const sheets = Math.min(SHEETS, count / size.at(-1) / size.at(-2));
    const behind = range(sheets - 1).flatMap((n) => {
      const at = `${(n + 1) * 3}px ${(n + 1) * -3}px 0`;
      return [`${at} -1px var(--lab-sheet)`, `${at} 0 var(--lab-line)`];
    });
    const style = `width:${width.toFixed(1)}px;height:${height.toFixed(1)}px;box-shadow:${behind.join(",") || "none"}`;
    if (box.dataset.style !== style) box.style.cssText = box.dataset.style = style;
    setText(shape, `(${size.join(", ")})`);
    setText(elements, `${thousands.format(count)} numbers`);
    setText(memory, byteCount(4 * count));
    if (name === "k_flat" || name === "v_flat") setText(does, how.replace("x", state.S === null ? "x" : "context"));
    if (name === "scaled") setText(does, state.scale ? how : "not scaled");
    if (name === "masked") setText(does, state.causal ? "hide later" : "no mask");
    node.hidden = name === "context" && state.S === null;
    node.setAttribute("aria-pressed", String(state.step === name));
  }
  return { node, draw };
}
