// What ShapeLab's numbers mean, in words: which words ask, what a head answers, and what a row of weights says. At the sizes of the
// recorded layer only; elsewhere the numbers are random, and the story says so.

import { integer, number } from "../kit/format.js";
import { LONGEST, parse } from "../kit/language.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { HEADS, isTrained, MEASURED, SIZES } from "../kit/reader.js";
import { quoted } from "./cell.js";
import { PAIRED } from "./model.js";

/** @typedef {import("../kit/facets.js").Place} Place */
/** @typedef {import("../kit/layer.js").LayerState & { step?: string, pin?: Place | null }} State */
/** @typedef {import("../kit/language.js").Asked} Asked */

/**
 * A word that asks: its place in the sentence, and for each of its questions the head that answers and the place of the answer, null
 * if the sentence has none.
 *
 * @typedef {{ place: number, word: string, questions: { question: Asked, head: number, answer: number | null }[] }} Asker
 */

/**
 * @typedef {object} Story
 * @property {boolean} trained
 * @property {Asker[][]} asking for each sentence the words that ask: mark them. Empty lists where nothing can be read from the weights
 * @property {string} text the sentences for the cell at the place, or for the lab as a whole if there is none
 */

const ASKERS = /** @type {Record<string, string>} */ ({ adjective: "adjectives", preposition: "near and behind", verb: "verbs" });
const ANSWERS = { who: "person", what: "thing", when: "time" };
const WITH_HEADS = new Set(["q", "k", "v", "heads"]);

/**
 * What the lab tells about its settings and about one cell.
 *
 * @param {State} state
 * @param {Record<string, any> | null} results its weights give the story numbers; without them, as in Jupyter, it has none
 * @param {Place | null} [place] the cell that is pointed at, or else the pinned one
 * @returns {Story}
 */
export function story(state, results, place = state.pin ?? null) {
  const trained = isTrained(state);
  const [b, h, i] = place ?? [0, 0, 0];
  const { B, H, L } = sizesOf(state);
  const inside = place !== null && b < B && h < H && i < L;
  const step = state.step ?? "weights";
  const parts = [note(state)];
  if (trained && state.S === null) {
    if (inside && PAIRED.has(step)) parts.unshift(rowStory(state, results, b, h, i));
    else if (inside && WITH_HEADS.has(step)) parts.unshift(headStory(h));
    else parts.unshift(`Some words ask: ${HEADS.map(job).join(", ")}.`);
  }
  return { trained, asking: asking(state), text: parts.filter(Boolean).join(" ") };
}

/**
 * The words that ask, for each sentence.
 *
 * @param {State} state
 * @returns {Asker[][]}
 */
export function asking(state) {
  const readable = isTrained(state) && state.S === null;
  return wordsAlong(state, "L").map((words) => (readable ? askersOf(words) : []));
}

/**
 * @param {string[]} words
 * @returns {Asker[]}
 */
function askersOf(words) {
  const questions = parse(words);
  const places = [...new Set(questions.map(({ asker }) => asker))];
  return places.map((place) => ({
    place,
    word: words[place],
    questions: questions
      .filter(({ asker }) => asker === place)
      .map(({ question, answer }) => ({ question, head: HEADS.indexOf(question), answer })),
  }));
}

/**
 * What a head of the recorded layer does, as it was measured.
 *
 * @param {number} h
 */
export function headStory(h) {
  const kinds = MEASURED.questions.filter(({ question }) => question === HEADS[h]);
  const shares = kinds.map(({ asks, shares }) => [ASKERS[asks], number(shares[h], 2)]);
  const [[first, share], ...others] = shares;
  const more = others.map(([askers, other]) => `, ${askers} ${other}`).join("");
  const measured = `(an average over ${integer(MEASURED.sentences)} sentences)`;
  return `Head ${h} answers ${asked(HEADS[h])}: ${first} put ${share} of their weight on the right ${ANSWERS[HEADS[h]]}${more} ${measured}.`;
}

/**
 * What a row of the recorded layer's weights says: of sentence b, head h and word i.
 *
 * @param {State} state
 * @param {Record<string, any> | null} results
 * @param {number} b
 * @param {number} h
 * @param {number} i
 */
export function rowStory(state, results, b, h, i) {
  const words = wordsAlong(state, "L")[b];
  const word = quoted(words[i]);
  const questions = askersOf(words).find(({ place }) => place === i)?.questions ?? [];
  if (!questions.length) {
    return `${word} asks nothing. Its weights sum to 1 all the same, and mean nothing.`;
  }
  const mine = questions.find(({ head }) => head === h);
  if (!mine) {
    const [{ question, head }] = questions;
    return `${word} asks ${asked(question)}, and head ${head} answers that. Head ${h} was not asked, so these weights mean nothing.`;
  }
  const { question, answer } = mine;
  const row = weightsAt(state, results, b, h, i);
  const most = row ? row.indexOf(Math.max(...row)) : 0;
  const winner = row ? `the largest, ${number(row[most], 2)}, is that of ${quoted(words[most])}` : "";
  if (answer === null) {
    const where = winner && `: ${winner}`;
    return `${word} asks ${asked(question)}, and no word of the sentence answers. The weights sum to 1 all the same${where}.`;
  }
  const asks = `${word} asks ${asked(question)}.`;
  if (state.causal && answer > i) return `${asks} The answer, ${quoted(words[answer])}, stands later, so the mask hides it.`;
  if (!row) return `${asks} Head ${h} looks for the answer, ${quoted(words[answer])}.`;
  const given = `Head ${h} puts ${number(row[answer], 2)} of its weight on the answer, ${quoted(words[answer])}`;
  return `${asks} ${given}${most === answer ? "" : `; ${winner}`}.`;
}

/**
 * The row of weights of a word, null if the weights are not here.
 *
 * @param {State} state
 * @param {Record<string, any> | null} results
 * @param {number} b
 * @param {number} h
 * @param {number} i
 * @returns {number[] | null}
 */
function weightsAt(state, results, b, h, i) {
  if (!results?.weights) return null;
  const { H, L, S } = sizesOf(state);
  const from = ((b * H + h) * L + i) * S;
  return Array.from(results.weights.subarray(from, from + S));
}

/**
 * What must be known about the settings: why the numbers are random, or for what the recorded layer was not trained. "" at its own
 * settings.
 *
 * @param {State} state
 */
export function note(state) {
  const { L, S, G, H, D } = sizesOf(state);
  if (!isTrained(state)) {
    const sizes = [
      ...(H === SIZES.H ? [] : [`H = ${SIZES.H}`]),
      ...(D === SIZES.D ? [] : [`D = ${SIZES.D}`]),
      ...(L <= LONGEST ? [] : [`L up to ${LONGEST}`]),
      ...(S <= LONGEST || S === L ? [] : [`S up to ${LONGEST}`]),
      ...(G === H ? [] : ["as many key/value heads as heads"]),
    ].join(", ");
    return sizes
      ? `Random numbers; the trained layer has ${sizes}.`
      : `New numbers are random. The trained ones are those of seed 0: reset brings them back.`;
  }
  const parts = [];
  if (state.S !== null) parts.push("The layer was trained on one sentence at a time: weights between two sentences mean nothing.");
  if (state.causal) parts.push("The layer was trained without a causal mask.");
  if (!state.scale) parts.push("The layer was trained with scores divided by √D.");
  return parts.join(" ");
}

/** @param {Asked} question */
const asked = (question) => `“${question}?”`;

/**
 * @param {Asked} question
 * @param {number} h
 */
const job = (question, h) => `head ${h} ${h ? "" : "finds "}${asked(question)}`;
