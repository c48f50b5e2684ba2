// The module itertools.
import { native } from "./functions.js";
import { Iter, Namespace, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

/**
 * @param {string} name
 * @param {[number, number]} count
 * @param {(args: Value[], machine: Evaluator, kwargs: Record<string, Value>) => Iterator<Value>} items
 * @param {string[]} [keywords]
 */
function lazy(name, count, items, keywords) {
  return native(name, count, (args, machine, kwargs) => new Iter(`itertools.${name}`, items(args, machine, kwargs)), keywords);
}

/**
 * @param {Value[]} sources
 * @param {Evaluator} machine
 */
function* chain(sources, machine) {
  for (const source of sources) {
    const items = machine.iterator(source);
    for (let one = machine.step(items); one !== undefined; one = machine.step(items)) yield one;
  }
}

/**
 * @param {Value[][]} pools
 * @param {Evaluator} machine
 * @returns {Generator<Tuple>}
 */
function* cartesian(pools, machine) {
  const [first, ...rest] = pools;
  if (!first) {
    yield Tuple.from([]);
    return;
  }
  for (const one of first) {
    for (const others of cartesian(rest, machine)) {
      machine.tick(others.length + 2);
      yield Tuple.from([one, ...others]);
    }
  }
}

/**
 * Choices of some items, in the order of the items.
 *
 * @param {Value[]} items
 * @param {number} size
 * @param {(n: number) => Iterable<number>} next the places that may follow place n
 * @param {Evaluator} machine
 * @returns {Generator<Tuple>}
 */
function* choices(items, size, next, machine, before = /** @type {number[]} */ ([])) {
  machine.tick();
  if (before.length === size) {
    yield Tuple.from(before.map((n) => items[n]));
    return;
  }
  for (const n of next(before.at(-1) ?? -1)) if (!before.includes(n)) yield* choices(items, size, next, machine, [...before, n]);
}

/**
 * @param {number} start
 * @param {number} end
 */
function* numbers(start, end) {
  for (let n = start; n < end; n++) yield n;
}

/**
 * @param {Value} value
 * @param {Value} f
 * @param {Value} initial
 * @param {Evaluator} machine
 */
function* accumulate(value, f, initial, machine) {
  const items = machine.iterator(value);
  let total = initial ?? machine.step(items);
  if (total === undefined) return;
  yield total;
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) {
    total = f === null ? machine.binary("+", total, one) : machine.call(f, [total, one]);
    yield total;
  }
}

/**
 * @param {Value} start
 * @param {Value} step
 * @param {Evaluator} machine
 */
function* counting(start, step, machine) {
  for (let value = start; ; value = machine.binary("+", value, step)) {
    machine.tick();
    yield value;
  }
}

/**
 * @param {Value[]} args
 * @param {Evaluator} machine
 */
function* islice([source, ...bounds], machine) {
  const [start, stop, step = 1] = bounds.length === 1 ? [0, bounds[0]] : bounds;
  const items = machine.iterator(source);
  for (let n = 0; stop === null || n < stop; n++) {
    const one = machine.step(items);
    if (one === undefined) return;
    if (n >= (start ?? 0) && (n - (start ?? 0)) % (step ?? 1) === 0) yield one;
  }
}

/**
 * @param {Value} value
 * @param {number} times
 * @param {Evaluator} machine
 */
function* repeating(value, times, machine) {
  for (let n = 0; n < times; n++) {
    machine.tick();
    yield value;
  }
}

/**
 * @param {Value} source
 * @param {Evaluator} machine
 */
function* pairwise(source, machine) {
  const items = machine.iterator(source);
  let last = machine.step(items);
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) {
    yield Tuple.from([last, one]);
    last = one;
  }
}

const NO_MOST = Number.POSITIVE_INFINITY;

export const ITERTOOLS = new Namespace(
  "itertools",
  {
    accumulate: lazy("accumulate", [1, 2], ([value, f = null], machine, { initial }) => accumulate(value, f, initial, machine), [
      "initial",
    ]),
    chain: lazy("chain", [0, NO_MOST], (args, machine) => chain(args, machine)),
    combinations: lazy("combinations", [2, 2], ([value, size], machine) => {
      const items = machine.array(value);
      return choices(items, size, (n) => numbers(n + 1, items.length), machine);
    }),
    count: lazy("count", [0, 2], ([start = 0, step = 1], machine) => counting(start, step, machine)),
    islice: lazy("islice", [2, 4], islice),
    pairwise: lazy("pairwise", [1, 1], ([value], machine) => pairwise(value, machine)),
    permutations: lazy("permutations", [1, 2], ([value, size], machine) => {
      const items = machine.array(value);
      return choices(items, size ?? items.length, () => numbers(0, items.length), machine);
    }),
    product: lazy(
      "product",
      [0, NO_MOST],
      (args, machine, { repeat: times = 1 }) =>
        cartesian(Array.from({ length: times }, () => args.map((one) => machine.array(one))).flat(), machine),
      ["repeat"],
    ),
    repeat: lazy("repeat", [1, 2], ([value, times = NO_MOST], machine) => repeating(value, times, machine)),
  },
  (name) =>
    [
      "batched",
      "combinations_with_replacement",
      "compress",
      "cycle",
      "dropwhile",
      "filterfalse",
      "groupby",
      "starmap",
      "takewhile",
      "tee",
      "zip_longest",
    ].includes(name),
);
