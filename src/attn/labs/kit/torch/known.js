// What the real torch has: a name that it has and the page lacks is "not in the page", any other is a mistake.

import { noteMissing, rest } from "../python/rest.js";

/**
 * @param {string} where "torch", "Tensor", "torch.nn" ...
 * @param {string} name
 */
export function hasName(where, name) {
  if (name.startsWith("_")) return false;
  noteMissing();
  return rest.hasName(where, name);
}
