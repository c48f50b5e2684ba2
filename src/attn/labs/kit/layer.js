// Multi-head attention from x to y, with random parameters or given ones: the same numbers as the kernel's `attn.steps.layer_steps`.

import { normal, splitSentence, wordsOf } from "./inputs.js";
import { divisors, range } from "./math.js";
import { attentionScores, linear, maskFuture, mergeHeads, multiply, softmax, splitHeads, weightedSum } from "./tensor.js";

export const VOCABULARY = 160; // at least as many as the sentences have

/**
 * @typedef {object} LayerState
 * @property {number} B
 * @property {number} H
 * @property {number} L
 * @property {number | null} S null: self-attention
 * @property {number} D
 * @property {number | null} G null: as many key/value heads as query heads
 * @property {number} seed
 * @property {boolean} scale
 * @property {boolean} causal
 * @property {string[]} _texts
 * @property {string} [sentence] the reader's own sentence, which stands at the beginning of text 0; "" for none
 */

/**
 * Where the numbers of a layer come from.
 *
 * @typedef {object} Source
 * @property {(axis: "L" | "S") => Float32Array} vectors (B, L or S, E) of the words of the queries or of the keys
 * @property {(name: "W_Q" | "W_K" | "W_V" | "W_O") => { stored: Float32Array, width: number, factor: number }} weight
 *   a projection as nn.Linear stores it, in rows of `width` numbers; each number is multiplied by the factor
 */

/**
 * The sizes with S, G and E worked out.
 *
 * @param {Pick<LayerState, "B" | "H" | "L" | "D"> & Partial<Pick<LayerState, "S" | "G">>} state
 */
export function sizesOf({ B, H, L, S, D, G }) {
  return { B, H, L, S: S ?? L, D, G: G ?? H, E: H * D };
}

/**
 * @param {LayerState} state
 * @param {"L" | "S"} axis
 * @returns {number[]} the index of each sentence's text. Cross-attention reads keys and values from the next text.
 */
function textsAlong(state, axis) {
  const next = axis === "S" && state.S !== null ? 1 : 0;
  return range(state.B).map((b) => (b + next) % state._texts.length);
}

/**
 * The words of each sentence: those of the queries (axis L) or of the keys (axis S).
 *
 * @param {LayerState} state
 * @param {"L" | "S"} axis
 */
export function wordsAlong(state, axis) {
  const { words } = wordsOf(state._texts);
  const own = splitSentence(state.sentence ?? "");
  return textsAlong(state, axis).map((text) => [...(text === 0 ? own : []), ...words[text]].slice(0, sizesOf(state)[axis]));
}

/**
 * Random numbers for a layer: a word has the same vector wherever it stands.
 *
 * @param {LayerState} state
 * @param {(word: string) => number} [numberOf] the number of a word, which decides its vector
 * @returns {Source}
 */
export function randomSource(state, numberOf = wordsOf(state._texts).numberOf) {
  const { seed } = state;
  const { E } = sizesOf(state);
  return {
    vectors: (axis) => vectors(seed, wordsAlong(state, axis).flat().map(numberOf), E),
    weight: (name) => ({ stored: weight(seed, name, E), width: storedWidth(E), factor: 1 / Math.sqrt(E) }),
  };
}

/**
 * The tensors of the layer by name. Each is computed when it is first read, so a tensor that nothing reads costs nothing.
 *
 * @param {LayerState} state
 * @param {Source} [source]
 * @returns {Record<string, any>} Float32Arrays; context is null in self-attention
 */
export function computeLayer(state, source = randomSource(state)) {
  const { scale, causal } = state;
  const { B, H, L, S, D, G, E } = sizesOf(state);
  if (H % G) throw new Error(unequalGroups(H, G));
  const project = (
    /** @type {"W_Q" | "W_K" | "W_V" | "W_O"} */ name,
    /** @type {Float32Array} */ input,
    /** @type {number} */ N,
    /** @type {number} */ heads,
  ) => {
    const { stored, width, factor } = source.weight(name);
    return linear(input, stored, N, E, heads * D, width, factor);
  };
  return lazily({
    x: () => source.vectors("L"),
    context: () => (state.S === null ? null : source.vectors("S")),
    q_flat: ({ x }) => project("W_Q", x, B * L, H),
    k_flat: ({ x, context }) => project("W_K", context ?? x, B * S, G),
    v_flat: ({ x, context }) => project("W_V", context ?? x, B * S, G),
    q: ({ q_flat }) => splitHeads(q_flat, B, L, H, D),
    k: ({ k_flat }) => splitHeads(k_flat, B, S, G, D),
    v: ({ v_flat }) => splitHeads(v_flat, B, S, G, D),
    scores: ({ q, k }) => attentionScores(q, k, B, H, G, L, S, D),
    scaled: ({ scores }) => (scale ? multiply(scores, 1 / Math.sqrt(D)) : scores),
    masked: ({ scaled }) => (causal ? maskFuture(scaled, L, S) : scaled),
    weights: ({ masked }) => softmax(masked, S),
    heads: ({ weights, v }) => weightedSum(weights, v, B, H, G, L, S, D),
    concat: ({ heads }) => mergeHeads(heads, B, H, L, D),
    y: ({ concat }) => project("W_O", concat, B * L, H),
  });
}

/**
 * What attn.shapes says of heads that cannot be shared equally.
 *
 * @param {number} H
 * @param {number} G
 */
export function unequalGroups(H, G) {
  const possible = divisors(H).join(", ");
  return `H = ${H} is not a multiple of G = ${G}: every key/value head must serve the same number of query heads. G can be [${possible}].`;
}

/**
 * An object whose values are made from each other, each when it is first read.
 *
 * @param {Record<string, (values: Record<string, any>) => any>} makers
 */
function lazily(makers) {
  /** @type {Record<string, any>} */
  const made = {};
  /** @type {Record<string, any>} */
  const out = {};
  for (const [name, make] of Object.entries(makers)) {
    const get = () => {
      if (!(name in made)) made[name] = make(out);
      return made[name];
    };
    Object.defineProperty(out, name, { get, enumerable: true });
  }
  return out;
}

/** @param {number} E */
const storedWidth = (E) => 64 * Math.ceil(E / 64);

/** @type {Map<string, Float32Array>} */
const cache = new Map();

/**
 * Random numbers (rows, storedWidth(E)), drawn once: drawing takes longer than multiplying.
 *
 * @param {number} seed
 * @param {string} name
 * @param {number} rows
 * @param {number} E
 */
function drawn(seed, name, rows, E) {
  const width = storedWidth(E);
  const key = `${seed} ${name} ${rows} ${width}`;
  if (cache.size > 64) cache.clear(); // a reader who tries many seeds
  const numbers = cache.get(key) ?? normal(seed, name, range(rows), width);
  cache.set(key, numbers);
  return numbers;
}

/**
 * A projection as nn.Linear stores it, in rows of storedWidth(E).
 *
 * @param {number} seed
 * @param {string} name
 * @param {number} E
 */
const weight = (seed, name, E) => drawn(seed, name, storedWidth(E), E);

/**
 * The same projection as a function of (row, column).
 *
 * @param {number} seed
 * @param {string} name
 * @param {number} E
 * @returns {(row: number, column: number) => number}
 */
export function parameters(seed, name, E) {
  const [stored, width] = [weight(seed, name, E), storedWidth(E)];
  return (row, column) => stored[row * width + column] / Math.sqrt(E);
}

/**
 * The vectors (words, E) of words given by their numbers.
 *
 * @param {number} seed
 * @param {number[]} numbers
 * @param {number} E
 */
function vectors(seed, numbers, E) {
  const [all, width] = [drawn(seed, "word", VOCABULARY, E), storedWidth(E)];
  const out = new Float32Array(numbers.length * E);
  numbers.forEach((word, n) => {
    out.set(all.subarray(word * width, word * width + E), n * E);
  });
  return out;
}
