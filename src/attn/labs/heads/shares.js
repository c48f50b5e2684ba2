// How much of a word's y each part makes up: a bar for each, to the left of the middle where it is negative.

import { colourOf } from "../kit/colours.js";
import { element, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { chip } from "./board.js";
import { partName } from "./explain.js";

const percent = (share) => `${number(100 * share, 0)} %`.replace(/^−0 /, "0 ");

export function shareBars() {
  const node = element("div", { class: "shares" });
  const bars = [];

  function makeBar(h) {
    const [name, bar, share] = [element("span"), element("span", { class: "bar" }), element("output")];
    bars[h] = { name, bar, share };
    return element("div", {}, chip(h, ""), name, element("span", { class: "track" }, bar), share);
  }

  /**
   * @param {import("./model.js").State} state
   * @param {import("./model.js").Results} results
   * @param {number} i the word
   */
  function draw(state, results, i) {
    const { H, L } = state;
    setChildCount(node, H, makeBar);
    bars.length = H;
    const shares = range(H).map((h) => results.shares[h * L + i]);
    const most = Math.max(...shares.map(Math.abs), 1e-9);
    bars.forEach(({ name, bar, share }, h) => {
      setText(name, partName(state, h));
      setText(share, percent(shares[h]));
      const size = (50 * Math.abs(shares[h])) / most;
      const left = shares[h] < 0 ? 50 - size : 50;
      const style = `background:${colourOf(h)};width:${size.toFixed(1)}%;left:${left.toFixed(1)}%`;
      if (bar.getAttribute("style") !== style) bar.setAttribute("style", style);
    });
  }

  return { node, draw };
}
