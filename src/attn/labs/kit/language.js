// The language of the running example: who did what, and when. The same as attn.lessons.language.

import reader from "../../lessons/reader.json" with { type: "json" };
import { splitSentence } from "./inputs.js";

/** @typedef {"who" | "what" | "when"} Asked */

/**
 * A question that a word asks: the place of the word that asks, what it asks, and the place of the answer; null if the sentence has
 * no such word.
 *
 * @typedef {{ asker: number, question: Asked, answer: number | null }} Question
 */

/** @type {Record<string, string[]>} */
const CLASSES = reader.classes;
export const WORDS = Object.values(CLASSES).flat();
export const EXAMPLES = reader.examples; // four sentences of LONGEST words
export const LONGEST = reader.places.length; // words of a sentence

const NUMBERS = new Map(WORDS.map((word, number) => [word, number]));
const CLASS = new Map(Object.entries(CLASSES).flatMap(([name, words]) => words.map((word) => [word, name])));

/**
 * The number of a word of the language.
 *
 * @param {string} word
 */
export const numberOf = (word) => NUMBERS.get(word) ?? 0;

/**
 * The class of a word: "adjective", "who", "preposition", "verb", "what" or "when".
 *
 * @param {string} word
 */
export const classOf = (word) => CLASS.get(word) ?? "";

/**
 * The words of a sentence that somebody has typed. Capital letters and punctuation do not matter. Throws an Error with a sentence for
 * the reader if a word is not one of the language, or if there are more than LONGEST words.
 *
 * @param {string} text
 */
export function readSentence(text) {
  const words = splitSentence(text);
  for (const word of words) {
    if (NUMBERS.has(word)) continue;
    const same = WORDS.map((known) => sameLetters(word, known));
    const most = Math.max(...same);
    const close = WORDS[same.indexOf(most)];
    const guess = most > 2 && close.length < most + 4 ? ` Did you mean “${close}”?` : "";
    const known = Object.values(CLASSES)
      .map((group) => group.join(" "))
      .join("; ");
    throw new Error(`“${word}” is not one of the ${WORDS.length} words of this language.${guess} The words are: ${known}.`);
  }
  if (words.length > LONGEST) {
    const given = `“${words.join(" ")}” has ${words.length} words; a sentence of this language has ${LONGEST} at most.`;
    throw new Error(`${given} Leave out at least ${words.length - LONGEST}.`);
  }
  return words;
}

/**
 * How many letters two words have in common before they differ.
 *
 * @param {string} a
 * @param {string} b
 */
function sameLetters(a, b) {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/**
 * The questions that the words of a sentence ask, in the order of the asking words. An adjective and a preposition ask for the first
 * person after them, a verb for the first person, thing and time of the sentence.
 *
 * @param {readonly string[]} words
 * @returns {Question[]}
 */
export function parse(words) {
  return words.flatMap((word, asker) =>
    questionsOf(word).map((question) => {
      const first = classOf(word) === "verb" ? 0 : asker + 1;
      const answer = words.findIndex((other, n) => n >= first && classOf(other) === question);
      return { asker, question, answer: answer < 0 ? null : answer };
    }),
  );
}

/**
 * The questions that a word asks.
 *
 * @param {string} word
 */
export const questionsOf = (word) =>
  reader.measured.questions.filter(({ asks }) => asks === classOf(word)).map(({ question }) => /** @type {Asked} */ (question));
