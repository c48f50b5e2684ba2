// What stands above ProductLab's picture: the code with its shapes.

import { element, letters } from "../kit/dom.js";
import { PRODUCTS } from "./model.js";

/** What the right factor is called, by the code of the product. */
export const RIGHT_NAMES = {
  "q @ k.transpose(-2, -1)": "kᵀ",
  "q @ k": "k",
  "q @ k.T": "k.T",
  "q @ k.reshape(B, H, D, S)": "reshaped k",
  "k @ q.transpose(-2, -1)": "qᵀ",
};

/**
 * The operands as they stand in the code, and the result, each with its axes and its shape.
 *
 * @param {{ product: string }} settings
 * @param {{ shapes: any }} results
 */
export function shapesOf({ product }, { shapes: [left, right, out] }) {
  const { turned, axes } = PRODUCTS[product];
  const rowAxis = turned === "k" ? "L" : "S";
  const shapeOf = (/** @type {string | Node} */ text, /** @type {number[]} */ shape, /** @type {string} */ axes) =>
    element("span", {}, element("b", {}, text), " ", letters([...axes].join(" ")), ` = (${shape.join(", ")})`);
  const sign = (/** @type {string} */ text) => element("b", {}, text);
  const isBroadcast = out && String(out.slice(0, 2)) !== String(left.slice(0, 2)); // then the letters do not fit
  const result = !out
    ? element("b", { class: "bad" }, "nothing")
    : isBroadcast
      ? element("span", {}, `(${out.join(", ")})`)
      : shapeOf("", out, `BH${rowAxis}${axes[3]}`);
  return [
    shapeOf(turned === "k" ? "q" : "k", left, `BH${rowAxis}D`),
    sign("@"),
    shapeOf(element("code", {}, product.slice(4)), right, axes),
    element("span", {}, sign("→ "), result),
  ];
}
