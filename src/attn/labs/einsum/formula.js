// Einsum formulas: reading one, the role of each letter, and the loops that it stands for. formula.py is the same in Python.

export const LETTERS = "bhlsdeg";
const MOST_AXES = 4;
const MOST_TENSORS = 2;

/** @typedef {{ tensors: string[], result: string }} Formula the letters of the tensors and of the result */
/** @typedef {Record<string, number>} Sizes the size of each axis, { B: 2, ... }; other settings may stand beside them */
/** @typedef {"matched" | "free" | "summed" | "alone"} Role */

/**
 * Read a formula: "bhld,bhsd->bhls" is { tensors: ["bhld", "bhsd"], result: "bhls" }.
 *
 * @param {string} given
 * @returns {Formula}
 * @throws {Error} whose message explains why the formula is invalid
 */
export function readFormula(given) {
  const text = given.replaceAll(" ", "");
  if (text.includes(".")) throw new Error('"..." stands for axes without letters; here every axis has its own letter.');
  for (const sign of text.replaceAll("->", "").replaceAll(",", "")) if (!LETTERS.includes(sign)) throw new Error(unknownSign(sign));
  const [before, ...after] = text.split("->");
  if (after.length !== 1)
    throw new Error('A formula has one "->": before it the letters of the tensors, after it those of the result.');
  const [tensors, [result]] = [before.split(","), after];
  if (tensors.length > MOST_TENSORS)
    throw new Error(`${tensors.length} tensors, separated by commas: only two can be multiplied here.`);
  if (result.includes(",")) throw new Error("There is a comma after the arrow: a formula has one result.");
  if (!tensors.every(Boolean)) throw new Error("One of the tensors has no letters: give it a letter for each of its axes.");
  for (const axes of [...tensors, result])
    if (axes.length > MOST_AXES) throw new Error(`"${axes}" has ${axes.length} axes: at most ${MOST_AXES} can be drawn.`);
  [...result].forEach((letter, at) => {
    if (!before.includes(letter))
      throw new Error(`"${letter}" is in the result, but in no tensor before the arrow: nothing says what it counts.`);
    if (result.indexOf(letter) < at)
      throw new Error(`"${letter}" appears twice after the arrow: a result has one axis for each letter.`);
  });
  return { tensors, result };
}

function unknownSign(sign) {
  const known = [...LETTERS].join(", ");
  if (LETTERS.includes(sign.toLowerCase()))
    return `"${sign}" and "${sign.toLowerCase()}" would be two axes: write all letters in lower case, ${known}.`;
  if ("->".includes(sign)) return `"${sign}" alone is not an arrow: write "->".`;
  return `"${sign}" is not an axis of this book: they are ${known}.`;
}

/**
 * The letters that are not in the result, once each.
 *
 * @param {Formula} formula
 */
export function summedLetters({ tensors, result }) {
  return [...new Set(tensors.join(""))].filter((letter) => !result.includes(letter)).join("");
}

/**
 * The formula without a letter of the result, or with one more in it; as a text.
 *
 * @param {Formula} formula
 * @param {string} letter
 */
export function toggled({ tensors, result }, letter) {
  const at = [...result].findIndex((other) => LETTERS.indexOf(other) > LETTERS.indexOf(letter));
  const place = at < 0 ? result.length : at;
  const other = result.includes(letter) ? result.replace(letter, "") : result.slice(0, place) + letter + result.slice(place);
  return `${tensors}->${other}`;
}

/** The letters that could be kept, too: none if the result is full. @param {Formula} formula */
export const lostLetters = (formula) => (formula.result.length < MOST_AXES ? summedLetters(formula) : "");

/**
 * Every letter once, those of the result first: the order of the loops.
 *
 * @param {Formula} formula
 */
export function lettersOf(formula) {
  return formula.result + summedLetters(formula);
}

/**
 * "matched": in both tensors and in the result. "free": in one tensor and in the result. "summed": in both tensors, not in the
 * result. "alone": in one tensor, not in the result.
 *
 * @param {Formula} formula
 * @param {string} letter
 * @returns {Role}
 */
export function roleOf({ tensors, result }, letter) {
  const shared = tensors.length > 1 && tensors.every((axes) => axes.includes(letter));
  if (result.includes(letter)) return shared ? "matched" : "free";
  return shared ? "summed" : "alone";
}

/**
 * The sizes of these letters.
 *
 * @param {string | string[]} axes
 * @param {Sizes} sizes
 * @returns {number[]}
 */
export function shapeOf(axes, sizes) {
  return [...axes].map((letter) => sizes[letter.toUpperCase()]);
}

/**
 * Whether the second tensor is k or v, by its letters.
 *
 * @param {Formula} formula
 */
export const isOfKeys = ({ tensors: [, right] }) => /^b?[hg]?sd$/.test(right ?? "");

/**
 * Whether the first tensor is weights: no number of it is negative, and each row sums to the same.
 *
 * @param {Formula} formula
 */
export const isOfWeights = (formula) => formula.tensors[0] === "bhls" && isOfKeys(formula);

/** @typedef {{ depth: number, text: string, letter: string | null }} Line letter: of a loop; null for the line inside */

/**
 * The loops that the formula stands for, line by line: those of the result outside, those that are summed inside. The result is full of
 * zeros before they run.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {readonly string[]} names of the tensors and the result
 * @returns {Line[]}
 */
export function loopsOf(formula, sizes, names = ["left", "right", "result"]) {
  const loops = [...lettersOf(formula)].map((letter, depth) => {
    return { depth, text: `for ${letter} in range(${sizes[letter.toUpperCase()]}):`, letter };
  });
  const factors = formula.tensors.map((axes, n) => `${names[n]}[${[...axes].join(",")}]`).join(" * ");
  const place = `${names[2]}[${[...formula.result].join(",") || "()"}]`;
  return [...loops, { depth: loops.length, text: `${place} ${summedLetters(formula) ? "+=" : "="} ${factors}`, letter: null }];
}
