// HeadsLab's table: a row of E bars for each head, with the rows of W_O behind one of them, and y, to which the rows are added.
// Numbers stand in one column alone: so the arrows above are the picture.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { cellOf } from "./layout.js";
import { badge, edgeOf, frame, writeWithin } from "./pen.js";
import { percents } from "./words.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./pen.js").Look} Look */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {Plan} plan
 * @property {Look} look
 * @property {string} word whose y it is
 * @property {{ head: number, text: string, stranger: boolean }[]} labels of the rows
 * @property {boolean[]} on
 * @property {number[]} shares of y with all heads
 * @property {number} column that is written out, or -1
 * @property {number} most the largest number
 * @property {{ h: number, factors: number[], rows: number[][] } | null} block the rows of W_O of a head, each times its factor in concat
 */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintTable(pen, picture, scene) {
  const { plan, look, labels, word, block, column } = picture;
  const { vectors, amounts, adding, y, isEmpty } = scene;
  const E = y.length;
  const { ink } = look.axes;
  paintHeader(pen, picture, E);
  if (block) paintBlock(pen, picture, block, scene.open);
  labels.forEach((label, h) => {
    const top = plan.heads[h];
    paintName(pen, picture, label, h, top);
    for (const e of range(E)) {
      const box = cellOf(plan, top, e, plan.tall);
      if (amounts[h] < 1) paintHole(pen, look, box, 1 - amounts[h]);
      if (amounts[h] > 0)
        paintNumber(pen, picture, box, amounts[h] * vectors[h][e], { alpha: amounts[h], tint: tintOf(picture, h) });
    }
    paintShare(pen, picture, h, top, plan.side + E * plan.cell);
  });
  const line = plan.sum - 4;
  pen.fillStyle = look.quiet;
  pen.fillRect(plan.side - 2, line, E * plan.cell + 3, 1);
  const middle = plan.sum + plan.last / 2;
  write(pen, "=", 2, middle, { colour: look.quiet, weight: 700 });
  const name = write(pen, "y", 18, middle, { colour: ink, weight: 700, size: 15 });
  if (plan.roomy) writeWithin(pen, `of “${word}”`, 18 + name + 5, middle, { colour: ink }, plan.side - name - 28);
  for (const e of range(E)) {
    const box = cellOf(plan, plan.sum, e, plan.last);
    if (isEmpty) paintHole(pen, look, box, 1);
    else paintNumber(pen, picture, box, y[e], { ground: 0.16 });
  }
  if (adding >= 0) {
    for (const [top, h] of [
      [plan.heads[adding], plan.tall],
      [plan.sum, plan.last],
    ])
      frame(pen, { x: plan.side - 1, y: top - 1, w: E * plan.cell + 1, h: h + 2 }, tintOf(picture, adding), 3);
  }
  if (column < 0) return;
  /** @type {[top: number, h: number, value: number, alpha: number][]} */
  const cells = labels.map((_, h) => [plan.heads[h], plan.tall, amounts[h] * vectors[h][column], amounts[h]]);
  cells.push([plan.sum, plan.last, y[column], Number(!isEmpty)]);
  if (block)
    cells.push(...plan.rows.map((top, d) => /** @type {typeof cells[0]} */ ([top, plan.low, block.rows[d][column], scene.open])));
  const first = Math.min(...cells.map(([top]) => top));
  const w = Math.max(plan.cell, 42); // on a phone it covers the columns beside it
  const x = clamp(plan.side + (column + 0.5) * plan.cell - w / 2, plan.side, plan.side + E * plan.cell - w);
  const marked = { x: x - 1, y: first - 1.5, w: w + 1, h: plan.sum + plan.last - first + 3 };
  pen.fillStyle = look.axes.paper;
  pen.fillRect(marked.x, marked.y, marked.w, marked.h);
  for (const [top, h, value, alpha] of cells) {
    pen.globalAlpha = alpha;
    const how = {
      colour: ink,
      size: Math.min(13, h - 4),
      weight: h === plan.last ? 700 : 400,
      align: /** @type {const} */ ("center"),
    };
    write(pen, spelled(value), x + w / 2, top + h / 2 + 0.5, { ...how, size: Math.max(11, how.size) });
  }
  pen.globalAlpha = 1;
  frame(pen, marked, ink, 2);
}

/** @param {Picture} picture @param {number} h */
const tintOf = ({ look, labels }, h) => look.heads[labels[h].head % look.heads.length];

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} E */
function paintHeader(pen, { plan, look, column, on }, E) {
  const width = write(pen, "H", 16, 9, { colour: look.axes.H, weight: 700 });
  if (plan.roomy) write(pen, "heads", 16 + width + 4, 9, { colour: look.quiet, size: 12 });
  write(pen, "E", plan.side - 6, 9, { colour: look.axes.E, weight: 700, align: "right" });
  for (const e of range(E)) {
    if (plan.cell < 16 && e % 2 && e !== column) continue;
    if (plan.cell < 16 && Math.abs(e - column) === 1) continue;
    const { x, w } = cellOf(plan, 0, e, 0);
    const weight = e === column ? 700 : 400;
    write(pen, String(e), x + w / 2, 9, {
      colour: e === column ? look.axes.ink : look.quiet,
      size: plan.cell < 30 ? 11 : 13,
      weight,
      align: "center",
    });
  }
  pen.fillStyle = look.axes.E;
  pen.fillRect(plan.side, 18, E * plan.cell - 1, 2);
  const right = plan.side + E * plan.cell + plan.after;
  const share = !plan.roomy ? "share" : on.every(Boolean) ? "share of length" : "of whole length";
  write(pen, share, right - 2, 9, { colour: look.quiet, align: "right" });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Picture["labels"][number]} label
 * @param {number} h
 * @param {number} top
 */
function paintName(pen, { plan, look, on }, { head, text, stranger }, h, top) {
  const { tall, side } = plan;
  const middle = top + tall / 2 + 0.5;
  if (h > 0) write(pen, "+", 2, middle, { colour: look.quiet, weight: 700 });
  const size = Math.min(18, tall - 1);
  badge(pen, look, head, { x: 16, y: top + (tall - size) / 2, w: 21, h: size }, !on[h]);
  const colour = stranger ? look.bad : on[h] ? look.axes.ink : look.quiet;
  const words = stranger ? `of ${text}` : text;
  if (words) writeWithin(pen, words, 42, middle, { colour, size: sizeOf(tall), weight: 600 }, side - 46 - (stranger ? 12 : 0));
  if (stranger) write(pen, "✗", side - 5, middle, { colour: look.bad, weight: 700, size: sizeOf(tall), align: "right" });
}

/** @param {number} tall */
const sizeOf = (tall) => (tall < 20 ? 11.5 : tall < 30 ? 13 : 15);

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} h
 * @param {number} top
 * @param {number} left
 */
function paintShare(pen, picture, h, top, left) {
  const { plan, look, on, shares } = picture;
  const { after, tall, roomy } = plan;
  const middle = top + tall / 2 + 0.5;
  const text = on[h] ? percents(shares)[h] : "off";
  write(pen, text, left + after - 2, middle, { colour: on[h] ? look.axes.ink : look.quiet, size: sizeOf(tall), align: "right" });
  if (!roomy) return;
  const room = after - 60; // pixels, for the longest bar
  const least = Math.min(0, ...shares);
  const scale = room / Math.max(Math.max(0, ...shares) - least, 1e-9);
  const zero = left + 12 - least * scale;
  const tint = tintOf(picture, h);
  pen.fillStyle = on[h] ? tint : look.axes.paper;
  const size = shares[h] * scale;
  const high = Math.min(16, tall - 5);
  const [start, upper] = [Math.min(zero, zero + size), top + (tall - high) / 2];
  pen.fillRect(start, upper, Math.abs(size), high);
  const edge = { x: start + 0.5, y: upper + 0.5, w: Math.max(0, Math.abs(size) - 1), h: high - 1 };
  frame(pen, edge, edgeOf(look, tint), 1);
  pen.fillStyle = look.quiet;
  pen.fillRect(zero - 0.5, top + 1, 1, tall - 2);
}

/**
 * The rows of W_O that a head meets, each times a number of the head in concat: they add up to the row of the head.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {NonNullable<Picture["block"]>} block
 * @param {number} open
 */
function paintBlock(pen, picture, { h, factors, rows }, open) {
  const { plan, look } = picture;
  const first = h * rows.length;
  rows.forEach((row, d) => {
    const y = plan.rows[d];
    const middle = y + plan.low / 2;
    const product = `${spelled(factors[d])} × W_O[${first + d}]${plan.roomy ? " =" : ""}`;
    const how = { colour: look.axes.ink, size: plan.roomy ? 12 : 11, align: /** @type {const} */ ("right") };
    pen.globalAlpha = open;
    writeWithin(pen, product, plan.side - 4, middle, how, plan.side - 6);
    row.forEach((value, e) => {
      paintNumber(pen, picture, cellOf(plan, y, e, plan.low - 1), value, { alpha: open, tint: tintOf(picture, h), ground: 0.05 });
    });
  });
}

/**
 * A number as a bar from the middle of its cell, up or down.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("../kit/moves.js").Box} box
 * @param {number} value
 * @param {{ alpha?: number, tint?: string, ground?: number }} how
 */
function paintNumber(pen, { look, most }, { x, y, w, h }, value, { alpha = 1, tint = look.quiet, ground = 0.07 }) {
  pen.globalAlpha = alpha;
  pen.fillStyle = mixed(look.axes.ink, look.axes.paper, ground);
  pen.fillRect(x, y, w, h);
  const size = ((value / most) * h) / 2;
  const wide = Math.min(w - 6, 30);
  const [left, top, high] = [x + (w - wide) / 2, y + h / 2 - Math.max(0, size), Math.max(1, Math.abs(size))];
  pen.fillStyle = edgeOf(look, tint);
  pen.fillRect(left, top, wide, high);
  pen.fillStyle = tint;
  if (high > 2) pen.fillRect(left + 1, top + 1, wide - 2, high - 2);
  pen.globalAlpha = 1;
}

/**
 * The place of a number that is not there.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {import("../kit/moves.js").Box} box
 * @param {number} alpha
 */
function paintHole(pen, look, { x, y, w, h }, alpha) {
  pen.globalAlpha = alpha;
  pen.setLineDash([3, 3]);
  frame(pen, { x: x + 1, y: y + 1, w: w - 2, h: h - 2 }, mixed(look.axes.ink, look.axes.paper, 0.4), 1);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
