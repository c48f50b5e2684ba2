// Arranging tensors in ways that few programs need: stacking in rows, repeating, turning, grids.

import { Native, raise, tuple } from "../python/values.js";
import { promote } from "./dtype.js";
import { indexSelect } from "./indexing.js";
import { broadcast, clone, contiguous, keptStrides, writeInto } from "./iterator.js";
import { cat, repeat, stack } from "./joining.js";
import { define, MOVES, perform, tables } from "./operation.js";
import { pieces } from "./shaping.js";
import { kindOf } from "./signature.js";
import { axisOf, empty, listed, mustFit, numbersOf, places, Tensor, viewOf } from "./tensor.js";
import { expand, part, reshape, unsqueeze, view } from "./views.js";

/** @typedef {any} Value */

/**
 * @param {Tensor} x
 * @param {number[]} dims
 */
function flip(x, dims) {
  const axes = dims.map((dim) => axisOf(dim, x.ndim));
  const twice = axes.find((axis, n) => axes.indexOf(axis) !== n);
  if (twice !== undefined) raise("RuntimeError", `dim ${twice} appears multiple times in the list of dims`);
  const result = empty(x.shape, x.dtype, keptStrides(x));
  if (!x.ndim || !x.count) return clone(x);
  const mirrored = [...x.strides];
  let { offset } = x;
  for (const axis of axes) {
    offset += (x.shape[axis] - 1) * x.strides[axis];
    mirrored[axis] = -x.strides[axis];
  }
  const from = places(viewOf(x, x.shape, mirrored, offset));
  const to = places(result);
  for (let n = 0; n < to.length; n++) result.storage.data[to[n]] = x.storage.data[from[n]];
  return result;
}

/**
 * @param {Tensor} x
 * @param {number[]} shifts
 * @param {number[]} dims
 */
function roll(x, shifts, dims) {
  if (!shifts.length) raise("RuntimeError", "`shifts` required");
  if (!dims.length && shifts.length === 1) return view(roll(view(contiguous(x), [x.count]), shifts, [0]), x.shape);
  if (dims.length !== shifts.length) {
    raise("RuntimeError", `shifts and dimensions must align. shifts: ${shifts.length}, dims:${dims.length}`);
  }
  if (!x.ndim) raise("IndexError", `Dimension specified as ${dims[0]} but tensor has no dimensions`);
  let result = x;
  for (const [n, dim] of dims.entries()) {
    const axis = axisOf(dim, x.ndim);
    const size = x.shape[axis];
    if (!x.count) return clone(x);
    const shift = ((shifts[n] % size) + size) % size;
    result = cat([part(result, axis, size - shift, shift), part(result, axis, 0, size - shift)], axis);
  }
  return result;
}

/**
 * @param {Tensor[]} tensors
 * @param {string} indexing "ij" or "xy"
 */
function meshgrid(tensors, indexing) {
  const swapped = indexing === "xy" && tensors.length > 1;
  const ordered = swapped ? [tensors[1], tensors[0], ...tensors.slice(2)] : tensors;
  const shape = ordered.map((x) => x.count);
  const grids = ordered.map((x, n) =>
    expand(
      view(
        x,
        shape.map((size, axis) => (axis === n ? size : 1)),
      ),
      shape,
    ),
  );
  if (!swapped) return grids;
  return [grids[1], grids[0], ...grids.slice(2)];
}

/** @param {Tensor[]} tensors */
function broadcastAll(tensors) {
  const shape = tensors.length ? broadcast(tensors.map((x) => x.shape)) : [];
  return tensors.map((x) => expand(x, shape));
}

/** @param {Tensor[]} tensors */
function blockDiagonal(tensors) {
  const blocks = tensors.map((x) => (x.ndim < 2 ? view(contiguous(x), [1, x.count]) : x));
  const total = (/** @type {number} */ axis) => blocks.reduce((sum, x) => sum + x.shape[axis], 0);
  const result = empty([total(0), total(1)], blocks.map((x) => x.dtype).reduce(promote));
  let [row, column] = [0, 0];
  for (const x of blocks) {
    writeInto(part(part(result, 0, row, x.shape[0]), 1, column, x.shape[1]), x);
    row += x.shape[0];
    column += x.shape[1];
  }
  return result;
}

define("tm", "tensor_split(input T, sections int, dim int=0) | tensor_split(input T, indices ints, dim int=0)", (given) => {
  const { input, sections, indices, dim } = given;
  if (!input.ndim) raise("RuntimeError", "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  const axis = axisOf(dim, input.ndim);
  const total = input.shape[axis];
  if (indices) {
    const ends = [...indices.map((/** @type {number} */ one) => Math.min(Math.max(one < 0 ? one + total : one, 0), total)), total];
    let start = 0;
    return tuple(
      ends.map((end) => {
        const piece = part(input, axis, start, Math.max(0, end - start));
        start = end;
        return piece;
      }),
    );
  }
  if (sections <= 0) raise("RuntimeError", `number of sections must be larger than 0, got ${sections}`);
  mustFit(sections);
  const least = Math.floor(total / sections);
  return pieces(
    input,
    axis,
    Array.from({ length: sections }, (_, n) => least + (n < total % sections ? 1 : 0)),
  );
});

for (const [name, axis] of /** @type {const} */ ([
  ["hstack", 1],
  ["vstack", 0],
])) {
  define("t", `${name}(tensors Ts)`, ({ tensors }) => {
    const all = tensors.map((/** @type {Tensor} */ x) => (x.ndim ? x : view(x, [1])));
    if (name === "hstack") return cat(all, all[0]?.ndim === 1 ? 0 : axis);
    return cat(
      all.map((/** @type {Tensor} */ x) => (x.ndim === 1 ? unsqueeze(x, 0) : x)),
      axis,
    );
  });
}

define(
  "tm",
  "tile(input T, dims ints)",
  ({ input, dims }) => {
    return repeat(input, [...new Array(Math.max(0, input.ndim - dims.length)).fill(1), ...dims]);
  },
  MOVES,
);
define(
  "tm",
  "repeat_interleave(input T, repeats T, dim int?=None, *, output_size int?=None) | " +
    "repeat_interleave(input T, repeats int, dim int?=None, *, output_size int?=None)",
  ({ input, repeats, dim }) => {
    const x = dim === null ? reshape(input, [input.count]) : input;
    const axis = axisOf(dim ?? 0, x.ndim);
    if (!x.ndim) {
      if (repeats instanceof Tensor) raise("IndexError", "Dimension specified as 0 but tensor has no dimensions");
      raise("IndexError", "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    }
    const size = x.shape[axis];
    const times = repeats instanceof Tensor ? [...numbersOf(repeats)] : [repeats];
    if (times.length !== 1 && times.length !== size) {
      const both = `repeats.size(0) = ${times.length} and input.size(${axis}) = ${size}`;
      raise("RuntimeError", `repeats must have the same size as input along dim, but got ${both}`);
    }
    if (times.some((one) => one < 0)) raise("RuntimeError", "Repeats must be non-negative");
    mustFit(size * Math.max(0, ...times));
    return indexSelect(
      x,
      axis,
      Array.from({ length: size }, (_, n) => new Array(times[times.length === 1 ? 0 : n]).fill(n)).flat(),
    );
  },
  MOVES,
);
define("tm", "flip(input T, dims ints)", ({ input, dims }) => flip(input, dims));
/** @param {number} ndim @param {Tensor} x */
const atLeast = (ndim, x) => (x.ndim < ndim ? raise("RuntimeError", `Input must be >= ${ndim}-d.`) : x);
define("tm", "fliplr(input T)", ({ input }) => flip(atLeast(2, input), [1]));
define("tm", "flipud(input T)", ({ input }) => flip(atLeast(1, input), [0]));
define("tm", "roll(input T, shifts ints1, dims ints1=())", ({ input, shifts, dims }) => roll(input, shifts, dims));

/**
 * Tensors given one by one or as one list.
 *
 * @param {string} name
 * @param {Value[]} args
 */
function tensorList(name, args) {
  const tensors = args.length === 1 && Array.isArray(args[0]) ? [...args[0]] : args;
  for (const [n, x] of tensors.entries()) {
    if (!(x instanceof Tensor)) raise("TypeError", `expected Tensor as element ${n} in argument 0, but got ${kindOf(x)}`);
  }
  if (!tensors.length && name === "meshgrid") raise("RuntimeError", "meshgrid expects a non-empty TensorList");
  return tensors;
}

/**
 * A function of any number of tensors, which is written in Python in torch.
 *
 * @param {string} name
 * @param {string[]} keywords
 * @param {(tensors: Tensor[], kwargs: Record<string, Value>) => Value} run
 */
function ofTensors(name, keywords, run) {
  tables.torch[name] = new Native(name, (args, kwargs) => {
    const extra = Object.keys(kwargs).find((key) => !keywords.includes(key));
    if (extra) raise("TypeError", `${name}() got an unexpected keyword argument '${extra}'`);
    return perform(name, { tensors: tensorList(name, args) }, ({ tensors }) => run(tensors, kwargs), {});
  });
}
ofTensors("meshgrid", ["indexing"], (tensors, { indexing = "ij" }) => tuple(meshgrid(tensors, indexing)));
ofTensors("broadcast_tensors", [], (tensors) => tuple(broadcastAll(tensors)));
ofTensors("block_diag", [], blockDiagonal);
ofTensors("cartesian_prod", [], (tensors) => {
  for (const x of tensors) if (x.ndim !== 1) raise("RuntimeError", `Expect a 1D vector, but got shape ${listed(x.shape)}`);
  if (tensors.length === 1) return tensors[0];
  return stack(
    meshgrid(tensors, "ij").map((x) => reshape(x, [x.count])),
    1,
  );
});
