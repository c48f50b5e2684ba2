// What DeviceLab says.

import { integer } from "../kit/format.js";
import { BYTES, CUTS, E, fits, localShapes, sizesOf, stepsOf } from "./model.js";
import { shares, stuckDevices } from "./parts.js";

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
 * @param {boolean} [isCovered] whether the reader still guesses what the other cuts send
 * @returns {{ verdict: string, kind: "" | "bad", text: string }}
 */
export function sentenceOf(state, results, isCovered = false) {
  const { cut, N, training } = state;
  if (N === 1) {
    const text = `It holds the whole layer. The lines are where the ${NAMES[cut]} can be cut.`;
    return { verdict: "One device sends nothing.", kind: "", text };
  }
  if (!results.fits[cut]) return { verdict: "No equal parts.", kind: "bad", text: `${unfit(state)}${fitting(results)}` };
  const sent = /** @type {number} */ (results.bytes[cut]);
  const verdict = sent === 0 ? "Nothing is sent." : `Each device sends ${bytes(sent)} in every layer.`;
  const more = isCovered ? " What do the other cuts send?" : copies(state);
  const text = `${training ? both(cut) : why(cut)}${more}`;
  return { verdict, kind: "", text };
}

/**
 * What stands in place of the sentence while the picture moves: what a device gets and computes; then why something is sent, and what.
 *
 * @param {Settings} state
 * @param {{ name: string, message?: Message, step: number }} moment
 */
export function meanwhileOf(state, { name, message, step }) {
  const { cut, N } = state;
  if (name === "y") return "Each device now has all of q, k and v, and computes its numbers of y.";
  if (name === "compute" && !fits(state, cut)) return "Each device computes what it can from its own part.";
  if (name === "compute")
    return {
      B: "Each device computes q, k, v and y of its own sequences.",
      H: "Each device computes q, k and v of its heads, and their terms of every y.",
      L: "Each device computes q, k and v of its tokens. Its y lacks the keys and values of the others.",
      E: "Each device computes its terms of q, k and v. There is no y yet.",
    }[cut];
  if (!message) return N === 1 ? "One device gets the whole layer." : `Each device gets ${own(state)}.`;
  const [what, size, round] = [message.what, bytes(inStep(message, N)), N - 1];
  const going =
    message.how === "ring"
      ? `Around the ring, ${step + 1} of ${round}: each device sends ${size} of ${what} to the next one.`
      : step < round
        ? `Around the ring, ${step + 1} of ${round}: each device sends ${size} of ${what}, and the next one adds its own.`
        : `Hand on, ${step + 1 - round} of ${round}: the complete sums go on to all devices.`;
  return `${because(message.what)} ${going}`;
}

/** What each device gets. @param {Settings} state */
function own(state) {
  const { cut, N } = state;
  if (!fits(state, cut)) return "its part";
  const each = sizesOf(state)[cut] / N;
  const some = `${each} ${SHORT[cut]}${each === 1 ? "" : "s"}`;
  return {
    B: `${some} and all weights`,
    H: `${some}, with their weights`,
    L: `${some} of every sequence and all weights`,
    E: `${some} of every token, with the weights that multiply them`,
  }[cut];
}

/** Why this is sent. @param {string} what */
const because = (what) =>
  ({
    y: "W_O sums over heads, so each device has only a part of every y.",
    "k and v": "Every query needs the keys and values of all tokens.",
    "q, k and v": "The projections sum over E, so each device has only a part of q, k and v.",
    "gradient of x": "All heads read x, so its gradient is a sum over heads.",
    "gradients of k and v": "All queries have used k and v, so their gradients go back around.",
    "gradient of the heads": "The gradient of the heads sums over E.",
  })[what] ?? "All devices use the same weights, so their gradients are added up.";

/** The bytes that a device sends at a time. @param {Message} message @param {number} N */
const inStep = (message, N) => (BYTES * message.sent) / stepsOf(message, N);

/** The same on a packet. @param {Message} message @param {number} N */
export const packetText = (message, N) => bytes(inStep(message, N));

/** What a device sends if this axis is cut, on its chip. @param {Settings} state @param {Cut} cut */
export function sentName({ training }, cut) {
  if (training) return `of ${{ B: "", H: "y + ", L: "k, v + ", E: "q, k, v + " }[cut]}gradients`;
  return cut === "B" ? "" : `of ${{ H: "y", L: "k and v", E: "q, k and v" }[cut]}`;
}

/**
 * How what is sent adds up.
 *
 * @param {Settings} state
 * @param {Results} results
 * @param {boolean} [isBrief] in one line of a phone
 */
export function arrowText({ N, cut }, { messages, fits }, isBrief = false) {
  if (N === 1 || !fits[cut]) return "";
  if (!messages.length) return "";
  if (isBrief && messages.length > 1) return `Along each arrow: ${messages.map(shortName).join(", then ")}.`;
  const each = (/** @type {Message} */ one) => `${stepsOf(one, N)} × ${integer(Math.round(inStep(one, N)))}`;
  const [message, ...others] = messages;
  if (others.length) {
    const rest = others.map((one) => `; ${each(one)} of ${shortName(one)}`);
    return `Along each arrow: ${each(message)} bytes of ${shortName(message)}${rest.join("")}.`;
  }
  const all = Number.isInteger(inStep(message, N)) ? ` = ${integer(BYTES * message.sent)}` : "";
  return `Along each arrow: ${each(message)}${all} bytes of ${message.backward ? shortName(message) : message.what}.`;
}

/** Its name in short. @param {Message} message */
export const shortName = ({ what }) =>
  what
    .replace("gradients of the weights", "grad W")
    .replace(/gradients? of( the)?/, "grad")
    .replace("k and v", "k, v");

/** What stands at an arrow: with its reason, and in short. @param {Results} results @param {Message | null} [sending] */
export function parcelText({ messages }, sending = null) {
  const [forward] = sending ? [sending] : messages.filter(({ backward }) => !backward);
  if (!forward) return ["gradients of the weights: a sum over sequences", "gradients"];
  const { what, how, backward } = forward;
  const name = `${how === "ring" ? "" : "partial "}${what}`;
  const short = how === "ring" || backward ? shortName(forward) : `partial ${shortName(forward)}`;
  if (!sending && messages.length > 1) return [`${name}; gradients`, short];
  const reason = { y: ": a sum over heads", "k and v": ": every query needs them", "q, k and v": ": sums over E" }[what];
  return [...(reason ? [name + reason] : []), name, short];
}

/**
 * Which sequences, heads, tokens or components device d has: in words, and only their numbers.
 *
 * @param {Settings} state
 * @param {number} d
 */
export function ownName(state, d) {
  const { cut, H, N } = state;
  const D = cut === "H" ? E / H : 1; // of a head, its columns are shared out
  const [from, to] = shares(sizesOf(state)[cut] * D, N)[d];
  const [first, last] = [Math.floor(from / D), Math.ceil(to / D) - 1];
  const numbers = to <= from ? "–" : first === last ? `${first}` : `${first}–${last}`;
  return { text: `${SHORT[cut]}${first === last ? "" : "s"} ${numbers}`, numbers };
}

/** What has no equal parts, on its chip. @param {Settings} state @param {Cut} cut */
export function sharedName(state, cut) {
  const { N, H, G } = state;
  const size = cut === "H" && H % N === 0 ? G : sizesOf(state)[cut];
  const what = cut === "H" && H % N === 0 ? "key/value head" : SHORT[cut];
  return `of ${size} ${what}${size === 1 ? "" : "s"}`;
}

/** @param {Cut} cut */
function why(cut) {
  return {
    B: "Each device computes its own sequences, and no step of the forward pass mixes them.",
    H: "W_O sums over heads, so y is added up.",
    L: "A weighted sum runs over all tokens: keys and values go around, and queries stay.",
    E: "The projections sum over E: q, k and v are added up, and each device computes all of the attention.",
  }[cut];
}

/** Forward and backward. @param {Cut} cut */
function both(cut) {
  return {
    B: "Backward, the gradients of the weights sum over sequences, and are added up.",
    H: "Forward, y is added up; backward, the gradient of x.",
    L: "Forward, keys and values go around; backward, their gradients, and the gradients of the weights are added up.",
    E: "Forward, q, k and v are added up; backward, the gradient of the heads.",
  }[cut];
}

/** @param {Settings} state */
function copies({ cut, H, G, N }) {
  if (cut === "L" && G === 1 && H > 1) return ` All ${H} heads read the same k and v.`;
  if (cut !== "H" || G >= N) return "";
  return ` Each key/value head is on ${N / G} devices. Sharing makes the cuts of tokens and width cheaper, not that of heads.`;
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
    const isThrough = (/** @type {number} */ heads) => shares((heads * E) / H, N).some(([from]) => from % (E / H));
    const stuck = stuckDevices(state);
    const and = (/** @type {number[]} */ some) => some.join(", ").replace(/, (\d+)$/, " and $1");
    const own = stuck.length > 1 ? `devices ${and(stuck)} cannot compute their` : `device ${stuck[0]} cannot compute its`;
    const alone = `and ${stuck.length < N ? own : "no device can compute its"} scores alone.`;
    if (isThrough(H)) return `${H} heads on ${N} devices: the cut goes through a head, ${alone}`;
    const list = `${H} heads on ${N} devices: ${and(shares(H, N).map(([from, to]) => to - from))}.`;
    if (isThrough(G)) return `${list} The cut goes through a key/value head, ${alone}`;
    if (stuck.length) return `${list} The key/value heads are not where their heads are, ${alone}`;
    return `${list} Those that have more let the others wait.`;
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
