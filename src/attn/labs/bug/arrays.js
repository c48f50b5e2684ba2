// The few operations on tensors that a layer consists of, for tables as small as BugLab's. A tensor is its shape and its numbers, the
// last axis fastest. Errors are those of PyTorch.

import { range } from "../kit/math.js";

/** @typedef {{ shape: number[], data: number[] }} Tensor */

/** What every operation rounds its numbers to. @type {(value: number) => number} */
let rounded = (value) => value;

/**
 * Do this with numbers that are rounded like this.
 *
 * @template T
 * @param {(value: number) => number} round
 * @param {() => T} work
 */
export function inPrecision(round, work) {
  const before = rounded;
  rounded = round;
  try {
    return work();
  } finally {
    rounded = before;
  }
}

/** A number to fill a mask with. @param {number} value */
export function filling(value) {
  if (rounded(value) === -Infinity) throw new Error("value cannot be converted to type c10::Half without overflow");
  return value;
}

/** @param {number} a @param {number} b @param {number} axis of four */
export const unlike = (a, b, axis) =>
  new Error(`The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${axis}`);

/** @param {number[]} want @param {number[]} got */
export const unlikeBatch = (want, got) =>
  new Error(`Expected size for first two dimensions of batch2 tensor to be: [${want.join(", ")}] but got: [${got.join(", ")}].`);

/**
 * The tensor of this shape whose number at (row, column) of table h is at(h, row, column).
 *
 * @param {number[]} shape three sizes
 * @param {(h: number, i: number, j: number) => number} at
 * @returns {Tensor}
 */
export function build([H, R, C], at) {
  const data = [];
  for (let h = 0; h < H; h++) for (let i = 0; i < R; i++) for (let j = 0; j < C; j++) data.push(rounded(at(h, i, j)));
  return { shape: [H, R, C], data };
}

/**
 * The same numbers in the same order, in another shape.
 *
 * @param {Tensor} tensor
 * @param {number[]} shape
 * @returns {Tensor}
 */
export const view = ({ data }, shape) => ({ shape, data });

/**
 * @param {Tensor} tensor of three axes
 * @param {number[]} order
 * @returns {Tensor}
 */
export function permute({ shape, data }, order) {
  const steps = [shape[1] * shape[2], shape[2], 1];
  const [a, b, c] = order.map((axis) => steps[axis]);
  return build(
    order.map((axis) => shape[axis]),
    (h, i, j) => data[h * a + i * b + j * c],
  );
}

/** Rows and columns exchanged, in each table. @param {Tensor} tensor */
export const turned = (tensor) => permute(tensor, [0, 2, 1]);

/**
 * The product of each table of one tensor with that of the other.
 *
 * @param {Tensor} one (H, R, N)
 * @param {Tensor} other (H, N, C)
 */
export function matmul(one, other) {
  const [H, R, N] = one.shape;
  const [G, M, C] = other.shape;
  if (G !== H) throw unlike(H, G, 1);
  if (M !== N) throw unlikeBatch([H, N], [H, M]);
  return build([H, R, C], (h, i, j) => {
    let sum = 0;
    for (let n = 0; n < N; n++) sum += one.data[(h * R + i) * N + n] * other.data[(h * N + n) * C + j];
    return sum;
  });
}

/**
 * x @ W.T, for x (L, E) and a weight that is stored (O, E).
 *
 * @param {Tensor} x
 * @param {ArrayLike<number>} weight
 * @returns {Tensor} (L, O)
 */
export function linear({ shape: [L, I], data }, weight) {
  const O = weight.length / I;
  const y = [];
  for (let i = 0; i < L; i++)
    for (let o = 0; o < O; o++) {
      let sum = 0;
      for (let n = 0; n < I; n++) sum += data[i * I + n] * weight[o * I + n];
      y.push(rounded(sum));
    }
  return { shape: [L, O], data: y };
}

/**
 * Two tables of each head, number by number; an axis of size 1 is repeated. Of the other tensor one table serves all heads.
 *
 * @param {Tensor} tensor (H, R, C)
 * @param {{ shape: number[], data: ArrayLike<number> }} table (R, C)
 * @param {(value: number, other: number) => number} combine
 * @param {boolean} [isFill] masked_fill names the mask first where sizes do not fit
 */
export function combined(tensor, table, combine, isFill = false) {
  const [C1, R1] = [2, 1].map((axis) => {
    const [mine, other] = [tensor.shape[axis], table.shape[axis - 1]];
    if (mine !== other && mine !== 1 && other !== 1) {
      const [a, b] = isFill ? [other, mine] : [mine, other];
      throw unlike(a, b, axis + 1);
    }
    return mine === 1 ? other : mine;
  });
  const place = (/** @type {number[]} */ [R, C], /** @type {number} */ i, /** @type {number} */ j) =>
    (R === 1 ? 0 : i) * C + (C === 1 ? 0 : j);
  const [, R, C] = tensor.shape;
  return build([tensor.shape[0], R1, C1], (h, i, j) =>
    combine(tensor.data[h * R * C + place([R, C], i, j)], table.data[place(table.shape, i, j)]),
  );
}

/**
 * Softmax along one of three axes. What is −∞ throughout becomes NaN, as in PyTorch.
 *
 * @param {Tensor} tensor
 * @param {0 | 1 | 2} axis
 */
export function softmaxAlong(tensor, axis) {
  const { shape, data } = tensor;
  const steps = [shape[1] * shape[2], shape[2], 1];
  return build(shape, (...index) => {
    const first = index.reduce((sum, at, n) => sum + (n === axis ? 0 : at * steps[n]), 0);
    const all = range(shape[axis]).map((n) => data[first + n * steps[axis]]);
    const highest = Math.max(...all);
    return Math.exp(all[index[axis]] - highest) / all.reduce((sum, one) => sum + Math.exp(one - highest), 0);
  });
}

/**
 * Softmax as the layer writes it, along the last axis.
 *
 * @param {Tensor} scores
 * @param {(row: number[]) => number} highestOf what is subtracted in a row
 */
export const weightsOf = (scores, highestOf) =>
  rowwise(scores, (row) => {
    const highest = highestOf(row);
    const terms = row.map((score) => rounded(Math.exp(rounded(score - highest))));
    const total = Math.fround(terms.reduce((sum, one) => sum + one, 0));
    return terms.map((term) => term / total);
  });

/** Each row of the last axis, changed as a whole. @param {Tensor} tensor @param {(row: number[]) => number[]} change @returns {Tensor} */
export function rowwise({ shape, data }, change) {
  const width = shape[shape.length - 1];
  return { shape, data: range(data.length / width).flatMap((n) => change(data.slice(n * width, (n + 1) * width)).map(rounded)) };
}

/** @param {Tensor} tensor @param {(value: number, n: number) => number} change @returns {Tensor} */
export const mapped = ({ shape, data }, change) => ({ shape, data: data.map((value, n) => rounded(change(value, n))) });
