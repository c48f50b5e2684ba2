// The sentence of EinsumLab: what the formula keeps and adds up, and what happens in the picture.

import { element, letter } from "../kit/dom.js";
import { isOfWeights, summedLetters } from "./formula.js";
import { countText, momentText, namesOf, nounOf, nudgeText, partText, pinText, verdictOf, workText } from "./words.js";

/**
 * What happens in the picture; "" when all loops have run.
 *
 * @param {import("./formula.js").Formula} formula
 * @param {import("./model.js").State} settings
 * @param {import("./model.js").Results} results
 * @param {import("./scene.js").Scene} scene
 * @param {import("./moments.js").Part | null} part of the film, while it plays
 */
export function happeningIn(formula, settings, results, scene, part) {
  const names = namesOf(formula);
  const { moment, trace, isNudge } = scene;
  if (part) return partText(part, moment, names);
  if (trace && isNudge) return nudgeText(formula, results, trace, names);
  if (trace) return pinText(formula, settings, results, trace, names);
  const isOver = moment.n + 1 === moment.steps && moment.part === 1;
  return isOver ? "" : momentText(formula, results, scene, names);
}

/** How much work a formula is. @param {import("./formula.js").Formula} formula @param {import("./model.js").State} settings */
export const workOf = (formula, settings) => workText(formula, settings, nounOf(namesOf(formula)));

/** A formula that is a mistake, as a verdict. @param {import("./formula.js").Formula} formula @param {import("./model.js").State} settings */
export function verdictIn(formula, settings) {
  const verdict = verdictOf(formula, settings);
  return verdict && verdict.kind !== "good" ? [" ", element("b", { class: verdict.kind }, verdict.text)] : [];
}

/**
 * The verdict on a formula, which letters it keeps and adds up, and how many results and terms there are.
 *
 * @param {import("./formula.js").Formula} formula
 * @param {import("./model.js").State} settings
 * @returns {(Node | string)[]}
 */
export function claimOf(formula, settings) {
  const summed = summedLetters(formula);
  const verdict = verdictOf(formula, settings);
  const list = (/** @type {string} */ all) => [...all.toUpperCase()].flatMap((axis, n) => [n ? ", " : "", letter(axis)]);
  const verb = (/** @type {string} */ all) => (all.length > 1 ? "are" : "is");
  return [
    ...(verdict ? [element("b", { class: verdict.kind }, verdict.text), " "] : []),
    ...(formula.result ? [...list(formula.result), ` ${verb(formula.result)} kept, `] : []),
    ...(summed ? [...list(summed), ` ${verb(summed)} added up`] : ["nothing is added up"]),
    `: ${countText(formula, settings, nounOf(namesOf(formula)))}. `,
    isOfWeights(formula) ? "Each row of weights sums to 10. " : "",
  ];
}
