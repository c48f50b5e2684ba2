// What stands beside each graph of ReachLab: its name, how far its race is, and how many tokens the last output reads.

import { element, setText } from "../kit/dom.js";
import { followed, KINDS } from "./model.js";
import { titleOf, verdictOf } from "./words.js";

/** @typedef {import("./model.js").Results} Results */

/** The scores of the three graphs: `place` puts them beside their graphs, `draw` writes them, and `race` what changes while it runs. */
export function scoresOf() {
  const all = KINDS.map((kind) => {
    const [name, big, unit] = [element("b", { class: "name" }), element("b", { class: "big" }), element("span", { class: "unit" })];
    const share = element("b", { class: "share" });
    const steps = element("span", { class: "steps" }, big, unit);
    const reach = element("span", { class: "reach" }, "reads ", share, " tokens");
    return { kind, name, big, unit, steps, share, reach, node: element("p", { class: "score" }, name, steps, reach) };
  });
  return {
    nodes: all.map(({ node }) => node),
    /** @param {import("./layout.js").Plan} plan */
    place({ panels, side, narrow }) {
      for (const { kind, node } of all) {
        node.style.top = `${panels[kind].top}px`;
        node.style.width = narrow ? "100%" : `${side}px`;
      }
    },
    /** @param {import("./model.js").State} state */
    draw(state) {
      for (const { kind, name } of all) setText(name, titleOf(kind, state));
    },
    /** @param {import("./model.js").State} state @param {Results} results @param {import("./scene.js").Graph[]} scene */
    race(state, results, scene) {
      for (const [n, { kind, big, unit, steps, share, reach }] of all.entries()) {
        const { nodes, passed } = scene[n];
        const verdict = verdictOf(kind, results, passed, followed(state));
        setText(big, verdict.big);
        setText(unit, verdict.text);
        steps.className = `steps ${verdict.kind}`;
        setText(share, `${nodes.filter(({ isToken, isRead }) => isToken && isRead).length} of ${state.L}`); // those that are lit
        reach.hidden = !verdict.kind;
      }
    },
  };
}
