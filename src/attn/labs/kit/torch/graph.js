// Names of what made a tensor, as torch prints them: grad_fn=<AddBackward0>. There is no graph behind them.

import { ELLIPSIS, Slice, Tuple } from "../python/values.js";
import { Tensor } from "./tensor.js";

/** Operations that are made of others: the last one gives the name. @type {Record<string, string>} */
const last = {
  ...{ matmul: "UnsafeView", reshape: "View", flatten: "View", unflatten: "View", silu: "Silu", cat: "Cat" },
  ...{
    layer_norm: "NativeLayerNorm",
    multi_head_attention_forward: "Transpose",
    contiguous: "Clone",
    float: "ToCopy",
    swapaxes: "Transpose",
  },
  ...{
    scaled_dot_product_attention: "ScaledDotProductFlashAttentionForCpu",
    true_divide: "Div",
    setitem: "CopySlices",
    chunk: "Split",
  },
  ...{ einsum: "View", concat: "Cat", T: "Permute", mT: "Transpose", t: "T", outer: "Mul", rms_norm: "Mul", square: "Pow" },
};

// Comes with the second script.
/**
 * What the last part of an index does.
 *
 * @param {any} index
 */
function indexName(index) {
  const parts = index instanceof Tuple ? [...index] : [index];
  const gathers = (/** @type {any} */ one) =>
    Array.isArray(one) || (one instanceof Tensor && (one.ndim > 0 || one.dtype.kind === 0));
  if (parts.some(gathers)) return "Index";
  const isWhole = (/** @type {any} */ one) =>
    one instanceof Slice && [one.start, one.stop, one.step].every((part) => part === null);
  const last = parts.filter((one) => one !== ELLIPSIS && !isWhole(one)).at(-1);
  if (last === undefined) return "Alias";
  return last === null ? "Unsqueeze" : last instanceof Slice ? "Slice" : "Select";
}

/**
 * @param {string} op
 * @param {Record<string, any>} given
 * @param {Tensor} output
 */
export function gradName(op, given, output) {
  const plain = op.endsWith("_") ? op.slice(0, -1) : op;
  if (plain === "getitem") return `${indexName(given.index)}Backward0`;
  if (plain === "linear") return linearName(given, output);
  if (plain === "matmul" && output.ndim === 2) return "MmBackward0";
  if (plain === "matmul" && output.ndim === 0) return "DotBackward0";
  if (plain === "matmul" && output.ndim === 1) return "MvBackward0";
  const name = last[plain] ?? plain.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
  const variant = ["sum", "mean", "prod", "norm"].includes(plain) && given.dim !== undefined && given.dim !== null ? 1 : 0;
  return `${name}Backward${variant}`;
}

/**
 * @param {Record<string, any>} given
 * @param {Tensor} output
 */
function linearName({ bias }, output) {
  if (output.ndim === 2) return bias ? "AddmmBackward0" : "MmBackward0";
  if (output.ndim === 1) return bias ? "ViewBackward0" : "SqueezeBackward4";
  return bias ? "ViewBackward0" : "UnsafeViewBackward0";
}
