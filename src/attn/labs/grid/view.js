// GridLab: the same numbers in the two orders of axes, and where each of them lies in memory.

import { element, setChildCount, slider, toggle } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { storageStrip } from "./memory.js";
import { coincidences, compute, indexAt, marks, placed, told } from "./model.js";
import { ORDERS, orderPanel, spelled } from "./panel.js";

const AXES = ["B", "L", "H", "D"];
const HINT = "Click a number, then click it again: each click inside the marks goes a level down; the words above go back up. ";
const KEYS = "Keys: arrows walk, Enter goes down, Escape up, page keys to another folder.";
const MEANING = { B: "samples (folders)", L: "tokens", H: "heads", D: "numbers per head" };

function build({ root, limits, get, set, say }) {
  let last = null; // what is drawn: { sizes, results }
  let said = null;
  root.dataset.lmSuppressShortcuts = "true"; // in JupyterLab: the arrow keys are the grid's while it has the focus

  const sizing = (axis) => slider(axis, MEANING[axis], (size) => resize({ [axis]: size }));
  const sliders = Object.fromEntries(AXES.map((axis) => [axis, sizing(axis)]));
  const copying = toggle("copy: y = y.contiguous()", (on) => set({ copied: on }));
  const notes = element("p", { class: "notes" });
  const drawer = element("div", { class: "grid-drawer", role: "group", "aria-label": "the drawer's folders" });
  const panels = [1, 2].map((order) =>
    orderPanel(order, {
      onChoose: (at) => choose(order, at),
      onMove: (step) => move(order, step),
      onLevel: (level) => go(now(), level, order),
      onStep: (step) => go(now(), Math.max(0, Math.min(4, get("depth") + step)), order),
    }),
  );
  const orders = element("div", { class: "grid-orders" }, ...panels.map((panel) => panel.node));
  const found = element("p", { class: "grid-found" });
  const memories = [0, 1].map((which) => storageStrip((place) => walk(which, place)));
  const node = element(
    "div",
    { class: "grid-lab" },
    element("div", { class: "sliders" }, ...AXES.map((axis) => sliders[axis].node)),
    element("div", { class: "toggles" }, copying.node),
    notes,
    drawer,
    orders,
    found,
    ...memories.map((one) => one.node),
  );

  const sizesNow = () => ({ B: get("B"), H: get("H"), L: get("L"), D: get("D") });
  const now = () => placed({ ...sizesNow(), index: get("index") });
  const list = ({ B, H, L, D }) => [B, H, L, D];
  const resize = (change) => set({ ...change, index: list(placed({ ...sizesNow(), index: get("index"), ...change })) });
  const go = (at, depth, order) => set({ index: list(at), depth, order });
  const fixedAt = (depth, order) => ORDERS[order - 1].axes.slice(0, depth);

  // A click inside what is chosen goes one level down; elsewhere it chooses another one of the same level. Table and row, level 2,
  // are different things; every other level is the same in both orders.
  function choose(order, at) {
    const [old, depth] = [now(), get("depth")];
    const same = depth !== 2 || order === get("order");
    const inside = same && [...fixedAt(depth, order)].every((axis) => old[axis] === at[axis]);
    go(at, inside ? Math.min(4, depth + 1) : depth, order);
  }

  // Left and right walk through all heads: the tables stand side by side just as the strips do.
  function move(order, { samples = 0, tokens = 0, numbers = 0 }) {
    const [{ B, H, L, D }, at] = [sizesNow(), now()];
    const inside = (n, size) => Math.max(0, Math.min(size - 1, n));
    const column = inside(at.H * D + at.D + numbers, H * D);
    const to = { B: inside(at.B + samples, B), L: inside(at.L + tokens, L), H: Math.floor(column / D), D: column % D };
    go(to, get("depth"), order);
  }

  function walk(which, place) {
    const { sizes, results } = last;
    go(indexAt(sizes, ORDERS[which].axes, [results.strides1, results.strides2][which], place), 4, which + 1);
  }

  function drawDrawer(sizes, at) {
    setChildCount(drawer, sizes.B, (b) => {
      const open = () => go({ ...now(), B: b }, 1, get("order"));
      return element("button", { type: "button", class: "grid-tab", onclick: open }, `folder ${b}`);
    });
    [...drawer.children].forEach((tab, b) => tab.setAttribute("aria-pressed", String(b === at.B)));
  }

  function draw(state, results) {
    for (const axis of AXES) sliders[axis].update(state[axis], limits()[axis]);
    copying.update(state.copied);
    if (!results) return;
    const width = memories[0].node.clientWidth || 600; // measured first: later it would make the browser lay out twice
    const { B, H, L, D, depth, order } = state;
    const [sizes, at, fixed] = [{ B, H, L, D }, placed(state), fixedAt(depth, order)];
    const strides = [results.strides1, results.strides2];
    const exchange = `y = x.permute(0, 2, 1, 3)${state.copied ? ".contiguous()" : ""}`;
    const sources = [`x = torch.arange(${B * L * H * D}).view(${B}, ${L}, ${H}, ${D})`, exchange];
    last = { sizes, results };
    const hidden = coincidences(state).map((note) => element("span", {}, note, " "));
    notes.replaceChildren(...(hidden.length ? hidden : [HINT, element("span", { class: "grid-keys" }, KEYS)]));
    drawDrawer(sizes, at);
    orders.style.setProperty("--columns", H * D);
    orders.style.setProperty("--gaps", H - 1);
    orders.style.setProperty("--least", B * L * H * D > 1000 ? "32px" : "20px"); // room for the longest number
    panels.forEach((panel, n) =>
      panel.draw({
        sizes,
        at,
        fixed,
        depth,
        strides: strides[n],
        values: results.values,
        current: order === n + 1 || depth !== 2,
        contiguous: n === 0 || results.contiguous2,
        source: sources[n],
      }),
    );

    const marked = ORDERS.map(({ axes }, n) => marks(sizes, axes, strides[n], at, fixed));
    const value = results.values[((at.B * H + at.H) * L + at.L) * D + at.D];
    const [who, where] = told(
      { depth, order, at },
      results,
      value,
      marked.map(({ chosen }) => chosen),
    );
    const [name, other] = [ORDERS[order - 1], ORDERS[2 - order]].map((each) => spelled(each, at, fixed));
    const equation = `${name} = ${other}${[".transpose(1, 2)", ".transpose(0, 1)", "", "", ` = ${value}`][depth]}`;
    found.replaceChildren(element("code", {}, equation), " ", element("span", {}, `${who}: ${where}`));
    const sentence = `${depth === 4 ? "" : `${name}, `}${who}: ${where}`;
    if (said !== null && said !== sentence) say(sentence);
    said = sentence;

    memories[1].node.hidden = results.shared;
    memories.slice(0, results.shared ? 1 : 2).forEach((memory, n) =>
      memory.draw({
        ...marked[n],
        title: [results.shared ? "memory of x and y" : "memory of x", "memory of y, the copy"][n],
        storage: n ? results.storage : range(B * L * H * D),
        place: [results.offset1, results.offset2][n],
        unit: n ? D : H * D,
        sample: L * H * D,
        width,
      }),
    );
    if (depth === 4) panels.forEach((panel) => panel.reveal());
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "GridLab: the same numbers in two orders, and where they lie in memory",
  compute,
  build,
});
