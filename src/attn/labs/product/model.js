// The products of ProductLab: the factors of one head, and the result or torch's message.

import { range } from "../kit/math.js";
import { operands } from "../kit/operands.js";

/** @typedef {import("../kit/operands.js").Sizes} Sizes */
/** @typedef {Sizes & { product: string, seed: number, front: [number, number], nudge: number | null, _texts: string[] }} Settings */
/** @typedef {[number, number, number, number]} Index along four axes; also a shape */

/**
 * @typedef {object} Product
 * @property {"q" | "k"} turned the operand that becomes the right factor; the other is the left one
 * @property {string} axes the letters of the right factor's axes
 * @property {(index: Index, sizes: Sizes) => Index} from where the right factor's element at this index is in the operand
 */

export const TRANSPOSED = "q @ k.transpose(-2, -1)";

/** The products by their code, in the order of lab.py; a test compares them. @type {Record<string, Product>} */
export const PRODUCTS = {
  [TRANSPOSED]: { turned: "k", axes: "BHDS", from: ([b, h, r, c]) => [b, h, c, r] },
  "q @ k": { turned: "k", axes: "BHSD", from: (index) => index },
  "q @ k.T": { turned: "k", axes: "DSHB", from: ([b, h, r, c]) => [c, r, h, b] },
  "q @ k.reshape(B, H, D, S)": {
    turned: "k",
    axes: "BHDS",
    from: ([b, h, r, c], { S, D }) => [b, h, Math.floor((r * S + c) / D), (r * S + c) % D],
  },
  "k @ q.transpose(-2, -1)": { turned: "q", axes: "BHDL", from: ([b, h, r, c]) => [b, h, c, r] },
};

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/** What nudging adds to the numbers of a key: about 1 to each, and amounts that never cancel out. */
const NUDGE = PRIMES.map((prime) => (Math.sqrt(prime) % 1) + 0.5);

/**
 * The sentence and the head that are drawn.
 *
 * @param {Pick<Settings, "B" | "H" | "front">} settings
 * @returns {[number, number]}
 */
export const frontOf = ({ B, H, front: [b, h] }) => [Math.min(b, B - 1), Math.min(h, H - 1)];

/**
 * The key that is nudged, null for none.
 *
 * @param {Pick<Settings, "S" | "nudge">} settings
 */
export const nudgedOf = ({ S, nudge }) => (nudge === null ? null : Math.min(nudge, S - 1));

/**
 * The message of torch.matmul for two tensors with these shapes, of four axes or of two each; "" if it can multiply them.
 *
 * @param {number[]} left
 * @param {number[]} right
 */
export function matmulError(left, right) {
  const [rows, inner] = left.slice(-2);
  const [rightRows, columns] = right.slice(-2);
  if (left.length === 2) {
    return inner === rightRows ? "" : `mat1 and mat2 shapes cannot be multiplied (${rows}x${inner} and ${rightRows}x${columns})`;
  }
  for (const axis of [1, 0]) {
    const [a, b] = [left[axis], right[axis]];
    if (a !== b && a !== 1 && b !== 1)
      return `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${axis}`;
  }
  if (inner === rightRows) return "";
  const matrices = Math.max(left[0], right[0]) * Math.max(left[1], right[1]);
  return `Expected size for first two dimensions of batch2 tensor to be: [${matrices}, ${inner}] but got: [${matrices}, ${rightRows}].`;
}

/** The place of an index in the storage of a contiguous tensor with this shape. */
const placeOf = ([b, h, r, c], [, H, rows, D]) => ((b * H + h) * rows + r) * D + c;

/**
 * The index of a place in the storage of a contiguous (B, H, rows, D).
 *
 * @param {number} place
 * @param {Pick<Sizes, "H" | "D">} sizes
 * @param {number} rows
 * @returns {Index}
 */
export function indexOf(place, { H, D }, rows) {
  return [Math.floor(place / (H * rows * D)), Math.floor(place / (rows * D)) % H, Math.floor(place / D) % rows, place % D];
}

/**
 * `left` (R, N) and `right` (M, C) are the factors of the sentence and head in front, and `right_at` (M, C) is the place of each number
 * of `right` in its operand. `result` is (R, C), or null if torch refuses the product; `message` is the error, and `alone` that of one
 * head alone. `shapes` are those of the factors and of the result with all four axes. `changed` (R, C) says which cells of the result
 * use the nudged key.
 *
 * @param {Settings} settings
 */
export function compute(settings) {
  const { B, H, L, S, D, product } = settings;
  const sizes = { B, H, L, S, D };
  const { turned, axes, from } = PRODUCTS[product];
  const [rows, sourceRows] = turned === "k" ? [L, S] : [S, L];
  /** @type {Index} */
  const leftShape = [B, H, rows, D];
  /** @type {Index} */
  const sourceShape = [B, H, sourceRows, D];
  const rightShape = /** @type {Index} */ ([...axes].map((axis) => sizes[axis]));
  const [M, C] = rightShape.slice(2);
  const [b, h] = frontOf(settings);
  const [rightB, rightH] = [Math.min(b, rightShape[0] - 1), Math.min(h, rightShape[1] - 1)]; // an axis of size 1 is broadcast
  /** @param {Index} index in the right factor @returns its place in the operand */
  const sourcePlace = (index) => placeOf(from(index, sizes), sourceShape);
  const { trained, q, k } = operands(settings);
  const nudged = nudgedOf(settings);
  const isNudged = (/** @type {number} */ place) => Math.floor(place / D) % S === nudged; // of a place in k
  if (nudged !== null) for (let n = 0; n < k.length; n++) if (isNudged(n)) k[n] += NUDGE[n % D];
  const [leftAll, source] = turned === "k" ? [q, k] : [k, q];
  const first = (b * H + h) * rows * D;
  const left = leftAll.slice(first, first + rows * D);
  const right_at = Float32Array.from({ length: M * C }, (_, n) => sourcePlace([rightB, rightH, Math.floor(n / C), n % C]));
  const right = right_at.map((place) => source[place]);
  const message = matmulError(leftShape, rightShape);
  const aloneShape = axes === "DSHB" ? [D, S] : rightShape.slice(2); // of two axes, .T is the transpose
  const resultShape = message ? null : [Math.max(B, rightShape[0]), Math.max(H, rightShape[1]), rows, C];
  const uses = (/** @type {number} */ i, /** @type {number} */ j) =>
    turned === "q" ? i === nudged : range(M).some((m) => isNudged(right_at[m * C + j]));
  return {
    left,
    right,
    right_at,
    result: message ? null : multiplyMatrices(left, right, rows, D, C),
    message,
    alone: matmulError([rows, D], aloneShape),
    means: meaningOf(resultShape, sourcePlace, sourceShape, rightShape, turned),
    shapes: [leftShape, rightShape, resultShape],
    changed:
      message || nudged === null ? null : Float32Array.from({ length: rows * C }, (_, n) => Number(uses(Math.floor(n / C), n % C))),
    trained,
  };
}

/** (R, N) @ (N, C) */
function multiplyMatrices(left, right, R, N, C) {
  const out = new Float32Array(R * C);
  for (let i = 0; i < R; i++)
    for (let j = 0; j < C; j++) for (let n = 0; n < N; n++) out[i * C + j] += left[i * N + n] * right[n * C + j];
  return out;
}

/**
 * "scores" if every cell compares the query of its row with the key of its column, "turned" if it is the other way round, else "nothing".
 *
 * @param {number[] | null} resultShape
 * @param {(index: Index) => number} sourcePlace
 * @param {Index} sourceShape
 * @param {Index} rightShape
 * @param {"q" | "k"} turned
 */
function meaningOf(resultShape, sourcePlace, sourceShape, [b1, h1, M, C], turned) {
  const [B, H, rows, D] = sourceShape;
  if (!resultShape || M !== D || C !== rows || resultShape[0] !== B || resultShape[1] !== H) return "nothing";
  for (let b = 0; b < B; b++)
    for (let h = 0; h < H; h++)
      for (let d = 0; d < D; d++)
        for (let j = 0; j < rows; j++) {
          const place = sourcePlace([Math.min(b, b1 - 1), Math.min(h, h1 - 1), d, j]); // an axis of size 1 is broadcast
          if (place !== placeOf([b, h, j, d], sourceShape)) return "nothing";
        }
  return turned === "k" ? "scores" : "turned";
}

/**
 * The products that a cell of the result sums, as pairs of a number `a` of the left factor and a number `b` of the right one; `left` and
 * `right` say where they come from; b is number `place` of row `row` of its operand.
 *
 * @param {Sizes & { product: string }} settings
 * @param {{ left: ArrayLike<number>, right: ArrayLike<number>, right_at: ArrayLike<number>, shapes: (number[] | null)[] }} results
 * @param {[number, number]} cell
 */
export function pairsOf({ product, H, L, S, D }, { left, right, right_at, shapes }, [i, j]) {
  const [N, C] = [shapes[0]?.[3] ?? 0, shapes[1]?.[3] ?? 0];
  const sourceRows = PRODUCTS[product].turned === "k" ? S : L;
  return range(N).map((d) => {
    const [b, h, row, n] = indexOf(right_at[d * C + j], { H, D }, sourceRows);
    const where = product === "q @ k.T" ? `${b},${h},${row},${n}` : `${row},${n}`;
    return { a: left[i * N + d], left: `${i},${d}`, b: right[d * C + j], right: where, row, place: n };
  });
}

/**
 * The sum of the products of these pairs.
 *
 * @param {{ a: number, b: number }[]} pairs
 */
export function sumOf(pairs) {
  return pairs.reduce((total, { a, b }) => total + a * b, 0);
}

/**
 * What kᵀ gives where a wrong product gives a result with the same axes, else null.
 *
 * @param {Settings} settings
 * @param {any} results
 */
export const truthOf = (settings, { means, result, shapes }) =>
  means === "nothing" && result && shapes[1][3] === settings.S ? compute({ ...settings, product: TRANSPOSED }) : null;
