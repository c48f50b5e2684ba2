// What TrainingLab says: the moment of the training, one word of the sequence, and what it is answered.

import { integer, number } from "../kit/format.js";
import { capital, listed, quoted } from "../kit/phrases.js";
import { jobsOf, linesOf, rightOf, rowToShow } from "./course.js";
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
 * @param {Run[]} [others] to compare with
 * @returns {Part[]}
 */
export function weightSentence(run, { sequence, head, pin }, frame, { loss, guesses }, others = []) {
  const ids = run.ids[sequence];
  const L = ids.length;
  const last = run.steps.length - 1;
  const name = headName(run, head);
  if (run.questions.length && !pin) return reached(run, others, sequence, frame);
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
 * @param {number} picked counted through all heads
 * @param {number} frame
 * @returns {Part[]}
 */
export function parameterSentence(run, picked, frame) {
  const size = queriesAt(run, 0, 0).length;
  const nth = Math.floor(picked / size);
  const at = (/** @type {number} */ n) => queriesAt(run, n, nth)[picked % size];
  const name = headName(run, allHeads(run)[nth]);
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
 * The recordings with the same steps, to compare with.
 *
 * @param {Run[]} runs
 * @param {Run} run
 */
export const othersOf = (runs, run) => runs.filter((one) => one !== run && String(one.steps) === String(run.steps));

/**
 * How many answers are right, and which head attends to which of them; once they are right, whether W_Q still changes.
 *
 * @param {Run} run
 * @param {Run[]} others
 * @param {number} sequence
 * @param {number} frame
 * @returns {Part[]}
 */
function reached(run, others, sequence, frame) {
  const random = "Before training W_Q is random, and so are the attention weights and the answers.";
  if (frame === 0) return [["gist", random], ` Play the ${integer(run.steps[run.steps.length - 1])} steps.`];
  const origin = originOf(run);
  const right = (/** @type {string} */ still) => `${whenOf(run, frame)}: ${rightText(run, sequence, frame, still)}`;
  if (!origin || frame <= origin) return [["gist", `${right("")}.`], workText(run, sequence, frame)];
  const since = (/** @type {Run} */ one) => one.changed[frame] - one.changed[originOf(one)];
  const compared = others.map((other) => {
    const more = since(run) - since(other);
    return more ? ` W_Q changes ${more < 0 ? "less" : "more"} than ${quoted(other.name)}.` : "";
  });
  return [["gist", `${right("still ")}, and W_Q went on changing.`], `${shareText(run, sequence, frame)}${compared.join("")}`];
}

/** Which head attends to the answers of which questions. @param {Run} run @param {number} sequence @param {number} frame */
function workText(run, sequence, frame) {
  const work = allHeads(run).flatMap((head) => {
    const jobs = jobsOf(run, sequence, head, frame);
    return jobs.length ? [`${headName(run, head)} to ${listed(jobs.map(quoted))}`] : [];
  });
  return work.length ? ` ${capital(work.join(", ").replace(" to ", " attends to "))}.` : "";
}

/** Whether heads share questions. @param {Run} run @param {number} sequence @param {number} frame */
function shareText(run, sequence, frame) {
  const work = allHeads(run).map((head) => jobsOf(run, sequence, head, frame));
  const counts = run.questions.map((question) => work.filter((jobs) => jobs.includes(question)).length);
  const shared = run.questions.filter((_, n) => counts[n] > 1);
  if (shared.length) return ` Heads still share ${listed(shared.map(quoted))}.`;
  const isDivided = counts.every((count) => count === 1) && work.every((jobs) => jobs.length < 2);
  return isDivided ? " Each question now has a head of its own." : "";
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
 * @param {number} sequence
 * @param {string} what changes, or of a model that is asked ""
 * @param {number} now the frame behind us
 * @returns {Part[]}
 */
export function playSentence(run, frame, sequence, what, now) {
  if (!frame) return ["Back to the beginning."];
  if (what) return [`The training plays to step ${integer(run.steps[frame])}: ${what}.`];
  const learned = learnedOf(run);
  if (now < Math.min(run.fall, learned))
    return [["gist", "Each step changes W_Q."], " The attention weights are computed anew with it. Many answers are still wrong."];
  if (now < learned)
    return [["gist", "✗ turns to ✓, one after the other."], " With the changed W_Q more weight goes to words that answer."];
  const right = rightText(run, sequence, now, now > learned ? "still " : "");
  return now > learned
    ? [["gist", `${right}, and W_Q keeps changing.`], shareText(run, sequence, now)]
    : [["gist", `${whenOf(run, now)}: ${right}.`], " Does W_Q stay as it is from now on?"];
}

/**
 * What a model that foretells is trained to do.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function taskText({ back, counted }, sequence) {
  const where = back === null ? `that followed the same token before` : `${back} places before the present one`;
  const uncounted = counted[sequence].includes(0) ? " The loss leaves out rows marked “–”." : "";
  return `The task: predict the next token. It is the token ${where}.${uncounted}`;
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
