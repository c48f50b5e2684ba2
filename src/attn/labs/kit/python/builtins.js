// The built-in functions and the methods of built-in classes, without those that few programs call.
import { CLASSES } from "./construct.js";
import { DICT_METHODS, FROM_KEYS } from "./dicts.js";
import { EXCEPTIONS } from "./exceptions.js";
import { LIST_METHODS, RANGE_METHODS, TUPLE_METHODS } from "./lists.js";
import { Builtin } from "./objects.js";
import { NOT_IMPLEMENTED } from "./operators.js";
import { sorted } from "./sorting.js";
import { addMethods, builtinType, DICT, FLOAT, INT, LIST, TUPLE, typeOf } from "./types.js";
import { ELLIPSIS, Iter, Native, NotHere, PyClass, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

/** Built-in functions that the page does not have. */
const ABSENT = [
  "open",
  "eval",
  "exec",
  "compile",
  "input",
  "bytes",
  "bytearray",
  "complex",
  "memoryview",
  "help",
  "breakpoint",
  "__import__",
];

/**
 * Functions by their names: fewest arguments, most arguments, what they do, keywords.
 *
 * @typedef {Record<string, [number, number, (args: Value[], kwargs: Kwargs, machine: Evaluator) => Value, ...string[]]>} Functions
 */

/** @type {Functions} those that many programs call; rarely.js has the others */
const FUNCTIONS = {
  all: [1, 1, ([value], _, machine) => every(machine.iterator(value), machine)],
  any: [1, 1, ([value], _, machine) => !every(machine.iterator(value), machine, true)],
  enumerate: [
    1,
    2,
    ([value, start], { start: named }, machine) =>
      new Iter("enumerate", numbered(machine.iterator(value), start ?? named ?? 0, machine)),
    "start",
  ],
  getattr: [
    2,
    3,
    ([value, name, otherwise], _, machine) =>
      otherwise === undefined
        ? machine.attribute(value, attributeName(name))
        : (machine.until("AttributeError", () => machine.attribute(value, name)) ?? otherwise),
  ],
  hasattr: [2, 2, ([value, name], _, machine) => has(value, attributeName(name), machine)],
  isinstance: [
    2,
    2,
    ([value, wanted]) => isInstance(typeOf(value), wanted, "isinstance() arg 2 must be a type, a tuple of types, or a union"),
  ],
  len: [1, 1, ([value], _, machine) => machine.length(value)],
  map: [
    0,
    Infinity,
    ([f, ...values], _, machine) => {
      if (!values.length) raise("TypeError", "map() must have at least two arguments.");
      const sources = values.map((one) => machine.iterator(one));
      return new Iter("map", mapped(f, sources, machine));
    },
  ],
  max: [1, Infinity, (args, kwargs, machine) => extreme("max", ">", args, kwargs, machine), "key", "default"],
  min: [1, Infinity, (args, kwargs, machine) => extreme("min", "<", args, kwargs, machine), "key", "default"],
  print: [0, Infinity, (args, kwargs, machine) => print(args, kwargs, machine), "sep", "end", "flush", "file"],
  repr: [1, 1, ([value], _, machine) => machine.repr(value)],
  sorted: [1, 1, ([value], kwargs, machine) => sorted(machine.array(value), kwargs, machine), "key", "reverse"],
  sum: [1, 2, ([value, start], { start: named = 0 }, machine) => sumOf(value, start ?? named, machine), "start"],
  zip: [
    0,
    Infinity,
    (args, { strict = false }, machine) =>
      new Iter(
        "zip",
        zipped(
          args.map((one) => machine.iterator(one)),
          machine.truth(strict),
          machine,
        ),
      ),
    "strict",
  ],
};

addMethods(FLOAT, { is_integer: [0, 0, ([self]) => Number.isInteger(self.value)] });
addMethods(INT, { bit_length: [0, 0, ([self]) => (self ? Math.abs(self).toString(2).length : 0)], is_integer: [0, 0, () => true] });
addMethods(LIST, LIST_METHODS);
addMethods(TUPLE, TUPLE_METHODS);
addMethods(DICT, DICT_METHODS);
DICT.dict.set("fromkeys", FROM_KEYS);
addMethods(builtinType("range"), RANGE_METHODS);

/**
 * @param {Functions} functions
 * @returns {Record<string, Value>}
 */
export function functionsOf(functions) {
  return Object.fromEntries(
    Object.entries(functions).map(([name, [least, most, act, ...keywords]]) => [
      name,
      new Builtin(name, [least, most], /** @type {any} */ (act), keywords),
    ]),
  );
}

/** @type {Record<string, Value>} */
export const BUILTINS = {
  ...CLASSES,
  ...EXCEPTIONS,
  ...functionsOf(FUNCTIONS),
  ...Object.fromEntries(
    ABSENT.map((name) => [
      name,
      new Native(name, () => {
        throw new NotHere(`${name}()`);
      }),
    ]),
  ),
  IOError: EXCEPTIONS.OSError,
  Ellipsis: ELLIPSIS,
  NotImplemented: NOT_IMPLEMENTED,
  __name__: "__main__",
  __file__: "main.py",
  __doc__: null,
};

// Comes with the second script.
/**
 * Are all items true (or, with `not`, false)?
 *
 * @param {Iterator<Value>} items
 * @param {Evaluator} machine
 */
function every(items, machine, not = false) {
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) if (machine.truth(one) === not) return false;
  return true;
}

// Comes with the second script.
/** @param {Value} name */
export function attributeName(name) {
  return typeof name === "string" ? name : raise("TypeError", `attribute name must be string, not '${typeName(name)}'`);
}

// Comes with the second script.
/**
 * @param {Value} value
 * @param {string} name
 * @param {Evaluator} machine
 */
function has(value, name, machine) {
  try {
    return machine.until("AttributeError", () => machine.attribute(value, name)) !== undefined;
  } catch (error) {
    if (error instanceof NotHere) return true;
    throw error;
  }
}

// Comes with the second script.
/**
 * @param {PyClass} type
 * @param {Value} wanted
 * @param {string} message
 * @returns {boolean}
 */
export function isInstance(type, wanted, message) {
  if (wanted instanceof PyClass) return type.isSubclassOf(wanted);
  if (wanted instanceof Tuple) return wanted.some((one) => isInstance(type, one, message));
  if (wanted?.options) return wanted.options.some((/** @type {Value} */ one) => isInstance(type, one ?? typeOf(null), message));
  if (wanted?.typing) return wanted.base ? type.isSubclassOf(wanted.base) : raise("TypeError", message);
  return raise("TypeError", message);
}

// Comes with the second script.
/**
 * @param {Iterator<Value>} items
 * @param {Value} start
 * @param {Evaluator} machine
 */
function* numbered(items, start, machine) {
  let n = machine.int(start);
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) yield Tuple.from([n++, one]);
}

// Comes with the second script.
/**
 * @param {Value} f
 * @param {Iterator<Value>[]} sources
 * @param {Evaluator} machine
 */
function* mapped(f, sources, machine) {
  for (;;) {
    const args = [];
    for (const source of sources) {
      const one = machine.step(source);
      if (one === undefined) return;
      args.push(one);
    }
    yield machine.call(f, args);
  }
}

// Comes with the second script.
/**
 * @param {Iterator<Value>[]} sources
 * @param {boolean} strict
 * @param {Evaluator} machine
 */
function* zipped(sources, strict, machine) {
  for (; sources.length; ) {
    const items = [];
    for (const [n, source] of sources.entries()) {
      const one = machine.step(source);
      const before = n > 1 ? `arguments 1-${n}` : "argument 1";
      if (one === undefined && strict && n) raise("ValueError", `zip() argument ${n + 1} is shorter than ${before}`);
      if (one === undefined) {
        const longer = strict ? sources.findIndex((other) => machine.step(other) !== undefined) : -1;
        if (longer > 0)
          raise("ValueError", `zip() argument ${longer + 1} is longer than ${longer > 1 ? `arguments 1-${longer}` : "argument 1"}`);
        return;
      }
      items.push(one);
    }
    yield Tuple.from(items);
  }
}

// Comes with the second script.
/**
 * @param {string} name
 * @param {string} sign
 * @param {Value[]} args
 * @param {Kwargs} kwargs
 * @param {Evaluator} machine
 */
function extreme(name, sign, args, { key = null, default: otherwise }, machine) {
  if (args.length > 1 && otherwise !== undefined)
    raise("TypeError", `Cannot specify a default for ${name}() with multiple positional arguments`);
  const items = args.length > 1 ? args : machine.array(args[0]);
  if (!items.length) return otherwise !== undefined ? otherwise : raise("ValueError", `${name}() arg is an empty sequence`);
  const rank = (/** @type {Value} */ one) => (key === null ? one : machine.call(key, [one]));
  let [best] = items;
  let top = rank(best);
  for (const one of items.slice(1)) {
    const value = rank(one);
    if (machine.truth(machine.compare(sign, value, top))) [best, top] = [one, value];
  }
  return best;
}

/**
 * @param {Value[]} args
 * @param {Kwargs} kwargs
 * @param {Evaluator} machine
 */
function print(args, { sep = " ", end = "\n", file = null }, machine) {
  if (file !== null) throw new NotHere("print(file=...)");
  for (const [name, value] of [
    ["sep", sep],
    ["end", end],
  ]) {
    if (value !== null && typeof value !== "string") raise("TypeError", `${name} must be None or a string, not ${typeName(value)}`);
  }
  machine.print(args.map((one) => machine.str(one)).join(sep ?? " ") + (end ?? "\n"));
  return null;
}

// Comes with the second script.
/**
 * @param {Value} value
 * @param {Value} start
 * @param {Evaluator} machine
 */
function sumOf(value, start, machine) {
  if (typeof start === "string") raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  const items = machine.iterator(value);
  let total = start;
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) total = machine.binary("+", total, one);
  return total;
}
