// What CubeLab says.

import { spelled, sumSign } from "../kit/format.js";
import { range } from "../kit/math.js";
import { counted } from "../kit/phrases.js";
import { addedOf, sumOf } from "./model.js";

/** @typedef {{ L: number, S: number, D: number, head: number, added: number | null, turn: [number, number] }} Settings */
/** @typedef {import("./model.js").Results} Results */

/**
 * Whether the reader looks along D, or nearly so.
 *
 * @param {readonly [number, number]} turn
 */
export const isAlongD = ([side, up]) => side > -12 && up < 12;

/**
 * What is drawn. Letters of axes stand in braces.
 *
 * @param {Settings} settings
 */
export function happened(settings) {
  const { L, S, D } = settings;
  const [pairs, done] = [L * S, addedOf(settings)];
  if (done === 0 && isAlongD(settings.turn))
    return `Seen along {D}, the ${counted(D, "product")} of a pair lie one behind the other, where their score will be.`;
  if (done === 0)
    return `Each of the {L} · {S} = ${L} · ${S} pairs has {D} = ${counted(D, "product")}: ${counted(L * S * D, "number")} in all.`;
  if (done === 1 && D > 1)
    return `In front is the first of the ${D} products of each pair. The others still lie along {D} and are added to it one by one.`;
  if (done < D)
    return `In front, the first ${done} of the ${D} products of each pair are added up. The others still lie along {D}.`;
  if (D > 4) return `{D} is gone: ${D} products for each pair, and still only ${pairs} scores.`;
  return `{D} is gone: of ${counted(L * S * D, "product")}, ${counted(pairs, "sum")} are left, one score for each query and key.`;
}

/**
 * The products of one pair, and what they add up to.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @param {[number, number]} pair
 * @param {string[]} words
 */
export function describePair(settings, results, [i, j], words) {
  const { S, D } = settings;
  const done = addedOf(settings) || D;
  const terms = range(done).map((d) => results.products[(i * S + j) * D + d]);
  const line = terms
    .map((term) => spelled(term))
    .join(" +\u00a0") // a line may end before a sign, not after it
    .replaceAll("+\u00a0−", "−\u00a0");
  const total = sumOf(results, settings, i, j, done);
  const sum = done > 1 ? ` ${sumSign(terms, total)}\u00a0${spelled(total)}` : "";
  return `“${words[i]}” · “${words[j]}”: ${line}${sum}${done < D ? " so far" : ""}.`;
}

/**
 * Where the numbers come from.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function describeNumbers({ head }, { trained }) {
  const asks = ["who", "what", "when"][head];
  return trained ? `Head ${head} of a trained layer; it finds “${asks}”.` : "At these sizes the numbers are random whole numbers.";
}
