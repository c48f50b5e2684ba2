// How one number came about: in full for scores and weights, in a sentence for the others.

import { element, letter } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { PAIRED } from "./model.js";

const quoted = (word) => `“${word}”`;

// For each tensor that is no score: what its number at [b, i, j] or [b, h, i, j] is.
const SENTENCES = {
  x: ({ word, j }) => `number ${j} of the vector that stands for ${word}.`,
  context: ({ asked, j }) => `number ${j} of the vector that stands for ${asked}.`,
  q_flat: ({ b, i, j, E }) => `the ${E} numbers x[${b}, ${i}] times row ${j} of W_Q, added up.`,
  k_flat: ({ b, i, j, E, from }) => `the ${E} numbers ${from}[${b}, ${i}] times row ${j} of W_K, added up.`,
  v_flat: ({ b, i, j, E, from }) => `the ${E} numbers ${from}[${b}, ${i}] times row ${j} of W_V, added up.`,
  q: (at) => split("q", at),
  k: (at) => split("k", at),
  v: (at) => split("v", at),
  heads: ({ b, h, i, j, S, group }) =>
    `the ${S} weights[${b}, ${h}, ${i}] times the ${S} numbers v[${b}, ${group}, :, ${j}], added up.`,
  concat: ({ b, i, j, D }) => {
    const [head, d] = [Math.floor(j / D), j % D];
    const place = `heads[${b}, ${head}, ${i}, ${d}]`;
    return `${place}: the heads of a word lie side by side, ${D} numbers each, and ${j} = ${head} · ${D} + ${d}.`;
  },
  y: ({ b, i, j, E }) => `the ${E} numbers concat[${b}, ${i}], from all heads, times row ${j} of W_O, added up.`,
};

function split(name, { b, h, i, j, D }) {
  const owns = `head ${h} owns the numbers ${h * D} to ${h * D + D - 1} of every word`;
  return `${name}_flat[${b}, ${i}, ${h * D + j}], not moved in memory: ${owns}.`;
}

// place: [b, h, i, j]; tensors without heads have h = 0. Returns the index as the tensor has it, and what to say.
export function sentenceFor(name, state, place, axes) {
  const [b, h, i, j] = place;
  const { D, E, S, H, G } = sizesOf(state);
  const [word, asked] = [wordsAlong(state, "L")[b][i], wordsAlong(state, "S")[b][i]].map((one) => one && quoted(one));
  const from = state.S === null ? "x" : "context";
  const index = axes.split(" ").length === 4 ? [b, h, i, j] : [b, i, j];
  return { index, text: SENTENCES[name]({ b, h, i, j, D, E, S, from, word, asked, group: Math.floor((h * G) / H) }) };
}

// The numbers that make the weight at [b, h, i, j]: rows of q and k, products, their sum, scaled, masked, share of the row.
export function partsOf(state, results, [b, h, i, j]) {
  const { H, L, S, D, G } = sizesOf(state);
  const row = (b * H + h) * L + i;
  const group = Math.floor((h * G) / H);
  const from = ((b * G + group) * S + j) * D;
  const query = results.q.subarray(row * D, row * D + D);
  const key = results.k.subarray(from, from + D);
  const products = query.map((value, d) => value * key[d]);
  const score = products.reduce((sum, product) => sum + product, 0);
  const scaled = state.scale ? score / Math.sqrt(D) : score;
  const masked = state.causal && j > S - L + i ? -Infinity : scaled;
  return { query, key, products, group, score, scaled, masked, weight: results.weights[row * S + j] };
}

// In words, for a screen reader.
export function spoken(state, results, place) {
  const [b, h, i, j] = place;
  const { score, weight } = partsOf(state, results, place);
  const looks = `sentence ${b}, head ${h}: ${wordsAlong(state, "L")[b][i]} looks at ${wordsAlong(state, "S")[b][j]}`;
  return `${looks}, score ${number(score, 2)}, weight ${number(weight, 2)}`;
}

const HINT = "Point at a cell, or tap it, to see how its number came about.";

// The panel beside the heatmap. step: [name, axes]; place: the cell, or null; at: its index in the numbers of the tensor.
export function panel() {
  const node = element("div", { class: "pinned" });
  function draw([name, axes], state, results, place, at) {
    node.classList.toggle("empty", !place);
    if (!place) node.replaceChildren(element("p", { class: "hint" }, HINT));
    else if (PAIRED.has(name)) node.replaceChildren(...pair(name, state, results, place));
    else {
      const { index, text } = sentenceFor(name, state, place, axes);
      const value = element("output", { "data-of": name }, number(results[name][at]));
      const cell = element("code", {}, `${name}[${index.join(", ")}]`);
      node.replaceChildren(element("p", {}, cell, " = ", value), element("p", {}, text));
    }
  }
  return { node, draw };
}

function pair(name, state, results, place) {
  const [b, h, i, j] = place;
  const { D } = sizesOf(state);
  const { query, key, products, group, score, scaled, masked, weight } = partsOf(state, results, place);
  const at = (axis, text) => element("b", { "data-axis": axis }, text);
  const row = (title, numbers) => {
    const cells = Array.from(numbers, (value) => element("td", {}, number(value, 2)));
    return element("tr", {}, element("th", { scope: "row" }, title), ...cells);
  };
  const part = (of, before, value) => {
    const told = element("output", { "data-of": of }, number(value));
    return element("span", { class: of === name ? "part here" : "part" }, `${before} `, told);
  };
  return [
    element(
      "p",
      {},
      ...["sentence ", at("B", b), ", head ", at("H", h), ": "],
      ...[at("L", quoted(wordsAlong(state, "L")[b][i])), " looks at ", at("S", quoted(wordsAlong(state, "S")[b][j]))],
    ),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "query, key and their products" },
      element("table", {}, row(`q[${b}, ${h}, ${i}]`, query), row(`k[${b}, ${group}, ${j}]`, key), row("product", products)),
    ),
    element(
      "p",
      { class: "chain" },
      part("scores", "q · k =", score),
      part("scaled", state.scale ? `÷ √${D} =` : "not scaled:", scaled),
      part("masked", !state.causal ? "no mask:" : masked === -Infinity ? "hidden:" : "seen:", masked),
      part("weights", "share of its row =", weight),
      element("span", { class: "bar", "aria-hidden": "true" }, element("span", { style: `width:${(100 * weight).toFixed(1)}%` })),
    ),
  ];
}
