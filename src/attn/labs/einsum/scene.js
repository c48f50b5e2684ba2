// What EinsumLab's picture shows at a moment: which matrices are in front, which numbers are marked, and how far each result has come.

import { clamp } from "../kit/math.js";
import { turnAt } from "./differences.js";
import { shapeOf } from "./formula.js";
import { gridOf, sizesOf } from "./layout.js";
import { indexOf, nudgedOf } from "./model.js";
import { momentAt } from "./moments.js";
import { acrossOf, axesOf, termsOf, tracePin } from "./pin.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */
/** @typedef {import("./moments.js").Moment} Moment */
/** @typedef {import("./pin.js").Trace} Trace */

const OFFERED = [1, 1, 2, 4, 0]; // k[1, 2, 4, 0]

/**
 * @typedef {object} Scene
 * @property {Moment} moment
 * @property {Trace | null} trace of the number that is explained; then the loops do not run
 * @property {boolean} isFast whether whole results are shown and not each product
 * @property {boolean} isRunning
 * @property {Record<string, number>} indices by letter, of those that are known; where whole results are shown, those of the result
 * @property {boolean} isStill whether all loops have run and nothing is explained; then no index is known
 * @property {[number, number] | null} offered the number to which 1 could be added, in a still picture
 * @property {[number, number][]} fronts for each tensor the matrix that is in front
 * @property {(Set<number> | null)[]} marks the numbers that are marked in each tensor
 * @property {number} sum of the terms that the current result has so far
 * @property {number[]} pair the numbers of the factors that meet
 * @property {boolean} isNudge whether the number that is explained is the nudged one
 * @property {number[]} turns the matrices of the result that it changes, one after the other
 */

/**
 * @param {Formula} formula
 * @param {import("./model.js").State & { pin: number[] | null, step: number | null }} settings
 * @param {import("./model.js").Results} results
 * @param {object} view
 * @param {number} view.x how often the inner line has run
 * @param {boolean} view.isRunning
 * @param {boolean} view.isFast
 * @param {number[] | null} view.hovered
 * @param {number} [view.bump] how much of the move of a nudged number has passed
 * @returns {Scene}
 */
export function sceneOf(formula, settings, results, { x, isRunning, isFast, hovered, bump = 1 }) {
  const moment = momentAt(formula, settings, x);
  const nudged = nudgedOf(formula, settings);
  const shown = isRunning ? null : (hovered ?? settings.pin ?? (settings.step === null ? nudged : null));
  const trace = tracePin(formula, settings, shown);
  const isOver = !isRunning && moment.n + 1 === moment.steps && moment.part === 1;
  const isStill = isOver && trace === null && !acrossOf(formula); // what several matrices add to a result stays, as an example
  const own = (/** @type {string} */ letter) => formula.result.includes(letter);
  const ofResult = () => Object.fromEntries(Object.entries(moment.indices).filter(([letter]) => own(letter)));
  const offered = isStill ? nudgedOf(formula, settings, OFFERED) : null;
  const inFront = tracePin(formula, settings, offered) ?? trace;
  const indices = inFront ? inFront.fixed : isFast ? ofResult() : moment.indices;
  const isNudge = trace !== null && String(shown) === String(nudged);
  const axes = axesOf(formula);
  const fronts = axes.map((own, side) => frontOf(own ?? "", settings, indices, trace?.side === side ? trace.n : null));
  const common = { moment, trace, isRunning, isStill, offered, fronts, isNudge };
  let turns = [0];
  if (trace) {
    const changed = isNudge && results.changed ? Array.from(results.changed, Number) : null;
    const marks = trace.cells.map((cells, side) =>
      side === 2 && changed ? new Set(changed.flatMap((yes, n) => (yes ? [n] : []))) : cells && new Set(cells),
    );
    let told = indices;
    if (isNudge) {
      // What the nudged number is multiplied with may stand in several matrices: each is in front while its results change.
      const [, , R, C] = sizesOf(formula.result, settings);
      const all = [...(marks[2] ?? [])];
      const tableOf = (/** @type {number} */ n) => Math.floor(n / (R * C));
      turns = [...new Set(all.map(tableOf))];
      const now = turns[turnAt(bump, turns.length)];
      const at = { ...tracePin(formula, settings, [2, all.find((n) => tableOf(n) === now) ?? 0])?.fixed, ...indices };
      fronts[1 - trace.side] = frontOf(axes[1 - trace.side] ?? "", settings, at, null);
      if (bump < 1) for (const letter of gridOf(formula.result).slice(0, 2)) if (letter) told = { ...told, [letter]: at[letter] };
    }
    return { ...common, turns, isFast: false, indices: told, marks, sum: 0, pair: [] };
  }
  const terms = knownTerms(formula, settings, results, moment.result);
  const value = (/** @type {number[]} */ [p, q]) => results.left[p] * (q === undefined ? 1 : (results.right?.[q] ?? 1));
  const done = moment.part >= 1 ? moment.term + 1 : moment.term;
  const sum = terms.slice(0, done).reduce((all, term) => all + value(term), 0);
  const pair = terms[moment.term];
  const used = isFast ? tracePin(formula, settings, [2, moment.result]) : null;
  const marks = axes.map((own, side) => {
    if (own === null) return null;
    if (moment.part === 0 || isStill) return new Set();
    return new Set(side === 2 ? [moment.result] : (used?.cells[side] ?? [pair[side]]));
  });
  return { ...common, turns, isFast, indices: isStill ? {} : indices, marks, sum, pair };
}

/** @type {WeakMap<object, { n: number, terms: number[][] }>} */
const lately = new WeakMap();

/**
 * All terms of result n. Those of the last one are kept, because the moments of one result follow each other.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {import("./model.js").Results} results
 * @param {number} n
 */
function knownTerms(formula, sizes, results, n) {
  const known = lately.get(results);
  if (known?.n === n) return known.terms;
  const { terms } = termsOf(formula, sizes, n, Infinity);
  lately.set(results, { n, terms });
  return terms;
}

/**
 * How many terms a result has so far; with a fraction while one is falling into it in a film that shows whole results.
 *
 * @param {Scene} scene
 * @param {number} n
 */
export function termsSoFar({ moment, trace, isFast }, n) {
  const { terms } = moment;
  if (trace) return terms;
  const done = moment.n + (isFast ? moment.part : Math.floor(moment.part));
  return clamp(done - n * terms, 0, terms);
}

/**
 * The matrix of a tensor that is in front: that of the known indices, or of number n.
 *
 * @param {string} axes
 * @param {Sizes} sizes
 * @param {Record<string, number>} indices
 * @param {number | null} n
 * @returns {[number, number]}
 */
function frontOf(axes, sizes, indices, n) {
  if (n === null)
    return /** @type {[number, number]} */ (
      gridOf(axes)
        .slice(0, 2)
        .map((letter) => indices[letter] ?? 0)
    );
  return /** @type {[number, number]} */ (indexOf(n, sizesOf(axes, sizes)).slice(0, 2));
}

/**
 * Where the numbers of a tensor are from, for colours by origin: the indices of one letter that flow into number n, or null if the tensor
 * knows nothing of that letter.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {number} side
 * @param {number} n
 * @param {"key" | "head"} by
 * @returns {number[] | null}
 */
export function originsOf(formula, sizes, side, n, by) {
  const own = axesOf(formula)[side] ?? "";
  const source = formula.tensors[1] ?? formula.tensors[0];
  const letter = by === "key" ? "s" : [..."hg"].find((one) => source.includes(one));
  const mine = by === "key" || side === 2 || own === source ? letter : [..."hg"].find((one) => own.includes(one));
  if (!mine) return null;
  const at = own.indexOf(mine);
  if (at >= 0) return [indexOf(n, shapeOf(own, sizes))[at]];
  if (side < 2 || !formula.tensors.join("").includes(mine)) return null;
  return Array.from({ length: sizes[mine.toUpperCase()] }, (_, index) => index);
}
