// What the two ways need: how many scores have existed at once, in large figures, and at the end how many bytes are moved.

import { element, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { aliveAt, BYTES } from "./words.js";

/** @param {boolean} isShown */
export function countsOf(isShown) {
  const [most, all] = [element("b", {}), element("span", {})];
  const alive = element("div", { class: "alive", hidden: !isShown }, most, all, element("div", {}, "scores at once"));
  const bars = { fused: bar("tile by tile"), stored: bar("all stored") };
  const moved = element(
    "div",
    { class: "moved", hidden: !isShown },
    element("div", {}, "bytes moved"),
    ...Object.values(bars).map(({ node }) => node),
  );

  return {
    nodes: [alive, moved],
    /** Where the tensors leave room: left of the keys, right of the values, or below all. @param {import("./layout.js").Plan} plan @param {boolean} isFused */
    place({ roomy, k, should, sum, width }, isFused) {
      const isTight = isFused && !roomy;
      const left = isTight ? 0 : isFused ? should.x : sum.x;
      const most = isTight ? k.x - 6 : isFused ? 150 : sum.w;
      moved.style.cssText = `left:${left}px;top:${isTight ? 48 : isFused ? 0 : sum.y}px;width:${Math.min(most, width - left)}px`;
      moved.classList.toggle("tight", isTight);
    },
    /**
     * What has been by a step; the other way is compared at the end.
     *
     * @param {import("./model.js").Settings} settings
     * @param {any} results
     * @param {import("./model.js").Moment[]} moments
     * @param {number} n
     */
    update({ L, S, method }, { moved: own, otherwise }, moments, n) {
      const isEnd = n === moments.length - 1;
      const count = Math.max(0, ...moments.slice(1, n + 1).map(aliveAt));
      setText(most, count ? integer(count) : "?");
      setText(all, ` of ${integer(L * S)}`);
      moved.classList.toggle("later", !isEnd); // until then there is one question
      for (const name of /** @type {const} */ (["fused", "stored"])) {
        const { fill, text, node } = bars[name];
        const bytes = BYTES * (name === method ? own : otherwise);
        fill.style.width = `${((100 * bytes) / (BYTES * Math.max(own, otherwise))).toFixed(1)}%`;
        node.classList.toggle("other", name !== method);
        setText(text, isEnd ? integer(bytes) : "");
      }
    },
  };
}

/** A bar for the bytes that a method moves. @param {string} name */
function bar(name) {
  const [fill, text] = [element("i", {}), element("b", {})];
  const node = element("div", { class: "bar" }, element("span", {}, name), text, element("span", { class: "rail" }, fill));
  return { node, fill, text };
}
