// ShapeLab: from x to y with every tensor drawn to scale, and the chosen one as heatmaps.

import { element, letters, slider, toggle } from "../kit/dom.js";
import { heatmap } from "../kit/heatmap.js";
import { makeLab } from "../kit/host.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { divisors, range } from "../kit/math.js";
import { numbersAt, spoken } from "./cell.js";
import { axesNow, coincidences, compute, PAIRED, STEPS, shapeOf } from "./model.js";
import { panel } from "./panel.js";
import { path } from "./path.js";

/** @typedef {import("../kit/facets.js").Place} Place */
/** @typedef {import("../kit/layer.js").LayerState & { step: string, pin: Place | null }} State */

const MEANINGS = {
  ...{ B: "sentences", H: "heads", L: "words that look", D: "numbers per head" },
  ...{ S: "words looked at", G: "key/value heads" },
};

const KEYS = "Arrow keys move through a table, page up and page down through the heads, home and end through the sentences.";

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, exact }) {
  /** @type {{ name: string, axes: string, state: State, results: any, columns: number, R: number, C: number } | null} */
  let drawn = null;
  /** @type {Place | null} */
  let hovered = null;
  let sayPinned = false; // as soon as its numbers are here
  let noted = "";

  /** @param {string} axis */
  const sliderFor = (axis) =>
    slider(axis, MEANINGS[/** @type {keyof typeof MEANINGS} */ (axis)], (size) => set(changesFor(axis, size)));
  const sliders = Object.fromEntries(Object.keys(MEANINGS).map((axis) => [axis, sliderFor(axis)]));
  const crossing = toggle("look at another sentence (S)", (on) => set({ S: on ? Math.min(get("L") + 2, limits().S[1]) : null }));
  const grouping = toggle("share key/value heads (G)", (on) => set({ G: on ? (divisors(get("H")).at(-2) ?? 1) : null }));
  const scaling = toggle("divide by √D", (on) => set({ scale: on }));
  const hiding = toggle("hide later words (causal)", (on) => set({ causal: on }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other parameters");
  const notes = element("p", { class: "notes" });
  const steps = path((step) => set({ step }));
  const about = element("p", { class: "about" });
  const map = heatmap(point, () => inside(get("pin")));
  const explanation = panel();
  const node = element(
    "div",
    { class: "shape-lab" },
    element("div", { class: "sliders" }, ...Object.values(sliders).map((one) => one.node)),
    element("div", { class: "toggles" }, crossing.node, grouping.node, scaling.node, hiding.node, seed),
    notes,
    steps.node,
    about,
    explanation.node,
    map.node,
  );

  /**
   * The settings that a slider changes. G counts key/value heads, so it divides H: its slider goes through the divisors, and a new H
   * takes G along.
   *
   * @param {string} axis
   * @param {number} size
   */
  function changesFor(axis, size) {
    if (axis === "G") return { G: divisors(get("H"))[size - 1] };
    if (axis !== "H" || get("G") === null) return { [axis]: size };
    return { H: size, G: divisors(size).findLast((n) => n <= get("G")) };
  }

  /**
   * @param {Place | null} place
   * @param {boolean} kept
   * @param {"click" | "key"} [how]
   */
  function point(place, kept, how) {
    if (!drawn) return;
    hovered = kept ? null : place;
    if (kept) {
      const again = how === "click" && JSON.stringify(place) === JSON.stringify(get("pin"));
      sayPinned = place !== null && !again && PAIRED.has(drawn.name);
      set({ pin: again ? null : place });
    }
    if (!drawn.results.q) set({ _pointed: hovered }); // the kernel has the exact numbers
    explain();
  }

  /** Mark and explain the cell under the pointer, or else the pinned one. */
  function explain() {
    if (!drawn) return;
    const { name, axes, state, results } = drawn;
    const place = inside(hovered ?? get("pin"));
    map.mark(place);
    if (!place) return explanation.clear();
    const numbers = results.q ? numbersAt(state, results, name, place) : sentNumbers(name, place);
    if (!numbers) return; // until the kernel has sent them
    explanation.explain(name, axes, state, numbers, place);
    if (sayPinned && !hovered) {
      sayPinned = false;
      say(spoken(state, numbers, place));
    }
  }

  /**
   * The numbers of a cell that the kernel has sent, null if they have not arrived.
   *
   * @param {string} name
   * @param {Place} place
   * @returns {any}
   */
  function sentNumbers(name, place) {
    const sent = exact();
    return sent?.step === name && String(sent.place) === String(place) ? sent : null;
  }

  /**
   * A place, or null if the drawn tensor does not have it.
   *
   * @param {Place | null} place
   */
  function inside(place) {
    if (!drawn || !place) return null;
    const sizes = [sizesOf(drawn.state).B, drawn.columns, drawn.R, drawn.C];
    return place.every((at, n) => at < sizes[n]) ? place : null;
  }

  /**
   * @param {State} state
   * @param {any} results
   */
  function drawMap(state, results) {
    const sizes = sizesOf(state);
    const name = results[state.step] ? state.step : "scores"; // there is no context in self-attention
    const axes = axesNow(STEPS.find(([step]) => step === name)?.[1] ?? "", state);
    const shape = shapeOf(axes, sizes);
    const [R, C] = shape.slice(-2);
    const columns = shape.length === 4 ? shape[1] : 1;
    const heads = shape.length === 4 ? axes[2] : null;
    const [rowAxis, paired] = [/** @type {"L" | "S"} */ (axes.split(" ").at(-2)), PAIRED.has(name)];
    const kind = name === "weights" ? "weights" : "signed";
    const sent = exact();
    const most = map.draw({
      ...{ data: results[name], most: sent?.step === name ? sent.most : undefined, kind, rows: sizes.B, columns, R, C },
      words: {
        rows: wordsAlong(state, rowAxis),
        columns: paired ? wordsAlong(state, "S") : range(sizes.B).map(() => range(C).map(String)),
      },
      titles: {
        rows: { axis: "B", names: range(sizes.B).map((b) => `sentence ${b}`) },
        columns: heads ? { axis: heads, names: range(columns).map((h) => `head ${h}`) } : null,
      },
      label: `${name}: ${sizes.B} × ${columns} tables of ${R} by ${C} numbers. ${KEYS}`,
    });
    drawn = { name, axes, state, results, columns, R, C };
    const legend = kind === "weights" ? "0 is dark, 1 bright" : `−${most.toFixed(1)} is blue, ${most.toFixed(1)} red`;
    about.replaceChildren(
      ...[element("strong", {}, name), " ", letters(axes), ` = (${shape.join(", ")}). `],
      `Down: sentences${heads ? "; across: heads" : ""}. The rows of a table are words${paired ? " that look" : ""}, `,
      `its columns ${paired ? "the words looked at" : "their numbers"}; ${legend}.`,
    );
    explain();
  }

  /**
   * @param {State} state
   * @param {any} results
   */
  function draw(state, results) {
    map.measure();
    if (results) drawMap(state, results); // before the controls: a canvas, too, waits until the browser knows all styles
    const sizes = sizesOf(state);
    const most = limits();
    for (const axis of /** @type {const} */ (["B", "H", "L", "D", "S"])) sliders[axis].update(sizes[axis], most[axis]);
    const shares = divisors(sizes.H);
    sliders.G.update(shares.indexOf(sizes.G) + 1, [1, shares.length], String(sizes.G));
    sliders.S.node.hidden = state.S === null;
    sliders.G.node.hidden = state.G === null;
    crossing.update(state.S !== null);
    grouping.update(state.G !== null);
    scaling.update(state.scale);
    hiding.update(state.causal);
    note(coincidences(state));
    steps.draw(state, sizes);
  }

  /**
   * Say which sizes coincide and what that hides, for two pairs at most: at B = H = L = D = 1 all sizes coincide.
   *
   * @param {string[]} all
   */
  function note(all) {
    const text = all.slice(0, 2).join(" ") + (all.length > 2 ? ` And ${all.length - 2} more.` : "");
    if (text === noted) return;
    noted = text;
    notes.textContent = text;
    if (text) say(text);
  }

  return { node, draw, drawExact: explain };
}

export const lab = makeLab({
  title: "ShapeLab: move the sizes and watch every tensor of multi-head attention",
  compute,
  build,
});
