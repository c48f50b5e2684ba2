// The recorded layer of the running example (attn.lessons.reader): E = 12, H = 3, D = 4. Its heads 0, 1 and 2 answer who, what, when.

import reader from "../../lessons/reader.json" with { type: "json" };
import { LONGEST, numberOf } from "./language.js";
import { computeLayer, wordsAlong } from "./layer.js";

/** @typedef {import("./layer.js").LayerState} LayerState */
/** @typedef {import("./layer.js").Source} Source */
/** @typedef {import("./language.js").Asked} Asked */

export const HEADS = /** @type {Asked[]} */ (reader.heads); // what each head answers

/**
 * What was measured with the recorded weights, over `sentences` sentences that the layer was not trained on. For each kind of
 * question, such as { asks: "verb", question: "what" }: the weight that each head puts on the answer (shares), the share of right
 * answers (accuracy), and the accuracy without head 0, 1 and 2.
 */
export const MEASURED = reader.measured;

export const SIZES = { E: reader.W_Q[0].length, H: reader.heads.length, D: reader.W_Q.length / reader.heads.length };

/** @type {Map<string, Float32Array>} */
const matrices = new Map();

/**
 * A recorded matrix (out, in), row after row, as nn.Linear stores it; also "tokens", a row for each word, and "places".
 *
 * @param {"tokens" | "places" | "W_Q" | "W_K" | "W_V" | "W_O" | "W_answers"} name
 */
export function recorded(name) {
  const known = matrices.get(name);
  if (known) return known;
  const made = new Float32Array(reader[name].flat());
  matrices.set(name, made);
  return made;
}

/**
 * x (L, E): for each word of a sentence of up to 7 words its vector plus that of its place.
 *
 * @param {readonly string[]} words
 */
export function recordedVectors(words) {
  const { E } = SIZES;
  const [tokens, places] = [recorded("tokens"), recorded("places")];
  return Float32Array.from({ length: words.length * E }, (_, at) => {
    const [i, e] = [Math.floor(at / E), at % E];
    return tokens[numberOf(words[i]) * E + e] + places[at];
  });
}

/**
 * Whether a layer with these settings is the recorded one. At other sizes, or with another seed, its numbers are random.
 *
 * @param {Pick<LayerState, "H" | "L" | "S" | "D" | "G" | "seed">} state
 */
export function isTrained({ H, L, S, D, G, seed }) {
  return H === SIZES.H && D === SIZES.D && (G ?? H) === H && seed === 0 && L <= LONGEST && (S ?? 0) <= LONGEST;
}

/**
 * The recorded numbers for the sentences of a lab.
 *
 * @param {LayerState} state
 * @returns {Source}
 */
export const recordedSource = (state) => ({
  vectors: (axis) => Float32Array.from(wordsAlong(state, axis).flatMap((words) => [...recordedVectors(words)])),
  weight: (name) => ({ stored: recorded(name), width: SIZES.E, factor: 1 }),
});

/**
 * Every tensor of the recorded layer for one sentence of up to 7 words, from x to y: { x, q_flat, ..., q, k, v, scores, scaled,
 * masked, weights, heads, concat, y }, each a Float32Array with B = 1.
 *
 * @param {string[]} words
 */
export function readWith(words) {
  const state = { B: 1, H: SIZES.H, L: words.length, S: null, D: SIZES.D, G: null, seed: 0, scale: true, causal: false };
  const texts = [words.join(" ")];
  return computeLayer({ ...state, _texts: texts }, recordedSource({ ...state, _texts: texts }));
}
