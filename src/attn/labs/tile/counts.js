// What the two ways need: how many scores have existed at once, in large figures, and at the end how many bytes are moved.

import { element, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { aliveAt, BYTES, wrongRows } from "./words.js";

/** @param {boolean} isShown */
export function countsOf(isShown) {
  const [most, all] = [element("b", {}), element("span", {})];
  const alive = element("div", { class: "alive", hidden: !isShown }, most, all, element("div", {}, "scores at once, at most"));
  const bars = { fused: bar("moved, tile by tile"), stored: bar("moved, all stored") };
  const moved = element("div", { class: "moved", hidden: !isShown }, ...Object.values(bars).map(({ node }) => node));

  return {
    nodes: [alive, moved],
    /** The bytes are where the sum of a row was. @param {import("./layout.js").Plan} plan */
    place({ roomy, sum }) {
      moved.style.cssText = `top:${sum.y + (roomy ? 13 : 2)}px;grid-template-columns:${roomy ? `${sum.x - 12}px` : "auto"} 1fr 7em`;
    },
    /**
     * What has been by a step; the other way is compared at the end.
     *
     * @param {import("./model.js").Settings} settings
     * @param {any} results
     * @param {import("./model.js").Moment[]} moments
     * @param {number} n
     */
    update({ L, S, method }, results, moments, n) {
      const { moved: own, otherwise } = results;
      const isEnd = n === moments.length - 1;
      const count = Math.max(0, ...moments.slice(1, n + 1).map(aliveAt));
      setText(most, count ? integer(count) : "?");
      setText(all, ` of ${integer(L * S)}`);
      // Tile by tile there is one question until the end; if rows are wrong, it is why.
      const isLater = method === "fused" && (!isEnd || wrongRows(results).length > 0);
      moved.classList.toggle("later", isLater);
      for (const name of /** @type {const} */ (["fused", "stored"])) {
        const { fill, text, node } = bars[name];
        const numbers = name === method ? moments[n].moved : otherwise;
        fill.style.width = `${((100 * numbers) / Math.max(own, otherwise)).toFixed(1)}%`;
        node.classList.toggle("other", name !== method);
        setText(text, isLater ? "" : `${integer(BYTES * numbers)} bytes`);
      }
    },
  };
}

/** A bar for the bytes that a method moves. @param {string} name */
function bar(name) {
  const [fill, text] = [element("i", {}), element("b", {})];
  const node = element("div", { class: "bar" }, element("span", {}, name), element("span", { class: "rail" }, fill), text);
  return { node, fill, text };
}
