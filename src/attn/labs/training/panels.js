// Which curves TrainingLab draws: the numbers of W_Q, the loss, what was measured, and what the chosen head or the chosen row does.

import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { changesOf, learnedOf, linesOf, lossAt, turnOf } from "./model.js";
import { headName } from "./words.js";

/** @typedef {import("./curves.js").Panel} Panel */
/** @typedef {import("./model.js").Run} Run */

/**
 * @param {Run} run
 * @param {{ show: string, sequence: number, head: readonly [layer: number, head: number], word: number }} settings
 * @param {Float32Array} strides of the chosen row
 * @param {number} width of all panels
 * @returns {Panel[]}
 */
export function panelsOf(run, { show, sequence, head, word }, strides, width) {
  const isBrief = width < 480; // little room for words

  const { steps, guess, measured, tests } = run;
  const losses = run.losses.map((_, step) => lossAt(run, step));
  /** @type {Panel} */
  const loss = {
    title: "loss",
    most: 1.15 * Math.max(guess, losses[0]),
    lines: [{ name: "loss", values: losses, steps: range(losses.length) }],
    level: { name: "pure guessing", value: guess },
    marks: [{ frame: run.fall, text: `falls fastest: step ${integer(steps[run.fall])}` }],
  };
  if (show === "rows") {
    const moved = { name: "stride", values: strides.subarray(1), steps: steps.slice(1) };
    if (isBrief) return [loss];
    return [loss, { title: `“${run.words[word]}” moves from frame to frame by`, most: 1.05 * run.reach[1], lines: [moved] }];
  }
  const changes = changesOf(run, head);
  const fan = changes.length ? [fanOf(run, sequence, head, changes, isBrief)] : [];
  if (fan.length && run.questions.length) return fan;
  const shares = Object.entries(measured).map(([name, values]) => ({ name, values, steps }));
  /** @type {Panel[]} */
  const right = shares.length ? [{ title: `measured${tests ? ` in ${tests} test sentences` : ""}`, most: 1, lines: shares }] : [];
  const lines = linesOf(run, sequence, ...head).map((line) => ({ ...line, steps }));
  const all = [...fan, loss, ...right, { title: `weights of ${headName(run, head)} on`, most: 1, lines }];
  return width < 860 ? all.slice(0, 2) : all;
}

/**
 * How far each number of W_Q has moved. Marked are the moment from which on the answers stay right, and one when a word turns to another key.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {Float32Array[]} changes
 * @param {boolean} isBrief
 * @returns {Panel}
 */
function fanOf(run, sequence, head, changes, isBrief) {
  const { steps } = run;
  const learned = learnedOf(run);
  const turn = turnOf(run, sequence, head);
  const isLearned = learned < steps.length - 1;
  return {
    title: `changed: W_Q${isBrief ? "" : ` of ${headName(run, head)}`}`,
    note: isBrief
      ? `${changes.length} numbers, a line each`
      : `each line shows how far one of its ${changes.length} numbers has moved`,
    most: Math.max(...changes.map((one) => Math.max(...one.map(Math.abs)))),
    isFan: true,
    lines: changes.map((values) => ({ name: "", values, steps })),
    marks: [
      ...(isLearned ? [{ frame: learned, text: "✓ nearly all answers right", isGood: true }] : []),
      ...(turn ? [{ frame: turn.frame, text: `“${turn.word}” turns to “${turn.key}”` }] : []),
    ],
  };
}
