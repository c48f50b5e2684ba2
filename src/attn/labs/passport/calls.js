// PassportLab's table of the calls with their strides, and the list of what could follow them.

import { element, letter, setText } from "../kit/dom.js";

/**
 * A text in which the axis letters have their colours.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function lettered(text) {
  return text.split(/\b([BLHD])\b/).map((part, n) => (n % 2 ? letter(part) : part));
}

/**
 * Code in which the axis letters have their colours.
 *
 * @param {string} text
 */
export function code(text) {
  return element("code", {}, ...lettered(text));
}

/** A table of what each call makes: shape, strides, contiguous, view or copy. */
export function stepsTable() {
  const body = element("tbody");
  const titles = ["step", "shape", "strides", "contiguous", "memory"].map((title) => element("th", { scope: "col" }, title));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...titles)), body);
  const node = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "strides" }, table);

  /**
   * @param {import("./model.js").Step[]} steps
   * @param {string} given what the first row, which has no call, shows
   */
  function draw(steps, given) {
    const rows = steps.map(({ call, shape, strides, contiguous, memory }) => {
      const cells = [`(${shape.join(", ")})`, `(${strides.join(", ")})`, contiguous ? "yes" : "no", memory || "–"];
      return element("tr", {}, ...[code(call ? `.${call}` : given), ...cells].map((cell) => element("td", {}, cell)));
    });
    body.replaceChildren(...rows);
  }

  return { node, draw };
}

/** A list of calls and what they do: an error, a view or a copy. */
export function nextCalls() {
  const title = element("p", { class: "next-title" });
  const list = element("dl", { class: "next" });
  const node = element("div", {}, title, list);

  /**
   * @param {import("./model.js").Next[]} next
   * @param {string} text the title
   * @param {number} count of numbers that a copy copies
   */
  function draw(next, text, count) {
    setText(title, text);
    const entries = next.flatMap(({ call, does, message }) => {
      const view = call === "contiguous()" ? "nothing to do: it is contiguous" : "a view: nothing is copied";
      const meaning = { view, copy: `a copy of ${count} numbers`, error: `RuntimeError: ${message}` }[does] ?? "";
      return [element("dt", {}, code(`.${call}`)), element("dd", { class: does }, meaning)];
    });
    list.replaceChildren(...entries);
    title.hidden = next.length === 0;
  }

  return { node, draw };
}
