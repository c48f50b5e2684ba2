// The probes that find a bug, in a line that unfolds: then the one that is chosen says what it saw, on an input of its own.

import { element, setText, unique } from "../kit/dom.js";
import { clamp } from "../kit/math.js";
import { evidenceOf } from "./words.js";

/**
 * @param {string[]} names
 * @param {(probe: string) => void} onChoose
 */
export function probeList(names, onChoose) {
  const id = unique("probe");
  let chosen = 0;
  /** @type {string[]} */
  let hits = [];
  /** @type {string | null} the probe that has unfolded the list */
  let opened = null;
  const count = element("span");
  const list = element("ul", { role: "listbox", tabindex: 0, "aria-label": "probes that find it", onkeydown: press });
  const [title, said] = [element("b"), element("span")];
  const evidence = element("p", { class: "evidence" }, title, said);
  const node = element("details", { class: "probes" }, element("summary", {}, count), list, evidence);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -names.length, End: names.length }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    chosen = clamp(chosen + step, 0, hits.length - 1); // the next key continues here, before anything is drawn
    onChoose(hits[chosen]);
  }

  /**
   * @param {string | null} probe the one that is chosen; null: the first that finds the bug
   * @param {import("./words.js").Evidence} found
   */
  function draw(probe, found) {
    const now = names.filter((name) => name in found);
    if (String(now) !== String(hits) || !list.childElementCount) {
      hits = now;
      list.replaceChildren(
        ...hits.map((name, n) => element("li", { role: "option", id: `${id}-${n}`, onclick: () => onChoose(name) }, name)),
      );
      list.scrollLeft = 0;
      const all = names.length;
      setText(
        count,
        `${hits.length || "None"} of this book’s ${all} tests notice${hits.length > 1 ? "" : "s"} ${hits.length ? "it" : "anything"}`,
      );
      list.hidden = !hits.length;
    }
    const name = probe ?? hits[0];
    if (probe && probe !== opened) node.open = true;
    opened = probe;
    chosen = Math.max(0, hits.indexOf(name));
    [...list.children].forEach((option, n) => option.setAttribute("aria-selected", String(hits[n] === name)));
    if (hits.includes(name)) list.setAttribute("aria-activedescendant", `${id}-${chosen}`);
    else list.removeAttribute("aria-activedescendant");
    setText(title, name ? `${name}, on its own tensors: ` : "");
    setText(said, name ? evidenceOf(name, found) : "");
    return evidence.textContent ?? "";
  }

  return { node, draw };
}
