// torch.nn.functional. Most of it is written in Python in torch, so wrong arguments get Python's messages.

import { NotHere, raise, toNumber } from "../python/values.js";
import { bool, int32, int64 } from "./dtype.js";
import { indexSelect } from "./indexing.js";
import { elementwise, writeInto } from "./iterator.js";
import { activations, gelu, geluTanh } from "./kernels.js";
import { layerNorm, rmsNorm } from "./normalise.js";
import { callMethod, define, tables } from "./operation.js";
import { floating } from "./pointwise.js";
import { linear } from "./products.js";
import { kindOf } from "./signature.js";
import { numbersOf, Tensor } from "./tensor.js";
import { view } from "./views.js";

/** @typedef {any} Value */

/** The axis that softmax takes if none is named, from an older time. @param {Tensor} x */
export const impliedDim = (x) => ([0, 1, 3].includes(x.ndim) ? 0 : 1);

for (const name of /** @type {const} */ (["softmax", "log_softmax"])) {
  define("f", `${name}(input T, dim any=None, _stacklevel any=3, dtype any=None)`, ({ input, dim, dtype }) => {
    // It calls the method, whose messages are torch's.
    return callMethod(name, input, dim ?? impliedDim(input), ...(dtype ? [dtype] : []));
  });
}
/**
 * A function of torch._C._nn, which looks at its arguments, in torch.nn.functional.
 *
 * @param {string} text
 * @param {(given: Record<string, Value>) => Value} run
 */
export function builtin(text, run) {
  define("t", text, run);
  const name = text.slice(0, text.indexOf("("));
  tables.functional[name] = tables.torch[name];
  delete tables.torch[name];
}

builtin("linear(input T, weight T, bias T?=None)", ({ input, weight, bias }) => linear(input, weight, bias));
// Comes with the second script.
builtin("gelu(input T, *, approximate str='none')", ({ input, approximate }) => {
  if (approximate !== "none" && approximate !== "tanh") raise("RuntimeError", "approximate argument must be either none or tanh.");
  return floatsOnly("GeluKernelImpl", approximate === "tanh" ? geluTanh : gelu, input);
});
// Comes with the second script.
/**
 * @param {string} kernel
 * @param {(x: number) => number} compute
 * @param {Tensor} x
 */
export function floatsOnly(kernel, compute, x) {
  if (!x.dtype.isFloat) raise("NotImplementedError", `"${kernel}" not implemented for '${x.dtype.word}'`);
  return elementwise(compute, [x], x.dtype);
}

// Comes with the second script.
for (const name of ["relu", "silu", "mish", "relu6", "hardtanh", "softsign", "selu", "sigmoid", "tanh"]) {
  const inPlace = name === "sigmoid" || name === "tanh" ? "" : ", inplace any=False";
  define("f", `${name}(input T${inPlace})`, ({ input, inplace }) => {
    if (tables.methods[name]) return callMethod(inplace ? `${name}_` : name, input);
    const keeps = ["relu6", "hardtanh"].includes(name) && input.dtype.kind === 1;
    const dtype = name === "softsign" ? floating(input.dtype) : input.dtype;
    if (input.dtype === bool && ["relu6", "hardtanh"].includes(name))
      raise("RuntimeError", "Bool inputs not supported for hardtanh");
    if (input.dtype === bool && name === "softsign") callMethod("abs", input);
    const free = keeps || name === "softsign";
    const kernel = name === "selu" ? "elu_cpu" : `${name}_cpu`;
    const result = free ? elementwise(activations[name], [input], dtype) : floatsOnly(kernel, activations[name], input);
    return inplace ? writeInto(input, result) : result;
  });
}
// Comes with the second script.
for (const name of ["dropout", "dropout1d", "dropout2d", "alpha_dropout"]) {
  define("f", `${name}(input T, p any=0.5, training any=True, inplace any=False)`, ({ input, p }) => {
    const share = toNumber(p);
    if (share < 0 || share > 1)
      raise(
        "ValueError",
        `dropout probability has to be between 0 and 1, but got ${typeof p === "number" ? p : shownFloat(share)}`,
      );
    return input; // dropout is off here
  });
}

/** @param {number} value */
const shownFloat = (value) => (Number.isInteger(value) ? `${value}.0` : `${value}`);

// Comes with the second script.
define(
  "f",
  "layer_norm(input T, normalized_shape any, weight T=None, bias T=None, eps any=1e-05)",
  ({ input, normalized_shape: shape, weight, bias, eps }) => layerNorm(input, shape, weight, bias, toNumber(eps)),
  { checked: "layer_norm(input T, normalized_shape ints, weight T?, bias T?, eps float)" },
);
// Comes with the second script.
define(
  "f",
  "rms_norm(input T, normalized_shape any, weight T=None, eps any=None)",
  ({ input, normalized_shape: shape, weight, eps }) => rmsNorm(input, shape, weight, eps === null ? null : toNumber(eps)),
  { checked: "rms_norm(input T, normalized_shape ints, weight T?, eps float?)" },
);
// Comes with the second script.
define(
  "f",
  "embedding(input T, weight T, padding_idx any=None, max_norm any=None, norm_type any=2.0, scale_grad_by_freq any=False, sparse any=False)",
  (given) => {
    const { input, weight, max_norm: limit } = given;
    if (limit !== null) throw new NotHere("embedding(max_norm=...)");
    for (const [name, x, position] of /** @type {[string, Value, number][]} */ ([
      ["weight", weight, 1],
      ["indices", input, 2],
    ])) {
      if (!(x instanceof Tensor))
        raise("TypeError", `embedding(): argument '${name}' (position ${position}) must be Tensor, not ${kindOf(x)}`);
    }
    if (weight.ndim !== 2) raise("RuntimeError", "'weight' must be 2-D");
    if (input.dtype !== int64 && input.dtype !== int32) {
      const types = `Long, Int; but got ${input.dtype.cppTensor} instead (while checking arguments for embedding)`;
      raise("RuntimeError", `Expected tensor for argument #1 'indices' to have one of the following scalar types: ${types}`);
    }
    return view(indexSelect(weight, 0, numbersOf(input)), [...input.shape, weight.shape[1]]);
  },
);

// Comes with the second script.
for (const name of ["relu", "sigmoid", "tanh", "layer_norm", "rms_norm", "embedding", "dropout", "selu"]) {
  tables.torch[name] ??= tables.functional[name];
}

/** Calls a function of torch.nn.functional. @param {string} name @param {Value[]} args @param {Record<string, Value>} [kwargs] */
export const functional = (name, args, kwargs = {}) => tables.functional[name].run(args, kwargs, null);
