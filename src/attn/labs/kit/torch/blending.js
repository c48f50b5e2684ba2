// Operations of each element that few programs need: blends, products that are added, bounds on one side.

import { raise, toNumber } from "../python/values.js";
import { bool } from "./dtype.js";
import { resultType } from "./iterator.js";
import { computed, operand, withInPlace } from "./pointwise.js";
import { notForBool } from "./products.js";
import { Tensor } from "./tensor.js";

withInPlace("clamp_min", "min num | min T", ({ input, min }, into) => {
  if (resultType([input, operand(min)]) === bool) notForBool("clamp_min_scalar_cpu", input);
  return computed((x, least) => (x < least ? least : x), [input, operand(min)], resultType([input, operand(min)]), into);
});
withInPlace("clamp_max", "max num | max T", ({ input, max }, into) => {
  return computed((x, most) => (x > most ? most : x), [input, operand(max)], resultType([input, operand(max)]), into);
});
withInPlace("nan_to_num", "nan float?=None, posinf float?=None, neginf float?=None", ({ input, nan, posinf, neginf }, into) => {
  const largest = input.dtype.bytes === 8 ? Number.MAX_VALUE : input.dtype.name === "float16" ? 65504 : 3.4028234663852886e38;
  const [zero, top, bottom] = [nan ?? 0, posinf ?? largest, neginf ?? -largest].map(toNumber);
  const compute = (/** @type {number} */ x) => (Number.isNaN(x) ? zero : x === Infinity ? top : x === -Infinity ? bottom : x);
  return computed(input.dtype.isFloat ? compute : (x) => x, [input], input.dtype, into);
});
withInPlace("lerp", "end T, weight T | end T, weight num", ({ input, end, weight }, into) => {
  if (end.dtype !== input.dtype) {
    raise("RuntimeError", `expected dtype ${input.dtype.cpp} for \`end\` but got dtype ${end.dtype.cpp}`);
  }
  if (!input.dtype.isFloat) {
    const kernel = weight instanceof Tensor ? "lerp_kernel_tensor" : "lerp_kernel_scalar";
    raise("NotImplementedError", `"${kernel}" not implemented for '${input.dtype.word}'`);
  }
  return computed((a, b, w) => a + w * (b - a), [input, end, operand(weight)], input.dtype, into);
});
withInPlace("addcmul", "tensor1 T, tensor2 T, *, value num=1", ({ input, tensor1, tensor2, value }, into) => {
  notForBool("addcmul_cpu_out", input);
  return computed((a, b, c) => a + toNumber(value) * b * c, [input, tensor1, tensor2], resultType([input, tensor1, tensor2]), into);
});
withInPlace("addcdiv", "tensor1 T, tensor2 T, *, value num=1", ({ input, tensor1, tensor2, value }, into) => {
  return computed(
    (a, b, c) => a + (toNumber(value) * b) / c,
    [input, tensor1, tensor2],
    resultType([input, tensor1, tensor2]),
    into,
  );
});
