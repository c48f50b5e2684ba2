// Which curves TrainingLab draws: the loss, what was measured, and what the chosen head or the chosen row does.

import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { learnedOf, linesOf, lossAt } from "./model.js";
import { headName } from "./words.js";

/** @typedef {import("./curves.js").Panel} Panel */
/** @typedef {import("./model.js").Run} Run */

/** @type {WeakMap<Run, Map<string, import("./model.js").Line[]>>} */
const known = new WeakMap();

/**
 * The lines of a head, computed once.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 */
function headLines(run, sequence, head) {
  const ofRun = known.get(run) ?? new Map();
  known.set(run, ofRun);
  const key = `${sequence} ${head}`;
  if (!ofRun.has(key)) ofRun.set(key, linesOf(run, sequence, ...head));
  return ofRun.get(key);
}

/**
 * @param {Run} run
 * @param {{ show: string, sequence: number, head: readonly [layer: number, head: number], word: number }} settings
 * @param {Float32Array} strides of the chosen row
 * @param {number} width of all panels
 * @returns {Panel[]}
 */
export function panelsOf(run, { show, sequence, head, word }, strides, width) {
  const isBrief = width < 480; // room for one panel

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
  if (run.questions.length)
    return [{ ...loss, marks: [...(loss.marks ?? []), ...reachedIn(run)], ...(isBrief ? {} : rightIn(run)) }];
  const shares = Object.entries(measured).map(([name, values]) => ({ name, values, steps }));
  /** @type {Panel[]} */
  const right = shares.length ? [{ title: `measured${tests ? ` in ${tests} test sentences` : ""}`, most: 1, lines: shares }] : [];
  const lines = headLines(run, sequence, head).map((line) => ({ ...line, steps }));
  const all = [loss, ...right, { title: `weights of ${headName(run, head)} on`, most: 1, lines }];
  return width < 860 ? all.slice(0, 2) : all;
}

/** The moment from which on the answers stay right, if there is one. @param {Run} run */
function reachedIn(run) {
  const learned = learnedOf(run);
  return learned < run.steps.length - 1 ? [{ frame: learned, text: `98 of 100 right: step ${integer(run.steps[learned])}` }] : [];
}

/**
 * How many of the answers are right, as a line of words with a number for each question.
 *
 * @param {Run} run
 * @returns {Pick<Panel, "told">}
 */
function rightIn({ measured, tests, steps }) {
  const lines = Object.entries(measured).map(([name, values]) => ({ name, values: values.map((one) => 100 * one), steps }));
  return lines.length ? { told: { title: `% right${tests ? ` in ${tests} test sentences` : ""}`, lines } } : {};
}
