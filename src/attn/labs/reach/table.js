// The counts of ReachLab as a table, a row for each graph.

import { element, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { KINDS } from "./model.js";

const NAMES = { rnn: "RNN", convolution: "convolutions", attention: "self-attention" };
const COLUMNS = { steps: "steps", path: "path", reach: "reach", edges: "edges", multiplications: "multiplications" };

/** A table whose `draw` writes the counts. */
export function countsTable() {
  const rows = KINDS.map((kind) => {
    const cells = Object.keys(COLUMNS).map(() => element("td"));
    return { kind, cells, node: element("tr", {}, element("th", { scope: "row" }, NAMES[kind]), ...cells) };
  });
  const heads = Object.values(COLUMNS).map((text) => element("th", { scope: "col" }, text));
  const node = element("table", { class: "counts" }, element("tr", {}, element("td"), ...heads), ...rows.map((row) => row.node));
  /**
   * @param {import("./model.js").Results} results
   * @param {number} at the token from which paths begin
   */
  function draw({ counts }, at) {
    setText(heads[1], `path from ${at}`);
    for (const { kind, cells } of rows)
      Object.keys(COLUMNS).forEach((name, n) => {
        const value = counts[kind][/** @type {"steps"} */ (name)];
        setText(cells[n], value === null ? "–" : integer(value));
      });
  }
  return { node, draw };
}
