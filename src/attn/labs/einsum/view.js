// EinsumLab: write a formula; see which axes are matched, free and summed, its loops, and what it computes.

import { element, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { coincidences, pinText, workText } from "./explain.js";
import { lettersOf, readFormula, shapeOf, summedLetters } from "./formula.js";
import { loopTable } from "./loops.js";
import { compute, indexOf, OPERANDS } from "./model.js";
import { axesOf, tracePin } from "./pin.js";
import { facetShape, tensorMap } from "./tensors.js";

/** @typedef {import("../kit/facets.js").Place} Place */

const MEANINGS = {
  ...{ B: "samples", L: "queries", S: "keys", E: "width of a token" },
  ...{ H: "heads", G: "key/value heads", D: "width of a head" },
};
const SLIDERS = [..."BHGLSDE"];
const EXAMPLES = {
  scores: "bhld,bhsd->bhls",
  "weighted sum": "bhls,bhsd->bhld",
  "two vectors": "d,d->",
  "each with each": "l,s->ls",
  "sums of rows": "bhls->bhl",
  diagonal: "bhll->bhl",
  "heads into W_O": "bhld,hde->ble",
  "b forgotten": "bhld,bhsd->hls",
  "h under two names": "bhls,bgsd->bhld",
};
const HINT = "Point at a number, or tap it: of the result, to see what it is made of; of left or right, to see where it goes.";

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, announce }) {
  /** @type {{ state: any, formula: import("./formula.js").Formula, results: any } | null} */
  let drawn = null;
  /** @type {string | null} */
  let formulaBeforeDraft = null; // the formula that stays drawn while the text in the field is invalid; null if it is valid
  /** @type {number[] | null} */
  let hovered = null;
  /** @type {{ pin: number[], shape: string | null } | null} */
  let lastPin = null;
  const id = unique("einsum");

  const input = element("input", {
    ...{ type: "text", id, class: "formula", spellcheck: "false", autocomplete: "off", autocapitalize: "off" },
    ...{ "aria-describedby": `${id}-why`, oninput: onType },
  });
  const problem = element("p", { class: "problem", id: `${id}-why`, role: "alert" });
  const operands = element("span", {});
  const call = element("span", { class: "call" }, 'result = torch.einsum("');
  const line = element(
    "div",
    { class: "line" },
    element("label", { for: id }, "Formula"),
    element("code", {}, call, input, '"', operands, ")"),
  );
  const examples = Object.entries(EXAMPLES).map(([name, formula]) => {
    return { formula, node: element("button", { type: "button", onclick: () => choose(formula) }, name) };
  });
  const sliders = SLIDERS.map((axis) => ({ axis, ...slider(axis, MEANINGS[axis], (size) => set({ [axis]: size })) }));
  const notes = element("p", { class: "notes" });
  const loops = loopTable();
  const work = element("p", { class: "about" });
  const pinned = element("p", { class: "pinned" });
  const maps = [0, 1, 2].map((side) =>
    tensorMap(
      side,
      (place, kept, how) => onPoint(side, place, kept, how),
      () => pinnedPlace(side),
    ),
  );
  const meaning = element(
    "div",
    { class: "meaning" },
    element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "loops" }, loops.node),
    work,
    pinned,
    element("div", { class: "tensors" }, ...maps.map((map) => map.node)),
  );
  const node = element(
    "div",
    { class: "einsum" },
    line,
    problem,
    element("div", { class: "toggles", role: "group", "aria-label": "examples" }, ...examples.map((example) => example.node)),
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    notes,
    meaning,
  );

  function onType() {
    try {
      readFormula(input.value);
    } catch (error) {
      showProblem(error instanceof Error ? error.message : String(error));
      return;
    }
    choose(input.value);
  }

  function choose(formula) {
    showProblem("");
    set({ formula, pin: pinFor(formula) });
  }

  function showProblem(reason) {
    formulaBeforeDraft = reason ? get("formula") : null;
    setText(problem, reason);
    input.setAttribute("aria-invalid", String(reason !== ""));
    meaning.classList.toggle("old", reason !== "");
  }

  // A pin stays in every formula whose tensor has the same shape, and comes back with such a formula while the reader types.
  function pinFor(text) {
    const sizes = Object.fromEntries(SLIDERS.map((axis) => [axis, get(axis)]));
    const shapeIn = (formula, side) => {
      const axes = axesOf(readFormula(formula))[side];
      return axes === null ? null : String(shapeOf(axes, sizes));
    };
    const pin = get("pin");
    if (pin) lastPin = { pin, shape: shapeIn(get("formula"), pin[0]) };
    return lastPin && shapeIn(text, lastPin.pin[0]) === lastPin.shape ? lastPin.pin : null;
  }

  function restart() {
    lastPin = null;
    showProblem("");
    input.value = get("formula");
  }

  // The place of the pin in the heatmap of this tensor, or null if the pin is in another tensor.
  function pinnedPlace(side) {
    if (!drawn) return null;
    const trace = tracePin(drawn.formula, drawn.state, get("pin"));
    if (trace === null || trace.side !== side) return null;
    return /** @type {Place} */ (indexOf(trace.n, facetShape(side, drawn.formula, drawn.state)));
  }

  // Hovering lights up what belongs to a number; a click pins it, and a second click on it takes the pin away.
  function onPoint(side, place, kept, how) {
    if (!drawn) return;
    const { formula, state, results } = drawn;
    const [, columns, R, C] = facetShape(side, formula, state);
    const pin = place && [side, ((place[0] * columns + place[1]) * R + place[2]) * C + place[3]];
    if (!kept) {
      if (String(pin) === String(hovered)) return;
      hovered = pin;
      light(drawn);
      return;
    }
    const again = how === "click" && String(pin) === String(get("pin"));
    hovered = null;
    lastPin = null;
    set({ pin: again ? null : pin });
    const trace = again ? null : tracePin(formula, state, pin);
    if (trace) say(pinText(formula, state, results, trace));
  }

  // Everything that depends on the number that is pointed at, or else on the pinned one.
  function light({ state, formula, results }) {
    const trace = tracePin(formula, state, hovered ?? state.pin);
    maps.forEach((map, side) => map.spotlight(trace?.cells[side] ?? null));
    setText(pinned, trace ? pinText(formula, state, results, trace) : HINT);
    loops.showIndices(trace?.fixed ?? {});
  }

  function updateControls(state, formula) {
    const letters = lettersOf(formula);
    for (const one of sliders) {
      one.node.hidden = !letters.includes(one.axis.toLowerCase());
      one.update(state[one.axis], limits()[one.axis]);
    }
    const plain = state.formula.replaceAll(" ", "");
    for (const example of examples) example.node.setAttribute("aria-pressed", String(example.formula === plain));
    setText(operands, formula.tensors.map((_, n) => `, ${OPERANDS[n]}`).join(""));
  }

  function draw(state, results) {
    const rooms = maps.map((map) => map.measure());
    if (formulaBeforeDraft !== null && state.formula !== formulaBeforeDraft) showProblem(""); // the formula was set from elsewhere
    if (formulaBeforeDraft === null && input.value !== state.formula) input.value = state.formula;
    if (!results) return;
    const formula = readFormula(state.formula);
    drawn = { state, formula, results };
    maps.forEach((map, side) => map.draw(state, formula, results, rooms[side]));
    updateControls(state, formula);
    loops.draw(state, formula);
    const sentence = workText(formula, state);
    setText(work, sentence);
    setText(notes, coincidences(formula, state).join(" "));
    light(drawn);
    const summed = [...summedLetters(formula)].join(", ").toUpperCase();
    announce(`${summed ? `summed: ${summed}` : "nothing is summed"}. ${sentence}`);
  }

  return { node, draw, restart };
}

export const lab = makeLab({
  title: "EinsumLab: what is summed, what is matched and what is free in a product of two tensors",
  compute,
  build,
});
