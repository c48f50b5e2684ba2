// VarianceLab: how far scores spread when D grows, what brings them back to variance 1, and what softmax makes of both.

import { choice, element, letter, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { compute } from "./model.js";
import { panel } from "./panel.js";
import { brief, describeAssumptions, withError } from "./words.js";

const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]; // of D, on its slider
const REACH = 6; // of the histogram of divided scores, in standard deviations
/** @type {[string, string][]} */
const DIVISORS = [
  ["1", "1"],
  ["√D", "√D"],
  ["√E", "√E (8 heads)"],
  ["D", "D"],
];
/** @type {[string, string][]} */
const NUMBERS = [
  ["normal", "normal"],
  ["uniform", "uniform"],
  ["coin", "1 or −1"],
  ["exponential", "exponential"],
];

/**
 * The rows of the table: their titles, and how the facts of a panel, or the variance by the law, are written.
 *
 * @type {[string, (facts: import("./model.js").Facts, expectedVariance: number) => string][]}
 */
const ROWS = [
  ["mean", ({ mean }) => brief(mean)],
  ["variance", ({ variance, error }) => withError(variance, error)],
  ["by the law", (_, expectedVariance) => brief(expectedVariance)],
  ["largest weight", ({ largest }) => brief(largest)],
  ["Jacobian norm", ({ norm }) => brief(norm)],
];

/** Text in which axis letters have their colours: "√D" as √ and a D in the colour of D. */
function coloured(text) {
  const parts = text.split(/\b([DE])\b|(?<=√)([DE])/).filter(Boolean);
  return element("span", {}, ...parts.map((part) => (/^[DE]$/.test(part) ? letter(part) : part)));
}

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, announce }) {
  const name = unique("variance");
  const D = slider("D", "products", (place) => set({ D: sizes()[place] }));
  const mean = slider(null, "mean", (quarters) => set({ mean: quarters / 4 }));
  const std = slider(null, "standard deviation", (quarters) => set({ std: quarters / 4 }));
  const correlation = slider(null, "correlation of q, k", (tenths) => set({ correlation: tenths / 10 }));
  /** @type {[string, Node][]} */
  const divisors = DIVISORS.map(([value, text]) => [value, coloured(text)]);
  const divideBy = choice(`${name}-divide`, "Divide by", divisors, (divide_by) => set({ divide_by }));
  const numbers = choice(`${name}-numbers`, "Numbers", NUMBERS, (value) => set({ numbers: value }));
  const redraw = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "draw again");
  const notes = element("p", { class: "notes" });
  const [raw, divided] = [panel("raw"), panel("divided")];
  const rows = ROWS.map(([title, write]) => {
    const cells = [element("td"), element("td")];
    return { write, cells, node: element("tr", {}, element("th", { scope: "row" }, title), ...cells) };
  });
  const heads = ["2,000 scores", "as they are", "divided"].map((text) => element("th", { scope: "col" }, text));
  const table = element(
    "table",
    { class: "facts" },
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map((row) => row.node)),
  );
  const hint = "The variance is given with its sampling error. The last two lines are medians over 125 queries.";
  const node = element(
    "div",
    { class: "variance" },
    element("div", { class: "sliders" }, D.node, mean.node, std.node, correlation.node),
    divideBy.node,
    element("div", { class: "toggles" }, numbers.node, redraw),
    notes,
    element("div", { class: "panels" }, raw.node, divided.node),
    table,
    element("p", { class: "hint" }, hint),
  );

  /** The sizes on the slider of D, with the present one, which Python may have set to any number. */
  function sizes() {
    const [least, most] = limits().D;
    const marks = SIZES.filter((size) => size >= least && size <= most);
    return marks.includes(get("D")) ? marks : [...marks, get("D")].sort((a, b) => a - b);
  }

  function drawPanels({ D, divide_by }, { scores, scaled, raw_weights, weights, divisor }) {
    raw.draw(scores, D, REACH * Math.sqrt(limits().D[1]) * (2 / 3), raw_weights);
    divided.draw(scaled, 1, REACH, weights);
    const assumption = " as they are; curve: if all assumptions hold, variance ";
    raw.title.replaceChildren(element("strong", {}, "q·k"), assumption, letter("D"), ` = ${D}`);
    const value = divide_by === "1" ? "" : ` = ${brief(divisor)}`;
    divided.title.replaceChildren(element("strong", {}, "divided by ", coloured(divide_by), value), "; curve: variance 1");
  }

  function drawFacts({ facts, scaled_facts, law, divisor }) {
    for (const { write, cells } of rows) {
      setText(cells[0], write(facts, law.variance));
      setText(cells[1], write(scaled_facts, law.variance / divisor ** 2));
    }
  }

  function draw(settings, results) {
    const places = sizes();
    D.update(places.indexOf(settings.D), [0, places.length - 1], String(settings.D));
    mean.update(Math.round(4 * settings.mean), [-8, 8], number(settings.mean, 2));
    std.update(Math.round(4 * settings.std), [1, 8], number(settings.std, 2));
    correlation.update(Math.round(10 * settings.correlation), [-10, 10], number(settings.correlation, 1));
    divideBy.update(settings.divide_by);
    numbers.update(settings.numbers);
    if (!results) return;
    setText(notes, describeAssumptions(settings));
    drawPanels(settings, results);
    drawFacts(results);
    const { variance, largest } = results.scaled_facts;
    announce(`divided by ${settings.divide_by}: variance ${brief(variance)}, largest weight ${brief(largest)}`);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "VarianceLab: how far scores spread, and what dividing them does",
  compute,
  build,
});
