// What few programs ask of torch itself: limits of dtypes, torch.linalg, torch.special, torch.testing, options.

import { Float, Namespace, Native, notHere, raise, Size, toNumber, tuple } from "../python/values.js";
import { cpu } from "./attributes.js";
import { tensorFrom } from "./create.js";
import { DType, dtypes, float32, int64 } from "./dtype.js";
import { elementwise } from "./iterator.js";
import { contiguousStrides } from "./layout.js";
import { drawing } from "./making.js";
import { tables } from "./operation.js";
import { options } from "./print.js";
import { norm } from "./statistics.js";
import { empty, Tensor } from "./tensor.js";
import { assertCloseOf } from "./testing.js";
import { modules, namespace, python } from "./torch.js";

/** @typedef {any} Value */

const { torch } = tables;

/** Largest numbers and steps of the dtypes. @type {Record<string, [number, number, number]>} */
const floats = {
  float16: [65504, 2 ** -10, 2 ** -14],
  bfloat16: [2 ** 127 * (2 - 2 ** -7), 2 ** -7, 2 ** -126],
  float32: [2 ** 127 * (2 - 2 ** -23), 2 ** -23, 2 ** -126],
  float64: [Number.MAX_VALUE, 2 ** -52, 2 ** -1022],
};

const finfo = python("finfo(type any=None)", ({ type }) => {
  const dtype = type ?? float32;
  if (!(dtype instanceof DType) || !dtype.isFloat) {
    raise("TypeError", `torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'`);
  }
  const [max, eps, tiny] = floats[dtype.name].map((one) => new Float(one));
  const min = new Float(-max.value);
  return new Namespace("torch.finfo", { max, min, eps, tiny, smallest_normal: tiny, bits: 8 * dtype.bytes, dtype: dtype.name });
});
const iinfo = python("iinfo(type any)", ({ type }) => {
  if (!(type instanceof DType) || type.isFloat)
    raise("TypeError", "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'dtype'");
  const bits = 8 * type.bytes;
  const [min, max] = type.name === "uint8" ? [0, 255] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  return new Namespace("torch.iinfo", { max, min, bits, dtype: type.name });
});

/**
 * @param {Tensor} indices
 * @param {Value} shape
 */
function unravelled(indices, shape) {
  const sizes = Array.isArray(shape) ? shape.map(Number) : [Number(shape)];
  const steps = contiguousStrides(sizes);
  return tuple(sizes.map((size, axis) => elementwise((one) => Math.floor(one / steps[axis]) % size, [indices], int64)));
}

Object.assign(torch, {
  finfo,
  iinfo,
  set_printoptions: python(
    "set_printoptions(precision any=None, threshold any=None, edgeitems any=None, linewidth any=None, profile any=None, sci_mode any=None)",
    ({ profile, ...given }) => {
      if (profile !== null) notHere("set_printoptions(profile=...)");
      const digits = toNumber(given.precision);
      if (!Number.isInteger(digits) || digits < 0 || digits > 100)
        notHere("set_printoptions(precision=...) beyond 0 to 100 digits");
      for (const [name, value] of Object.entries(given))
        if (value !== null) Object.assign(options, { [name]: typeof value === "boolean" ? value : toNumber(value) });
      return null;
    },
  ),
  set_num_threads: python("set_num_threads(threads any)", () => null),
  get_num_threads: python("get_num_threads()", () => 1),
  use_deterministic_algorithms: python("use_deterministic_algorithms(mode any, *, warn_only any=False)", () => null),
  set_float32_matmul_precision: python("set_float32_matmul_precision(precision any)", () => null),
  initial_seed: python("initial_seed()", () => drawing.generator.initial),
  seed: python("seed()", () => notHere("torch.seed, which nobody can repeat")),
  result_type: python("result_type(tensor1 any, tensor2 any)", () => notHere("torch.result_type")),
  broadcast_shapes: new Native("broadcast_shapes", (shapes) => {
    const all = shapes.map((shape) => (Array.isArray(shape) ? [...shape] : [shape]));
    if (all.flat().some((one) => one < 0)) raise("ValueError", "Attempting to broadcast a dimension with negative length!");
    const tensors = all.map((shape) => empty(shape));
    return Size.from(torch.broadcast_tensors.run(tensors, {})[0].shape);
  }),
  get_default_device: python("get_default_device()", () => cpu),
  unravel_index: python("unravel_index(indices any, shape any)", ({ indices, shape }) => unravelled(indices, shape)),
  is_nonzero: python("is_nonzero(input any)", ({ input }) => input.truth()),
});
for (const dtype of dtypes) torch[`${dtype.word}Tensor`] = new Native(`${dtype.word}Tensor`, ([data]) => tensorFrom(data, dtype));

const linalg = {
  norm: python("linalg_norm(A any, ord any=None, dim any=None, keepdim any=False, *, out any=None, dtype any=None)", (given) =>
    norm(given.A, given.ord, given.dim, given.keepdim, given.dtype),
  ),
  vector_norm: python(
    "linalg_vector_norm(x any, ord any=2, dim any=None, keepdim any=False, *, dtype any=None, out any=None)",
    (given) => norm(given.x, given.ord, given.dim, given.keepdim, given.dtype),
  ),
};
const testing = namespace("torch.testing", { assert_close: new Native("assert_close", assertCloseOf) });

const linalgModule = namespace("torch.linalg", linalg);
const special = namespace("torch.special", {
  softmax: torch.softmax,
  log_softmax: torch.log_softmax,
  logsumexp: torch.logsumexp,
  erf: torch.erf,
  expit: torch.sigmoid,
});
Object.assign(torch, { linalg: linalgModule, special, testing });
for (const one of [linalgModule, special, testing]) modules[one.name] = one;
