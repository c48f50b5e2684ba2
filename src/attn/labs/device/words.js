// What DeviceLab says.

import { integer } from "../kit/format.js";
import { E, sizesOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */

export const NAMES = { B: "batch", H: "heads", L: "tokens", E: "width" };
const MANY = { B: "sequences", H: "heads", L: "tokens of each sequence", E: "components of every token" };
const ONE = { B: "sequence", H: "head", L: "token of each sequence", E: "component of every token" };

/** @param {number} count */
const bytes = (count) => `${integer(Math.round(count))} bytes`;

/**
 * What has happened, and its verdict.
 *
 * @param {Settings} state
 * @param {Results} results
 * @returns {{ verdict: string, kind: "" | "bad", text: string }}
 */
export function sentenceOf(state, results) {
  const { cut, N, training } = state;
  if (N === 1) return { verdict: "Nothing is sent.", kind: "", text: "One device holds the whole layer. How many do you want?" };
  if (!results.fits[cut]) return { verdict: "No equal parts.", kind: "bad", text: unfit(state) };
  const sent = /** @type {number} */ (results.bytes[cut]);
  const verdict = sent === 0 ? "Nothing is sent." : `${bytes(sent)} from each device.`;
  const text = `${share(state)} ${why(cut)}${training ? ` ${backward(cut)}` : ""}${copies(state)}`;
  return { verdict, kind: "", text };
}

/** What each device has. @param {Settings} state */
function share(state) {
  const { cut, N } = state;
  const size = sizesOf(state)[cut];
  const each = size / N;
  const whole = cut === "B" || cut === "L" ? " and the whole layer" : "";
  return `Each has ${each} of ${size} ${size === 1 ? ONE[cut] : MANY[cut]}${whole}.`;
}

/** @param {Cut} cut */
function why(cut) {
  return {
    B: "No product of the forward pass sums over sequences.",
    H: "W_O sums over heads: each device makes a part of every number of y, and the parts are added up.",
    L: "A weighted sum runs over all tokens: keys and values go once around, and queries stay.",
    E: "The projections sum over E: q, k and v are added up. Then each device computes all of the attention.",
  }[cut];
}

/** @param {Cut} cut */
function backward(cut) {
  return {
    B: "Gradients of the weights sum over sequences, and are added up.",
    H: "Backward, the gradient of x is added up.",
    L: "Backward, gradients of k and v go around, and those of the weights are added up.",
    E: "Backward, the gradient of the heads is added up.",
  }[cut];
}

/** @param {Settings} state */
function copies({ cut, G, N }) {
  if (cut !== "H" || G >= N) return "";
  return ` ${N / G} devices have a copy of each key/value head, because G = ${G} is below ${N}.`;
}

/** Why there are no equal parts. @param {Settings} state */
function unfit(state) {
  const { cut, N, H, G } = state;
  if (cut === "H" && H % N === 0) return `${G} key/value heads on ${N} devices: one number must divide the other.`;
  const size = sizesOf(state)[cut];
  if (cut === "H") return `${H} heads on ${N} devices: the cut goes through a head, and no device can compute its scores alone.`;
  return `${size} ${MANY[cut]} on ${N} devices: some wait for others.`;
}

/**
 * The shapes of what a device holds.
 *
 * @param {Settings} state
 * @param {Results} results
 * @param {number} device
 */
export function heldText(state, results, device) {
  const shapes = Object.entries(results.local);
  if (!shapes.length) return `A layer with E = ${E}, H = ${state.H} and D = ${E / state.H}.`;
  const list = shapes.map(([name, shape]) => `${name} (${shape.join(", ")})`).join(" · ");
  return `Device ${device} holds ${list}. Weights as stored, (out, in).`;
}
