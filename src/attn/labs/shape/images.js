// Small images of the tensors: one pixel for each number of one sentence, its heads below each other.

import { inkOn, tints } from "../kit/colours.js";
import { context2d, element } from "../kit/dom.js";
import { sizesOf } from "../kit/layer.js";
import { magnitude, pixels, shade } from "../kit/scale.js";
import { sheetsOf, tensorsOf, valueAt } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {import("../kit/scale.js").Scale} Scale */
/** @typedef {import("./stages.js").Sheets} Sheets */
/** @typedef {{ canvas: HTMLCanvasElement, sheets: Sheets, data: Float32Array, kind: Scale, most: number }} Image */

export function images() {
  /** @type {Record<string, HTMLCanvasElement>} */
  const canvases = {};
  /** @type {Record<string, Image>} */
  let made = {};
  /** @type {any[]} */
  let last = [];
  /** @type {((sheets: Sheets, h: number, i: number, j: number) => string) | null} */
  let origin = null;

  /**
   * Make the images of one sentence. Does nothing if nothing has changed.
   *
   * @param {LayerState} state
   * @param {Record<string, any>} results
   * @param {number} b the sentence
   * @param {"value" | "origin"} colours
   * @param {Record<string, string>} palette of the page
   * @param {{ step: string, most: number } | null} exact the end of the scale, where the kernel has sent it
   */
  function update(state, results, b, colours, palette, exact) {
    const now = [results, b, colours, palette.paper, exact?.step, exact?.most];
    if (now.every((one, n) => one === last[n])) return;
    last = now;
    made = {};
    origin = colours === "origin" ? byOrigin(state, palette) : null;
    for (const name of tensorsOf(state)) {
      const sheets = sheetsOf(name, state);
      const data = results[sheets.data];
      if (!data) continue;
      const kind = name === "weights" ? "weights" : "signed";
      const most = kind === "weights" ? 1 : exact?.step === name ? exact.most : magnitude(data);
      const count = sheets.heads * sheets.R * sheets.C;
      const part = data.subarray(b * count, (b + 1) * count);
      made[name] = { canvas: painted(name, sheets, part, kind, most), sheets, data: part, kind, most };
    }
  }

  /**
   * @param {string} name
   * @param {Sheets} sheets
   * @param {Float32Array} data
   * @param {Scale} kind
   * @param {number} most
   */
  function painted(name, sheets, data, kind, most) {
    const { heads, R, C } = sheets;
    canvases[name] ??= element("canvas");
    const canvas = canvases[name];
    [canvas.width, canvas.height] = [C, heads * R];
    const brush = context2d(canvas);
    if (origin) {
      for (let h = 0; h < heads; h++)
        for (let i = 0; i < R; i++)
          for (let j = 0; j < C; j++) {
            brush.fillStyle = origin(sheets, h, i, j);
            brush.fillRect(j, h * R + i, 1, 1);
          }
      return canvas;
    }
    const turned = (name === "kT" ? turnedOver(sheets, data) : data).map((value) => seen(value, kind, most));
    brush.putImageData(new ImageData(new Uint8ClampedArray(pixels(turned, kind, most).buffer), C, heads * R), 0, 0);
    return canvas;
  }

  /**
   * The colour of a cell, and of a text on it; null where it has none: hidden, or not known here.
   *
   * @param {string} name
   * @param {number} h
   * @param {number} i
   * @param {number} j
   */
  function colour(name, h, i, j) {
    const image = made[name];
    if (!image) return null;
    if (origin) {
      const paper = origin(image.sheets, h, i, j);
      return { paper, ink: inkOn(paper) };
    }
    const { kind, most } = image;
    return shade(seen(valueAt(image.sheets, image.data, [0, h, i, j]), kind, most), kind, most);
  }

  return { update, colour, image: (/** @type {string} */ name) => made[name] ?? null };
}

/**
 * A signed number on a scale of square roots: a few large ones leave colour for the others.
 *
 * @param {number} value
 * @param {Scale} kind
 * @param {number} most
 */
const seen = (value, kind, most) => (kind === "weights" ? value : Math.sign(value) * Math.sqrt(Math.abs(value) * most));

/**
 * The numbers of k in the order of kT.
 *
 * @param {Sheets} sheets of kT
 * @param {Float32Array} data
 */
function turnedOver({ heads, R, C }, data) {
  const out = new Float32Array(data.length);
  for (let h = 0, n = 0; h < heads; h++)
    for (let i = 0; i < R; i++) for (let j = 0; j < C; j++) out[n++] = data[(h * C + j) * R + i];
  return out;
}

/**
 * The colour of a cell by where its number belongs: to a head, or to a word where there are no heads.
 *
 * @param {LayerState} state
 * @param {Record<string, string>} palette
 * @returns {(sheets: Sheets, h: number, i: number, j: number) => string}
 */
function byOrigin(state, palette) {
  const { D, H, G } = sizesOf(state);
  const [heads, words, others] = [palette.H, palette.L, palette.S].map((colour) => tints(colour, palette.paper));
  return ({ name, headAxis, columnAxis }, h, i, j) => {
    const shared = (/** @type {number} */ g) => heads[((g * H) / G) % heads.length]; // a shared head: the first that reads it
    if (headAxis) return headAxis === "G" ? shared(h) : heads[h % heads.length];
    if (columnAxis.includes("·"))
      return columnAxis[0] === "G" ? shared(Math.floor(j / D)) : heads[Math.floor(j / D) % heads.length];
    return (name === "context" ? others : words)[i % words.length];
  };
}
