// A small matrix of numbers as a grid of cells: each number can be read, pointed at, walked to with the keyboard, and painted.

import { element, number, setText, unique } from "./dom.js";
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
  let shown = { R: 0, C: 0 };
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
    if (n !== null) at = n;
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

  function rebuild(R, C, titles) {
    const head = (role) => element("span", { role });
    const cell = (n) => element("span", { role: "gridcell", id: `${name}-${n}` });
    cells = Array.from({ length: R * C }, (_, n) => cell(n));
    heads = { rows: titles.rows ? Array.from({ length: R }, () => head("rowheader")) : [], columns: [] };
    const rows = Array.from({ length: R }, (_, i) => {
      return element("div", { role: "row" }, ...heads.rows.slice(i, i + 1), ...cells.slice(i * C, (i + 1) * C));
    });
    if (titles.columns) {
      heads.columns = Array.from({ length: C }, () => head("columnheader"));
      const corner = titles.rows ? [element("span", { role: "presentation" })] : [];
      rows.unshift(element("div", { role: "row" }, ...corner, ...heads.columns));
    }
    grid.style.setProperty("--columns", C);
    grid.classList.toggle("headed", Boolean(titles.rows));
    grid.replaceChildren(...rows);
    shown = { R, C };
    at = Math.min(at, R * C - 1);
    if (pointed !== null && pointed >= R * C) pointed = null;
  }

  // data: R x C numbers, row by row. kind: "weights", "signed", or "plain" (no colour); most: what the signed colours end at.
  // titles: { rows, columns }, a word for each, or none. looks(n): the classes of a cell ("lit", "here", "faint", "bad" have a style);
  // text(value, n): what stands in it. label: what a screen reader says of the whole. active: where the keyboard goes on from.
  function draw({ data, R, C, kind = "signed", most, digits = 2, titles = {}, looks, text, label, active }) {
    const fits = shown.R === R && shown.C === C && heads.rows.length === (titles.rows ? R : 0);
    if (!fits || heads.columns.length !== (titles.columns ? C : 0)) rebuild(R, C, titles);
    heads.rows.forEach((head, i) => setText(head, titles.rows[i]));
    heads.columns.forEach((head, j) => setText(head, titles.columns[j]));
    const end = most ?? magnitude(data);
    cells.forEach((cell, n) => {
      const value = data[n];
      setText(cell, text ? text(value, n) : number(value, digits));
      const colour = kind === "plain" ? null : shade(value, kind, end);
      const style = colour ? `background:${colour.paper};color:${colour.ink}` : "";
      if (cell.getAttribute("style") !== style) cell.setAttribute("style", style);
      const look = looks?.(n) ?? "";
      if (cell.className !== look) cell.className = look;
    });
    if (active !== undefined && active !== null) at = Math.min(active, R * C - 1);
    grid.setAttribute("aria-activedescendant", `${name}-${at}`);
    if (grid.getAttribute("aria-label") !== label) grid.setAttribute("aria-label", label);
  }

  // Let the keyboard go on from column j of the row where it is, for a matrix that is not drawn anew.
  function toColumn(j) {
    at = Math.floor(at / shown.C) * shown.C + j;
    grid.setAttribute("aria-activedescendant", `${name}-${at}`);
  }

  return { node, grid, draw, toColumn };
}
