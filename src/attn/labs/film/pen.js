// Draws on the canvas of the film, and remembers the cells that were drawn, so that they can be pointed at.

import { inkOn } from "../kit/colours.js";
import { context2d } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { mix } from "../kit/time.js";

/** @typedef {import("../kit/time.js").Sheet} Sheet */
/** @typedef {{ x: number, y: number, w: number, h: number, alpha: number, name: string, index: number[] }} Cell */
/** @typedef {{ paper: string, ink: string }} Shade the colour of a cell, and of text on it */
/** @typedef {ReturnType<typeof penOn>} Pen */

const SANS = 'system-ui, -apple-system, "Segoe UI", Arial, sans-serif';
const MONO = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
export const SMALLEST = 11; // pixels of text

/** @param {HTMLCanvasElement} canvas */
export function penOn(canvas) {
  const brush = context2d(canvas);
  const sample = context2d(document.createElement("canvas"));
  /** @type {Record<string, string>} */
  let colours = {};
  let night = false;
  /** @type {Map<string, number>} measuring takes long */
  const widths = new Map();
  /** @type {Cell[]} */
  let drawn = [];

  /** Read the colours of the theme. */
  function readTheme() {
    const style = getComputedStyle(canvas);
    const value = (/** @type {string} */ name, /** @type {string} */ other) => style.getPropertyValue(name).trim() || other;
    const [ink, paper] = [style.color, value("--lab-paper", "#fff")].map(rgbOf);
    night = inkOn(css(paper)) === "#fff";
    const between = (/** @type {number} */ n) => css(paper.map((from, i) => mix(from, ink[i], n)));
    colours = {
      ink: css(ink),
      paper: css(paper),
      quiet: between(0.74),
      line: between(0.4),
      slot: between(0.09),
      edge: between(0.22),
    };
    for (const axis of "BHLSDE") colours[axis] = value(`--attn-${axis}`, colours.ink);
  }

  /** @param {string} colour */
  function rgbOf(colour) {
    sample.fillStyle = colour;
    sample.fillRect(0, 0, 1, 1);
    return [...sample.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }

  /**
   * Begin a new picture.
   *
   * @param {number} width
   * @param {number} height
   */
  function clear(width, height) {
    const ratio = canvas.width / width;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, width, height);
    brush.textBaseline = "middle";
    drawn = [];
  }

  function box(x, y, w, h, radius, colour, alpha, line = 0) {
    if (alpha <= 0.01) return;
    brush.globalAlpha = alpha;
    brush.beginPath();
    brush.roundRect(x, y, Math.max(w, 0.4), Math.max(h, 0.4), radius);
    if (line) {
      brush.strokeStyle = colours[colour] ?? colour;
      brush.lineWidth = line;
      brush.stroke();
    } else {
      brush.fillStyle = colours[colour] ?? colour;
      brush.fill();
    }
  }

  /**
   * Lines from each first to each second point.
   *
   * @param {number[][]} points
   * @param {string} colour
   * @param {number} alpha
   * @param {number} [width]
   * @param {number[]} [dash]
   */
  function line(points, colour, alpha, width = 1.5, dash = []) {
    if (alpha <= 0.01) return;
    brush.globalAlpha = alpha;
    brush.strokeStyle = colours[colour] ?? colour;
    brush.lineWidth = width;
    brush.lineCap = "round";
    brush.setLineDash(dash);
    brush.beginPath();
    points.forEach(([x, y], n) => (n % 2 ? brush.lineTo(x, y) : brush.moveTo(x, y)));
    brush.stroke();
    brush.setLineDash([]);
  }

  /** An arc above a line of text. */
  function arc(x0, x1, y, height, colour, alpha) {
    if (alpha <= 0.01) return;
    brush.globalAlpha = alpha;
    brush.strokeStyle = colours[colour] ?? colour;
    brush.lineWidth = 1.5;
    brush.lineCap = "round";
    brush.beginPath();
    brush.moveTo(x0, y);
    brush.bezierCurveTo(x0, y - height, x1, y - height, x1, y);
    brush.stroke();
  }

  const fontOf = (size, weight, mono) => `${weight} ${Math.max(SMALLEST, size)}px ${mono ? MONO : SANS}`;

  /**
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {string} colour
   * @param {number} alpha
   * @param {{ align?: CanvasTextAlign, weight?: number, mono?: boolean, turn?: number }} [how]
   */
  function text(words, x, y, size, colour, alpha, { align = "center", weight = 400, mono = false, turn = 0 } = {}) {
    if (alpha <= 0.01) return;
    brush.globalAlpha = alpha;
    brush.fillStyle = colours[colour] ?? colour;
    brush.font = fontOf(size, weight, mono);
    brush.textAlign = align;
    if (!turn) {
      brush.fillText(words, x, y);
      return;
    }
    brush.save();
    brush.translate(x, y);
    brush.rotate(turn);
    brush.fillText(words, 0, 0);
    brush.restore();
  }

  /** How wide a text is. */
  function widthOf(words, size, { weight = 400, mono = false } = {}) {
    const font = fontOf(size, weight, mono);
    const key = `${font} ${words}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    brush.font = font;
    const { width } = brush.measureText(words);
    if (widths.size > 500) widths.clear(); // texts that change their size have many widths
    widths.set(key, width);
    return width;
  }

  /** A cell in a colour, and which number it is. */
  function cell(x, y, w, h, colour, alpha, name, ...index) {
    if (alpha <= 0.01 || w < 0.3 || h < 0.3) return;
    const small = Math.min(w, h);
    const gap = small > 8 ? 0.75 : small > 3 ? 0.4 : 0;
    const [left, top, wide, high] = [x + gap, y + gap, w - 2 * gap, h - 2 * gap];
    brush.globalAlpha = alpha;
    brush.fillStyle = colour.paper;
    if (small > 8) {
      brush.beginPath();
      brush.roundRect(left, top, wide, high, small * 0.14);
      brush.fill();
      brush.strokeStyle = colours.edge;
      brush.lineWidth = 0.6;
      brush.stroke();
    } else brush.fillRect(left, top, wide, high);
    drawn.push({ x, y, w, h, alpha, name, index });
  }

  /** The number of a cell, if there is room for it. */
  function digits(x, y, w, h, words, colour, alpha) {
    const size = Math.min(15, h * 0.42);
    if (size >= SMALLEST - 0.5 && words.length * Math.max(size, SMALLEST) * 0.61 <= w)
      text(words, x + w / 2, y + h / 2 + 0.5, size, colour.ink, alpha, { mono: true });
  }

  /** The cell that was drawn last at a place, or near it. */
  function cellAt(x, y) {
    const inside = (/** @type {number} */ off) =>
      drawn.findLast(
        (one) => one.alpha > 0.3 && x >= one.x - off && x < one.x + one.w + off && y >= one.y - off && y < one.y + one.h + off,
      );
    return inside(0) ?? inside(6) ?? null;
  }

  /** The nearest cell in a direction; from nowhere, the first that was drawn. */
  function neighbour(cell, dx, dy) {
    const seen = drawn.filter(({ alpha }) => alpha > 0.3);
    if (!cell) return seen[0] ?? null;
    const distance = (one) => {
      const [x, y] = [one.x + one.w / 2 - cell.x - cell.w / 2, one.y + one.h / 2 - cell.y - cell.h / 2];
      const [along, across] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
      return along > 0.5 ? along + 3 * across : Number.POSITIVE_INFINITY;
    };
    const near = seen.reduce((best, one) => (distance(one) < distance(best) ? one : best), cell);
    return near;
  }

  /**
   * The colour of a number on the scale of signed numbers.
   *
   * @param {number} value
   * @param {number} most
   * @returns {Shade}
   */
  const signed = (value, most) =>
    night ? NIGHTS[Math.round(clamp((value / most + 1) / 2, 0, 1) * 255)] : (shade(value, "signed", most) ?? NONE);

  return { signed, brush, neighbour, readTheme, clear, box, line, arc, text, widthOf, cell, digits, cellAt };
}

/**
 * The colour between two colours.
 *
 * @param {Shade} a
 * @param {Shade} b
 * @param {number} n
 * @returns {Shade}
 */
export function mixShades(a, b, n) {
  if (n <= 0) return a;
  if (n >= 1) return b;
  const [from, to] = [a.paper, b.paper].map((paper) => (paper.match(/\d+/g) ?? []).map(Number));
  return { paper: css(from.map((one, i) => mix(one, to[i], n))), ink: n < 0.5 ? a.ink : b.ink };
}

/** The colour of a number from 0 to 1 on the scale of weights. @type {(value: number) => Shade} */
export const weighted = (value) => shade(value, "weights", 1) ?? NONE;
const NONE = { paper: "#888", ink: "#fff" };

/** @param {number[]} rgb */
const css = (rgb) => `rgb(${rgb.map(Math.round).join(", ")})`;

// On dark paper a number near 0 is dark: what is large shines, as weights do.
const NIGHT = ["#9bd0f7", "#5aa5de", "#2f71ad", "#264a6e", "#2b2e33", "#5c4019", "#9c611b", "#dc8a2b", "#ffc987"].map((hex) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
);
const NIGHTS = range(256).map((n) => {
  const place = (n / 255) * (NIGHT.length - 1);
  const low = Math.min(Math.floor(place), NIGHT.length - 2);
  const paper = css(NIGHT[low].map((from, i) => mix(from, NIGHT[low + 1][i], place - low)));
  return { paper, ink: inkOn(paper) };
});

/** @param {number} value */
export const written = (value) => number(value, Math.abs(value) < 10 ? 3 : 2);
