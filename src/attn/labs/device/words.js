// What DeviceLab says.

import { integer } from "../kit/format.js";
import { BYTES, CUTS, E, fits, sizesOf, stepsOf } from "./model.js";
import { shares, stuckDevices } from "./parts.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {import("./model.js").Message} Message */

const SHORT = { B: "sequence", H: "head", L: "token", E: "number" };

const RANKED =
  "No product sums over B. Keys and values go around once. Sums go around twice, and q, k and v are larger than y. Each device then has the y that its next layer reads.";

/** @param {number} count */
export const bytes = (count) => `${integer(Math.round(count))} bytes`;

/**
 * What has happened, and its verdict.
 *
 * @param {Settings} state
 * @param {Results} results
 * @param {boolean} [isCovered] whether the reader still guesses what the other cuts send
 * @param {boolean} [isLast] whether this cut was the last one to guess
 * @returns {{ verdict: string, kind: "" | "bad", text: string }}
 */
export function sentenceOf(state, results, isCovered = false, isLast = false) {
  const { cut, N, training } = state;
  if (N === 1) {
    return { verdict: "One device sends nothing.", kind: "", text: "It holds the whole layer, and has all of y." };
  }
  if (!results.fits[cut]) {
    const verdict = `${N} devices cannot share ${counted(sizesOf(state)[cut], cut)} equally.`;
    return { verdict, kind: "bad", text: `${unfit(state)}${fitting(results, N)}` };
  }
  const { B, H, L, E } = /** @type {Record<Cut, number>} */ (results.bytes);
  if (isLast && !B && L && L < H && H < E) return { verdict: "B sends nothing, L least, E most.", kind: "", text: RANKED };
  const sent = /** @type {number} */ (results.bytes[cut]);
  const verdict = sent === 0 ? "Nothing is sent." : `Each device sends ${bytes(sent)} in every layer.`;
  const more = isCovered ? " What do the other cuts send?" : also(state);
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
      H: "Each device computes q, k, v and a part of every y from its heads.",
      L: "Each device computes q, k and v of its tokens. Its y lacks the keys and values of the others.",
      E: "Each device computes its terms of q, k and v. There is no y yet.",
    }[cut];
  if (!message) return N === 1 ? "One device gets the whole layer." : `Each device gets ${own(state)}.`;
  const [what, size, round] = [message.what, bytes(inStep(message)), N - 1];
  const going =
    message.how === "ring"
      ? `Around the ring, ${step + 1} of ${round}: each device sends ${size} of ${what} to the next one.`
      : step < round
        ? `Around the ring, ${step + 1} of ${round}: each device sends ${size} of ${what}, and the next one adds its own.`
        : `Pass on, ${step + 1 - round} of ${round}: the complete sums go on to all devices.`;
  return `${because(message.what)} ${going}`;
}

/** What the reader guesses, once the devices have computed what they can alone. @param {Settings} state */
export const questionOf = ({ cut, training }) =>
  `What must it send${training ? ", forward and backward" : cut === "H" ? ", so that all devices have y" : ""}? Press ▶.`;

/** What each device gets. @param {Settings} state */
function own(state) {
  const { cut } = state;
  if (!fits(state, cut)) return "its part";
  const part = some(state, cut);
  return {
    B: `${part} and all weights`,
    H: `${part}, with their weights`,
    L: `${part} of every sequence and all weights`,
    E: `${part} of every token, with the weights that multiply them`,
  }[cut];
}

/** An equal part. @param {Settings} state @param {Cut} cut */
function some(state, cut) {
  return counted(sizesOf(state)[cut] / state.N, cut);
}

/** @param {number} count @param {Cut} cut */
const counted = (count, cut) => `${count} ${SHORT[cut]}${count === 1 ? "" : "s"}`;

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

/** The bytes that a device sends at a time. @param {Message} message */
const inStep = (message) => (BYTES * message.sent) / stepsOf(message);

/** What a device sends if this axis is cut, on its chip. @param {Settings} state @param {Cut} cut */
export function sentName({ training }, cut) {
  const what = { B: "", H: "y", L: "k, v", E: "q, k, v" }[cut];
  return `of ${what}${training ? `${what && " + "}gradients` : ""}`;
}

/** The last line of a chip: where y then is, before that what a device gets. @param {Settings} state @param {Cut} cut @param {boolean} isDone */
export function chipText(state, cut, isDone) {
  const { N, training } = state;
  if (!fits(state, cut)) return `${counted(sizesOf(state)[cut], cut)}, ${N} devices`;
  if (N === 1) return "all of y";
  if (!isDone) return `${some(state, cut)} per device`;
  if (training) return sentName(state, cut);
  return cut === "H" ? "all of y" : "own part of y";
}

/** Its name in short. @param {Message} message */
export const shortName = ({ what }) =>
  what
    .replace("gradients of the weights", "grad W")
    .replace("W_K and W_V", "W_KV")
    .replace(/gradients? of( the)?/, "grad")
    .replace("k and v", "k, v");

/** What goes along each lane, and in short. @param {Message[]} messages */
export function laneTexts(messages) {
  const text = messages.map((one) => `${stepsOf(one)} × ${bytes(inStep(one))} of ${shortName(one)}`).join(" + ");
  const total = bytes(messages.reduce((sum, { sent }) => sum + BYTES * sent, 0));
  return [text, total].flatMap((one) => [`each device sends ${one}`, one]);
}

/** What one packet is. @param {Settings} state @param {Message} message */
export function blockText({ N }, message) {
  const { numbers } = message;
  const count = numbers % N ? `${integer(numbers)} / ${N}` : integer(numbers / N);
  return `1/${N} of ${shortName(message)}: ${count} numbers × ${BYTES} bytes = ${integer(Math.round((BYTES * numbers) / N))}`;
}

/**
 * Which sequences, heads, tokens or components device d has: in words, and in short.
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
  return { text: `${SHORT[cut]}${first === last ? "" : "s"} ${numbers}`, short: `${cut} ${numbers}` };
}

/** What device d has of the result. @param {Settings} state @param {number} d @param {number} has 0 nothing, 1 a part of its sums, 2 all that it will have */
export function yName(state, d, has) {
  const { text } = ownName(state, d);
  if (!has) return `has no y${fits(state, state.cut) ? " yet" : ""}`;
  if (has < 2) return `has a part of ${state.cut === "H" ? "every" : "its"} y`;
  return `has ${{ H: "all of y", E: "its numbers of y" }[/** @type {"H"} */ (state.cut)] ?? `y of ${text}`}`;
}

/** @param {Cut} cut */
function why(cut) {
  return {
    B: "Each device computes its own sequences, and no step of the forward pass mixes them.",
    H: "W_O sums over heads: y is added up and passed on, because every head of the next layer reads all of it.",
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

/** Which heads share keys and values, or why a part of y will do. @param {Settings} state */
function also({ cut, H, G, N, training }) {
  if (cut === "L" && G === 1 && H > 1) return ` All ${H} heads read the same k and v.`;
  if (cut !== "H") return training ? "" : " A device's own part of y is enough for the next layer.";
  if (G >= N) return "";
  const copies = ` Each key/value head is on ${N / G} devices`;
  return copies + (training ? ": the gradients of its weights are added up, too (not drawn)." : ", and y is no smaller.");
}

/** What does have equal parts. @param {Results} results @param {number} N */
function fitting({ fits }, N) {
  const names = CUTS.filter((cut) => fits[cut]).map((cut) => `${SHORT[cut]}s`);
  return names.length ? ` Only ${names.join(", ").replace(/, (?=\w+$)/, " and ")} divide by ${N}.` : "";
}

/** Why there are no equal parts. @param {Settings} state */
function unfit(state) {
  const { cut, N, H, G } = state;
  if (cut === "H") {
    const isThrough = (/** @type {number} */ heads) => shares((heads * E) / H, N).some(([from]) => from % (E / H));
    const stuck = stuckDevices(state);
    const and = (/** @type {number[]} */ some) => some.join(", ").replace(/, (\d+)$/, " and $1");
    const own = stuck.length > 1 ? `devices ${and(stuck)} cannot compute their` : `device ${stuck[0]} cannot compute its`;
    const alone = `and ${stuck.length < N ? own : "no device can compute its"} scores alone.`;
    const list = `They get ${and(shares(H, N).map(([from, to]) => to - from))}. `;
    for (const [heads, what] of /** @type {const} */ ([[H, "head"], [G, "key/value head"]])) // biome-ignore format: one line
      if (isThrough(heads)) return `${heads === H ? "" : list}The cut goes through a ${what}, ${alone}`;
    if (stuck.length) return `${list}The key/value heads are not where their heads are, ${alone}`;
    return `${list}Those that have more let the others wait.`;
  }
  return "Some would wait for others.";
}
