// Views and copies of the same numbers, as functions and methods: view, permute, split, expand, cat, repeat and the rest.

import { Native, NotHere, raise, tuple } from "../python/values.js";
import { clone, contiguous } from "./iterator.js";
import { cat, repeat, stack } from "./joining.js";
import { alsoCalled, define, MOVES, perform, tables } from "./operation.js";
import { axisOf, listed, Tensor } from "./tensor.js";
import {
  alias,
  expand,
  flatten,
  part,
  permute,
  reshape,
  selected,
  squeeze,
  transpose,
  unflatten,
  unsqueeze,
  view,
} from "./views.js";

/** @typedef {any} Value */

define("m", "view(input T, dtype dtype) | view(input T, size ints)", ({ input, dtype, size }) => {
  if (dtype && dtype !== input.dtype) throw new NotHere("view(dtype)");
  return dtype ? alias(input) : view(input, size);
});
define("tm", "reshape(input T, shape ints)", ({ input, shape }) => reshape(input, shape), MOVES);
// Comes with the second script.
define("m", "view_as(input T, other T)", ({ input, other }) => view(input, other.shape));
define("tm", "permute(input T, dims ints)", ({ input, dims }) => permute(input, dims));
define("tm", "transpose(input T, dim0 int, dim1 int)", ({ input, dim0, dim1 }) => transpose(input, dim0, dim1));
define("tm", "t(input T)", ({ input }) => {
  if (input.ndim > 2) raise("RuntimeError", `t() expects a tensor with <= 2 dimensions, but self is ${input.ndim}D`);
  return transpose(input, 0, input.ndim < 2 ? 0 : 1);
});
// Comes with the second script.
define("tm", "adjoint(input T)", ({ input }) => matrixTranspose(input, "adjoint()"));

/** @param {Tensor} x @param {string} name */
export function matrixTranspose(x, name) {
  if (!x.ndim) return alias(x);
  if (x.ndim >= 2) return transpose(x, -2, -1);
  return raise("RuntimeError", `tensor.${name} is only supported on matrices or batches of matrices. Got ${x.ndim}-D tensor.`);
}

define("m", "contiguous(input T, *, memory_format any=None)", ({ input }) => contiguous(input), MOVES);
define("tm", "clone(input T, *, memory_format any=None)", ({ input }) => clone(input), MOVES);
// Comes with the second script.
define("tm", "detach(input T)", ({ input }) => alias(input), { detached: true });
define(
  "tm",
  "flatten(input T, start_dim int=0, end_dim int=-1)",
  (given) => flatten(given.input, given.start_dim, given.end_dim),
  MOVES,
);
define("tm", "unflatten(input T, dim int, sizes ints)", ({ input, dim, sizes }) => unflatten(input, dim, sizes));
define("tm", "unsqueeze(input T, dim int)", ({ input, dim }) => unsqueeze(input, dim));
// Comes with the second script.
define("tm", "squeeze(input T) | squeeze(input T, dim int) | squeeze(input T, dim ints)", ({ input, dim }) => {
  const dims = dim === undefined ? input.shape.map((/** @type {number} */ _, /** @type {number} */ axis) => axis) : dim;
  return squeeze(input, Array.isArray(dims) ? dims : [dims]);
});
define("m", "expand(input T, size ints, *, implicit bool=False)", ({ input, size }) => expand(input, size));

/**
 * @param {Tensor} x
 * @param {number} axis
 * @param {number[]} sizes
 */
export function pieces(x, axis, sizes) {
  let start = 0;
  return tuple(
    sizes.map((size) => {
      start += size;
      return part(x, axis, start - size, size);
    }),
  );
}

/**
 * @param {number} total
 * @param {number} size
 */
function equalSizes(total, size) {
  const count = Math.max(1, Math.ceil(total / Math.max(size, 1)));
  return Array.from({ length: count }, (_, n) => Math.min(size, total - n * size));
}

define("tm", "chunk(input T, chunks int, dim int=0)", ({ input, chunks, dim }) => {
  if (!input.ndim) raise("RuntimeError", "chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0) raise("RuntimeError", `chunk expects \`chunks\` to be greater than 0, got: ${chunks}`);
  const axis = axisOf(dim, input.ndim);
  const size = input.shape[axis];
  return pieces(input, axis, size ? equalSizes(size, Math.ceil(size / chunks)) : new Array(chunks).fill(0));
});

/**
 * @param {Tensor} x
 * @param {Value} sizes a number or a list
 * @param {number} dim
 */
function splitInto(x, sizes, dim) {
  if (!x.ndim) raise("RuntimeError", "split expects at least a 1-dimensional tensor");
  const axis = axisOf(dim, x.ndim);
  const total = x.shape[axis];
  if (!Array.isArray(sizes)) {
    if (sizes < 0) raise("RuntimeError", `split expects split_size be non-negative, but got split_size=${sizes}`);
    if (sizes === 0 && total) {
      raise("RuntimeError", `split_size can only be 0 if dimension size is 0, but got dimension size of ${total}`);
    }
    return pieces(x, axis, equalSizes(total, sizes));
  }
  const negative = sizes.some((size) => size < 0);
  const shown = listed(sizes);
  if (negative) {
    raise("RuntimeError", `split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=${shown}`);
  }
  if (sizes.reduce((sum, size) => sum + size, 0) !== total) {
    const wanted = `to sum exactly to ${total} (input tensor's size at dimension ${dim}), but got split_sizes=${shown}`;
    raise("RuntimeError", `split_with_sizes expects split_sizes ${wanted}`);
  }
  return pieces(x, axis, sizes);
}

/**
 * split is written in Python: it hands over to one of two functions.
 *
 * @param {Tensor} x
 * @param {Value} sizes
 * @param {Value} dim
 */
function splitAny(x, sizes, dim) {
  if (typeof sizes === "number" || sizes instanceof Tensor) {
    return splitInto(x, sizes instanceof Tensor ? Number(sizes.scalar()) : sizes, dim);
  }
  return tables.torch.split_with_sizes.run([x, sizes, dim], {});
}

define("m", "split(self T, split_size any, dim int=0)", ({ self, split_size: size, dim }) => splitAny(self, size, dim), {
  python: true,
});
// Comes with the second script.
define(
  "t",
  "split(tensor T, split_size_or_sections any, dim int=0)",
  (given) => splitAny(given.tensor, given.split_size_or_sections, given.dim),
  { python: true },
);
define("tm", "split_with_sizes(input T, split_sizes ints, dim int=0)", (given) =>
  splitInto(given.input, given.split_sizes, given.dim),
);
define("tm", "unbind(input T, dim int=0)", ({ input, dim }) => {
  const axis = axisOf(dim, input.ndim);
  if (!input.ndim) raise("IndexError", "Dimension specified as 0 but tensor has no dimensions");
  return tuple(Array.from({ length: input.shape[axis] }, (_, n) => selected(input, axis, n)));
});

define("t", "cat(tensors Ts, dim int=0)", ({ tensors, dim }) => cat([...tensors], dim));
alsoCalled("torch", { concat: "cat", concatenate: "cat" });
define("t", "stack(tensors Ts, dim int=0)", ({ tensors, dim }) => stack([...tensors], dim));
// Comes with the second script.
define("m", "repeat(input T, repeats ints)", ({ input, repeats }) => repeat(input, repeats), MOVES);
// Comes with the second script.
for (const name of ["unsqueeze", "squeeze", "transpose", "t"]) {
  const run = tables.methods[name];
  tables.methods[`${name}_`] = new Native(`${name}_`, ([self, ...args], kwargs, call) => {
    return perform(
      `${name}_`,
      { self },
      () => {
        const { shape, strides } = run.run([self, ...args], kwargs, call);
        return Object.assign(self, { shape, strides });
      },
      {},
    );
  });
}
