// The formula in the colours of its axes, each tensor's letters above it, and the same as loops: where each is, and the line that runs.
// A letter behind the arrow is a button that crosses it out, and then keeps it again.

import { element, setText } from "../kit/dom.js";
import { loopsOf, lostLetters, roleOf, toggled } from "./formula.js";
import { axesOf } from "./pin.js";

/** @typedef {import("./formula.js").Formula} Formula */

/** A text with the letters of axes in their colours. @param {string} text */
export function coloured(text) {
  return text.split(/(?<!\w)([blsehgd])(?!\w)/).map((part, n) => {
    return n % 2 ? element("b", { "data-axis": part.toUpperCase() }, part) : part;
  });
}

/** @param {(letter: string) => void} toggle keep a letter that is added up, or the reverse */
export function program(toggle) {
  const formulaNode = element("p", { class: "formula" });
  const hint = element("small", { class: "hint" });
  const loops = element("div", { class: "loops" });
  const node = element("div", { class: "program" }, formulaNode);
  /** @type {Record<string, HTMLElement>} where the index of each loop is written */
  let indices = {};
  /** @type {Record<string, string>} what stands there while the loop runs through all */
  let ends = {};
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
    const tiles = axesOf(formula).map((own, side) => {
      const letters = [...((side < 2 ? own : behind) ?? "")].map((letter) => letterOf(letter, side));
      const sign = side === 2 ? element("i", {}, "→") : side === 0 && formula.tensors.length > 1 ? "," : "";
      return element("span", { class: "tensor", hidden: own === null }, ...letters, sign);
    });
    tiles[2].append(hint);
    formulaNode.replaceChildren(...tiles);
    const buttons = [...formulaNode.querySelectorAll("button")];
    if (focused) (buttons.find((one) => one.textContent === focused) ?? buttons[0])?.focus();
    hint.replaceChildren("← tap", element("span", {}, ` to ${lost ? "keep" : "add up"}`));
    [indices, ends] = [{}, {}];
    lines = code.map(({ text, letter }) => {
      if (letter === null) return element("code", { class: "loop inner" }, ...coloured(text));
      const axis = letter.toUpperCase();
      indices[letter] = element("output", {});
      ends[letter] = `<${settings[axis]}`;
      return element("code", { class: `loop ${roleOf(formula, letter)}`, "data-axis": axis }, letter, indices[letter]);
    });
    const { length } = formula.result;
    const groups = [lines.slice(0, length), lines.slice(length, -1)].filter((all) => all.length);
    loops.replaceChildren(...groups.map((all) => element("span", {}, element("code", {}, "for"), ...all)), lines[lines.length - 1]);
  }

  /** Put the letters of each tensor above it. @param {import("./layout.js").Plan} plan */
  function move({ places }) {
    places.forEach((place, side) => {
      const tile = /** @type {HTMLElement} */ (formulaNode.children[side]);
      if (place) [tile.style.left, tile.style.top] = [`${place.tile.x}px`, `${place.tile.y}px`];
    });
  }

  /**
   * Mark the line that runs, and write the index of each loop.
   *
   * @param {Record<string, number>} at the index of each loop; one that is missing runs through all
   * @param {number | null} line
   */
  function show(at, line) {
    for (const [letter, output] of Object.entries(indices)) setText(output, letter in at ? `=${at[letter]}` : ends[letter]);
    lines.forEach((one, n) => {
      if (one.classList.contains("runs") !== (n === line)) one.classList.toggle("runs", n === line);
    });
  }

  return { node, loops, draw, move, show };
}
