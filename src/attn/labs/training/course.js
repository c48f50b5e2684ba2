// What happens in the course of a recorded training: where a head attends, when a word turns, how much changes when.

import { range } from "../kit/math.js";
import { mix } from "../kit/time.js";
import { allHeads, answersAt, headAt, isGoal, learnedOf, queriesAt, rowsOfShares, sharesOf, unitOf } from "./model.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {{ name: string, values: Float32Array }} Line a number for each frame */

/** @type {WeakMap<Run, Record<number, Float32Array>>} */
const distances = new WeakMap();

/**
 * How far W_Q of a head is from what it was when the answers began to stay right or, where nothing is asked, in the frame before: the
 * length of the difference in all its numbers, computed once for each frame.
 *
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 */
export function distancesOf(run, [layer, head]) {
  const ofRun = distances.get(run) ?? {};
  distances.set(run, ofRun);
  const nth = layer * run.shape[1] + head;
  const all = (/** @type {number} */ frame) => queriesAt(run, Math.max(0, frame), nth);
  const from = (/** @type {number} */ n) => (run.questions.length ? learnedOf(run) : n - 1);
  ofRun[nth] ??= Float32Array.from(run.steps, (_, n) => Math.hypot(...changeOf(all(from(n)), all(n))));
  return ofRun[nth];
}

/** @param {Float32Array} from @param {Float32Array} to */
const changeOf = (from, to) => to.map((one, n) => one - from[n]);

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

/** @param {number[]} rows in words */
function rowsText(rows) {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (!rows.length) return "no row";
  if (rows.length > 1 && last - first === rows.length - 1) return `rows ${first}–${last}`;
  return rows.length < 3 ? `row${rows.length > 1 ? "s" : ""} ${rows.join(" and ")}` : `${rows.length} rows`;
}

/** @type {WeakMap<Run, Map<string, Line[]>>} */
const known = new WeakMap();

/**
 * The shares of one head in all frames, computed once: a line for each question or, without questions, two lines.
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

const ATTENDS = 0.2; // of its weight: clearly more than it gives to each of several words alike

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
 * Of the words that look most at one key when the answers begin to be right, and at the end at another: the one that does so most clearly,
 * both keys, and the frame from which on it has more weight; null if no word turns.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 */
export function turnOf(run, sequence, head) {
  const L = run.ids[sequence].length;
  const [learned, last] = [learnedOf(run), run.steps.length - 1];
  const rowAt = (/** @type {number} */ frame, /** @type {number} */ row) =>
    headAt(run, frame, sequence, ...head).subarray(row * L, (row + 1) * L);
  const turns = range(L).map((row) => {
    const [old, now] = [rowAt(learned, row), rowAt(last, row)];
    const [from, to] = [old, now].map((one) => one.indexOf(Math.max(...one)));
    return { row, from, to, weight: from === to ? 0 : Math.min(old[from], now[to]) };
  });
  const { row, from, to, weight } = turns.reduce((best, one) => (one.weight > best.weight ? one : best));
  if (weight < 0.4) return null;
  let frame = last;
  while (rowAt(frame - 1, row)[to] > rowAt(frame - 1, row)[from]) frame--;
  const [word, old, key] = [row, from, to].map((n) => run.words[run.ids[sequence][n]]);
  return { row, from, to, word, old, key, frame };
}

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
  const line = (name, of) => ({ name, values: Float32Array.from(all, of) });
  if (run.questions.length) return run.questions.map((name, n) => line(name, ({ shares }) => shares[n]));
  const { looking, helping } = rowsOfShares(run, sequence);
  const [first, second] = [run.back === null ? "what came after" : `${run.back} back`, `the ${unitOf(run)} before`];
  const isSame = String(looking) === String(helping);
  return [
    line(isSame ? first : `${first}, ${rowsText(looking)}`, ({ shares }) => shares[0]),
    line(isSame ? second : `${second}, ${rowsText(helping)}`, ({ before }) => before?.[0] ?? 0),
  ];
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
    return all(n).reduce((sum, one, at) => changeOf(one, next[at]).reduce((so, by) => so + Math.abs(by), sum), 0);
  });
  const sum = changes.reduce((all, change) => all + change, 0) || 1;
  return changes.length ? changes.map((change, n) => [n, 2 / seconds / (1 / changes.length + change / sum)]) : [[0, 1]];
}

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
