// softmax, layer_norm and rms_norm.

import { raise } from "../python/values.js";
import { float32 } from "./dtype.js";
import { copyOf, elementwise } from "./iterator.js";
import { binary } from "./kernels.js";
import { along, logSoftmaxRow, softmaxRow } from "./reduce.js";
import { axisOf, listed } from "./tensor.js";
import { reshape } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */

/**
 * @param {"softmax" | "log_softmax"} name
 * @param {Tensor} input
 * @param {number} dim
 * @param {DType | null} dtype
 */
export function softmax(name, input, dim, dtype) {
  const x = dtype && dtype !== input.dtype ? copyOf(input, undefined, dtype) : input;
  const axis = axisOf(dim, x.ndim);
  if (!x.dtype.isFloat) {
    const kernel = `${name}${axis === x.ndim - 1 || !x.ndim ? "_lastdim" : ""}_kernel_impl`;
    raise("NotImplementedError", `"${kernel}" not implemented for '${x.dtype.word}'`);
  }
  return along(x, dim, x.dtype, name === "softmax" ? softmaxRow : logSoftmaxRow);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {Tensor | null} bias
 * @param {number} eps
 */
export function layerNorm(x, shape, weight, bias, eps) {
  const mixed = [weight, bias].some((one) => one && one.dtype !== x.dtype && !(x.dtype.bytes === 2 && one.dtype === float32));
  if (mixed && x.count) raise("RuntimeError", "mixed dtype (CPU): all inputs must share same datatype.");
  checkNormalized(x, shape);
  if (!x.dtype.isFloat) raise("NotImplementedError", `"LayerNormKernelImpl" not implemented for '${x.dtype.word}'`);
  return normalized(x, shape, weight, bias, (row) => {
    let [total, squares] = [0, 0];
    for (let k = 0; k < row.length; k++) total += row[k];
    const middle = total / row.length;
    for (let k = 0; k < row.length; k++) squares += (row[k] - middle) ** 2;
    return { middle, factor: 1 / Math.sqrt(squares / row.length + eps) };
  });
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {number | null} eps
 */
export function rmsNorm(x, shape, weight, eps) {
  if (x.ndim < shape.length) raise("ValueError", `Input tensor must have at least ${shape.length} dimensions, but got ${x.ndim}`);
  checkNormalized(x, shape, "");
  if (!x.dtype.isFloat) raise("NotImplementedError", `"rms_norm" not implemented for '${x.dtype.word}'`);
  const least = eps ?? (x.dtype.bytes === 8 ? 2 ** -52 : 2 ** -23);
  return normalized(x, shape, weight, null, (row) => {
    let squares = 0;
    for (let k = 0; k < row.length; k++) squares += row[k] ** 2;
    return { middle: 0, factor: 1 / Math.sqrt(squares / row.length + least) };
  });
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {string} [comma] rms_norm forgets it in its message
 */
function checkNormalized(x, shape, comma = ", ") {
  if (!shape.length) {
    raise(
      "RuntimeError",
      "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
    );
  }
  const fits = x.ndim >= shape.length && shape.every((size, n) => size === x.shape[x.ndim - shape.length + n]);
  if (fits) return;
  const expected = `expected input with shape [*${comma}${shape.join(", ")}], but got input of size${listed(x.shape)}`;
  raise("RuntimeError", `Given normalized_shape=${listed(shape)}, ${expected}`);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {Tensor | null} bias
 * @param {(row: Float64Array) => { middle: number, factor: number }} measure
 */
function normalized(x, shape, weight, bias, measure) {
  const size = shape.reduce((product, one) => product * one, 1);
  const rows = reshape(x, [x.count / (size || 1), size]);
  const result = along(rows, 1, x.dtype, (row, out) => {
    const { middle, factor } = measure(row);
    for (let k = 0; k < row.length; k++) out[k] = (row[k] - middle) * factor;
  });
  let scaled = reshape(result, x.shape);
  if (weight) scaled = elementwise(binary.mul, [scaled, weight], x.dtype);
  if (bias) scaled = elementwise(binary.add, [scaled, bias], x.dtype);
  return scaled;
}
