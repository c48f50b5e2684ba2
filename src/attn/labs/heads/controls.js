// The controls of HeadsLab.

import { choice, element, letter, slider, toggle, unique } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { divisors, divisorUpTo } from "../kit/math.js";
import { WIDTHS } from "./model.js";

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {(i: number) => void} choose a word
 */
export function headsControls({ get, set, limits }, choose) {
  const name = unique("heads");
  const off = slider(null, "switched off", (n) => set({ off: n < 0 ? [] : [n] }));
  const word = slider("L", "whose y", choose);
  const heads = slider("H", "heads", (n) => set({ H: divisors(get("E"))[n], off: [] })); // head 2 of 4 is not head 2 of 6
  const merge = choice(
    `${name}-merge`,
    "merge",
    [
      ["right", "with transpose"],
      ["wrong", "without transpose"],
    ],
    (value) => set({ merge: value }),
  );
  const length = slider("L", "words", (L) => set({ L }));
  const widths = WIDTHS.map((E) => /** @type {const} */ ([E, String(E)]));
  const width = choice(`${name}-width`, letter("E"), widths, (E) => {
    const H = divisorUpTo(E, get("H"));
    set({ E, H, ...(H === get("H") ? {} : { off: [] }) });
  });
  const block = slider(null, "rows of W_O for head", (n) => set({ block: n < 0 ? null : n }));
  const project = toggle("mix with W_O", (on) => set({ project: on }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  const costs = element("p", { class: "costs" });
  const tabs = choice(
    `${name}-part`,
    "show",
    [
      ["merge", "the merge"],
      ["sum", "the sum"],
    ],
    (part) => set({ part }),
  );
  tabs.node.classList.add("tabs");

  /**
   * @param {import("./view.js").State} state
   * @param {{ part: "sum" | "merge", i: number, block: number | null }} now what is drawn: part, word and rows of W_O
   */
  function update({ E, H, L, off: gone, project: mixes, merge: how, _texts }, { part, i, block: open }) {
    const possible = divisors(E);
    heads.update(possible.indexOf(H), [0, possible.length - 1], String(H));
    off.update(gone.length ? gone[0] : -1, [-1, H - 1], gone.length ? gone.map((h) => `head ${h}`).join(", ") : "no head");
    const words = _texts[0].split(" ");
    word.update(i, [0, L - 1], words[i], words);
    length.update(L, limits().L);
    width.update(E);
    block.update(open ?? -1, [-1, H - 1], open === null ? "none" : String(open));
    project.update(mixes);
    merge.update(how);
    tabs.update(part);
    off.node.hidden = block.node.hidden = part === "merge";
  }

  /**
   * @param {import("./model.js").State} state
   * @param {import("./model.js").Results} results
   */
  function count({ E, H }, { parameters, flops, stored }) {
    /** @type {(text: string, value: number) => HTMLElement} */
    const cost = (text, value) => element("span", {}, `${text} `, element("b", {}, integer(value)));
    const all = [cost("parameters", parameters), cost("FLOPs of the products", flops), cost("stored scores", stored)];
    costs.replaceChildren(element("span", {}, letter("D"), " = ", element("b", {}, String(E / H))), ...all);
  }

  return {
    tabs: tabs.node,
    controls: { word: word.node, H: heads.node },
    more: {
      off: off.node,
      block: block.node,
      L: length.node,
      part: tabs.node,
      merge: merge.node,
      E: width.node,
      project: project.node,
      seed,
      costs,
    },
    update,
    count,
  };
}
