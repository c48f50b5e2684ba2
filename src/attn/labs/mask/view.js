// MaskLab: a mask that the reader ticks and paints, beside the weights of a real layer under it.

import { choice, element, setText, slider, toggle, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { broadcastPanel } from "./broadcast.js";
import { cellText, emptyRows, warnings } from "./explain.js";
import { fillsPanel } from "./fills.js";
import { compute } from "./model.js";
import { batchOf, intendedMask, paddedWords, paintCell, positionOf } from "./rules.js";
import { spellingsPanel } from "./spellings.js";
import { looksOf, maskAndWeights } from "./tables.js";

const LEGEND =
  "Click or drag in the mask to paint exceptions (dashed). Red frame: not what is intended, a query that does not see itself, or a " +
  "row that sees nothing and is not zero.";

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say }) {
  /** @type {import("./tables.js").Drawn | null} */
  let drawn = null;
  /** @type {number | null} */
  let hovered = null; // the cell that is pointed at, row by row
  let brush = 0; // what a drag paints

  const id = unique("mask");
  const radios = (key, title, options) => choice(`${id}-${key}`, title, options, (value) => set({ [key]: value }));
  const numbered = (key, title) =>
    radios(
      key,
      title,
      range(limits()[key][1] + 1).map((n) => [n, `${n}`]),
    );
  const sentence = numbered("sentence", "Sentence");
  const head = numbered("head", "Head");
  const queries = slider("L", "queries", (L) => set({ L }));
  const heads = slider("H", "heads", (H) => set({ H }));
  const causal = toggle("causal", (on) => set({ causal: on }));
  const padding = toggle("padding", (on) => set({ padding: on }));
  const windowed = toggle("window", (on) => set({ window: on ? 2 : null }));
  const width = slider(null, "width of the window", (size) => set({ window: size }));
  const pads = radios("pads", "Padding is", [
    ["behind", "behind"],
    ["in front", "in front"],
  ]);
  const corner = radios("corner", "Query i is at", [
    ["bottom right", "S − L + i"],
    ["top left", "i, the top left"],
  ]);
  const clear = element("button", { type: "button", onclick: () => set({ painted: [] }) }, "clear what is painted");
  const tables = maskAndWeights(onPoint, onPaint);
  const cell = element("p", { class: "cell" });
  const notes = element("p", { class: "notes" });
  const detail = radios("detail", "Look closer", [
    ["spellings", "four spellings"],
    ["broadcast", "the broadcast"],
    ["empty rows", "the row that sees nothing"],
  ]);
  const spellings = spellingsPanel(onPoint);
  const broadcast = broadcastPanel(`${id}-stored`, (shape) => set({ stored: shape }));
  const fills = fillsPanel(id, set);
  const panels = { spellings: spellings.node, broadcast: broadcast.node, "empty rows": fills.node };

  const node = element(
    "div",
    { class: "mask-lab" },
    element("div", { class: "toggles" }, sentence.node, head.node, pads.node),
    element("div", { class: "sliders" }, queries.node, heads.node),
    element("div", { class: "toggles" }, causal.node, padding.node, windowed.node, clear),
    element("div", { class: "sliders" }, width.node),
    corner.node,
    tables.node,
    element("p", { class: "hint" }, LEGEND),
    cell,
    notes,
    detail.node,
    ...Object.values(panels),
  );

  function onPoint(n, how) {
    if (!drawn) return;
    hovered = how === "hover" ? n : null;
    if (how === "hover") {
      drawTables(drawn);
      return;
    }
    const { state, results, b, h, S } = drawn;
    if (n === null) {
      set({ pin: null });
      return;
    }
    const [i, j] = [Math.floor(n / S), n % S];
    set({ pin: [positionOf(i, state, S), j] });
    if (how === "key") say(cellText(state, results, [b, h, i, j]));
  }

  // A drag paints what its first cell became.
  function onPaint(n, how) {
    if (!drawn) return;
    const { state, b, S } = drawn;
    const current = { ...state, painted: get("painted") }; // during a drag, more may be painted than is drawn
    const [i, j] = [Math.floor(n / S), n % S];
    const may = intendedMask(current)[(b * state.L + i) * S + j];
    if (how !== "drag") brush = 1 - may;
    if (how === "drag" && may === brush) return;
    set({ painted: paintCell(current, b, i, j, brush) });
    if (how === "key") say(brush ? "may look" : "may not look");
  }

  // The cell that is pointed at, or else the pinned one; -1 if it is not in the tables.
  function activeCell({ L, pin }, S) {
    if (hovered !== null) return hovered < L * S ? hovered : -1;
    return pin && pin[0] >= S - L && pin[0] < S && pin[1] < S ? (pin[0] - (S - L)) * S + pin[1] : -1;
  }

  // Everything that depends on the cell that is pointed at.
  function drawTables(current) {
    const { state, results, b, h, S, keep } = current;
    const active = activeCell(state, S);
    const row = Math.floor(active / S);
    tables.draw(current, active);
    const hint = "Point at a cell, or walk to it, to see why.";
    setText(cell, active < 0 ? hint : cellText(state, results, [b, h, row, active % S]));
    if (state.detail === "spellings") {
      const looks = (n) => looksOf(n === active, keep[n] === 1 && "may");
      spellings.draw({ R: state.L, C: S, data: keep, looks, active: active < 0 ? undefined : active }, b);
    }
    if (state.detail === "empty rows") {
      const empty = results.weights ? emptyRows(state, results, b, h) : [];
      const shownRow = active < 0 ? state.L - 1 : row;
      fills.draw(current, empty, empty.length && !empty.includes(shownRow) ? empty[0] : shownRow);
    }
  }

  function updateControls(state, { b, h, S }) {
    sentence.update(b);
    head.update(h);
    head.inputs.forEach((input, n) => {
      input.labels?.forEach((label) => {
        label.hidden = n >= state.H;
      });
    });
    queries.update(state.L, limits().L);
    heads.update(state.H, limits().H);
    causal.update(state.causal);
    padding.update(state.padding);
    windowed.update(state.window !== null);
    width.node.hidden = state.window === null;
    width.update(state.window ?? 1, limits().window);
    pads.update(state.pads);
    corner.update(state.corner);
    corner.node.hidden = state.L === S;
    clear.disabled = !state.painted.length;
    detail.update(state.detail);
    broadcast.update(state.stored);
    fills.update(state);
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== state.detail;
  }

  function draw(state, results) {
    const { B, S } = batchOf(state);
    const h = Math.min(state.head, state.H - 1);
    const b = Math.min(state.sentence, B - 1);
    updateControls(state, { b, h, S });
    if (!results) return;
    const keep = results.keep.subarray(b * state.L * S, (b + 1) * state.L * S);
    drawn = { state, results, b, h, S, words: paddedWords(state)[b], keep };
    tables.drawTitle(drawn);
    setText(notes, warnings(state, results, b, h).join(" "));
    if (state.detail === "broadcast") broadcast.draw(state, results, { B, S, b, h });
    drawTables(drawn);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "MaskLab: who may look where, and the weights under it",
  compute,
  build,
});
