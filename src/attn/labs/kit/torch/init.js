// torch.nn.init: how parameters are drawn.

import { Native, NotHere, raise, toNumber } from "../python/values.js";
import { float32 } from "./dtype.js";
import { writeInto } from "./iterator.js";
import { drawing } from "./making.js";
import { bindPython, parseSignature } from "./signature.js";
import { fromNumbers, scalarTensor } from "./tensor.js";

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
  return writeInto(x, fromNumbers(numbers, x.shape, x.dtype));
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
function kaimingDeviation(x, slope, mode, nonlinearity) {
  if (mode !== "fan_in" && mode !== "fan_out")
    raise("ValueError", `Mode ${mode} not supported, please use one of ['fan_in', 'fan_out']`);
  const fan = mode === "fan_in" ? fans(x).inside : fans(x).outside;
  return gainOf(nonlinearity, slope) / Math.sqrt(fan);
}

/** @param {Tensor} x @param {number} gain */
const xavierDeviation = (x, gain) => gain * Math.sqrt(2 / (fans(x).inside + fans(x).outside));

/** @param {Tensor} x @param {number} [gain] */
export function xavierUniform(x, gain = 1) {
  const bound = Math.sqrt(3) * xavierDeviation(x, gain);
  return fill(x, "uniform_", [-bound, bound]);
}

/**
 * @param {string} text
 * @param {(x: Tensor, given: Record<string, Value>) => Tensor} run
 */
function initFunction(text, run) {
  const signature = parseSignature(text);
  init[signature.name] = new Native(signature.name, (args, kwargs) => {
    const given = bindPython(signature, args, kwargs);
    return run(given.tensor, given);
  });
}
const generator = "generator any=None";
initFunction(`normal_(tensor any, mean any=0.0, std any=1.0, ${generator})`, (x, { mean, std }) =>
  fill(x, "normal_", [toNumber(mean), toNumber(std)]),
);
initFunction(`uniform_(tensor any, a any=0.0, b any=1.0, ${generator})`, (x, { a, b }) =>
  fill(x, "uniform_", [toNumber(a), toNumber(b)]),
);
initFunction("constant_(tensor any, val any)", (x, { val }) => writeInto(x, scalarTensor(toNumber(val), float32)));
initFunction("zeros_(tensor any)", (x) => writeInto(x, scalarTensor(0, float32)));
initFunction("ones_(tensor any)", (x) => writeInto(x, scalarTensor(1, float32)));
initFunction("eye_(tensor any)", (x) => {
  if (x.ndim !== 2) raise("ValueError", "Only tensors with 2 dimensions are supported");
  const numbers = Array.from({ length: x.count }, (_, n) => Number(n % x.shape[1] === Math.floor(n / x.shape[1])));
  return writeInto(x, fromNumbers(numbers, x.shape, x.dtype));
});
initFunction(`xavier_uniform_(tensor any, gain any=1.0, ${generator})`, (x, { gain }) => xavierUniform(x, toNumber(gain)));
initFunction(`xavier_normal_(tensor any, gain any=1.0, ${generator})`, (x, { gain }) =>
  fill(x, "normal_", [0, xavierDeviation(x, toNumber(gain))]),
);
const kaiming = `tensor any, a any=0, mode any='fan_in', nonlinearity any='leaky_relu', ${generator}`;
initFunction(`kaiming_uniform_(${kaiming})`, (x, { a, mode, nonlinearity }) => kaimingUniform(x, toNumber(a), mode, nonlinearity));
initFunction(`kaiming_normal_(${kaiming})`, (x, { a, mode, nonlinearity }) =>
  fill(x, "normal_", [0, kaimingDeviation(x, toNumber(a), mode, nonlinearity)]),
);
initFunction("calculate_gain(tensor any, param any=None)", () => {
  throw new NotHere("nn.init.calculate_gain");
});
