// The panel "the row that sees nothing": one row of weights for each number that is added to forbidden scores.

import { choice, element, setText } from "../kit/dom.js";
import { matrix } from "../kit/matrix.js";
import { FILL_NAMES, placeOf, rowOutcome, rowUnderFills, weightText } from "./explain.js";
import { FILLS, fillValue } from "./model.js";
import { positionOf } from "./rules.js";

/**
 * @param {string} id of the radio buttons
 * @param {(changes: { fill: string } | { dtype: string }) => void} set
 */
export function fillsPanel(id, set) {
  const fill = choice(
    `${id}-fill`,
    "Added to forbidden scores",
    FILLS.map((name) => /** @type {const} */ ([name, FILL_NAMES[name]])),
    (name) => set({ fill: name }),
  );
  const dtype = choice(
    `${id}-dtype`,
    "Numbers",
    [
      ["float32", "float32"],
      ["float16", "float16"],
    ],
    (name) => set({ dtype: name }),
  );
  const title = element("p", { class: "title" });
  const cells = matrix(() => {});
  const result = element("p", { class: "notes" });
  const node = element("div", {}, fill.node, dtype.node, title, cells.node, result);

  /**
   * @param {object} drawing
   * @param {import("./rules.js").State} drawing.state
   * @param {import("./model.js").Results} drawing.results
   * @param {number} drawing.b
   * @param {number} drawing.h
   * @param {number} drawing.S
   * @param {string[]} drawing.words of sentence b
   * @param {number[]} empty the queries that may see nothing
   * @param {number} i the query that is shown
   */
  function draw({ state, results, b, h, S, words }, empty, i) {
    const { weights_by_fill, expanded } = results;
    cells.node.hidden = !weights_by_fill;
    if (!weights_by_fill || !expanded) {
      setText(result, "");
      return;
    }
    const at = placeOf(state, S, [b, h, i, 0]);
    const position = positionOf(i, state, S);
    const rows = rowUnderFills(weights_by_fill, S, at);
    const which = empty.includes(i) ? ", which may see nothing" : "";
    const none = empty.length ? "" : " (Every query of this sentence sees a key.)";
    setText(title, `Weights of “${words[position]}” (position ${position}), head ${h}${which}:${none}`);
    cells.draw({
      data: rows.flatMap((row) => [...row]),
      R: FILLS.length,
      C: S,
      kind: "weights",
      text: weightText,
      titles: { rows: FILLS.map((name) => `${name === state.fill ? "▸ " : ""}${FILL_NAMES[name]}`), columns: words },
      looks: (n) => (rows[Math.floor(n / S)][n % S] === 0 ? "faint" : ""),
      label: `weights of position ${position} for each number that is added to forbidden scores`,
    });
    setText(result, resultText(state, [...rows[FILLS.indexOf(state.fill)]], [...expanded.subarray(at, at + S)]));
  }

  function update(state) {
    fill.update(state.fill);
    dtype.update(state.dtype);
  }

  return { node, draw, update };
}

function resultText({ fill, dtype }, row, may) {
  const value = fillValue(fill, dtype);
  const added = Number.isFinite(value) ? value.toExponential(2).replace("-", "−").replace("+", "") : "−∞";
  const cure = fill === "zero" ? "; after softmax, a row that sees nothing gets zeros" : "";
  const outcome = rowOutcome(row, may);
  const effect = outcome === "right" ? "what is forbidden gets exactly 0" : `the row is ${outcome}`;
  return `${FILL_NAMES[fill]} in ${dtype}: a forbidden score gets ${added} added${cure}; ${effect}.`;
}
