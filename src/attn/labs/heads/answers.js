// What HeadsLab writes beside its drawings: one number of y as a sum over heads, and the answers that are read from y.

import { inkOn, mixed } from "../kit/colours.js";
import { element, setChildCount, setText } from "../kit/dom.js";
import { spelled } from "../kit/format.js";
import { HEADS } from "../kit/reader.js";
import { judged } from "./replies.js";
import { percent } from "./words.js";

const SIGNS = { right: "✓", guess: "⚠", wrong: "✗", "": "" };

/** @param {number} value */
const signed = (value) =>
  spelled(value)
    .replace(/^(?=\d)/, "+")
    .replace(/^\+0$/, "0");

/** One number of y: what each head adds to it. */
export function sumLine() {
  const node = element("p", { class: "heads-sum" });
  /**
   * @param {string} word
   * @param {number} e
   * @param {{ parts: number[], sum: number }} terms
   * @param {{ head: number }[]} labels
   * @param {boolean[]} on
   * @param {boolean[]} arrived which heads have been added
   * @param {string[]} tints
   */
  function draw(word, e, { parts, sum }, labels, on, arrived, tints) {
    const chips = parts.map((value, h) => {
      const tint = tints[labels[h].head % tints.length];
      const chip = element(
        "i",
        { "aria-hidden": "true", style: `background:${tint};color:${inkOn(tint)}` },
        String(labels[h].head),
      );
      return element("span", {}, chip, !on[h] ? "off" : arrived[h] ? signed(value) : "…");
    });
    const added = parts.reduce((all, value, h) => all + (arrived[h] ? Number(value.toFixed(2)) : 0), 0);
    const sign = Math.abs(added - Number(sum.toFixed(2))) < 0.001 ? "=" : "≈"; // of the numbers as they are written
    node.replaceChildren(element("b", {}, `y[${word}, ${e}]`), " = ", ...chips, ` ${sign} ${spelled(sum)}`);
  }
  return { node, draw };
}

/** The answers that are read from a word's y: a box for each question, in the tint of the head that answers it. */
export function answerBoxes() {
  const title = element("p", {});
  const boxes = element("div", { class: "boxes" });
  const node = element("div", { class: "heads-answers" }, title, boxes);
  /**
   * @param {string} word
   * @param {import("./replies.js").Reply[]} replies
   * @param {boolean} isEmpty nothing has been added yet
   * @param {string[]} tints
   * @param {string} ink
   */
  function draw(word, replies, isEmpty, tints, ink) {
    setText(title, replies.length ? `read from y of “${word}”:` : `“${word}” asks nothing: no answer is read from its y.`);
    setChildCount(boxes, replies.length, () =>
      element("div", {}, element("span"), element("b"), element("span", { class: "chance" })),
    );
    replies.forEach((reply, n) => {
      const { question, word: given, chance } = reply;
      const box = /** @type {HTMLElement} */ (boxes.children[n]);
      const [asks, answer, how] = box.children;
      const tint = tints[HEADS.indexOf(question)];
      const style = `border-color:${mixed(ink, tint, 0.45)};box-shadow:inset 6px 0 ${tint}`; // an edge, since some tints are near the paper
      if (box.getAttribute("style") !== style) box.setAttribute("style", style);
      setText(asks, `${question}?`);
      const verdict = isEmpty ? "" : judged(reply);
      setText(answer, isEmpty ? "–" : given);
      setText(how, isEmpty ? "" : `${percent(chance)} ${SIGNS[verdict]}`);
      if (box.className !== verdict) box.className = verdict;
    });
  }
  return { node, draw };
}
