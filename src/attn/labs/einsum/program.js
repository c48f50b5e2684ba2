// The formula in the colours of its axes, and below it the same as loops: which of them keeps its axis, where each is, and the line that runs.
// A letter behind the arrow is a button that deletes it; one that is added up is a button that keeps it, if there is room.

import { element, setText } from "../kit/dom.js";
import { hasRoom, loopsOf, roleOf } from "./formula.js";
import { axesOf } from "./pin.js";
import { roleText } from "./words.js";

/** @typedef {import("./formula.js").Formula} Formula */

/** Code with the letters of axes in their colours. @param {string} text */
function coloured(text) {
  return text.split(/(?<!\w)([blsehgd])(?!\w)/).map((part, n) => {
    return n % 2 ? element("b", { "data-axis": part.toUpperCase() }, part) : part;
  });
}

/** @param {(letter: string) => void} toggle keep a letter that is added up, or the reverse */
export function program(toggle) {
  const formulaNode = element("p", { class: "formula" });
  const hint = element("small", { class: "hint" });
  const loops = element("div", { class: "loops" });
  const node = element("div", { class: "program" }, formulaNode, hint, loops);
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
    const isOpen = hasRoom(formula);
    const focused = formulaNode.contains(document.activeElement) && document.activeElement?.textContent;
    /** @param {string} letter @param {number} side */
    const letterOf = (letter, side) => {
      const isKept = formula.result.includes(letter);
      const look = { "data-axis": letter.toUpperCase(), class: isKept ? "kept" : "summed" };
      if (isKept ? side < 2 : !isOpen) return element("b", look, letter);
      const title = isKept ? `add up ${letter}` : `keep ${letter}`;
      const press = { type: "button", tabindex: -1, title, onclick: () => toggle(letter) }; // with the keyboard, one types a formula
      return element("button", { ...look, ...press }, letter);
    };
    const tiles = axes.map((own, side) => {
      if (own === null) return null;
      const letters = [...own].map((letter) => letterOf(letter, side));
      return element("span", { class: "tensor" }, element("span", {}, ...letters), element("small", {}, names[side]));
    });
    const [left, right, result] = tiles;
    const arrow = element("i", {}, "→");
    formulaNode.replaceChildren(...[left, right && element("i", {}, ","), right, arrow, result].filter((one) => one !== null));
    const buttons = [...formulaNode.querySelectorAll("button")];
    if (focused) (buttons.find((one) => one.textContent === focused) ?? buttons[0])?.focus();
    const isLost = buttons.some((one) => one.className === "summed");
    setText(hint, isLost ? "Tap a dashed letter to keep it." : formula.result ? "Tap a letter after the arrow to add it up." : "");
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
   */
  function show(at, line) {
    for (const [letter, output] of Object.entries(indices)) setText(output, letter in at ? String(at[letter]) : "all");
    lines.forEach((one, n) => {
      if (one.classList.contains("runs") !== (n === line)) one.classList.toggle("runs", n === line);
    });
  }

  return { node, draw, show };
}
