// A small matrix of numbers as a grid of cells: each number can be read, pointed at, walked to with the keyboard, and painted.

import { element, fit, setText, unique } from "./dom.js";
import { number } from "./format.js";
import { magnitude, shade } from "./scale.js";

const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// The cell that an arrow key leads to from cell n; Home and End lead to the ends of its row. It stays inside.
export function stepped(n, key, R, C) {
  const [i, j] = [Math.floor(n / C), n % C];
  if (key === "Home") return i * C;
  if (key === "End") return i * C + C - 1;
  const [down, right] = KEYS[key];
  return Math.max(0, Math.min(R - 1, i + down)) * C + Math.max(0, Math.min(C - 1, j + right));
}

// onPoint(n, how): the number of a cell, row by row, or null; how: it was reached by "hover", "click", "drag" or "key".
// onPaint(n, how): the same for a cell that is to be changed, by "start" or "drag" of a pointer, or "key" (space or enter).
// Without onPaint the matrix is only pointed at. Both are given cells of what was drawn last.
export function matrix(onPoint, onPaint = null) {
  const name = unique("matrix");
  const grid = element("div", { class: "cells", role: "grid", tabindex: 0, "aria-readonly": String(!onPaint) });
  const node = element("div", { class: onPaint ? "matrix paintable" : "matrix" }, grid);
  const idOf = (i, j) => `${name}-${i}-${j}`;
  let shown = {}; // { R, C, above, beside }: rows and columns of cells, of titles above and beside them
  let cells = [];
  let heads = { rows: [], columns: [] };
  let at = 0; // where the keyboard is
  let pointed = null;
  let pressed = false;

  const cellAt = (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[role=gridcell]");
    return under && grid.contains(under) ? cells.indexOf(under) : null;
  };
  const tell = (n, how) => {
    if (n === pointed && how === "hover") return;
    pointed = n;
    if (n !== null) goOn(n);
    onPoint(n, how);
  };
  grid.addEventListener("pointerdown", (event) => {
    const n = cellAt(event);
    if (n === null || event.button !== 0) return;
    pressed = true;
    grid.setPointerCapture(event.pointerId); // until the button is released every move is reported here
    tell(n, "click");
    onPaint?.(n, "start");
  });
  grid.addEventListener("pointermove", (event) => {
    const n = cellAt(event);
    if (!pressed) return event.pointerType === "mouse" && tell(n, "hover");
    if (n === null || n === pointed) return;
    tell(n, "drag");
    onPaint?.(n, "drag");
  });
  grid.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !pressed && tell(null, "hover"));
  grid.addEventListener("lostpointercapture", () => (pressed = false));
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in KEYS || event.key === "Home" || event.key === "End") tell(stepped(at, event.key, shown.R, shown.C), "key");
    else if (event.key === "Escape") tell(null, "key");
    else if (onPaint && (event.key === " " || event.key === "Enter")) onPaint(at, "key");
    else return;
    event.preventDefault();
  });

  // Rows, and cells of a row, come and go at the end: what stays need not be laid out again.
  function resize(R, C, titles) {
    const [above, beside] = [titles.columns ? 1 : 0, titles.rows ? 1 : 0];
    const framed = above === shown.above && beside === shown.beside;
    if (framed && R === shown.R && C === shown.C) return;
    if (!framed) grid.replaceChildren();
    const made = (i, j) => {
      if (i >= above && j >= beside) return element("span", { role: "gridcell", id: idOf(i - above, j - beside) });
      return element("span", { role: i >= above ? "rowheader" : j >= beside ? "columnheader" : "presentation" });
    };
    fit(grid, above + R, () => element("div", { role: "row" }));
    const lines = [...grid.children].map((row, i) => {
      fit(row, beside + C, (j) => made(i, j));
      return [...row.children];
    });
    cells = lines.slice(above).flatMap((line) => line.slice(beside));
    heads = { rows: beside ? lines.slice(above).map((line) => line[0]) : [], columns: above ? lines[0].slice(beside) : [] };
    grid.style.setProperty("--columns", C);
    grid.classList.toggle("headed", Boolean(beside));
    shown = { R, C, above, beside };
    at = Math.min(at, R * C - 1);
    if (pointed !== null && pointed >= R * C) pointed = null;
  }

  // data: R x C numbers, row by row. kind: "weights", "signed", or "plain" (no colour); most: what the signed colours end at.
  // titles: { rows, columns }, a word for each, or none. looks(n): the classes of a cell ("lit", "here", "faint", "bad" have a style);
  // text(value, n): what stands in it. label: what a screen reader says of the whole. active: where the keyboard goes on from.
  function draw({ data, R, C, kind = "signed", most, digits = 2, titles = {}, looks, text, label, active }) {
    resize(R, C, titles);
    heads.rows.forEach((head, i) => setText(head, titles.rows[i]));
    heads.columns.forEach((head, j) => setText(head, titles.columns[j]));
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
    goOn(Math.min(active ?? at, R * C - 1));
    if (grid.getAttribute("aria-label") !== label) grid.setAttribute("aria-label", label);
  }

  // Let the keyboard go on from cell n, or from column j of the row where it is, before or without another drawing.
  function goOn(n) {
    at = n;
    grid.setAttribute("aria-activedescendant", idOf(Math.floor(at / shown.C), at % shown.C));
  }
  const toColumn = (j) => goOn(Math.floor(at / shown.C) * shown.C + j);

  return { node, grid, draw, goOn, toColumn };
}
