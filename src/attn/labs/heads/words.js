// The sentences and numbers that HeadsLab writes.

import { integer, number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { listed, quoted } from "../kit/phrases.js";
import { HEADS } from "../kit/reader.js";
import { sourceOf } from "./model.js";
import { judged, measured, repliesOf } from "./replies.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./replies.js").Reply} Reply */

/** @param {number} share */
export const percent = (share) => `${number(100 * share, 0)} %`.replace(/^−0 /, "0 ");

/**
 * Shares in whole percent. If the shares add up to 1, so do these: those that rounding has changed most are rounded the other way.
 *
 * @param {readonly number[]} shares
 */
export function percents(shares) {
  const whole = shares.map((share) => Math.round(100 * share));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let left = Math.abs(total - 1) < 1e-3 ? 100 - whole.reduce((sum, one) => sum + one, 0) : 0;
  for (; left; left -= Math.sign(left)) {
    const errors = shares.map((share, h) => Math.sign(left) * (100 * share - whole[h]));
    whole[errors.indexOf(Math.max(...errors))] += Math.sign(left);
  }
  return whole.map((one) => percent(one / 100));
}

/** A change, with so many decimals that it is not written as zero. @param {number} change */
export const signed = (change) =>
  `${change > 0 ? "+" : ""}${number(change, Math.max(2, Math.ceil(-Math.log10(Math.abs(change)))))}`;

/** @param {number[]} heads */
const headList = (heads) => `head${heads.length > 1 ? "s" : ""} ${listed(heads.map(String))}`;

/**
 * What part h of a word's y is called: its head or, after the wrong merge, the head and the word whose numbers it holds.
 *
 * @param {State} state
 * @param {boolean} trained
 * @param {string[]} words
 * @param {number} i
 * @param {number} h
 * @returns {{ head: number, text: string, stranger: boolean }}
 */
export function partOf(state, trained, words, i, h) {
  const [head, word] = sourceOf(state, i, (h * state.E) / state.H);
  const stranger = head !== h || word !== i;
  const text = state.merge === "wrong" ? words[word] : trained ? HEADS[h] : "";
  return { head, text, stranger };
}

/**
 * How many pieces of concat are in the row of their word, at the place of their head.
 *
 * @param {State} state
 */
export function countStrangers(state) {
  const { H, L, E } = state;
  const pieces = range(L).flatMap((i) =>
    range(H).map((slot) => {
      const [h, word] = sourceOf(state, i, (slot * E) / H);
      return h !== slot || word !== i;
    }),
  );
  return { all: H * L, strangers: pieces.filter(Boolean).length };
}

/**
 * Whose numbers the row of word i in concat holds.
 *
 * @param {State} state
 * @param {string[]} words
 * @param {number} i
 * @returns {string}
 */
export function rowText(state, words, i) {
  /** @type {Map<number, string[]>} the words of each head in this row */
  const wordsOfHead = new Map();
  for (const slot of range(state.H)) {
    const [h, word] = sourceOf(state, i, (slot * state.E) / state.H);
    wordsOfHead.set(h, [...(wordsOfHead.get(h) ?? []), quoted(words[word])]);
  }
  const heads = [...wordsOfHead.keys()];
  if (state.H > 4) return `The row of ${quoted(words[i])} holds ${state.H} pieces of ${headList(heads)}.`;
  const content = [...wordsOfHead].map(([h, list]) => `${listed(list)} of head ${h}`);
  return `The row of ${quoted(words[i])} holds ${listed(content)}.`;
}

/**
 * The verdict on the merge, and what it does to the row of word i.
 *
 * @param {State} state
 * @param {string[]} words
 * @param {readonly number[]} place the row of concat, and the piece of it that is marked
 * @param {Results | null} [results] of the trained layer: what is read from the row
 * @returns {{ kind: "good" | "luck" | "bad", verdict: string, text: string }}
 */
export function mergeSentence(state, words, [i, slot], results = null) {
  const { H, L, E, merge } = state;
  const [h, word] = sourceOf(state, i, (slot * E) / H);
  const marked = H > 4 ? ` The marked piece is ${quoted(words[word])} of head ${h}.` : ""; // there is no room for words in it
  const { all, strangers } = countStrangers(state);
  if (merge === "right") {
    const heads = H === 1 ? "its only head" : `its own ${H} heads side by side`;
    const text = `The transpose puts H beside D, so each row of concat holds ${heads}.${marked}`;
    return { kind: "good", verdict: "✓ Every piece is in the row of its word.", text };
  }
  if (!strangers) {
    const why = H === 1 && L === 1 ? "H = L = 1" : H === 1 ? "H = 1" : "L = 1";
    return {
      kind: "luck",
      verdict: `⚠ At ${why} the transpose changes nothing.`,
      text: "A test at this size cannot see the mistake.",
    };
  }
  const lost = results?.trained ? lostOf(results, words, i, E) : [];
  const read = lost.length ? ` After W_O, ${lostText(lost[0])}.` : "";
  const text = `No error: the shape is right.`;
  return {
    kind: "bad",
    verdict: `✗ ${strangers} of ${all} pieces are in the wrong place.`,
    text: `${rowText(state, words, i)}${marked}${read} ${text}`,
  };
}

/**
 * What the heads add to y of word i, and what a head that is off has taken away.
 *
 * @param {State & { block: number | null }} state
 * @param {Results} results
 * @param {string[]} words
 * @param {readonly number[]} place the word, and the number of its y that is written out
 * @param {boolean} withAnswers whether the answers are shown
 * @param {boolean} isRead whether the number is written out
 * @returns {{ kind: "good" | "bad" | "", verdict: string, text: string }}
 */
export function sumSentence(state, results, words, [i, e], withAnswers = true, isRead = false) {
  const { H, L, E, off, merge, project, block } = state;
  const { trained, y, shares } = results;
  const word = quoted(words[i]);
  const replies = trained && withAnswers ? repliesOf(y.subarray(i * E, (i + 1) * E), words, i) : [];
  const lost = replies.filter(isLost);
  const answers = lost.map(lostText);
  const random = trained ? "" : " At these sizes the numbers are random.";
  if (merge === "wrong" && countStrangers(state).strangers) {
    const spoilt = answers.length ? `: ${answers.join("; ")}` : "";
    const meets = rowText(state, words, i).replace(/^The row/, "W_O multiplies the wrong numbers: the row");
    return { kind: "bad", verdict: `✗ No error, and a wrong y of ${word}${spoilt}.`, text: `${meets}${random}` };
  }
  if (off.length === H) return { kind: "", verdict: "All heads are off:", text: "y is 0, and nothing can be read from it." };
  if (isRead && block === null) {
    const { parts, sum } = termsOf(state, results, [i, e]);
    const terms = parts.filter((_, h) => !off.includes(h)).map((part) => number(part, 2));
    const before = range(H).reduce((all, h) => all + results.whole[(h * L + i) * E + e], 0);
    const verdict = `Number ${e} of y is ${number(sum, 2)}${off.length ? `, not ${number(before, 2)}` : ""}:`;
    const added = terms.length > 1 ? `${terms.join(" + ").replaceAll("+ −", "− ")}, one number from each head` : `it is one head’s`;
    return { kind: "", verdict, text: `${added}${off.length ? " that is left" : ""}.${random}` };
  }
  if (off.length) return offSentence(state, results, words, i, { lost, replies, random });
  if (!project) {
    const text = `y of ${word} is concat. Each head has ${E / H === 1 ? "a number" : `${E / H} numbers`} of its own, and no share is negative.`;
    return {
      kind: "",
      verdict: "Without W_O:",
      text: text + (answers.length ? ` The answers are wrong: ${answers.join("; ")}.` : "") + random,
    };
  }
  if (block !== null) {
    const h = Math.min(block, H - 1);
    const D = E / H;
    const rows = D === 1 ? `row ${h}` : `rows ${h * D} to ${h * D + D - 1}`;
    const terms = range(D).map((d) => number(results.concat[i * E + h * D + d] * results.W_O[(h * D + d) * E + e], 2));
    const products = terms.join(" + ").replaceAll("+ −", "− "); // as they stand in the rows of the table
    const sum = number(results.parts[(h * L + i) * E + e], 2);
    const spelled = D <= 4 ? ` Number ${e}: ${products} ≈ ${sum}.` : "";
    const text = `its ${D === 1 ? "number" : `${D} numbers`} in concat times ${rows} of W_O, which no other head uses.`;
    return { kind: "", verdict: `What head ${h} adds is`, text: `${text}${spelled}${random}` };
  }
  const own = range(H).map((h) => shares[h * L + i]);
  const name = (/** @type {number} */ h) => (trained ? `head ${h} (${HEADS[h]})` : `head ${h}`);
  const lowest = own.indexOf(Math.min(...own));
  if (H === 1)
    return { kind: "", verdict: "One head adds all of y.", text: `With more heads, each uses rows of W_O of its own.${random}` };
  const order = range(H).sort((a, b) => own[b] - own[a]);
  const most = H <= 4 ? range(H) : order.slice(0, 2);
  const written = percents(own);
  const list = listed(most.map((h, n) => `${written[h]} ${n ? "" : "is "}from ${name(h)}`));
  const share = H <= 4 ? `The share of head ${lowest}` : `The share of head ${lowest}, ${written[lowest]},`;
  const negative = own[lowest] < 0 ? ` ${share} is negative: it points against y.` : "";
  const count = ["Two", "Three", "Four"][H - 2] ?? H;
  const verdict = `${count} vectors, added tip to tail, are y of ${word}.`;
  return { kind: "", verdict, text: `Along y, ${list}.${negative}${random}` };
}

/**
 * @param {State} state
 * @param {Results} results
 * @param {string[]} words
 * @param {number} i
 * @param {{ lost: Reply[], replies: Reply[], random: string }} read
 * @returns {{ kind: "good" | "bad" | "", verdict: string, text: string }}
 */
function offSentence({ H, L, E, off }, { y, whole }, words, i, { lost, replies, random }) {
  const vectors = range(H).map((h) => Array.from(whole.subarray((h * L + i) * E, (h * L + i) * E + E)));
  const left = range(H).map((h) => Number(!off.includes(h)));
  const full = range(E).map((e) => vectors.reduce((sum, row) => sum + row[e], 0));
  const changes = `${changesOf(vectors, left).length} of ${E} numbers of y change`;
  const asked = replies.filter(({ right }) => right !== null).length;
  const word = quoted(words[i]);
  const without = `Without ${headList(off)},`;
  if (!asked) {
    const lengths = [full, y.subarray(i * E, (i + 1) * E)].map((row) => Math.hypot(...row));
    const written = (/** @type {number} */ digits) => lengths.map((length) => number(length, digits));
    const digits = [2, 3, 4, 5].find((count) => new Set(written(count)).size > 1); // so many that they differ
    const goes = digits ? `goes from ${written(digits).join(" to ")}` : `stays ${written(2)[0]}`;
    return { kind: "", verdict: `${changes}.`, text: `${without} the length of y of ${word} ${goes}.${random}` };
  }
  const verdict = `${changes}; ${lost.length} of ${asked} answers ${lost.length === 1 ? "is" : "are"} lost.`;
  if (!lost.length) return { kind: "", verdict, text: `${without} ${word} still gets the right answer${asked > 1 ? "s" : ""}.` };
  const [first] = lost;
  const known = off.length === 1 ? measured(words[i], first.question, off[0]) : null;
  const often = known
    ? ` Over ${integer(known.sentences)} new sentences, ${first.question}? is then right in ${percent(known.without)}, instead of ${percent(known.accuracy)}.`
    : "";
  return { kind: "", verdict, text: `${without} ${lost.map(lostText).join("; ")}.${often}` };
}

/**
 * Which numbers of the sum change when less is left of some vectors.
 *
 * @param {number[][]} vectors
 * @param {number[]} amounts how much is left of each
 */
export const changesOf = (vectors, amounts) =>
  range(vectors[0].length).filter((e) => Math.abs(vectors.reduce((all, row, h) => all + (1 - amounts[h]) * row[e], 0)) > 1e-6);

/** @param {Reply} reply */
const isLost = (reply) => judged(reply) === "lost";

/** @param {Results} results @param {string[]} words @param {number} i @param {number} E */
const lostOf = ({ y }, words, i, E) => repliesOf(y.subarray(i * E, (i + 1) * E), words, i).filter(isLost);

/**
 * What has become of an answer that is not read any more.
 *
 * @param {Reply} reply
 */
function lostText({ question, word, chance, right, of }) {
  if (chance < 0.5)
    return `${question}? is a guess among ${of} words: “${word}” with ${percent(chance)}${word === right ? "" : `, not “${right}”`}`;
  return `${question}? is answered “${word}” (${percent(chance)}), not “${right}”`;
}

/**
 * What each part of concat adds to number e of word i, and the sum.
 *
 * @param {Pick<State, "H" | "E" | "L">} state
 * @param {Pick<Results, "parts" | "y">} results
 * @param {readonly number[]} place [i, e]
 */
export function termsOf({ H, E, L }, { parts, y }, [i, e]) {
  return { parts: range(H).map((h) => parts[(h * L + i) * E + e]), sum: y[i * E + e] };
}

/**
 * What is seen while the pieces of the heads move.
 *
 * @param {import("./model.js").State} state
 */
export const mergingSentence = ({ merge }) =>
  merge === "right"
    ? "Each piece goes to the row of its word, beside the pieces of the other heads."
    : "Without the transpose the pieces are laid down as they lie in memory: all of head 0 first, then the next head.";

/**
 * What is seen while heads are taken away or come back.
 *
 * @param {import("./model.js").State} state
 */
export const movingSentence = ({ off }) => (off.length ? `Without ${headList(off)} …` : "All heads are back …");
