// The weights of one row as a bar of length 1 that is divided among the keys.

import { inkOn } from "../kit/colours.js";
import { element, setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";

const CLOSE = 0.0015; // float16 has three digits

/**
 * @typedef {object} Bar
 * @property {string} query
 * @property {string[]} keys
 * @property {number[]} weights
 * @property {number[]} may
 * @property {string[]} tints
 * @property {boolean} isEmpty whether the query may see nothing
 * @property {boolean} isMoving then a hidden key may still have weight
 */

export function weightBar() {
  const name = element("span", { class: "before" });
  const parts = element("div", { class: "portions" });
  const message = element("b", { class: "message" });
  const whole = element("div", { class: "whole", role: "img" }, parts, message);
  const total = element("b", { class: "total" });
  const nodes = [name, whole, total];

  /** @param {Bar} bar */
  function draw({ query, keys, weights, may, tints, isEmpty, isMoving }) {
    setText(name, "weights");
    const isNumber = weights.every(Number.isFinite);
    const shown = isNumber ? weights : weights.map(() => 0);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    setChildCount(parts, keys.length, () => element("div", {}, element("span"), element("b")));
    let left = 0;
    for (const j of range(keys.length)) {
      const part = /** @type {HTMLElement} */ (parts.children[j]);
      const isLeak = !isMoving && !may[j] && shown[j] > 0;
      const colour = isLeak ? "" : `background:${tints[j]};color:${inkOn(tints[j])}`;
      setAttributes(part, { style: `left:${100 * left}%;width:${100 * shown[j]}%;${colour}`, class: isLeak ? "leak" : "" });
      setText(part.children[0], keys[j]);
      setText(part.children[1], number(shown[j], 3));
      left += shown[j];
    }
    const isOne = Math.abs(sum - 1) < CLOSE;
    const isRight = isOne || (isEmpty && sum === 0);
    const lost = isNumber && !isOne && !isEmpty ? `${number(1 - sum, 3)} is lost` : "";
    setText(message, !isNumber ? "NaN" : isEmpty && sum === 0 ? "no weight at all" : lost);
    setAttributes(message, {
      style: `left:${100 * Math.min(left, 0.82)}%`,
      class: lost ? "message lost bad" : isNumber ? "message" : "message bad",
    });
    setText(total, `sum ${number(sum, isOne || sum === 0 ? 0 : 3)}`);
    setAttributes(total, { class: isRight ? "total" : "total bad" });
    setAttributes(whole, { "aria-label": `the weights of ${query} add up to ${number(sum, 3)}` });
  }

  return { nodes, draw };
}
