// Phrases that many sentences of the labs contain.

import { integer } from "./format.js";

/**
 * A count with its noun: 1 step, 2 steps.
 *
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${integer(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Words in a row: a; a and b; a, b and c.
 *
 * @param {readonly string[]} words
 * @param {"and" | "or"} [last]
 */
export function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}

/** @param {string} word */
export const quoted = (word) => `“${word}”`;

/** A text that begins with a capital letter. @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
