// What CodeLab draws of a program: its analysis, the numbers of its tensors, and what its checker says.

import { product } from "../kit/math.js";
import { noteMissing, rest } from "../kit/python/rest.js";
import { numbersOf, places, viewOf } from "../kit/torch/tensor.js";
import { analyse, failureOf } from "./analyse.js";
import { compare } from "./compare.js";
import { MOST } from "./sheets.js";

/** @typedef {import("../kit/torch/tensor.js").Tensor} Tensor */
/** @typedef {import("./sheets.js").Detail} Detail */

/**
 * @param {object} settings
 * @param {string} settings.code
 * @param {boolean} [settings.compare] whether it is compared with another version
 * @param {string} [settings.other] that version
 * @param {string} [settings.check] a checker, and what it asks for
 * @param {import("./analyse.js").Words} settings._words
 * @param {import("./verdict.js").Tasks | null} [settings._tasks] what the page knows of checkers
 */
export function answer({ code, compare: isCompared = false, other = "", check = "", _words: words, _tasks: tasks = null }) {
  const own = analyse(code, words, tasks?.sources);
  const isChecked = check && tasks && !own.analysis.failure;
  const results = { ...resultsOf(own), ...(isChecked ? checked(check, code, own.variables, tasks, words) : { verdict: null }) };
  if (!isCompared) return { ...results, second: null, comparison: null };
  const another = analyse(other, words, tasks?.sources);
  return { ...results, second: resultsOf(another), comparison: compare(own, another) };
}

/**
 * The verdict on a program; or the failure of one that the page cannot check.
 *
 * @param {string} check
 * @param {string} code
 * @param {Map<string, any>} variables
 * @param {import("./verdict.js").Tasks} tasks
 * @param {import("./analyse.js").Words} words
 */
function checked(check, code, variables, tasks, words) {
  noteMissing();
  const { verdict, error } = rest.verdictOf(check, code, variables, tasks);
  return error ? { verdict, failure: failureOf(error, {}, words.methods) } : { verdict };
}

/** @param {import("./compare.js").Run} run */
function resultsOf({ analysis, tensors }) {
  const rows = analysis.lines.flatMap((line) => line.rows);
  const details = Object.fromEntries(rows.map((row) => [row.id, detailOf(row, /** @type {Tensor} */ (tensors.get(row.id)))]));
  return { ...analysis, details };
}

/**
 * The first numbers of a tensor, and where they are in memory.
 *
 * @param {import("./analyse.js").Row} row
 * @param {Tensor} tensor
 * @returns {Detail}
 */
function detailOf({ id, name, axes }, tensor) {
  const part = firstOf(tensor);
  return {
    ...{ id, name, axes, storage: tensor.storage.id },
    shape: part.shape,
    numbers: Float32Array.from(numbersOf(part)),
    places: places(part),
  };
}

/**
 * So much of a tensor as can be drawn: its first tables.
 *
 * @param {Tensor} tensor
 */
function firstOf(tensor) {
  const shape = [...tensor.shape];
  for (let axis = 0; product(shape) > MOST && axis < shape.length; axis++)
    shape[axis] = Math.max(1, Math.floor((shape[axis] * MOST) / product(shape)));
  return viewOf(tensor, shape, tensor.strides);
}
