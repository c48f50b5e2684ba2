// What the real torch has: a name that it has and the page does not is "not in the page", any other is a mistake.

import names from "./names.json" with { type: "json" };

/** @type {Map<string, Set<string>>} */
const sets = new Map();

/**
 * @param {string} where "torch", "Tensor", "torch.nn" ...
 * @param {string} name
 */
export function hasName(where, name) {
  if (name.startsWith("__")) return false;
  const listed = /** @type {Record<string, string>} */ (names)[where] ?? "";
  if (!sets.has(where)) sets.set(where, new Set(listed.split(" ")));
  return /** @type {Set<string>} */ (sets.get(where)).has(name) || (name.startsWith("_") && where === "Tensor" && name === "_base");
}
