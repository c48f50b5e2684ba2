// The formula in the colours of its axes, and below it the same as loops: which of them keeps its axis, where each is, and the line that runs.
// A letter behind the arrow is a button that crosses it out, and then keeps it again.

import { element, setText } from "../kit/dom.js";
import { loopsOf, lostLetters, roleOf, toggled } from "./formula.js";
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
    const focused = formulaNode.contains(document.activeElement) && document.activeElement?.textContent;
    const lost = lostLetters(formula);
    const behind = [...lost].reduce((result, letter) => toggled({ ...formula, result }, letter).split("->")[1], formula.result);
    /** @param {string} letter @param {number} side */
    const letterOf = (letter, side) => {
      const look = { "data-axis": letter.toUpperCase(), class: formula.result.includes(letter) ? "kept" : "summed" };
      if (side < 2) return element("b", look, letter);
      const own = lost.includes(letter) ? { class: "lost", title: `keep ${letter}` } : { title: `add up ${letter}` };
      const press = { type: "button", tabindex: -1, onclick: () => toggle(letter) }; // with the keyboard, one types a formula
      return element("button", { ...look, ...press, ...own }, letter);
    };
    const tiles = axes.map((own, side) => {
      if (own === null) return null;
      const letters = [...(side < 2 ? own : behind)].map((letter) => letterOf(letter, side));
      return element("span", { class: "tensor" }, element("span", {}, ...letters), element("small", {}, names[side]));
    });
    const [left, right, result] = tiles;
    const arrow = element("i", {}, "→");
    formulaNode.replaceChildren(...[left, right && element("i", {}, ","), right, arrow, result].filter((one) => one !== null));
    const buttons = [...formulaNode.querySelectorAll("button")];
    if (focused) (buttons.find((one) => one.textContent === focused) ?? buttons[0])?.focus();
    setText(hint, `Tap a ${lost ? "crossed letter to keep it" : "letter after the arrow to add it up"}.`);
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
