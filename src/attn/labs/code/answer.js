// What CodeLab draws of a program: its analysis, and the numbers of its tensors.

import { product } from "../kit/math.js";
import { numbersOf, places, viewOf } from "../kit/torch/tensor.js";
import { analyse } from "./analyse.js";
import { compare } from "./compare.js";
import { MOST } from "./sheets.js";

/** @typedef {import("../kit/torch/tensor.js").Tensor} Tensor */
/** @typedef {import("./sheets.js").Detail} Detail */

/**
 * @param {object} settings
 * @param {string} settings.code
 * @param {boolean} [settings.compare] whether it is compared with another version
 * @param {string} [settings.other] that version
 * @param {import("./analyse.js").Words} settings._words
 */
export function answer({ code, compare: isCompared = false, other = "", _words: words }) {
  const own = analyse(code, words);
  if (!isCompared) return { ...resultsOf(own), second: null, comparison: null };
  const another = analyse(other, words);
  return { ...resultsOf(own), second: resultsOf(another), comparison: compare(own, another) };
}

/** @param {import("./compare.js").Run} run */
function resultsOf({ analysis, tensors }) {
  const rows = analysis.lines.flatMap((line) => line.rows);
  const details = Object.fromEntries(rows.map((row) => [row.id, detailOf(row, /** @type {Tensor} */ (tensors.get(row.id)))]));
  return { ...analysis, details };
}

/**
 * The first numbers of a tensor, and where they are in memory.
 *
 * @param {import("./analyse.js").Row} row
 * @param {Tensor} tensor
 * @returns {Detail}
 */
function detailOf({ id, name, axes }, tensor) {
  const part = firstOf(tensor);
  return {
    ...{ id, name, axes, storage: tensor.storage.id },
    shape: part.shape,
    numbers: Float32Array.from(numbersOf(part)),
    places: places(part),
  };
}

/**
 * So much of a tensor as can be drawn: its first tables.
 *
 * @param {Tensor} tensor
 */
function firstOf(tensor) {
  const shape = [...tensor.shape];
  for (let axis = 0; product(shape) > MOST && axis < shape.length; axis++)
    shape[axis] = Math.max(1, Math.floor((shape[axis] * MOST) / product(shape)));
  return viewOf(tensor, shape, tensor.strides);
}
