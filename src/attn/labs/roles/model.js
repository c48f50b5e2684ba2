// One word asks, the others answer: the numbers of RolesLab, as RolesLab.compute gives them in Python.

import { classOf, parse, WORDS } from "../kit/language.js";
import { range } from "../kit/math.js";
import { HEADS, readWith, SIZES } from "../kit/reader.js";
import { attentionScores, multiply, softmax, weightedSum } from "../kit/tensor.js";

/** @typedef {"x" | "one" | "three" | "table"} From where queries, keys and values come from */

/**
 * @typedef {object} Settings
 * @property {From} source
 * @property {number} head
 * @property {number} sentence
 * @property {number | null} replaced the place of a word that another one of its class replaces
 * @property {[number, number] | []} swap the places of two words that are exchanged
 * @property {number} rows of the table
 * @property {number} asker the word that asks, by its place before the exchange
 * @property {number | null} asked the word that is compared with it, by its place before the exchange; null: the one it looks at most
 * @property {string[]} _sentences
 * @property {number[][][][]} _tables for each number of rows and each head the best table
 * @property {Record<From, number[][]>} _shares for each source how often its largest weight is on the right word, for each head
 * @property {number} _drawn the number of sentences that the shares were measured on
 */

/**
 * @typedef {object} Results tensors row after row; what a table does not have is null
 * @property {Float32Array | null} q
 * @property {Float32Array | null} k
 * @property {Float32Array | null} scaled
 * @property {boolean | null} symmetric
 * @property {Float32Array} v
 * @property {Float32Array} weights
 * @property {Float32Array | null} out
 * @property {string} message
 * @property {(number | null)[]} answers
 * @property {(number | null)[]} points_at
 * @property {Record<From, number[]>} shares
 */

export const SHORTEST = 4; // rows of the smallest table
/** @type {From[]} */
export const SOURCES = ["x", "one", "three", "table"];

/**
 * What is wrong with settings that came in a link, or null.
 *
 * @param {Pick<Settings, "replaced" | "swap" | "rows" | "sentence" | "asker" | "asked" | "_sentences"> & Record<string, any>} settings
 */
export function problem({ replaced, swap, rows, sentence, asker, asked, _sentences }) {
  /** @type {(n: any, least: number, most: number) => boolean} */
  const isWithin = (n, least, most) => Number.isInteger(n) && n >= least && n <= most;
  if (!isWithin(sentence, 0, _sentences.length - 1)) return `The sentences are numbered from 0 to ${_sentences.length - 1}.`;
  const longest = _sentences[sentence].split(" ").length;
  const isPlace = (/** @type {any} */ n) => isWithin(n, 0, longest - 1);
  const isSwap = Array.isArray(swap) && (swap.length === 0 || (swap.length === 2 && swap.every(isPlace) && swap[0] !== swap[1]));
  if (!isSwap) return "swap takes the places of two different words, or none.";
  if (!isWithin(rows, SHORTEST, longest)) return `A stored matrix has ${SHORTEST} to ${longest} rows.`;
  // The view's own settings are not among those of a computation.
  if ((asker !== undefined && !isPlace(asker)) || [asked, replaced].some((one) => one != null && !isPlace(one)))
    return "There is no word at this place.";
  return null;
}

/**
 * The place, before the exchange, of the word that stands at each place.
 *
 * @param {Pick<Settings, "sentence" | "swap" | "_sentences">} settings
 */
export function orderOf({ sentence, swap, _sentences }) {
  const order = range(_sentences[sentence].split(" ").length);
  const [a, b] = swap;
  if (a !== undefined && b !== undefined) [order[a], order[b]] = [order[b], order[a]];
  return order;
}

/**
 * The words of the sentence, after one is replaced and two are exchanged.
 *
 * @param {Pick<Settings, "sentence" | "replaced" | "swap" | "_sentences">} settings
 */
export function wordsOf(settings) {
  const words = settings._sentences[settings.sentence].split(" ");
  const { replaced } = settings;
  if (replaced !== null) {
    const isOther = (/** @type {string} */ one) => classOf(one) === classOf(words[replaced]) && !words.includes(one);
    words[replaced] = WORDS.find(isOther) ?? words[replaced];
  }
  return orderOf(settings).map((place) => words[place]);
}

/**
 * Where the largest weight is, the first of several; null if all are equal.
 *
 * @param {ArrayLike<number>} row
 */
export function pointsAt(row) {
  const all = Array.from(row);
  return Math.min(...all) === Math.max(...all) ? null : all.indexOf(Math.max(...all));
}

/**
 * A row of a table whose rows have so many numbers.
 *
 * @template {ArrayLike<number>} Numbers
 * @param {Numbers} table
 * @param {number} i
 * @param {number} width
 */
export const rowOf = (table, i, width) => Array.from({ length: width }, (_, n) => table[i * width + n]);

/**
 * How alike the keys and the values of the replaced word and of the one in its place are, as cosines.
 *
 * @param {Settings} settings
 */
export function alikeness(settings) {
  const [here, there] = [{ ...settings, replaced: null }, settings].map((one) => readWith(wordsOf(one)));
  const { D } = SIZES;
  const order = orderOf(settings);
  const row = settings.head * order.length + order.indexOf(/** @type {number} */ (settings.replaced));
  /** @param {"k" | "v"} name */
  const cosine = (name) => {
    const [a, b] = [here, there].map((layer) => rowOf(layer[name], row, D));
    /** @type {(a: number[], b: number[]) => number} */
    const product = (one, other) => one.reduce((sum, n, d) => sum + n * other[d], 0);
    return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
  };
  return { keys: cosine("k"), values: cosine("v") };
}

/**
 * What RolesLab.compute gives in Python.
 *
 * @param {Settings} settings
 * @returns {Results}
 */
export function compute(settings) {
  const wrong = problem(settings);
  if (wrong) throw new Error(wrong);
  const { source, head, rows, _tables, _shares } = settings;
  const words = wordsOf(settings);
  const L = words.length;
  const layer = readWith(words);
  const { D } = SIZES;
  /** @param {Float32Array} tensor @returns {Float32Array} */
  const ofHead = (tensor) => tensor.subarray(head * L * D, (head + 1) * L * D);
  const [q, k, v] =
    source === "x"
      ? [layer.x, layer.x, layer.x]
      : (source === "one" ? [layer.q, layer.q, layer.q] : [layer.q, layer.k, layer.v]).map(ofHead);
  const isTable = source === "table";
  const width = v.length / L;
  const scaled = isTable ? null : multiply(attentionScores(q, k, 1, 1, 1, L, L, width), 1 / Math.sqrt(width));
  const S = isTable ? rows : L;
  const weights = scaled ? softmax(scaled, S) : Float32Array.from(_tables[rows - SHORTEST][head].flat());
  /** @type {(number | null)[]} */
  const answers = words.map(() => null);
  for (const { asker, question, answer } of parse(words)) if (question === HEADS[head]) answers[asker] = answer;
  return {
    q: isTable ? null : q,
    k: isTable ? null : k,
    scaled,
    symmetric: scaled && range(L * L).every((n) => Math.abs(scaled[n] - scaled[(n % L) * L + Math.floor(n / L)]) < 1e-4),
    v,
    weights,
    out: S === L ? weightedSum(weights, v, 1, 1, 1, L, L, width) : null,
    message: S === L ? "" : `mat1 and mat2 shapes cannot be multiplied (${S}x${S} and ${L}x${width})`,
    answers,
    points_at: range(S).map((i) => pointsAt(rowOf(weights, i, S))),
    shares: /** @type {Record<From, number[]>} */ (
      Object.fromEntries(SOURCES.map((one) => [one, _shares[one][one === "table" ? rows - SHORTEST : 0]]))
    ),
  };
}
