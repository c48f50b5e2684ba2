// The canvas with the tables, whose numbers fly from step to step.

import { FONT } from "../kit/canvas.js";
import { clamp, range } from "../kit/math.js";
import { soft } from "../kit/time.js";
import { DIGIT, paintCell, paintCross, paintRing, paintText } from "./paint.js";
import { arrived, flying, LEFT } from "./scene.js";
import { WORDS } from "./words.js";

/** @typedef {import("./paint.js").Look} Look */
/** @typedef {import("./paint.js").Marks} Marks */
/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./scene.js").Layout} Layout */

/**
 * The frames and titles of the tables.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Layout} layout
 * @param {Look} look
 * @param {number} alpha
 * @param {{ name?: string, lit?: boolean[], wrong?: boolean[], framed?: number, seen?: number }} [told] lit, wrong: which numbers are
 *   marked, and belong elsewhere, in the order of the tensor; framed: the table of which the sentence tells; seen: how much of that is seen
 */
function paintFrames(pen, { nest, sizes, cell, tables }, look, alpha, { name, lit, wrong, framed, seen = 0 } = {}) {
  const { axes, ink } = look;
  if (alpha <= 0) return;
  const blocks = new Set();
  for (const [nth, { x, y, w, h, block, table, first }] of tables.entries()) {
    pen.globalAlpha = 0.35 * alpha;
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    pen.strokeRect(x - 1.5, y - 1.5, w + 3, h + 3);
    pen.globalAlpha = alpha;
    pen.fillStyle = axes[nest.row];
    pen.fillRect(x - 3, y - 3, 3, h + 6);
    pen.fillStyle = axes[nest.column];
    pen.fillRect(x - 3, y - 3, w + 6, 3);
    if (nest.table) {
      pen.fillStyle = axes[nest.table];
      pen.textAlign = "left";
      pen.font = `600 12px ${FONT}`;
      const long = `${WORDS[nest.table]} ${table}`;
      const title = [long, `${nest.table} ${table}`].find((text) => pen.measureText(text).width <= w + 6) ?? String(table);
      const wide = pen.measureText(title).width;
      const count = sizes[nest.row] * sizes[nest.column];
      /** @param {boolean[]} [which] */
      const countOf = (which = []) => which.slice(nth * count, (nth + 1) * count).filter(Boolean).length;
      const astray = countOf(wrong);
      const index = countOf(lit) === count ? ` = ${name}[${block}, ${table}]` : "";
      const verdicts = astray ? [`: ${astray} of ${count} wrong`, `: ${astray} ✗`] : [index];
      const verdict = verdicts.find((text) => wide + pen.measureText(text).width <= w + (astray ? 9 : 16)) ?? "";
      const left = x + (w - wide - seen * pen.measureText(verdict).width) / 2;
      paintText(pen, look, title, left, y - 10);
      pen.globalAlpha = seen;
      pen.fillStyle = pen.strokeStyle = astray ? look.wrong : ink;
      pen.lineWidth = 3;
      if (astray && nth === framed) pen.strokeRect(x - 2, y - 2, w + 3, h + 3);
      pen.fillText(verdict, left + wide, y - 10);
      pen.globalAlpha = alpha;
    }
    if (first && cell.h >= 11) {
      pen.fillStyle = axes[nest.row];
      pen.textAlign = "right";
      pen.font = `600 11px ${FONT}`;
      for (const i of range(sizes[nest.row]))
        pen.fillText(nest.row === "H" ? `h${i}` : String(i), x - 5, y + (i + 0.5) * cell.h + 0.5);
    }
    if (!blocks.has(block)) {
      blocks.add(block);
      const own = tables.filter((one) => one.block === block);
      const high = own[own.length - 1].y + h - y;
      pen.save();
      pen.fillStyle = axes[nest.block];
      pen.font = `600 12px ${FONT}`;
      pen.textAlign = "center";
      pen.translate(x - LEFT + 7, y + high / 2);
      pen.rotate(-Math.PI / 2);
      const title = `${WORDS[nest.block]} ${block}`;
      pen.fillText(pen.measureText(title).width <= high + 6 ? title : `${nest.block} ${block}`, 0, 0);
      pen.restore();
    }
  }
  pen.globalAlpha = 1;
}

/**
 * The tables at moment n of the move from one step to another; at n = 1 as if there had been no move.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ from: { layout: Layout, boxes: Box[] }, to: { layout: Layout, boxes: Box[], results: { values: ArrayLike<number> } }, n: number, D: number, H: number, name: string, wrong: boolean[], framed: number }} move
 *   name, wrong and framed: see paintFrames
 * @param {Look} look
 * @param {Marks} marks
 */
export function paintTables(pen, { from, to, n, D, H, name, wrong, framed }, look, { chosen, pinned, pointed }) {
  const fades = n < 1 && JSON.stringify(from.layout.nest) !== JSON.stringify(to.layout.nest);
  paintFrames(pen, from.layout, look, fades ? 1 - soft(clamp(12 * n, 0, 1)) : 0);
  const boxes =
    n < 1 ? flying(from.boxes, to.boxes, n, { D, H, chosen }) : to.boxes.map((box) => ({ ...box, go: 1, alpha: 1, digits: 1 }));
  const cell = to.layout.cell;
  const digits = String(boxes.length - 1).length;
  const [w, h] = /** @type {const} */ (["w", "h"]).map((side) =>
    n < 1 ? Math.min(cell[side], from.layout.cell[side]) : cell[side],
  );
  const written = w > digits * DIGIT + 1 && h >= 13;
  const isWide = w > digits * 8 + 3;
  const size = isWide && h >= 17 ? 13 : 11;
  const rests = boxes.map(({ go }) => (go >= 1 ? 2 : go > 0 ? 1 : 0));
  /**
   * @param {boolean} lit
   * @param {number} rest
   */
  const paintCells = (lit, rest) => {
    pen.font = `${lit && isWide ? "600 " : ""}${size}px ${FONT}`;
    pen.textAlign = "center";
    for (let number = 0; number < boxes.length; number++)
      if (chosen[number] === lit && rests[number] === rest) {
        pen.globalAlpha = boxes[number].alpha;
        paintCell(pen, number, boxes[number], look, lit, written ? boxes[number].digits : 0);
      }
    pen.globalAlpha = 1;
  };
  // What flies passes over what stands, and under titles; what is marked passes over all, and throws a shadow.
  for (const rest of [0, 2, 1]) paintCells(false, rest);
  const { values } = to.results;
  const lit = Array.from(values, (number) => chosen[number]);
  const seen = rests.every((rest) => rest === 2) ? 1 : arrived(n); // a copy moves nothing here
  paintFrames(pen, to.layout, look, fades ? soft(clamp(6 * n - 2, 0, 1)) : 1, { name, lit, wrong, framed, seen });
  pen.save();
  [pen.fillStyle, pen.shadowColor, pen.shadowBlur, pen.shadowOffsetY] = [look.fill, "#000a", 12, 4];
  for (const [number, { x, y, w, h }] of boxes.entries())
    if (chosen[number] && rests[number] === 1) pen.fillRect(x, y, w - 1, h - 1);
  pen.restore();
  for (const rest of [0, 2, 1]) paintCells(true, rest);
  pen.globalAlpha = seen;
  for (const [nth, isWrong] of wrong.entries())
    if (isWrong) paintCross(pen, boxes[values[nth]], lit[nth] ? look.inkOnFill : look.wrong);
  pen.globalAlpha = 1;
  if (chosen.length > 1) paintRing(pen, boxes[pinned], look, pointed !== pinned);
  if (pointed !== pinned) paintRing(pen, boxes[pointed], look);
}
