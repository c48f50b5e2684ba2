// The table of CacheLab's counters; costs.js computes them.

import { element, setText } from "../kit/dom.js";
import { byteCount, integer } from "../kit/format.js";
import { queryCacheUse } from "./words.js";

const ROWS = [
  "words computed",
  "multiplications, this step",
  "multiplications, all steps so far",
  "read from the cache",
  "kept for the next step",
];

/** @returns {{ node: HTMLElement, draw: (state: import("./run.js").State, costs: import("./costs.js").Costs) => void }} */
export function counters() {
  const titles = ["in this layer", "with the cache", "without"].map((title) => element("th", { scope: "col" }, title));
  const rows = ROWS.map((title) => ({ title, cells: [element("td"), element("td")] }));
  const lines = rows.map(({ title, cells }) => element("tr", {}, element("th", { scope: "row" }, title), ...cells));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...lines));
  const queryCache = element("p", { class: "hint" });
  const node = element("section", { class: "costs" }, table, queryCache);

  function draw(state, { computed, step, text, read, kept, queries }) {
    const counts = [computed, step, text].map((pair) => pair.map(integer));
    const bytes = [read, kept].map((size) => [byteCount(size), byteCount(0)]);
    for (const [n, pair] of [...counts, ...bytes].entries()) pair.forEach((value, column) => setText(rows[n].cells[column], value));
    setText(queryCache, queryCacheUse(state, byteCount(queries)));
  }

  return { node, draw };
}
