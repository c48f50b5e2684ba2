// What stands around EinsumLab's matrices: names, bars in the colours of the axes, and the indices at which the loops are.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { fill, number, shadeOf } from "./ink.js";
import { BESIDE, gridOf, matrixOf } from "./layout.js";
import { axesOf } from "./pin.js";

const BAR = 3; // how thick the bar of an axis is

/**
 * The name of a tensor with the indices of what is shown of it, as in code; bars in the colours of its axes; and the indices at which the
 * loops are.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./ink.js").Picture} picture
 * @param {import("./scene.js").Scene} scene
 * @param {import("./layout.js").Place} place
 * @param {number} side
 */
export function paintEdges(pen, { plan, formula, names, look }, { indices, fronts }, place, side) {
  const { title, sizes, apart } = place;
  const axes = axesOf(formula)[side] ?? "";
  const grid = gridOf(axes);
  const isAll = apart >= 0;
  const colourOf = (/** @type {string} */ letter) => look.axes[letter.toUpperCase()];
  const known = [...axes].map((letter) => {
    const n = grid.indexOf(letter);
    return n < 2 && !isAll ? fronts[side][n] : indices[letter];
  });
  const last = isAll && plan.width <= BESIDE ? -1 : known.findLastIndex((one) => one !== undefined); // on a phone the legend needs the room
  let x = title.x;
  const put = (/** @type {string} */ text, colour = look.ink, weight = 400) => {
    x += write(pen, text, x, title.y, { colour, weight, size: 13 });
  };
  put(names[side], look.ink, 700);
  known.slice(0, last + 1).forEach((one, n) => {
    put(n ? ", " : "[");
    put(String(one ?? ":"), colourOf(axes[n]), 700);
  });
  if (last >= 0) put("]");

  const [B, H, , C] = sizes;
  const [down, across, row, column] = grid;
  const bold = /** @type {const} */ ({ weight: 700, align: "center" });
  const bar = (/** @type {string} */ axis, /** @type {number[]} */ [bx, by, bw, bh]) => {
    pen.fillStyle = colourOf(axis);
    pen.fillRect(bx, by, bw, bh);
  };
  /** An index, which stands out if the loops are there. @param {string} axis @param {string | number} text @param {number} cx @param {number} cy @param {boolean} isNow */
  const label = (axis, text, cx, cy, isNow) => {
    const wide = 4 + 7 * String(text).length;
    pen.beginPath();
    pen.roundRect(cx - wide / 2, cy - 7.5, wide, 15, 4);
    pen.fillStyle = mixed(colourOf(axis), look.paper, 0.2);
    if (isNow) pen.fill();
    write(pen, String(text), cx, cy, { ...bold, colour: colourOf(axis) });
  };
  /** Whether the loops are at this matrix, or run through it. @param {string} letter @param {number} n */
  const isIn = (letter, n) => !isAll || (indices[letter] ?? n) === n;
  const named = (/** @type {string} */ letter, /** @type {number} */ n) => (C * place.sheet.w > 40 ? `${letter} ${n}` : n);
  const [i, j] = [indices[row], indices[column]];
  for (const b of range(isAll ? B : 1)) {
    const { x: left, y: top, h: high } = matrixOf(place, b, 0);
    if (row) bar(row, [left - 1 - BAR, top, BAR, high]);
    if (row && i !== undefined && isIn(down, b)) label(row, i, left - 11, top + (i + 0.5) * place.sheet.p, true);
    if (isAll && down && B > 1) label(down, named(down, b), left - 30, top + high / 2, indices[down] === b);
  }
  for (const h of range(isAll ? H : 1)) {
    const { x: left, y: top, w } = matrixOf(place, 0, h);
    if (column) bar(column, [left, top - 1 - BAR, w, BAR]);
    if (column && j !== undefined && isIn(across, h)) label(column, j, left + (j + 0.5) * place.sheet.w, top - 12.5, true);
    if (isAll && across && H > 1) label(across, named(across, h), left + w / 2, top - 28, indices[across] === h);
  }
  const first = matrixOf(place, 0, 0);
  const { x: left, w } = matrixOf(place, 0, isAll ? H - 1 : 0);
  /** A letter as in the formula: elsewhere l looks like 1. @param {string} letter @param {number} x @param {number} y */
  const name = (letter, x, y) => {
    pen.font = "700 14px ui-monospace, monospace";
    pen.textAlign = "center";
    pen.fillStyle = colourOf(letter);
    pen.fillText(letter, x, y);
  };
  if (row) name(row, first.x - 11, first.y - 9);
  if (column) name(column, left + w + 8, first.y - 5);
}

/**
 * Which colours the least result, 0 and the largest one would have, as three cells.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./ink.js").Picture} picture
 */
export function paintLegend(pen, picture) {
  const { plan, most, colour } = picture;
  const { x, y, w, h } = plan.legend;
  if (colour === "value" && x + 3 * w < plan.width)
    for (const n of [0, 1, 2]) {
      const value = (n - 1) * most.result;
      const { fills, ink } = shadeOf(picture, 2, 0, value);
      const box = { x: x + n * w, y, w, h };
      fill(pen, box, fills);
      number(pen, box, spelled(value), ink);
    }
}
