// The mixture of one head: for each word its weight, as a slider where it is set by hand, and how long weight times value is.

import { colourOf } from "./colours.js";
import { element, number, setText } from "./dom.js";
import { MOST, WORDS } from "./mixes.js";

// onShare(s, share): the share of word s was set by hand.
export function mixture(onShare) {
  const name = element("b");
  const share = element("span", {}, "share");
  const columns = ["weight", "|weight · v|"].map((text) => element("span", {}, text));
  const head = element("div", { class: "mix-row mix-head" }, element("span", {}, name, " ", share), ...columns);
  const node = element("div", { class: "mix-table", role: "group" }, head);
  let rows = [];

  function row(s) {
    const who = element("span", { class: "who" }, element("i", { style: `background:${colourOf(s)}` }), WORDS[s]);
    const input = element("input", { type: "range", min: 0, max: MOST, step: 1, oninput: () => onShare(s, Number(input.value)) });
    const label = element("label", {}, who, input);
    const bars = ["weight", "size"].map((kind) => element("span", { class: `bar ${kind}` }, element("span"), element("b")));
    return { input, bars, node: element("div", { class: "mix-row" }, label, ...bars) };
  }

  function draw({ title, weights, sizes, shares }) {
    if (rows.length !== weights.length) {
      rows = weights.map((_, s) => row(s));
      node.replaceChildren(head, ...rows.map((one) => one.node));
    }
    setText(name, title);
    share.hidden = !shares;
    if (node.getAttribute("aria-label") !== (title || "weights")) node.setAttribute("aria-label", title || "weights");
    const widest = Math.max(1, ...sizes);
    rows.forEach(({ input, bars }, s) => {
      input.hidden = !shares;
      if (shares && Number(input.value) !== shares[s]) input.value = shares[s];
      if (shares) input.setAttribute("aria-valuetext", `${shares[s]}, weight ${number(weights[s], 2)}`);
      [[weights[s], 1], [sizes[s], widest]].forEach(([size, most], n) => {
        const [bar, text] = bars[n].children;
        bar.style.cssText = `width:${((100 * size) / most).toFixed(1)}%;background:${colourOf(s)}`;
        setText(text, number(size, 4));
      });
    });
  }

  return { node, draw };
}
