// Shapes and strides as PyTorch counts them, without numbers and without messages: what a view of a storage may look like.

/** @typedef {{ shape: number[], strides: number[] }} Layout */

/** @param {number[]} shape */
export function countOf(shape) {
  let count = 1;
  for (const size of shape) count *= size;
  return count;
}

/**
 * The strides of a contiguous tensor. An axis of size 0 counts as 1, as in PyTorch.
 *
 * @param {number[]} shape
 */
export function contiguousStrides(shape) {
  /** @type {number[]} */
  const strides = new Array(shape.length);
  for (let axis = shape.length - 1, step = 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= Math.max(shape[axis], 1);
  }
  return strides;
}

/**
 * Is the storage in the order of these axes, the last one first? The stride of an axis of size 1 is never used.
 *
 * @param {Layout} layout
 * @param {number[]} axes
 */
function walksThrough({ shape, strides }, axes) {
  let step = 1;
  for (const axis of axes) {
    if (shape[axis] === 1) continue;
    if (strides[axis] !== step) return false;
    step *= shape[axis];
  }
  return true;
}

/** @param {Layout} layout */
export function isContiguous(layout) {
  if (layout.shape.includes(0)) return true;
  let step = 1;
  for (let axis = layout.shape.length - 1; axis >= 0; axis--) {
    const size = layout.shape[axis];
    if (size === 1) continue;
    if (layout.strides[axis] !== step) return false;
    step *= size;
  }
  return true;
}

/** @param {Layout} layout */
export const isChannelsLast = (layout) => layout.shape.length === 4 && walksThrough(layout, [1, 3, 2, 0]);

/**
 * Is every place of its piece of the storage used exactly once, in whatever order?
 *
 * @param {Layout} layout
 */
export function isDense(layout) {
  const { shape, strides } = layout;
  if (shape.includes(0)) return true;
  const axes = shape.map((_, axis) => axis).filter((axis) => shape[axis] > 1);
  return walksThrough(
    layout,
    axes.sort((a, b) => strides[a] - strides[b]),
  );
}

/**
 * The sizes with -1 replaced by the size that is left for it, or what PyTorch says if that cannot be.
 *
 * @param {number[]} sizes
 * @param {number} total
 * @returns {{ shape: number[], problem?: undefined } | { problem: string }}
 */
export function inferSizes(sizes, total) {
  const shown = `[${sizes.join(", ")}]`;
  if (sizes.filter((size) => size === -1).length > 1) return { problem: "only one dimension can be inferred" };
  const negative = sizes.find((size) => size < -1);
  if (negative !== undefined) {
    return { problem: `invalid shape dimension ${negative} at index ${sizes.indexOf(negative)} of shape ${shown}` };
  }
  const known = countOf(sizes.filter((size) => size !== -1));
  const open = sizes.includes(-1);
  if (open && known === 0 && total === 0) {
    const reason = "because the unspecified dimension size -1 can be any value and is ambiguous";
    return { problem: `cannot reshape tensor of 0 elements into shape ${shown} ${reason}` };
  }
  const fits = open ? known > 0 && total % known === 0 : known === total;
  if (!fits) return { problem: `shape '${shown}' is invalid for input of size ${total}` };
  return { shape: sizes.map((size) => (size === -1 ? total / known : size)) };
}

/**
 * The strides with which the same storage has another shape, or null if there are none: computeStride_impl of PyTorch's
 * TensorUtils.cpp. Neighbouring axes that have one constant step between their numbers form a chunk. A new axis may split a chunk or
 * join axes inside it, but may not cross its end.
 *
 * @param {Layout} layout
 * @param {number[]} shape
 */
export function viewStrides({ shape: old, strides: oldStrides }, shape) {
  if (countOf(old) === 0) return String(old) === String(shape) ? [...oldStrides] : contiguousStrides(shape);
  const strides = Array(shape.length).fill(1);
  let to = shape.length - 1;
  let step = oldStrides.at(-1) ?? 1;
  let chunk = 1;
  let covered = 1;
  for (let from = old.length - 1; from >= 0; from--) {
    chunk *= old[from];
    const continues = from > 0 && (old[from - 1] === 1 || oldStrides[from - 1] === chunk * step);
    if (continues) continue;
    for (; to >= 0 && (covered < chunk || shape[to] === 1); to--) {
      strides[to] = covered * step;
      covered *= shape[to];
    }
    if (covered !== chunk) return null;
    [step, chunk, covered] = [oldStrides[from - 1], 1, 1];
  }
  return to < 0 || old.length === 0 ? strides : null;
}

/**
 * Do several indices name the same place, as after expand?
 *
 * @param {Layout} layout
 */
export const overlaps = ({ shape, strides }) =>
  !shape.includes(0) && strides.some((stride, axis) => stride === 0 && shape[axis] > 1);

export const notViewable =
  "view size is not compatible with input tensor's size and stride " +
  "(at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.";
