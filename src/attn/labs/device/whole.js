// The layer on one device: the names of its tensors, the letters of their axes, and where the axis that is chosen can be cut.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { boxOf, wholeOf } from "./layout.js";
import { E, sizesOf } from "./model.js";
import { SHEETS } from "./parts.js";

/** @typedef {import("./paint.js").Picture} Picture */

/** The names of the tensors, around the layer, and the letters of their axes: the one that is cut is the largest. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
export function paintLabels(pen, { plan, state, colours }) {
  const sizes = { ...sizesOf(state), L: state.L };
  const { H, G, D } = sizes;
  const [x, weights, qkv, out, y] = SHEETS.map((sheet) => wholeOf(plan, null, sheet));
  const how = { colour: colours.ink, weight: 600, size: 14, align: /** @type {const} */ ("center") };
  /** @param {string} axis @param {number} u @param {number} v */
  const letter = (axis, u, v) => {
    const isCut = axis === state.cut;
    const text = `${axis} ${sizes[/** @type {"B"} */ (axis)]}`;
    write(pen, text, u, v, { ...how, colour: colours[axis], weight: isCut ? 800 : 500, size: isCut ? 15 : 13 });
  };
  for (const [{ x: u, y: v, w }, name] of /** @type {const} */ ([[weights, "W_QKVᵀ"], [out, "W_Oᵀ"], [x, "x"], [y, "y"]])) // biome-ignore format: one line
    write(pen, name, u + w / 2, v - 8, how);
  const below = x.y + x.h + 12;
  // Thin columns stand closer than their names may.
  const near = Math.max(0, (14 - G * D * plan.whole.p) / 2);
  for (const [name, start, count, apart] of /** @type {const} */ ([
    ["q", 0, H, -near],
    ["k", H, G, -near],
    ["v", H + G, G, near],
  ])) {
    // biome-ignore format: one line
    const middle = qkv.x + (start + count / 2) * D * plan.whole.p + apart;
    write(pen, name, middle, qkv.y - 8, how);
    letter(name === "q" ? "H" : "G", middle, below);
  }
  letter("B", x.x - 22, x.y + x.h / 2 - 10);
  letter("L", x.x - 22, x.y + x.h / 2 + 10);
  letter("E", weights.x - 23, weights.y + weights.h / 2);
  letter("H", out.x + out.w + 22, out.y + out.h / 2);
  for (const one of [x, y]) letter("E", one.x + x.w / 2, below);
  const quiet = mixed(colours.ink, colours.paper, 0.8);
  write(pen, "weights", x.x + x.w / 2, weights.y - 8, { ...how, colour: quiet, weight: 400, size: 13 });
}

/**
 * Lines where the axis that is chosen can be cut, and wider ones between q, k and v.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 */
export function paintLines(pen, { plan, state, colours }) {
  const { cut, B, L } = state;
  const { H, G, D } = sizesOf(state);
  const { p, q } = plan.whole;
  const thin = 1.4;
  pen.fillStyle = colours.paper;
  for (const sheet of SHEETS) {
    const { x, y, w, h } = wholeOf(plan, null, sheet);
    const isTokens = sheet !== "W_QKV" && sheet !== "W_O";
    if (sheet === "W_QKV" || sheet === "qkv")
      for (const n of range(H + 2 * G).slice(1)) {
        const wide = n === H || n === H + G ? 3 : cut === "H" ? thin : 0;
        pen.fillRect(x + n * D * p - wide / 2, y, wide, h);
      }
    if (cut === "H" && sheet === "W_O") for (const n of range(H).slice(1)) pen.fillRect(x, y + n * D * q - thin / 2, w, thin);
    if (cut === "E" && sheet === "W_QKV") for (const n of range(E).slice(1)) pen.fillRect(x, y + n * q - thin / 2, w, thin);
    if (cut === "E" && sheet !== "W_QKV" && sheet !== "qkv")
      for (const n of range(E).slice(1)) pen.fillRect(x + n * p - thin / 2, y, thin, h);
    if (isTokens && (cut === "B" || cut === "L"))
      for (const n of range(B * L).slice(1)) {
        const { y: at } = boxOf(plan, null, { sheet, rows: [n, n + 1], columns: [0, 1] });
        const wide = n % L ? (cut === "L" ? thin : 0) : cut === "B" ? 5 : thin;
        pen.fillRect(x, at - (n % L ? 0 : 1) - wide / 2, w, wide);
      }
  }
}
