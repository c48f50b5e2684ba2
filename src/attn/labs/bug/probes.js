// The probes as a list: those that find the bug are marked, and the one that is chosen says what it saw.

import { element, setText, unique } from "../kit/dom.js";
import { clamp } from "../kit/math.js";
import { evidenceOf } from "./words.js";

const RAISED = "raises "; // how evidence begins if the code raised an error

/**
 * @param {string[]} names
 * @param {(probe: string) => void} onChoose
 */
export function probeList(names, onChoose) {
  const id = unique("probe");
  let chosen = 0;
  const options = names.map((name, n) =>
    element(
      "li",
      { role: "option", id: `${id}-${n}`, onclick: () => onChoose(name) },
      element("i", { "aria-hidden": "true" }),
      element("span", {}, name),
    ),
  );
  const list = element("ul", { ...{ role: "listbox", tabindex: 0, "aria-label": "probes", onkeydown: press } }, ...options);
  const [title, said] = [element("b"), element("span")];
  const evidence = element("p", { class: "evidence" }, title, ": ", said);
  const node = element("div", { class: "probes" }, element("span", {}, "probes"), list);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -names.length, End: names.length }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    chosen = clamp(chosen + step, 0, names.length - 1); // the next key continues here, before anything is drawn
    onChoose(names[chosen]);
  }

  /**
   * @param {string | null} probe the one that is chosen; null: the first that finds the bug
   * @param {import("./words.js").Evidence} found
   */
  function draw(probe, found) {
    const name = probe ?? names.find((one) => one in found) ?? names[0];
    chosen = names.indexOf(name);
    list.setAttribute("aria-activedescendant", `${id}-${chosen}`);
    options.forEach((option, n) => {
      const evidence = found[names[n]];
      option.setAttribute("aria-selected", String(n === chosen));
      option.classList.toggle("hit", Boolean(evidence));
      setText(/** @type {Node} */ (option.firstChild), evidence ? (evidence.startsWith(RAISED) ? "○" : "●") : "·");
      option.title = evidenceOf(names[n], found);
    });
    setText(title, name);
    setText(said, evidenceOf(name, found));
    return `${name}: ${evidenceOf(name, found)}`;
  }

  return { node, evidence, draw };
}
