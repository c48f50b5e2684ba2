// What both pictures of ShapeLab draw with.

import { mix, swing } from "../kit/time.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./links.js").Region} Region */

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
 * A colour with this strength.
 *
 * @param {string} colour
 * @param {number} strength
 */
export const translucent = (colour, strength) => `color-mix(in srgb, ${colour} ${100 * strength}%, transparent)`;

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * Choose a font, and return how wide a text is in it. The map writes the same texts again and again, and measuring takes longer than
 * writing; even reading the font of a pen does.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} font
 * @returns {(text: string) => number}
 */
export function measureIn(pen, font) {
  pen.font = font;
  return (text) => {
    const key = font + text;
    const known = widths.get(key) ?? pen.measureText(text).width;
    widths.set(key, known);
    return known;
  };
}
