// The sentences and numbers that HeadsLab writes.

import { range } from "../kit/math.js";
import { sourceOf } from "./model.js";

/** @typedef {import("./model.js").State} State */

const headList = (heads) => `head${heads.length > 1 ? "s" : ""} ${heads.join(", ")}`;

/**
 * Whose numbers the row of word i in concat holds.
 *
 * @param {State} state
 * @param {string[]} words
 * @param {number} i
 * @returns {string}
 */
export function rowText(state, words, i) {
  const { E, H, off } = state;
  const pieces = range(H).map((n) => sourceOf(state, i, (n * E) / H));
  const inPlace = pieces.filter(([h, word], n) => h === n && word === i).length;
  const zeros = off.length ? `; ${headList(off)} off, so 0` : "";
  if (inPlace === H) {
    const count = off.length ? `${H - off.length} of ${H}` : `all ${H}`;
    return `Row ${words[i]} of concat: ${H === 1 ? "its only head" : `${count} heads of ${words[i]}`}${zeros}.`;
  }
  /** @type {Map<number, string[]>} the words of each head in this row */
  const wordsOfHead = new Map();
  for (const [h, word] of pieces) wordsOfHead.set(h, [...(wordsOfHead.get(h) ?? []), words[word]]);
  const content = [...wordsOfHead].map(([h, list]) => `${list.join(", ")} (head ${h})`).join(", ");
  return `Row ${words[i]} of concat: ${content}${zeros}. In place: ${inPlace} of ${H} pieces.`;
}

/**
 * What adds part h to y: a head, or after the wrong merge some numbers of concat with the rows of W_O that they meet.
 *
 * @param {Pick<State, "E" | "H" | "merge" | "project">} state
 * @param {number} h
 */
export function partName({ E, H, merge, project }, h) {
  if (merge === "right") return `head ${h}`;
  const D = E / H;
  const numbers = D === 1 ? String(h) : `${h * D}–${h * D + D - 1}`;
  if (!project) return numbers;
  return `${D === 1 ? "row" : "rows"} ${numbers}`;
}

/**
 * What each part of concat adds to number e of word i, and the sum.
 *
 * @param {Pick<State, "H" | "E" | "L">} state
 * @param {Pick<import("./model.js").Results, "parts" | "y">} results
 * @param {number[]} place [i, e]
 */
export function termsOf({ H, E, L }, { parts, y }, [i, e]) {
  return { parts: range(H).map((h) => parts[(h * L + i) * E + e]), sum: y[i * E + e] };
}

/**
 * A number in few characters, and zero as 0: 0.41 with two digits; .4 or −1.2 with one.
 *
 * @param {number} value
 * @param {number} digits
 */
export function shortNumber(value, digits) {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return "0";
  return (digits === 1 ? text.replace(/^(-?)0/, "$1") : text).replace("-", "−");
}
