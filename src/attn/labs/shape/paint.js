// What both pictures of ShapeLab draw with.

import { mix, swing } from "../kit/time.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./links.js").Region} Region */

export const BEHIND = 2.5; // pixels from a sheet to the next one behind it

/**
 * A box on the way from a to b.
 *
 * @param {Box} a
 * @param {Box} b
 * @param {number} n
 * @returns {Box}
 */
export function between(a, b, n) {
  const go = swing(n);
  return { x: mix(a.x, b.x, go), y: mix(a.y, b.y, go), w: mix(a.w, b.w, go), h: mix(a.h, b.h, go) };
}

/**
 * A plan's sheets between two plans: where each is, and how large its cells are. A head that is new comes out of the part of the old
 * heads that it takes over, and a cell keeps its identity: it grows or shrinks, and others come in from the right and from below.
 *
 * @param {{ boxes: Box[], R: number, C: number }} old
 * @param {{ boxes: Box[], R: number, C: number }} now
 * @param {number} n
 */
export function resized(old, now, n) {
  const go = swing(n);
  const count = now.boxes.length;
  const many = old.boxes.length;
  const [a, b] = [old, now].map(({ boxes: [box], R, C }) => ({ w: box.w / C, h: box.h / R }));
  const cell = { w: mix(a.w, b.w, go), h: mix(a.h, b.h, go) };
  const boxes = now.boxes.map((box, h) => {
    const [from, to] = [(h * many) / count, ((h + 1) * many) / count];
    const first = Math.floor(from + 1e-9);
    const { x, y, w, h: high } = around(old.boxes.slice(first, Math.max(first + 1, Math.floor(to + 1e-9))));
    const part = to - from < 1 ? Math.min(to - from, 1 - from + first) : 1;
    const all = between({ x: x + (part < 1 ? (from - first) * w : 0), y, w: part * w, h: high }, box, n);
    // Where its cells do not fill it, they lie at its beginning, and in the middle of heads that become one.
    const [wide, tall] = [Math.min(all.w, now.C * cell.w), Math.min(all.h, now.R * cell.h)];
    const at = (/** @type {number} */ many, /** @type {number} */ one) => (many > one + 1 ? 0.5 : 0);
    const [left, top] = [at(w, old.boxes[0].w) * (all.w - wide), at(high, old.boxes[0].h) * (all.h - tall)];
    return { x: all.x + left, y: all.y + top, w: wide, h: tall };
  });
  return { boxes, cell };
}

/**
 * The box around boxes.
 *
 * @param {Box[]} boxes
 * @returns {Box}
 */
export function around(boxes) {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  return { x, y, w: right - x, h: Math.max(...boxes.map((box) => box.y + box.h)) - y };
}

/**
 * Draw the sheet of a head into its box: as many cells as there is room for, if they have a size of their own.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {HTMLCanvasElement} image
 * @param {number} h
 * @param {{ R: number, C: number }} sheets
 * @param {Box} box
 * @param {{ w: number, h: number } | null} [cell]
 */
export function drawSheet(pen, image, h, { R, C }, box, cell) {
  const [columns, rows] = cell ? [Math.min(C, box.w / cell.w), Math.min(R, box.h / cell.h)] : [C, R];
  const [w, high] = cell ? [columns * cell.w, rows * cell.h] : [box.w, box.h];
  pen.drawImage(image, 0, h * R, columns, rows, box.x, box.y, w, high);
}

/**
 * The sheets of other sentences.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box[]} boxes
 * @param {number} behind how many
 * @param {Record<string, string>} palette
 */
export function sheetsBehind(pen, boxes, behind, { paper, ink }) {
  pen.lineWidth = 1;
  pen.fillStyle = paper;
  pen.strokeStyle = translucent(ink, 0.3);
  for (let n = behind; n > 0; n--)
    for (const { x, y, w, h } of boxes) {
      pen.fillRect(x + n * BEHIND, y - n * BEHIND, w, h);
      pen.strokeRect(x + n * BEHIND + 0.5, y - n * BEHIND - 0.5, w, h);
    }
}

/**
 * Outline cells, and draw them at full strength.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Region[]} regions
 * @param {{ boxes: Box[], R: number, C: number }} sheets
 * @param {{ canvas: HTMLCanvasElement, strength: number } | null} image
 * @param {Record<string, string>} palette
 */
export function pointOut(pen, regions, { boxes, R, C }, image, palette) {
  for (const { h, i, j } of regions)
    for (let head = h[0]; head < h[1]; head++) {
      const box = boxes[head];
      if (!box) continue;
      const [x, y] = [box.x + (j[0] * box.w) / C, box.y + (i[0] * box.h) / R];
      const [w, high] = [((j[1] - j[0]) * box.w) / C, ((i[1] - i[0]) * box.h) / R];
      if (image) {
        pen.globalAlpha = image.strength;
        pen.drawImage(image.canvas, j[0], head * R + i[0], j[1] - j[0], i[1] - i[0], x, y, w, high);
        pen.globalAlpha = 1;
      }
      pen.strokeStyle = palette.paper;
      pen.lineWidth = 3;
      pen.strokeRect(x - 0.5, y - 0.5, w + 1, high + 1);
      pen.strokeStyle = palette.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 0.5, y - 0.5, w + 1, high + 1);
    }
}

/**
 * Outline the first n rows and columns.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ boxes: Box[], R: number, C: number }} sheets
 * @param {{ w: number, h: number } | null | undefined} cell
 * @param {number} n
 * @param {Record<string, string>} palette
 */
export function outlineFirst(pen, { boxes, R, C }, cell, n, palette) {
  const [{ w, h }] = boxes;
  const now = cell ? { boxes, R: h / cell.h, C: w / cell.w } : { boxes, R, C };
  pointOut(pen, [{ h: [0, boxes.length], i: [0, n], j: [0, n] }], now, null, palette);
}

/**
 * A colour with this strength.
 *
 * @param {string} colour
 * @param {number} strength
 */
export const translucent = (colour, strength) => `color-mix(in srgb, ${colour} ${100 * strength}%, transparent)`;

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * How wide a text is in a font. The map writes the same texts again and again, and measuring takes longer than writing; even choosing
 * the font of a pen does.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} font
 * @returns {(text: string) => number}
 */
export function measureIn(pen, font) {
  return (text) => {
    const key = font + text;
    if (!widths.has(key)) {
      pen.font = font;
      widths.set(key, pen.measureText(text).width);
    }
    return widths.get(key) ?? 0;
  };
}
