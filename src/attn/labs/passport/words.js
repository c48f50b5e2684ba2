// What PassportLab says: which cut a line makes, what every head gets by it, and which sizes hide the bug.

import { product, range } from "../kit/math.js";
import { passport, pieceOf, possiblePieces, receivers, strangersIn, WAYS, wayOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Counts} Counts */

/** @param {readonly (number | string)[]} names */
const listed = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/**
 * "word 3", "words 0 and 1", "words 2 to 4"
 *
 * @param {string} noun
 * @param {readonly number[]} numbers ascending
 */
function numbered(noun, numbers) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${noun}s ${first} to ${last}`;
  return `${noun}${numbers.length > 1 ? "s" : ""} ${listed(numbers)}`;
}

/** @param {number} total */
const allNumbers = (total) => (total === 1 ? "the only number is" : `all ${total} numbers are`);

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
 * The sizes of 1 that make the chosen line right although it is not the right line.
 *
 * @param {Settings} settings
 */
function hidingSizes(settings) {
  const { L, H, D, operation } = settings;
  const sizes = { interleaved: { H, D }, pieces: operation === "split" ? { H } : { L } }[wayOf(settings)] ?? { H, L };
  return Object.entries(sizes).flatMap(([axis, size]) => (size === 1 ? [axis] : []));
}

/**
 * The sizes that hide the bug: "one head and one word"
 *
 * @param {Settings} settings
 */
export function hiding(settings) {
  return listed(hidingSizes(settings).map((axis) => ({ H: "one head", L: "one word" })[axis] ?? "one number per head"));
}

/**
 * The verdict over the numbers that are drawn, those of one sentence: "12 of 60 numbers are in place"
 *
 * @param {Counts} counts
 * @param {number} total
 * @param {Pick<Settings, "B">} settings
 */
export function verdict(counts, total, { B }) {
  const placed = counts["in place"];
  const each = B > 1 ? " in each sentence" : "";
  const which = placed === total ? allNumbers(total / B) : `${placed / B} of ${total / B} numbers are`;
  return `${which} in place${each}`;
}

/**
 * Three counts that add up to all numbers of a sentence: "12 are in place, 8 in the right head but another cell, 40 in a wrong head"
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function threeCounts(settings, { counts, right }) {
  const { B } = settings;
  const strangers = strangersIn(counts, settings);
  const [placed, inside, outside] = [counts["in place"], right.length - counts["in place"] - strangers, strangers].map(
    (count) => count / B,
  );
  const name = receiver(settings);
  const there = name === "head" ? "in the right head" : "at the right word";
  const are = (/** @type {number} */ count) => (count === 1 ? "is" : "are");
  const all = [
    placed && `${placed} ${are(placed)} in place`,
    inside && `${inside}${placed ? "" : ` ${are(inside)}`} ${there} but in another cell`,
    outside && `${outside} ${outside === 1 ? "belongs" : "belong"} to another ${name}`,
  ];
  return all
    .filter(Boolean)
    .join(", ")
    .replace(/, ([^,]*)$/, inside ? ", and $1" : " and $1");
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
  const whom =
    count === 1
      ? `for the only ${name}`
      : pieces === count
        ? `one for each ${name}`
        : `which the ${counted(count, name)} take in turn`;
  return `cuts the row into ${counted((L * H * D) / piece, "piece")} of ${size}, ${whom}`;
}

/**
 * What receiver 0 gets, where that is not its own numbers: "head 0 gets numbers of all heads from words 0 and 1, and nothing of words
 * 2 to 4"
 *
 * @param {Settings} settings
 * @param {Results} results
 */
function holdings(settings, { result }) {
  const { share, count } = receivers(settings);
  const held = range(share).map((n) => passport(result[n], settings));
  const [words, heads] = ["l", "h"].map((axis) => [...new Set(held.map((one) => one[axis]))].sort((a, b) => a - b));
  const split = settings.operation === "split";
  const [own, others] = split ? [heads, words] : [words, heads];
  const [ownName, otherName] = split ? ["head", "word"] : ["word", "head"];
  const missing = range(split ? settings.L : settings.H).filter((n) => !others.includes(n));
  const whose = own.length === count && count > 1 ? `${count === 2 ? "both" : "all"} ${ownName}s` : numbered(ownName, own);
  const gets = `${ownName} 0 gets numbers of ${whose}`;
  return missing.length ? `${gets} from ${numbered(otherName, others)}, and nothing of ${numbered(otherName, missing)}` : gets;
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
  const each = settings.B > 1 ? `, in each of the ${settings.B} sentences` : "";
  if (isLucky(settings, results))
    return `${cut}${each}: ${allNumbers(right.length / settings.B)} in place, because with ${hiding(settings)} there is nothing to exchange.`;
  if (counts["in place"] === right.length) return `${cut}${each}: each ${name} gets its own numbers.`;
  const gets = holdings(settings, results);
  return `${cut}${each}: ${threeCounts(settings, results)}. ${gets[0].toUpperCase()}${gets.slice(1)}.`;
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
  const ones = hidingSizes(settings);
  const notes = [];
  if (ones.length && !(way === "pieces" && counts["in place"] === 0)) {
    const bug = Object.values(WAYS[operation])[1];
    const what = isRight(settings) ? `${bug} gives the same; ` : "";
    notes.push(`${ones.map((axis) => `${axis} = 1`).join(" and ")}: ${what}a test at this size cannot see the bug.`);
  }
  if (L === H && L > 1) notes.push(`L = H = ${L}: with L and H exchanged, the shape is the same.`);
  if (H === D && H > 1 && way === "interleaved")
    notes.push(`H = D = ${H}: view(B, L, H, D) and view(B, L, D, H) are the same call; only the order after it differs.`);
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
  const [actual, expected] = [result, right].map((places) => Array.prototype.indexOf.call(places, place));
  const { b, l, h, d } = passport(place, settings);
  const belongs = `${B > 1 ? `Sentence ${b}, word` : "Word"} ${l}, head ${h}, number ${d}: belongs at ${operation === "split" ? "[b, h, l, d]" : "[b, l, e]"} = ${indexAt(expected)}`;
  if (actual < 0) return `${belongs}.`;
  if (actual === expected) return `${belongs}, and lies there.`;
  const taken = passport(right[actual], settings);
  return `${belongs}, lies at ${indexAt(actual)}, a cell of word ${taken.l}, head ${taken.h}.`;
}
