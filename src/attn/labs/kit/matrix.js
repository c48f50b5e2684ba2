// A small matrix of numbers as a grid of cells, which can be read, pointed at, reached with the keyboard, and painted.

import { element, setChildCount, setText, unique } from "./dom.js";
import { number } from "./format.js";
import { clamp } from "./math.js";
import { magnitude, shade } from "./scale.js";

/** @typedef {"hover" | "click" | "drag" | "key"} Pointing how a cell was reached */

/**
 * @typedef {object} Drawing
 * @property {ArrayLike<number> & Iterable<number>} data R x C numbers, row by row
 * @property {number} R
 * @property {number} C
 * @property {import("./scale.js").Scale | "plain"} [kind] "plain" has no colours
 * @property {number} [most] where the scale of signed numbers ends
 * @property {number} [digits]
 * @property {{ rows?: string[] | null, columns?: string[] | null }} [titles] words beside the rows and above the columns
 * @property {(n: number) => string} [looks] the classes of cell n; "lit", "here", "faint" and "bad" have a style
 * @property {(value: number, n: number) => string} [text] what cell n shows instead of its number
 * @property {string} label what a screen reader says of the whole matrix
 * @property {number} [active] the cell from which the keyboard continues
 */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * The cell that an arrow key leads to from cell n, inside the matrix. Home and End lead to the ends of its row.
 *
 * @param {number} n
 * @param {string} key
 * @param {number} R
 * @param {number} C
 */
export function stepped(n, key, R, C) {
  const [i, j] = [Math.floor(n / C), n % C];
  if (key === "Home") return i * C;
  if (key === "End") return i * C + C - 1;
  const [down, right] = STEPS[key];
  return clamp(i + down, 0, R - 1) * C + clamp(j + right, 0, C - 1);
}

/**
 * A matrix that calls onPoint with the cell that is pointed at, or null, and onPaint with a cell that is to be changed, at the "start"
 * or during a "drag" of a pointer, or by "key" (space or enter). Cells are counted row by row. Both get cells of the last drawing.
 *
 * @param {(n: number | null, how: Pointing) => void} onPoint
 * @param {((n: number, how: "start" | "drag" | "key") => void) | null} [onPaint] null: the matrix cannot be painted
 */
export function matrix(onPoint, onPaint = null) {
  const name = unique("matrix");
  const grid = element("div", { class: "cells", role: "grid", tabindex: 0, "aria-readonly": String(!onPaint) });
  const node = element("div", { class: onPaint ? "matrix paintable" : "matrix" }, grid);
  /**
   * @param {number} i
   * @param {number} j
   */
  const idOf = (i, j) => `${name}-${i}-${j}`;
  let shape = { R: 0, C: 0, above: 0, beside: 0 }; // rows and columns of cells, rows of titles above and columns beside them
  /** @type {Element[]} */
  let cells = [];
  /** @type {{ rows: Element[], columns: Element[] }} */
  let headers = { rows: [], columns: [] };
  let current = 0; // the cell of the keyboard
  /** @type {number | null} */
  let pointed = null;
  let pressed = false;

  /** @param {PointerEvent} event */
  const cellAt = (event) => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("[role=gridcell]");
    return cell && grid.contains(cell) ? cells.indexOf(cell) : null;
  };
  /**
   * @param {number | null} n
   * @param {Pointing} how
   */
  const point = (n, how) => {
    if (n === pointed && how === "hover") return;
    pointed = n;
    if (n !== null) moveTo(n);
    onPoint(n, how);
  };
  grid.addEventListener("pointerdown", (event) => {
    const n = cellAt(event);
    if (n === null || event.button !== 0) return;
    pressed = true;
    grid.setPointerCapture(event.pointerId); // until the button is released every move is reported here
    point(n, "click");
    onPaint?.(n, "start");
  });
  grid.addEventListener("pointermove", (event) => {
    const n = cellAt(event);
    if (!pressed) {
      if (event.pointerType === "mouse") point(n, "hover");
      return;
    }
    if (n === null || n === pointed) return;
    point(n, "drag");
    onPaint?.(n, "drag");
  });
  grid.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !pressed) point(null, "hover");
  });
  grid.addEventListener("lostpointercapture", () => {
    pressed = false;
  });
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in STEPS || event.key === "Home" || event.key === "End")
      point(stepped(current, event.key, shape.R, shape.C), "key");
    else if (event.key === "Escape") point(null, "key");
    else if (onPaint && (event.key === " " || event.key === "Enter")) onPaint(current, "key");
    else return;
    event.preventDefault();
  });

  /**
   * Rows, and cells of a row, are added and removed at the end, so that the others need no new layout.
   *
   * @param {number} R
   * @param {number} C
   * @param {NonNullable<Drawing["titles"]>} titles
   */
  function resize(R, C, titles) {
    const [above, beside] = [titles.columns ? 1 : 0, titles.rows ? 1 : 0];
    const sameHeaders = above === shape.above && beside === shape.beside;
    if (sameHeaders && R === shape.R && C === shape.C) return;
    if (!sameHeaders) grid.replaceChildren();
    /**
     * @param {number} i
     * @param {number} j
     */
    const makeCell = (i, j) => {
      if (i >= above && j >= beside) return element("span", { role: "gridcell", id: idOf(i - above, j - beside) });
      return element("span", { role: i >= above ? "rowheader" : j >= beside ? "columnheader" : "presentation" });
    };
    setChildCount(grid, above + R, () => element("div", { role: "row" }));
    const lines = [...grid.children].map((row, i) => {
      setChildCount(row, beside + C, (j) => makeCell(i, j));
      return [...row.children];
    });
    cells = lines.slice(above).flatMap((line) => line.slice(beside));
    headers = { rows: beside ? lines.slice(above).map((line) => line[0]) : [], columns: above ? lines[0].slice(beside) : [] };
    grid.style.setProperty("--columns", String(C));
    grid.classList.toggle("headed", Boolean(beside));
    shape = { R, C, above, beside };
    current = Math.min(current, R * C - 1);
    if (pointed !== null && pointed >= R * C) pointed = null;
  }

  /** @param {Drawing} drawing */
  function draw({ data, R, C, kind = "signed", most, digits = 2, titles = {}, looks, text, label, active }) {
    resize(R, C, titles);
    headers.rows.forEach((header, i) => {
      setText(header, titles.rows?.[i] ?? "");
    });
    headers.columns.forEach((header, j) => {
      setText(header, titles.columns?.[j] ?? "");
    });
    const end = most ?? magnitude(data);
    cells.forEach((cell, n) => {
      const value = data[n];
      setText(cell, text ? text(value, n) : number(value, digits));
      const colour = kind === "plain" ? null : shade(value, kind, end);
      const style = colour ? `background-color:${colour.paper};color:${colour.ink}` : "";
      if (cell.getAttribute("style") !== style) cell.setAttribute("style", style);
      const look = looks?.(n) ?? "";
      if (cell.className !== look) cell.className = look;
    });
    moveTo(Math.min(active ?? current, R * C - 1));
    if (grid.getAttribute("aria-label") !== label) grid.setAttribute("aria-label", label);
  }

  /**
   * Let the keyboard continue from cell n.
   *
   * @param {number} n
   */
  function moveTo(n) {
    current = n;
    grid.setAttribute("aria-activedescendant", idOf(Math.floor(n / shape.C), n % shape.C));
  }

  /**
   * Let the keyboard continue from column j of its row.
   *
   * @param {number} j
   */
  const moveToColumn = (j) => moveTo(Math.floor(current / shape.C) * shape.C + j);

  return { node, grid, draw, moveTo, moveToColumn };
}
