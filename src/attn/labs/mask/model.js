// What MaskLab computes: the shape in which a mask is passed, how it is broadcast, and the weights under it.

import { half, range } from "../kit/math.js";
import { softmax } from "../kit/tensor.js";
import { batchOf, intendedMask } from "./rules.js";
import { scaledScores } from "./scores.js";

/** @typedef {import("./rules.js").State} State */

/**
 * @typedef {object} Results
 * @property {Float32Array} keep (B, L, S) the intended mask
 * @property {Float32Array} mask the mask as it is passed
 * @property {number[]} shape of `mask`
 * @property {Float32Array} scaled (B, H, L, S) scaled scores
 * @property {Float32Array | null} expanded (B, H, L, S) the mask after broadcasting; null if that is impossible
 * @property {number[] | null} strides of `expanded`
 * @property {Float32Array | null} weights_by_fill (FILLS, B, H, L, S)
 * @property {Float32Array | null} weights (B, H, L, S) those of the chosen fill, or of the mask after softmax
 * @property {string} error PyTorch's message, or ""
 */

// These constants are the same as in lab.py.
export const SHAPES = ["L, S", "B, 1, 1, S", "B, 1, L, S", "B, L, S"];
export const FILLS = ["zero", "-inf", "-1e9", "finfo.min", "-1e4"];

const DTYPES = {
  float32: { round: Math.fround, least: -3.4028234663852886e38 },
  float16: { round: half, least: -65504 },
};

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const { B, S } = batchOf(state);
  const { H, L } = state;
  const keep = intendedMask(state);
  const [mask, shape] = passedMask(keep, state, B, S);
  const scaled = scaledScores(state);
  const results = { keep, mask, shape, scaled };
  if (state.stored === "B, L, S" && H !== B) {
    const error = `The size of tensor a (${H}) must match the size of tensor b (${B}) at non-singleton dimension 1`;
    return { ...results, expanded: null, strides: null, weights_by_fill: null, weights: null, error };
  }
  const strides = expandedStrides(shape, [B, H, L, S]);
  const expanded = expand(mask, strides, [B, H, L, S]);
  const weights = FILLS.map((fill) => maskedWeights(scaled, expanded, S, fill, state.dtype));
  const weights_by_fill = Float32Array.from(weights.flatMap((one) => [...one]));
  const chosen = state.late ? lateWeights(scaled, expanded, S, state.dtype) : weights[FILLS.indexOf(state.fill)];
  return { ...results, expanded, strides, weights_by_fill, weights: chosen, error: "" };
}

/**
 * The part of the intended mask (B, L, S) that the passed shape has room for, and that shape.
 *
 * @returns {[Float32Array, number[]]}
 */
function passedMask(keep, { stored, L }, B, S) {
  const lastQueries = () => Float32Array.from(range(B * S), (n) => keep[(Math.floor(n / S) * L + L - 1) * S + (n % S)]);
  if (stored === "L, S") return [keep.slice(0, L * S), [L, S]];
  if (stored === "B, 1, 1, S") return [lastQueries(), [B, 1, 1, S]];
  return [keep, stored === "B, 1, L, S" ? [B, 1, L, S] : [B, L, S]];
}

/**
 * How broadcasting aligns the axes of a mask with the sizes in `full`: from the right.
 *
 * @param {number[]} shape of the mask
 * @param {number[]} full
 * @returns {{ size: number | null, result: "repeated" | "agrees" | "does not fit" }[]} for each axis of full; null: missing
 */
export function alignAxes(shape, full) {
  const missing = full.length - shape.length;
  return full.map((wanted, axis) => {
    if (axis < missing) return { size: null, result: "repeated" };
    const size = shape[axis - missing];
    return { size, result: size === wanted ? "agrees" : size === 1 ? "repeated" : "does not fit" };
  });
}

/**
 * The strides of a contiguous tensor that is expanded to the sizes in `full`: 0 where it is repeated.
 *
 * @param {number[]} shape
 * @param {number[]} full
 * @returns {number[]}
 */
export function expandedStrides(shape, full) {
  let step = 1;
  const strides = shape.map(() => 0);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  const missing = full.length - shape.length;
  return full.map((size, axis) => (axis < missing || shape[axis - missing] < size ? 0 : strides[axis - missing]));
}

function expand(mask, strides, [B, H, L, S]) {
  const expanded = new Float32Array(B * H * L * S);
  for (let b = 0, at = 0; b < B; b++)
    for (let h = 0; h < H; h++)
      for (let i = 0; i < L; i++)
        for (let j = 0; j < S; j++) expanded[at++] = mask[b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3]];
  return expanded;
}

/**
 * The number that a fill adds to a forbidden score, in this type.
 *
 * @param {string} fill
 * @param {State["dtype"]} dtype
 */
export function fillValue(fill, dtype) {
  const { round, least } = DTYPES[dtype];
  return round({ "-1e9": -1e9, "-1e4": -1e4, "finfo.min": least }[fill] ?? -Infinity);
}

/**
 * The weights under a mask. As in PyTorch, a row of nothing but −∞ becomes NaN; the fill "zero" makes it zero.
 *
 * @param {Float32Array} scaled rows of S scores
 * @param {Float32Array} expanded as many numbers, 1 may attend, 0 may not
 * @param {number} S
 * @param {string} fill
 * @param {State["dtype"]} dtype
 */
export function maskedWeights(scaled, expanded, S, fill, dtype) {
  const { round } = DTYPES[dtype];
  const added = fillValue(fill, dtype);
  const out = new Float32Array(scaled.length);
  for (let row = 0; row < scaled.length; row += S) {
    const scores = range(S).map((j) => round(round(scaled[row + j]) + (expanded[row + j] ? 0 : added)));
    const isNaNRow = fill !== "zero" && scores.every((score) => score === -Infinity);
    const weights = isNaNRow ? scores.fill(NaN) : softmax(scores, S, new Float64Array(S));
    out.set(weights.map(round), row);
  }
  return out;
}

/**
 * The weights of a mask that comes after softmax: hidden ones become 0, and the others stay what they were.
 *
 * @param {Float32Array} scaled rows of S scores
 * @param {Float32Array} expanded as many numbers, 1 may attend, 0 may not
 * @param {number} S
 * @param {State["dtype"]} dtype
 */
export function lateWeights(scaled, expanded, S, dtype) {
  const { round } = DTYPES[dtype];
  const weights = softmax(scaled.map(round), S, new Float64Array(scaled.length));
  return Float32Array.from(weights, (weight, at) => (expanded[at] ? round(weight) : 0));
}
