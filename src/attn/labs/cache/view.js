// CacheLab: one step of generation; what comes from the cache, what is computed now, and what is never read again.

import { choice, element, setText, slider, toggle, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { divisors, range } from "../kit/math.js";
import { counters } from "./counters.js";
import { cellText, comparison, overwriteEffect } from "./explain.js";
import { compute } from "./model.js";
import { drawnHead, outputTable, tensorTable, valueAt } from "./tensors.js";

const LEGEND = [
  ["kept", "from the cache"],
  ["now", "computed now"],
  ["discarded", "computed earlier, not kept"],
  ["overwritten", "overwritten"],
  ["stale", "a full pass gives this row other numbers"],
];
/** @type {import("./explain.js").TensorName[]} */
const TENSORS = ["q", "k", "v", "weights", "heads"];

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, announce }) {
  /** @type {import("./tensors.js").Shown | null} */
  let shown = null;
  /** @type {{ tensor: import("./explain.js").TensorName, i: number, j: number } | null} */
  let pointed = null;

  const name = unique("cache");
  const radios = (key, title, options) => choice(`${name}-${key}`, title, options, (value) => set({ [key]: value }));
  const numberRadios = (key, title, [least, most]) => {
    const options = range(most - least + 1).map((n) => [least + n, `${least + n}`]);
    return radios(key, title, options);
  };

  const soFar = slider("S", "words so far", (S) => set({ S, at: Math.min(get("at"), S - 1) }));
  const next = element("button", { type: "button", onclick: () => set({ S: get("S") + 1 }) }, "next word");
  const prompt = slider(null, "words of the prompt", (P) => set({ P, S: Math.max(P, get("S")) }));
  const heads = slider("H", "heads", (H) => set({ H, G: Math.max(...divisors(H).filter((n) => n <= get("G"))) }));
  const groups = slider("G", "key/value heads", (n) => set({ G: divisors(get("H"))[n - 1] }));
  const width = slider("D", "numbers per head", (D) => set({ D }));
  const causal = toggle("hide later words (causal)", (on) => set({ causal: on }));
  const layer = numberRadios("layer", "Layer", limits().layer);
  const head = numberRadios("head", "Head", limits().head);
  const overwrite = radios("overwrite", "Overwrite", [
    ["nothing", "nothing"],
    ["q", "a query"],
    ["k", "a key"],
    ["v", "a value"],
  ]);
  const place = slider(null, "of word", (at) => set({ at }));

  const verdict = element("p", { class: "verdict" });
  const effect = element("p", { class: "effect" });
  const drawn = element("p", { class: "hint" });
  const swatch = (look) => element("i", { class: look, "aria-hidden": "true" });
  const legend = element("p", { class: "legend" }, ...LEGEND.map(([look, text]) => element("span", {}, swatch(look), ` ${text}`)));
  const cell = element("p", { class: "hint cell" });
  const output = outputTable();
  const tables = Object.fromEntries(TENSORS.map((tensor) => [tensor, tensorTable(tensor, (n, how) => point(tensor, n, how))]));
  const counts = counters();
  const blocks = (...parts) => element("div", { class: "blocks" }, ...parts);
  const node = element(
    "div",
    { class: "cache-lab" },
    element("div", { class: "sliders" }, soFar.node, prompt.node, heads.node, groups.node, width.node),
    element("div", { class: "toggles" }, next, causal.node, layer.node, head.node),
    element("div", { class: "toggles" }, overwrite.node, place.node),
    verdict,
    effect,
    blocks(output.node, element("section", { class: "about" }, drawn, legend, cell)),
    blocks(tables.q.node, tables.k.node, tables.v.node),
    blocks(tables.weights.node, tables.heads.node),
    counts.node,
  );

  // Pointing at a cell explains it. A click on a row of q, k or v overwrites that row; a second click restores it.
  function point(tensor, n, how) {
    if (!shown) return;
    const columns = tensor === "weights" ? shown.state.S : shown.state.D;
    pointed = n === null ? null : { tensor, i: Math.floor(n / columns), j: n % columns };
    if (how === "click" && pointed && tensor in { q: 1, k: 1, v: 1 }) {
      const again = get("overwrite") === tensor && get("at") === pointed.i;
      set(again ? { overwrite: "nothing" } : { overwrite: tensor, at: pointed.i });
    }
    explain(shown);
    if (how === "key" && pointed) say(cell.textContent);
  }

  function explain(current) {
    const value = pointed && valueAt(pointed, current);
    const hint = "Point at a cell to see when it was computed and who reads it.";
    const { state, results } = current;
    setText(cell, pointed && value !== null ? cellText(pointed.tensor, pointed.i, pointed.j, state, results, value) : hint);
  }

  function updateControls(state, h) {
    const possible = divisors(state.H);
    soFar.update(state.S, [state.P, limits().S[1]]);
    next.disabled = state.S >= limits().S[1];
    prompt.update(state.P, limits().P);
    heads.update(state.H, limits().H);
    groups.update(possible.indexOf(state.G) + 1, [1, possible.length], String(state.G));
    width.update(state.D, limits().D);
    causal.update(state.causal);
    layer.update(state.layer);
    head.update(h);
    head.inputs.forEach((input, n) => {
      input.labels?.forEach((label) => {
        label.hidden = n >= state.H;
      });
    });
    overwrite.update(state.overwrite);
    place.update(state.at, [0, state.S - 1]);
    place.input.disabled ||= state.overwrite === "nothing";
  }

  function draw(state, results) {
    const h = Math.min(state.head, state.H - 1);
    updateControls(state, h);
    if (!results) return;
    shown = { state, results, h };
    const { kind, text } = comparison(state, results);
    const change = overwriteEffect(state, results);
    verdict.dataset.kind = kind;
    setText(verdict, text);
    setText(effect, change);
    for (const tensor of TENSORS) tables[tensor].draw(shown);
    setText(drawn, drawnHead(shown));
    output.draw(shown);
    explain(shown);
    counts.draw(state, results.costs);
    announce(`${text} ${change}`);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "CacheLab: what a step of generation reads, computes and throws away",
  compute,
  build,
});
