// What CostLab says: amounts with their units, and the sentence.

import { integer } from "../kit/format.js";
import { fits, usualTokens } from "./clocks.js";
import { DEVICES, MODELS, total } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */

const PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z"];
/** @type {[number, string][]} */
const TIMES = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];

/** Three digits: 1.57, 15.7, 157, 1,570. @param {number} value */
export function brief(value) {
  if (value >= 99.95) return integer(Math.round(value));
  return value >= 0.0995 ? value.toFixed(value >= 9.995 ? 1 : 2) : value.toPrecision(2);
}

/** 17.2 GFLOP, 15.5 GB. @param {number} value @param {string} unit */
export function amount(value, unit) {
  const power = Math.min(PREFIXES.length - 1, Math.max(0, Math.floor(Math.log10(value * 1.0005) / 3)));
  return `${brief(value / 1000 ** power)} ${PREFIXES[power]}${unit}`;
}

/** 8.03 billion. @param {number} value */
export function count(value) {
  if (value < 1e6) return integer(value);
  return value < 9.995e8 ? `${brief(value / 1e6)} million` : `${brief(value / 1e9)} billion`;
}

/** 4.64 ms. @param {number} seconds */
export function time(seconds) {
  const [unit, name] = TIMES.find(([one]) => seconds >= 0.9995 * one) ?? TIMES[TIMES.length - 1];
  return `${brief(seconds / unit)} ${name}`;
}

/** "Llama 3 8B with G = 32". @param {Settings} settings */
export function nameOf(settings) {
  const own = /** @type {const} */ (["layers", "E", "H", "G", "D"]).flatMap((name) => {
    const value = settings[name];
    return value === null || value === MODELS[settings.model][name] ? [] : [`${name} = ${value}`];
  });
  return own.length ? `${settings.model} with ${own.join(", ")}` : settings.model;
}

/** What the step waits for. @param {Results} results */
export const waitsFor = ({ seconds }) => (seconds.memory >= seconds.arithmetic ? "memory" : "arithmetic");

/** How much of the step a clock waits. @param {number} share of the step in which it works */
export const idle = (share) => (share === 1 ? "" : `waits ${floored(100 * (1 - share))} %`);

/** 99.6, never 100. @param {number} percent */
const floored = (percent) => (percent >= 99 ? (Math.floor(10 * percent) / 10).toFixed(1) : String(Math.round(percent)));

/** What the dashed square is: one token after a sequence of the usual length. @param {Settings} settings @param {Results} results */
export function compared({ B, S, phase }, results) {
  const usual = usualTokens(results);
  return B === 1 && S !== usual && phase === "decoding" ? `cache of ${integer(usual)}` : "one token";
}

/** @param {number} factor @param {string} name of the dashed square, with which a step is compared */
export function grown(factor, name) {
  if (Math.abs(factor - 1) < 0.005) return "";
  if (name !== "one token") return `${brief(factor)} × the dashed`;
  return `${Math.abs(factor - Math.round(factor)) < 1e-6 ? integer(Math.round(factor)) : brief(factor)} × ${name}`;
}

/**
 * The sentence under the picture.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function sentence(settings, results) {
  const { B, S, device, phase } = settings;
  const { places } = results.sizes;
  if (places && S > places)
    return `${settings.model} has ${integer(places)} position vectors: it cannot take ${integer(S)} tokens.`;
  const needed = amount(results.needed.parameters + results.needed.cache, "B");
  const problem = fits(results, device) ? "" : `But it needs ${needed}, and one ${device} has ${DEVICES[device].memory} GB.`;
  const until = !problem && B > 1 && phase === "decoding" ? limit(results) : "";
  return [whatIsMoved(settings, results), waiting(results), until, problem].filter(Boolean).join(" ");
}

/** @param {Results} results */
function waiting(results) {
  const { memory, arithmetic } = results.seconds;
  const [one, other] = memory >= arithmetic ? ["moving the bytes", "computing"] : ["computing", "moving the bytes"];
  const times = brief(Math.max(memory, arithmetic) / Math.min(memory, arithmetic));
  return `So a step waits for ${waitsFor(results)}: ${one} takes ${times} times as long as ${other}.`;
}

/** @param {Settings} settings @param {Results} results */
function whatIsMoved({ B, S, phase }, { moved, flops, parameters }) {
  const shared = amount(total(moved) - moved.cache, "B");
  const but = parameters.output ? " (all but the embeddings)" : "";
  const cache = amount(moved.cache / B, "B");
  if (phase === "prefill") {
    return `The ${shared} of parameters that a step reads serve ${integer(B * S)} tokens, with ${amount(total(flops), "FLOP")}.`;
  }
  return B === 1
    ? `For one token a step reads ${shared} of parameters${but} and ${cache} of cache.`
    : `${integer(B)} sequences share ${shared} of parameters; each adds ${cache} of cache.`;
}

/** @param {Results} results */
function limit({ turning }) {
  return turning === null
    ? "More sequences would wait for memory too."
    : `From a batch of ${integer(Math.ceil(turning))} on it waits for arithmetic.`;
}

/**
 * A bar in words, for readers who do not see it.
 *
 * @param {string[]} names of its parts
 * @param {number[]} shares
 */
export function listed(names, shares) {
  return shares.flatMap((share, n) => (share > 0 ? [`${names[n]} ${brief(100 * share)} %`] : [])).join(", ");
}
