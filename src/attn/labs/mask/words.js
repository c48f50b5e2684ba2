// The sentence of MaskLab: what the mask does to the row of one query, and what happens to the weight that it takes away.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { capital, listed, quoted } from "../kit/phrases.js";
import { emptyRows, FILL_NAMES, isWrong, placeOf, rowOutcome, selfBlindQueries, weightText } from "./explain.js";
import { fillValue, lateWeights } from "./model.js";
import { batchOf, brokenRules, PADDING, paddedWords, positionOf } from "./rules.js";

/** @typedef {import("./rules.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {{ kind: "" | "good" | "bad", verdict: string, text: string }} Story the verdict comes first */

const MISPLACED = {
  "L, S": "Every sentence gets the mask of sentence 0.",
  "B, 1, 1, S": "Every query gets the row of the last query.",
  "B, L, S": "Head h of every sentence gets the mask of sentence h.",
};

/**
 * @param {State} state
 * @param {Results} results
 * @param {number} b
 * @param {number} h
 * @param {number} i
 * @returns {Story}
 */
export function storyOf(state, results, b, h, i) {
  const { S } = batchOf(state);
  const words = paddedWords(state)[b];
  const position = positionOf(i, state, S);
  const who = words[position] === PADDING ? `The padding at position ${position}` : quoted(words[position]);
  const { expanded, weights } = results;
  if (!expanded || !weights) {
    const cause = "Shapes are aligned from the right, so the first of three axes meets the heads, not the sentences.";
    return { kind: "bad", verdict: `RuntimeError: ${results.error}.`, text: cause };
  }
  const count = expanded.length;
  const wrong = range(count).filter((at) => isWrong(state, S, results, at)).length;
  if (wrong) {
    const verdict = `${wrong} of ${count} entries of the mask that arrives are not as intended, without an error.`;
    return { kind: "bad", verdict, text: MISPLACED[state.stored] ?? "" };
  }
  const at = placeOf(state, S, [b, h, i, 0]);
  const row = [...weights.subarray(at, at + S)];
  const may = [...expanded.subarray(at, at + S)];
  if (state.detail === "spellings") return spelledStory(who, range(S).filter((j) => may[j]).length, S);
  if (!state.late && !may.includes(1)) return emptyStory(state, who, row, emptyRows(state, results, b, h).length);
  const plain = [...lateWeights(results.scaled.subarray(at, at + S), new Float32Array(S).fill(1), S, state.dtype)];
  const hidden = range(S).filter((j) => !may[j]);
  const taken = hidden.reduce((sum, j) => sum + plain[j], 0);
  const reasons = hiddenBecause(state, b, i, hidden);
  if (state.late && hidden.length) {
    const sum = row.reduce((all, weight) => all + weight, 0);
    const text = `Softmax had already given ${share(taken)} to hidden keys. The mask throws it away, and nothing flows to the others.`;
    return { kind: "bad", verdict: `The row of ${named(words, position)} adds up to ${share(sum)}, not 1.`, text };
  }
  if (selfBlindQueries(state, results.keep, b).includes(i)) {
    const text = `The rules take query ${i} for position ${i}, but it stands at position S − L + i = ${position}. ${reasons}`;
    return { kind: "bad", verdict: `${who} does not see itself.`, text };
  }
  const best = row.indexOf(Math.max(...row));
  const bestName = best === position ? "itself" : named(words, best);
  if (!hidden.length)
    return {
      kind: "",
      verdict: `${who} may attend to all ${S} ${words.includes(PADDING) ? "places" : "words"}.`,
      text: `Its largest weight, ${share(row[best])} of 1, is on ${bestName}. Hide it: who gets its weight?`,
    };
  const seen = S - hidden.length;
  if (seen === 1)
    return {
      kind: "",
      verdict: `${who} may attend to ${bestName} alone.`,
      text: `${reasons} So the one weight left is 1, whatever its score${taken > 0.0005 ? `; unmasked it was ${share(plain[best])}` : ""}.`,
    };
  const factor = 1 / (1 - taken);
  const flows =
    taken < 0.0005
      ? "They had hardly any weight, so the other weights stay."
      : `The ${share(taken)} that ${hidden.length === 1 ? "this key" : "they"} had is shared by the others in proportion: each is ${number(factor, factor < 9.95 ? 2 : 1)} times as large, ${named(words, best)} ${share(row[best])} instead of ${share(plain[best])}.`;
  return { kind: "", verdict: `${who} may attend to ${seen} of ${S}.`, text: `${reasons} ${flows}` };
}

/**
 * The row of a query in four spellings.
 *
 * @param {string} who
 * @param {number} seen how many keys it may see
 * @param {number} S
 * @returns {Story}
 */
function spelledStory(who, seen, S) {
  const text = `Its row has T in ${seen} of ${S} places of “keep” and in ${S - seen} of “drop”, −∞ in ${S - seen} of “additive”, and 1 in ${seen} of “0 and 1”.`;
  return { kind: "", verdict: `${who} may attend to ${seen} of ${S}.`, text };
}

/**
 * A query that may see nothing.
 *
 * @param {State} state
 * @param {string} who
 * @param {number[]} row
 * @param {number} count of such queries in the sentence
 * @returns {Story}
 */
function emptyStory(state, who, row, count) {
  const { fill, dtype } = state;
  const [name, S] = [FILL_NAMES[fill], row.length];
  const why = state.padding && state.pads === "in front" && state.causal ? "Padding in front and causal: " : "";
  const also = count > 1 ? `, like ${count === 2 ? "one more query" : `${count - 1} more queries`}` : "";
  const nothing = `${why}${why ? who.replace("The", "the") : who} may see nothing${also}`;
  switch (
    rowOutcome(
      row,
      row.map(() => 0),
    )
  ) {
    case "all zeros":
      return {
        kind: "good",
        verdict: "Zeros.",
        text: `${nothing}: 0 after softmax in such rows, so it gets nothing and spoils nothing.`,
      };
    case "NaN": {
      const low = fill === "-inf" ? "" : ` ${name} in ${dtype} is ${number(fillValue(fill, dtype))}.`;
      const text = `${nothing}: its row is 0\u00a0/\u00a00.${low} In the next layer 0 · NaN is NaN for every word.`;
      return { kind: "bad", verdict: "NaN.", text };
    }
    case "an average over forbidden keys": {
      const text = `${nothing}, and gets ${share(row[0])} of each of the ${S} hidden keys. ${name} means “much less than the others”, and there are no others.`;
      return { kind: "bad", verdict: "An average over hidden keys.", text };
    }
    default: {
      const text = `${nothing}, but ${name} added to every score of its row is only a shift: it sees every key, as if there were no mask.`;
      return { kind: "bad", verdict: "The weights without a mask.", text };
    }
  }
}

/**
 * Why keys are hidden: "“gold” and “today” come later."
 *
 * @param {State} state
 * @param {number} b
 * @param {number} i
 * @param {number[]} hidden
 */
export function hiddenBecause(state, b, i, hidden) {
  const words = paddedWords(state)[b];
  /** @type {Record<string, number[]>} */
  const groups = { padding: [], causal: [], window: [], painted: [] };
  for (const j of hidden) {
    const broken = brokenRules(state, b, i, j);
    const rule = ["padding", "causal", "window"].find((one) => broken.includes(/** @type {any} */ (one))) ?? "painted";
    groups[rule].push(j);
  }
  const { padding, causal, window, painted } = groups;
  const parts = [
    painted.length ? `you hid ${listOf(words, painted)}` : "",
    causal.length ? `${listOf(words, causal)} ${causal.length > 1 ? "come" : "comes"} later` : "",
    window.length ? `${listOf(words, window)} ${window.length > 1 ? "are" : "is"} too far away` : "",
    padding.length ? `${padding.length === 1 ? "one place is" : `${padding.length} places are`} padding` : "",
  ].filter(Boolean);
  return parts.length ? `${capital(listed(parts))}.` : "";
}

/**
 * @param {string[]} words
 * @param {number[]} places
 */
function listOf(words, places) {
  const isShort = places.length <= 3 && places.every((j) => words[j] !== PADDING);
  if (!isShort) return `${places.length} ${places.length === 1 ? "place" : "places"}`;
  return listed(places.map((j) => quoted(words[j])));
}

/** @type {(words: string[], j: number) => string} */
const named = (words, j) => (words[j] === PADDING ? `the padding at position ${j}` : quoted(words[j]));

/** A weight with so many digits that a reader can compute with it. @param {number} weight */
const share = (weight) => (weight > 0 && weight < 0.01 ? number(weight, 4) : weightText(weight, true));

/**
 * The line of PyTorch that makes the weights. `mask` is True where a query may attend.
 *
 * @param {Pick<State, "fill" | "dtype" | "late">} state
 */
export function codeOf({ fill, dtype, late }) {
  const scores = dtype === "float16" ? "scores.half()" : "scores";
  if (late) return `${scores}.softmax(-1) * mask`;
  const low = { "-1e9": "-1e9", "-1e4": "-1e4", "finfo.min": `finfo(${dtype}).min` }[fill] ?? "-inf";
  const weights = `(${scores} + where(mask, 0, ${low})).softmax(-1)`;
  return fill === "zero" ? `${weights}.masked_fill(~mask, 0)` : weights;
}
