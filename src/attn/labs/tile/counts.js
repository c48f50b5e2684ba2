// What answers the question, in large figures, and what the two ways need: at the end, how many bytes are moved.

import { element, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { BYTES, countOf, wrongRows } from "./words.js";

/** @param {boolean} isShown */
export function countsOf(isShown) {
  const [figure, all, what] = [element("b", {}), element("span", {}), element("div", {})];
  const alive = element("div", { class: "alive", hidden: !isShown }, figure, all, what);
  const bars = { fused: bar("tile by tile"), stored: bar("all stored") };
  const moved = element("div", { class: "moved", hidden: !isShown }, ...Object.values(bars).map(({ node }) => node));

  return {
    nodes: [alive, moved],
    /** The bytes are where the sum of a row was. @param {import("./layout.js").Plan} plan */
    place({ sum }) {
      moved.style.cssText = `top:${sum.y}px;grid-template-columns:${sum.x - 12}px 1fr 11.2em;grid-auto-rows:${sum.h}px`;
    },
    /**
     * What has been by a step; the other way is compared at the end.
     *
     * @param {import("./model.js").Settings} settings
     * @param {any} results
     * @param {import("./model.js").Moment[]} moments
     * @param {number} n
     * @param {number[]} strayed rows that are wrong by then
     */
    update(settings, results, moments, n, strayed) {
      const { method } = settings;
      const { moved: own, otherwise } = results;
      const isEnd = n === moments.length - 1;
      const { count, of, label } = countOf(settings, results, moments.slice(0, n + 1), strayed);
      setText(figure, count === null ? "?" : integer(count));
      setText(all, ` of ${integer(of)}`);
      setText(what, label);
      alive.classList.toggle("bad", strayed.length > 0);
      // Tile by tile there is one question until the end; if rows are wrong, it is why.
      const isLater = method === "fused" && (!isEnd || wrongRows(results).length > 0);
      moved.classList.toggle("later", isLater);
      for (const name of /** @type {const} */ (["fused", "stored"])) {
        const { fill, text, node } = bars[name];
        const numbers = name === method ? moments[n].moved : otherwise;
        fill.style.width = `${((100 * numbers) / Math.max(own, otherwise)).toFixed(1)}%`;
        node.classList.toggle("other", name !== method);
        setText(text, isLater ? "" : `${integer(BYTES * numbers)} bytes moved`);
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
