// Multi-head attention from x to y, with random parameters: the same numbers as the kernel's `attn.core.layer_steps`.

import { normal, wordsOf } from "./inputs.js";
import { divisors, range } from "./math.js";
import { linear, maskFuture, mergeHeads, mix, scoresOf, softmax, splitHeads, times } from "./tensor.js";

const VOCABULARY = 160; // more words than the sentences have

export function sizesOf({ B, H, L, S, D, G }) {
  return { B, H, L, S: S ?? L, D, G: G ?? H, E: H * D };
}

// The words of each sentence that look (axis L), or that are looked at (axis S); kind: "words" or "numbers".
export function read(state, axis, kind = "words") {
  const sentences = wordsOf(state._texts)[kind];
  const sizes = sizesOf(state);
  const next = axis === "S" && state.S !== null ? 1 : 0;
  return range(sizes.B).map((b) => sentences[(b + next) % sentences.length].slice(0, sizes[axis]));
}

// Every tensor of the layer, by name, computed when it is first asked for: what nobody looks at costs nothing.
export function computeLayer(state) {
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
  if (!kept.has(key)) kept.set(key, normal(seed, name, range(rows), width));
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
