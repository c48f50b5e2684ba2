// A row that sees nothing has no arcs. In their place: what becomes of it, for each number that hidden scores may get.

import { element, setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { FILL_NAMES, rowOutcome } from "./explain.js";

const VERDICTS = {
  NaN: ["✗", "0 / 0"],
  "all zeros": ["✓", "nothing"],
  "an average over forbidden keys": ["✗", "average"],
  "the weights without a mask": ["✗", "no mask"],
};

/** @param {(fill: string) => void} onChoose */
export function rowFates(onChoose) {
  const title = element("p");
  const list = element("div");
  const node = element("div", { class: "fates" }, title, list);

  /**
   * @param {string} query
   * @param {Float32Array[]} rows the weights of the row under each fill
   * @param {number} chosen the fill that is in use
   */
  function draw(query, rows, chosen) {
    setText(title, `${query} may see nothing. If hidden scores get …`);
    setChildCount(list, rows.length, (n) =>
      element(
        "div",
        { onclick: () => onChoose(Object.keys(FILL_NAMES)[n]) },
        element("b"),
        element("div", { class: "cells" }),
        element("b", { class: "verdict" }, element("span"), element("i")),
      ),
    );
    Object.entries(FILL_NAMES).forEach(([fill, name], n) => {
      const [label, cells, verdict] = /** @type {HTMLElement[]} */ ([...list.children[n].children]);
      setAttributes(list.children[n], { class: n === chosen ? "chosen" : "" });
      setText(label, fill === "zero" ? "−∞, → 0" : name);
      const row = [...rows[n]];
      setChildCount(cells, row.length, () => element("span"));
      row.forEach((weight, j) => {
        const text = weight === 0 ? "0" : number(weight, 2);
        setText(cells.children[j], text);
        setAttributes(cells.children[j], { class: weight === 0 ? "" : "bad", style: `--share:${100 * (weight || 0)}%` });
      });
      const outcome = rowOutcome(
        row,
        row.map(() => 0),
      );
      const [sign, text] = VERDICTS[outcome];
      setText(verdict.children[0], sign);
      setText(verdict.children[1], ` ${text}`);
      setAttributes(verdict, { class: sign === "✓" ? "verdict good" : "verdict bad" });
    });
  }

  return { node, draw };
}
