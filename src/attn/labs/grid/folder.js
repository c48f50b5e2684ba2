// The open folder: the numbers of one sample as framed rows (order 1) or framed tables (order 2), which can be clicked and walked
// through with the keyboard.

import { colourOf } from "../kit/colours.js";
import { element, setChildCount, setText } from "../kit/dom.js";
import { range } from "../kit/math.js";

/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {{ samples?: number, tokens?: number, numbers?: number }} Step how far a key moves */

/**
 * @typedef {object} Shown
 * @property {ByAxis} sizes
 * @property {ByAxis} at
 * @property {import("./model.js").Axis[]} fixed the axes whose index is chosen
 * @property {number} depth how many they are
 */

/** @type {Record<string, Step>} */
const MOVES = {
  ArrowLeft: { numbers: -1 },
  ArrowRight: { numbers: 1 },
  ArrowUp: { tokens: -1 },
  ArrowDown: { tokens: 1 },
  Home: { numbers: -Infinity },
  End: { numbers: Infinity },
  PageUp: { samples: -1 },
  PageDown: { samples: 1 },
};
/** @type {Record<string, 1 | -1>} */
const LEVELS = { Enter: 1, " ": 1, Escape: -1, Backspace: -1 };

/**
 * @param {1 | 2} order
 * @param {object} actions
 * @param {(at: ByAxis) => void} actions.onChoose a cell was clicked
 * @param {(step: Step) => void} actions.onMove a key moves the index
 * @param {(step: 1 | -1) => void} actions.onStep a key goes a level down or up
 */
export function openFolder(order, { onChoose, onMove, onStep }) {
  const folder = element("div", { class: "grid-folder", onclick: click, onkeydown: press });
  const node = element("div", { class: "scroll" }, folder);
  /** @type {HTMLElement[]} in the order h, l, d */
  let cells = [];
  /** @type {{ sizes: ByAxis, at: ByAxis } | null} */
  let drawn = null;

  /**
   * The index of cell n.
   *
   * @param {number} n
   * @param {{ sizes: ByAxis, at: ByAxis }} shown
   */
  const indexOf = (n, { sizes: { L, D }, at: { B } }) => ({ B, H: Math.floor(n / (L * D)), L: Math.floor(n / D) % L, D: n % D });

  /** @param {MouseEvent} event */
  function click({ target }) {
    const n = cells.indexOf(/** @type {HTMLElement} */ (target));
    if (drawn && n >= 0) onChoose(indexOf(n, drawn));
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (!cells.includes(/** @type {HTMLElement} */ (event.target)) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in LEVELS) onStep(LEVELS[event.key]);
    else if (event.key in MOVES) onMove(MOVES[event.key]);
    else return;
    event.preventDefault();
  }

  /**
   * Order 1 is one grid with framed rows, order 2 a framed grid for each head; the numbers have the same places on the screen. Tables,
   * rows and cells are added and removed at the end, unless D changes, so that the others need no new layout.
   *
   * @param {ByAxis} sizes
   */
  function resize({ L, H, D }) {
    if (drawn?.sizes.D !== D) folder.replaceChildren();
    const across = order === 1 ? H : 1; // heads side by side in one table
    setChildCount(folder, H / across, makeTable);
    cells = [];
    for (const first of range(H / across)) {
      const [captions, grid] = folder.children[first].children;
      const titles = first === 0 ? 1 : 0;
      setChildCount(captions, across, (n) => makeCaption(first + n, D));
      setChildCount(grid, L, () => element("div", { role: "row", class: "grid-row" }));
      const label = order === 1 ? `${L} rows, each of ${H} strips of ${D} cells` : `table ${first}: ${L} rows of ${D} cells`;
      grid.setAttribute("aria-label", label);
      for (const [l, row] of [...grid.children].entries()) {
        /** @param {number} n */
        const headOf = (n) => first + Math.floor(n / D);
        setChildCount(row, titles + across * D, (n) =>
          n < titles ? makeToken(l) : makeCell(headOf(n - titles), (n - titles) % D),
        );
        for (const [n, cell] of [...row.children].slice(titles).entries())
          cells[(headOf(n) * L + l) * D + (n % D)] = /** @type {HTMLElement} */ (cell);
      }
    }
  }

  /**
   * A cell is touched only if it changes: most of the cost of an arrow key is the browser's layout.
   *
   * @param {HTMLElement} cell
   * @param {ByAxis} index
   * @param {Shown} shown
   * @param {number} value
   */
  function mark(cell, index, { at, fixed, depth }, value) {
    const chosen = fixed.every((axis) => index[axis] === at[axis]);
    const current = index.H === at.H && index.L === at.L && index.D === at.D;
    const look = [value, chosen, current, depth].join();
    if (cell.dataset.look === look) return;
    cell.dataset.look = look;
    setText(cell, String(value));
    cell.tabIndex = current ? 0 : -1;
    cell.classList.toggle("chosen", chosen);
    cell.classList.toggle("among", chosen && (depth === 2 || depth === 3));
    cell.classList.toggle("only", chosen && depth === 4);
    cell.setAttribute("aria-selected", String(chosen));
    cell.setAttribute("aria-label", `${value}: head ${index.H}, token ${index.L}, number ${index.D}`);
  }

  /** Scroll sideways until the current number is visible; the page does not move. */
  function reveal() {
    const cell = folder.querySelector("[tabindex='0']");
    if (!cell) return;
    const [box, frame] = [cell.getBoundingClientRect(), node.getBoundingClientRect()];
    if (box.left < frame.left) node.scrollLeft -= frame.left - box.left + 20;
    if (box.right > frame.right) node.scrollLeft += box.right - frame.right + 20;
  }

  /**
   * @param {Shown} shown
   * @param {ArrayLike<number>} values of all samples, in the order of y
   */
  function draw(shown, values) {
    const { sizes, at } = shown;
    const hadFocus = folder.contains(document.activeElement);
    const resized = !drawn || drawn.sizes.L !== sizes.L || drawn.sizes.H !== sizes.H || drawn.sizes.D !== sizes.D;
    if (resized) resize(sizes);
    drawn = { sizes, at };
    for (const [n, cell] of cells.entries()) mark(cell, indexOf(n, shown), shown, values[at.B * cells.length + n]);
    const current = cells[(at.H * sizes.L + at.L) * sizes.D + at.D];
    if (hadFocus && current !== document.activeElement) current.focus({ preventScroll: true });
  }

  return { node, draw, reveal };
}

function makeTable() {
  const captions = element("div", { class: "grid-captions", "aria-hidden": "true" });
  return element("div", { class: "grid-table" }, captions, element("div", { role: "grid", class: "grid-rows" }));
}

/**
 * @param {number} h
 * @param {number} D
 */
function makeCaption(h, D) {
  return element("span", { style: `--head:${colourOf(h)};--cells:${D}` }, D > 1 ? `head ${h}` : String(h));
}

/** @param {number} l */
function makeToken(l) {
  return element("div", { role: "rowheader", class: "grid-token", "data-axis": "L", "aria-label": `token ${l}` }, String(l));
}

/**
 * @param {number} h
 * @param {number} d
 */
function makeCell(h, d) {
  return element("div", { role: "gridcell", class: `grid-cell${d === 0 ? " first" : ""}`, style: `--head:${colourOf(h)}` });
}
