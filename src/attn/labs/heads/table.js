// HeadsLab's table: a row of E bars for each head, with the rows of W_O behind one of them, and y, to which the rows are added.
// Numbers stand in one column alone: so the arrows above are the picture. All bars have one scale. What a head that is off has taken
// away, what has not been added yet, and y as it was, are outlines.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { mix, swing } from "../kit/time.js";
import { cellOf } from "./layout.js";
import { badge, edgeOf, frame, lineOf, writeWithin } from "./pen.js";
import { changesOf, signed } from "./words.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./pen.js").Look} Look */
/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {Plan} plan
 * @property {Look} look
 * @property {number} E
 * @property {string} word whose y it is
 * @property {{ head: number, text: string, stranger: boolean }[]} labels of the rows
 * @property {boolean[]} on
 * @property {number} column that is written out, or -1
 * @property {{ h: number, factors: number[], rows: number[][] } | null} block the rows of W_O of a head, and their factors in concat
 */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintTable(pen, picture, scene) {
  const { plan, look, labels, word, block, column } = picture;
  const { vectors, amounts, grown, adding, isEmpty } = scene;
  const { E } = picture;
  const { ink } = look.axes;
  const ofHeads = reachOf(vectors.flat());
  const ofSums = reachOf(range(E).flatMap((e) => [Math.min, Math.max].map((end) => sum(vectors.map((row) => end(0, row[e]))))));
  const products = (block?.rows ?? []).map((row, d) => row.map((value) => value * (block?.factors[d] ?? 0)));
  const rows = products.map((row, d) => row.map((value, e) => mix(block?.rows[d][e] ?? 0, value, scene.times)));
  const flights = products.map((_, d) => clamp(scene.fallen * products.length - d, 0, 1));
  const landed = range(E).map((e) => sum(products.map((row, d) => (flights[d] < 1 ? 0 : row[e]))));
  const isWhole = !block || scene.fallen >= 1;
  const isBuilt = (/** @type {number} */ h) => isWhole || h !== block?.h;
  const added = vectors.map((row, h) =>
    row.map((value, e) => grown[h] * value * (isBuilt(h) ? 1 : 1 - scene.open) + (isBuilt(h) ? 0 : landed[e])),
  );
  const y = range(E).map((e) => sum(added.map((row) => row[e])));
  const ofRows = reachOf([...(block?.rows ?? []), ...products].flat());
  const scale = Math.min(fill(ofHeads, plan.tall), fill(ofSums, plan.last), fill(ofRows, plan.low - 1));
  /** @type {Row} */
  const paintRow = (top, h, { reach: [least, most], values = [], ground = 0, ...how }) => {
    const zero = top + h / 2 + ((most + least) * scale) / 2;
    pen.globalAlpha = how.alpha ?? 1;
    for (const e of range(E)) {
      const { x, w } = cellOf(plan, top, e, h);
      if (ground) pen.fillStyle = mixed(ink, look.axes.paper, ground);
      if (ground) pen.fillRect(x, top, w, h);
      pen.fillStyle = look.faint;
      pen.fillRect(x, zero - 0.5, w, 1);
      if (values.length)
        paintBar(pen, look, { x, y: zero - Math.max(0, values[e]) * scale, w, h: Math.abs(values[e]) * scale }, how);
    }
    pen.globalAlpha = 1;
  };
  paintHeader(pen, picture);
  rows.forEach((values, d) => {
    paintProduct(pen, picture, d, scene);
    const tint = mixed(tintOf(picture, block?.h ?? 0), look.quiet, scene.times);
    paintRow(plan.rows[d], plan.low - 1, { reach: ofRows, values, tint, alpha: scene.open, ground: 0.05 });
  });
  labels.forEach((label, h) => {
    const [top, tint, amount] = [plan.heads[h], tintOf(picture, h), amounts[h]];
    paintName(pen, picture, label, h, top);
    const missing = isBuilt(h) ? 1 - grown[h] : scene.open;
    if (amount > 0) paintRow(top, plan.tall, { reach: ofHeads, tint, values: added[h], ground: 0.07 * amount });
    if (missing) paintRow(top, plan.tall, { reach: ofHeads, values: vectors[h], tint, alpha: missing, hollow: true });
  });
  flights.forEach((flight, d) => {
    if (!block || flight <= 0 || flight >= 1) return;
    const top = mix(plan.rows[d], plan.heads[block.h] + (plan.tall - plan.low + 1) / 2, swing(flight));
    paintRow(top, plan.low - 1, { reach: ofRows, values: products[d], tint: tintOf(picture, block.h) });
  });
  pen.fillStyle = look.quiet;
  pen.fillRect(plan.side - 2, plan.sum - 4, E * plan.cell + 3, 1);
  const middle = plan.sum + plan.last / 2;
  write(pen, "=", 2, middle, { colour: look.quiet, weight: 700 });
  const name = write(pen, "y", 18, middle, { colour: ink, weight: 700, size: 15 });
  if (plan.roomy) writeWithin(pen, `of “${word}”`, 18 + name + 5, middle, { colour: ink }, plan.side - name - 28);
  paintRow(plan.sum, plan.last, { reach: ofSums, values: isEmpty ? [] : y, tint: look.quiet, ground: 0.16 });
  const missing = 1 - Math.min(...amounts);
  const alpha = isWhole ? missing : scene.open;
  if (alpha > 0) {
    const values = range(E).map((e) => sum(vectors.map((row) => row[e])));
    paintRow(plan.sum, plan.last, { reach: ofSums, values, tint: ink, alpha, hollow: true });
  }
  if (missing > 0) paintChanges(pen, picture, scene, missing);
  if (adding >= 0) {
    for (const [top, h] of [
      [plan.heads[adding], plan.tall],
      [plan.sum, plan.last],
    ])
      frame(pen, { x: plan.side - 1, y: top - 1, w: E * plan.cell + 1, h: h + 2 }, tintOf(picture, adding), 3);
  }
  if (column < 0) return;
  /** @type {[top: number, h: number, value: number, alpha: number][]} */
  // Only what holds is written: no product before its row is multiplied, no sum before its last term.
  const cells = labels.map((_, h) => [plan.heads[h], plan.tall, added[h][column], isBuilt(h) ? amounts[h] : 0]);
  cells.push([plan.sum, plan.last, y[column], Number(!isEmpty && isWhole)]);
  rows.forEach((row, d) => {
    cells.push([plan.rows[d], plan.low, row[column], scene.times % 1 ? 0 : scene.open]);
  });
  const first = Math.min(...cells.map(([top]) => top));
  const { x, w } = cellOf(plan, 0, column, 0);
  const marked = { x: x - 1, y: first - 1.5, w: w + 2, h: plan.sum + plan.last - first + 3 };
  pen.fillStyle = look.axes.paper;
  pen.fillRect(marked.x, marked.y, marked.w, marked.h);
  for (const [top, h, value, alpha] of cells) {
    pen.globalAlpha = alpha;
    const how = {
      colour: ink,
      size: Math.min(plan.cell < 42 ? 12 : 13, h - 4),
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

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintHeader(pen, { plan, look, E, column }) {
  const middle = plan.first + 9;
  const width = write(pen, "H", 16, middle, { colour: look.axes.H, weight: 700 });
  if (plan.roomy) write(pen, "heads", 16 + width + 4, middle, { colour: look.quiet, size: 12 });
  write(pen, "E", plan.side - 6, middle, { colour: look.axes.E, weight: 700, align: "right" });
  for (const e of range(E)) {
    if (plan.cell < 16 && e % 2 && e !== column) continue;
    if (plan.cell < 16 && Math.abs(e - column) === 1) continue;
    const { x, w } = cellOf(plan, 0, e, 0);
    const weight = e === column ? 700 : 400;
    write(pen, String(e), x + w / 2, middle, {
      colour: e === column ? look.axes.ink : look.quiet,
      size: plan.cell < 30 ? 11 : 13,
      weight,
      align: "center",
    });
  }
  pen.fillStyle = look.axes.E;
  pen.fillRect(plan.side, plan.first + 18, E * plan.cell - 1, 2);
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
  if (words) writeWithin(pen, words, 42, middle, { colour, size: sizeOf(plan), weight: 600 }, side - 46 - (stranger ? 12 : 0));
  if (stranger) write(pen, "✗", side - 5, middle, { colour: look.bad, weight: 700, size: sizeOf(plan), align: "right" });
}

/** @param {Plan} plan */
const sizeOf = ({ tall, roomy }) => (tall < 20 ? 11.5 : tall < 34 || !roomy ? 13 : 15);

/**
 * What a row of bars is: a row of W_O that a head meets, times a number of the head in concat. They add up to the row of the head.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} d
 * @param {Scene} scene
 */
function paintProduct(pen, { plan, look, block }, d, { open, times }) {
  const { h, factors } = /** @type {NonNullable<Picture["block"]>} */ (block);
  const row = `W_O[${h * factors.length + d}]`;
  const text = times ? `${spelled(factors[d])} × ${row}` : row;
  const how = { colour: look.axes.ink, size: plan.roomy ? 12 : 11, align: /** @type {const} */ ("right") };
  pen.globalAlpha = open;
  writeWithin(pen, text, plan.side - 4, plan.rows[d] + plan.low / 2, how, plan.side - 6);
  pen.globalAlpha = 1;
}

/**
 * How many numbers of y have changed and, where there is room, by how much.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {number} alpha
 */
function paintChanges(pen, { plan, look, E }, { vectors, amounts }, alpha) {
  const { side, cell, sum: top, last } = plan;
  const changes = changesOf(vectors, amounts);
  const change = (/** @type {number} */ e) => sum(vectors.map((row, h) => (amounts[h] - 1) * row[e]));
  const below = top + last + 9;
  const how = { colour: look.axes.ink, weight: 600, align: /** @type {const} */ ("center") };
  pen.globalAlpha = alpha;
  const count = `${changes.length} of ${E}`;
  if (cell < 42) write(pen, `${count} numbers of y change`, side + (E * cell) / 2, below, how);
  else write(pen, `${count} change`, side - 8, below, { ...how, align: "right" });
  for (const e of cell < 42 ? [] : changes) {
    const { x, w } = cellOf(plan, 0, e, 0);
    writeWithin(pen, signed(change(e)), x + w / 2, below, how, w + 1);
  }
  pen.globalAlpha = 1;
}

/** @typedef {[least: number, most: number]} Reach from the lowest bar to the highest */
/** @typedef {{ tint: string, alpha?: number, hollow?: boolean }} Bar */
/** @typedef {(top: number, h: number, row: Bar & { reach: Reach, values?: number[], ground?: number }) => void} Row paints bars on grey ground */

/** @param {number[]} values @returns {Reach} */
const reachOf = (values) => [Math.min(0, ...values), Math.max(0, ...values)];

/** Pixels for each unit, if a row of this height has room for all of its bars. @param {Reach} reach @param {number} h */
const fill = ([least, most], h) => (h - 4) / Math.max(most - least, 1e-9);

/** @param {number[]} values */
const sum = (values) => values.reduce((all, value) => all + value, 0);

/** A number as a bar, up or down from zero. @param {CanvasRenderingContext2D} pen @param {Look} look @param {Box} box @param {Bar} how */
function paintBar(pen, look, { x: left, y, w: most, h }, { tint, hollow }) {
  const w = Math.min(most - 6, 46);
  const x = left + (most - w) / 2;
  if (hollow) {
    pen.setLineDash([3, 2]);
    frame(pen, { x: x + 0.5, y, w: w - 1, h }, lineOf(look, tint), 1);
    return pen.setLineDash([]);
  }
  pen.fillStyle = edgeOf(look, tint);
  pen.fillRect(x, y, w, Math.max(1, h));
  pen.fillStyle = tint;
  if (h > 2) pen.fillRect(x + 1, y + 1, w - 2, h - 2);
}
