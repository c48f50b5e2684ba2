// The loops that a formula stands for, and beside each of them where its letter is and what becomes of its axis.

import { element, setText } from "../kit/dom.js";
import { roleText } from "./explain.js";
import { loopsOf, roleOf } from "./formula.js";
import { OPERANDS } from "./model.js";

/** @typedef {import("./formula.js").Formula} Formula */

// Text with the letters of axes in their colours.
function coloured(text) {
  return text.split(/(?<![\w])([blsehgd])(?![\w])/).map((part, n) => {
    return n % 2 ? element("b", { "data-axis": part.toUpperCase() }, part) : part;
  });
}

export function loopTable() {
  const node = element("table");
  let drawn = ""; // the formula whose loops are in the table

  /**
   * @param {"size" | "loop"} kind
   * @returns {NodeListOf<HTMLElement>}
   */
  const marks = (kind) => node.querySelectorAll(`[data-${kind}]`);

  /**
   * Draw the loops. When only a size changes, only its number is touched.
   *
   * @param {import("./model.js").State} state
   * @param {Formula} formula
   */
  function draw(state, formula) {
    const { tensors, result } = formula;
    const key = `${tensors}->${result}`;
    if (key === drawn) {
      for (const mark of marks("size")) setText(mark, String(state[mark.dataset.size ?? ""]));
      return;
    }
    drawn = key;
    const titles = ["the loops", ...OPERANDS.slice(0, tensors.length), "result", "the axis is"];
    const head = titles.map((title, n) => {
      const where = n > 0 && n < titles.length - 1;
      const short = title === "result" ? "=" : title[0];
      return element("th", { scope: "col", class: where && "where", "data-short": short }, title);
    });
    const rows = loopsOf(formula, state).map((line) => row(line, formula, titles.length));
    node.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  }

  function row({ depth, text, letter, summed }, formula, columns) {
    const { tensors, result } = formula;
    const tint = summed ? "in-sum" : "";
    const code = element("code", { style: `--hang: ${2 * depth + 2}ch` }, "  ".repeat(depth));
    if (!letter) {
      code.append(...coloured(text));
      return element("tr", { class: tint }, element("td", { colspan: columns }, code));
    }
    const [before, size, after] = text.split(/(\d+)/);
    code.append(...coloured(before), element("span", { "data-size": letter.toUpperCase() }, size), after);
    code.append(element("i", { "data-loop": letter }));
    const [name, more] = roleText(formula, letter);
    return element(
      "tr",
      { class: `${roleOf(formula, letter)} ${tint}` },
      element("th", { scope: "row" }, code),
      ...[...tensors, result].map((axes) => element("td", { class: "where" }, axes.includes(letter) ? "✓" : "–")),
      element("td", { class: "role" }, element("strong", {}, name), element("small", {}, ` ${more}`)),
    );
  }

  /**
   * Write beside each loop the index at which a pin fixes it.
   *
   * @param {Record<string, number>} fixed
   */
  function showIndices(fixed) {
    for (const mark of marks("loop")) {
      const letter = mark.dataset.loop ?? "";
      setText(mark, letter in fixed ? `  # ${letter} = ${fixed[letter]}` : "");
    }
  }

  return { node, draw, showIndices };
}
