// Which curves TrainingLab draws: the loss, what was measured, and what the chosen head or the chosen row does.

import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { learnedOf, linesOf, lossAt, wayOf } from "./model.js";
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
  if (run.questions.length && Object.keys(measured).length) return [withRight(run, head, loss, isBrief)];
  const shares = Object.entries(measured).map(([name, values]) => ({ name, values, steps }));
  /** @type {Panel[]} */
  const right = shares.length ? [{ title: `measured${tests ? ` in ${tests} test sentences` : ""}`, most: 1, lines: shares }] : [];
  const lines = linesOf(run, sequence, ...head).map((line) => ({ ...line, steps }));
  const all = [loss, ...right, { title: `weights of ${headName(run, head)} on`, most: 1, lines }];
  return width < 860 ? all.slice(0, 2) : all;
}

/**
 * The loss and, on a scale of its own, how many of the answers are right, on average over the questions, and how much of the change of
 * W_Q is done: it goes on after the moment from which on the answers stay right. Both moments are marked.
 *
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 * @param {Panel} loss
 * @param {boolean} isBrief
 * @returns {Panel}
 */
function withRight(run, head, loss, isBrief) {
  const { measured, tests, steps } = run;
  const all = Object.values(measured);
  const values = steps.map((_, n) => all.reduce((sum, one) => sum + (100 * one[n]) / all.length, 0));
  const learned = learnedOf(run);
  const way = wayOf(run, head[0] * run.shape[1] + head[1]);
  const most = 118; // the names of the moments stand above 100
  const name = `right${tests && !isBrief ? ` in ${tests} test sentences` : ""}`;
  const change = `of ${isBrief ? "W_Q change" : "the change of W_Q"}`;
  return {
    ...{ title: "", most: 1.2 * loss.most },
    lines: [
      { name, values, steps, most },
      ...(way ? [{ name: change, values: way.map((share) => 100 * share), steps, most }] : []),
      ...loss.lines,
    ],
    marks: [
      { frame: run.fall, text: isBrief ? "fall" : "loss falls fastest" },
      ...(learned < steps.length - 1 ? [{ frame: learned, text: "nearly all right" }] : []),
    ],
  };
}
