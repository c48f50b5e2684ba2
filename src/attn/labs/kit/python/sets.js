// The methods of set and frozenset.
import { keyError } from "./exceptions.js";
import { PySet, raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

const ignore = (/** @type {unknown} */ _) => null;

/** A set of another's items, as `a.union(b)` takes any iterable. */
function sets(/** @type {Value[]} */ others, /** @type {Iteration} */ machine) {
  return others.map((one) => (one instanceof PySet ? one : machine.setOf(machine.array(one))));
}

/**
 * @param {string} operator
 * @param {boolean} [inPlace]
 * @returns {[number, number, (args: Value[], kwargs: Record<string, Value>, machine: any) => Value]}
 */
function combined(operator, inPlace = false) {
  return [
    0,
    Number.POSITIVE_INFINITY,
    ([self, ...others], _, machine) => {
      const result = sets(others, machine).reduce((a, b) => machine.setOperation(operator, a, b), machine.setOf(self));
      if (!inPlace) return Object.assign(result, { frozen: self.frozen });
      self.clear();
      return ignore(machine.setOf(result, self));
    },
  ];
}

/** @type {import("./types.js").Methods} */
export const FROZEN_METHODS = {
  union: combined("|"),
  intersection: combined("&"),
  difference: combined("-"),
  symmetric_difference: combined("^"),
  issubset: [
    1,
    1,
    ([self, other], _, machine) => sets([other], machine).every((all) => [...self].every((one) => machine.contains(all, one))),
  ],
  issuperset: [
    1,
    1,
    ([self, other], _, machine) => sets([other], machine).every((all) => [...all].every((one) => machine.contains(self, one))),
  ],
  isdisjoint: [1, 1, ([self, other], _, machine) => !machine.array(other).some((one) => machine.contains(self, one))],
  copy: [0, 0, ([self], _, machine) => Object.assign(machine.setOf(self), { frozen: self.frozen })],
};

/** @type {import("./types.js").Methods} */
export const SET_METHODS = {
  ...FROZEN_METHODS,
  add: [1, 1, ([self, item], _, machine) => ignore(machine.setOf([item], self))],
  discard: [1, 1, ([self, item], _, machine) => ignore(self.delete(machine.findKey(self, item)))],
  remove: [1, 1, ([self, item], _, machine) => (self.delete(machine.findKey(self, item)) ? null : keyError(item, machine))],
  pop: [
    0,
    0,
    ([self]) => {
      const [first] = self.size ? self : raise("KeyError", "'pop from an empty set'");
      self.delete(first);
      return first;
    },
  ],
  clear: [0, 0, ([self]) => ignore(self.clear())],
  update: combined("|", true),
  intersection_update: combined("&", true),
  difference_update: combined("-", true),
};
