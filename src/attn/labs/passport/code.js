// What PassportLab shows, as a program.

import { lineOf, WAYS } from "./model.js";

/**
 * The right line and the chosen one, on a tensor whose numbers are their places in memory.
 *
 * @param {import("./model.js").Settings} settings
 */
export function codeOf(settings) {
  const { B, L, H, D, operation } = settings;
  const [name, axes, made] = { split: ["x", "B, L, H * D", "heads"], merge: ["heads", "B, H, L, D", "merged"] }[operation];
  const line = (/** @type {string} */ calls) => `${name}.${calls.replaceAll("*", " * ")}`;
  return `import torch

B, L, H, D = ${B}, ${L}, ${H}, ${D}
${name} = torch.arange(B * L * H * D).view(${axes})  # each number is its place in memory
right = ${line(WAYS[operation].right)}
${made} = ${line(lineOf(settings))}
in_place = (${made} == right).sum().item()  # of ${B * L * H * D}
`;
}
