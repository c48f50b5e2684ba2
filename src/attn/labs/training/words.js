// What TrainingLab says: the moment of the training, one word of the sequence, and what it is answered.

import { integer, number } from "../kit/format.js";
import { capital, listed, quoted } from "../kit/phrases.js";
import { jobsOf, linesOf, rightOf, rowToShow, turnsOf } from "./course.js";
import { allHeads, headAt, learnedOf, lossAt, originOf, queriesAt, rowsOfShares } from "./model.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {string | ["good" | "bad" | "gist", string]} Part of a sentence: plain, a verdict, or what is said first */

/**
 * A moment of the training.
 *
 * @param {Run} run
 * @param {number} frame
 */
function whenOf({ steps, fall }, frame) {
  const step = integer(steps[frame]);
  if (frame === 0) return "Before training";
  return frame === fall ? `Step ${step}, where the loss falls fastest` : `Step ${step}`;
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
 * @param {{ loss: number, guesses: ArrayLike<number> }} results
 * @returns {Part[]}
 */
export function weightSentence(run, { sequence, head, pin }, frame, { loss, guesses }) {
  const ids = run.ids[sequence];
  const L = ids.length;
  const last = run.steps.length - 1;
  const name = headName(run, head);
  if (run.questions.length && !pin) return reached(run, sequence, head, frame);
  const row = pin?.[0] ?? rowToShow(run, sequence);
  const weightsAt = (/** @type {number} */ n) => headAt(run, n, sequence, ...head).subarray(row * L, (row + 1) * L);
  const weights = weightsAt(frame);
  const column = pin?.[1] ?? weights.indexOf(Math.max(...weights));
  const hasTwins = new Set(ids).size < L; // then the place says which one is meant
  const word = (n) => `“${run.words[ids[n]]}”${hasTwins ? ` at place ${n}` : ""}`;
  const weight = number(weights[column], 2);
  if (run.questions.length) {
    const ask = run.asks[sequence].find(([i, , , j]) => i === row && j === column);
    const times = timesOf(run, frame, (n) => weightsAt(n)[column]);
    const answer = ask ? `, the answer to ${run.questions[ask[1]]}` : "";
    return [`${whenOf(run, frame)}: in ${name}, ${word(row)} gives ${weight} of its weight to ${word(column)}${answer}; ${times}.`];
  }
  const looks = pin ? `gives ${weight} of its weight to ${word(column)}` : `gives most weight, ${weight}, to ${word(column)}`;
  /** @type {Part[]} */
  const answers = run.asks[sequence].flatMap(([i, , right], n) => {
    if (i !== row) return [];
    const guess = ` The model guesses “${run.words[guesses[n]]}”`;
    if (!run.counted[sequence][row]) return [`${guess}; the loss does not count it.`];
    const isRight = guesses[n] === right;
    return [
      `${guess} `,
      /** @type {Part} */ (isRight ? ["good", "✓"] : ["bad", "✗"]),
      isRight ? "." : `, but “${run.words[right]}” comes next.`,
    ];
  });
  const isLooking = rowsOfShares(run, sequence).looking.length > 0;
  if (frame === last && !pin && isLooking) return learnedText(run, sequence, head, loss);
  return [`${momentOf(run, frame, loss)} In ${name}, ${word(row)} ${looks}.`, ...answers];
}

/** The frame with which later ones are compared, in words. @param {Run} run */
export const originText = (run) => (originOf(run) ? `at step ${integer(run.steps[originOf(run)])}` : "before training");

/** A number at the other times that matter. @param {Run} run @param {number} frame @param {(frame: number) => number} valueAt */
function timesOf(run, frame, valueAt) {
  const names = ["before training", originText(run), "at the end"];
  const times = [0, originOf(run), run.steps.length - 1];
  const others = times.flatMap((n, at) => (n === frame || times.indexOf(n) < at ? [] : [`${names[at]} ${number(valueAt(n), 2)}`]));
  return others.join(", ");
}

/**
 * The sentence about one number of W_Q, which changes like the others.
 *
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 * @param {number} picked
 * @param {number} frame
 * @returns {Part[]}
 */
export function parameterSentence(run, head, picked, frame) {
  const at = (/** @type {number} */ n) => queriesAt(run, n, head[0] * run.shape[1] + head[1])[picked];
  const name = headName(run, head);
  return [
    ["gist", `${whenOf(run, frame)}: this number of W_Q of ${name} is ${number(at(frame), 2)}`],
    `; ${timesOf(run, frame, at)}.`,
  ];
}

const LEARNS = 0.3; // a head whose weight on the right places grows by less has not learned to look there

/**
 * What a model that foretells has learned: where the head looks, before and at the end, and what became of the loss.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} loss
 * @returns {Part[]}
 */
function learnedText(run, sequence, head, loss) {
  const [{ values }] = linesOf(run, sequence, ...head);
  const [first, final] = [values[0], values[values.length - 1]];
  const [from, to] = [first, final].map((value) => number(value, 2));
  const where = run.back === null ? `what followed the same token` : `the token ${run.back} back`;
  const name = headName(run, head);
  const went = `the weight on ${where} went from ${from} to ${to}`;
  return final - first < LEARNS
    ? [["gist", momentOf(run, run.steps.length - 1, loss)], ` In ${name}, ${went}.`]
    : [
        ["gist", `${capital(name)} learned to attend to ${where}.`],
        ` In it, ${went}; the loss went from ${number(lossAt(run, run.steps[0]), 2)} to ${number(loss, 2)}.`,
      ];
}

/**
 * How many answers are right, since when, and what the head attends to, now and when the answers began to be right.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} frame
 * @returns {Part[]}
 */
function reached(run, sequence, head, frame) {
  const last = run.steps.length - 1;
  const random = "Before training W_Q is random, and so are the attention weights and the answers.";
  if (frame === 0) return [["gist", random], ` Play the ${integer(run.steps[last])} steps.`];
  const learned = learnedOf(run);
  const now = listed(jobsOf(run, sequence, head, frame).map(quoted));
  const does = now && ` ${capital(headName(run, head))} attends to the answers to ${now}.`;
  const when = whenOf(run, frame);
  if (frame <= learned || learned === last) return [["gist", `${when}: ${rightText(run, sequence, frame)}.`], does];
  return stillText(run, sequence, head, frame, `${when}: `);
}

/**
 * What has happened since the answers began to be right: which row has moved its weight, what the head no longer attends to, and which
 * head does instead.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} frame
 * @param {string} [when] nothing while it plays
 * @returns {Part[]}
 */
function stillText(run, sequence, head, frame, when = "") {
  const turns = turnsOf(run, sequence, head).filter((turn) => frame >= turn.frame);
  const moved = [...new Set(turns.map(({ key }) => key))].map((key) => {
    const rows = turns.flatMap((turn) => (turn.key === key ? [quoted(turn.word)] : []));
    return `the largest weight of ${listed(rows)} is now on “${key}”`;
  });
  const jobsAt = (/** @type {number} */ n, one = head) => jobsOf(run, sequence, one, n);
  const now = jobsAt(frame);
  const left = jobsAt(learnedOf(run)).filter((job) => !now.includes(job));
  const instead = allHeads(run).flatMap((one) => {
    const its = listed(jobsAt(frame, one).flatMap((job) => (left.includes(job) ? [quoted(job)] : [])));
    return its && `, ${headName(run, one)} to ${its}`;
  });
  return [
    ["gist", `${when}${rightText(run, sequence, frame, "still ")}.`],
    ` W_Q ${when ? "kept" : "keeps"} changing`,
    moved.length ? `: ${listed(moved)}.` : ".",
    now.length
      ? ` ${capital(headName(run, head))}${left.length ? " now" : ""} attends to ${listed(now.map(quoted))}${instead.join("")}.`
      : "",
  ];
}

/**
 * How many answers are right: of those that were measured, else those of the sequence.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {number} frame
 * @param {string} [still]
 */
export function rightText(run, sequence, frame, still = "") {
  const share = rightOf(run, sequence)[frame];
  const count = Object.keys(run.measured).length ? 100 : run.asks[sequence].length;
  return `${share < 1 ? Math.min(count - 1, Math.round(count * share)) : count} of ${count} answers are ${still}right`;
}

/**
 * The sentence while a training plays to a frame: what happens meanwhile. It has no loss, because the picture is between two frames.
 *
 * @param {Run} run
 * @param {number} frame
 * @param {{ sequence: number, head: readonly [layer: number, head: number] }} settings
 * @param {string} what changes, or of a model that is asked ""
 * @param {number} now the frame behind us
 * @returns {Part[]}
 */
export function playSentence(run, frame, { sequence, head }, what, now) {
  if (!frame) return ["Back to the beginning."];
  if (what) return [`The training plays to step ${integer(run.steps[frame])}: ${what}.`];
  if (now < run.fall)
    return [["gist", "Each step changes W_Q."], " The attention weights are computed anew with it. Many answers are still wrong."];
  if (now < learnedOf(run)) return [["gist", "Now ✗ turns to ✓."], " With the changed W_Q more weight goes to words that answer."];
  return stillText(run, sequence, head, now);
}

/**
 * What the model is trained to do: the questions of a sequence, or the next word.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function taskText(run, sequence) {
  const { questions, back } = run;
  if (!questions.length) {
    const where = back === null ? `that followed the same token before` : `${back} places before the present one`;
    const uncounted = run.counted[sequence].includes(0) ? " The loss leaves out rows marked “–”." : "";
    return `The task: predict the next token. It is the token ${where}.${uncounted}`;
  }
  return "A recorded training: a model answers questions.";
}

/**
 * The questions of a sequence, in words.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export const questionsOf = ({ asks, ids, questions, words }, sequence) =>
  asks[sequence].map(([row, question]) => {
    const word = words[ids[sequence][row]];
    const isVerb = asks[sequence].filter(([one]) => one === row).length > 1;
    if (/^(near|behind)$/.test(word)) return `${word} whom?`;
    return isVerb && question ? `${word} ${questions[question]}?` : `who ${isVerb ? "" : "is "}${word}?`;
  });

/**
 * The answers to the questions of a sequence, and which of them are right.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {ArrayLike<number>} guesses
 */
export const answersText = (run, sequence, guesses) =>
  questionsOf(run, sequence)
    .map((question, n) => `${question} ${run.words[guesses[n]]}, ${guesses[n] === run.asks[sequence][n][2] ? "right" : "wrong"}`)
    .join("; ");

const TOGETHER = 0.04; // of the extent of the map: rows that are so near are on one place

/**
 * The words whose rows are nearest to that of a word, on the map: one, or all those on its place.
 *
 * @param {Run} run
 * @param {ArrayLike<number>} dots (words, 2)
 * @param {number} word
 */
function neighboursOf(run, dots, word) {
  const far = run.words.map((_, n) => Math.hypot(dots[2 * n] - dots[2 * word], dots[2 * n + 1] - dots[2 * word + 1]));
  const others = run.words.flatMap((text, n) => (n === word ? [] : [{ text: `“${text}”`, far: far[n] }]));
  const [first, ...rest] = others.sort((a, b) => a.far - b.far);
  const near = [first, ...rest.filter((one) => one.far < TOGETHER * Math.max(...far))];
  return listed(near.map(({ text }) => text));
}

/**
 * The sentence about a row of the embedding: how far it has moved, and which word is nearest to it.
 *
 * @param {Run} run
 * @param {{ word: number }} settings
 * @param {number} frame
 * @param {{ strides: ArrayLike<number>, moved: number, dots: ArrayLike<number> }} results
 * @param {ArrayLike<number>} first the dots before training
 * @returns {Part[]}
 */
export function rowSentence(run, { word }, frame, { strides, moved, dots }, first) {
  const row = `the row of “${run.words[word]}”`;
  if (frame === 0) return [`${whenOf(run, frame)}: ${row} has its first, random numbers.`];
  let [half, way] = [0, 0];
  while (way < moved / 2 && half < frame) way += strides[++half];
  const [old, now] = [first, dots].map((one) => neighboursOf(run, one, word));
  const beside = now === old ? `On the map it is still nearest to ${now}.` : `On the map it was nearest to ${old}, now to ${now}.`;
  return [
    `${whenOf(run, frame)}: ${row} has moved by ${number(moved, 2)} in all, half of that by step ${integer(run.steps[half])}. `,
    ["gist", beside],
  ];
}
