// The built-in functions and methods that few programs call.
import { attributeName, BUILTINS, functionsOf, isInstance } from "./builtins.js";
import { CLASSES } from "./construct.js";
import { format } from "./format.js";
import { DictView, PyFunction } from "./objects.js";
import { percent } from "./percent.js";
import { rest } from "./rest.js";
import { FROZEN_METHODS, SET_METHODS } from "./sets.js";
import { STRING_METHODS } from "./strings.js";
import { viewed } from "./text.js";
import { addMethods, builtinType, SET, STR } from "./types.js";
import {
  Bound,
  Float,
  Foreign,
  Iter,
  isInt,
  Native,
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
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

addMethods(STR, STRING_METHODS);
addMethods(SET, SET_METHODS);
addMethods(builtinType("frozenset"), FROZEN_METHODS);
rest.percent = percent;
Object.assign(
  BUILTINS,
  functionsOf({
    abs: [1, 1, ([value], _, machine) => absolute(value, machine)],
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
    filter: [2, 2, ([test, value], _, machine) => new Iter("filter", kept(test, machine.iterator(value), machine))],
    format: [1, 2, ([value, spec = ""], _, machine) => format(value, spec, machine)],
    globals: [0, 0, () => null],
    hash: [1, 1, ([value], _, machine) => (typeof value === "number" ? value : numberOfText(machine.hash(value)))],
    hex: [1, 1, ([value], _, machine) => based(machine.int(value), 16, "0x")],
    id: [1, 1, ([value], _, machine) => machine.identity(value)],
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
    locals: [0, 0, () => null],
    next: [1, 2, ([value, otherwise], _, machine) => next(value, otherwise, machine)],
    oct: [1, 1, ([value], _, machine) => based(machine.int(value), 8, "0o")],
    ord: [1, 1, ([value]) => ordinal(value)],
    pow: [
      2,
      3,
      ([a, b, modulus], _, machine) => (modulus === undefined ? machine.binary("**", a, b) : powerModulo(a, b, modulus, machine)),
    ],
    reversed: [1, 1, ([value], _, machine) => reversed(value, machine)],
    round: [1, 2, ([value, digits = null], { ndigits = null }, machine) => round(value, digits ?? ndigits, machine), "ndigits"],
    setattr: [3, 3, ([value, name, item], _, machine) => machine.setAttribute(value, attributeName(name), item) ?? null],
    vars: [0, 1, ([value], _, machine) => machine.attribute(value, "__dict__")],
  }),
);

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
function isCallable(value, machine) {
  return (
    value instanceof Native ||
    value instanceof PyFunction ||
    value instanceof PyClass ||
    value instanceof Bound ||
    Boolean(machine.special(value, "__call__"))
  );
}

function numberOfText(/** @type {string} */ text) {
  let hash = 7;
  for (const char of text.slice(0, 99)) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007;
  return hash;
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
