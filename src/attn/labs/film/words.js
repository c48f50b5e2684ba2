// What the film says, with what the layer has computed.

import { number } from "../kit/format.js";
import { listed } from "../kit/phrases.js";
import { CAPTIONS, current } from "./timeline.js";

/**
 * The caption at time t.
 *
 * @param {number} t
 * @param {import("./numbers.js").Numbers} numbers
 */
export function captionAt(t, numbers) {
  const [, text] = current(CAPTIONS, t) ?? CAPTIONS[0];
  const { h, l, s } = numbers.hero;
  const weight = number(numbers.value("weights", 0, h, l, s), 2);
  /** @type {Record<string, string>} */
  const found = {
    ...Object.fromEntries([..."LHDE"].map((axis) => [axis, String(numbers.sizes[axis])])),
    root: number(Math.sqrt(numbers.sizes.D), 0),
    verb: numbers.words[l],
    found: numbers.words[s],
    other: numbers.words[numbers.other],
    share: number(Math.max(...numbers.words.map((_, one) => numbers.value("weights", 0, h, numbers.other, one))), 2),
    gathered: listed(numbers.gathered),
    payoff: `Head ${h} answers “${numbers.role}?”: “${numbers.words[l]}” gives ${weight} of its weight to “${numbers.words[s]}”.`,
  };
  return text.replace(/\{(\w+)\}/g, (_, name) => found[name]);
}
