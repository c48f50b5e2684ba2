// What PassportLab says: which cut a line makes, what every head gets by it, and which sizes hide the bug.

import { product, range } from "../kit/math.js";
import { lineOf, passport, pieceOf, possiblePieces, receivers, strangersIn, WAYS, wayOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Counts} Counts */

/** @param {readonly (number | string)[]} names */
const listed = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @param {Pick<Settings, "operation">} settings */
const receiver = ({ operation }) => (operation === "split" ? "head" : "word");

/**
 * Whether all numbers are in place although the line is not the right one: sizes hide the bug.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function isLucky(settings, { counts, right }) {
  return counts["in place"] === right.length && !isRight(settings);
}

/** @param {Settings} settings */
const isRight = (settings) => wayOf(settings) === "right" || (wayOf(settings) === "pieces" && settings.piece === settings.D);

/**
 * "12 of 60 numbers are in place; 40 belong to another head, 48 to another word"
 *
 * @param {Counts} counts
 * @param {number} total
 */
export function verdict(counts, total) {
  const placed = counts["in place"];
  if (placed === total) return `all ${total} numbers are in place`;
  const others = Object.entries({
    "another head": "another head",
    "another token": "another word",
    "another channel": "another column",
  })
    .filter(([where]) => counts[where])
    .map(([where, name], n) => `${counts[where]} ${n ? "" : "belong "}to ${name}`);
  return `${placed} of ${total} numbers are in place; ${others.join(", ")}`;
}

/**
 * How the line cuts a sentence's row of memory: "cuts the row into 3 pieces of L·D = 20 numbers, one for each head"
 *
 * @param {Settings} settings
 */
export function cutOf(settings) {
  const { L, H, D, operation } = settings;
  const piece = pieceOf(settings);
  const { count, share } = receivers(settings);
  const pieces = (count * share) / piece;
  const symbol = piece === D ? "D = " : piece === share ? `${operation === "split" ? "L" : "H"}·D = ` : "";
  const size = `${symbol}${piece} number${piece === 1 ? "" : "s"}`;
  const name = receiver(settings);
  const whom = pieces === count ? `one for each ${name}` : `which the ${counted(count, name)} take in turn`;
  return `cuts the row into ${counted((L * H * D) / piece, "piece")} of ${size}, ${whom}`;
}

/**
 * What receiver 0 holds, where that is not its own numbers: "head 0 holds words 0 and 1 only"
 *
 * @param {Settings} settings
 * @param {Results} results
 */
function holdings(settings, { result }) {
  const { share } = receivers(settings);
  const held = range(share).map((n) => passport(result[n], settings));
  const [words, heads] = ["l", "h"].map((axis) => [...new Set(held.map((one) => one[axis]))].sort((a, b) => a - b));
  const split = settings.operation === "split";
  const [own, others] = split ? [heads, words] : [words, heads];
  const [ownName, otherName] = split ? ["head", "word"] : ["word", "head"];
  const all = split ? settings.L : settings.H;
  const name = (kind, which) => `${kind}${which.length > 1 ? "s" : ""} ${listed(which)}`;
  if (others.length < all) return `${ownName} 0 holds ${name(otherName, others)} only`;
  return `${ownName} 0 holds numbers of ${name(ownName, own)}`;
}

/**
 * The sentence about what is drawn.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @param {string} [subject] what cuts the row
 */
export function sentenceOf(settings, results, subject = "The line") {
  const { counts, right, error } = results;
  const name = receiver(settings);
  const { count, share } = receivers(settings);
  if (error) {
    const lengths = possiblePieces(settings);
    return (
      `No view cuts the row into pieces of ${pieceOf(settings)}: ${count === 1 ? `the ${name} gets` : `each ${name} gets`} ${share} numbers, so only pieces of ` +
      `${listed(lengths).replace(" and ", " or ")} fit. PyTorch says: ${error}.`
    );
  }
  const cut = `${subject} ${cutOf(settings)}`;
  if (isLucky(settings, results)) return `${cut}: all ${right.length} numbers are in place by luck.`;
  if (counts["in place"] === right.length) return `${cut}: each ${name} gets its own numbers.`;
  const strangers = strangersIn(counts, settings);
  const wrong = strangers ? `${strangers} belong to another ${name}` : "the others stand in the wrong cell";
  return `${cut}: ${counts["in place"]} of ${counted(right.length, "number")} are in place and ${wrong}; ${holdings(settings, results)}.`;
}

/**
 * Sentences about sizes that hide the bug.
 *
 * @param {Settings} settings
 * @param {Counts} counts
 */
export function coincidences(settings, counts) {
  const { L, H, D, operation } = settings;
  const way = wayOf(settings);
  const hiding = { interleaved: { H, D }, pieces: operation === "split" ? { H } : { L } }[way] ?? { H, L };
  const ones = Object.entries(hiding).filter(([, size]) => size === 1);
  const notes = [];
  if (ones.length && !(way === "pieces" && counts["in place"] === 0)) {
    const bug = Object.values(WAYS[operation])[1];
    const what = isRight(settings) ? `${bug} gives the same` : `all ${counts["in place"]} numbers are in place`;
    notes.push(`${ones.map(([axis]) => `${axis} = 1`).join(" and ")}: ${what}; this test cannot see the bug.`);
  }
  if (L === H && L > 1)
    notes.push(
      `L = H = ${L}: (B, L, H, D) and (B, H, L, D) are the same shape, so the shape does not tell whether the two axes were exchanged.`,
    );
  if (H === D && H > 1 && operation === "split")
    notes.push(`H = D = ${H}: view(B, L, H, D) and view(B, L, D, H) are the same call.`);
  return notes;
}

/**
 * A sentence about one number: where it belongs, and where the chosen way puts it.
 *
 * @param {number} place in the given storage
 * @param {Pick<Results, "result" | "right">} results
 * @param {Settings} settings
 */
export function describeElement(place, { result, right }, settings) {
  const { B, L, H, D, operation } = settings;
  const shape = operation === "split" ? [B, H, L, D] : [B, L, H * D];
  const indexAt = (n) => {
    const along = range(shape.length).map((axis) => Math.floor(n / product(shape.slice(axis + 1))) % shape[axis]);
    return `[${along.join(", ")}]`;
  };
  const name = ({ l, h, d }) => `word ${l}, head ${h}, channel ${d}`;
  const [actual, expected] = [result, right].map((places) => Array.prototype.indexOf.call(places, place));
  const owner = passport(place, settings);
  const holds = `Place ${place} in memory holds ${name(owner)}${B > 1 ? ` of sentence ${owner.b}` : ""}.`;
  const belongs = `${holds} It belongs at ${indexAt(expected)} of the result`;
  const code = lineOf(settings);
  if (actual < 0) return `${belongs}.`;
  if (actual === expected) return `${belongs}, and ${code} puts it there.`;
  return `${belongs}; ${code} puts it at ${indexAt(actual)}, where it is taken for ${name(passport(right[actual], settings))}.`;
}
