// Choosing numbers in ways that few programs need: gather and scatter, sorting, diagonals.

import { raise, tuple } from "../python/values.js";
import { numberFor } from "./choosing.js";
import { bool, int32, int64 } from "./dtype.js";
import { broadcast, clone, copyOf, elementwise, keptStrides, writeInto } from "./iterator.js";
import { callMethod, define } from "./operation.js";
import { withIndices } from "./reduce.js";
import { axisOf, empty, fromNumbers, listed, numbersOf, places, scalarTensor, spend, Tensor, viewOf } from "./tensor.js";
import { expand, part, reshape } from "./views.js";
import { diagonal } from "./windows.js";

/** @typedef {any} Value */

define("tm", "masked_select(input T, mask T)", ({ input, mask }) => {
  if (mask.dtype !== bool) raise("RuntimeError", "masked_select: expected BoolTensor for mask");
  const shape = broadcast([input.shape, mask.shape]);
  const [numbers, chosen] = [input, mask].map((one) => numbersOf(expand(one, shape)));
  const kept = Array.from(numbers).filter((_, n) => chosen[n] !== 0);
  return fromNumbers(kept, [kept.length], input.dtype);
});

define("tm", "diag(input T, diagonal int=0)", ({ input, diagonal: offset }) => {
  if (input.ndim === 2) return copyOf(diagonal(input, offset, 0, 1));
  if (input.ndim !== 1) raise("RuntimeError", `diag(): Supports 1D or 2D tensors. Got ${input.ndim}D`);
  const size = input.count + Math.abs(offset);
  const result = empty([size, size], input.dtype);
  writeInto(diagonal(result, offset, 0, 1), input);
  return result;
});
define("tm", "diag_embed(input T, offset int=0, dim1 int=-2, dim2 int=-1)", ({ input, offset, dim1, dim2 }) => {
  const size = input.shape[input.ndim - 1] + Math.abs(offset);
  const [a, b] = [axisOf(dim1, input.ndim + 1), axisOf(dim2, input.ndim + 1)].sort((x, y) => x - y);
  const result = empty(input.shape.slice(0, -1).toSpliced(a, 0, size).toSpliced(b, 0, size), input.dtype);
  writeInto(diagonal(result, offset, dim1, dim2), input);
  return result;
});

/**
 * Calls `visit` with the place of each index and the place that it names.
 *
 * @param {string} name
 * @param {Tensor} x
 * @param {number} dim
 * @param {Tensor} index
 * @param {(place: number, n: number) => void} visit
 */
function each(name, x, dim, index, visit) {
  const axis = axisOf(dim, x.ndim);
  if (index.dtype !== int64 && index.dtype !== int32) raise("RuntimeError", `${name}(): Expected dtype int32/int64 for index`);
  if (Math.max(x.ndim, 1) !== Math.max(index.ndim, 1)) {
    raise("RuntimeError", "Index tensor must have the same number of dimensions as input tensor");
  }
  for (const [n, size] of index.shape.entries()) {
    if (n === axis || size <= x.shape[n]) continue;
    const both = `Expected index ${listed(index.shape)} to be no larger than self ${listed(x.shape)} apart from dimension ${axis}`;
    raise("RuntimeError", name === "gather" ? `Size does not match at dimension ${n} e${both.slice(1)}` : both);
  }
  const numbers = numbersOf(index);
  const size = x.shape[axis] ?? 1;
  const step = x.strides[axis] ?? 0;
  const base = places(x.ndim ? viewOf(x, index.shape, x.strides.with(axis, 0)) : x);
  for (let n = 0; n < numbers.length; n++) {
    if (numbers[n] < 0 || numbers[n] >= size) {
      raise("RuntimeError", `index ${numbers[n]} is out of bounds for dimension ${axis} with size ${size}`);
    }
    visit(base[n] + numbers[n] * step, n);
  }
}

define("tm", "gather(input T, dim int, index T, *, sparse_grad bool=False)", ({ input, dim, index }) => {
  const result = empty(index.shape, input.dtype);
  each("gather", input, dim, index, (place, n) => {
    result.storage.data[n] = input.storage.data[place];
  });
  return result;
});
define("tm", "take_along_dim(input T, indices T, dim int?=None)", ({ input, indices, dim }) => {
  const x = dim === null ? reshape(input, [input.count]) : input;
  return callMethod("gather", x, dim ?? 0, dim === null ? reshape(indices, [indices.count]) : indices);
});

/**
 * @param {Tensor} target
 * @param {Record<string, Value>} given
 * @param {(old: number, value: number) => number} combine
 */
function scatter(target, { dim, index, src, value }, combine) {
  if (src && index.shape.some((/** @type {number} */ size, /** @type {number} */ axis) => size > src.shape[axis])) {
    const both = `to be no larger than self ${listed(target.shape)} apart from dimension ${axisOf(dim, target.ndim)}`;
    raise("RuntimeError", `Expected index ${listed(index.shape)} ${both} and to be no larger size than src ${listed(src.shape)}`);
  }
  if (src && src.dtype !== target.dtype) raise("RuntimeError", "scatter(): Expected self.dtype to be equal to src.dtype");
  const from = src ? numbersOf(viewOf(src, index.shape, src.strides)) : null;
  const number = value === undefined ? 0 : numberFor(value, target);
  each("scatter", target, dim, index, (place, n) => {
    const { data } = target.storage;
    const value = combine(data[place], from ? from[n] : number);
    data[place] = target.dtype === bool ? Number(value !== 0) : value;
  });
  return target;
}
const replaced = (/** @type {number} */ _, /** @type {number} */ value) => value;
const plus = (/** @type {number} */ old, /** @type {number} */ value) => old + value;
const scatters = (/** @type {string} */ name) =>
  `${name}(input T, dim int, index T, src T) | ${name}(input T, dim int, index T, value num)`;
define("tm", scatters("scatter"), (given) => scatter(copyOf(given.input), given, replaced));
define("m", scatters("scatter_"), (given) => scatter(given.input, given, replaced));
define("tm", "scatter_add(input T, dim int, index T, src T)", (given) => scatter(copyOf(given.input), given, plus));
define("m", "scatter_add_(input T, dim int, index T, src T)", (given) => scatter(given.input, given, plus));

for (const name of ["index_fill", "index_fill_"]) {
  const text = `${name}(input T, dim int, index T, value T) | ${name}(input T, dim int, index T, value num)`;
  define(name.endsWith("_") ? "m" : "tm", text, ({ input, dim, index, value }) => {
    const target = name.endsWith("_") ? input : clone(input);
    const axis = axisOf(dim, target.ndim);
    const source = scalarTensor(numberFor(value, target), target.dtype);
    for (const n of numbersOf(index)) writeInto(part(target, axis, n < 0 ? n + target.shape[axis] : n, 1), source);
    return target;
  });
}
define("m", "index_copy_(input T, dim int, index T, source T)", ({ input, dim, index, source }) => {
  const axis = axisOf(dim, input.ndim);
  numbersOf(index).forEach((/** @type {number} */ to, /** @type {number} */ from) =>
    writeInto(part(input, axis, to, 1), part(source, axis, from, 1)),
  );
  return input;
});
define("m", "index_add_(input T, dim int, index T, source T, *, alpha num=1)", ({ input, dim, index, source }) => {
  const axis = axisOf(dim, input.ndim);
  numbersOf(index).forEach((/** @type {number} */ to, /** @type {number} */ from) => {
    const target = part(input, axis, to, 1);
    writeInto(target, elementwise(plus, [target, part(source, axis, from, 1)], input.dtype));
  });
  return input;
});

/**
 * The order of each row along an axis; equal numbers keep theirs, NaN is the largest.
 *
 * @param {Tensor} x
 * @param {number} dim
 * @param {boolean} descending
 * @param {number} [count]
 */
function sortedAlong(x, dim, descending, count) {
  const axis = axisOf(dim, x.ndim);
  const shape = x.ndim ? x.shape : [1];
  const size = count ?? shape[axis];
  const strides = x.ndim ? x.strides : [1];
  const order = shape.map((_, n) => n).filter((n) => n !== axis);
  order.push(axis);
  const turned = (/** @type {Tensor} */ y) =>
    viewOf(
      y,
      order.map((n) => y.shape[n] ?? 1),
      order.map((n) => y.strides[n] ?? 1),
    );
  const from = places(turned(viewOf(x, shape, strides)));
  const layout = count === undefined ? keptStrides(x) : undefined;
  const [values, indices] = [x.dtype, int64].map((dtype) => empty(x.ndim ? shape.with(axis, size) : [], dtype, layout));
  const to = places(turned(values));
  const { data } = x.storage;
  spend((100 + 30 * Math.log2(shape[axis] + 1)) * from.length);
  const compare = (/** @type {number} */ a, /** @type {number} */ b) =>
    Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b;
  const long = shape[axis];
  for (let row = 0; row * size < to.length; row++) {
    const numbers = Array.from({ length: long }, (_, k) => data[from[row * long + k]]);
    const ranks = numbers
      .map((_, k) => k)
      .sort((a, b) => (descending ? compare(numbers[b], numbers[a]) : compare(numbers[a], numbers[b])));
    for (let k = 0; k < size; k++) {
      values.storage.data[to[row * size + k]] = numbers[ranks[k]];
      indices.storage.data[to[row * size + k]] = ranks[k];
    }
  }
  return { values, indices };
}

define(
  "tm",
  "sort(input T, *, stable bool?, dim int=-1, descending bool=False) | sort(input T, dim int=-1, descending bool=False)",
  ({ input, dim, descending }) => {
    const { values, indices } = sortedAlong(input, dim, descending);
    return withIndices("sort", values, indices);
  },
);
define(
  "tm",
  "argsort(input T, dim int=-1, descending bool=False) | argsort(input T, *, stable bool, dim int=-1, descending bool=False)",
  (given) => sortedAlong(given.input, given.dim, given.descending).indices,
);
define("tm", "topk(input T, k int, dim int=-1, largest bool=True, sorted bool=True)", ({ input, k, dim, largest }) => {
  const axis = axisOf(dim, input.ndim);
  if (k < 0 || k > (input.shape[axis] ?? 1)) raise("RuntimeError", "selected index k out of range");
  if (input.dtype === bool) raise("RuntimeError", "topk does not support bool dtypes on CPU");
  const { values, indices } = sortedAlong(input, dim, largest, k);
  return withIndices("topk", values, indices);
});

define("m", "fill_diagonal_(input T, fill_value num, wrap bool=False)", ({ input, fill_value: value }) => {
  if (input.ndim < 2) raise("RuntimeError", "dimensions must larger than 1");
  if (input.ndim > 2 && input.shape.some((/** @type {number} */ size) => size !== input.shape[0])) {
    raise("RuntimeError", "all dimensions of input must be of equal length");
  }
  const step = input.strides.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
  writeInto(viewOf(input, [Math.min(...input.shape)], [step]), scalarTensor(numberFor(value, input), input.dtype));
  return input;
});

define("tm", "bincount(input T, weights T?=None, minlength int=0)", ({ input, minlength }) => {
  const counts = [];
  for (const one of numbersOf(input)) counts[one] = (counts[one] ?? 0) + 1;
  const length = Math.max(minlength, counts.length);
  return fromNumbers(
    Array.from({ length }, (_, n) => counts[n] ?? 0),
    [length],
    int64,
  );
});
define("tm", "isin(elements T, test_elements T)", ({ elements, test_elements: wanted }) => {
  const set = new Set(numbersOf(wanted));
  return elementwise((one) => set.has(one), [elements], bool);
});
define(
  "tm",
  "unique(input T, sorted bool=True, return_inverse bool=False, return_counts bool=False, dim int?=None)",
  (given) => {
    const numbers = [...numbersOf(given.input)];
    spend(150 * numbers.length);
    const found = [...new Set(numbers)].sort((a, b) => (Number.isNaN(a) || b < a ? 1 : -1));
    const results = [fromNumbers(found, [found.length], given.input.dtype)];
    const places = new Map(found.map((one, n) => [one, n]));
    const inverse = numbers.map((one) => places.get(one) ?? 0);
    if (given.return_inverse) results.push(fromNumbers(inverse, given.input.shape, int64));
    if (given.return_counts) {
      const counts = new Float64Array(found.length);
      for (const n of inverse) counts[n]++;
      results.push(fromNumbers(counts, [found.length], int64));
    }
    return results.length === 1 ? results[0] : tuple(results);
  },
  { python: true },
);
