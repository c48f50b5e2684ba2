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
    level: { name: isBrief && run.questions.length ? "guessing" : "pure guessing", value: guess },
    marks: [{ frame: run.fall, text: isBrief && run.questions.length ? "" : `falls fastest: step ${integer(steps[run.fall])}` }],
  };
  if (show === "rows") {
    const moved = { name: "stride", values: strides.subarray(1), steps: steps.slice(1) };
    if (isBrief) return [loss];
    return [loss, { title: `“${run.words[word]}” moves from frame to frame by`, most: 1.05 * run.reach[1], lines: [moved] }];
  }
  if (run.questions.length) return [loss, ...rightIn(run, head, isBrief)];
  const shares = Object.entries(measured).map(([name, values]) => ({ name, values, steps }));
  /** @type {Panel[]} */
  const right = shares.length ? [{ title: `measured${tests ? ` in ${tests} test sentences` : ""}`, most: 1, lines: shares }] : [];
  const lines = linesOf(run, sequence, ...head).map((line) => ({ ...line, steps }));
  const all = [loss, ...right, { title: `weights of ${headName(run, head)} on`, most: 1, lines }];
  return width < 860 ? all.slice(0, 2) : all;
}

/**
 * How many of the answers are right, on average over the questions, and the moment from which on they stay right, if there is one. With
 * it, on the same scale, how much of the change of W_Q is done: it goes on after that moment.
 *
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 * @param {boolean} isBrief
 * @returns {Panel[]}
 */
function rightIn(run, head, isBrief) {
  const { measured, tests, steps } = run;
  const all = Object.values(measured);
  if (!all.length) return [];
  const values = steps.map((_, n) => all.reduce((sum, one) => sum + (100 * one[n]) / all.length, 0));
  const learned = learnedOf(run);
  const way = wayOf(run, head[0] * run.shape[1] + head[1]);
  const change = { name: isBrief ? "W_Q change" : "change of W_Q", values: (way ?? []).map((share) => 100 * share), steps };
  const text = `${isBrief ? "" : "nearly all from "}step ${integer(steps[learned])}`;
  return [
    {
      ...{
        title: `% right${tests && !isBrief ? ` in ${tests} test sentences` : ""}`,
        most: 104,
        lines: [{ name: "", values, steps }, ...(way ? [change] : [])],
      },
      marks: learned < steps.length - 1 ? [{ frame: learned, text }] : [],
    },
  ];
}
