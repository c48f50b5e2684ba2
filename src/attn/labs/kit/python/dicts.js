// The methods of dict.
import { filledDict } from "./construct.js";
import { keyError } from "./exceptions.js";
import { Builtin, ClassMethod, DefaultDict, DictView } from "./objects.js";
import { raise, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

// Comes with the second script.
/**
 * @param {Map<Value, Value>} self
 * @param {Value} key
 * @param {Value} otherwise
 * @param {Iteration} machine
 */
function popFrom(self, key, otherwise, machine) {
  const known = machine.findKey(self, key);
  if (known === undefined) return otherwise === undefined ? keyError(key, machine) : otherwise;
  const value = self.get(known);
  self.delete(known);
  return value;
}

// Comes with the second script.
/**
 * @param {Map<Value, Value>} self
 * @param {Value} key
 * @param {Value} value
 * @param {Iteration} machine
 */
function setDefault(self, key, value, machine) {
  const known = machine.findKey(self, key);
  if (known !== undefined) return self.get(known);
  machine.put(self, key, value);
  return value;
}

// Comes with the second script.
/** @param {Map<Value, Value>} self */
function copyOfDict(self) {
  const copy = self instanceof DefaultDict ? Object.assign(new DefaultDict(), { factory: self.factory }) : new Map();
  for (const [key, value] of self) copy.set(key, value);
  return copy;
}

const nothing = (/** @type {unknown} */ _) => null;

/** @type {import("./types.js").Methods} */
export const DICT_METHODS = {
  get: [1, 2, ([self, key, otherwise = null], _, machine) => self.get(machine.findKey(self, key)) ?? otherwise],
  keys: [0, 0, ([self]) => new DictView("keys", self)],
  values: [0, 0, ([self]) => new DictView("values", self)],
  items: [0, 0, ([self]) => new DictView("items", self)],
  update: [0, 1, ([self, value = new Map()], kwargs, machine) => nothing(filledDict(self, value, kwargs, machine)), "*"],
  setdefault: [1, 2, ([self, key, value = null], _, machine) => setDefault(self, key, value, machine)],
  pop: [1, 2, ([self, key, otherwise], _, machine) => popFrom(self, key, otherwise, machine)],
  popitem: [
    0,
    0,
    ([self], _, machine) => {
      const last = [...self].at(-1) ?? raise("KeyError", "'popitem(): dictionary is empty'");
      popFrom(self, last[0], null, machine);
      return Tuple.from(last);
    },
  ],
  copy: [0, 0, ([self]) => copyOfDict(self)],
  clear: [0, 0, ([self]) => nothing(self.clear())],
  move_to_end: [
    1,
    2,
    ([self, key], _, machine) => {
      const value = popFrom(self, key, undefined, machine);
      machine.put(self, key, value);
      return null;
    },
  ],
};
/** dict.fromkeys, a class method. */
export const FROM_KEYS = new ClassMethod(
  new Builtin("dict.fromkeys", [2, 3], ([, keys, value = null], _, machine) => {
    const iteration = /** @type {Iteration} */ (machine);
    return filledDict(
      new Map(),
      iteration.array(keys).map((key) => Tuple.from([key, value])),
      {},
      iteration,
    );
  }),
);
