// The scores of one line as bars that can be dragged.

import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";
import { LIMITS } from "./model.js";

/**
 * Bars from zero to each score. A bar is a native range input; beside it is the weight as a bar from 0 to 1.
 *
 * @param {(n: number, score: number) => void} onScore
 */
export function bars(onScore) {
  const title = element("strong");
  const list = element("div", { class: "softmax-bars", role: "group" });
  const head = element("p", {}, title, " ", element("small", {}, "drag a bar, or use its arrow keys; beside it, its weight"));
  const node = element("div", { class: "softmax-line" }, head, list);
  /** @type {ReturnType<typeof makeRow>[]} */
  let rows = [];

  function makeRow(n) {
    const name = element("span", { class: "who" });
    const input = element("input", {
      type: "range",
      min: -LIMITS.score,
      max: LIMITS.score,
      step: 0.1,
      oninput: () => onScore(n, Number(input.value)),
    });
    const output = element("output", { "aria-hidden": "true" });
    const label = element("label", {}, name, element("span", { class: "track" }, input), output);
    const share = element("span");
    const weight = element("b");
    const node = element("div", {}, label, element("span", { class: "share" }, share), weight);
    return { label, input, name, output, share, weight, node };
  }

  /**
   * @param {object} line
   * @param {string} line.title
   * @param {string[]} line.names of the bars
   * @param {number[]} line.scores
   * @param {number[]} line.weights
   * @param {number} line.active the bar whose cell is pinned
   */
  function draw({ title: text, names, scores, weights, active }) {
    if (rows.length !== names.length) {
      rows = names.map((_, n) => makeRow(n));
      list.replaceChildren(...rows.map((row) => row.node));
    }
    setText(title, text);
    setAttributes(list, { "aria-label": text });
    rows.forEach(({ label, input, name, output, share, weight }, n) => {
      const end = (scores[n] + LIMITS.score) / (2 * LIMITS.score); // 0.5 is a score of 0
      setText(name, names[n]);
      if (Number(input.value) !== scores[n]) input.value = String(scores[n]);
      setText(output, number(scores[n], 1));
      input.setAttribute("aria-valuetext", `${number(scores[n], 1)}, weight ${number(weights[n])}`);
      const colour = scores[n] < 0 ? NEGATIVE : POSITIVE;
      label.style.cssText = `--from:${Math.min(end, 0.5)};--to:${Math.max(end, 0.5)};--fill:${colour}`;
      label.classList.toggle("active", n === active);
      share.style.cssText = `width:${100 * weights[n]}%;background:${shade(weights[n], "weights", 1)?.paper ?? "none"}`;
      setText(weight, number(weights[n]));
    });
  }

  return { node, draw };
}
