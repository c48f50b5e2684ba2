// BugLab's controls: which line of code is wrong, what the layer gets, and how many words.

import { element, slider, unique } from "../kit/dom.js";
import { GIVEN } from "./model.js";
import { NAMES } from "./words.js";

/**
 * A list from which one is chosen.
 *
 * @param {string} title
 * @param {HTMLElement[]} options
 * @param {(value: any) => void} onChange
 */
function menu(title, options, onChange) {
  const select = element("select", { id: unique("bug"), onchange: () => onChange(select.value) }, ...options);
  const node = element("div", { class: "bug-choice" }, element("label", { for: select.id }, title), select);
  return { node, select };
}

/** @param {Pick<import("../kit/host.js").Tools, "get" | "set" | "limits">} tools @param {string[]} bugNames */
export function controlsOf({ get, set, limits }, bugNames) {
  const option = (/** @type {string} */ value, text = value) => element("option", { value }, text);
  /** @type {Record<string, HTMLElement>} */
  const steps = {};
  for (const [n, [line]] of get("_bugs").entries()) {
    const [step] = get("_lines")[line];
    steps[step] ??= element("optgroup", { label: step });
    steps[step].append(option(bugNames[n]));
  }
  const bugs = [option("unknown", "hidden: look first"), option("none", "none: all are right"), ...Object.values(steps)];
  const bug = menu("wrong line of code", bugs, (value) =>
    set(value === "unknown" ? { line: value, probe: null } : { bug: value, probe: null, line: "wrong" }),
  );
  const inputs = GIVEN.map((one) => option(one, NAMES[one]));
  const given = menu("input", inputs, (value) => set({ given: value }));
  const words = slider(null, "words", (L) => set({ L }));

  /** @param {import("./model.js").State} state @param {boolean} isAsked whether the reader looks for the line */
  function draw(state, isAsked) {
    bug.select.value = isAsked ? "unknown" : state.bug;
    given.select.value = state.given;
    words.update(state.L, limits().L);
  }

  return { nodes: { bug: bug.node, given: given.node, L: words.node }, draw };
}
