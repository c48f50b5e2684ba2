// What stands around EinsumLab's tables: names, bars in the colours of the axes, and the indices at which the loops are.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { APART, boxOf, sizeOf } from "./layout.js";
import { axesOf } from "./pin.js";

const BAR = 3; // how thick the bar of an axis is

/**
 * The name of a tensor and its letters, bars in the colours of its axes, and the indices at which the loops are.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./ink.js").Picture} picture
 * @param {import("./scene.js").Scene} scene
 * @param {import("./layout.js").Place} place
 * @param {number} side
 */
export function paintEdges(pen, { formula, names, look }, { indices }, place, side) {
  const { title, sheet, sizes, all } = place;
  const axes = [...(axesOf(formula)[side] ?? "").toUpperCase()];
  const colourOf = (/** @type {string | undefined} */ axis) => (axis ? look.axes[axis] : look.rule);
  const at = (/** @type {string} */ axis) => indices[axis.toLowerCase()];
  let x = title.x + write(pen, `${names[side]}  `, title.x, title.y, { colour: look.ink, weight: 700, size: 13 });
  // Where only one table is drawn, its place among the others stands in the name.
  axes.forEach((axis, n) => {
    if (!all && n >= axes.length - 2 && axes.length > 2) return; // it stands at an edge
    const text = !all && axes.length > 2 ? `${axis} = ${at(axis) ?? "all"}  ` : `${axis} `;
    x += write(pen, text, x, title.y, { colour: colourOf(axis), weight: 700, size: 13 });
  });
  const [B, H, R, C] = sizes;
  const [column, row, head, sentence] = [axes.at(-1), axes.at(-2), axes.at(-3), axes.at(-4)];
  const { x: left, y: top, w, p } = sheet;
  const size = sizeOf(place);
  const bar = (/** @type {string} */ axis, /** @type {number[]} */ [bx, by, bw, bh]) => {
    pen.fillStyle = colourOf(axis);
    pen.fillRect(bx, by, bw, bh);
  };
  if (row) bar(row, [left - 1 - BAR, top, BAR, size.h]);
  if (column) bar(column, [left, top - 1 - BAR, size.w, BAR]);
  const index = { weight: 700, align: /** @type {const} */ ("center") };
  /** The index of a loop, as beside its line. @param {string | undefined} axis @param {number} cx @param {number} cy */
  const chip = (axis, cx, cy) => {
    if (!axis || at(axis) === undefined) return;
    const wide = at(axis) > 9 ? 19 : 14;
    pen.beginPath();
    pen.roundRect(cx - wide / 2, cy - 7.5, wide, 14, 4);
    if (formula.result.includes(axis.toLowerCase())) {
      pen.fillStyle = mixed(colourOf(axis), look.paper, 0.2);
      pen.fill();
    } else {
      pen.strokeStyle = colourOf(axis);
      pen.lineWidth = 1.2;
      pen.setLineDash([3, 2]);
      pen.stroke();
      pen.setLineDash([]);
    }
    write(pen, String(at(axis)), cx, cy, { ...index, colour: colourOf(axis) });
  };
  if (row) chip(row, left - 12, boxOf(place, at(row), 0).y + p / 2);
  if (column) chip(column, boxOf(place, 0, at(column)).x + w / 2, top - 12.5);
  if (row) write(pen, row, left - 11, top - 9, { colour: colourOf(row), weight: 700, align: "center" });
  if (column) write(pen, column, left + size.w + 4, top - 6, { colour: colourOf(column), weight: 700 });
  if (!all) return;
  const wide = H * C * all.c + APART * (H - 1);
  const high = B * R * all.c + APART * (B - 1);
  if (head && H > 1) {
    bar(head, [all.x, all.y - 2 - BAR, wide, BAR]);
    write(pen, head, all.x + wide, all.y - 13, { weight: 700, align: "right", colour: colourOf(head) });
  }
  if (sentence && B > 1) {
    bar(sentence, [all.x - 2 - BAR, all.y, BAR, high]);
    write(pen, sentence, all.x - 12.5, all.y + 8, { ...index, colour: colourOf(sentence) });
  }
}
