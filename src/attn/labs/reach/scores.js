// What stands beside each graph of ReachLab: its name, how far its race is, and its counts.

import { element, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { followed, KINDS } from "./model.js";
import { reachOf, titleOf, verdictOf } from "./words.js";

/** @typedef {import("./model.js").Results} Results */

/** The scores of the three graphs: `place` puts them beside their graphs, `draw` writes them, and `race` what changes while it runs. */
export function scoresOf() {
  const all = KINDS.map((kind) => {
    const [name, big, unit] = [element("b", { class: "name" }), element("b", { class: "big" }), element("span", { class: "unit" })];
    const [reach, cost] = [element("span", { class: "reach" }), element("span", { class: "cost" })];
    const steps = element("span", { class: "steps" }, big, unit);
    const facts = element("span", { class: "facts" }, reach, cost);
    return { kind, name, big, unit, steps, reach, cost, facts, node: element("p", { class: "score" }, name, steps, facts) };
  });
  return {
    nodes: all.map(({ node }) => node),
    facts: all.map(({ facts }) => facts),
    /** @param {import("./layout.js").Plan} plan */
    place({ panels, side, narrow }) {
      for (const { kind, node } of all) {
        node.style.top = `${panels[kind].top}px`;
        node.style.width = narrow ? "100%" : `${side}px`;
      }
    },
    /** @param {import("./model.js").State} state @param {Results} results */
    draw(state, results) {
      for (const { kind, name, reach, cost } of all) {
        setText(name, titleOf(kind, state));
        setText(reach, reachOf(results.counts[kind], state.L));
        setText(cost, `${integer(results.counts[kind].multiplications)} multiplications`);
      }
    },
    /** @param {import("./model.js").State} state @param {Results} results @param {Record<string, number>} passed steps of each graph */
    race(state, results, passed) {
      for (const { kind, big, unit, steps } of all) {
        const verdict = verdictOf(kind, results, passed[kind], followed(state));
        setText(big, verdict.big);
        setText(unit, verdict.text);
        steps.className = `steps ${verdict.kind}`;
      }
    },
  };
}
