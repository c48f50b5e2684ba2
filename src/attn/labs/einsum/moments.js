// The loops in time: what runs at a moment, and how a film of them hurries through what repeats.

import { clamp, product } from "../kit/math.js";
import { lettersOf, shapeOf, summedLetters } from "./formula.js";
import { indexOf } from "./model.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */

/**
 * @typedef {object} Moment
 * @property {number} n the run of the inner line that is under way, or the last one that has ended
 * @property {number} part how much of it has passed: 0 only before everything, 1 when it has ended
 * @property {Record<string, number>} indices of every loop
 * @property {number} line which line runs: that of a loop, or the last one
 * @property {number} result the number of the result into which the product falls
 * @property {number} term which of its terms that is
 * @property {number} terms how many terms a result has
 * @property {number} steps how often the inner line runs altogether
 */

/** @typedef {{ name: string, runs: string, from: number, until: number, first: number, last: number, stride: number }} Part from, until: in seconds; first, last: runs of the inner line, of which `stride` belong together; runs: the letters whose loops begin to run in it */

const ADVANCES = 0.16; // how much of a run passes while a loop goes on to its next index
const SLACK = 1e-9;

/**
 * How often the inner line runs, and how many of these runs add up to one result.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 */
export function stepsOfLoops(formula, sizes) {
  const terms = product(shapeOf(summedLetters(formula), sizes));
  return { terms, steps: terms * product(shapeOf(formula.result, sizes)) };
}

/**
 * What runs when the inner line has run x times.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {number} x
 * @returns {Moment}
 */
export function momentAt(formula, sizes, x) {
  const letters = lettersOf(formula);
  const shape = shapeOf(letters, sizes);
  const { terms, steps } = stepsOfLoops(formula, sizes);
  const at = clamp(x, 0, steps);
  const n = Math.max(0, Math.ceil(at - SLACK) - 1);
  const part = Math.min(1, at - n);
  const index = indexOf(n, shape);
  const before = n > 0 ? indexOf(n - 1, shape) : [];
  const advanced = index.findIndex((value, depth) => value !== before[depth]);
  return {
    ...{ n, part, terms, steps, result: Math.floor(n / terms), term: n % terms },
    indices: Object.fromEntries([...letters].map((letter, depth) => [letter, index[depth]])),
    line: part < ADVANCES && letters ? Math.max(0, advanced) : letters.length,
  };
}

/**
 * The parts of the film: one result, slowly, then a row, a matrix and all matrices, each in a few seconds, however many runs it has.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @returns {Part[]}
 */
export function partsOf(formula, sizes) {
  const { terms } = stepsOfLoops(formula, sizes);
  const { result } = formula;
  const [columns, rows] = [result.slice(-1), result.slice(-2, -1)];
  const outer = result.slice(0, -2);
  const size = (/** @type {string} */ letters) => product(shapeOf(letters, sizes));
  /** @type {Part[]} */
  const parts = [];
  let [from, first] = [0, 0];
  const add = (
    /** @type {string} */ name,
    /** @type {string} */ runs,
    /** @type {number} */ last,
    /** @type {number} */ seconds,
  ) => {
    if (last === first) return;
    const stride = first || 1;
    parts.push({ name, runs, from, until: from + seconds, first, last, stride });
    [from, first] = [from + seconds, last];
  };
  add("one result", summedLetters(formula), terms, clamp(0.8 * terms, 1.2, 3.2));
  add("one row", columns, first * size(columns), 1.1);
  add(outer ? "one matrix" : "the matrix", rows, first * size(rows), 0.9);
  add(`all ${size(outer)} matrices`, outer, first * size(outer), 1.6);
  return parts;
}

/**
 * How often the inner line has run at time t, in seconds.
 *
 * @param {Part[]} parts
 * @param {number} t
 */
export function stepsAt(parts, t) {
  const { from, until, first, last } = partAt(parts, t);
  return first + (last - first) * clamp((t - from) / (until - from), 0, 1);
}

/**
 * The time at which the inner line has run x times.
 *
 * @param {Part[]} parts
 * @param {number} x
 */
export function timeAt(parts, x) {
  const { from, until, first, last } = parts.find((part) => x <= part.last) ?? parts[parts.length - 1];
  return from + (until - from) * clamp((x - first) / (last - first), 0, 1);
}

/**
 * @param {Part[]} parts
 * @param {number} t
 */
export function partAt(parts, t) {
  return parts.find(({ until }) => t < until - SLACK) ?? parts[parts.length - 1];
}

/**
 * The times of the still pictures: after each term of the first result, each result of the first row, and so on.
 *
 * @param {Part[]} parts
 */
export function stopsOf(parts) {
  const times = parts.flatMap(({ from, until, first, last, stride }) => {
    const count = (last - first) / stride;
    return Array.from({ length: count }, (_, n) => (n === count - 1 ? until : from + ((until - from) * (n + 1)) / count));
  });
  return [0, ...times];
}
