// What the real torch has: a name that it has and the page lacks is "not in the page", any other is a mistake.
// tools/torch_names.py writes the list.

import families from "./families.json" with { type: "json" };
import names from "./names.json" with { type: "json" };

/** @type {Map<string, Set<string>>} */
const namesIn = new Map(Object.entries(names).map(([where, list]) => [where, new Set(list.split(" "))]));
const family = new RegExp(`^${families}`);

/**
 * @param {string} where "torch", "Tensor", "torch.nn" ...
 * @param {string} name
 */
export function hasName(where, name) {
  if (name.startsWith("_")) return false;
  const own = namesIn.get(where);
  if (!own) return false;
  const lists = where === "torch" || where === "Tensor" ? [own, /** @type {Set<string>} */ (namesIn.get("both"))] : [own];
  return family.test(name) || lists.some((list) => list.has(name) || list.has(`${name}_`));
}
