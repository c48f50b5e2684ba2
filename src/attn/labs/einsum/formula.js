// Einsum formulas in words: what becomes of each letter, and why a formula cannot be. The twin of attn/formula.py.

export const LETTERS = "bhlsdeg";
const MOST_AXES = 4;

// "bhld,bhsd->bhls" -> { tensors: ["bhld", "bhsd"], result: "bhls" }. Throws an Error, a sentence, for a formula that cannot be.
export function readFormula(given) {
  const text = given.replaceAll(" ", "");
  if (text.includes(".")) throw new Error('"..." stands for axes that have no letter; here every axis has its own.');
  for (const sign of text.replaceAll("->", "").replaceAll(",", "")) if (!LETTERS.includes(sign)) throw new Error(stranger(sign));
  const [before, ...behind] = text.split("->");
  if (behind.length !== 1)
    throw new Error('A formula has one "->": before it the letters of the tensors, behind it those that are left.');
  const [tensors, [result]] = [before.split(","), behind];
  if (tensors.length > 2) throw new Error(`${tensors.length} tensors, between commas: only two can be multiplied here.`);
  if (result.includes(",")) throw new Error("There is a comma behind the arrow: a formula has one result.");
  if (!tensors.every(Boolean)) throw new Error("One of the tensors has no letters: give it a letter for each of its axes.");
  for (const axes of [...tensors, result])
    if (axes.length > MOST_AXES) throw new Error(`"${axes}" has ${axes.length} axes: at most ${MOST_AXES} can be drawn.`);
  [...result].forEach((letter, at) => {
    if (!before.includes(letter))
      throw new Error(`"${letter}" is in the result, but in no tensor before the arrow: nothing says what it counts.`);
    if (result.indexOf(letter) < at)
      throw new Error(`"${letter}" stands twice behind the arrow: a result has one axis for each letter.`);
  });
  return { tensors, result };
}

function stranger(sign) {
  const known = [...LETTERS].join(", ");
  if (LETTERS.includes(sign.toLowerCase()))
    return `"${sign}" and "${sign.toLowerCase()}" would be two axes: write them all in lower case, ${known}.`;
  if ("->".includes(sign)) return `"${sign}" alone is no arrow: write "->".`;
  return `"${sign}" is no axis of this book: they are ${known}.`;
}

// The letters that are not in the result, once each.
export function summedOf({ tensors, result }) {
  return [...new Set(tensors.join(""))].filter((letter) => !result.includes(letter)).join("");
}

// Every letter once, those of the result first: the order of the loops that the formula means.
export function lettersOf(formula) {
  return formula.result + summedOf(formula);
}

// "matched": in both tensors and in the result. "free": in one and in the result. "summed": in both, not in the result.
// "alone": in one, not in the result.
export function roleOf({ tensors, result }, letter) {
  const shared = tensors.length > 1 && tensors.every((axes) => axes.includes(letter));
  if (result.includes(letter)) return shared ? "matched" : "free";
  return shared ? "summed" : "alone";
}

// The sizes of these letters; sizes are by axis: { B: 2, ... }.
export function shapeOf(axes, sizes) {
  return [...axes].map((letter) => sizes[letter.toUpperCase()]);
}

export function product(numbers) {
  return numbers.reduce((all, one) => all * one, 1);
}

// The loops that the formula means, line by line: { depth, text, letter, summed }. letter: the loop's own, or null.
export function loopsOf(formula, sizes, names = ["left", "right"]) {
  const { tensors, result } = formula;
  const summed = summedOf(formula);
  const [kept, all] = [result.length, result.length + summed.length];
  const heads = [...lettersOf(formula)].map((letter, depth) => {
    return { depth, text: `for ${letter} in range(${sizes[letter.toUpperCase()]}):`, letter, summed: depth >= kept };
  });
  const factors = tensors.map((axes, n) => `${names[n]}[${[...axes].join(",")}]`).join(" * ");
  const place = `result[${[...result].join(",") || "()"}]`;
  const line = (depth, text, inSum) => ({ depth, text, letter: null, summed: inSum });
  if (!summed) return [...heads, line(all, `${place} = ${factors}`, false)];
  const inner = [line(kept, "total = 0", true), ...heads.slice(kept), line(all, `total += ${factors}`, true)];
  return [...heads.slice(0, kept), ...inner, line(kept, `${place} = total`, false)];
}
