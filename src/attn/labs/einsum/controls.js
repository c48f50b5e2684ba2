// The controls of EinsumLab beside the formula: sizes, other formulas, colours, new numbers.

import { colourBy, element, setText, slider } from "../kit/dom.js";
import { lettersOf, readFormula } from "./formula.js";
import { workOf } from "./telling.js";
import { coincidences, PLURALS } from "./words.js";

const OTHERS = {
  "the output": "bhls,bhsd->bhld",
  "two vectors": "d,d->",
  "each with each": "l,s->ls",
  "sums of rows": "bhls->bhl",
  diagonal: "bhll->bhl",
  "heads into W_O": "bhld,hde->ble",
  "b forgotten": "bhld,bhsd->hls",
  "h under two names": "bhls,bgsd->bhld",
};

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {(formula: string) => void} run computes this formula from its start
 */
export function controlsOf({ get, set, limits }, run) {
  const colour = colourBy(["value", "key", "head"], (by) => set({ colour: by }));
  const sliders = Object.entries(PLURALS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const { H, S, ...others } = Object.fromEntries(sliders.map(({ axis, node }) => [axis, node]));
  const formulas = Object.entries(OTHERS).map(([name, text]) => ({
    text,
    node: element("button", { type: "button", onclick: () => run(text) }, name),
  }));
  const group = { class: "others", role: "group", "aria-label": "other formulas" };
  const work = element("p", { class: "work" });
  const reseed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  return {
    first: { H, S },
    more: {
      others: element("div", {}, element("div", group, ...formulas.map(({ node }) => node)), work),
      colour: colour.node,
      ...others,
      seed: reseed,
    },
    sizes: () => Object.fromEntries(Object.keys(PLURALS).map((axis) => [axis, get(axis)])),
    /** @param {import("./model.js").State & { colour: string }} settings */
    update(settings) {
      const formula = readFormula(settings.formula);
      const letters = lettersOf(formula);
      colour.update(settings.colour);
      for (const one of sliders) {
        one.node.hidden = !letters.includes(one.axis.toLowerCase());
        one.update(settings[one.axis], limits()[one.axis]);
      }
      const drawn = settings.formula.replaceAll(" ", "");
      for (const { text, node } of formulas) node.setAttribute("aria-pressed", String(text === drawn));
      setText(work, [`The loops: ${workOf(formula, settings)}`, ...coincidences(formula, settings)].join(" "));
    },
  };
}
