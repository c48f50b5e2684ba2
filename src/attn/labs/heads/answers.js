// The answers that HeadsLab reads from y.

import { mixed } from "../kit/colours.js";
import { element, setChildCount, setText } from "../kit/dom.js";
import { HEADS } from "../kit/reader.js";
import { judged } from "./replies.js";
import { percent } from "./words.js";

const SIGNS = { right: " ✓", lost: " ✗", guess: ", a guess", "": "" };

/** The answers that are read from a word's y: a line for each question, at an edge in the tint of the head that answers it. */
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
    setText(title, replies.length ? `read from y of “${word}”` : `“${word}” asks nothing: no answer is read from its y.`);
    setChildCount(boxes, replies.length, () =>
      element("div", {}, element("span"), element("b"), element("span", { class: "chance" })),
    );
    replies.forEach((reply, n) => {
      const { question, word: given, chance } = reply;
      const box = /** @type {HTMLElement} */ (boxes.children[n]);
      const [asks, answer, how] = box.children;
      const tint = tints[HEADS.indexOf(question)];
      const style = `box-shadow:inset 6px 0 ${tint},inset 7px 0 ${mixed(ink, tint, 0.45)}`; // an edge, since some tints are near the paper
      if (box.getAttribute("style") !== style) box.setAttribute("style", style);
      setText(asks, `${question}?`);
      const verdict = isEmpty ? "" : judged(reply) === "lost" && chance < 0.5 ? "guess" : judged(reply);
      setText(answer, isEmpty ? "–" : given);
      setText(how, isEmpty ? "" : percent(chance) + SIGNS[verdict]);
      if (box.className !== verdict) box.className = verdict;
    });
  }
  return { node, draw };
}
