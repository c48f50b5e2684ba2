// Of torch.nn.functional: losses, padding and the activations that attention seldom has.

import { NotHere, raise, toNumber } from "../python/values.js";
import { filledTensor } from "./create.js";
import { int64, uint8 } from "./dtype.js";
import { builtin, floatsOnly, impliedDim } from "./functional.js";
import { contiguous, elementwise, resultType, writeInto } from "./iterator.js";
import { activations, binary, toFloat } from "./kernels.js";
import { softmax } from "./normalise.js";
import { callMethod, define, tables } from "./operation.js";
import { along, logSoftmaxRow, mean, normFold, reduce, sum } from "./reduce.js";
import { empty, listed, numbersOf, places, Tensor } from "./tensor.js";
import { narrow, part, reordered } from "./views.js";

define("f", "softmin(input T, dim any=None, _stacklevel any=3, dtype any=None)", ({ input, dim, dtype }) =>
  softmax("softmax", callMethod("neg", input), dim ?? impliedDim(input), dtype),
);

builtin("softplus(input T, beta num=1, threshold num=20)", ({ input, beta, threshold }) => {
  const [b, most] = [toNumber(beta), toNumber(threshold)];
  return floatsOnly("softplus_cpu", (x) => (x * b > most ? x : Math.log1p(Math.exp(x * b)) / b), input);
});
builtin("log_sigmoid(input T)", ({ input }) => contiguous(floatsOnly("log_sigmoid_cpu", activations.logsigmoid, input)));
builtin("one_hot(input T, num_classes int=-1)", ({ input, num_classes: given }) => {
  if (input.dtype !== int64) raise("RuntimeError", `one_hot is only applicable to index tensor of type LongTensor.`);
  const numbers = Array.from(numbersOf(input));
  const largest = numbers.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), -1);
  if (numbers.some((/** @type {number} */ one) => one < 0)) raise("RuntimeError", "Class values must be non-negative.");
  if (given !== -1 && largest >= given) raise("RuntimeError", "Class values must be smaller than num_classes.");
  const count = given === -1 ? largest + 1 : given;
  const result = empty([...input.shape, count], int64);
  numbers.forEach((/** @type {number} */ one, /** @type {number} */ n) => {
    result.storage.data[n * count + one] = 1;
  });
  return result;
});

Object.assign(tables.functional, { logsigmoid: tables.functional.log_sigmoid });

define("f", "leaky_relu(input T, negative_slope any=0.01, inplace any=False)", ({ input, negative_slope: slope }) =>
  floatsOnly("leaky_relu_cpu", (x) => (x > 0 ? x : x * toNumber(slope)), input),
);
define("f", "elu(input T, alpha any=1.0, inplace any=False)", ({ input, alpha }) =>
  floatsOnly("elu_cpu", (x) => (x > 0 ? x : toNumber(alpha) * Math.expm1(x)), input),
);
define("f", "glu(input T, dim any=-1)", ({ input, dim }) => {
  const axis = dim < 0 ? dim + input.ndim : dim;
  const half = input.shape[axis] / 2;
  if (!input.ndim) raise("RuntimeError", "glu does not support scalars because halving size must be even");
  if (!Number.isInteger(half)) raise("RuntimeError", `Halving dimension must be even, but dimension ${axis} is size ${half * 2}`);
  const [a, b] = [part(input, axis, 0, half), part(input, axis, half, half)];
  if (!input.dtype.isFloat) raise("NotImplementedError", `"glu_cpu" not implemented for '${input.dtype.word}'`);
  return elementwise((x, gate) => x * toFloat.sigmoid(gate), [a, b], input.dtype);
});
define("f", "threshold(input T, threshold any, value any, inplace any=False)", ({ input, threshold, value }) =>
  elementwise((x) => (x > toNumber(threshold) ? x : toNumber(value)), [input], input.dtype),
);

define("f", "normalize(input T, p any=2.0, dim any=1, eps any=1e-12, out any=None)", ({ input, p, dim, eps }) => {
  const size = callMethod("norm", input, p, dim, true);
  return elementwise((x, n) => x / Math.max(n, toNumber(eps)), [input, size], input.dtype);
});
define("f", "cosine_similarity(x1 T, x2 T, dim any=1, eps any=1e-08)", ({ x1, x2, dim, eps }) => {
  const dtype = resultType([x1, x2]);
  if (!dtype.isFloat) raise("RuntimeError", `expected common dtype to be floating point, yet common dtype is ${dtype.word}`);
  const product = elementwise(binary.mul, [x1, x2], dtype);
  const size = (/** @type {Tensor} */ x) => reduce(x, [dim], false, dtype, normFold(2));
  const least = toNumber(eps);
  return elementwise(
    (dot, a, b) => dot / (Math.max(a, least) * Math.max(b, least)),
    [reduce(product, [dim], false, dtype, sum), size(x1), size(x2)],
    dtype,
  );
});

define(
  "f",
  "pad(input T, pad any, mode any='constant', value any=None)",
  ({ input, pad: widths, mode, value }) => {
    if (["reflect", "replicate", "circular"].includes(mode)) throw new NotHere(`pad(mode="${mode}")`);
    if (mode !== "constant") raise("NotImplementedError", `Unrecognised padding mode ${mode}`);
    return paddedBy(input, widths, value === null ? 0 : toNumber(value));
  },
  { checked: "pad(input T, pad ints, mode str, value float?)" },
);

/**
 * @param {Tensor} x
 * @param {number[]} widths before and after the last axis, before and after the one before it, and so on
 * @param {number} value
 */
function paddedBy(x, widths, value) {
  if (widths.length % 2) raise("RuntimeError", "Padding length must be divisible by 2");
  if (widths.length > 2 * x.ndim) {
    const rule = "Padding length should be less than or equal to two times the input dimension";
    raise("RuntimeError", `${rule} but got padding length ${widths.length} and input of dimension ${x.ndim}`);
  }
  const around = x.shape.map((_, axis) => widths.slice(2 * (x.ndim - 1 - axis)).slice(0, 2));
  const source = around.reduce((y, [before = 0, after = 0], axis) => {
    return narrow(y, axis, Math.max(0, -before), x.shape[axis] + Math.min(before, 0) + Math.min(after, 0));
  }, x);
  const shape = x.shape.map((size, axis) => size + (around[axis][0] ?? 0) + (around[axis][1] ?? 0));
  const result = filledTensor(shape, value, x.dtype);
  const inside = around.reduce((y, [before = 0], axis) => part(y, axis, Math.max(0, before), source.shape[axis]), result);
  writeInto(inside, source);
  return result;
}

/**
 * @param {Tensor} losses
 * @param {string} reduction
 * @param {number} [weight] what a mean divides by
 */
function reducedLoss(losses, reduction, weight) {
  if (reduction === "none") return losses;
  if (reduction !== "mean" && reduction !== "sum") raise("ValueError", `${reduction} is not a valid value for reduction`);
  const fold = reduction === "sum" ? sum : weight === undefined ? mean : (/** @type {Float64Array} */ row) => sum(row) / weight;
  return reduce(losses, null, false, losses.dtype, fold);
}

define(
  "f",
  "cross_entropy(input T, target T, weight any=None, size_average any=None, ignore_index any=-100, reduce any=None, reduction any='mean', label_smoothing any=0.0)",
  ({ input, target, weight, ignore_index: ignored, reduction, label_smoothing: smoothing }) => {
    if (weight !== null || toNumber(smoothing) !== 0) throw new NotHere("cross_entropy with weights or smoothing");
    if (target.dtype.isFloat && String(target.shape) === String(input.shape)) {
      throw new NotHere("cross_entropy with probabilities as target");
    }
    const axis = input.ndim === 1 ? 0 : 1;
    return negativeLogLikelihood(along(input, axis, input.dtype, logSoftmaxRow), target, ignored, reduction);
  },
);
define(
  "f",
  "nll_loss(input T, target T, weight any=None, size_average any=None, ignore_index any=-100, reduce any=None, reduction any='mean')",
  (given) => {
    if (given.weight !== null) throw new NotHere("nll_loss with weights");
    return negativeLogLikelihood(given.input, given.target, given.ignore_index, given.reduction);
  },
);

/**
 * @param {Tensor} logs
 * @param {Tensor} target
 * @param {number} ignored
 * @param {string} reduction
 */
function negativeLogLikelihood(logs, target, ignored, reduction) {
  const axis = logs.ndim === 1 ? 0 : 1;
  if (axis && logs.shape[0] !== target.shape[0]) {
    raise("ValueError", `Expected input batch_size (${logs.shape[0]}) to match target batch_size (${target.shape[0]}).`);
  }
  if (!axis && target.count !== 1) {
    raise("ValueError", `For 1D input, 1D target must have size 1, but got target size: ${target.count}`);
  }
  if (target.dtype !== int64 && target.dtype !== uint8) {
    raise("RuntimeError", `expected target dtype to be Long or Byte, but got ${target.dtype.word}`);
  }
  const wanted = logs.shape.toSpliced(axis, 1);
  if (axis && String(wanted) !== String(target.shape)) {
    raise("RuntimeError", `Expected target size ${listed(wanted)}, got ${listed(target.shape)}`);
  }
  const classes = logs.shape[axis];
  const order = logs.shape.map((_, n) => n).filter((n) => n !== axis);
  const rows = places(reordered(logs, order));
  const losses = empty(target.shape, logs.dtype);
  let counted = 0;
  numbersOf(target).forEach((one, n) => {
    if (one === ignored) return;
    if (one < 0 || one >= classes) raise("IndexError", `Target ${one} is out of bounds.`);
    counted++;
    losses.storage.data[n] = -logs.storage.data[rows[n] + one * logs.strides[axis]];
  });
  return reducedLoss(losses, reduction, counted);
}

for (const [name, loss] of /** @type {[string, (a: number, b: number) => number][]} */ ([
  ["mse_loss", (a, b) => (a - b) ** 2],
  ["l1_loss", (a, b) => Math.abs(a - b)],
])) {
  define(
    "f",
    `${name}(input T, target T, size_average any=None, reduce any=None, reduction any='mean', weight any=None)`,
    ({ input, target, reduction }) => {
      const dtype = resultType([input, target]);
      if (!dtype.isFloat && name === "mse_loss") raise("NotImplementedError", `"mse_cpu" not implemented for '${dtype.word}'`);
      return reducedLoss(elementwise(loss, [input, target], dtype), reduction);
    },
  );
}
define(
  "f",
  "kl_div(input T, target T, size_average any=None, reduce any=None, reduction any='mean', log_target any=False)",
  (given) => {
    const { input, target, reduction, log_target: logs } = given;
    const each = elementwise(
      logs ? (a, b) => Math.exp(b) * (b - a) : (a, b) => (b > 0 ? b * Math.log(b) : 0) - b * a,
      [input, target],
      resultType([input, target]),
    );
    return reduction === "batchmean"
      ? reduce(each, null, false, each.dtype, (row) => sum(row) / input.shape[0])
      : reducedLoss(each, reduction);
  },
);

tables.torch.cosine_similarity = tables.functional.cosine_similarity;
