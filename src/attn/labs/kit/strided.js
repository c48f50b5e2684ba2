// Strided tensors as PyTorch has them: numbers in a row (the storage), and a shape with strides that says how to walk through it.
// A view is another walk through the same storage; so two tensors share memory if their `storage` is the same array.

const count = (shape) => shape.reduce((product, size) => product * size, 1);

// The strides of a tensor whose storage is in its own order. An axis of size 0 counts as 1, as in PyTorch.
function inOrder(shape) {
  const strides = [];
  shape.reduceRight((step, size, axis) => ((strides[axis] = step), step * Math.max(size, 1)), 1);
  return strides;
}

// 0, 1, 2, ... in this shape: every number is its own place in the storage.
export function arange(shape) {
  return { storage: Array.from({ length: count(shape) }, (_, n) => n), shape, strides: inOrder(shape), offset: 0 };
}

// The numbers in the order of the shape, last axis fastest.
export function elements({ storage, shape, strides, offset }) {
  let places = [offset];
  shape.forEach((size, axis) => {
    places = places.flatMap((place) => Array.from({ length: size }, (_, n) => place + n * strides[axis]));
  });
  return places.map((place) => storage[place]);
}

// Is storage in the order of the shape? The stride of an axis of size 1 is never used, so it may be anything.
export function isContiguous({ shape, strides }) {
  const wanted = inOrder(shape);
  return count(shape) === 0 || shape.every((size, axis) => size === 1 || strides[axis] === wanted[axis]);
}

export function permute(tensor, order) {
  return { ...tensor, shape: order.map((axis) => tensor.shape[axis]), strides: order.map((axis) => tensor.strides[axis]) };
}

export function transpose(tensor, a, b) {
  return permute(
    tensor,
    tensor.shape.map((_, axis) => (axis === a ? b : axis === b ? a : axis)),
  );
}

export function contiguous(tensor) {
  return isContiguous(tensor) ? tensor : copied(tensor);
}

export function view(tensor, sizes) {
  const shape = inferred(sizes, count(tensor.shape));
  const strides = viewStrides(tensor, shape);
  if (strides) return { ...tensor, shape, strides };
  throw new Error(
    "view size is not compatible with input tensor's size and stride " +
      "(at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
  );
}

// A view if there can be one, else a copy.
export function reshape(tensor, sizes) {
  const shape = inferred(sizes, count(tensor.shape));
  return view(viewStrides(tensor, shape) ? tensor : copied(tensor), shape);
}

function copied(tensor) {
  return { storage: elements(tensor), shape: tensor.shape, strides: inOrder(tensor.shape), offset: 0 };
}

// -1 stands for what is left over.
function inferred(sizes, total) {
  const known = count(sizes.filter((size) => size !== -1));
  if (sizes.filter((size) => size === -1).length > 1) throw new Error("only one dimension can be inferred");
  const fits = sizes.includes(-1) ? known > 0 && total % known === 0 : known === total;
  if (!fits) throw new Error(`shape '[${sizes.join(", ")}]' is invalid for input of size ${total}`);
  return sizes.map((size) => (size === -1 ? total / known : size));
}

// The strides with which the same storage has another shape, or null if there are none: computeStride_impl of PyTorch's
// TensorUtils.cpp. Neighbouring axes that are one walk with a constant step form a chunk; a new axis may cut a chunk, or
// join axes inside it, but it may not reach over its end.
export function viewStrides({ shape: old, strides: oldStrides }, shape) {
  if (count(old) === 0) return String(old) === String(shape) ? oldStrides : inOrder(shape);
  const strides = Array(shape.length).fill(1);
  let to = shape.length - 1;
  let step = oldStrides.at(-1) ?? 1;
  let chunk = 1;
  let covered = 1;
  for (let from = old.length - 1; from >= 0; from--) {
    chunk *= old[from];
    const goesOn = from > 0 && (old[from - 1] === 1 || oldStrides[from - 1] === chunk * step);
    if (goesOn) continue;
    for (; to >= 0 && (covered < chunk || shape[to] === 1); to--) {
      strides[to] = covered * step;
      covered *= shape[to];
    }
    if (covered !== chunk) return null;
    [step, chunk, covered] = [oldStrides[from - 1], 1, 1];
  }
  return to < 0 || old.length === 0 ? strides : null;
}
