// What EinsumLab shows, as a program.

import { isOfWeights, lettersOf, readFormula, shapeOf, summedLetters } from "./formula.js";
import { indexOf, nudgedOf } from "./model.js";
import { namesOf } from "./words.js";

/**
 * The formula with other whole numbers, and the same as a product of all pairs and a sum.
 *
 * @param {import("./model.js").State} state
 */
export function codeOf(state) {
  const formula = readFormula(state.formula);
  const names = namesOf(formula);
  const letters = [...lettersOf(formula)];
  const operands = formula.tensors.map((axes, n) => ({ name: names[n], axes }));
  const nudged = nudgedOf(formula, state);
  const index = nudged && indexOf(nudged[1], shapeOf(formula.tensors[nudged[0]], state)).join(", ");
  const isOnce = formula.tensors.every((axes) => new Set(axes).size === axes.length);
  const summed = [...summedLetters(formula)].map((_, n) => n - summedLetters(formula).length);
  const pairs = operands.map(({ name, axes }) => spread(name, axes, letters)).join(" * ");
  const sum = summed.length === letters.length ? "sum()" : `sum(${summed.length > 1 ? `(${summed.join(", ")})` : summed})`;
  const lines = [
    "import torch",
    "",
    `${letters.join(", ").toUpperCase()} = ${shapeOf(letters, state).join(", ")}`,
    ...operands.map(
      ({ name, axes }, n) => `${name} = torch.randint(${n === 0 && isOfWeights(formula) ? 0 : -3}, 4, ${shapeIn(axes)})`,
    ),
    ...(nudged ? [`${names[nudged[0]]}[${index}] += 1`] : []),
    `${names[2]} = torch.einsum("${formula.tensors.join(",")}->${formula.result}", ${operands.map(({ name }) => name).join(", ")})`,
    ...(isOnce ? ["", `pairs = ${pairs}`, `again = ${summed.length ? `pairs.${sum}` : "pairs"}`] : []),
    ...(isOnce ? [`is_same = torch.equal(again, ${names[2]})`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** The sizes of these letters, as Python writes a shape. @param {string} axes */
const shapeIn = (axes) => `(${[...axes.toUpperCase()].join(", ")}${axes.length === 1 ? "," : ""})`;

/**
 * A tensor with its axes in the order of all letters, and an axis of size 1 for each letter that it lacks.
 *
 * @param {string} name
 * @param {string} axes
 * @param {string[]} letters
 */
function spread(name, axes, letters) {
  const order = letters.filter((letter) => axes.includes(letter)).map((letter) => axes.indexOf(letter));
  const turned = order.every((axis, n) => axis === n) ? name : `${name}.permute(${order.join(", ")})`;
  const places = letters.map((letter) => (axes.includes(letter) ? ":" : "None"));
  while (places[0] === "None") places.shift(); // broadcasting adds axes in front
  while (places.at(-1) === ":") places.pop();
  return places.length ? `${turned}[${places.join(", ")}]` : turned;
}
