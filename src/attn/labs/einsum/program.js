// The formula in the colours of its axes, and below it the same as loops: which of them keeps its axis, where each is, and the line that runs.

import { element, setAttributes, setText } from "../kit/dom.js";
import { loopsOf, roleOf } from "./formula.js";
import { axesOf } from "./pin.js";
import { roleText } from "./words.js";

/** @typedef {import("./formula.js").Formula} Formula */

/** Code with the letters of axes in their colours. @param {string} text */
function coloured(text) {
  return text.split(/(?<!\w)([blsehgd])(?!\w)/).map((part, n) => {
    return n % 2 ? element("b", { "data-axis": part.toUpperCase() }, part) : part;
  });
}

export function program() {
  const formulaNode = element("p", { class: "formula" });
  const loops = element("div", { class: "loops" });
  const values = element("p", { class: "values" });
  const node = element("div", { class: "program" }, formulaNode, loops, values);
  /** @type {Record<string, HTMLElement>} where the index of each loop is written */
  let indices = {};
  /** @type {HTMLElement[]} */
  let lines = [];
  let drawn = "";

  /**
   * @param {Formula} formula
   * @param {import("./model.js").State} settings
   * @param {readonly string[]} names of left, right and the result
   */
  function draw(formula, settings, names) {
    const code = loopsOf(formula, settings, names);
    const key = JSON.stringify([code, names]);
    if (key === drawn) return;
    drawn = key;
    const axes = axesOf(formula);
    const tiles = axes.map((own, side) => {
      const letters = [...(own ?? "")].map((letter) =>
        element("b", { "data-axis": letter.toUpperCase(), class: formula.result.includes(letter) ? "kept" : "summed" }, letter),
      );
      return own === null
        ? null
        : element("span", { class: "tensor" }, element("span", {}, ...letters), element("small", {}, names[side]));
    });
    const [left, right, result] = tiles;
    const arrow = element("i", {}, "→");
    formulaNode.replaceChildren(...[left, right && element("i", {}, ","), right, arrow, result].filter((one) => one !== null));
    indices = {};
    lines = code.map(({ depth, text, letter }) => {
      const indent = `--depth: ${depth}`;
      if (letter === null) {
        const [place, factors] = text.split(/(?<==) /);
        return element(
          "div",
          { class: "loop inner", style: indent },
          element("code", {}, ...coloured(place), element("br"), "\u2002\u2002", ...coloured(factors)),
        );
      }
      indices[letter] = element("output", { class: "index" });
      const role = roleOf(formula, letter);
      return element(
        "div",
        { class: `loop ${role}`, style: indent, "data-axis": letter.toUpperCase() },
        element("code", {}, ...coloured(text)),
        indices[letter],
        element("small", {}, roleText(role)),
      );
    });
    loops.replaceChildren(...lines);
  }

  /**
   * Mark the line that runs, and write the index of each loop.
   *
   * @param {Record<string, number>} at the index of each loop; one that is missing runs through all
   * @param {number | null} line
   * @param {string} sum what the inner line computes
   */
  function show(at, line, sum) {
    for (const [letter, output] of Object.entries(indices)) setText(output, letter in at ? String(at[letter]) : "all");
    lines.forEach((one, n) => {
      if (one.classList.contains("runs") !== (n === line)) one.classList.toggle("runs", n === line);
    });
    setText(values, sum);
    setAttributes(values, { "aria-hidden": "true" });
  }

  return { node, draw, show };
}
