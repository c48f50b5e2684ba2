// The answers that are read from a word's y with the recorded layer's matrix of answers, and how often they are right.

import { classOf, parse, questionsOf, WORDS } from "../kit/language.js";
import { HEADS, MEASURED } from "../kit/reader.js";
import { logitsOf } from "./model.js";

/** @typedef {import("../kit/language.js").Asked} Asked */

/**
 * What is read from a word's y: its answer to a question, and the probability of this answer. right: the answer of the sentence, null
 * if it has none. of: how many words the reader chooses from.
 *
 * @typedef {{ question: Asked, word: string, chance: number, right: string | null, of: number }} Reply
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
    return [{ question, word: choices[best], chance, right: answer === null ? null : words[answer], of: own.length }];
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
 * Whether an answer is kept, or lost: a wrong word, or one that is less likely than all others together; "" if there is no answer.
 *
 * @param {Reply} reply
 * @returns {"right" | "lost" | ""}
 */
export function judged({ word, chance, right }) {
  if (right === null) return "";
  return word === right && chance >= 0.5 ? "right" : "lost";
}
