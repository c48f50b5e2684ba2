// Multi-head attention for ShapeLab: the sizes, the steps from x to y, and what coinciding sizes hide. No drawing here.

import { normal, upTo, wordsOf } from "./inputs.js";
import { linear, maskFuture, mergeHeads, mix, scoresOf, softmax, splitHeads, times } from "./tensor.js";

// name, axes, how it comes about
export const STEPS = [
  ["x", "B L E", "words"],
  ["context", "B S E", "other words"],
  ["q_flat", "B L H·D", "x · W_Q"],
  ["k_flat", "B S G·D", "x · W_K"],
  ["v_flat", "B S G·D", "x · W_V"],
  ["q", "B H L D", "split heads"],
  ["k", "B G S D", "split heads"],
  ["v", "B G S D", "split heads"],
  ["scores", "B H L S", "q · kᵀ"],
  ["scaled", "B H L S", "÷ √D"],
  ["masked", "B H L S", "mask"],
  ["weights", "B H L S", "softmax"],
  ["heads", "B H L D", "weights · v"],
  ["concat", "B L H·D", "merge heads"],
  ["y", "B L E", "concat · W_O"],
];
const VOCABULARY = 160; // more words than the sentences have
export const PAIRED = new Set(["scores", "scaled", "masked", "weights"]);

export function sizesOf({ B, H, L, S, D, G }) {
  return { B, H, L, S: S ?? L, D, G: G ?? H, E: H * D };
}

// The axes as they read now: key/value heads of their own number have a letter of their own, else they are H like the others.
export function axesNow(axes, { G }) {
  return G === null ? axes.replace("G", "H") : axes;
}

export function shapeOf(axes, sizes) {
  return axes.split(" ").map((axis) => axis.split("·").reduce((size, one) => size * sizes[one], 1));
}

export function divisors(n) {
  return upTo(n + 1).filter((d) => d > 0 && n % d === 0);
}

// The words of each sentence that look (axis L), or that are looked at (axis S); kind: "words" or "numbers".
export function read(state, axis, kind = "words") {
  const sentences = wordsOf(state._texts)[kind];
  const sizes = sizesOf(state);
  const next = axis === "S" && state.S !== null ? 1 : 0;
  return upTo(sizes.B).map((b) => sentences[(b + next) % sentences.length].slice(0, sizes[axis]));
}

// Every tensor of the layer, by name, computed when it is first asked for: what nobody looks at costs nothing.
export function compute(state) {
  const { seed, scale, causal } = state;
  const { B, H, L, S, D, G, E } = sizesOf(state);
  if (H % G) throw new Error(unshared(H, G));
  const numbers = (axis) => read(state, axis, "numbers").flat();
  const project = (name, input, N, heads) => linear(input, weight(seed, name, E), N, E, heads * D, widthOf(E), 1 / Math.sqrt(E));
  return lazily({
    x: () => vectors(seed, numbers("L"), E),
    context: () => (state.S === null ? null : vectors(seed, numbers("S"), E)),
    q_flat: ({ x }) => project("W_Q", x, B * L, H),
    k_flat: ({ x, context }) => project("W_K", context ?? x, B * S, G),
    v_flat: ({ x, context }) => project("W_V", context ?? x, B * S, G),
    q: ({ q_flat }) => splitHeads(q_flat, B, L, H, D),
    k: ({ k_flat }) => splitHeads(k_flat, B, S, G, D),
    v: ({ v_flat }) => splitHeads(v_flat, B, S, G, D),
    scores: ({ q, k }) => scoresOf(q, k, B, H, G, L, S, D),
    scaled: ({ scores }) => (scale ? times(scores, 1 / Math.sqrt(D)) : scores),
    masked: ({ scaled }) => (causal ? maskFuture(scaled, L, S) : scaled),
    weights: ({ masked }) => softmax(masked, S),
    heads: ({ weights, v }) => mix(weights, v, B, H, G, L, S, D),
    concat: ({ heads }) => mergeHeads(heads, B, H, L, D),
    y: ({ concat }) => project("W_O", concat, B * L, H),
  });
}

function unshared(H, G) {
  const can = divisors(H).join(", ");
  return `H = ${H} is not a multiple of G = ${G}: every key/value head must serve as many query heads. G can be [${can}].`;
}

// An object whose values are made from each other, each when it is first read.
function lazily(makers) {
  const made = {};
  const out = {};
  for (const [name, make] of Object.entries(makers)) {
    const get = () => (name in made ? made[name] : (made[name] = make(out)));
    Object.defineProperty(out, name, { get, enumerable: true });
  }
  return out;
}

const widthOf = (E) => 64 * Math.ceil(E / 64);
const kept = new Map();

// Random numbers for rows 0 to `rows` of widthOf(E) columns, drawn once: drawing takes longer than multiplying.
function drawn(seed, name, rows, E) {
  const width = widthOf(E);
  const key = `${seed} ${name} ${rows} ${width}`;
  if (kept.size > 64) kept.clear(); // a reader who tries many seeds
  if (!kept.has(key)) kept.set(key, normal(seed, name, upTo(rows), width));
  return kept.get(key);
}

// A projection as nn.Linear stores it, in rows of widthOf(E).
const weight = (seed, name, E) => drawn(seed, name, widthOf(E), E);

// The same, as what it computes with: a function of (row, column).
export function parameters(seed, name, E) {
  const [stored, width] = [weight(seed, name, E), widthOf(E)];
  return (row, column) => stored[row * width + column] / Math.sqrt(E);
}

// The vectors (words, E) of words given by their numbers.
function vectors(seed, numbers, E) {
  const [all, width] = [drawn(seed, "word", VOCABULARY, E), widthOf(E)];
  const out = new Float32Array(numbers.length * E);
  numbers.forEach((word, n) => out.set(all.subarray(word * width, word * width + E), n * E));
  return out;
}

const HIDDEN = {
  "B H": "a mask of shape (B, L, S) is taken for one per head",
  "B L": "sentences and words can be exchanged",
  "H L": "forgetting to exchange L and H keeps the shape",
  "H D": "cutting E as (D, H) instead of (H, D) keeps the shape",
  "L D": "q @ k without the transpose runs",
  "L S": "scores with rows and columns exchanged keep the shape",
  "D S": "k handed over already transposed fits",
};

// Sentences about sizes that coincide, and the bug that each hides.
export function coincidences(state) {
  const { B, H, L, S, D } = sizesOf(state);
  const sizes = { B, H, L, D, ...(state.S === null ? {} : { S }) };
  const pairs = Object.keys(sizes).flatMap((a, n, all) => all.slice(n + 1).map((b) => [a, b]));
  const equal = pairs
    .filter(([a, b]) => sizes[a] === sizes[b])
    .map(([a, b]) => {
      const bug = HIDDEN[`${a} ${b}`] ?? HIDDEN[`${b} ${a}`] ?? "exchanging the two keeps every shape";
      return `${a} = ${b} = ${sizes[a]}: ${bug}.`;
    });
  if (H === 1 || L === 1) equal.push(`${H === 1 ? "H" : "L"} = 1: view(B, H, L, D) without the exchange is right by accident.`);
  return equal;
}
