// CacheLab: one step of generation. What comes from the cache, what is computed now, and what nobody will ever read again.

import { choice, element, letters, setText, slider, toggle, unique } from "../kit/dom.js";
import { byteCount, number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { compute, divisors, firstNew, LAYERS, ROUNDING, seenBy, wordsSoFar } from "./model.js";
import { cellStory, difference, isStale, lampOf, noticed, queryCache } from "./words.js";

const thousands = new Intl.NumberFormat("en");
const LEGEND = [
  ["kept", "from the cache"],
  ["now", "computed now"],
  ["gone", "computed earlier, not kept"],
  ["noise", "overwritten"],
  ["off", "a full pass gives this row other numbers"],
];
const COUNTED = [
  "words computed",
  "multiplications, this step",
  "multiplications, all steps so far",
  "read from the cache",
  "kept for the next step",
];

function build({ limits, get, set, say }) {
  let last = null; // what is drawn: { state, results, h }
  let pointed = null; // { tensor, i, j }
  let announced = null;
  const name = unique("cache");
  const radios = (key, title, options) => choice(`${name}-${key}`, title, options, (value) => set({ [key]: value }));
  const numbered = (key, title, [least, most]) => {
    const options = range(most - least + 1).map((n) => [least + n, `${least + n}`]);
    return choice(`${name}-${key}`, title, options, (value) => set({ [key]: value }));
  };

  const far = slider("S", "words so far", (S) => set({ S, at: Math.min(get("at"), S - 1) }));
  const next = element("button", { type: "button", onclick: () => set({ S: get("S") + 1 }) }, "next word");
  const prompt = slider(null, "words of the prompt", (P) => set({ P, S: Math.max(P, get("S")) }));
  const heads = slider("H", "heads", (H) =>
    set({
      H,
      G: divisors(H)
        .filter((n) => n <= get("G"))
        .at(-1),
    }),
  );
  const groups = slider("G", "key/value heads", (n) => set({ G: divisors(get("H"))[n - 1] }));
  const width = slider("D", "numbers per head", (D) => set({ D }));
  const hiding = toggle("hide later words (causal)", (causal) => set({ causal }));
  const layer = numbered("layer", "Layer", [1, LAYERS]);
  const head = numbered("head", "Head", limits().head);
  const overwrite = radios("overwrite", "Overwrite", [
    ["nothing", "nothing"],
    ["q", "a query"],
    ["k", "a key"],
    ["v", "a value"],
  ]);
  const place = slider(null, "of word", (at) => set({ at }));
  const lamp = element("p", { class: "lamp" });
  const legend = element(
    "p",
    { class: "legend" },
    ...LEGEND.map(([look, text]) => element("span", {}, element("i", { class: look, "aria-hidden": "true" }), ` ${text}`)),
  );
  const drawn = element("p", { class: "hint" });
  const tensors = Object.fromEntries(
    [
      ["q", "B H L D"],
      ["k", "B G S D"],
      ["v", "B G S D"],
      ["weights", "B H L S"],
      ["heads", "B H L D"],
    ].map(([tensor, axes]) => [tensor, section(tensor, axes)]),
  );
  const effects = matrix(() => {});
  const felt = element(
    "section",
    { class: "felt" },
    element("p", { class: "title" }, element("strong", {}, "rows of the output")),
    effects.node,
  );
  const told = element("p", { class: "told" });
  const cell = element("p", { class: "hint cell" });
  const body = element("tbody");
  const titles = ["in this layer", "with the cache", "without"].map((title) => element("th", { scope: "col" }, title));
  const counts = COUNTED.map((title) => [element("td"), element("td"), title]);
  body.append(...counts.map(([a, b, title]) => element("tr", {}, element("th", { scope: "row" }, title), a, b)));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...titles)), body);
  const queries = element("p", { class: "hint" });
  const node = element(
    "div",
    { class: "cache-lab" },
    element("div", { class: "sliders" }, far.node, prompt.node, heads.node, groups.node, width.node),
    element("div", { class: "toggles" }, next, hiding.node, layer.node, head.node),
    element("div", { class: "toggles" }, overwrite.node, place.node),
    lamp,
    told,
    element("div", { class: "blocks" }, felt, element("section", { class: "about" }, drawn, legend, cell)),
    element("div", { class: "blocks" }, tensors.q.node, tensors.k.node, tensors.v.node),
    element("div", { class: "blocks" }, tensors.weights.node, tensors.heads.node),
    element("section", { class: "costs" }, table, queries),
  );

  function section(tensor, axes) {
    const shape = element("span", { class: "numbers" });
    const which = element("span");
    const cells = matrix((n, how) => point(tensor, n, how));
    const title = element("p", { class: "title" }, element("strong", {}, tensor), " ", letters(axes), " = ", shape, which);
    return { cells, shape, which, node: element("section", { "data-tensor": tensor }, title, cells.node) };
  }

  // Pointing explains a cell; a click on a row of q, k or v overwrites it, a second one gives it its own numbers back.
  function point(tensor, n, how) {
    if (!last) return;
    const columns = tensor === "weights" ? last.state.S : last.state.D;
    pointed = n === null ? null : { tensor, i: Math.floor(n / columns), j: n % columns };
    if (how === "click" && tensor in { q: 1, k: 1, v: 1 }) {
      const again = get("overwrite") === tensor && get("at") === pointed.i;
      set(again ? { overwrite: "nothing" } : { overwrite: tensor, at: pointed.i });
    }
    explain();
    if (how === "key" && pointed) say(cell.textContent);
  }

  // The numbers of one head: (rows, columns) of the tensor as it is drawn.
  function slice(tensor) {
    const { state, results, h } = last;
    const { S, D, H, G } = state;
    const at = tensor === "k" || tensor === "v" ? Math.floor((h * G) / H) : h;
    const size = S * (tensor === "weights" ? S : D);
    return results[tensor].subarray(at * size, (at + 1) * size);
  }

  function explain() {
    const { state, results } = last;
    const inside =
      pointed && pointed.i < state.S && pointed.j < (pointed.tensor === "weights" ? state.S : state.D) ? pointed : null;
    const columns = inside && (inside.tensor === "weights" ? state.S : state.D);
    const value = inside && slice(inside.tensor)[inside.i * columns + inside.j];
    setText(
      cell,
      inside
        ? cellStory(inside.tensor, inside.i, inside.j, state, results, value)
        : "Point at a cell to see when it was computed and who reads it.",
    );
  }

  function drawTensors() {
    const { state, results, h } = last;
    const { S, H, G, D, overwrite: what, at } = state;
    const start = firstNew(state);
    const L = S - start;
    const words = wordsSoFar(state);
    const g = Math.floor((h * G) / H);
    const shapes = { q: [1, H, L, D], k: [1, G, S, D], v: [1, G, S, D], weights: [1, H, L, S], heads: [1, H, L, D] };
    for (const [tensor, { cells, shape, which }] of Object.entries(tensors)) {
      const isKept = tensor === "k" || tensor === "v";
      const C = tensor === "weights" ? S : D;
      const unseen = (n) => tensor === "weights" && n % C >= seenBy(Math.floor(n / C), state);
      const looks = (n) => {
        const i = Math.floor(n / C);
        const look = unseen(n) ? "faint" : i >= start ? "now" : isKept ? "kept" : "gone";
        return [look, tensor === what && i === at && "noise", isStale(tensor, i, results) && "off"].filter(Boolean).join(" ");
      };
      const label = `${tensor} of ${isKept ? `key/value head ${g}` : `head ${h}`}: ${S} words down${tensor === "weights" ? ", words looked at across" : ""}. Arrow keys walk.`;
      const columns = tensor === "weights" ? range(S).map(String) : null;
      const rows = words.map((word, i) => `${i} ${word}`);
      setText(shape, `(${shapes[tensor].join(", ")})`);
      setText(which, isKept || !start ? "" : ", last row");
      cells.draw({
        data: slice(tensor),
        R: S,
        C,
        kind: "plain",
        titles: { rows, columns },
        looks,
        label,
        text: (value, n) => (unseen(n) ? "" : short(value, tensor === "weights" ? 2 : 1)),
      });
    }
    setText(drawn, `Drawn: layer ${state.layer}, head ${h}, which reads key/value head ${g}.`);
    const [moved, gap] = [results.moved, results.gap];
    effects.draw({
      data: range(S).flatMap((i) => [moved[i], gap[i]]),
      R: S,
      C: 2,
      kind: "plain",
      text: difference,
      titles: {
        rows: range(S).map((i) => (i < start ? `${i}` : `new ${i}`)),
        columns: ["would move, if computed again", "full pass differs"],
      },
      looks: (n) => ((n % 2 ? gap : moved)[n >> 1] > ROUNDING ? (n % 2 ? "off" : n >> 1 < start ? "would" : "moves") : ""),
      label:
        "for each row of the output: by how much it would move, if computed again with what is overwritten; and by how much a full pass differs without the overwriting",
    });
  }

  function drawCounts(state, { computed, step, text, read, kept, queries: unread }) {
    const rows = [computed, step, text].map((pair) => pair.map((n) => thousands.format(n)));
    const values = [...rows, [byteCount(read), byteCount(0)], [byteCount(kept), byteCount(0)]];
    counts.forEach(([a, b], n) => {
      setText(a, values[n][0]);
      setText(b, values[n][1]);
    });
    setText(queries, queryCache(state, byteCount(unread)));
  }

  function draw(state, results) {
    const h = Math.min(state.head, state.H - 1);
    const can = divisors(state.H);
    far.update(state.S, [state.P, limits().S[1]]);
    next.disabled = state.S >= limits().S[1];
    prompt.update(state.P, limits().P);
    heads.update(state.H, limits().H);
    groups.update(can.indexOf(state.G) + 1, [1, can.length], String(state.G));
    width.update(state.D, limits().D);
    hiding.update(state.causal);
    layer.update(state.layer);
    head.update(h);
    head.inputs.forEach((input, n) => (input.parentNode.hidden = n >= state.H));
    overwrite.update(state.overwrite);
    place.update(state.at, [0, state.S - 1]);
    place.input.disabled ||= state.overwrite === "nothing";
    if (!results) return;
    last = { state, results, h };
    const { kind, text } = lampOf(state, results);
    lamp.dataset.kind = kind;
    setText(lamp, text);
    drawTensors();
    const found = noticed(state, results);
    setText(told, found);
    explain();
    drawCounts(state, results.costs);
    const spoken = `${text} ${found}`;
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw };
}

// A number without the sign of a zero: 0.0, not −0.0.
function short(value, digits) {
  return number(Math.round(value * 10 ** digits) / 10 ** digits + 0, digits);
}

export const lab = makeLab({
  title: "CacheLab: what a step of generation reads, computes and throws away",
  compute,
  build,
});
