// ShapeLab: from x to y with every tensor drawn to scale, and the one that is chosen as heatmaps.

import { element, letters, slider, toggle } from "../kit/dom.js";
import { heatmap } from "../kit/heatmap.js";
import { makeLab } from "../kit/host.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { divisors, range } from "../kit/math.js";
import { panel, spoken } from "./explain.js";
import { axesNow, coincidences, compute, PAIRED, STEPS, shapeOf } from "./model.js";
import { path } from "./path.js";

const MEANINGS = {
  ...{ B: "sentences", H: "heads", L: "words that look", D: "numbers per head" },
  ...{ S: "words looked at", G: "key/value heads" },
};

const KEYS = "Arrow keys move through a table, page up and page down through the heads, home and end through the sentences.";

function build({ limits, get, set, say }) {
  let last = null; // what the heatmap shows: { step, state, results, columns, R, C }
  let noted = "";

  const move = (axis) => (size) => set(changed(axis, size));
  const sliders = Object.fromEntries(Object.entries(MEANINGS).map(([axis, meaning]) => [axis, slider(axis, meaning, move(axis))]));
  const crossing = toggle("look at another sentence (S)", (on) => set({ S: on ? Math.min(get("L") + 2, limits().S[1]) : null }));
  const grouping = toggle("share key/value heads (G)", (on) => set({ G: on ? (divisors(get("H")).at(-2) ?? 1) : null }));
  const scaling = toggle("divide by √D", (on) => set({ scale: on }));
  const hiding = toggle("hide later words (causal)", (on) => set({ causal: on }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other parameters");
  const notes = element("p", { class: "notes" });
  const way = path((step) => set({ step }));
  const about = element("p", { class: "about" });
  const map = heatmap(point, () => inside(get("pin")));
  const pinned = panel();
  const node = element(
    "div",
    { class: "shape-lab" },
    element("div", { class: "sliders" }, ...Object.values(sliders).map((one) => one.node)),
    element("div", { class: "toggles" }, crossing.node, grouping.node, scaling.node, hiding.node, seed),
    notes,
    way.node,
    about,
    pinned.node,
    map.node,
  );

  // G counts key/value heads, so it divides H: its slider walks through the divisors, and a new H takes G along.
  function changed(axis, size) {
    if (axis === "G") return { G: divisors(get("H"))[size - 1] };
    if (axis === "H" && get("G") !== null)
      return {
        H: size,
        G: divisors(size)
          .filter((n) => n <= get("G"))
          .at(-1),
      };
    return { [axis]: size };
  }

  function point(place, kept, how) {
    if (!last) return;
    if (kept) {
      const again = how === "click" && JSON.stringify(place) === JSON.stringify(get("pin"));
      set({ pin: again ? null : place });
      if (place && !again && PAIRED.has(last.step[0])) say(spoken(last.state, last.results, place));
    }
    explain(kept ? null : place);
  }

  // Mark and explain the cell that is pointed at, or else the one that is pinned.
  function explain(hovered) {
    const { step, state, results, columns, R, C } = last;
    const place = inside(hovered ?? get("pin"));
    map.mark(place);
    pinned.draw(step, state, results, place, place && ((place[0] * columns + place[1]) * R + place[2]) * C + place[3]);
  }

  // A place, or null if the tensor that is drawn does not have it.
  function inside(place) {
    const sizes = [sizesOf(last.state).B, last.columns, last.R, last.C];
    return place?.every((at, n) => at < sizes[n]) ? place : null;
  }

  function drawMap(state, results) {
    const sizes = sizesOf(state);
    const step = STEPS.find(([name]) => name === state.step && results[name]) ?? STEPS.find(([name]) => name === "scores");
    const [name, axes] = [step[0], axesNow(step[1], state)];
    const shape = shapeOf(axes, sizes);
    const [R, C] = shape.slice(-2);
    const columns = shape.length === 4 ? shape[1] : 1;
    const heads = shape.length === 4 ? axes[2] : null;
    const [rowsAre, paired] = [axes.split(" ").at(-2), PAIRED.has(name)];
    const kind = name === "weights" ? "weights" : "signed";
    const most = map.draw({
      data: results[name],
      rows: sizes.B,
      columns,
      R,
      C,
      kind,
      words: { rows: wordsAlong(state, rowsAre), columns: paired ? wordsAlong(state, "S") : range(sizes.B).map(() => range(C).map(String)) },
      titles: {
        rows: { axis: "B", names: range(sizes.B).map((b) => `sentence ${b}`) },
        columns: heads && { axis: heads, names: range(columns).map((h) => `head ${h}`) },
      },
      label: `${name}: ${sizes.B} × ${columns} tables of ${R} by ${C} numbers. ${KEYS}`,
    });
    last = { step, state, results, columns, R, C };
    const legend = kind === "weights" ? "0 is dark, 1 bright" : `−${most.toFixed(1)} is blue, ${most.toFixed(1)} red`;
    about.replaceChildren(
      ...[element("strong", {}, name), " ", letters(axes), ` = (${shape.join(", ")}). `],
      `Down: sentences${heads ? "; across: heads" : ""}. The rows of a table are words${paired ? " that look" : ""}, `,
      `its columns ${paired ? "the words looked at" : "their numbers"}; ${legend}.`,
    );
    explain(null);
  }

  function draw(state, results) {
    map.measure();
    if (results) drawMap(state, results); // before the controls: a canvas, too, waits until the browser knows all styles
    const sizes = sizesOf(state);
    const most = limits();
    for (const axis of ["B", "H", "L", "D", "S"]) sliders[axis].update(sizes[axis], most[axis]);
    const shares = divisors(sizes.H);
    sliders.G.update(shares.indexOf(sizes.G) + 1, [1, shares.length], String(sizes.G));
    sliders.S.node.hidden = state.S === null;
    sliders.G.node.hidden = state.G === null;
    crossing.update(state.S !== null);
    grouping.update(state.G !== null);
    scaling.update(state.scale);
    hiding.update(state.causal);
    note(coincidences(state));
    way.draw(state, sizes);
  }

  // Which sizes coincide, and what that hides; two at most, since at B = H = L = D = 1 everything does.
  function note(all) {
    const text = all.slice(0, 2).join(" ") + (all.length > 2 ? ` And ${all.length - 2} more.` : "");
    if (text === noted) return;
    noted = text;
    notes.textContent = text;
    if (text) say(text);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "ShapeLab: move the sizes and watch every tensor of multi-head attention",
  compute,
  build,
});
