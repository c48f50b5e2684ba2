// New tensors: zeros, arange, randn, tensor and the like; random numbers; other dtypes.

import { Float, Native, NotHere, raise, toNumber } from "../python/values.js";
import { filledTensor, itemOf, tensorFrom } from "./create.js";
import { bfloat16, bool, DType, float32, int8, int64, shortNames, uint8 } from "./dtype.js";
import { copyOf, keptStrides } from "./iterator.js";
import { countOf } from "./layout.js";
import { define, MOVES, tables } from "./operation.js";
import { Generator } from "./random.js";
import { empty, fromNumbers, listed, mustFit, Tensor } from "./tensor.js";

/** @typedef {any} Value */

/** The one that torch.manual_seed seeds. */
export const drawing = { generator: new Generator() };

export const FACTORY_OPTIONS =
  "dtype dtype?=None, layout any=None, device device?=None, pin_memory any=False, requires_grad bool=False";
/**
 * The signatures of a function that draws random numbers: with a generator, and without.
 *
 * @param {string} name
 * @param {string} parameters
 */
export const drawn = (name, parameters) =>
  `${name}(${parameters}, *, generator gen?, ${FACTORY_OPTIONS}) | ${name}(${parameters}, *, ${FACTORY_OPTIONS})`;

const kinds =
  "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone";

// Comes with the second script.
/** Is there such a kind of device? @param {string} name "cuda:0" */
export function checkDevice(name) {
  const [kind] = name.split(":");
  if (!/^[a-z_]+(:\d+)?$/.test(name)) raise("RuntimeError", `Invalid device string: '${name}'`);
  if (kinds.split(", ").includes(kind)) return;
  raise("RuntimeError", `Expected one of ${kinds} device type at start of device string: ${kind}`);
}

/** @param {Value} device */
export function mustBeCpu(device) {
  if (device === null || device === undefined) return;
  const name = typeof device === "string" ? device : (device.kind ?? "cuda");
  checkDevice(name);
  const [kind] = name.split(":");
  if (kind === "cuda") raise("AssertionError", "Torch not compiled with CUDA enabled");
  if (kind === "mps") raise("RuntimeError", "PyTorch is not linked with support for mps devices");
  if (kind !== "cpu") throw new NotHere(`device="${kind}"`);
}

/** @param {Tensor} made @param {Record<string, Value>} given */
export function finished(made, { device, requires_grad: wanted }) {
  mustBeCpu(device);
  if (wanted && !made.dtype.isFloat) {
    raise("RuntimeError", "Only Tensors of floating point and complex dtype can require gradients");
  }
  made.requiresGrad = wanted === true;
  return made;
}

/** @param {number[]} size @param {string} name */
function checkSize(size, name) {
  const negative = size.find((one) => one < 0);
  if (negative === undefined) return;
  if (name === "zeros") raise("RuntimeError", "zeros: Dimension size must be non-negative.");
  raise("RuntimeError", `Trying to create tensor with negative dimension ${negative}: ${listed(size)}`);
}

/** @param {Value} given the generator that was named, or the session's */
export const generatorFor = (given) => given?.generator ?? drawing.generator;

/**
 * A function of a size, and its sister that takes the size of another tensor.
 *
 * @param {string} name
 * @param {string} extra its other parameters; none if it draws random numbers
 * @param {(size: number[], dtype: DType, given: Record<string, Value>) => Tensor} make
 */
function factory(name, extra, make) {
  const text = extra ? `${name}(size ints, ${extra})` : drawn(name, "size ints");
  define("t", text, (given) => {
    checkSize(given.size, name);
    return finished(make(given.size, given.dtype ?? float32, given), given);
  });
  define("t", `${name}_like(input T, *, memory_format any=None, generator gen?=None, ${FACTORY_OPTIONS})`, (given) => {
    const { input } = given;
    const made = make(input.shape, given.dtype ?? input.dtype, given);
    return finished(copyOf(made, keptStrides(input)), given);
  });
}

factory("zeros", `*, ${FACTORY_OPTIONS}`, (size, dtype) => filledTensor(size, 0, dtype));
factory("ones", `*, ${FACTORY_OPTIONS}`, (size, dtype) => filledTensor(size, 1, dtype));
factory("empty", `*, memory_format any=None, ${FACTORY_OPTIONS}`, (size, dtype) => filledTensor(size, 0, dtype));
factory("rand", "", (size, dtype, given) =>
  random(size, dtype, (count) => generatorFor(given.generator).uniforms(count, 0, 1, dtype), "check_uniform_bounds"),
);
factory("randn", "", (size, dtype, given) =>
  random(size, dtype, (count) => generatorFor(given.generator).normals(count, dtype), "normal_kernel_cpu"),
);

/**
 * @param {number[]} size
 * @param {DType} dtype
 * @param {(count: number) => ArrayLike<number>} draw
 * @param {string} kernel
 */
function random(size, dtype, draw, kernel) {
  if (!dtype.isFloat) raise("NotImplementedError", `"${kernel}" not implemented for '${dtype.word}'`);
  const count = countOf(size);
  mustFit(count); // before so many are drawn
  return fromNumbers(draw(count), size, dtype);
}

for (const [name, value] of /** @type {const} */ ([
  ["zeros", 0],
  ["ones", 1],
  ["empty", 0],
])) {
  define("m", `new_${name}(input T, size ints, *, ${FACTORY_OPTIONS})`, (given) => {
    checkSize(given.size, name);
    return finished(filledTensor(given.size, value, given.dtype ?? given.input.dtype), given);
  });
}
// Comes with the second script.
define("t", `full(size ints, fill_value num, *, ${FACTORY_OPTIONS})`, (given) => {
  const value = given.fill_value instanceof Tensor ? itemOf(given.fill_value) : given.fill_value;
  const dtype = given.dtype ?? (value instanceof Float ? float32 : typeof value === "boolean" ? bool : int64);
  checkSize(given.size, "full");
  return finished(filledTensor(given.size, toNumber(value), dtype), given);
});
// Comes with the second script.
define("t", `eye(n int, *, ${FACTORY_OPTIONS}) | eye(n int, m int, *, ${FACTORY_OPTIONS})`, (given) => {
  const { n, m = n } = given;
  if (n < 0) raise("RuntimeError", `n must be greater or equal to 0, got ${n}`);
  if (m < 0) raise("RuntimeError", `m must be greater or equal to 0, got ${m}`);
  const made = filledTensor([n, m], 0, given.dtype ?? float32);
  for (let k = 0; k < Math.min(n, m); k++) made.storage.data[k * m + k] = 1;
  return finished(made, given);
});

/** @param {Value} value */
export const plain = (value) => (value instanceof Tensor ? itemOf(value) : value);

define(
  "t",
  `arange(end num, *, ${FACTORY_OPTIONS}) | arange(start num, end num, *, ${FACTORY_OPTIONS}) | arange(start num, end num, step num=1, *, ${FACTORY_OPTIONS})`,
  (given) => {
    const all = [plain(given.start ?? 0), plain(given.end), plain(given.step ?? 1)];
    const [start, end, step] = all.map(toNumber);
    if (step === 0) raise("RuntimeError", "step must be nonzero");
    if (!Number.isFinite(start) || !Number.isFinite(end))
      raise("RuntimeError", `unsupported range: ${shortFloat(start)} -> ${shortFloat(end)}`);
    if (step > 0 ? end < start : end > start) raise("RuntimeError", "upper bound and lower bound inconsistent with step sign");
    const dtype = given.dtype ?? (all.some((one) => one instanceof Float) ? float32 : int64);
    const count = Math.ceil((end - start) / step);
    const made = empty([count], dtype);
    for (let n = 0; n < count; n++) made.storage.data[n] = dtype.round ? dtype.round(start + n * step) : start + n * step;
    return finished(made, given);
  },
);

/** @param {number} value */
const shortFloat = (value) => (Number.isFinite(value) ? `${value}` : value > 0 ? "inf" : value < 0 ? "-inf" : "nan");

// Comes with the second script.
define(
  "t",
  `linspace(start num, end num, steps int, *, ${FACTORY_OPTIONS}) | linspace(start T, end T, steps int, *, ${FACTORY_OPTIONS})`,
  (given) => {
    const [start, end] = [plain(given.start), plain(given.end)].map(toNumber);
    const { steps } = given;
    if (steps < 0) raise("RuntimeError", "number of steps must be non-negative");
    mustFit(steps);
    const step = (end - start) / Math.max(1, steps - 1);
    // PyTorch counts the second half from the end.
    const numbers = Array.from({ length: steps }, (_, n) =>
      n < steps / 2 || steps === 1 ? start + n * step : end - (steps - 1 - n) * step,
    );
    return finished(fromNumbers(numbers, [steps], given.dtype ?? float32), given);
  },
);

define(
  "t",
  `tensor(data any, *, dtype dtype?=None, device device?=None, requires_grad bool=False, pin_memory any=False)`,
  (given) => finished(tensorFrom(given.data, given.dtype), given),
);
// Comes with the second script.
define(
  "t",
  "asarray(obj any, *, dtype dtype?=None, device device?=None, copy any=None, requires_grad bool=False)",
  ({ obj, dtype }) => (obj instanceof Tensor && (!dtype || dtype === obj.dtype) ? obj : tensorFrom(obj, dtype)),
);

// Comes with the second script.
define("t", `${drawn("randint", "high int, size ints")} | ${drawn("randint", "low int, high int, size ints")}`, (given) => {
  const { low = 0, high, size, dtype } = given;
  if (low >= high) raise("RuntimeError", `random_ expects 'from' to be less than 'to', but got from=${low} >= to=${high}`);
  checkSize(size, "randint");
  const made = empty(size, dtype ?? int64);
  made.storage.data.set(generatorFor(given.generator).integers(made.count, low, high));
  return finished(made, given);
});
// ---------- other dtypes

/**
 * @param {Tensor} x
 * @param {DType} dtype
 * @param {boolean} [copy]
 */
const converted = (x, dtype, copy = false) => (dtype === x.dtype && !copy ? x : copyOf(x, keptStrides(x), dtype));

for (const [name, dtype] of Object.entries({ ...shortNames, bfloat16, bool, byte: uint8, char: int8 })) {
  define("m", `${name}(input T, *, memory_format any=None)`, ({ input }) => converted(input, dtype), MOVES);
}

// Comes with the second script.
define("m", "type_as(input T, other T)", ({ input, other }) => converted(input, other.dtype), MOVES);
const conversionOptions = "non_blocking bool=False, copy bool=False, *, memory_format any=None";
define(
  "m",
  `to(input T, device device?=None, dtype dtype?=None, ${conversionOptions}) | to(input T, dtype dtype, ${conversionOptions}) | to(input T, other T, ${conversionOptions})`,
  (given) => {
    const { input, device, dtype, other, copy } = given;
    mustBeCpu(device);
    return converted(input, other?.dtype ?? dtype ?? input.dtype, copy);
  },
  MOVES,
);
// Comes with the second script.
define("m", "cpu(input T, *, memory_format any=None)", ({ input }) => input);
// Comes with the second script.
define("m", "cuda(input T, device any=None, non_blocking bool=False)", () => mustBeCpu("cuda"));
// Comes with the second script.
define(
  "m",
  "type(input T, dtype any=None, non_blocking bool=False)",
  ({ input, dtype }) => {
    if (dtype === null) return input.dtype.tensorName;
    if (dtype instanceof DType) return converted(input, dtype);
    throw new NotHere("Tensor.type(text)");
  },
  MOVES,
);
define(
  "m",
  "requires_grad_(input T, requires_grad bool=True)",
  ({ input, requires_grad: wanted }) => {
    if (wanted && !input.dtype.isFloat) raise("RuntimeError", "only Tensors of floating point dtype can require gradients");
    input.requiresGrad = wanted;
    return input;
  },
  { detached: true },
);
tables.methods.backward = new Native("backward", () => {
  throw new NotHere("a backward pass");
});
