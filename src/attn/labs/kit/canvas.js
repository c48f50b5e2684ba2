// Canvases that are sharp on every screen, and whose unit is the CSS pixel.

import { context2d, sharpness } from "./dom.js";

export const FONT = "system-ui, sans-serif";

/**
 * Give a canvas its size: in CSS pixels for the page, in pixels of the screen for what is drawn. An equal size leaves the canvas as it is,
 * since setting it would clear the canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {number} pixels of the screen for each CSS pixel
 */
export function fit(canvas, width, height) {
  const ratio = sharpness();
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    [canvas.width, canvas.height] = [w, h];
    canvas.style.cssText = `width:${width}px;height:${height}px`;
  }
  return ratio;
}

/**
 * Give a canvas its size and return its pen: nothing is drawn yet, and the unit is the CSS pixel.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function penFor(canvas, width, height) {
  const ratio = fit(canvas, width, height);
  const pen = context2d(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.globalAlpha = 1;
  pen.textBaseline = "middle";
  return pen;
}

/**
 * Write a text, and return how wide it is.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {{ colour: string, size?: number, weight?: number, align?: CanvasTextAlign }} how
 */
export function write(pen, text, x, y, { colour, size = 12, weight = 400, align = "left" }) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.textAlign = align;
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
  return pen.measureText(text).width;
}
