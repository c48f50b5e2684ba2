// torch.nn.init: how parameters are drawn.

import { Native, raise } from "../python/values.js";
import { writeNumbers } from "./iterator.js";
import { drawing } from "./making.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {any} Value */

/** torch.nn.init @type {Record<string, Native>} */
export const init = {};

/**
 * Fills a tensor with random numbers, as normal_(mean, std) or uniform_(from, to) draw them.
 *
 * @param {Tensor} x
 * @param {"normal_" | "uniform_"} how
 * @param {[number, number]} range
 */
export function fill(x, how, [a, b]) {
  const { generator } = drawing;
  const numbers =
    how === "normal_" ? generator.normals(x.count, x.dtype).map((one) => one * b + a) : generator.uniforms(x.count, a, b, x.dtype);
  return writeNumbers(x, numbers);
}

/** @param {Tensor} x */
function fans(x) {
  if (x.ndim < 2) raise("ValueError", "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const field = x.shape.slice(2).reduce((product, one) => product * one, 1);
  return { inside: x.shape[1] * field, outside: x.shape[0] * field };
}

/** @param {string} nonlinearity @param {number} slope */
function gainOf(nonlinearity, slope) {
  if (nonlinearity === "tanh") return 5 / 3;
  if (nonlinearity === "relu") return Math.sqrt(2);
  if (nonlinearity === "leaky_relu") return Math.sqrt(2 / (1 + slope ** 2));
  if (nonlinearity === "selu") return 3 / 4;
  if (["linear", "sigmoid", "conv1d", "conv2d", "conv3d"].includes(nonlinearity)) return 1;
  return raise("ValueError", `Unsupported nonlinearity ${nonlinearity}`);
}

/** @param {Tensor} x @param {number} slope @param {string} [mode] @param {string} [nonlinearity] */
export function kaimingUniform(x, slope, mode = "fan_in", nonlinearity = "leaky_relu") {
  if (!x.count) return x;
  const bound = Math.sqrt(3) * kaimingDeviation(x, slope, mode, nonlinearity);
  return fill(x, "uniform_", [-bound, bound]);
}

/** @param {Tensor} x @param {number} slope @param {string} mode @param {string} nonlinearity */
export function kaimingDeviation(x, slope, mode, nonlinearity) {
  if (mode !== "fan_in" && mode !== "fan_out")
    raise("ValueError", `Mode ${mode} not supported, please use one of ['fan_in', 'fan_out']`);
  const fan = mode === "fan_in" ? fans(x).inside : fans(x).outside;
  return gainOf(nonlinearity, slope) / Math.sqrt(fan);
}

/** @param {Tensor} x @param {number} gain */
export const xavierDeviation = (x, gain) => gain * Math.sqrt(2 / (fans(x).inside + fans(x).outside));

/** @param {Tensor} x @param {number} [gain] */
export function xavierUniform(x, gain = 1) {
  const bound = Math.sqrt(3) * xavierDeviation(x, gain);
  return fill(x, "uniform_", [-bound, bound]);
}
