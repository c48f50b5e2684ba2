// The masks of all sentences of the batch, small: each is a button that chooses its sentence.

import { element, letter, setAttributes } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { svg } from "../kit/svg.js";

const CELL = 6; // pixels

/**
 * @param {string} name of the radio buttons
 * @param {string[][]} words of each sentence
 * @param {(b: number) => void} onChoose
 */
export function sentenceChoice(name, words, onChoose) {
  const all = words.map(([first], b) => {
    const [frame, no] = [svg("rect", { class: "frame" }), svg("path", { class: "no" })];
    const picture = svg("svg", { "aria-hidden": "true" }, frame, no);
    const input = element("input", { type: "radio", name, value: b, onchange: () => onChoose(b) });
    const label = element("label", { class: "switch" }, input, element("span", {}, first));
    return { frame, no, picture, input, node: element("div", { class: "one" }, picture, label) };
  });
  const node = element(
    "fieldset",
    { class: "sentences" },
    element("legend", {}, letter("B"), element("span", {}, " sentence")),
    ...all.map(({ node }) => node),
  );

  /**
   * @param {ArrayLike<number>} keep (B, L, S)
   * @param {number} L
   * @param {number} S
   * @param {number} chosen
   */
  function draw(keep, L, S, chosen) {
    all.forEach(({ frame, no, picture, input }, b) => {
      input.checked = b === chosen;
      const [width, height] = [S * CELL, L * CELL];
      setAttributes(picture, { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, height: height + 4 });
      setAttributes(frame, { x: -1, y: -1, width: width + 2, height: height + 2 });
      const hidden = range(L * S).filter((n) => !keep[b * L * S + n]);
      const d = hidden.map((n) => `M${(n % S) * CELL} ${Math.floor(n / S) * CELL}h${CELL}v${CELL}h${-CELL}z`).join("");
      setAttributes(no, { d });
    });
  }

  return { node, draw };
}
