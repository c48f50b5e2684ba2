// The panel "four spellings": the same mask as libraries write it.

import { element } from "../kit/dom.js";
import { matrix } from "../kit/matrix.js";

/** @type {{ name: string, meaning: string, users: string, text: (may: number) => string }[]} */
export const SPELLINGS = [
  {
    name: "keep",
    meaning: "True: may attend",
    users: "attn, F.scaled_dot_\u200bproduct_attention",
    text: (may) => (may ? "T" : "F"),
  },
  { name: "drop", meaning: "True: is blocked", users: "nn.MultiheadAttention", text: (may) => (may ? "F" : "T") },
  {
    name: "additive",
    meaning: "added to the scores",
    users: "F.scaled_dot_\u200bproduct_attention, nn.MultiheadAttention",
    text: (may) => (may ? "0" : "−∞"),
  },
  { name: "0 and 1", meaning: "1: may attend", users: "tokenizers", text: (may) => (may ? "1" : "0") },
];

/** @param {(n: number | null, how: import("../kit/matrix.js").Pointing) => void} onPoint */
export function spellingsPanel(onPoint) {
  const tables = SPELLINGS.map(({ name, meaning, users, text }) => {
    const cells = matrix(onPoint);
    const parts = [element("strong", {}, name), element("br"), meaning, element("br"), element("small", {}, users)];
    return { name, text, cells, node: element("section", {}, element("p", {}, ...parts), cells.node) };
  });
  const node = element("div", { class: "spelled" }, ...tables.map((table) => table.node));

  /**
   * @param {Pick<import("../kit/matrix.js").Drawing, "data" | "R" | "C" | "active" | "looks">} drawing
   * @param {number} b the sentence
   */
  function draw(drawing, b) {
    for (const { name, text, cells } of tables) cells.draw({ ...drawing, kind: "plain", text, label: `${name}, sentence ${b}` });
  }

  return { node, draw };
}
