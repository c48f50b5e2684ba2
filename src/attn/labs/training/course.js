// What happens in the course of a recorded training: where a head attends, how many answers are right, how fast it is played, and how
// the picture moves to another moment or training.

import { range } from "../kit/math.js";
import { mix } from "../kit/time.js";
import { allHeads, answersAt, frameOf, headAt, isGoal, learnedOf, sharesOf, writtenFrame } from "./model.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {{ name: string, values: Float32Array }} Line a number for each frame; without questions it has no name */

/**
 * The guess to write between two frames: the one that can be the likeliest while the right word has this probability.
 *
 * @param {[from: number, to: number]} guesses
 * @param {[from: number, to: number]} chances of the right word
 * @param {number} right
 * @param {number} part of the way
 */
export function guessAt([from, to], [before, after], right, part) {
  if (from !== to && mix(before, after, part) > 0.5) return right;
  const isFirst = to === right && after > 0.5 ? true : from === right && before > 0.5 ? false : part < 0.5;
  return isFirst ? from : to;
}

/** @type {WeakMap<Run, Map<string, Line[]>>} */
const known = new WeakMap();

/**
 * The shares of one head in all frames, computed once: a line for each question or, without questions, one line.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {number} layer
 * @param {number} head
 * @returns {Line[]}
 */
export function linesOf(run, sequence, layer, head) {
  const ofRun = known.get(run) ?? new Map();
  known.set(run, ofRun);
  const key = `${sequence} ${layer} ${head}`;
  if (!ofRun.has(key)) ofRun.set(key, findLines(run, sequence, layer, head));
  return ofRun.get(key);
}

const ATTENDS = 1 / 3; // of its weight: clearly more than it gives to each of several words alike

/**
 * The questions to whose answers a head attends in a frame.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} frame
 */
export const jobsOf = (run, sequence, head, frame) =>
  linesOf(run, sequence, ...head).flatMap(({ name, values }) => (values[frame] > ATTENDS ? [name] : []));

/**
 * The share of right answers in each frame: of those that were measured, on average over the questions, else those of the sequence.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function rightOf(run, sequence) {
  const all = Object.values(run.measured);
  const asks = run.asks[sequence];
  return run.steps.map((_, frame) => {
    const { guesses } = answersAt(run, frame, sequence);
    return all.length
      ? all.reduce((sum, one) => sum + one[frame], 0) / all.length
      : asks.filter(([, , right], n) => guesses[n] === right).length / asks.length;
  });
}

/** @type {typeof linesOf} */
function findLines(run, sequence, layer, head) {
  const all = run.steps.map((_, n) => sharesOf(run, sequence, headAt(run, n, sequence, layer, head)));
  const names = run.questions.length ? run.questions : [""];
  return names.map((name, n) => ({ name, values: Float32Array.from(all, ({ shares }) => shares[n]) }));
}

/**
 * Where playing is how fast, in frames a second: half of the time goes by in equal steps, the other half with the changes of the weights.
 *
 * @param {Run} run
 * @param {number} seconds for the whole recording
 * @returns {[from: number, speed: number][]}
 */
export function paceOf(run, seconds) {
  const all = (/** @type {number} */ frame) =>
    run.ids.flatMap((_, one) => allHeads(run).map((head) => headAt(run, frame, one, ...head)));
  const changes = run.steps.slice(1).map((_, n) => {
    const next = all(n + 1);
    return all(n).reduce((sum, one, at) => one.reduce((so, from, cell) => so + Math.abs(next[at][cell] - from), sum), 0);
  });
  const sum = changes.reduce((all, change) => all + change, 0) || 1;
  return changes.length ? changes.map((change, n) => [n, 2 / seconds / (1 / changes.length + change / sum)]) : [[0, 1]];
}

const REST = 0.05; // of a frame, which a pause plays

/** The time right after a pause in this frame. @param {number} frame */
export const afterPause = (frame) => frame + REST;

/**
 * A pace that pauses when a frame is reached.
 *
 * @param {[from: number, speed: number][]} pace with an entry for this frame
 * @param {number} frame
 * @param {number} seconds
 * @returns {[from: number, speed: number][]}
 */
export const pausedAt = (pace, frame, seconds) =>
  pace.flatMap(([from, speed]) =>
    from === frame
      ? /** @type {[number, number][]} */ ([
          [from, REST / seconds],
          [afterPause(from), speed],
        ])
      : [[from, speed]],
  );

/**
 * The head that does most when the training ends: that with the largest share of one question, or on where it should look.
 *
 * @param {Run} run
 * @param {number} sequence
 * @returns {[layer: number, head: number]}
 */
export function headToShow(run, sequence) {
  const heads = allHeads(run);
  const most = heads.map((head) =>
    Math.max(...sharesOf(run, sequence, headAt(run, run.steps.length - 1, sequence, ...head)).shares),
  );
  return heads[most.indexOf(Math.max(...most))];
}

/**
 * The row to speak of if none is chosen: the word that asks most, or the first one that could know what comes next.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function rowToShow(run, sequence) {
  const ids = run.ids[sequence];
  const asking = run.asks[sequence];
  const count = (i) => asking.filter(([row]) => row === i).length;
  if (run.questions.length) return range(ids.length).reduce((best, i) => (count(i) > count(best) ? i : best), 0);
  const first = asking.findIndex(([i]) => ids.some((_, j) => isGoal(run, sequence, i, j)));
  return first < 0 ? Math.max(0, ids.length - 2) : asking[first][0];
}

/**
 * The settings with which another training begins: at the same share of its steps, in the head that does most, with the same sequence and
 * word if it has them.
 *
 * @param {Run} to
 * @param {Run} from
 * @param {(name: string) => any} get a setting
 */
export function settingsIn(to, from, get) {
  const [before, after] = [from, to].map(({ steps }) => steps.length - 1);
  const sequence = Math.min(get("sequence"), to.ids.length - 1);
  return {
    ...{ task: to.name, sequence, word: Math.min(get("word"), to.words.length - 1), pin: null },
    frame: writtenFrame(to, Math.round((frameOf(from, get("frame")) / Math.max(1, before)) * after)),
    ...(String(from.shape) === String(to.shape) ? {} : { head: headToShow(to, sequence) }),
  };
}

/** @typedef {{ task: string, key: string, time: number, weights: Float32Array }} Drawn key: which weights these are */

/**
 * The move of an experiment: the film plays from a time on, or the picture comes back from a time, or from other weights.
 *
 * @param {Run} run
 * @param {number} frame where the move ends
 * @param {any} settings
 * @param {Record<string, any>} changes what the experiment has set
 * @param {Drawn | null} before
 * @param {string} key of what will be drawn
 * @returns {{ play: number } | { from: number } | { weights: Float32Array }}
 */
export function wayTo(run, frame, { task, show, sequence }, changes, before, key) {
  const isAsked = run.questions.length > 0;
  const isMap = show === "rows";
  const isOtherTask = before !== null && before.task !== task;
  const isCompared = isOtherTask && before.time === frame && isAsked; // two recordings at the same step
  if (isMap || ("frame" in changes && !("head" in changes) && !isCompared)) {
    const from = isAsked ? learnedOf(run) : run.fall;
    if (frame > 0) return { play: isOtherTask || isMap || frame <= from ? 0 : afterPause(from) };
    const last = run.steps.length - 1;
    return { from: before && before.time > 0 && before.time <= last ? before.time : last };
  }
  const L = run.ids[sequence].length;
  const length = L * L * (isAsked ? allHeads(run).length : 1);
  const isOther = before && before.key !== key && before.weights.length === length;
  const rowOf = (/** @type {number} */ n) => Math.floor(n / L) % L;
  return { weights: isOther ? before.weights : Float32Array.from({ length }, (_, n) => 1 / (run.causal ? rowOf(n) + 1 : L)) };
}
