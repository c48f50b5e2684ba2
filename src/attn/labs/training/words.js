// What TrainingLab says: the moment of the training, one word of the sequence, and what it is answered.

import { integer, number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { answersAt, headAt, linesOf, lossAt, queriesAt, rowToShow } from "./model.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {string | ["good" | "bad", string]} Part of a sentence: plain, or a verdict */

/**
 * A moment of the training.
 *
 * @param {Run} run
 * @param {number} frame
 */
function whenOf({ steps, fall }, frame) {
  const step = integer(steps[frame]);
  if (frame === 0) return "Before training";
  if (frame === fall) return `Step ${step}, where the loss falls fastest`;
  return frame === steps.length - 1 ? `After ${step} steps` : `Step ${step}`;
}

/**
 * @param {Run} run
 * @param {number} frame
 * @param {number} [loss]
 */
export const momentOf = (run, frame, loss = lossAt(run, run.steps[frame])) => `${whenOf(run, frame)}: loss ${number(loss, 2)}.`;

/**
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 */
export const headName = ({ shape: [layers] }, [layer, head]) => (layers > 1 ? `layer ${layer}, head ${head}` : `head ${head}`);

/**
 * The sentence about the weights: of a model that is asked, what has been reached and what still changes, or how the chosen weight
 * changes; of a model that foretells, where a word looks in this head, and its guess of what comes next.
 *
 * @param {Run} run
 * @param {{ sequence: number, head: readonly [layer: number, head: number], pin: readonly [row: number, column: number] | null }} settings
 * @param {number} frame
 * @param {{ loss: number, chances: ArrayLike<number>, guesses: ArrayLike<number> }} results
 * @param {string} [instead] of what the head does
 * @returns {Part[]}
 */
export function weightSentence(run, { sequence, head, pin }, frame, { loss, chances, guesses }, instead = "") {
  const ids = run.ids[sequence];
  const L = ids.length;
  const last = run.steps.length - 1;
  const name = headName(run, head);
  if (run.questions.length && !pin) return [reached(run, sequence, head, frame, instead)];
  const row = pin?.[0] ?? rowToShow(run, sequence);
  const weightsAt = (/** @type {number} */ n) => headAt(run, n, sequence, ...head).subarray(row * L, (row + 1) * L);
  const weights = weightsAt(frame);
  const column = pin?.[1] ?? weights.indexOf(Math.max(...weights));
  const hasTwins = new Set(ids).size < L; // then the place says which one is meant
  const word = (n) => `“${run.words[ids[n]]}”${hasTwins ? ` at place ${n}` : ""}`;
  const weight = number(weights[column], 2);
  if (run.questions.length) {
    const ask = run.asks[sequence].find(([i, , , j]) => i === row && j === column);
    const others = [0, last].filter((n) => n !== frame);
    const times = others.map((n) => `${n ? "at the end" : "before training"} ${number(weightsAt(n)[column], 2)}`).join(", ");
    const answer = ask ? `, the answer to ${run.questions[ask[1]]}` : "";
    return [`${whenOf(run, frame)}: in ${name}, ${word(row)} gives ${weight} of its weight to ${word(column)}${answer}; ${times}.`];
  }
  const looks = pin ? `gives ${weight} of its weight to ${word(column)}` : `gives most weight, ${weight}, to ${word(column)}`;
  /** @type {Part[]} */
  const answers = run.asks[sequence].flatMap(([i, , right], n) => {
    if (i !== row) return [];
    const guess = `“${run.words[guesses[n]]}”`;
    if (!run.counted[sequence][row]) return [` The guess of what comes next is ${guess}; the loss does not count it.`];
    const isRight = guesses[n] === right;
    const but = isRight
      ? `, with a probability of ${number(chances[n], 2)}.`
      : `: “${run.words[right]}” has a probability of ${number(chances[n], 2)}.`;
    return [` The guess of what comes next: ${guess} `, /** @type {Part} */ (isRight ? ["good", "✓"] : ["bad", "✗"]), but];
  });
  return [`${momentOf(run, frame, loss)} In ${name}, ${word(row)} ${looks}.`, ...answers];
}

/**
 * How many answers are right, since when, and what the head does meanwhile.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} frame
 * @param {string} instead of what the head does
 */
function reached(run, sequence, head, frame, instead) {
  const { steps } = run;
  const last = steps.length - 1;
  const asks = run.asks[sequence];
  const rightAt = (/** @type {number} */ n) => {
    const { guesses } = answersAt(run, n, sequence);
    return asks.filter(([, , right], ask) => guesses[ask] === right).length;
  };
  const right = rightAt(frame);
  const all = `${asks.length} answers`;
  if (frame === 0) return `Before training all numbers are random, those of W_Q too: ${right} of ${all} right.`;
  let since = last + 1; // from this frame on no answer is wrong again
  while (since && rightAt(since - 1) === asks.length) since--;
  const isSettled = frame >= since;
  const done = isSettled ? `all ${all} right, since step ${integer(steps[since])}` : `${right} of ${all} right`;
  if (instead) return `${whenOf(run, frame)}: ${done}.${instead}`;
  const other = !isSettled ? 0 : frame < last ? last : since;
  const by = (/** @type {ArrayLike<number>} */ values) => Math.abs(values[frame] - values[other]);
  const { name, values } = linesOf(run, sequence, ...head).reduce((a, b) => (by(b.values) > by(a.values) ? b : a));
  const whose = `${headName(run, head)}’s weight on ${name}`;
  const [now, then] = [frame, other].map((n) => number(values[n], 2));
  const nth = head[0] * run.shape[1] + head[1];
  const way = isSettled && wayOf(run, nth, since) / wayOf(run, nth, last);
  const moved = way ? `By then W_Q of this head had gone about ${10 * Math.round(10 * way)}% of its way. ` : "";
  const change = !isSettled
    ? `${whose[0].toUpperCase()}${whose.slice(1)}: ${then} before training, ${now} now.`
    : by(values) < 0.02
      ? "From here on the weights of this head hardly change."
      : frame < last
        ? `What goes on changing: ${whose}, ${now} now, ${then} at the end.`
        : `${moved}What went on changing: ${whose}, ${then} then, ${now} now.`;
  return `${whenOf(run, frame)}: ${done}. ${change}`;
}

/**
 * How far W_Q of a head goes up to a frame, from frame to frame; 0 if the recording does not have it.
 *
 * @param {Run} run
 * @param {number} head counted through all layers
 * @param {number} frame
 */
function wayOf(run, head, frame) {
  const [before, ...later] = range(frame + 1).map((n) => queriesAt(run, n, head));
  const stride = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) => Math.hypot(...a.map((one, n) => one - b[n]));
  return later.reduce((sum, one, n) => sum + stride(one, n ? later[n - 1] : before), 0);
}

/**
 * The sentence while a training plays to a frame. It has no loss, because the picture is between two frames.
 *
 * @param {Run} run
 * @param {number} frame
 */
export const playSentence = ({ steps }, frame) =>
  frame ? `The training plays to step ${integer(steps[frame])}: watch the loss fall.` : "Back to the beginning.";

/**
 * What the model is trained to do: the questions of a sequence, or the next word.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function taskText(run, sequence) {
  const { questions, back, words } = run;
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
  return `The task: ${asked.join(", ")}.`;
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
  return ` On average ${headName(run, head)} gives ${here}; ${first.name} ${there}.`;
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
  let [half, way] = [0, 0];
  while (way < moved / 2 && half < frame) way += strides[++half];
  const by = `by ${number(moved, 2)} in all, half of that by step ${integer(run.steps[half])}`;
  return [`${momentOf(run, frame, loss)} ${row} has moved by ${since}, ${by}.`];
}
