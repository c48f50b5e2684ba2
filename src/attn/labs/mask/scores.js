// The scores of MaskLab: those of the recorded layer where it has as many heads, random ones elsewhere.

import { normal, wordsOf } from "../kit/inputs.js";
import { numberOf } from "../kit/language.js";
import { range } from "../kit/math.js";
import { recorded, SIZES } from "../kit/reader.js";
import { attentionScores, linear, multiply, splitHeads } from "../kit/tensor.js";
import { batchOf, pad } from "./rules.js";

/** @typedef {import("./rules.js").State} State */

export const D = SIZES.D;

/**
 * Whether the heads are those of the recorded layer.
 *
 * @param {Pick<State, "H">} state
 */
export const isTrained = ({ H }) => H === SIZES.H;

/**
 * The scores (B, H, L, S) after √D.
 *
 * @param {State} state
 */
export function scaledScores(state) {
  const { B, S } = batchOf(state);
  const { H, L } = state;
  const E = H * D;
  const x = isTrained(state) ? vectors(state) : drawnVectors(state, E);
  /** @param {"W_Q" | "W_K"} name */
  const project = (name) => {
    if (isTrained(state)) return linear(x, recorded(name), B * S, E, E, E, 1);
    return linear(x, normal(0, name, range(E), E), B * S, E, E, E, 1 / Math.sqrt(E));
  };
  const [q, k] = [splitHeads(project("W_Q"), B, S, H, D), splitHeads(project("W_K"), B, S, H, D)];
  const newest = new Float32Array(B * H * L * D);
  for (const n of range(B * H)) newest.set(q.subarray((n * S + S - L) * D, (n + 1) * S * D), n * L * D);
  return multiply(attentionScores(newest, k, B, H, H, L, S, D), 1 / Math.sqrt(D));
}

/**
 * The input (B, S, E) of the recorded layer. A word keeps the vector of its place in the sentence wherever its padding is; the vector of
 * padding is that of its place alone, or of place 0 in front of a sentence.
 *
 * @param {State} state
 */
function vectors(state) {
  const { words, S, B } = batchOf(state);
  const { E } = SIZES;
  const [tokens, places] = [recorded("tokens"), recorded("places")];
  const x = new Float32Array(B * S * E);
  words.forEach((sentence, b) => {
    const shift = state.pads === "in front" ? S - sentence.length : 0;
    for (const j of range(S)) {
      const place = Math.max(0, j - shift);
      const word = sentence[j - shift];
      for (const e of range(E)) {
        const own = word === undefined ? 0 : tokens[numberOf(word) * E + e];
        x[(b * S + j) * E + e] = places[place * E + e] + own;
      }
    }
  });
  return x;
}

/**
 * Random vectors (B, S, E): a word has the same one wherever it stands, and so has padding.
 *
 * @param {State} state
 * @param {number} E
 */
function drawnVectors(state, E) {
  const { S } = batchOf(state);
  const numbers = wordsOf(state._texts).numbers.map((row) => row.map((number) => number + 1));
  return normal(0, "word", pad(numbers, 0, state, S).flat(), E);
}
