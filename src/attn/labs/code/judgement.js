// What the checker says, under the program: right or not yet, why, and a line that mends it. Before the reader has tried, only that
// it is not right yet: why is folded, because it may name the bug that the reader is looking for.

import { element } from "../kit/dom.js";

/** @typedef {import("./verdict.js").Verdict} Verdict */

/**
 * @param {(code: string) => void} onMend puts another program in the place of this one
 */
export function judgement(onMend) {
  const node = element("div", { class: "verdict", hidden: true });
  let before = ""; // the program that was mended last
  let after = "";

  /**
   * @param {Verdict | null} verdict null for a program that fails, or that nothing checks
   * @param {string} code
   * @param {boolean} isTried whether the reader has tried: only then is the reason in sight, and a line that mends the program offered
   */
  function draw(verdict, code, isTried) {
    node.hidden = !verdict;
    if (!verdict) return;
    const { passed, message, fix } = verdict;
    const [first, rest] = split(message);
    const buttons = [...(fix && isTried ? [fixButton(fix, code)] : []), ...(before && code === after ? [undoButton()] : [])];
    node.dataset.passed = String(passed);
    const head = element("b", {}, headOf(verdict));
    const isOpen = node.querySelector("details")?.open ?? false;
    const reason = rest ? [element("p", {}, rest)] : [];
    if (!passed && !isTried) {
      const summary = element("summary", {}, head, " Try first, or see what the checker says.");
      node.replaceChildren(element("details", isOpen ? { open: true } : {}, summary, element("p", {}, first), ...reason));
      return;
    }
    node.replaceChildren(
      element("p", {}, head, ` ${first}`),
      ...reason,
      ...(buttons.length ? [element("p", { class: "mend" }, ...buttons)] : []),
    );
  }

  /**
   * The line that mends the program is not in sight before the button is pressed: the reader may want to find it.
   *
   * @param {NonNullable<Verdict["fix"]>} fix
   * @param {string} code
   */
  function fixButton({ line, text }, code) {
    const mend = () => {
      before = code;
      after = withLine(code, line, text);
      onMend(after);
    };
    return element("button", { type: "button", onclick: mend }, `fix line ${line}`);
  }

  function undoButton() {
    return element("button", { type: "button", onclick: () => onMend(before) }, "undo the fix");
  }

  return { node, draw };
}

/**
 * What a screen reader hears of a verdict.
 *
 * @param {Verdict} verdict
 */
export const spokenVerdict = (verdict) => `${headOf(verdict)} ${verdict.message}`;

const headOf = (/** @type {Verdict} */ { passed }) => (passed ? "✓ Passed." : "✗ Not yet.");

/**
 * The first sentence, and the others. A sentence ends before a capital letter, or the name of a function, outside of parentheses.
 *
 * @param {string} message
 */
export function split(message) {
  const [, first = message, rest = ""] = /^((?:\([^)]*\)|[^(])*?[.?:]) (?=(?:[A-Z]|\w+\().*)(.*)$/s.exec(message) ?? [];
  return [first, rest];
}

/**
 * @param {string} code
 * @param {number} line
 * @param {string} text
 */
const withLine = (code, line, text) =>
  code
    .split("\n")
    .map((old, n) => (n + 1 === line ? text : old))
    .join("\n");
