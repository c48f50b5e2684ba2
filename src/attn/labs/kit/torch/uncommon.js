// Functions and methods of tensors that few programs call.

import { Foreign, Native, notHere, raise, toNumber } from "../python/values.js";
import { address } from "./attributes.js";
import { inColumns, wherePositive } from "./choosing.js";
import { filledTensor, itemOf, tensorFrom } from "./create.js";
import { bool, float32, int32, int64 } from "./dtype.js";
import { indexSelect, nonzero } from "./indexing.js";
import { copyOf, elementwise, keptStrides, resultType } from "./iterator.js";
import { binary, roundEven } from "./kernels.js";
import { drawn, FACTORY_OPTIONS, finished, generatorFor, mustBeCpu, plain } from "./making.js";
import { alsoCalled, define } from "./operation.js";
import { arithmetic, close, computed, operand, withInPlace } from "./pointwise.js";
import { mv, tensordot } from "./products.js";
import { fromNumbers, listed, mustFit, numbersOf, Tensor } from "./tensor.js";
import { unsqueeze } from "./views.js";

define("tm", "nonzero(input T, *, as_tuple bool=False)", ({ input, as_tuple: asTuple }) => {
  return asTuple ? wherePositive(input) : inColumns(nonzero(input), input.ndim);
});
define("tm", "argwhere(input T)", ({ input }) => inColumns(nonzero(input), input.ndim));
define("tm", "index_select(input T, dim int, index T)", ({ input, dim, index }) => {
  if (index.dtype !== int64 && index.dtype !== int32)
    raise("RuntimeError", "index_select(): Expected dtype int32 or int64 for index");
  if (index.ndim > 1) raise("IndexError", "index_select(): Index is supposed to be a vector");
  return indexSelect(input, dim, numbersOf(index));
});
define("tm", "mv(input T, vec T)", ({ input, vec }) => mv(input, vec));
define("tm", "inner(input T, other T)", ({ input, other }) => {
  if (!input.ndim || !other.ndim) return arithmetic("mul", input, other);
  const last = [input.ndim - 1, other.ndim - 1];
  if (input.shape[last[0]] !== other.shape[last[1]]) {
    const both = `but got sizes ${listed(input.shape)} and ${listed(other.shape)}`;
    raise("RuntimeError", `inner() the last dimension must match on both input tensors ${both}`);
  }
  return tensordot(input, other, [last[0]], [last[1]]);
});
for (const name of ["outer", "ger"]) {
  define("tm", `${name}(input T, vec2 T)`, ({ input, vec2 }) => {
    if (input.ndim !== 1) raise("RuntimeError", `outer: Expected 1-D argument self, but got ${input.ndim}-D`);
    if (vec2.ndim !== 1) raise("RuntimeError", `outer: Expected 1-D argument vec2, but got ${vec2.ndim}-D`);
    return elementwise(binary.mul, [unsqueeze(input, 1), vec2], resultType([input, vec2]));
  });
}
define("m", `new_full(input T, size ints, fill_value num, *, ${FACTORY_OPTIONS})`, (given) =>
  finished(filledTensor(given.size, toNumber(given.fill_value), given.dtype ?? given.input.dtype), given),
);
define("m", `new_tensor(input T, data any, *, ${FACTORY_OPTIONS})`, (given) =>
  finished(tensorFrom(given.data, given.dtype ?? given.input.dtype), given),
);
define("t", `full_like(input T, fill_value num, *, memory_format any=None, ${FACTORY_OPTIONS})`, (given) => {
  const { input, fill_value: value } = given;
  const made = filledTensor(input.shape, toNumber(value instanceof Tensor ? itemOf(value) : value), given.dtype ?? input.dtype);
  return finished(copyOf(made, keptStrides(input)), given);
});
define("t", "as_tensor(data any, dtype dtype?=None, device device?=None)", ({ data, dtype, device }) => {
  mustBeCpu(device);
  return data instanceof Tensor && (!dtype || dtype === data.dtype) ? data : tensorFrom(data, dtype);
});
define("t", "scalar_tensor(s num, *, dtype dtype?=None, device device?=None)", ({ s, dtype }) =>
  tensorFrom(plain(s), dtype ?? float32),
);
define("t", drawn("randperm", "n int"), (given) => {
  if (given.n < 0) raise("RuntimeError", `n must be non-negative, got${given.n}`);
  mustFit(given.n);
  return finished(fromNumbers(generatorFor(given.generator).permutation(given.n), [given.n], given.dtype ?? int64), given);
});
class Storage extends Foreign {
  /** @param {Tensor} tensor */
  constructor(tensor) {
    super();
    this.tensor = tensor;
  }

  get typeName() {
    return "UntypedStorage";
  }

  length() {
    return this.tensor.storage.bytes;
  }

  /** @param {string} name */
  attribute(name) {
    if (name === "data_ptr") return new Native(name, () => address(this.tensor));
    if (name === "nbytes" || name === "size") return new Native(name, () => this.length());
    return notHere(`UntypedStorage.${name}`);
  }
}
define("m", "untyped_storage(input T)", ({ input }) => new Storage(input));
withInPlace("round", " | *, decimals int", ({ input, decimals = 0 }, into) => {
  if (input.dtype === bool && !decimals) raise("NotImplementedError", `"round_vml_cpu" not implemented for 'Bool'`);
  if (decimals && !input.dtype.isFloat) raise("NotImplementedError", `"round_cpu" not implemented for '${input.dtype.word}'`);
  const scale = 10 ** Math.abs(decimals);
  const compute =
    decimals < 0
      ? (/** @type {number} */ x) => roundEven(x / scale) * scale
      : (/** @type {number} */ x) => roundEven(x * scale) / scale;
  return computed(compute, [input], input.dtype, into);
});
withInPlace("frac", "", ({ input }, into) => {
  if (!input.dtype.isFloat) raise("NotImplementedError", `"frac_cpu" not implemented for '${input.dtype.word}'`);
  return computed((x) => x - Math.trunc(x), [input], input.dtype, into);
});
withInPlace("clamp", "min T?=None, max T?=None | min num?=None, max num?=None", ({ input, min, max }, into) => {
  if (min === null && max === null) raise("RuntimeError", "torch.clamp: At least one of 'min' or 'max' must not be None");
  const bounds = [min, max].map((one) => (one === null ? null : operand(one)));
  const given = /** @type {(Tensor | import("./iterator.js").Scalar)[]} */ ([input, ...bounds.filter(Boolean)]);
  const low = (/** @type {number} */ x, /** @type {number} */ least) => (x < least ? least : x);
  const high = (/** @type {number} */ x, /** @type {number} */ most) => (x > most ? most : x);
  const dtype = resultType(given);
  if (into && dtype.kind > into.dtype.kind) {
    raise("RuntimeError", `result type ${dtype.word} can't be cast to the desired output type ${into.dtype.cpp}`);
  }
  const compute =
    min === null
      ? high
      : max === null
        ? low
        : (/** @type {number} */ x, /** @type {number} */ a, /** @type {number} */ b) => high(low(x, a), b);
  return computed(compute, given, dtype, into);
});
alsoCalled("torch", { clip: "clamp" });
alsoCalled("methods", { clip: "clamp", clip_: "clamp_" });
define("tm", "isclose(input T, other T, rtol float=1e-05, atol float=1e-08, equal_nan bool=False)", (given) =>
  elementwise(close(given), [given.input, given.other], bool),
);
