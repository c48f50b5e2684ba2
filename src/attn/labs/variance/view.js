// VarianceLab: how far scores spread when D grows, what brings them back to variance 1, and what softmax makes of both.

import { choice, element, letter, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { histogramOf, ticksOf } from "./histogram.js";
import { brief, compute, KEYS, note, within } from "./model.js";

const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]; // of D, on its slider
const WINDOW = 6; // standard deviations of a divided score that are shown
const [WIDE, TALL, FOOT, BARS] = [320, 120, 18, 64]; // of a picture: width, heights of the histogram, of its axis, of the bars
const DIVISORS = [
  ["1", "1"],
  ["√D", "√D"],
  ["√E", "√E (8 heads)"],
  ["D", "D"],
];
const NUMBERS = [
  ["normal", "normal"],
  ["uniform", "uniform"],
  ["coin", "1 or −1"],
  ["exponential", "exponential"],
];
const FACTS = {
  mean: "mean",
  variance: "variance",
  law: "by the law",
  largest: "largest weight",
  norm: "Jacobian norm",
};

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// Letters of axes in their colours: "√D" as √ and a purple D.
function coloured(text) {
  return element(
    "span",
    {},
    ...text
      .split(/\b([DE])\b|(?<=√)([DE])/)
      .filter(Boolean)
      .map((part) => (/^[DE]$/.test(part) ? letter(part) : part)),
  );
}

function build({ limits, get, set, say }) {
  let announced = null;
  const name = unique("variance");
  const width = slider("D", "products", (place) => set({ D: sizes()[place] }));
  const mean = slider(null, "mean", (quarters) => set({ mean: quarters / 4 }));
  const std = slider(null, "standard deviation", (quarters) => set({ std: quarters / 4 }));
  const correlation = slider(null, "correlation of q, k", (tenths) => set({ correlation: tenths / 10 }));
  const divide = choice(
    `${name}-divide`,
    "Divide by",
    DIVISORS.map(([value, text]) => [value, coloured(text)]),
    (divide_by) => set({ divide_by }),
  );
  const numbers = choice(`${name}-numbers`, "Numbers", NUMBERS, (value) => set({ numbers: value }));
  const again = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "draw again");
  const notes = element("p", { class: "notes" });
  const panels = [panel("raw"), panel("divided")];
  const heads = ["as they are", "divided"].map((text) => element("th", { scope: "col" }, text));
  const rows = Object.entries(FACTS).map(([key, text]) => {
    const cells = panels.map(() => element("td"));
    return { key, cells, node: element("tr", {}, element("th", { scope: "row" }, text), ...cells) };
  });
  const table = element(
    "table",
    { class: "facts" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "2,000 scores"), ...heads)),
    element("tbody", {}, ...rows.map((row) => row.node)),
  );
  const node = element(
    "div",
    { class: "variance" },
    element("div", { class: "sliders" }, width.node, mean.node, std.node, correlation.node),
    divide.node,
    element("div", { class: "toggles" }, numbers.node, again),
    notes,
    element("div", { class: "panels" }, ...panels.map((one) => one.node)),
    table,
    element(
      "p",
      { class: "hint" },
      "The variance stands with its sampling error. The last two lines are medians over 125 queries.",
    ),
  );

  function sizes() {
    const [least, most] = limits().D;
    const inside = SIZES.filter((size) => size >= least && size <= most);
    return inside.includes(get("D")) ? inside : [...inside, get("D")].sort((a, b) => a - b); // set by a line of Python
  }

  // A histogram with the curve of the law, and the weights of query 0 as bars.
  function panel(kind) {
    const bars = svg("path", { class: "bars" });
    const curve = svg("path", { class: "curve" });
    const axis = svg("path", { class: "axis" });
    const ticks = svg("g", { class: "ticks" });
    const outside = svg("text", { class: "outside", x: WIDE - 4, y: 12, "text-anchor": "end" });
    const histogram = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL + FOOT}`, role: "img" }, bars, axis, curve, ticks, outside);
    const full = svg("path", { class: "axis", d: `M0 ${BARS}H${WIDE}` });
    const keys = svg("path", { class: "keys" });
    const top = svg("text", { class: "outside" });
    const weights = svg("svg", { viewBox: `0 0 ${WIDE} ${BARS + 1}`, role: "img" }, full, keys, top);
    const title = element("p", { class: "title" });
    const below = element("small", {}, `weights of query 0 for its ${KEYS} keys`);
    const node = element("section", { class: kind }, title, histogram, weights, below);
    let ticked = "";

    function draw(scores, variance, half, shares) {
      const drawn = histogramOf(scores, { variance, half, wide: WIDE, tall: TALL });
      setAttribute(bars, "d", drawn.bars);
      setAttribute(curve, "d", drawn.curve);
      setAttribute(histogram, "aria-label", `${kind} scores: histogram and the normal curve with variance ${brief(variance)}`);
      const off = drawn.outside > 0 ? `${(100 * drawn.outside).toFixed(drawn.outside < 0.1 ? 1 : 0)}% outside` : "";
      setText(outside, off);
      if (ticked !== String(half)) {
        ticked = String(half);
        const at = ticksOf(half).map((value) => [value, WIDE * (0.5 + value / half / 2)]);
        setAttribute(axis, "d", `M0 ${TALL}H${WIDE}${at.map(([, x]) => `M${x.toFixed(1)} ${TALL}v4`).join("")}`);
        ticks.replaceChildren(
          ...at.map(([value, x]) => svg("text", { x: x.toFixed(1), y: TALL + 15, "text-anchor": "middle" }, number(value, 0))),
        );
      }
      drawWeights(shares);
    }

    function drawWeights(shares) {
      const step = WIDE / KEYS;
      const high = (share) => (share * (BARS - 12)).toFixed(1);
      setAttribute(
        keys,
        "d",
        range(KEYS)
          .map((j) => `M${j * step + 2} ${BARS}v-${high(shares[j])}h${step - 4}v${high(shares[j])}z`)
          .join(""),
      );
      const best = range(KEYS).reduce((a, b) => (shares[b] > shares[a] ? b : a));
      setAttribute(top, "x", ((best + 0.5) * step).toFixed(1));
      setAttribute(top, "y", (BARS - 3 - high(shares[best])).toFixed(1));
      setAttribute(top, "text-anchor", best === 0 ? "start" : best === KEYS - 1 ? "end" : "middle");
      setText(top, shares[best].toFixed(2));
      setAttribute(weights, "aria-label", `weights of query 0: the largest is ${shares[best].toFixed(2)}, of key ${best}`);
    }
    return { node, title, draw };
  }

  function drawPictures(state, results) {
    const most = WINDOW * Math.sqrt(limits().D[1]) * (2 / 3);
    panels[0].draw(results.scores, state.D, most, results.raw_weights);
    panels[1].draw(results.scaled, 1, WINDOW, results.weights);
    panels[0].title.replaceChildren(
      element("strong", {}, "q·k"),
      " as they are; curve: if all assumptions hold, variance ",
      letter("D"),
      ` = ${state.D}`,
    );
    const by = coloured(state.divide_by);
    const value = state.divide_by === "1" ? "" : ` = ${brief(results.divisor)}`;
    panels[1].title.replaceChildren(element("strong", {}, "divided by ", by, value), "; curve: variance 1");
  }

  function drawFacts({ facts, scaled_facts, law, divisor }) {
    const sides = [
      [facts, law.variance],
      [scaled_facts, law.variance / divisor ** 2],
    ];
    for (const { key, cells } of rows)
      sides.forEach(([told, variance], n) => {
        const value = { law: () => brief(variance), variance: () => within(told.variance, told.error) }[key];
        setText(cells[n], value ? value() : brief(told[key]));
      });
  }

  function draw(state, results) {
    const all = sizes();
    width.update(all.indexOf(state.D), [0, all.length - 1], String(state.D));
    mean.update(Math.round(4 * state.mean), [-8, 8], number(state.mean, 2));
    std.update(Math.round(4 * state.std), [1, 8], number(state.std, 2));
    correlation.update(Math.round(10 * state.correlation), [-10, 10], number(state.correlation, 1));
    divide.update(state.divide_by);
    numbers.update(state.numbers);
    if (!results) return;
    setText(notes, note(state));
    drawPictures(state, results);
    drawFacts(results);
    const { variance, largest } = results.scaled_facts;
    const spoken = `divided by ${state.divide_by}: variance ${brief(variance)}, largest weight ${brief(largest)}`;
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "VarianceLab: how far scores spread, and what dividing them does",
  compute,
  build,
});
