// Matrix products. matmul decides as PyTorch does whether it folds the leading axes into one matrix or multiplies in batches: its
// hidden copies, and what it says when sizes do not fit, depend on it.

import { raise } from "../python/values.js";
import { bool } from "./dtype.js";
import { broadcast, elementwise, resultType, Scalar } from "./iterator.js";
import { binary } from "./kernels.js";
import { countOf, isContiguous } from "./layout.js";
import { reduce, sum } from "./reduce.js";
import { empty, listed, numbersOf, rounded, spend } from "./tensor.js";
import { expand, reordered, reshape, squeeze, transpose, unsqueeze } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

/**
 * (n, l, k) times (n, k, m).
 *
 * @param {Tensor} left
 * @param {Tensor} right
 * @param {number} n
 * @param {number} l
 * @param {number} k
 * @param {number} m
 */
function multiply(left, right, n, l, k, m) {
  const result = empty([n, l, m], left.dtype);
  const [a, b] = [numbersOf(left), numbersOf(right)];
  const { data } = result.storage;
  spend(n * l * (k * m + 70));
  const row = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < l; r++) {
      row.fill(0);
      const from = (i * l + r) * k;
      let c = 0;
      // Four at a time, so that a sum is read and written once for four products; they are added in their order all the same.
      for (; c + 4 <= k; c += 4) {
        const [p, q, s, t] = [a[from + c], a[from + c + 1], a[from + c + 2], a[from + c + 3]];
        const at = (i * k + c) * m;
        for (let j = 0, o = at; j < m; j++, o++) row[j] = row[j] + p * b[o] + q * b[o + m] + s * b[o + 2 * m] + t * b[o + 3 * m];
      }
      for (; c < k; c++) {
        const factor = a[from + c];
        const at = (i * k + c) * m;
        for (let j = 0; j < m; j++) row[j] += factor * b[at + j];
      }
      data.set(row, (i * l + r) * m);
    }
  }
  return rounded(result);
}

/** @param {string} kernel @param {Tensor} x */
export function notForBool(kernel, x) {
  if (x.dtype === bool) raise("NotImplementedError", `"${kernel}" not implemented for 'Bool'`);
}

/** @param {Tensor} x */
const sizes = (x) => x.shape.join("x");

/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
export function mm(a, b) {
  if (a.ndim !== 2) raise("RuntimeError", "self must be a matrix");
  if (b.ndim !== 2) raise("RuntimeError", "mat2 must be a matrix");
  if (a.shape[1] !== b.shape[0]) {
    raise("RuntimeError", `mat1 and mat2 shapes cannot be multiplied (${sizes(a)} and ${sizes(b)})`);
  }
  if (a.dtype !== b.dtype) {
    raise("RuntimeError", `expected m1 and m2 to have the same dtype, but got: ${a.dtype.cpp} != ${b.dtype.cpp}`);
  }
  notForBool("addmm_impl_cpu_", a);
  const [l, k] = a.shape;
  return reshape(multiply(a, b, 1, l, k, b.shape[1]), [l, b.shape[1]]);
}

/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
export function bmm(a, b) {
  if (a.ndim !== 3) raise("RuntimeError", "batch1 must be a 3D tensor");
  if (b.ndim !== 3) raise("RuntimeError", "batch2 must be a 3D tensor");
  const [n, l, k] = a.shape;
  if (b.shape[0] !== n || b.shape[1] !== k) {
    const got = listed(b.shape.slice(0, 2));
    raise("RuntimeError", `Expected size for first two dimensions of batch2 tensor to be: ${listed([n, k])} but got: ${got}.`);
  }
  notForBool("bmm", a);
  if (a.dtype !== b.dtype) raise("RuntimeError", `expected scalar type ${a.dtype.word} but found ${b.dtype.word}`);
  return multiply(a, b, n, l, k, b.shape[2]);
}

// Comes with the second script.
/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
export function mv(a, b) {
  if (a.ndim !== 2 || b.ndim !== 1) {
    raise("RuntimeError", `vector + matrix @ vector expected, got 1, ${a.ndim}, ${b.ndim}`);
  }
  if (a.shape[1] !== b.shape[0]) {
    raise("RuntimeError", `size mismatch, got input (${a.shape[0]}), mat (${sizes(a)}), vec (${b.shape[0]})`);
  }
  if (a.dtype !== b.dtype) {
    const [x, y] = [b.dtype.word, a.dtype.word];
    raise("RuntimeError", `addmv input tensors must have the same dtype, but got ${x}, ${y}, and ${x}`);
  }
  notForBool("addmv_impl_cpu", a);
  return reshape(mm(a, unsqueeze(b, 1)), [a.shape[0]]);
}

/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
export function dot(a, b) {
  if (a.ndim !== 1 || b.ndim !== 1) raise("RuntimeError", `1D tensors expected, but got ${a.ndim}D and ${b.ndim}D tensors`);
  if (a.dtype !== b.dtype) {
    raise("RuntimeError", `dot : expected both vectors to have same dtype, but found ${a.dtype.word} and ${b.dtype.word}`);
  }
  if (a.shape[0] !== b.shape[0]) {
    const both = `expected tensor ${listed(a.shape)} and src ${listed(b.shape)} to have the same number of elements`;
    const counts = `${a.shape[0]} and ${b.shape[0]} elements respectively`;
    raise("RuntimeError", `inconsistent tensor size, ${both}, but got ${counts}`);
  }
  notForBool("dot", a);
  return reshape(mm(unsqueeze(a, 0), unsqueeze(b, 1)), []);
}

/**
 * @param {Tensor} a
 * @param {Tensor} b
 * @returns {Tensor}
 */
export function matmul(a, b) {
  if (!a.ndim || !b.ndim) {
    raise("RuntimeError", `both arguments to matmul need to be at least 1D, but they are ${a.ndim}D and ${b.ndim}D`);
  }
  if (a.ndim === 1 && b.ndim === 1) return dot(a, b);
  if (a.ndim === 2 && b.ndim === 1) return mv(a, b);
  if (a.ndim === 1 && b.ndim === 2) return squeeze(mm(unsqueeze(a, 0), b), [0]);
  if (a.ndim === 2 && b.ndim === 2) return mm(a, b);
  return folds(a, b) ? foldedProduct(a, b) : batchedProduct(a, b);
}

/**
 * should_fold of PyTorch's LinearAlgebra.cpp: is it worth seeing the larger tensor as one matrix?
 *
 * @param {Tensor} a
 * @param {Tensor} b
 */
function folds(a, b) {
  const larger = a.ndim >= b.ndim ? a : transpose(b, -2, -1);
  const smaller = a.ndim >= b.ndim ? b : a;
  if (larger.ndim < 3 || smaller.ndim > 2) return false;
  if (smaller.requiresGrad) return true;
  if (a.ndim === 2) return false;
  if (!larger.count) return true;
  const { shape, strides } = larger;
  for (let axis = 0; axis < larger.ndim - 2; axis++) if (strides[axis] !== strides[axis + 1] * shape[axis + 1]) return false;
  return true;
}

/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
function foldedProduct(a, b) {
  const swapped = a.ndim < b.ndim;
  const larger = swapped ? transpose(b, -2, -1) : a;
  const smaller = swapped ? (a.ndim === 2 ? transpose(a, 0, 1) : a) : b;
  const outer = larger.shape.slice(0, -1);
  const matrix = reshape(larger, [countOf(outer), larger.shape[larger.ndim - 1]]);
  if (smaller.ndim === 1) return reshape(mv(matrix, smaller), outer);
  const result = reshape(mm(matrix, smaller), [...outer, smaller.shape[1]]);
  return swapped ? transpose(result, -2, -1) : result;
}

/**
 * @param {Tensor} a
 * @param {Tensor} b
 */
function batchedProduct(a, b) {
  const [l, k] = a.ndim > 1 ? a.shape.slice(-2) : [1, a.shape[0]];
  const m = b.ndim > 1 ? b.shape[b.ndim - 1] : 1;
  const inner = b.ndim > 1 ? b.shape[b.ndim - 2] : b.shape[0];
  const batch = broadcast([a.shape.slice(0, -2), b.shape.slice(0, -2)]);
  const n = countOf(batch);
  const left = reshape(expand(a, [...batch, l, k]), [n, l, k]);
  const right =
    b.ndim > 1
      ? reshape(expand(b, [...batch, inner, m]), [n, inner, m])
      : unsqueeze(reshape(expand(b, [...batch, inner]), [n, inner]), 2);
  return reshape(bmm(left, right), [...batch, ...(a.ndim > 1 ? [l] : []), ...(b.ndim > 1 ? [m] : [])]);
}

/**
 * x @ weight.T + bias. As PyTorch's Linear.cpp, with a bias and no gaps between the rows it multiplies all rows at once; else it
 * leaves the choice to matmul.
 *
 * @param {Tensor} x
 * @param {Tensor} weight
 * @param {Tensor | null} bias
 */
export function linear(x, weight, bias) {
  if (!x.ndim || !weight.ndim) {
    raise("RuntimeError", `both arguments to linear need to be at least 1D, but they are ${x.ndim}D and ${weight.ndim}D`);
  }
  if (weight.ndim > 2) raise("RuntimeError", `t() expects a tensor with <= 2 dimensions, but self is ${weight.ndim}D`);
  const turned = weight.ndim === 2 ? transpose(weight, 0, 1) : weight;
  turned.requiresGrad = weight.requiresGrad;
  if (x.ndim === 1 && weight.ndim === 2) {
    const row = unsqueeze(x, 0);
    return squeeze(bias ? addmm(bias, row, turned) : mm(row, turned), [0]);
  }
  if (bias && (x.ndim === 2 || (x.ndim >= 3 && isContiguous(x)))) {
    const outer = x.shape.slice(0, -1);
    const rows = reshape(x, [countOf(outer), x.shape[x.ndim - 1]]);
    return reshape(addmm(bias, rows, turned), [...outer, weight.shape[0]]);
  }
  const result = matmul(x, turned);
  return bias ? elementwise(binary.add, [result, bias], resultType([result, bias])) : result;
}

/**
 * beta * x + alpha * (a @ b), with x broadcast.
 *
 * @param {Tensor} x
 * @param {Tensor} a
 * @param {Tensor} b
 * @param {any} [beta]
 * @param {any} [alpha]
 */
export function addmm(x, a, b, beta = 1, alpha = 1) {
  if (a.ndim !== 2) raise("RuntimeError", `mat1 must be a matrix, got ${a.ndim}-D tensor`);
  if (b.ndim !== 2) raise("RuntimeError", `mat2 must be a matrix, got ${b.ndim}-D tensor`);
  const types = (/** @type {Tensor} */ one, /** @type {Tensor} */ other) =>
    `must have the same dtype, but got ${one.dtype.word} and ${other.dtype.word}`;
  if (a.dtype !== b.dtype) raise("RuntimeError", `mat1 and mat2 ${types(a, b)}`);
  if (x.dtype !== a.dtype) raise("RuntimeError", `self and mat2 ${types(x, b)}`);
  if (a.shape[1] !== b.shape[0]) {
    raise("RuntimeError", `mat1 and mat2 shapes cannot be multiplied (${sizes(a)} and ${sizes(b)})`);
  }
  return added(expand(x, [a.shape[0], b.shape[1]]), mm(a, b), beta, alpha);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {Tensor} a
 * @param {Tensor} b
 * @param {any} beta
 * @param {any} alpha
 */
export function baddbmm(x, a, b, beta, alpha) {
  const size = (/** @type {Tensor} */ one, /** @type {number} */ axis) => one.shape[axis] ?? 1;
  const wide = expand(x, [size(a, 0), size(a, 1), size(b, 2)]);
  notForBool("baddbmm", a);
  if (x.dtype !== a.dtype) {
    const types = `input ${x.dtype.cpp}, batch1: ${a.dtype.cpp}, batch2: ${b.dtype.cpp}`;
    raise("RuntimeError", `Input dtypes must be the same, got: ${types}`);
  }
  return added(wide, bmm(a, b), beta, alpha);
}

/**
 * @param {Tensor} x
 * @param {Tensor} product a new tensor, whose layout the result keeps
 * @param {any} beta
 * @param {any} alpha
 */
function added(x, product, beta, alpha) {
  const [b, a] = [new Scalar(beta).value, new Scalar(alpha).value];
  return elementwise((one, two) => (b === 0 ? 0 : b * one) + a * two, [x, product], product.dtype, product);
}

// Comes with the second script.
/**
 * @param {Tensor} a
 * @param {Tensor} b
 * @param {number[]} dimsA
 * @param {number[]} dimsB
 * @returns {Tensor}
 */
export function tensordot(a, b, dimsA, dimsB) {
  const lost = (/** @type {Tensor} */ x, /** @type {number} */ axis) => reduce(x, [axis], true, x.dtype, sum);
  for (const [n, axis] of dimsA.entries()) {
    const [left, right] = [a.shape[axis], b.shape[dimsB[n]]];
    if (left === right) continue;
    if (right === 1) return tensordot(lost(a, axis), b, dimsA, dimsB);
    if (left === 1) return tensordot(a, lost(b, dimsB[n]), dimsA, dimsB);
    const both = `first has size ${left} in dim ${axis - a.ndim} and second has size ${right} in dim ${dimsB[n]}`;
    raise("RuntimeError", `contracted dimensions need to match, but ${both}`);
  }
  const restA = a.shape.map((_, axis) => axis).filter((axis) => !dimsA.includes(axis));
  const restB = b.shape.map((_, axis) => axis).filter((axis) => !dimsB.includes(axis));
  const shared = countOf(dimsA.map((axis) => a.shape[axis]));
  const outer = [...restA.map((axis) => a.shape[axis]), ...restB.map((axis) => b.shape[axis])];
  const left = reshape(reordered(a, [...restA, ...dimsA]), [countOf(restA.map((axis) => a.shape[axis])), shared]);
  const right = reshape(reordered(b, [...dimsB, ...restB]), [shared, countOf(restB.map((axis) => b.shape[axis]))]);
  return reshape(mm(left, right), outer);
}
