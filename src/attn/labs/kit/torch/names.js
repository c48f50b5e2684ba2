// The names of the real torch, by where they are. tools/torch_names.py writes the list.

import families from "./families.json" with { type: "json" };
import names from "./names.json" with { type: "json" };

/** @type {Map<string, Set<string>>} */
const namesIn = new Map(Object.entries(names).map(([where, list]) => [where, new Set(list.split(" "))]));
const family = new RegExp(`^${families}`);

/**
 * @param {string} where "torch", "Tensor", "torch.nn" ...
 * @param {string} name
 */
export function isName(where, name) {
  const own = namesIn.get(where);
  if (!own) return false;
  const lists = where === "torch" || where === "Tensor" ? [own, /** @type {Set<string>} */ (namesIn.get("both"))] : [own];
  return family.test(name) || lists.some((list) => list.has(name) || list.has(`${name}_`));
}
