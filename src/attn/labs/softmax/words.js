// What SoftmaxLab says about its row and its programs, and how it writes its numbers.

import { number } from "../kit/format.js";
import { parse } from "../kit/language.js";
import { range } from "../kit/math.js";
import { HEADS } from "../kit/reader.js";
import { softmaxOf } from "./between.js";
import { unraised } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */

/**
 * The names of the queries and of the keys: words of the sentence, or numbers where the scores are the reader's own.
 *
 * @param {Settings} settings
 */
export function namesOf({ scores, L, S, _words }) {
  if (scores === null) return { queries: _words.slice(0, L), keys: _words.slice(0, S) };
  return { queries: range(L).map((i) => `query ${i}`), keys: range(S).map((j) => `key ${j}`) };
}

/**
 * The sentence about row i.
 *
 * @param {Settings} settings
 * @param {Record<string, any>} results
 * @param {number} i
 * @returns {string}
 */
export function rowSentence(settings, results, i) {
  const { scores, L, S, raised, shift, temperature, masked, axis, head, _words } = settings;
  const { queries, keys } = namesOf(settings);
  const row = range(S).map((j) => results.scaled[i * S + j]);
  const weights = range(S).map((j) => results.weights[i * S + j]);
  const hidden = masked ? ` The key ${quoted(keys[0])} is hidden: its score is −∞, its weight ${number(weights[0], 0)}.` : "";
  if (axis === "queries") {
    const sums = range(L).map((at) => results.row_sums[at]);
    const other = sums.reduce((best, sum, at) => (Math.abs(sum - 1) > Math.abs(sums[best] - 1) ? at : best), 0);
    const and = other === i ? "" : `, the row of ${quoted(queries[other])} to ${number(sums[other], 2)}`;
    return `Divided by the sums of the columns, every column sums to 1, but the row of ${quoted(queries[i])} sums to ${number(sums[i], 2)}${and}. There is no error: shape and range stay the same.${hidden}`;
  }
  const order = range(S).sort((a, b) => weights[b] - weights[a]);
  if (S === 1 || !Number.isFinite(row[order[1]]))
    return `Only ${quoted(keys[order[0]])} can be seen: its weight is 1, whatever its score.${hidden}`;
  const [first, second] = order;
  const winner = scores === null && first === i ? "Its own key" : quoted(keys[first]);
  const lead = row[first] - row[second];
  const changed = raised.filter(([at, key]) => at === i && key < S);
  if (changed.length === 1 && shift === 0 && temperature === 1 && !masked)
    return raisedSentence(settings, row, i, changed[0]) + hidden;
  if (shift !== 0) {
    const plain = softmaxOf(row.map((score) => score - shift / temperature));
    const off = Math.max(...weights.map((weight, j) => Math.abs(weight - plain[j])));
    const factor = `e^${brief(shift / temperature, 3)} = ${brief(Math.exp(shift / temperature), 3)}`;
    const says =
      off < 5e-4 ? "No difference changes, so no weight changes." : `Only rounding changes a weight, by ${number(off, 3)}.`;
    return `${shift > 0 ? "+" : ""}${number(shift, 0)} on all scores: each exponential and their sum are ${factor} times as large. ${says}${hidden}`;
  }
  if (temperature !== 1) {
    const before = lead * temperature;
    return `All scores are divided by ${temperature}: ${quoted(keys[first])} leads ${quoted(keys[second])} by ${number(lead, 2)} instead of ${number(before, 2)}. Its weight is ${brief(Math.exp(lead), 3)} times as large, instead of ${brief(Math.exp(before), 3)} times.${hidden}`;
  }
  const asked = scores === null && parse(_words.slice(0, L)).find((one) => one.asker === i && one.question === HEADS[head]);
  const opening =
    scores !== null
      ? ""
      : asked
        ? `${quoted(queries[i])} asks ${HEADS[head]}? `
        : `The weights of ${quoted(queries[i])} sum to 1. `;
  return `${opening}${winner} has ${number(weights[first], 3)} of 1. Its score is ${number(lead, 2)} higher than that of ${quoted(keys[second])}, so its weight is e^${number(lead, 2)} = ${brief(Math.exp(lead), 3)} times as large.${hidden}`;
}

/**
 * What one score that was raised does to its row.
 *
 * @param {Settings} settings
 * @param {number[]} row
 * @param {number} i
 * @param {import("./model.js").Raise} raise
 */
function raisedSentence(settings, row, i, [, key]) {
  const { keys } = namesOf(settings);
  const before = unraised(settings)[i];
  const amount = row[key] - before[key];
  const [old, now] = [softmaxOf(before)[key], softmaxOf(row)[key]];
  const factor = Math.exp(amount);
  const points = `${amount < 0 ? "" : "+"}${number(amount, 1)}`;
  const size = `its exponential is e^${number(amount, 1)} = ${brief(factor, 3)} times as large`;
  const rival = range(keys.length).reduce((best, j) => (best === key || (j !== key && row[j] > row[best]) ? j : best), 0);
  const [was, is] = [before, row].map((scores) => ratioText(Math.exp(scores[key] - scores[rival])));
  const ratio = rival === key ? "" : `, and so is its ratio to each other weight: to ${quoted(keys[rival])} ${was}, now ${is}`;
  const change = `${amount < 0 ? "falls" : "grows"} only from ${number(old, 3)} to ${number(now, 3)}, since the sum stays 1`;
  return `${points} on ${quoted(keys[key])}: ${size}${ratio}. Its weight ${change}.`;
}

/** @param {number} ratio */
const ratioText = (ratio) => (ratio < 0.1 || ratio >= 1000 ? brief(ratio, 2) : number(ratio, 2));

/** @param {string} word */
export const quoted = (word) => (word.includes(" ") ? word : `“${word}”`);

/**
 * What becomes of the naive program on one line: a sign and a sentence.
 *
 * @param {number[]} terms
 * @param {number} sum
 * @param {number[]} weights
 * @param {number[]} right the weights of the program that subtracts the maximum
 * @returns {[sign: string, sentence: string]}
 */
export function verdict(terms, sum, weights, right) {
  if (terms.includes(Infinity)) return ["✗", "A term is ∞, and ∞ / ∞ is not a number."];
  if (sum === Infinity) return ["✗", "No term is ∞, but their sum is: every weight is 0."];
  if (sum === 0) return ["✗", "Every term is 0, and 0 / 0 is not a number."];
  const off = Math.max(...weights.map((weight, n) => Math.abs(weight - right[n])));
  if (off > 0.0005) return ["⚠", `Terms near 0 have few digits: a weight is off by ${off.toFixed(3)}.`];
  return ["✓", "Nothing has overflowed."];
}

/**
 * What becomes of the program that subtracts the maximum.
 *
 * @param {number} maximum
 * @returns {[sign: string, sentence: string]}
 */
export function stableVerdict(maximum) {
  if (maximum === -Infinity) return ["✗", "Every score is −∞, and −∞ − (−∞) is not a number."];
  return ["✓", "The largest term is 1, so the sum is at least 1."];
}

/**
 * What becomes of the online program.
 *
 * @param {number[]} factors
 * @param {number[]} totals
 * @returns {[sign: string, sentence: string]}
 */
export function onlineVerdict(factors, totals) {
  if (totals.some(Number.isNaN))
    return ["✗", "The first score is −∞, and −∞ − (−∞) is not a number. It spoils every sum after it."];
  const rescalings = factors.filter((factor, n) => n > 0 && factor !== 1).length;
  const times = ["never rescaled", "rescaled once", "rescaled twice"][rescalings] ?? `rescaled ${rescalings} times`;
  return ["✓", `The old sum was ${times}.`];
}

/**
 * A number in few characters: so many digits, and a power of ten instead of many zeros.
 *
 * @param {number} x
 * @param {number} [digits]
 */
export function brief(x, digits = 4) {
  if (!Number.isFinite(x)) return number(x);
  const size = Math.abs(x);
  const withPower = x !== 0 && (size < 0.001 || size >= 10000);
  return (withPower ? x.toExponential(1).replace("e+", "e") : String(Number(x.toPrecision(digits)))).replaceAll("-", "−");
}
