// One order of the axes in GridLab: the open folder as framed rows or framed tables, the way down to one number, shape and strides.

import { colourOf } from "../kit/colours.js";
import { element, setChildCount, letter, letters, setText } from "../kit/dom.js";
import { range } from "../kit/math.js";

// The two orders, and the furniture: what one has in hand after 0, 1, ... 4 indices.
export const ORDERS = [
  { name: "x", axes: "BLHD", levels: ["drawer", "folder", "row", "strip", "cell"], says: "a row for each token" },
  { name: "y", axes: "BHLD", levels: ["drawer", "folder", "table", "row", "cell"], says: "a table for each head" },
];

// at: { B, H, L, D }, an index for each letter.
export function placeOf(axes, strides, at) {
  return [...axes].reduce((place, axis, n) => place + at[axis] * strides[n], 0);
}

// What is chosen by the indices of the letters in `fixed`, as one would write it: y[1, 2] is x[1, :, 2].
export function spelled({ name, axes }, at, fixed) {
  if (!fixed) return name;
  const last = Math.max(...[...fixed].map((axis) => axes.indexOf(axis)));
  return `${name}[${[...axes.slice(0, last + 1)].map((axis) => (fixed.includes(axis) ? at[axis] : ":")).join(", ")}]`;
}

// The places of the first numbers, read in this order: 0, 1, 2, 3, 12, 13, ...
export function firstPlaces(sizes, axes, strides, count) {
  const shape = [...axes].map((axis) => sizes[axis]);
  return range(
    Math.min(
      count,
      shape.reduce((all, size) => all * size, 1),
    ),
  ).map((n) => {
    let place = 0;
    for (let axis = 3; axis >= 0; n = Math.floor(n / shape[axis--])) place += (n % shape[axis]) * strides[axis];
    return place;
  });
}

const KEYS = {
  ArrowLeft: { numbers: -1 },
  ArrowRight: { numbers: 1 },
  ArrowUp: { tokens: -1 },
  ArrowDown: { tokens: 1 },
  Home: { numbers: -Infinity },
  End: { numbers: Infinity },
  PageUp: { samples: -1 },
  PageDown: { samples: 1 },
};
const LEVELS = { Enter: 1, " ": 1, Escape: -1, Backspace: -1 };

// order: 1 or 2. onChoose(at): a cell was clicked; onMove(step): a key was pressed in the grid; onLevel(n): to level n of this
// order; onStep(±1): one level down or up.
export function orderPanel(order, { onChoose, onMove, onLevel, onStep }) {
  const { name, axes, levels, says } = ORDERS[order - 1];
  const code = element("code", { class: "grid-source" });
  const crumbs = levels.map((level, n) => element("button", { type: "button", class: "grid-crumb", onclick: () => onLevel(n) }));
  const folder = element("div", { class: "grid-folder", onclick: clicked, onkeydown: pressed });
  const scroll = element("div", { class: "scroll" }, folder);
  const facts = element("table", { class: "grid-facts" });
  const badge = element("b");
  const walk = element("span", { class: "grid-walk" });
  const node = element(
    "section",
    { class: `grid-order grid-order-${order}`, "aria-label": `order ${order}` },
    element("p", { class: "grid-head" }, element("strong", {}, `${name} `), letters([...axes].join(" ")), ` ${says}`),
    code,
    element("div", { class: "grid-crumbs", role: "group", "aria-label": `the way down in order ${order}` }, ...crumbs),
    scroll,
    facts,
    element("p", { class: "grid-lies" }, badge, ": read in this order, the places are ", walk),
  );
  let cells = []; // in the order h, l, d
  let drawn = null; // { key, sizes, at }

  function position(n) {
    const { L, D } = drawn.sizes;
    return { B: drawn.at.B, H: Math.floor(n / (L * D)), L: Math.floor(n / D) % L, D: n % D };
  }

  function clicked(event) {
    const n = cells.indexOf(event.target);
    if (n >= 0) onChoose(position(n));
  }

  function pressed(event) {
    if (!cells.includes(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in LEVELS) onStep(LEVELS[event.key]);
    else if (event.key in KEYS) onMove(KEYS[event.key]);
    else return;
    event.preventDefault();
  }

  // Order 1: one grid with framed rows. Order 2: a framed grid for each head. The numbers stand in the same places of the screen.
  // Tables, rows and cells come and go at the end, unless D changes: what stays need not be laid out again.
  function resize({ L, H, D }) {
    if (drawn?.sizes.D !== D) folder.replaceChildren();
    const across = order === 1 ? H : 1; // heads side by side in one table
    const cell = (h, d) =>
      element("div", { role: "gridcell", class: `grid-cell${d === 0 ? " first" : ""}`, style: `--head:${colourOf(h)}` });
    const token = (l) =>
      element("div", { role: "rowheader", class: "grid-token", "data-axis": "L", "aria-label": `token ${l}` }, String(l));
    const caption = (h) => element("span", { style: `--head:${colourOf(h)};--cells:${D}` }, D > 1 ? `head ${h}` : String(h));
    const table = () => {
      const captions = element("div", { class: "grid-captions", "aria-hidden": "true" });
      return element("div", { class: "grid-table" }, captions, element("div", { role: "grid", class: "grid-rows" }));
    };
    cells = [];
    setChildCount(folder, H / across, table);
    [...folder.children].forEach(({ children: [captions, grid] }, first) => {
      const titles = first === 0 ? 1 : 0;
      setChildCount(captions, across, (n) => caption(first + n));
      setChildCount(grid, L, () => element("div", { role: "row", class: "grid-row" }));
      grid.setAttribute(
        "aria-label",
        order === 1 ? `${L} rows, each of ${H} strips of ${D} cells` : `table ${first}: ${L} rows of ${D} cells`,
      );
      [...grid.children].forEach((row, l) => {
        const headOf = (n) => first + Math.floor(n / D);
        setChildCount(row, titles + across * D, (n) => (n < titles ? token(l) : cell(headOf(n - titles), (n - titles) % D)));
        [...row.children].slice(titles).forEach((one, n) => (cells[(headOf(n) * L + l) * D + (n % D)] = one));
      });
    });
  }

  // A cell is touched only if it changes: most of what a step of an arrow key costs is what the browser lays out again.
  function mark(cell, { H, L, D }, { at, fixed, depth }, value) {
    const chosen = [
      ["H", H],
      ["L", L],
      ["D", D],
    ].every(([axis, n]) => !fixed.includes(axis) || at[axis] === n);
    const here = H === at.H && L === at.L && D === at.D;
    const look = [value, chosen, here, depth].join();
    if (cell.dataset.look === look) return;
    cell.dataset.look = look;
    setText(cell, String(value));
    cell.tabIndex = here ? 0 : -1;
    cell.classList.toggle("chosen", chosen);
    cell.classList.toggle("among", chosen && (depth === 2 || depth === 3));
    cell.classList.toggle("only", chosen && depth === 4);
    cell.setAttribute("aria-selected", String(chosen));
    cell.setAttribute("aria-label", `${value}: head ${H}, token ${L}, number ${D}`);
  }

  // The number that is looked at comes into sight sideways; the page stays where it is.
  function reveal() {
    const cell = folder.querySelector("[tabindex='0']");
    const [box, window] = [cell.getBoundingClientRect(), scroll.getBoundingClientRect()];
    if (box.left < window.left) scroll.scrollLeft -= window.left - box.left + 20;
    if (box.right > window.right) scroll.scrollLeft += box.right - window.right + 20;
  }

  function drawFacts({ sizes, at, fixed, strides }) {
    const letterCells = (of) => [...axes].map((axis, n) => element("td", { "data-axis": axis }, of(axis, n)));
    const row = (title, of, ...more) => element("tr", {}, element("th", { scope: "row" }, title), ...letterCells(of), ...more);
    const known = (axis) => fixed.includes(axis);
    const start = Object.fromEntries([...axes].map((axis) => [axis, known(axis) ? at[axis] : 0]));
    const total = element("output", {}, String(placeOf(axes, strides, start)));
    const term = (axis, n) => (known(axis) ? `${[...axes].findIndex(known) < n ? "+ " : ""}${at[axis]}·${strides[n]}` : "");
    facts.replaceChildren(
      element("tr", {}, element("td"), ...[...axes].map((axis) => element("th", { scope: "col" }, letter(axis)))),
      row("shape", (axis) => String(sizes[axis])),
      row("strides", (_, n) => String(strides[n])),
      row("index", (axis) => String(known(axis) ? at[axis] : ":")),
      row(fixed.length === 4 ? "place" : "starts at", term, element("td", { class: "grid-place" }, "= ", total)),
    );
  }

  // sizes, at: { B, H, L, D }. fixed: the letters chosen so far. current: is the reader at level `depth` of this order?
  function draw(shown) {
    const { sizes, at, fixed, depth, current, strides, values, contiguous, source } = shown;
    const key = [sizes.L, sizes.H, sizes.D].join();
    const had = folder.contains(document.activeElement);
    if (drawn?.key !== key) resize(sizes);
    drawn = { key, sizes, at };
    setText(code, source);
    crumbs.forEach((crumb, n) => {
      setText(crumb, levels[n] + (n ? ` ${fixed.includes(axes[n - 1]) ? at[axes[n - 1]] : ":"}` : ""));
      crumb.setAttribute("aria-current", String(current && n === depth));
    });
    cells.forEach((cell, n) => mark(cell, position(n), shown, values[at.B * cells.length + n]));
    const here = cells[(at.H * sizes.L + at.L) * sizes.D + at.D];
    if (had && here !== document.activeElement) here.focus({ preventScroll: true });
    drawFacts(shown);
    setText(badge, contiguous ? "contiguous" : "not contiguous");
    setText(walk, `${firstPlaces(sizes, axes, strides, sizes.D + 4).join(" ")} …`);
  }

  return { node, draw, reveal };
}
