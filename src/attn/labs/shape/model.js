// ShapeLab's tensors, their axes, and the bugs that sizes hide when they coincide.

import { LONGEST, numberOf, readSentence } from "../kit/language.js";
import { computeLayer, randomSource, sizesOf } from "../kit/layer.js";
import { product } from "../kit/math.js";
import { isTrained, recordedSource } from "../kit/reader.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {ReturnType<typeof sizesOf>} Sizes */

/**
 * The tensors by name, and whether their numbers are those of the recorded layer: `trained`. Throws an Error with a sentence for the
 * reader if the settings do not fit together, or if the sentence is not one of the language.
 *
 * @param {LayerState} state
 * @returns {Record<string, any>}
 */
export function compute(state) {
  readSentence(state.sentence ?? "");
  const trained = isTrained(state);
  return Object.assign(computeLayer(state, trained ? recordedSource(state) : randomSource(state, numberOf)), { trained });
}

/**
 * The settings to change for a sentence that the reader has typed; "" goes back to the lab's own. Throws an Error with a sentence for
 * the reader if it is not a sentence of the language: show it, and change nothing.
 *
 * @param {string} sentence
 */
export function changesForSentence(sentence) {
  const words = readSentence(sentence);
  return { sentence: words.join(" "), L: words.length || LONGEST };
}

/**
 * The tensors in the order in which they are computed: name, axes (those of attn.steps.LayerSteps), and how each is made.
 *
 * @type {[name: string, axes: string, how: string][]}
 */
export const STEPS = [
  ["x", "B L E", "words"],
  ["context", "B S E", "other words"],
  ["q_flat", "B L H·D", "x · W_Q"],
  ["k_flat", "B S G·D", "x · W_K"],
  ["v_flat", "B S G·D", "x · W_V"],
  ["q", "B H L D", "split heads"],
  ["k", "B G S D", "split heads"],
  ["v", "B G S D", "split heads"],
  ["scores", "B H L S", "q · kᵀ"],
  ["scaled", "B H L S", "÷ √D"],
  ["masked", "B H L S", "mask"],
  ["weights", "B H L S", "softmax"],
  ["heads", "B H L D", "weights · v"],
  ["concat", "B L H·D", "merge heads"],
  ["y", "B L E", "concat · W_O"],
];

/** The tensors with a number for each pair of a query and a key. */
export const PAIRED = new Set(["scores", "scaled", "masked", "weights"]);

/**
 * The axes with the letter H instead of G where there are as many key/value heads as query heads.
 *
 * @param {string} axes
 * @param {Pick<LayerState, "G">} state
 */
export function axesNow(axes, { G }) {
  return G === null ? axes.replace("G", "H") : axes;
}

/**
 * @param {string} axes
 * @param {Sizes} sizes
 */
export function shapeOf(axes, sizes) {
  return axes.split(" ").map((axis) => product(axis.split("·").map((one) => sizes[/** @type {keyof Sizes} */ (one)])));
}

/** @type {Record<string, string>} */
const HIDDEN_BUGS = {
  "B H": "a mask of shape (B, L, S) is taken for one per head",
  "B L": "sentences and words can be exchanged",
  "H L": "forgetting to exchange L and H keeps the shape",
  "H D": "cutting E as (D, H) instead of (H, D) keeps the shape",
  "L D": "q @ k without the transpose runs",
  "L S": "scores with rows and columns exchanged keep the shape",
  "D S": "a k that is already transposed fits",
};

/**
 * A sentence for each pair of sizes that coincide, with the bug that they hide.
 *
 * @param {Pick<LayerState, "B" | "H" | "L" | "S" | "D" | "G">} state
 */
export function coincidences(state) {
  const { B, H, L, S, D } = sizesOf(state);
  const sizes = Object.entries({ B, H, L, D, ...(state.S === null ? {} : { S }) });
  const pairs = sizes.flatMap((a, n) => sizes.slice(n + 1).map((b) => [a, b]));
  const equal = pairs
    .filter(([[, a], [, b]]) => a === b)
    .map(([[a, size], [b]]) => {
      const bug = HIDDEN_BUGS[`${a} ${b}`] ?? HIDDEN_BUGS[`${b} ${a}`] ?? "a line that exchanges them keeps the shape";
      return `${a} = ${b} = ${size}: ${bug}.`;
    });
  if (H === 1 || L === 1)
    equal.push(`${H === 1 ? "H" : "L"} = 1: a split that forgets to exchange L and H gives the right numbers.`);
  return equal;
}
