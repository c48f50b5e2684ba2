// What RolesLab says about the word that asks.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { quoted } from "../kit/phrases.js";
import { HEADS } from "../kit/reader.js";
import { alikeness, compute, orderOf, rowOf, wordsOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */

export const NAMES = { x: "x itself", one: "one matrix: W_Q", three: "three matrices", table: "stored matrix" };

/**
 * The place of the word that asks, after the exchange.
 *
 * @param {Settings} settings
 */
export const askerPlace = (settings) => orderOf(settings).indexOf(settings.asker);

/**
 * The place of the word that is compared with the asking one: the chosen one, or else the right answer, or else the one with the largest
 * weight among the others.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function askedPlace(settings, results) {
  const row = askerPlace(settings);
  if (settings.asked !== null) return orderOf(settings).indexOf(settings.asked);
  const answer = results.answers[row];
  if (answer !== null) return answer;
  const S = sizeOf(settings, results);
  if (row >= S) return row === 0 ? 1 : 0;
  const weights = rowOf(results.weights, row, S);
  return range(S)
    .filter((place) => place !== row)
    .reduce((best, place) => (weights[place] > weights[best] ? place : best), row === 0 ? 1 : 0);
}

/**
 * The number of rows and columns of the weights.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export const sizeOf = (settings, { answers }) => (settings.source === "table" ? settings.rows : answers.length);

/**
 * What the asking word finds, in a few words: the one with its largest weight, and whether it is the answer.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @returns {{ verdict: boolean | null, text: string, weights: number[] }}
 */
export function foundBy(settings, results) {
  const row = askerPlace(settings);
  const S = sizeOf(settings, results);
  if (row >= S) return { verdict: false, text: "no row", weights: [] };
  const weights = rowOf(results.weights, row, S);
  const best = results.points_at[row];
  const answer = results.answers[row];
  const verdict = answer === null ? null : best === answer;
  if (best === null) return { verdict, text: "nothing", weights };
  return { verdict, text: best === row ? "itself" : wordsOf(settings)[best], weights };
}

/** @param {number} head what is asked in it */
export const questionOf = (head) => `“${HEADS[head]}?”`;

/**
 * The pair in both directions: what one word scores with the other, or what the table gives. `relation` is "=" or "≠"; null if a number is
 * missing, or if a word is compared with itself.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @returns {{ one: string, there: string, other: string, back: string, relation: "=" | "≠" | null }}
 */
export function pairOf(settings, results) {
  const words = wordsOf(settings);
  const [i, j] = [askerPlace(settings), askedPlace(settings, results)];
  const S = sizeOf(settings, results);
  const source = results.scaled ?? results.weights;
  /** @type {(row: number, column: number) => number | null} */
  const at = (row, column) => (row < S && column < S ? source[row * S + column] : null);
  const [there, back] = [at(i, j), at(j, i)];
  /** @param {number | null} value */
  const spelled = (value) => (value === null ? "none" : number(value, 2));
  const what = results.scaled ? "score" : "weight";
  const isSame = results.symmetric ?? spelled(there) === spelled(back);
  /** @type {(row: number, column: number, value: number | null) => string} */
  const said = (row, column, value) =>
    results.scaled
      ? `${quoted(words[row])} asks ${quoted(words[column])}: ${what} ${spelled(value)}`
      : `row ${row}, column ${column}: ${spelled(value)}`;
  return {
    ...{ one: said(i, j, there), there: spelled(there), other: said(j, i, back), back: spelled(back) },
    relation: i === j || there === null || back === null ? null : isSame ? "=" : "≠",
  };
}

/**
 * Whether the asking word finds its answer, and the sentence about it. verdict: null where the word asks nothing.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @returns {{ verdict: boolean | null, text: string }}
 */
export function sentenceOf(settings, results) {
  const words = wordsOf(settings);
  const row = askerPlace(settings);
  const asks = quoted(words[row]);
  const answer = results.answers[row];
  const question = questionOf(settings.head);
  const says = answer === null ? `${asks} does not ask ${question}. ` : `${asks} asks ${question} `;
  if (settings.source === "table")
    return { verdict: tableVerdict(settings, results, row), text: says + tableText(settings, results) };
  const best = /** @type {number} */ (results.points_at[row]);
  const weight = number(results.weights[row * words.length + best], 2);
  const whom = best === row ? "itself" : quoted(words[best]);
  if (settings.source !== "three") {
    const scores = rowOf(/** @type {Float32Array} */ (results.scaled), row, words.length);
    const alone = scores.every((score, place) => place === row || score < 0);
    const own = alone
      ? "all other scores are negative, and a vector never has a negative product with itself"
      : settings.source === "one"
        ? "W_Q gives each word new numbers, but its query is still its key"
        : "a vector has a large product with itself";
    const why = best === row ? own : `the vector of ${quoted(words[best])} is longer`;
    const right = answer === null ? "" : ` The answer is ${quoted(words[answer])}.`;
    const same = answer === null ? " Any two words score the same in both directions." : "";
    return {
      verdict: answer === null ? null : best === answer,
      text: `${says}It puts ${weight} of its weight on ${whom}: ${why}.${right}${same}`,
    };
  }
  if (answer === null)
    return { verdict: null, text: `${says}Its weights must add up to 1, too: the largest, ${weight}, is on ${whom}.` };
  if (best !== answer) {
    const grammar = `By the grammar of the language it is ${quoted(words[answer])}.`;
    return {
      verdict: false,
      text: `${says}It puts ${weight} of its weight on ${whom}. ${grammar} Such an order of words is not in the language.`,
    };
  }
  if (settings.swap.length) return { verdict: true, text: `${says}${exchangeText(settings, weight, best)}` };
  if (settings.replaced !== null) return { verdict: true, text: says + replacedText(settings, weight, best) };
  const score = number(/** @type {Float32Array} */ (results.scaled)[row * words.length + best], 2);
  const there = `Its query (q) scores ${score} with the key (k) of ${whom}, so ${weight} of the output is the value (v) of ${whom}.`;
  return { verdict: true, text: `${says}${there}` };
}

/**
 * What is seen while something moves: words that change places or are replaced, or the asking word from its query to its output.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @param {boolean} isExchange
 * @param {Settings} last before the move
 */
export function movingSentence(settings, results, isExchange, last) {
  const { source, swap, replaced } = settings;
  const words = wordsOf(settings);
  const asks = quoted(words[askerPlace(settings)]);
  if (isExchange) {
    const [a, b] = swap;
    const place = orderOf(settings).indexOf(replaced ?? 0);
    const old = wordsOf({ ...settings, replaced: null })[place];
    if (a === undefined || b === undefined)
      return `${quoted(words[place])} stands where ${quoted(old)} stood, with its own key and value.`;
    const back =
      last.replaced !== null && replaced === null ? `${quoted(words[orderOf(settings).indexOf(last.replaced)])} is back. ` : "";
    const who = `${back}In the head ${questionOf(settings.head)}, ${quoted(words[a])} and ${quoted(words[b])} change places`;
    return source === "table" ? `${who}; the stored matrix knows only positions.` : `${who}, each with its own key and value.`;
  }
  if (source === "table") {
    if (askerPlace(settings) >= sizeOf(settings, results)) return `The stored matrix has no row for ${asks}.`;
    return "A row of the stored matrix becomes the weights: no word is compared with another.";
  }
  const [q, k, v] = { x: ["x", "x", "x"], one: ["xW", "xW", "xW"], three: ["query", "key", "value"] }[source];
  return `The ${q} of ${asks} meets the ${k} of each word: a score. The scores become shares of 1, and so much of each ${v} goes into the output.`;
}

/**
 * What has become of the largest weight, and of what it is multiplied with, when a word was replaced.
 *
 * @param {Settings} settings
 * @param {string} weight
 * @param {number} best
 */
function replacedText(settings, weight, best) {
  const plain = { ...settings, replaced: null };
  const before = compute(plain);
  const place = /** @type {number} */ (settings.replaced);
  const [old, now] = [plain, settings].map((one) => quoted(wordsOf(one)[place]));
  const { keys, values } = alikeness(settings);
  const has = `${now} has ${keys > 0.95 ? "almost the same" : "another"} key as ${old} and ${values < 0.5 ? "another" : "a similar"} value`;
  if (best !== place) return `${has}. The largest weight, ${weight}, is on ${quoted(wordsOf(settings)[best])}.`;
  const was = number(before.weights[settings.asker * before.answers.length + place], 2);
  return `${has}. So its weight is ${weight}${was === weight ? " as before" : ` (${was} before)`}, but the output differs from the old one (pale).`;
}

/**
 * What has become of the largest weight when two words were exchanged.
 *
 * @param {Settings} settings
 * @param {string} weight
 * @param {number} best
 */
function exchangeText(settings, weight, best) {
  const [a, b] = [...settings.swap].sort((one, other) => one - other);
  const words = wordsOf(settings);
  const [whom, id] = [quoted(words[best]), orderOf(settings)[best]];
  const plain = { ...settings, swap: /** @type {[]} */ ([]) };
  const before = compute(plain);
  const was = /** @type {number} */ (before.points_at[settings.asker]);
  const moved = `${quoted(words[b])} and ${quoted(words[a])} are exchanged`;
  if (was !== id)
    return `${moved}, and ${weight} of 1 is on ${whom} now; before, the largest weight was on ${quoted(wordsOf(plain)[was])}. x also tells the place of a word, and this head uses it.`;
  const first = number(before.weights[settings.asker * words.length + was], 2);
  const numbers = `${first} before, ${weight} now${first === weight ? "" : ", because x also tells the place of a word"}`;
  if (id === best) return `${moved}, and the largest weight stays on ${whom}: ${numbers}.`;
  return `${moved}, and the largest weight has gone with ${whom}: ${numbers}.`;
}

/**
 * @param {Settings} settings
 * @param {Results} results
 * @param {number} row
 */
function tableVerdict(settings, results, row) {
  const answer = results.answers[row];
  if (answer === null) return null;
  return row < settings.rows && results.points_at[row] === answer;
}

/**
 * @param {Settings} settings
 * @param {Results} results
 */
function tableText(settings, results) {
  const { rows, swap } = settings;
  const words = wordsOf(settings);
  const row = askerPlace(settings);
  const last = quoted(words[words.length - 1]);
  if (row >= rows) return `Its row would be row ${row}, and the stored matrix ends with row ${rows - 1}: no weights, no output.`;
  const short =
    rows < words.length ? ` For ${last} it has no column, so ${rows} weights meet ${words.length} values: an error.` : "";
  const best = results.points_at[row];
  if (best === null)
    return `In sentences of up to ${rows} words, nothing is asked of this head in row ${row}. Any weights will do: they are equal.${short}`;
  const weight = results.weights[row * rows + best];
  const learned = `over many sentences, ${number(100 * weight, 0)} % of its answers stood there`;
  const where = `Row ${row} puts ${number(weight, 2)} on column ${best}: ${learned}`;
  const answer = results.answers[row];
  const right = answer === null ? "" : best === answer ? ", the answer" : `; the answer is ${quoted(words[answer])}`;
  const stays = swap.some((place) => place === best) ? "The words have moved, the weights have stayed. " : "";
  return `${stays}${where}. Here it is ${quoted(words[best])}${right}.${short}`;
}
