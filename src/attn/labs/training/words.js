// What TrainingLab says: the moment of the training, one word of the sequence, and what it is answered.

import { integer, number } from "../kit/format.js";
import { headAt, linesOf, rowToShow } from "./model.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {string | ["good" | "bad", string]} Part of a sentence: plain, or a verdict */

/**
 * The moment of a frame: its step and its loss.
 *
 * @param {Run} run
 * @param {number} frame
 * @param {number} [loss]
 */
export function momentOf(run, frame, loss = run.losses[run.steps[frame]]) {
  const last = run.steps.length - 1;
  const step = integer(run.steps[frame]);
  if (frame === 0) return `Before training: loss ${number(loss, 2)}.`;
  if (frame === run.fall) return `Step ${step}, where the loss falls fastest: ${number(loss, 2)}.`;
  if (frame === last) return `After ${step} steps: loss ${number(loss, 2)}.`;
  return `Step ${step}: loss ${number(loss, 2)}.`;
}

/**
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 */
export const headName = ({ shape: [layers] }, [layer, head]) => (layers > 1 ? `layer ${layer}, head ${head}` : `head ${head}`);

/**
 * The sentence about the weights: when, where a word looks in this head, and what the model answers at this word.
 *
 * @param {Run} run
 * @param {{ sequence: number, head: readonly [layer: number, head: number], pin: readonly [row: number, column: number] | null }} settings
 * @param {number} frame
 * @param {{ loss: number, chances: ArrayLike<number>, guesses: ArrayLike<number> }} results
 * @returns {Part[]}
 */
export function weightSentence(run, { sequence, head, pin }, frame, { loss, chances, guesses }) {
  const ids = run.ids[sequence];
  const L = ids.length;
  const row = pin?.[0] ?? rowToShow(run, sequence);
  const weights = headAt(run, frame, sequence, ...head).subarray(row * L, (row + 1) * L);
  const column = pin?.[1] ?? weights.indexOf(Math.max(...weights));
  const hasTwins = new Set(ids).size < L; // then the place says which one is meant
  const word = (n) => `“${run.words[ids[n]]}”${hasTwins ? ` at place ${n}` : ""}`;
  const name = headName(run, head);
  const weight = number(weights[column], 2);
  const looks = pin ? `gives ${weight} of its weight to ${word(column)}` : `gives most weight, ${weight}, to ${word(column)}`;
  const asked = run.asks[sequence].map((ask, n) => ({ ask, n })).filter(({ ask }) => ask[0] === row);
  /** @type {Part[]} */
  const answers = asked.flatMap(({ ask: [, question, right], n }, at) => {
    const isRight = guesses[n] === right;
    const guess = `“${run.words[guesses[n]]}”`;
    if (!run.questions.length && !run.counted[sequence][row])
      return [` The guess of what comes next is ${guess}; the loss does not count it.`];
    /** @type {Part} */
    const verdict = isRight ? ["good", "✓"] : ["bad", "✗"];
    if (run.questions.length) return [`${at ? ", " : " Answers: "}${run.questions[question]}? ${guess} `, verdict];
    const but = isRight
      ? `, with a probability of ${number(chances[n], 2)}.`
      : `: “${run.words[right]}” has a probability of ${number(chances[n], 2)}.`;
    return [` The guess of what comes next: ${guess} `, verdict, but];
  });
  const silent = run.questions.length && !answers.length ? " It asks nothing." : "";
  return [`${momentOf(run, frame, loss)} In ${name}, ${word(row)} ${looks}.${silent}`, ...answers];
}

/**
 * The sentence while a training plays to a frame. It has no loss, because the picture is between two frames.
 *
 * @param {Run} run
 * @param {number} frame
 */
export const playSentence = ({ steps }, frame) =>
  frame ? `The training plays to step ${integer(steps[frame])}: watch the loss fall.` : "Back to the beginning.";

const CHOICES = { who: "people", what: "things", when: "times" };

/**
 * What the model is trained to do: the questions of a sequence, or the next word.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function taskText(run, sequence) {
  const { questions, choices, back, words } = run;
  if (!questions.length) {
    const where = back === null ? "the one that followed the same word before" : `the one ${back} places back`;
    return `The task: say which word comes next. Where the loss counts it, that is ${where}.`;
  }
  const askers = [...new Set(run.asks[sequence].map(([row]) => row))];
  const asked = askers.map((row, n) => {
    const word = words[run.ids[sequence][row]];
    const isVerb = run.asks[sequence].filter(([one]) => one === row).length > 1;
    return `“${word}” ${n ? "" : "asks "}who ${isVerb ? `${word} what, and when` : `is ${word}`}`;
  });
  const many = questions.map((question, n) => `${choices[n]} ${CHOICES[question]}`);
  return `The task: ${asked.join(", ")}. The model chooses among ${many.slice(0, -1).join(", ")} and ${many[many.length - 1]}.`;
}

/**
 * How a head ends in this training and in the first one, if both are of one kind; "" in the first one, and before the end.
 *
 * @param {Run} run
 * @param {Run} first
 * @param {{ sequence: number, head: readonly [layer: number, head: number] }} settings
 * @param {number} frame
 */
export function contrast(run, first, { sequence, head }, frame) {
  const last = run.steps.length - 1;
  if (run === first || frame < last || !run.questions.length || String(first.shape) !== String(run.shape)) return "";
  const [here, there] = [run, first].map((one) =>
    linesOf(one, sequence, ...head)
      .map(({ name, values }) => ({ name, share: values[values.length - 1] }))
      .sort((a, b) => b.share - a.share)
      .slice(0, 2)
      .map(({ name, share }) => `${number(share, 2)} to ${name}`)
      .join(" and "),
  );
  return ` Of its weight the head gives ${here}; ${first.name} it is ${there}.`;
}

/**
 * The sentence about a row of the embedding: how far it has moved.
 *
 * @param {Run} run
 * @param {{ word: number }} settings
 * @param {number} frame
 * @param {{ loss: number, strides: ArrayLike<number>, moved: number }} results
 * @returns {Part[]}
 */
export function rowSentence(run, { word }, frame, { loss, strides, moved }) {
  const row = `The row of “${run.words[word]}” in the embedding`;
  if (frame === 0) return [`${momentOf(run, frame, loss)} ${row} has its first, random numbers.`];
  const since = `${number(strides[frame], 3)} since step ${integer(run.steps[frame - 1])}`;
  return [`${momentOf(run, frame, loss)} ${row} has moved by ${since}, by ${number(moved, 2)} in all.`];
}
