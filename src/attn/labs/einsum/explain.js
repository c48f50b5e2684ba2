// The sentences of EinsumLab: about an axis, a pinned number, the amount of work, and sizes that hide something.

import { integer } from "../kit/format.js";
import { product } from "../kit/math.js";
import { lettersOf, roleOf, shapeOf } from "./formula.js";
import { indexOf, OPERANDS } from "./model.js";
import { axesOf, termsOf } from "./pin.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */

const SHOWN_TERMS = 12;
const withMinus = (value) => `${value}`.replace("-", "−");
const asFactor = (value) => (value < 0 ? `(${withMinus(value)})` : withMinus(value));

/**
 * The role of an axis: in a word, and in a few more.
 *
 * @param {Formula} formula
 * @param {string} letter
 * @returns {[string, string]}
 */
export function roleText({ tensors, result }, letter) {
  const role = roleOf({ tensors, result }, letter);
  const two = tensors.length > 1;
  if (role === "matched") return ["matched", "index by index"];
  if (role === "summed") return ["summed", "products added up"];
  if (role === "alone") return ["summed alone", two ? "has no partner" : "added up"];
  const other = OPERANDS[tensors.findIndex((axes) => !axes.includes(letter))];
  return ["free", two ? `${other} is reused for each` : "stays"];
}

/**
 * What a pinned result is made of, or where a pinned number of an operand goes.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {import("./model.js").Results} results
 * @param {import("./pin.js").Trace} trace
 * @returns {string}
 */
export function pinText(formula, sizes, results, { side, n, cells, used }) {
  const axes = axesOf(formula)[side] ?? "";
  const name = [...OPERANDS, "result"][side];
  const place = `${name}[${indexOf(n, shapeOf(axes, sizes)).join(", ")}]`;
  const value = withMinus(results[name][n]);
  if (name === "result") {
    const { count, terms } = termsOf(formula, sizes, n, SHOWN_TERMS);
    const spelled = terms.map((term) => term.map((at, operand) => asFactor(results[OPERANDS[operand]][at])).join("·"));
    const more = count > terms.length ? ` + … (${count - terms.length} more)` : "";
    return `${place} = ${spelled.join(" + ")}${more} = ${value}`;
  }
  if (!used) return `${place} = ${value} is used nowhere: it is not on the diagonal.`;
  const missing = [...formula.result].filter((letter) => !axes.includes(letter)).map((letter) => letter.toUpperCase());
  const pronoun = missing.length > 1 ? "them" : "it";
  const along = missing.length ? `, along ${missing.join(" and ")}: ${name} does not have ${pronoun}` : "";
  return `${place} = ${value} goes into ${cells[2]?.length} of ${results.result.length} results${along}.`;
}

/**
 * How many results, terms and multiplications the loops have. Torch first adds up a letter that has no partner, before anything is
 * multiplied: that saves its factor.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @returns {string}
 */
export function workText(formula, sizes) {
  const letters = lettersOf(formula);
  const alone = [...letters].filter((letter) => roleOf(formula, letter) === "alone");
  const steps = product(shapeOf(letters, sizes));
  const count = product(shapeOf(formula.result, sizes));
  const each = count === steps ? "1 term each" : `${integer(steps / count)} terms each`;
  const results = `${integer(count)} result${count > 1 ? "s" : ""}, ${each}`;
  if (formula.tensors.length < 2) return `${results}: nothing is multiplied.`;
  const multiplied = `${results}: ${integer(steps)} multiplications`;
  if (!alone.length) return `${multiplied}.`;
  const fewer = integer(steps / product(shapeOf(alone, sizes)));
  return `${multiplied} as loops. Torch adds up ${alone.join(" and ")} first: ${fewer}.`;
}

/**
 * Sizes of this formula that hide something, a sentence for each.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @returns {string[]}
 */
export function coincidences(formula, sizes) {
  const letters = [...lettersOf(formula)].map((letter) => letter.toUpperCase());
  const distinct = [...new Set(letters.map((letter) => sizes[letter]))].filter((size) => size > 1);
  const equal = distinct.map((size) => letters.filter((letter) => sizes[letter] === size)).filter((same) => same.length > 1);
  const single = letters.filter((letter) => sizes[letter] === 1 && roleOf(formula, letter.toLowerCase()) === "alone");
  return [
    ...single.map((letter) => `${letter} = 1: a sum over one number changes nothing, so this mistake cannot be seen.`),
    ...equal.map((same) => `${same.join(" = ")} = ${sizes[same[0]]}: from the shape alone nobody can tell them apart.`),
  ];
}
