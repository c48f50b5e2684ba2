// What TrainingLab says about one weight, and about the heads.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { follows } from "./model.js";

/**
 * One weight in words: which word looks where and how much, whether that is the place that gives the answer away, and the next word.
 *
 * @param {import("./model.js").Place} place
 * @param {import("./model.js").Run} run
 * @param {{ sequence: number }} settings
 * @param {{ weights: ArrayLike<number>, chances: ArrayLike<number> }} results
 */
export function describeWeight([layer, head, i, j], run, { sequence }, { weights, chances }) {
  const [, H, L] = run.shape;
  const ids = run.ids[sequence];
  const word = (n) => `“${run.words[ids[n]]}”`;
  const weight = number(weights[((layer * H + head) * L + i) * L + j], 2);
  const where = follows(ids, i, j) ? `, which came right after an earlier ${word(i)}` : "";
  const looks = `Layer ${layer}, head ${head}: ${word(i)} at place ${i} gives ${weight} of its weight to ${word(j)} at place ${j}${where}.`;
  if (i + 1 === L) return looks;
  return `${looks} The next word is ${word(i + 1)}; before it came, the model gave it ${number(chances[i], 2)}.`;
}

/**
 * The shares of all heads, layer by layer.
 *
 * @param {import("./model.js").Run} run
 * @param {{ before: Float32Array, shares: Float32Array }} results
 */
export function describeShares({ shape: [layers, H] }, { before, shares }) {
  const inLayer = (numbers, layer) => Array.from(numbers.slice(layer * H, (layer + 1) * H), (share) => number(share, 2)).join(", ");
  const all = (numbers) =>
    range(layers)
      .map((layer) => `${inLayer(numbers, layer)} in layer ${layer}`)
      .join("; ");
  return (
    `Weight on the word just before: ${all(before)}. ` +
    `On what came right after an earlier occurrence of the same word: ${all(shares)}.`
  );
}
