// The field in which a reader writes a formula. While the text is invalid, it stays, the reason stands below it, and the picture is that of
// the last formula.

import { element, setText, unique } from "../kit/dom.js";
import { readFormula } from "./formula.js";

/**
 * @param {object} options
 * @param {(formula: string) => void} options.choose called with every valid formula
 * @param {() => string} options.current the formula that was chosen last
 * @param {(isDraft: boolean) => void} options.onDraft called when the text becomes invalid, and when it is valid again
 */
export function formulaField({ choose, current, onDraft }) {
  const id = unique("einsum");
  /** @type {string | null} the formula that is drawn while the text is invalid; null if it is valid */
  let beforeDraft = null;
  const input = element("input", {
    ...{ type: "text", id, spellcheck: "false", autocomplete: "off", autocapitalize: "off" },
    ...{ "aria-describedby": `${id}-why`, oninput: onType },
  });
  const problem = element("p", { class: "problem", id: `${id}-why`, role: "alert" });
  const node = element("div", { class: "field" }, element("label", { for: id }, "your formula"), input, problem);

  function onType() {
    try {
      readFormula(input.value);
    } catch (error) {
      return show(error instanceof Error ? error.message : String(error));
    }
    show("");
    choose(input.value);
  }

  /** @param {string} reason */
  function show(reason) {
    if ((reason !== "") !== (beforeDraft !== null)) onDraft(reason !== "");
    beforeDraft = reason ? current() : null;
    setText(problem, reason);
    problem.hidden = !reason;
    input.setAttribute("aria-invalid", String(reason !== ""));
  }
  show("");

  return {
    node,
    /** @param {string} formula that is drawn now */
    update(formula) {
      if (beforeDraft !== null && formula !== beforeDraft) show(""); // the formula was set from elsewhere
      if (beforeDraft === null && input.value !== formula) input.value = formula;
    },
    /** @param {string} formula */
    restart(formula) {
      show("");
      input.value = formula;
    },
  };
}
