// Choosing numbers: masks, where, triangles, gather and scatter, sorting; and writing into tensors.

import { raise, toNumber, tuple } from "../python/values.js";
import { filledTensor, itemOf, storable } from "./create.js";
import { bool, int64, uint8 } from "./dtype.js";
import { nonzero, setItem } from "./indexing.js";
import { broadcast, copyOf, elementwise, mustHold, resultType, writeInto } from "./iterator.js";
import { triangle } from "./joining.js";
import { define, perform } from "./operation.js";
import { operand } from "./pointwise.js";
import { fromNumbers, scalarTensor, Tensor, viewOf } from "./tensor.js";
import { expand, selected } from "./views.js";

/** @typedef {any} Value */

/** A number for a tensor of this dtype. @param {Value} value @param {Tensor} x */
export function numberFor(value, x) {
  if (value instanceof Tensor && value.ndim) {
    raise(
      "RuntimeError",
      `masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ${value.ndim} dimension(s).`,
    );
  }
  return storable(toNumber(value instanceof Tensor ? itemOf(value) : value), x.dtype);
}

/**
 * @param {Tensor} x
 * @param {Tensor} mask
 * @param {Value} value
 */
function maskedFill(x, mask, value) {
  if (mask.dtype !== bool) {
    raise("RuntimeError", `masked_fill_ only supports boolean masks, but got mask with dtype ${mask.dtype.cpp}`);
  }
  const number = numberFor(value, x);
  return elementwise((one, hidden) => (hidden ? number : one), [x, mask], x.dtype, x);
}

define("tm", "masked_fill(input T, mask T, value T) | masked_fill(input T, mask T, value num)", ({ input, mask, value }) => {
  // The result is contiguous, whatever the input is.
  return maskedFill(copyOf(expand(input, broadcast([mask.shape, input.shape]))), mask, value);
});
define("m", "masked_fill_(input T, mask T, value T) | masked_fill_(input T, mask T, value num)", ({ input, mask, value }) => {
  mustHold(input, broadcast([input.shape, mask.shape]));
  return maskedFill(input, mask, value);
});
/**
 * @param {Tensor} condition
 * @param {Value} a
 * @param {Value} b
 */
function where(condition, a, b) {
  if (condition.dtype !== bool && condition.dtype !== uint8) {
    const got = `but got a tensor with dtype ${condition.dtype.word}`;
    raise("RuntimeError", `where expected condition to be a boolean tensor, ${got}`);
  }
  const operands = [operand(a), operand(b)];
  return elementwise((chosen, x, y) => (chosen ? x : y), [condition, ...operands], resultType(operands));
}

define(
  "t",
  "where(condition T) | where(condition T, input T, other T) | where(condition T, self num, other T) | " +
    "where(condition T, input T, other num) | where(condition T, self num, other num)",
  ({ condition, input, self, other }) => {
    if (other === undefined) return wherePositive(condition);
    return where(condition, input ?? self, other);
  },
);
// Comes with the second script.
define("m", "where(input T, condition T, other T) | where(input T, condition T, other num)", ({ input, condition, other }) =>
  where(condition, input, other),
);

// Comes with the second script.
/**
 * Indices as rows of a tensor, which PyTorch stores column by column.
 *
 * @param {number[][]} found
 * @param {number} ndim
 */
export function inColumns(found, ndim) {
  const columns = Array.from({ length: ndim }, (_, axis) => found.map((index) => index[axis]));
  const stored = fromNumbers(columns.flat(), [ndim * found.length], int64);
  return viewOf(stored, [found.length, ndim], [1, found.length]);
}

// Comes with the second script.
/** @param {Tensor} x */
export function wherePositive(x) {
  const found = nonzero(x);
  if (!x.ndim) return tuple([fromNumbers(found.length ? [0] : [], [found.length], int64)]);
  const rows = inColumns(found, x.ndim);
  return tuple(x.shape.map((_, axis) => selected(rows, 1, axis)));
}

for (const name of ["tril", "triu"]) {
  define("tm", `${name}(input T, diagonal int=0)`, ({ input, diagonal: k }) => triangle(input, k, name === "tril"));
  define("m", `${name}_(input T, diagonal int=0)`, ({ input, diagonal: k }) =>
    writeInto(input, triangle(input, k, name === "tril")),
  );
  define(
    "t",
    `${name}_indices(row int, col int, offset int=0, *, dtype dtype?=None, device device?=None)`,
    ({ row, col, offset, dtype }) => {
      const found = nonzero(triangle(filledTensor([row, col], 1, bool), offset, name === "tril"));
      return fromNumbers([...found.map(([r]) => r), ...found.map(([, c]) => c)], [2, found.length], dtype ?? int64);
    },
  );
}

// Comes with the second script.
define("m", "copy_(input T, src operand, non_blocking bool=False)", ({ input, src }) => {
  const source = src instanceof Tensor ? src : scalarTensor(toNumber(src), input.dtype);
  mustHold(input, broadcast([input.shape, source.shape]));
  return writeInto(input, source);
});
// Comes with the second script.
define("m", "fill_(input T, value T) | fill_(input T, value num)", ({ input, value }) => {
  if (value instanceof Tensor && value.ndim) {
    raise("RuntimeError", `fill_ only supports 0-dimension value tensor but got tensor with ${value.ndim} dimensions.`);
  }
  return writeInto(input, scalarTensor(numberFor(value, input), input.dtype));
});
// Comes with the second script.
define("m", "zero_(input T)", ({ input }) => writeInto(input, scalarTensor(0, input.dtype)));
define("tm", "equal(input T, other T)", ({ input, other }) => {
  return (
    String(input.shape) === String(other.shape) &&
    elementwise((a, b) => a === b, [input, other], bool).storage.data.every((one) => one !== 0)
  );
});
/**
 * x[index] = value
 *
 * @param {Tensor} x
 * @param {Value} index
 * @param {Value} value
 */
export function assign(x, index, value) {
  perform("setitem", { x, value }, () => setItem(x, index, value), {});
}
