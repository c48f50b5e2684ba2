// Masks of a small batch: rules from positions, exceptions, the shape they are handed over with, and the weights under them.

import { normal, wordsOf } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { attentionScores, linear, multiply, splitHeads } from "../kit/tensor.js";

export const PAD = "·";
export const D = 4;
export const SHAPES = ["L, S", "B, 1, 1, S", "B, 1, L, S", "B, L, S"];
export const FILLS = ["zero", "-inf", "-1e9", "finfo.min", "-1e4"];

// B sentences, S places, and how many words each sentence has.
export function batchOf({ _texts }) {
  const { words } = wordsOf(_texts);
  const lengths = words.map((sentence) => sentence.length);
  return { words, lengths, B: words.length, S: Math.max(...lengths) };
}

// What stands at the S places of each sentence: items of its own, and `pad`.
function padded(rows, pad, { pads }, S) {
  return rows.map((row) => {
    const filling = range(S - row.length).map(() => pad);
    return pads === "in front" ? [...filling, ...row] : [...row, ...filling];
  });
}

export function placesOf(state) {
  const { words, S } = batchOf(state);
  return padded(words, PAD, state, S);
}

// The position of query i; with the wrong corner, the one that the rules take it for.
export const positionOf = (i, { L }, S) => S - L + i;
const takenFor = (i, state, S) => (state.corner === "top left" ? i : positionOf(i, state, S));

// The rules that forbid query i of sentence b to look at key j: "causal", "window", "padding".
export function forbidding(state, b, i, j) {
  const { S, lengths } = batchOf(state);
  const query = takenFor(i, state, S);
  const real = state.pads === "in front" ? j >= S - lengths[b] : j < lengths[b];
  const broken = [];
  if (state.causal && j > query) broken.push("causal");
  if (state.window !== null && Math.abs(query - j) >= state.window) broken.push("window");
  if (state.padding && !real) broken.push("padding");
  return broken;
}

// The exceptions that are places of this batch: a link may carry others.
function exceptions({ painted, L }, { B, S }) {
  const inside = (entry) => Array.isArray(entry) && entry.length === 4 && entry.every((at) => Number.isInteger(at) && at >= 0);
  return painted.filter(
    (entry) => inside(entry) && entry[0] < B && entry[1] < S && entry[1] >= S - L && entry[2] < S && entry[3] < 2,
  );
}

// The mask that is meant, (B, L, S), of 0 and 1.
export function keepOf(state) {
  const batch = batchOf(state);
  const { B, S } = batch;
  const keep = new Float32Array(B * state.L * S);
  for (let b = 0, at = 0; b < B; b++)
    for (let i = 0; i < state.L; i++) for (let j = 0; j < S; j++) keep[at++] = Number(!forbidding(state, b, i, j).length);
  for (const [b, query, key, may] of exceptions(state, batch)) keep[(b * state.L + query - (S - state.L)) * S + key] = may;
  return keep;
}

// The exceptions after cell (i, j) of sentence b is painted: one that says what the rules say anyway is none.
export function repainted(state, b, i, j, may) {
  const query = positionOf(i, state, batchOf(state).S);
  const others = state.painted.filter(([sentence, q, key]) => sentence !== b || q !== query || key !== j);
  const ruled = Number(!forbidding(state, b, i, j).length);
  return may === ruled ? others : [...others, [b, query, j, may]];
}

// What is handed over: the part of (B, L, S) that its shape has room for.
function handedOver(keep, { stored, L }, { B, S }) {
  const last = () => Float32Array.from(range(B * S), (n) => keep[(Math.floor(n / S) * L + L - 1) * S + (n % S)]);
  return {
    "L, S": () => [keep.slice(0, L * S), [L, S]],
    "B, 1, 1, S": () => [last(), [B, 1, 1, S]],
    "B, 1, L, S": () => [keep, [B, 1, L, S]],
    "B, L, S": () => [keep, [B, L, S]],
  }[stored]();
}

// The strides of a contiguous tensor that is stretched to the sizes of `full`, aligned from the right: 0 where it repeats.
export function stretchedStrides(shape, full) {
  let step = 1;
  const strides = shape.map(() => 0);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  const missing = full.length - shape.length;
  return full.map((size, axis) => (axis < missing || shape[axis - missing] < size ? 0 : strides[axis - missing]));
}

// The nearest number of half precision, ties to even.
export function half(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(x)))) - 10);
  const [count, down] = [x / step, Math.floor(x / step)];
  const up = count - down > 0.5 || (count - down === 0.5 && down % 2);
  const rounded = (down + (up ? 1 : 0)) * step;
  return Math.abs(rounded) > 65504 ? Math.sign(x) * Infinity : rounded;
}

const NUMBERS = {
  float32: { round: Math.fround, least: -3.4028234663852886e38 },
  float16: { round: half, least: -65504 },
};

// What is added to a forbidden score.
export function lowest(fill, dtype) {
  const { round, least } = NUMBERS[dtype];
  return round({ "-1e9": -1e9, "-1e4": -1e4, "finfo.min": least }[fill] ?? -Infinity);
}

// Softmax of a row as PyTorch has it: over nothing but −∞ it is NaN.
function softmax(row) {
  const highest = Math.max(...row);
  const powers = row.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

// The weights of scores (N rows of S) under a mask of as many numbers.
export function weigh(scaled, stretched, S, fill, dtype) {
  const { round } = NUMBERS[dtype];
  const low = lowest(fill, dtype);
  const out = new Float32Array(scaled.length);
  for (let row = 0; row < scaled.length; row += S) {
    const may = stretched.subarray(row, row + S);
    if (fill === "zero" && !may.includes(1)) continue;
    const scores = Array.from(may, (one, j) => round(round(scaled[row + j]) + (one ? 0 : low)));
    out.set(softmax(scores).map(round), row);
  }
  return out;
}

function scaledScores(state, { B, S }) {
  const { H, L } = state;
  const E = H * D;
  const { numbers } = wordsOf(state._texts);
  const ids = padded(
    numbers.map((row) => row.map((id) => id + 1)),
    0,
    state,
    S,
  ); // 0 is padding
  const x = normal(0, "word", ids.flat(), E);
  const asking = normal(
    0,
    "word",
    ids.flatMap((row) => row.slice(S - L)),
    E,
  );
  const project = (name, input, N) => linear(input, normal(0, name, range(E), E), N, E, E, E, 1 / Math.sqrt(E));
  const q = splitHeads(project("W_Q", asking, B * L), B, L, H, D);
  const k = splitHeads(project("W_K", x, B * S), B, S, H, D);
  return multiply(attentionScores(q, k, B, H, H, L, S, D), 1 / Math.sqrt(D));
}

export function compute(state) {
  const batch = batchOf(state);
  const { B, S } = batch;
  const { L, H } = state;
  const keep = keepOf(state);
  const [handed, shape] = handedOver(keep, state, batch);
  const scaled = scaledScores(state, batch);
  const results = { keep, handed, shape, scaled };
  if (state.stored === "B, L, S" && H !== B) {
    const error = `The size of tensor a (${H}) must match the size of tensor b (${B}) at non-singleton dimension 1`;
    return { ...results, stretched: null, strides: null, by_fill: null, weights: null, error };
  }
  const strides = stretchedStrides(shape, [B, H, L, S]);
  const stretched = new Float32Array(B * H * L * S);
  for (let b = 0, at = 0; b < B; b++)
    for (let h = 0; h < H; h++)
      for (let i = 0; i < L; i++)
        for (let j = 0; j < S; j++) stretched[at++] = handed[b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3]];
  const all = FILLS.map((fill) => weigh(scaled, stretched, S, fill, state.dtype));
  const by_fill = Float32Array.from(all.flatMap((one) => [...one]));
  return { ...results, stretched, strides, by_fill, weights: all[FILLS.indexOf(state.fill)], error: "" };
}
