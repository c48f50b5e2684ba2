// A row that sees nothing, above its table: under the number that its hidden scores get now, and fixed.

import { element, setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { FILL_NAMES, rowOutcome } from "./explain.js";

const VERDICTS = {
  NaN: ["✗", "0 / 0"],
  "all zeros": ["✓", "zeros"],
  "an average over forbidden keys": ["✗", "average"],
  "the weights without a mask": ["✗", "no mask"],
};

/** @param {(fill: string) => void} onChoose */
export function rowFates(onChoose) {
  const fills = ["-inf", "zero"];
  const rows = fills.map((_, n) =>
    element(
      "div",
      { onclick: () => onChoose(fills[n]) },
      element("b"),
      element("div", { class: "cells" }),
      element("b", { class: "verdict" }, element("span"), element("i")),
    ),
  );
  const node = element("div", { class: "fates" }, ...rows);

  /**
   * @param {Record<string, Float32Array>} under the weights of the row under each fill
   * @param {string} chosen the fill that is in use
   */
  function draw(under, chosen) {
    if (chosen !== "zero") fills[0] = chosen; // what is fixed stays beside its fix
    fills.forEach((fill, n) => {
      const [label, cells, verdict] = /** @type {HTMLElement[]} */ ([...rows[n].children]);
      setAttributes(rows[n], { class: fill === chosen ? "chosen" : "" });
      setText(label, n ? "fix: 0" : FILL_NAMES[fill]);
      const row = [...under[fill]];
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
