// What an einsum formula computes, and which numbers it makes of which. No page, no kernel: the twin of EinsumLab.compute.

import { normal } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { lettersOf, loopsOf, product, readFormula, roleOf, shapeOf, summedOf } from "./formula.js";

export const SIDES = ["left", "right"];
const RADIX = 16; // no axis is longer, so an index has one digit for each axis

// Small whole numbers, each a function of its index: a longer axis changes none that was there.
function numbers(name, shape) {
  const outer = shape.slice(0, -1);
  const rows = range(product(outer)).map((n) => {
    return indexOf(n, outer).reduce((row, at, place) => row + at * RADIX ** place, 0);
  });
  return normal(0, name, rows, shape.at(-1)).map((value) => Math.round(2 * value));
}

// The index of number n of a tensor: [1, 0, 3].
export function indexOf(n, shape) {
  const index = [];
  for (const size of [...shape].reverse()) {
    index.unshift(n % size);
    n = Math.floor(n / size);
  }
  return index;
}

// How far each letter's step is in a tensor with these axes; a letter that stands twice steps along both at once.
function stepsOf(letters, axes, sizes) {
  return [...letters].map((letter) => {
    let [step, sum] = [1, 0];
    for (const axis of [...axes].reverse()) {
      if (axis === letter) sum += step;
      step *= sizes[axis.toUpperCase()];
    }
    return sum;
  });
}

// Every loop of the formula, innermost last; each step adds one product.
export function compute(state) {
  const formula = readFormula(state.formula);
  const { tensors, result } = formula;
  const given = tensors.map((axes, n) => numbers(SIDES[n], shapeOf(axes, state)));
  const letters = lettersOf(formula);
  const counts = shapeOf(letters, state);
  const [one, two] = given;
  const [stepsOne, stepsTwo] = [tensors[0], tensors[1] ?? ""].map((axes) => stepsOf(letters, axes, state));
  const stepsOut = stepsOf(letters, result, state);
  const out = new Float32Array(product(shapeOf(result, state)));
  (function walk(depth, p, q, o) {
    if (depth === counts.length) {
      out[o] += two ? one[p] * two[q] : one[p];
      return;
    }
    for (let n = 0; n < counts[depth]; n++, p += stepsOne[depth], q += stepsTwo[depth], o += stepsOut[depth])
      walk(depth + 1, p, q, o);
  })(0, 0, 0, 0);
  const all = product(counts);
  return {
    left: one,
    ...(two && { right: two }),
    result: out,
    roles: Object.fromEntries([...letters].map((letter) => [letter, roleOf(formula, letter)])),
    counts: { results: out.length, terms: all / out.length, multiplications: two ? all : 0 },
    loops: loopsOf(formula, state)
      .map(({ depth, text }) => "  ".repeat(depth) + text)
      .join("\n"),
  };
}

// Axes and numbers of the three tensors, for a pin: 0 is left, 1 right, 2 the result. A formula of one tensor has no right.
export function axesOf({ tensors, result }) {
  return [tensors[0], tensors[1] ?? null, result];
}

// The indices of letters that number n of a tensor stands for, { b: 1, l: 0 }, or null if a letter would need two.
function fixedBy(axes, n, sizes) {
  const index = indexOf(n, shapeOf(axes, sizes));
  const fixed = {};
  for (const [place, letter] of [...axes].entries()) {
    if ((fixed[letter] ?? index[place]) !== index[place]) return null;
    fixed[letter] = index[place];
  }
  return fixed;
}

// The numbers of a tensor whose indices agree with `fixed`, in order.
function agreeing(axes, fixed, sizes) {
  const letters = [...new Set(axes)];
  const steps = stepsOf(letters, axes, sizes);
  let places = [0];
  letters.forEach((letter, n) => {
    const indices = letter in fixed ? [fixed[letter]] : range(sizes[letter.toUpperCase()]);
    places = places.flatMap((from) => indices.map((at) => from + at * steps[n]));
  });
  return places.sort((a, b) => a - b);
}

// What belongs to a pinned number, for left, right and the result the numbers of each: what a result is made of, or into which
// results a number of an operand goes. fixed: the loops that stand still. null if the pin does not fit.
export function traced(formula, sizes, pin) {
  if (!pin) return null;
  const [side, n] = pin;
  const axes = axesOf(formula);
  if (axes[side] === null || axes[side] === undefined || n >= product(shapeOf(axes[side], sizes))) return null;
  const fixed = fixedBy(axes[side], n, sizes);
  const cells = axes.map((own, at) => {
    if (own === null) return null;
    if (at === side) return [n];
    return fixed ? agreeing(own, fixed, sizes) : [];
  });
  return { side, n, fixed: fixed ?? {}, cells, used: fixed !== null };
}

// The terms of result number n: the first `most`, each [number of left, number of right], and how many there are.
export function termsOf(formula, sizes, n, most) {
  const fixed = fixedBy(formula.result, n, sizes);
  const summed = summedOf(formula);
  const counts = shapeOf(summed, sizes);
  const all = product(counts);
  const terms = range(Math.min(all, most)).map((term) => {
    const at = { ...fixed };
    indexOf(term, counts).forEach((index, place) => (at[summed[place]] = index));
    return formula.tensors.map((axes) => agreeing(axes, at, sizes)[0]);
  });
  return { all, terms };
}

const signed = (value) => `${value}`.replace("-", "−");
const factor = (value) => (value < 0 ? `(${signed(value)})` : signed(value));
const SHOWN = 12;

// In words: what a pinned number is made of, or where it goes.
export function story(formula, sizes, results, trace) {
  const axes = axesOf(formula)[trace.side];
  const name = [...SIDES, "result"][trace.side];
  const index = indexOf(trace.n, shapeOf(axes, sizes));
  const spelled = `${name}[${index.join(", ")}]`;
  const value = results[name][trace.n];
  if (trace.side === 2) {
    const { all, terms } = termsOf(formula, sizes, trace.n, SHOWN);
    const spell = (pair) => pair.map((at, side) => factor(results[SIDES[side]][at])).join("·");
    const more = all > terms.length ? ` + … (${all - terms.length} more)` : "";
    return `${spelled} = ${terms.map(spell).join(" + ")}${more} = ${signed(value)}`;
  }
  const told = `${spelled} = ${signed(value)}`;
  if (!trace.used) return `${told} is used nowhere: it is not on the diagonal.`;
  const felt = trace.cells[2].length;
  const lacks = [...formula.result].filter((letter) => !axes.includes(letter)).map((letter) => letter.toUpperCase());
  const along = lacks.length ? `, along ${lacks.join(" and ")}: ${name} does not have ${lacks.length > 1 ? "them" : "it"}` : "";
  return `${told} goes into ${felt} of ${results.result.length} results${along}.`;
}

// How many results, terms and multiplications the loops have, in a sentence. A letter that meets no partner torch adds up first,
// before anything is multiplied: that saves its factor.
export function work(formula, sizes) {
  const letters = lettersOf(formula);
  const early = [...letters].filter((letter) => roleOf(formula, letter) === "alone");
  const total = product(shapeOf(letters, sizes));
  const found = product(shapeOf(formula.result, sizes));
  const written = (count) => count.toLocaleString("en");
  const each = found === total ? "1 term each" : `${written(total / found)} terms each`;
  const results = `${written(found)} result${found > 1 ? "s" : ""}, ${each}`;
  if (formula.tensors.length < 2) return `${results}: nothing is multiplied.`;
  const multiplied = `${results}: ${written(total)} multiplications`;
  if (!early.length) return `${multiplied}.`;
  return `${multiplied} as loops. Torch adds up ${early.join(" and ")} first: ${written(total / product(shapeOf(early, sizes)))}.`;
}

// Sizes of this formula that hide something, in a sentence.
export function coincidences(formula, sizes) {
  const letters = [...lettersOf(formula)].map((letter) => letter.toUpperCase());
  const counts = [...new Set(letters.map((letter) => sizes[letter]))].filter((size) => size > 1);
  const equal = counts.map((size) => letters.filter((letter) => sizes[letter] === size)).filter((same) => same.length > 1);
  const one = letters.filter((letter) => sizes[letter] === 1 && roleOf(formula, letter.toLowerCase()) === "alone");
  return [
    ...one.map((letter) => `${letter} = 1: a sum over one number changes nothing, so this mistake cannot be seen.`),
    ...equal.map((same) => `${same.join(" = ")} = ${sizes[same[0]]}: from the shape alone nobody can tell them apart.`),
  ];
}
