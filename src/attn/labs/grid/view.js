// GridLab: the same numbers in the two orders of axes, and where each of them lies in memory.

import { element, setChildCount, slider, toggle } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp, range } from "../kit/math.js";
import { storageStrip } from "./memory.js";
import { compute, indexAt, indexInside, marks, ORDERS } from "./model.js";
import { orderPanel } from "./panel.js";
import { coincidences, describe, expression } from "./words.js";

/** @typedef {import("./model.js").Axis} Axis */
/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").State} State */

/** @type {Axis[]} */
const AXES = ["B", "L", "H", "D"];
const HINT = "Click a number, then click it again: each click inside the marks goes a level down; the words above go back up. ";
const KEYS = "Keys: arrows walk, Enter goes down, Escape up, page keys to another folder.";
const MEANINGS = { B: "samples (folders)", L: "tokens", H: "heads", D: "numbers per head" };

/** @param {import("../kit/host.js").Tools} tools */
function build({ root, limits, get, set, announce }) {
  /** @type {{ sizes: ByAxis, results: Results } | null} */
  let drawn = null;
  root.dataset.lmSuppressShortcuts = "true"; // in JupyterLab the arrow keys belong to the grid while it has the focus

  const sliders = AXES.map((axis) => slider(axis, MEANINGS[axis], (size) => resize({ [axis]: size })));
  const copying = toggle("copy: y = y.contiguous()", (on) => set({ copied: on }));
  const notes = element("p", { class: "notes" });
  const drawer = element("div", { class: "grid-drawer", role: "group", "aria-label": "the drawer's folders" });
  const panels = /** @type {const} */ ([1, 2]).map((order) =>
    orderPanel(order, {
      onChoose: (at) => choose(order, at),
      onMove: (step) => move(order, step),
      onLevel: (level) => goTo(index(), level, order),
      onStep: (step) => goTo(index(), clamp(get("depth") + step, 0, 4), order),
    }),
  );
  const orders = element("div", { class: "grid-orders" }, ...panels.map((panel) => panel.node));
  const found = element("p", { class: "grid-found" });
  const memories = [0, 1].map((n) => storageStrip((place) => goToPlace(n, place)));
  const node = element(
    "div",
    { class: "grid-lab" },
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    element("div", { class: "toggles" }, copying.node),
    notes,
    drawer,
    orders,
    found,
    ...memories.map((one) => one.node),
  );

  const sizes = () => ({ B: get("B"), H: get("H"), L: get("L"), D: get("D") });
  const index = () => indexInside({ ...sizes(), index: get("index") });
  /** @param {ByAxis} at */
  const list = ({ B, H, L, D }) => [B, H, L, D];
  /** @param {Partial<ByAxis>} change */
  const resize = (change) => set({ ...change, index: list(indexInside({ ...sizes(), ...change, index: get("index") })) });
  /**
   * @param {ByAxis} at
   * @param {number} depth
   * @param {number} order
   */
  const goTo = (at, depth, order) => set({ index: list(at), depth, order });

  /**
   * A click inside what is chosen goes one level down; elsewhere it chooses another thing of the same level. A table and a row, level
   * 2, are different things; every other level is the same in both orders.
   *
   * @param {1 | 2} order
   * @param {ByAxis} at
   */
  function choose(order, at) {
    const [old, depth] = [index(), get("depth")];
    const sameThing = depth !== 2 || order === get("order");
    const inside = sameThing && ORDERS[order - 1].axes.slice(0, depth).every((axis) => old[axis] === at[axis]);
    goTo(at, inside ? Math.min(4, depth + 1) : depth, order);
  }

  /**
   * Left and right move through all heads: the tables stand side by side just as the strips do.
   *
   * @param {1 | 2} order
   * @param {import("./folder.js").Step} step
   */
  function move(order, { samples = 0, tokens = 0, numbers = 0 }) {
    const [{ B, H, L, D }, at] = [sizes(), index()];
    const column = clamp(at.H * D + at.D + numbers, 0, H * D - 1);
    const to = { B: clamp(at.B + samples, 0, B - 1), L: clamp(at.L + tokens, 0, L - 1), H: Math.floor(column / D), D: column % D };
    goTo(to, get("depth"), order);
  }

  /**
   * @param {number} n of the memory
   * @param {number} place
   */
  function goToPlace(n, place) {
    if (!drawn) return;
    const strides = [drawn.results.strides1, drawn.results.strides2][n];
    goTo(indexAt(drawn.sizes, ORDERS[n].axes, strides, place), 4, n + 1);
  }

  /**
   * @param {number} B
   * @param {ByAxis} at
   */
  function drawDrawer(B, at) {
    setChildCount(drawer, B, (b) => {
      const open = () => goTo({ ...index(), B: b }, 1, get("order"));
      return element("button", { type: "button", class: "grid-tab", onclick: open }, `folder ${b}`);
    });
    for (const [b, tab] of [...drawer.children].entries()) tab.setAttribute("aria-pressed", String(b === at.B));
  }

  /**
   * @param {State} state
   * @param {Results | null} results
   */
  function draw(state, results) {
    AXES.forEach((axis, n) => {
      sliders[n].update(state[axis], limits()[axis]);
    });
    copying.update(state.copied);
    if (!results) return;
    const width = memories[0].node.clientWidth || 600; // measured first: later it would make the browser lay out twice
    const { B, H, L, D, depth, order } = state;
    const [sizes, at] = [{ B, H, L, D }, indexInside(state)];
    const fixed = ORDERS[order - 1].axes.slice(0, depth);
    const strides = [results.strides1, results.strides2];
    drawn = { sizes, results };
    const hidden = coincidences(state).map((note) => element("span", {}, note, " "));
    notes.replaceChildren(...(hidden.length ? hidden : [HINT, element("span", { class: "grid-keys" }, KEYS)]));
    drawDrawer(B, at);
    orders.style.setProperty("--columns", String(H * D));
    orders.style.setProperty("--gaps", String(H - 1));
    orders.style.setProperty("--least", B * L * H * D > 1000 ? "32px" : "20px"); // room for the longest number
    const exchange = `y = x.permute(0, 2, 1, 3)${state.copied ? ".contiguous()" : ""}`;
    const sources = [`x = torch.arange(${B * L * H * D}).view(${B}, ${L}, ${H}, ${D})`, exchange];
    panels.forEach((panel, n) => {
      const current = order === n + 1 || depth !== 2;
      const contiguous = n === 0 || results.contiguous2;
      panel.draw({
        ...{ sizes, at, fixed, depth, current, contiguous, strides: strides[n], values: results.values, source: sources[n] },
      });
    });
    const marked = ORDERS.map(({ axes }, n) => marks(sizes, axes, strides[n], at, fixed));
    drawSentence(state, results, marked);
    memories[1].node.hidden = results.shared;
    memories.slice(0, results.shared ? 1 : 2).forEach((memory, n) => {
      memory.draw({
        ...marked[n],
        title: [results.shared ? "memory of x and y" : "memory of x", "memory of y, the copy"][n],
        storage: n ? results.storage : range(B * L * H * D),
        place: [results.offset1, results.offset2][n],
        unit: n ? D : H * D,
        sample: L * H * D,
        width,
      });
    });
    if (depth === 4) for (const panel of panels) panel.reveal();
  }

  /**
   * Write and announce what is chosen, and where it lies.
   *
   * @param {State} state
   * @param {Results} results
   * @param {ReturnType<typeof marks>[]} marked
   */
  function drawSentence(state, results, marked) {
    const { H, L, D, depth, order } = state;
    const at = indexInside(state);
    const fixed = ORDERS[order - 1].axes.slice(0, depth);
    const value = results.values[((at.B * H + at.H) * L + at.L) * D + at.D];
    const chosen = marked.map((one) => one.chosen);
    const [what, where] = describe({ depth, order, at }, results, value, chosen);
    const [name, other] = [ORDERS[order - 1], ORDERS[2 - order]].map((one) => expression(one, at, fixed));
    const equation = `${name} = ${other}${[".transpose(1, 2)", ".transpose(0, 1)", "", "", ` = ${value}`][depth]}`;
    found.replaceChildren(element("code", {}, equation), " ", element("span", {}, `${what}: ${where}`));
    announce(`${depth === 4 ? "" : `${name}, `}${what}: ${where}`);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "GridLab: the same numbers in two orders, and where they lie in memory",
  compute,
  build,
});
