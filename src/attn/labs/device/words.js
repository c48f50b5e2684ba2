// What DeviceLab says.

import { integer } from "../kit/format.js";
import { shares } from "./layout.js";
import { BYTES, CUTS, E, localShapes, sizesOf, stored } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {import("./model.js").Message} Message */

export const NAMES = { B: "batch", H: "heads", L: "tokens", E: "width" };
const MANY = { B: "sequences", H: "heads", L: "tokens", E: "components of every token" };

const SHORT = { B: "sequence", H: "head", L: "token", E: "number" };

/** @param {number} count */
export const bytes = (count) => `${integer(Math.round(count))} bytes`;

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
  if (!results.fits[cut]) return { verdict: "No equal parts.", kind: "bad", text: `${unfit(state)}${fitting(results)}` };
  const sent = /** @type {number} */ (results.bytes[cut]);
  const verdict = sent === 0 ? "Nothing is sent." : `Each device sends ${bytes(sent)} in every layer.`;
  const text = `${training ? both(cut) : why(cut)}${copies(state)} ${kept(state, sent)}${rank(state, results)}`;
  return { verdict, kind: "", text };
}

/** Which cuts send less, and what it costs that they do. @param {Settings} state @param {Results} results */
function rank(state, { bytes: sent }) {
  const { cut } = state;
  const less = CUTS.filter((one) => (sent[one] ?? Number.POSITIVE_INFINITY) < /** @type {number} */ (sent[cut]));
  if (!less.length) return sent[cut] === 0 ? "" : " No cut sends less.";
  const keeps = less.every((one) => stored(state, one).weights > stored(state, state.cut).weights);
  const [last, ...others] = less.reverse();
  const price = keeps ? ", but divides no weights" : "";
  return ` Cutting ${others.length ? `${others.reverse().join(", ")} or ` : ""}${last} sends less${price}.`;
}

/**
 * What stands in place of the sentence while the picture moves.
 *
 * @param {Settings} state
 * @param {{ message: Message, step: number, steps: number } | null} sending
 * @param {number} sent how many numbers each device has sent
 */
export function meanwhileOf({ N }, sending, sent) {
  if (!sending) return N === 1 ? "One device gets the whole layer." : "Each device gets its part.";
  const { message, step } = sending;
  const [what, size] = [message.what, bytes(inStep(message, N))];
  const whole = ` Sent so far: ${integer(Math.round(BYTES * sent))}.`;
  if (message.how === "ring") return `Around the ring go ${what}: each device sends ${size} at a time to the next one.${whole}`;
  return step < N - 1
    ? `The sum for ${what}, first round: each device sends ${size} at a time, and the next one adds its own.${whole}`
    : `The sum for ${what}, second round: complete parts, in grey, go on to all devices.${whole}`;
}

/** How often a device sends a part of this message. @param {Message} message @param {number} N */
const stepsOf = ({ how }, N) => (how === "ring" ? N - 1 : 2 * (N - 1));

/** The bytes that a device sends at a time. @param {Message} message @param {number} N */
const inStep = (message, N) => (BYTES * message.sent) / stepsOf(message, N);

/**
 * What goes along an arrow.
 *
 * @param {Settings} state
 * @param {Results} results
 */
export function arrowText({ N, cut }, { messages, fits }) {
  if (N === 1 || !fits[cut]) return "";
  if (!messages.length) return "No arrows: no device needs what another one has.";
  const list = messages.map((one) => `${one.what}, ${stepsOf(one, N)} × ${integer(Math.round(inStep(one, N)))}`);
  return `Along each arrow: ${list.join("; ")}${list.length > 1 ? "" : ` = ${integer(BYTES * messages[0].sent)}`} bytes.`;
}

/**
 * Which sequences, heads, tokens or components device d has: in words, and only their numbers.
 *
 * @param {Settings} state
 * @param {number} d
 */
export function ownName(state, d) {
  const each = sizesOf(state)[state.cut] / state.N;
  const [first, last] = [d * each, (d + 1) * each - 1];
  const numbers = each === 1 ? `${first}` : `${first}–${last}`;
  return { text: `${SHORT[state.cut]}${each === 1 ? "" : "s"} ${numbers}`, numbers };
}

/** A share of something. @param {number} share */
const shared = (share) =>
  ({ 12: "all", 6: "half", 4: "a third", 3: "a quarter" })[Math.round(1200 * share) / 100] ?? `${Math.round(100 * share)} %`;

/** What each device keeps. @param {Settings} state @param {number} sent */
function kept(state, sent) {
  const [own, whole] = [stored(state, state.cut), stored({ ...state, N: 1 }, state.cut)];
  const [weights, cache] = [shared(own.weights / whole.weights), shared(own.cache / whole.cache)];
  const of = weights === "all" ? "all weights" : `${weights} of the weights`;
  const and = cache === weights ? " and of k and v" : cache === "all" ? " and all k and v" : ` and ${cache} of k and v`;
  return `${sent ? "For this price it" : "Each device"} keeps ${of}${and}.`;
}

/** What cannot be shared equally. @param {Settings} state @param {Cut} cut */
export function sharedName(state, cut) {
  const { N, H, G } = state;
  const size = cut === "H" && H % N === 0 ? G : sizesOf(state)[cut];
  const what = cut === "H" && H % N === 0 ? "key/value head" : SHORT[cut];
  return `${size} ${what}${size === 1 ? "" : "s"} on ${N} devices`;
}

/** @param {Cut} cut */
function why(cut) {
  return {
    B: "No product of the forward pass sums over sequences.",
    H: "W_O sums over heads, so y is added up.",
    L: "A weighted sum runs over all tokens: keys and values go around, and queries stay.",
    E: "The projections sum over E: q, k and v are added up, and each device computes all of the attention.",
  }[cut];
}

/** Forward and backward. @param {Cut} cut */
function both(cut) {
  return {
    B: "Gradients of the weights sum over sequences, and are added up.",
    H: "W_O sums over heads, so y is added up. Backward, the gradient of x is.",
    L: "Keys and values go around. Backward, their gradients do, and gradients of the weights are added up.",
    E: "The projections sum over E, so q, k and v are added up. Backward, the gradient of the heads is.",
  }[cut];
}

/** @param {Settings} state */
function copies({ cut, G, N }) {
  if (cut !== "H" || G >= N) return "";
  return ` Each key/value head is on ${N / G} devices.`;
}

/** What does have equal parts. @param {Results} results */
function fitting({ fits }) {
  const names = CUTS.filter((cut) => fits[cut]).map((cut) => MANY[cut]);
  return names.length ? ` Only ${names.join(" and ")} have equal parts.` : "";
}

/** Why there are no equal parts. @param {Settings} state */
function unfit(state) {
  const { cut, N, H, G } = state;
  if (cut === "H" && H % N === 0) return `${G} key/value heads on ${N} devices: one number must divide the other.`;
  const size = sizesOf(state)[cut];
  if (cut === "H") {
    const D = E / H;
    const isThrough = (/** @type {number} */ heads) => shares(heads * D, N).some(([from]) => from % D);
    const alone = "and no device can compute its scores alone.";
    if (isThrough(H)) return `${H} heads on ${N} devices: the cut goes through a head, ${alone}`;
    const parts = shares(H, N).map(([from, to]) => to - from);
    const list = parts.join(", ").replace(/, (\d+)$/, " and $1");
    if (isThrough(G)) return `${H} heads on ${N} devices: ${list}. The cut goes through a key/value head, ${alone}`;
    return `${H} heads on ${N} devices: ${list}. Those that have more let the others wait.`;
  }
  return `${size} ${MANY[cut]} on ${N} devices: some wait for others.`;
}

/**
 * The shapes of what a device holds, with the names of all tensors that have it, and of each number whether the cut has made it smaller.
 *
 * @param {Settings} state
 * @param {Results} results
 * @returns {[string, [number, boolean][]][]}
 */
export function heldShapes(state, { local }) {
  const whole = localShapes({ ...state, N: 1 });
  /** @type {[string, import("./model.js").Name][]} as drawn: weights are stored as (out, in) */
  const names = [["x, y", "x"], ["W_QKVᵀ", "W_QKV"], ["q", "q"], ["k, v", "k"], ["W_Oᵀ", "W_O"]]; // biome-ignore format: one line
  return names.map(([title, name]) => {
    const sizes = (local[name] ?? []).map((size, n) => /** @type {[number, boolean]} */ ([size, size !== whole[name][n]]));
    return [title, title.endsWith("ᵀ") ? sizes.reverse() : sizes];
  });
}

/**
 * The same as a text.
 *
 * @param {Settings} state
 * @param {Results} results
 * @param {number} device
 */
export function heldText(state, results, device) {
  const shapes = Object.entries(results.local);
  if (!shapes.length) return `A layer with E = ${E}, H = ${state.H} and D = ${E / state.H}.`;
  return `Device ${device} holds ${shapes.map(([name, shape]) => `${name} (${shape.join(", ")})`).join(" · ")}.`;
}
