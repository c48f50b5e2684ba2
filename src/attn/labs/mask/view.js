// MaskLab: a mask that the reader ticks and paints, beside the weights of a real layer under it.

import { choice, element, letter, setText, slider, toggle, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { broadcast } from "./broadcast.js";
import { batchOf, compute, FILLS, keepOf, lowest, placesOf, positionOf, repainted, SHAPES } from "./model.js";
import {
  emptyRows,
  FILL_NAMES,
  fillsOf,
  findings,
  HANDED,
  outcome,
  placeOf,
  SPELLINGS,
  story,
  strangers,
  weightText,
} from "./words.js";

const PAINT = "Arrow keys walk, space paints a cell: may look, or may not.";

function build({ limits, get, set, say }) {
  let last = null; // what is drawn: { state, results, b, h, S, words, keep }
  let hovered = null; // a cell's number, row by row
  let brush = 0; // what a drag paints

  const name = unique("mask");
  const radios = (key, title, options) => choice(`${name}-${key}`, title, options, (value) => set({ [key]: value }));
  const sentence = choice(
    `${name}-sentence`,
    "Sentence",
    range(limits().sentence[1] + 1).map((b) => [b, `${b}`]),
    (b) => set({ sentence: b }),
  );
  const head = choice(
    `${name}-head`,
    "Head",
    range(limits().head[1] + 1).map((h) => [h, `${h}`]),
    (h) => set({ head: h }),
  );
  const asking = slider("L", "words that ask", (L) => set({ L }));
  const heads = slider("H", "heads", (H) => set({ H }));
  const hiding = toggle("causal", (on) => set({ causal: on }));
  const filling = toggle("padding", (on) => set({ padding: on }));
  const nearing = toggle("window", (on) => set({ window: on ? 2 : null }));
  const width = slider(null, "width of the window", (size) => set({ window: size }));
  const pads = radios("pads", "Padding stands", [
    ["behind", "behind"],
    ["in front", "in front"],
  ]);
  const corner = radios("corner", "Query i is at", [
    ["bottom right", "S − L + i"],
    ["top left", "i, the top left"],
  ]);
  const clear = element("button", { type: "button", onclick: () => set({ painted: [] }) }, "clear what is painted");
  const mask = matrix(point, paint);
  const weights = matrix(point);
  const under = element("p", { class: "title" });
  const told = element("p", { class: "told" });
  const legend = element(
    "p",
    { class: "hint" },
    "Click or drag in the mask to paint exceptions (dashed). Red frame: not what is meant, a query that does not see itself, or a row that sees nothing and has no zeros.",
  );
  const notes = element("p", { class: "notes" });
  const pair = element(
    "div",
    { class: "pair" },
    element(
      "section",
      {},
      element("p", { class: "title" }, element("strong", {}, "mask"), ": ✓ row ", letter("L"), " may look at column ", letter("S")),
      mask.node,
    ),
    element("section", {}, under, weights.node),
  );
  const details = [
    ["spellings", "four spellings"],
    ["broadcast", "the broadcast"],
    ["empty rows", "the row that sees nothing"],
  ];
  const detail = radios("detail", "Look closer", details);

  const spelled = SPELLINGS.map(([title, means, who, text]) => {
    const cells = matrix(point);
    const about = element("p", {}, element("strong", {}, title), element("br"), means, element("br"), element("small", {}, who));
    return { cells, text, title, node: element("section", {}, about, cells.node) };
  });
  const shapes = SHAPES.map((shape) => [shape, element("span", {}, ...shapeOf(shape), " ", element("code", {}, HANDED[shape]))]);
  const stored = radios("stored", "Handed over as", shapes);
  const spread = broadcast();
  const dtype = radios("dtype", "Numbers", [
    ["float32", "float32"],
    ["float16", "float16"],
  ]);
  const fill = radios(
    "fill",
    "Added to forbidden scores",
    FILLS.map((one) => [one, FILL_NAMES[one]]),
  );
  const asked = element("p", { class: "title" });
  const fills = matrix(() => {});
  const came = element("p", { class: "notes" });
  const panels = {
    spellings: element("div", { class: "spelled" }, ...spelled.map((one) => one.node)),
    broadcast: element("div", {}, stored.node, spread.node),
    "empty rows": element("div", {}, fill.node, dtype.node, asked, fills.node, came),
  };
  const node = element(
    "div",
    { class: "mask-lab" },
    element("div", { class: "toggles" }, sentence.node, head.node, pads.node),
    element("div", { class: "sliders" }, asking.node, heads.node),
    element("div", { class: "toggles" }, hiding.node, filling.node, nearing.node, clear),
    element("div", { class: "sliders" }, width.node),
    corner.node,
    pair,
    legend,
    told,
    notes,
    detail.node,
    ...Object.values(panels),
  );

  function point(n, how) {
    if (!last) return;
    hovered = how === "hover" ? n : null;
    if (how === "hover") return light();
    const { state, results, b, h, S } = last;
    const cell = n === null ? null : [Math.floor(n / S), n % S];
    set({ pin: cell && [positionOf(cell[0], state, S), cell[1]] });
    if (how === "key" && cell) say(story(state, results, [b, h, ...cell]));
  }

  // The cell that is pointed at, or else the pinned one: its number, or -1.
  function lit({ L, pin }, S) {
    if (hovered !== null) return hovered < L * S ? hovered : -1;
    return pin && pin[0] >= S - L && pin[0] < S && pin[1] < S ? (pin[0] - (S - L)) * S + pin[1] : -1;
  }

  // A drag paints what its first cell became.
  function paint(n, how) {
    const { state, b, S } = last;
    const current = { ...state, painted: get("painted") }; // in the middle of a drag, before it is drawn
    const [i, j] = [Math.floor(n / S), n % S];
    const may = keepOf(current)[(b * state.L + i) * S + j];
    if (how !== "drag") brush = 1 - may;
    if (how === "drag" && may === brush) return;
    set({ painted: repainted(current, b, i, j, brush) });
    if (how === "key") say(brush ? "may look" : "may not look");
  }

  // Everything that depends on what is pointed at.
  function light() {
    const { state, results, b, h, S, words, keep } = last;
    const { L } = state;
    const rows = words.slice(S - L);
    const here = lit(state, S);
    const [row, column] = [Math.floor(here / S), here % S];
    const empty = results.weights ? emptyRows(state, results, b, h) : [];
    const first = placeOf(state, S, [b, h, 0, 0]);
    const painted = new Set(state.painted.filter(([at]) => at === b).map(([, query, key]) => (query - (S - L)) * S + key));
    const look = (n, ...more) => [n === here && "here", ...more].filter(Boolean).join(" ");
    const may = (n) => keep[n] === 1 && "may";
    const lost = strangers(state, results.keep, b).map((i) => i * S + positionOf(i, state, S));
    const common = { R: L, C: S, active: here < 0 ? null : here };
    const titles = { rows, columns: words };
    mask.draw({
      ...common,
      data: keep,
      kind: "plain",
      titles,
      text: (one) => (one ? "✓" : "·"),
      looks: (n) => look(n, may(n), painted.has(n) && "painted", lost.includes(n) && "bad"),
      label: `mask of sentence ${b}. ${PAINT}`,
    });
    const data = results.weights ? results.weights.subarray(first, first + L * S) : new Float32Array(L * S).fill(NaN);
    const wrong = (n) => results.weights && results.stretched[first + n] !== keep[n] && "bad";
    weights.draw({
      ...common,
      data,
      kind: "weights",
      titles,
      text: (one) => (results.weights ? weightText(one) : "–"),
      looks: (n) => look(n, data[n] === 0 && "faint", wrong(n), data[n] !== 0 && empty.includes(Math.floor(n / S)) && "empty"),
      label: `weights of sentence ${b}, head ${h}`,
    });
    setText(told, here < 0 ? "Point at a cell, or walk to it, to see why." : story(state, results, [b, h, row, column]));
    if (state.detail === "spellings")
      for (const { cells, text: spell, title } of spelled)
        cells.draw({
          ...common,
          data: keep,
          kind: "plain",
          text: spell,
          looks: (n) => look(n, may(n)),
          label: `${title}, sentence ${b}`,
        });
    if (state.detail === "empty rows") drawFills(empty, empty.length && !empty.includes(row) ? empty[0] : here < 0 ? L - 1 : row);
  }

  // One row of weights under every fill.
  function drawFills(empty, i) {
    const { state, results, b, h, S, words } = last;
    fills.node.hidden = !results.weights;
    if (!results.weights) return setText(came, "");
    const at = placeOf(state, S, [b, h, i, 0]);
    const query = positionOf(i, state, S);
    const rows = fillsOf(results, S, at);
    const seen = results.stretched.subarray(at, at + S);
    const low = lowest(state.fill, state.dtype);
    const added = Number.isFinite(low) ? low.toExponential(2).replace("-", "−").replace("+", "") : "−∞";
    setText(
      asked,
      `Weights of “${words[query]}” (position ${query}), head ${h}${empty.includes(i) ? ", which may see nothing" : ""}:${empty.length ? "" : " (No query of this sentence sees nothing.)"}`,
    );
    fills.draw({
      data: rows.flatMap((row) => [...row]),
      R: FILLS.length,
      C: S,
      kind: "weights",
      text: weightText,
      titles: { rows: FILLS.map((one) => `${one === state.fill ? "▸ " : ""}${FILL_NAMES[one]}`), columns: words },
      looks: (n) => (rows[Math.floor(n / S)][n % S] === 0 ? "faint" : ""),
      label: `weights of position ${query} for each number that is added to forbidden scores`,
    });
    const what = outcome([...rows[FILLS.indexOf(state.fill)]], [...seen]);
    const ends = what === "right" ? "what is forbidden gets exactly 0" : `the row is ${what}`;
    const cure = state.fill === "zero" ? "; after softmax, a row that sees nothing gets zeros" : "";
    setText(came, `${FILL_NAMES[state.fill]} in ${state.dtype}: a forbidden score gets ${added} added${cure}; ${ends}.`);
  }

  function draw(state, results) {
    const { B, S } = batchOf(state);
    const h = Math.min(state.head, state.H - 1);
    const b = Math.min(state.sentence, B - 1);
    const words = placesOf(state)[b];
    sentence.update(b);
    head.update(h);
    head.inputs.forEach((input, n) => (input.parentNode.hidden = n >= state.H));
    asking.update(state.L, limits().L);
    heads.update(state.H, limits().H);
    hiding.update(state.causal);
    filling.update(state.padding);
    nearing.update(state.window !== null);
    width.node.hidden = state.window === null;
    width.update(state.window ?? 1, limits().window);
    pads.update(state.pads);
    corner.update(state.corner);
    corner.node.hidden = state.L === S;
    clear.disabled = !state.painted.length;
    detail.update(state.detail);
    stored.update(state.stored);
    fill.update(state.fill);
    dtype.update(state.dtype);
    for (const [key, panel] of Object.entries(panels)) panel.hidden = key !== state.detail;
    if (!results) return;
    last = { state, results, b, h, S, words, keep: results.keep.subarray(b * state.L * S, (b + 1) * state.L * S) };
    const unusual = [
      state.fill !== "zero" && `${FILL_NAMES[state.fill]} added`,
      state.dtype !== "float32" && state.dtype,
      state.stored !== "B, 1, L, S" && `mask as (${state.stored})`,
    ].filter(Boolean);
    under.replaceChildren(element("strong", {}, `weights of head ${h}`), unusual.length ? `: ${unusual.join(", ")}` : "");
    setText(notes, findings(state, results, b, h).join(" "));
    if (state.detail === "broadcast") spread.draw(state, results, { B, S, b, h });
    light();
  }

  return { node, draw };
}

// "B, 1, L, S" as (B, 1, L, S) with its letters in their colours.
function shapeOf(shape) {
  const axes = shape.split(", ").map((axis) => (axis === "1" ? axis : letter(axis)));
  return ["(", ...axes.flatMap((axis, n) => (n ? [", ", axis] : [axis])), ")"];
}

export const lab = makeLab({
  title: "MaskLab: who may look where, and the weights under it",
  compute,
  build,
});
