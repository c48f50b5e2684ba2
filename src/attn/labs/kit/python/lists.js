// The methods of list and tuple, and of range.
import { sorted } from "./sorting.js";
import { raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */
/** @typedef {import("./types.js").Methods} Methods */

// Comes with the second script.
/**
 * @param {Value[]} self
 * @param {Value[]} args
 * @param {Iteration} machine
 * @param {string} message
 */
function index(self, [item, start = 0, end = self.length], machine, message) {
  const from = start < 0 ? Math.max(0, start + self.length) : start;
  const to = end < 0 ? end + self.length : Math.min(end, self.length);
  for (let n = from; n < to; n++) if (machine.equal(self[n], item)) return n;
  return raise("ValueError", message);
}

/**
 * @param {Value[]} self
 * @param {Value} item
 * @param {Iteration} machine
 */
function countIn(self, item, machine) {
  return self.reduce((sum, one) => sum + Number(machine.equal(one, item)), 0);
}

// Comes with the second script.
/**
 * @param {Value[]} self
 * @param {number} place
 */
function pop(self, place) {
  if (!self.length) raise("IndexError", "pop from empty list");
  const n = place < 0 ? place + self.length : place;
  return n >= 0 && n < self.length ? self.splice(n, 1)[0] : raise("IndexError", "pop index out of range");
}

/**
 * @param {Value[]} self
 * @param {Value[]} items
 */
function refill(self, items) {
  self.length = 0;
  for (const item of items) self.push(item);
  return null;
}

/** @type {Methods} */
export const LIST_METHODS = {
  append: [
    1,
    1,
    ([self, item]) => {
      self.push(item);
      return null;
    },
  ],
  extend: [
    1,
    1,
    ([self, items], _, machine) => {
      const more = machine.array(items);
      machine.room(self.length + more.length);
      for (const item of more) self.push(item);
      return null;
    },
  ],
  insert: [
    2,
    2,
    ([self, place, item], _, machine) => {
      machine.tick(self.length >> 6);
      self.splice(place, 0, item);
      return null;
    },
  ],
  pop: [0, 1, ([self, place = -1]) => pop(self, place)],
  remove: [
    1,
    1,
    ([self, item], _, machine) => {
      self.splice(index(self, [item], machine, "list.remove(x): x not in list"), 1);
      return null;
    },
  ],
  index: [1, 3, ([self, ...args], _, machine) => index(self, args, machine, `${machine.repr(args[0])} is not in list`)],
  count: [1, 1, ([self, item], _, machine) => countIn(self, item, machine)],
  reverse: [
    0,
    0,
    ([self]) => {
      self.reverse();
      return null;
    },
  ],
  sort: [0, 0, ([self], kwargs, machine) => refill(self, sorted([...self], kwargs, machine)), "key", "reverse"],
  copy: [0, 0, ([self]) => [...self]],
  clear: [0, 0, ([self]) => refill(self, [])],
};
/** @type {Methods} */
export const TUPLE_METHODS = {
  index: [1, 3, ([self, ...args], _, machine) => index(self, args, machine, "tuple.index(x): x not in tuple")],
  count: [1, 1, ([self, item], _, machine) => countIn(self, item, machine)],
};
/** @type {Methods} */
export const RANGE_METHODS = {
  index: [
    1,
    1,
    ([self, item], _, machine) =>
      machine.contains(self, item) ? (item - self.start) / self.step : raise("ValueError", `${machine.repr(item)} is not in range`),
  ],
  count: [1, 1, ([self, item], _, machine) => Number(machine.contains(self, item))],
};
