// The table of one head: for each word its weight, with a slider where weights are set by hand, and its share of the output.

import { colourOf } from "../kit/colours.js";
import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { LARGEST_HAND_WEIGHT, WORDS } from "./model.js";

/** @param {(s: number, weight: number) => void} onHand the hand weight of word s was set */
export function weightTable(onHand) {
  const name = element("b");
  const byHand = element("span", {}, "by hand");
  const titles = ["weight", "share"].map((text) => element("span", {}, text));
  const head = element("div", { class: "mix-row mix-head" }, element("span", {}, name, " ", byHand), ...titles);
  const node = element("div", { class: "mix-table", role: "group" }, head);
  let rows = [];

  function makeRow(s) {
    const word = element("span", { class: "who" }, element("i", { style: `background:${colourOf(s)}` }), WORDS[s]);
    const input = element("input", {
      ...{ type: "range", min: 0, max: LARGEST_HAND_WEIGHT, step: 1 },
      oninput: () => onHand(s, Number(input.value)),
    });
    const [weight, share] = [makeBar("weight", s), makeBar("share", s)];
    return {
      input,
      weight,
      share,
      node: element("div", { class: "mix-row" }, element("label", {}, word, input), weight.node, share.node),
    };
  }

  /**
   * @param {object} drawing
   * @param {string} drawing.title "" if there is one head
   * @param {number[]} drawing.weights
   * @param {number[]} drawing.shares NaN if the output is 0
   * @param {number[] | null} drawing.hand null if the weights come from a query
   */
  function draw({ title, weights, shares, hand }) {
    if (rows.length !== weights.length) {
      rows = weights.map((_, s) => makeRow(s));
      node.replaceChildren(head, ...rows.map((row) => row.node));
    }
    setText(name, title);
    byHand.hidden = !hand;
    setAttributes(node, { "aria-label": title || "weights" });
    const most = Math.max(1, ...shares.map(Math.abs).filter(Number.isFinite));
    rows.forEach(({ input, weight, share }, s) => {
      input.hidden = !hand;
      if (hand) {
        if (Number(input.value) !== hand[s]) input.value = String(hand[s]);
        input.setAttribute("aria-valuetext", `${hand[s]}, weight ${number(weights[s], 2)}`);
      }
      const shown = Math.abs(shares[s]) > 5e-5 ? shares[s] : 0;
      const end = 0.5 + shown / most / 2; // the bar of a share begins in the middle
      weight.draw(0, weights[s], number(weights[s], 4));
      share.draw(Math.min(0.5, end), Math.max(0.5, end), Number.isNaN(shares[s]) ? "–" : number(shown, 4));
    });
  }

  return { node, draw };
}

function makeBar(kind, s) {
  const [fill, text] = [element("span"), element("b")];
  const node = element("span", { class: `bar ${kind}` }, fill, text);
  function draw(from, to, written) {
    const [left, width] = [from, to - from].map((share) => `${(100 * share).toFixed(1)}%`);
    fill.style.cssText = `left:${left};width:${width};background:${colourOf(s)}`;
    setText(text, written);
  }
  return { node, draw };
}
