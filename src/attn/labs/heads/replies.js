// The answers that are read from a word's y with the recorded layer's matrix of answers, and how often they are right.

import { classOf, parse, questionsOf, WORDS } from "../kit/language.js";
import { HEADS, MEASURED } from "../kit/reader.js";
import { logitsOf } from "./model.js";

/** @typedef {import("../kit/language.js").Asked} Asked */

/**
 * What is read from a word's y: its answer to a question, and the probability of this answer. right: the answer of the sentence, null
 * if it has none.
 *
 * @typedef {{ question: Asked, word: string, chance: number, right: string | null }} Reply
 */

/**
 * The answers that are read from a word's y; none if the word asks nothing.
 *
 * @param {ArrayLike<number>} y of the word
 * @param {string[]} words of the sentence
 * @param {number} i the word
 * @returns {Reply[]}
 */
export function repliesOf(y, words, i) {
  const logits = logitsOf(y, 1);
  const asked = parse(words).filter(({ asker }) => asker === i);
  let at = 0;
  return HEADS.flatMap((question) => {
    const choices = WORDS.filter((word) => classOf(word) === question);
    const own = choices.map((_, n) => logits[at + n]);
    at += choices.length;
    if (!questionsOf(words[i]).includes(question)) return [];
    const most = Math.max(...own);
    const best = own.indexOf(most);
    const answer = asked.find((one) => one.question === question)?.answer ?? null;
    const chance = 1 / own.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    return [{ question, word: choices[best], chance, right: answer === null ? null : words[answer] }];
  });
}

/**
 * How often the layer answers a question of this kind right, with all heads and without head h: measured on sentences that it was not
 * trained on.
 *
 * @param {string} word that asks
 * @param {Asked} question
 * @param {number} h
 */
export function measured(word, question, h) {
  const found = MEASURED.questions.find((one) => one.asks === classOf(word) && one.question === question);
  return found ? { accuracy: found.accuracy, without: found.without[h], sentences: MEASURED.sentences } : null;
}

/**
 * Whether an answer is right, a guess (the right word, but less likely than all others together), or wrong; "" if there is no answer.
 *
 * @param {Reply} reply
 * @returns {"right" | "guess" | "wrong" | ""}
 */
export function judged({ word, chance, right }) {
  if (right === null) return "";
  return word !== right ? "wrong" : chance < 0.5 ? "guess" : "right";
}
