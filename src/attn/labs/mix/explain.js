// The sentences of MixLab about its outputs.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { valueAt } from "./geometry.js";
import { WORDS } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */

/**
 * @param {ArrayLike<number>} point
 * @param {number} [digits]
 */
export function pointText(point, digits = 1) {
  return `(${number(point[0], digits)}, ${number(point[1], digits)})`;
}

/**
 * The output of each head.
 *
 * @param {Pick<Results, "out">} results
 * @param {number} heads
 * @returns {Point[]}
 */
export function outputs({ out }, heads) {
  return range(heads).map((h) => [out[2 * h], out[2 * h + 1]]);
}

/**
 * Which value the output could be mistaken for, and what two heads change about that.
 *
 * @param {Pick<State, "values" | "heads">} state
 * @param {Pick<Results, "weights" | "out">} results
 * @returns {string}
 */
export function remark({ values, heads }, { weights, out }) {
  const [first, second] = outputs({ out }, heads);
  if (!second) return remarkOnOne(first, values, weights);
  const middle = valueAt([(first[0] + second[0]) / 2, (first[1] + second[1]) / 2], values);
  if (middle < 0) return "Side by side the two outputs are four numbers.";
  const areApart = Math.hypot(first[0] - second[0], first[1] - second[1]) > 0.05;
  if (!areApart) return `Both outputs are at the value of ${WORDS[middle]}.`;
  return `An average of the two outputs could not be distinguished from the value of ${WORDS[middle]}. Side by side they can.`;
}

function remarkOnOne(output, values, weights) {
  const at = valueAt(output, values);
  if (at < 0) return "The output is not the value of any word.";
  const weight = weights[at] > 0.95 ? "nearly all weight" : `the weight ${weights[at].toFixed(2)}`;
  return `The output cannot be distinguished from the value of ${WORDS[at]}, which has ${weight}.`;
}

/**
 * What can be moved, in words: 0 and 1 are queries, 2 is the value of the first word, and so on.
 *
 * @param {number} pick
 * @param {number} heads
 */
export function pickText(pick, heads) {
  if (pick >= 2) return `value of ${WORDS[pick - 2]}`;
  return heads === 1 ? "query" : `query ${pick}`;
}
