// The built-in functions.
import { CLASSES } from "./construct.js";
import { DICT_METHODS, FROM_KEYS } from "./dicts.js";
import { EXCEPTIONS } from "./exceptions.js";
import { format } from "./format.js";
import { LIST_METHODS, RANGE_METHODS, TUPLE_METHODS } from "./lists.js";
import { Builtin, DictView, PyFunction } from "./objects.js";
import { NOT_IMPLEMENTED } from "./operators.js";
import { FROZEN_METHODS, SET_METHODS } from "./sets.js";
import { sorted } from "./sorting.js";
import { STRING_METHODS } from "./strings.js";
import { viewed } from "./text.js";
import { addMethods, builtinType, DICT, FLOAT, INT, LIST, SET, STR, TUPLE, typeOf } from "./types.js";
import {
  Bound,
  ELLIPSIS,
  Float,
  Foreign,
  Iter,
  isInt,
  Native,
  NotHere,
  PyClass,
  PyError,
  PyObject,
  Range,
  raise,
  Tuple,
  toNumber,
  typeName,
} from "./values.js";

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

/** @type {Record<string, [number, number, (args: Value[], kwargs: Kwargs, machine: Evaluator) => Value, ...string[]]>} */
const FUNCTIONS = {
  abs: [1, 1, ([value], _, machine) => absolute(value, machine)],
  all: [1, 1, ([value], _, machine) => every(machine.iterator(value), machine)],
  any: [1, 1, ([value], _, machine) => !every(machine.iterator(value), machine, true)],
  bin: [1, 1, ([value], _, machine) => based(machine.int(value), 2, "0b")],
  callable: [1, 1, ([value], _, machine) => isCallable(value, machine)],
  chr: [1, 1, ([value], _, machine) => character(machine.int(value))],
  delattr: [2, 2, ([value, name], _, machine) => machine.deleteAttribute(value, name) ?? null],
  dir: [
    0,
    1,
    ([value]) =>
      [
        ...(value.type?.mro.flatMap((/** @type {PyClass} */ { dict }) => [...dict.keys()]) ?? []),
        ...(value.dict?.keys() ?? []),
      ].sort(),
  ],
  divmod: [2, 2, ([a, b], _, machine) => Tuple.from([machine.binary("//", a, b), machine.binary("%", a, b)])],
  enumerate: [
    1,
    2,
    ([value, start], { start: named }, machine) =>
      new Iter("enumerate", numbered(machine.iterator(value), start ?? named ?? 0, machine)),
    "start",
  ],
  filter: [2, 2, ([test, value], _, machine) => new Iter("filter", kept(test, machine.iterator(value), machine))],
  format: [1, 2, ([value, spec = ""], _, machine) => format(value, spec, machine)],
  getattr: [
    2,
    3,
    ([value, name, otherwise], _, machine) =>
      otherwise === undefined
        ? machine.attribute(value, attributeName(name))
        : (machine.until("AttributeError", () => machine.attribute(value, name)) ?? otherwise),
  ],
  globals: [0, 0, () => null],
  hasattr: [2, 2, ([value, name], _, machine) => has(value, attributeName(name), machine)],
  hash: [1, 1, ([value], _, machine) => (typeof value === "number" ? value : numberOfText(machine.hash(value)))],
  hex: [1, 1, ([value], _, machine) => based(machine.int(value), 16, "0x")],
  id: [1, 1, ([value], _, machine) => machine.identity(value)],
  isinstance: [
    2,
    2,
    ([value, wanted]) => isInstance(typeOf(value), wanted, "isinstance() arg 2 must be a type, a tuple of types, or a union"),
  ],
  issubclass: [
    2,
    2,
    ([value, wanted]) =>
      isInstance(
        value instanceof PyClass ? value : raise("TypeError", "issubclass() arg 1 must be a class"),
        wanted,
        "issubclass() arg 2 must be a class, a tuple of classes, or a union",
      ),
  ],
  iter: [
    1,
    1,
    ([value], _, machine) =>
      value instanceof Iter || (value instanceof PyObject && value.type.find("__next__"))
        ? value
        : new Iter(iteratorName(value), machine.iterator(value)),
  ],
  len: [1, 1, ([value], _, machine) => machine.length(value)],
  locals: [0, 0, () => null],
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
  next: [1, 2, ([value, otherwise], _, machine) => next(value, otherwise, machine)],
  oct: [1, 1, ([value], _, machine) => based(machine.int(value), 8, "0o")],
  ord: [1, 1, ([value]) => ordinal(value)],
  pow: [
    2,
    3,
    ([a, b, modulus], _, machine) => (modulus === undefined ? machine.binary("**", a, b) : powerModulo(a, b, modulus, machine)),
  ],
  print: [0, Infinity, (args, kwargs, machine) => print(args, kwargs, machine), "sep", "end", "flush", "file"],
  repr: [1, 1, ([value], _, machine) => machine.repr(value)],
  reversed: [1, 1, ([value], _, machine) => reversed(value, machine)],
  round: [1, 2, ([value, digits = null], { ndigits = null }, machine) => round(value, digits ?? ndigits, machine), "ndigits"],
  setattr: [3, 3, ([value, name, item], _, machine) => machine.setAttribute(value, attributeName(name), item) ?? null],
  sorted: [1, 1, ([value], kwargs, machine) => sorted(machine.array(value), kwargs, machine), "key", "reverse"],
  sum: [1, 2, ([value, start], { start: named = 0 }, machine) => sumOf(value, start ?? named, machine), "start"],
  vars: [0, 1, ([value], _, machine) => machine.attribute(value, "__dict__")],
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

addMethods(STR, STRING_METHODS);
addMethods(FLOAT, { is_integer: [0, 0, ([self]) => Number.isInteger(self.value)] });
addMethods(INT, { bit_length: [0, 0, ([self]) => (self ? Math.abs(self).toString(2).length : 0)], is_integer: [0, 0, () => true] });
addMethods(LIST, LIST_METHODS);
addMethods(TUPLE, TUPLE_METHODS);
addMethods(DICT, DICT_METHODS);
DICT.dict.set("fromkeys", FROM_KEYS);
addMethods(SET, SET_METHODS);
addMethods(builtinType("frozenset"), FROZEN_METHODS);
addMethods(builtinType("range"), RANGE_METHODS);

/** @type {Record<string, Value>} */
export const BUILTINS = {
  ...CLASSES,
  ...EXCEPTIONS,
  ...Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, [least, most, act, ...keywords]]) => [
      name,
      new Builtin(name, [least, most], /** @type {any} */ (act), keywords),
    ]),
  ),
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

/**
 * @param {Value} value
 * @param {Evaluator} machine
 */
function absolute(value, machine) {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  if (isInt(value)) return Math.abs(Number(value));
  const own = machine.special(value, "__abs__") ?? (value instanceof Foreign ? machine.special(value, "abs") : undefined);
  return own ? machine.call(own) : raise("TypeError", `bad operand type for abs(): '${typeName(value)}'`);
}

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

function based(/** @type {number} */ value, /** @type {number} */ base, /** @type {string} */ prefix) {
  return `${value < 0 ? "-" : ""}${prefix}${Math.abs(value).toString(base)}`;
}

function character(/** @type {number} */ code) {
  return code >= 0 && code < 0x110000 ? String.fromCodePoint(code) : raise("ValueError", "chr() arg not in range(0x110000)");
}

function ordinal(/** @type {Value} */ value) {
  if (typeof value !== "string") raise("TypeError", `ord() expected string of length 1, but ${typeName(value)} found`);
  const letters = [...value];
  return letters.length === 1
    ? letters[0].codePointAt(0)
    : raise("TypeError", `ord() expected a character, but string of length ${letters.length} found`);
}

/**
 * @param {Value} value
 * @param {Evaluator} machine
 */
export function isCallable(value, machine) {
  return (
    value instanceof Native ||
    value instanceof PyFunction ||
    value instanceof PyClass ||
    value instanceof Bound ||
    Boolean(machine.special(value, "__call__"))
  );
}

/** @param {Value} name */
function attributeName(name) {
  return typeof name === "string" ? name : raise("TypeError", `attribute name must be string, not '${typeName(name)}'`);
}

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

function numberOfText(/** @type {string} */ text) {
  let hash = 7;
  for (const char of text.slice(0, 99)) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007;
  return hash;
}

/**
 * @param {PyClass} type
 * @param {Value} wanted
 * @param {string} message
 * @returns {boolean}
 */
function isInstance(type, wanted, message) {
  if (wanted instanceof PyClass) return type.isSubclassOf(wanted);
  if (wanted instanceof Tuple) return wanted.some((one) => isInstance(type, one, message));
  if (wanted?.typing) return wanted.base ? type.isSubclassOf(wanted.base) : raise("TypeError", message);
  return raise("TypeError", message);
}

/**
 * @param {Iterator<Value>} items
 * @param {Value} start
 * @param {Evaluator} machine
 */
function* numbered(items, start, machine) {
  let n = machine.int(start);
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) yield Tuple.from([n++, one]);
}

/**
 * @param {Value} test
 * @param {Iterator<Value>} items
 * @param {Evaluator} machine
 */
function* kept(test, items, machine) {
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) {
    if (machine.truth(test === null ? one : machine.call(test, [one]))) yield one;
  }
}

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
 * @param {Value} value
 * @param {Value} otherwise
 * @param {Evaluator} machine
 */
function next(value, otherwise, machine) {
  const own = machine.special(value, "__next__");
  if (own)
    return otherwise === undefined ? machine.call(own) : (machine.until("StopIteration", () => machine.call(own)) ?? otherwise);
  if (!(value instanceof Iter)) raise("TypeError", `'${typeName(value)}' object is not an iterator`);
  const { done, value: found } = value.iterator.next();
  if (!done) return found;
  if (otherwise !== undefined) return otherwise;
  const error = new PyError("StopIteration", found === null || found === undefined ? "" : machine.str(found));
  error.args = found === null || found === undefined ? [] : [found];
  throw error;
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

/**
 * @param {Value} value
 * @param {Evaluator} machine
 */
function reversed(value, machine) {
  if (value instanceof Range)
    return new Iter(
      "range_iterator",
      new Range(value.start + (value.length - 1) * value.step, value.start - value.step, -value.step)[Symbol.iterator](),
    );
  const own = machine.special(value, "__reversed__");
  if (own) return machine.call(own);
  const items =
    Array.isArray(value) || typeof value === "string" || value instanceof Map
      ? machine.array(value)
      : value instanceof DictView
        ? viewed(value)
        : null;
  if (items)
    return new Iter(
      Array.isArray(value) && !(value instanceof Tuple) ? "list_reverseiterator" : "reversed",
      items.reverse()[Symbol.iterator](),
    );
  if (!machine.special(value, "__len__") || !machine.special(value, "__getitem__"))
    raise("TypeError", `'${typeName(value)}' object is not reversible`);
  return new Iter(
    "reversed",
    Array.from({ length: machine.length(value) }, (_, n) => machine.getItem(value, machine.length(value) - 1 - n))[
      Symbol.iterator
    ](),
  );
}

/**
 * @param {Value} value
 * @param {Value} digits
 * @param {Evaluator} machine
 */
function round(value, digits, machine) {
  if (!(value instanceof Float) && !isInt(value)) {
    const own = machine.special(value, "__round__") ?? (value instanceof Foreign ? machine.special(value, "round") : undefined);
    return own
      ? machine.call(own, digits === null ? [] : [digits])
      : raise("TypeError", `type ${typeName(value)} doesn't define __round__ method`);
  }
  const number = toNumber(value);
  if (digits === null) {
    if (value instanceof Float && !Number.isFinite(number)) return machine.call(CLASSES.int, [value]);
    return halfToEven(number);
  }
  const places = machine.int(digits);
  if (places < 0) {
    const unit = 10 ** -places;
    const rounded = halfToEven(number / unit) * unit;
    return value instanceof Float ? new Float(rounded) : rounded;
  }
  return value instanceof Float
    ? new Float(Number.isFinite(number) ? Number(format(value, `.${Math.min(places, 100)}f`, machine)) : number)
    : number;
}

function halfToEven(/** @type {number} */ value) {
  const down = Math.floor(value);
  const rest = value - down;
  return (rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down) + 0;
}

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

/**
 * @param {Value} a
 * @param {Value} b
 * @param {Value} modulus
 * @param {Evaluator} machine
 */
function powerModulo(a, b, modulus, machine) {
  const m = BigInt(machine.int(modulus));
  let result = 1n;
  let base = BigInt(machine.int(a)) % m;
  for (let n = BigInt(machine.int(b)); n > 0n; n >>= 1n) {
    if (n & 1n) result = (result * base) % m;
    base = (base * base) % m;
  }
  return Number(((result % m) + m) % m);
}

/** The type of the iterator that iter() gives. */
function iteratorName(/** @type {Value} */ value) {
  if (value instanceof Map) return "dict_keyiterator";
  return `${typeName(value) === "str" ? "str_ascii" : typeName(value)}_iterator`;
}
