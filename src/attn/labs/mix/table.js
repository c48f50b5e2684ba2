// The mixture of one head: for each word its weight, with a slider where it is set by hand, and its share of the output.

import { colourOf } from "../kit/colours.js";
import { element, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { MOST, WORDS } from "./model.js";

// onHand(s, whole): the hand weight of word s was set.
export function mixture(onHand) {
  const name = element("b");
  const byHand = element("span", {}, "by hand");
  const columns = ["weight", "share"].map((text) => element("span", {}, text));
  const head = element("div", { class: "mix-row mix-head" }, element("span", {}, name, " ", byHand), ...columns);
  const node = element("div", { class: "mix-table", role: "group" }, head);
  let rows = [];

  function row(s) {
    const who = element("span", { class: "who" }, element("i", { style: `background:${colourOf(s)}` }), WORDS[s]);
    const input = element("input", { type: "range", min: 0, max: MOST, step: 1, oninput: () => onHand(s, Number(input.value)) });
    const label = element("label", {}, who, input);
    const bars = ["weight", "share"].map((kind) => element("span", { class: `bar ${kind}` }, element("span"), element("b")));
    return { input, bars, node: element("div", { class: "mix-row" }, label, ...bars) };
  }

  function draw({ title, weights, shares, hand }) {
    if (rows.length !== weights.length) {
      rows = weights.map((_, s) => row(s));
      node.replaceChildren(head, ...rows.map((one) => one.node));
    }
    setText(name, title);
    byHand.hidden = !hand;
    if (node.getAttribute("aria-label") !== (title || "weights")) node.setAttribute("aria-label", title || "weights");
    const most = Math.max(1, ...shares.map(Math.abs).filter(Number.isFinite));
    rows.forEach(({ input, bars }, s) => {
      input.hidden = !hand;
      if (hand && Number(input.value) !== hand[s]) input.value = hand[s];
      if (hand) input.setAttribute("aria-valuetext", `${hand[s]}, weight ${number(weights[s], 2)}`);
      const share = Math.abs(shares[s]) > 5e-5 ? shares[s] : 0; // NaN if the output is 0
      const half = share / most / 2; // of a bar that begins in the middle
      [
        [0, weights[s]],
        [Math.min(0.5, 0.5 + half), Math.max(0.5, 0.5 + half)],
      ].forEach(([from, to], n) => {
        bars[n].firstChild.style.cssText =
          `left:${(100 * from).toFixed(1)}%;width:${(100 * (to - from)).toFixed(1)}%;background:${colourOf(s)}`;
      });
      setText(bars[0].lastChild, number(weights[s], 4));
      setText(bars[1].lastChild, Number.isNaN(shares[s]) ? "–" : number(share, 4));
    });
  }

  return { node, draw };
}
