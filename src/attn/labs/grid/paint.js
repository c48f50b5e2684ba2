// GridLab's two canvases: the tables, whose numbers fly from step to step, and the row of memory, which stands still.

import { inkOn, tints } from "../kit/colours.js";
import { context2d } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { soft } from "../kit/time.js";
import { originOf } from "./model.js";
import { flying, LEFT, MEMORY, placeBox, TITLE, windowOnto, writing } from "./scene.js";
import { WORDS } from "./words.js";

/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./scene.js").Layout} Layout */
/** @typedef {import("./model.js").ByAxis} ByAxis */

/** @typedef {{ fills: string[], inks: string[], faded: string[], paper: string, ink: string, axes: Record<string, string> }} Look */

/**
 * @typedef {object} Marks
 * @property {readonly boolean[]} chosen by number
 * @property {number} pinned the number that is looked at
 * @property {number} pointed the number under the pointer, or that which is pinned
 */

const FONT = "system-ui, sans-serif";
const FADED = 0.42;
const DIGIT = 6.6; // pixels of a digit at 11 pixels

/**
 * The colours of all numbers.
 *
 * @param {ByAxis} sizes
 * @param {import("./model.js").Colour} by
 * @param {Record<string, string>} colours those of the page
 * @returns {Look}
 */
export function lookOf(sizes, by, colours) {
  const N = sizes.B * sizes.H * sizes.L * sizes.D;
  const scale = tints(by === "token" ? colours.L : colours.H, colours.paper);
  const fills = range(N).map((number) => {
    if (by === "value") return /** @type {{ paper: string }} */ (shade(number, "signed", Math.max(1, N - 1))).paper;
    const origin = originOf(sizes, number);
    return scale[(by === "head" ? origin.H : origin.L) % scale.length];
  });
  const sheet = mixed(colours.ink, colours.paper, 0.1); // what is not marked fades towards this grey
  /** @type {Map<string, [ink: string, faded: string]>} */
  const known = new Map();
  const others = fills.map((fill) => {
    if (!known.has(fill)) known.set(fill, [inkOn(fill), mixed(fill, sheet, FADED)]);
    return /** @type {[string, string]} */ (known.get(fill));
  });
  return {
    ...{ fills, inks: others.map(([ink]) => ink), faded: others.map(([, faded]) => faded) },
    ...{ paper: colours.paper, ink: colours.ink, axes: colours },
  };
}

/**
 * @param {string} colour
 * @param {string} paper
 * @param {number} strength
 */
function mixed(colour, paper, strength) {
  const [a, b] = [colour, paper].map((one) => (one.match(/[\d.]+/g) ?? ["128", "128", "128"]).slice(0, 3).map(Number));
  return `rgb(${a.map((value, n) => Math.round(b[n] + (value - b[n]) * strength)).join(", ")})`;
}

/**
 * Make a canvas this large, in the pixels of the screen, and return its pen.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function prepared(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    [canvas.width, canvas.height] = [w, h];
    canvas.style.cssText = `width:${width}px;height:${height}px`;
  }
  const pen = context2d(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.globalAlpha = 1;
  pen.textBaseline = "middle";
  return pen;
}

/**
 * The frames and titles of the tables.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Layout} layout
 * @param {Look} look
 * @param {number} alpha
 */
function paintFrames(pen, { nest, sizes, cell, tables }, { axes, ink }, alpha) {
  if (alpha <= 0) return;
  const blocks = new Set();
  for (const { x, y, w, h, block, table, first } of tables) {
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
      pen.textAlign = "center";
      pen.font = `600 12px ${FONT}`;
      const long = `${WORDS[nest.table]} ${table}`;
      const title = [long, `${nest.table} ${table}`].find((text) => pen.measureText(text).width <= w + 6) ?? String(table);
      pen.fillText(title, x + w / 2, y - TITLE / 2);
    }
    if (first && cell.h >= 11) {
      pen.fillStyle = axes[nest.row];
      pen.textAlign = "right";
      pen.font = `600 11px ${FONT}`;
      for (const i of range(sizes[nest.row])) pen.fillText(String(i), x - 6, y + (i + 0.5) * cell.h + 0.5);
    }
    if (!blocks.has(block)) {
      blocks.add(block);
      const own = tables.filter((one) => one.block === block);
      const high = own[own.length - 1].y + h - y;
      pen.save();
      pen.fillStyle = axes[nest.block];
      pen.font = `600 12px ${FONT}`;
      pen.textAlign = "center";
      pen.translate(x - LEFT + 8, y + high / 2);
      pen.rotate(-Math.PI / 2);
      const title = `${WORDS[nest.block]} ${block}`;
      pen.fillText(pen.measureText(title).width <= high + 6 ? title : `${nest.block} ${block}`, 0, 0);
      pen.restore();
    }
  }
  pen.globalAlpha = 1;
}

/**
 * One number in its cell.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} number
 * @param {Box} box
 * @param {Look} look
 * @param {boolean} lit
 * @param {boolean} written whether the number itself has room
 */
function paintCell(pen, number, { x, y, w, h }, look, lit, written) {
  pen.fillStyle = lit ? look.fills[number] : look.faded[number];
  const seam = w > 6 ? 1 : 0;
  pen.fillRect(x, y, w - seam, h - seam);
  if (!written) return;
  pen.fillStyle = lit ? look.inks[number] : look.ink;
  pen.globalAlpha = lit ? 1 : 0.78;
  pen.fillText(String(number), x + (w - seam) / 2, y + h / 2 + 0.5);
  pen.globalAlpha = 1;
}

/**
 * A line around a cell that is seen on every colour.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {Look} look
 */
function paintRing(pen, { x, y, w, h }, { ink, paper }) {
  pen.strokeStyle = paper;
  pen.lineWidth = 4;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
  pen.strokeStyle = ink;
  pen.lineWidth = 2;
  pen.strokeRect(x - 0.5, y - 0.5, w, h);
}

/**
 * The tables at moment n of the move from one step to another; at n = 1 as if there had been no move.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ from: { layout: Layout, boxes: Box[] }, to: { layout: Layout, boxes: Box[] }, n: number, D: number }} move
 * @param {Look} look
 * @param {Marks} marks
 */
export function paintTables(pen, { from, to, n, D }, look, { chosen, pinned, pointed }) {
  const fades = n < 1 && JSON.stringify(from.layout.nest) !== JSON.stringify(to.layout.nest);
  paintFrames(pen, from.layout, look, fades ? 1 - soft(Math.min(1, 2.5 * n)) : 0);
  paintFrames(pen, to.layout, look, fades ? soft(Math.max(0, 2.5 * n - 1.5)) : 1);
  const boxes = n < 1 ? flying(from.boxes, to.boxes, n, D) : to.boxes;
  const cell = to.layout.cell;
  const digits = String(boxes.length - 1).length;
  const written = Math.min(cell.w, from.layout.cell.w) > digits * DIGIT + 1 && Math.min(cell.h, from.layout.cell.h) >= 13;
  pen.textAlign = "center";
  for (const lit of [false, true]) {
    pen.font = `${lit && cell.w > digits * 8 + 3 ? "600 " : ""}11px ${FONT}`;
    for (let number = 0; number < boxes.length; number++)
      if (chosen[number] === lit) paintCell(pen, number, boxes[number], look, lit, written);
  }
  if (chosen.length > 1) paintRing(pen, boxes[pinned], look);
  if (pointed !== pinned) paintRing(pen, boxes[pointed], look);
}

/**
 * Memory: the row in which the numbers lie, and below it the new one if the step has written one, at moment n of the writing; last, the
 * numbers around the place of the one that is looked at.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ width: number, sizes: ByAxis, storage: ArrayLike<number>, shared: boolean, n: number, titles: string[] }} memory
 * @param {Look} look
 * @param {Marks} marks
 */
export function paintMemory(pen, { width, sizes, storage, shared, n, titles }, look, marks) {
  const N = storage.length;
  const first = range(N).map((place) => placeBox(width, N, place));
  paintRow(pen, { nth: 0, width, title: titles[0], boxes: first, placeOf: (number) => number, moving: false }, look, marks);
  const places = range(N);
  for (let place = 0; place < N; place++) places[storage[place]] = place;
  const moving = !shared && n < 1;
  if (!shared) {
    const boxes = moving ? writing(width, storage, n) : places.map((place) => placeBox(width, N, place, 1));
    paintRow(pen, { nth: 1, width, title: titles[1], boxes, placeOf: (number) => places[number], moving }, look, marks);
  }
  if (!moving)
    paintWindow(pen, windowOnto(width, N, shared, places[marks.pointed], sizes.D), { width, shared, storage }, look, marks);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof windowOnto>} seen
 * @param {{ width: number, shared: boolean, storage: ArrayLike<number> }} memory
 * @param {Look} look
 * @param {Marks} marks
 */
function paintWindow(pen, { from, to, box }, { width, shared, storage }, look, { chosen, pinned, pointed }) {
  const nth = shared ? 0 : 1;
  const [left, right] = [placeBox(width, storage.length, from, nth), placeBox(width, storage.length, to, nth)];
  const foot = left.y + left.h + 1;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.4; // from the part of the row to its enlargement
  pen.beginPath();
  pen.moveTo(left.x, foot);
  pen.lineTo(box.x, box.y - 1);
  pen.moveTo(right.x, foot);
  pen.lineTo(box.x + (to - from) * box.w, box.y - 1);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.textAlign = "center";
  /** @param {number} place */
  const cell = (place) => ({ ...box, x: box.x + (place - from) * box.w });
  for (let place = from; place < to; place++) {
    const lit = chosen[storage[place]];
    pen.font = `${lit ? "600 " : ""}11px ${FONT}`;
    paintCell(pen, storage[place], cell(place), look, lit, true);
  }
  for (let place = from; place < to; place++) if ([pinned, pointed].includes(storage[place])) paintRing(pen, cell(place), look);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ nth: 0 | 1, width: number, title: string, boxes: Box[], placeOf: (number: number) => number, moving: boolean }} row
 * @param {Look} look
 * @param {Marks} marks
 */
function paintRow(pen, { nth, width, title, boxes, placeOf, moving }, look, { chosen, pinned, pointed }) {
  const N = boxes.length;
  const frame = placeBox(width, N, 0, nth);
  const { raised, inset, strip, ticks } = MEMORY;
  const wide = width - 2 * inset;
  pen.fillStyle = look.ink;
  pen.globalAlpha = 0.8;
  pen.font = `12px ${FONT}`;
  pen.textAlign = "left";
  pen.fillText(title, inset, frame.y - raised - 6);
  pen.globalAlpha = 0.35;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.strokeRect(inset - 0.5, frame.y - 0.5, wide + 1, strip + 1);
  pen.globalAlpha = 1;
  const written = frame.w > String(N - 1).length * DIGIT + 1;
  pen.textAlign = "center";
  pen.font = `11px ${FONT}`;
  for (const lit of [false, true])
    for (let number = 0; number < N; number++) {
      if (chosen[number] !== lit) continue;
      const { x, y, w, h } = boxes[number];
      const up = lit && !moving ? raised : 0;
      paintCell(pen, number, { x, y: y - up, w: lit ? Math.max(w, 2) : w, h: h + up }, look, lit, written);
    }
  if (moving) return;
  const shown = pointed;
  const { x, y, w, h } = boxes[shown];
  const thick = Math.max(w, 4);
  paintRing(pen, { x: x + w / 2 - thick / 2 + 0.5, y: y - raised, w: thick, h: h + raised }, look);
  if (pinned !== shown) paintRing(pen, { ...boxes[pinned], y: boxes[pinned].y - raised, h: h + raised }, look);
  const y0 = frame.y + strip + ticks / 2 + 2;
  const [label, end] = [`place ${placeOf(shown)}`, String(N - 1)];
  pen.font = `600 11px ${FONT}`;
  const half = pen.measureText(label).width / 2;
  const at = Math.max(inset + half, Math.min(width - inset - half, x + w / 2));
  pen.fillStyle = look.ink;
  pen.fillText(label, at, y0);
  pen.font = `11px ${FONT}`;
  pen.globalAlpha = 0.8;
  pen.textAlign = "left";
  if (at - half > inset + 14) pen.fillText("0", inset, y0);
  pen.textAlign = "right";
  if (at + half < width - inset - pen.measureText(end).width - 6) pen.fillText(end, width - inset, y0);
  pen.globalAlpha = 1;
}
