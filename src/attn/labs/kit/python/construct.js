// What calling a built-in class makes: int("3"), list(x), dict(a=1), type(x).
import { EXCEPTIONS, OBJECT } from "./exceptions.js";
import { ClassMethod, Property, StaticMethod, Super } from "./objects.js";
import { BOOL, builtinType, DICT, FLOAT, INT, LIST, SET, STR, TUPLE, TYPE, typeOf } from "./types.js";
import { Float, Foreign, isInt, isNumber, NotHere, PyClass, Range, raise, Slice, Tuple, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */
/** @typedef {import("./items.js").Items} Items */
/** @typedef {(args: Value[], machine: any, kwargs: import("./objects.js").Kwargs) => Value} Make */

/**
 * @param {import("./objects.js").BuiltinType} type
 * @param {number} most positional arguments
 * @param {Make} make
 * @param {string[] | "any"} [keywords]
 */
function construct(type, most, make, keywords = []) {
  type.make = (args, kwargs, machine) => {
    const { name } = type;
    const unknown = keywords === "any" ? undefined : Object.keys(kwargs).find((key) => !keywords.includes(key));
    if (unknown)
      raise(
        "TypeError",
        keywords.length ? `'${unknown}' is an invalid keyword argument for ${name}()` : `${name}() takes no keyword arguments`,
      );
    if (args.length > most) {
      const plural = `argument${most === 1 ? "" : "s"}`;
      const short = name === "int" || name === "str";
      raise(
        "TypeError",
        short
          ? `${name}() takes at most ${most} ${plural} (${args.length} given)`
          : `${name} expected at most ${most} ${plural}, got ${args.length}`,
      );
    }
    return make(args, machine, kwargs);
  };
}

construct(INT, 2, ([value = 0, base], machine, kwargs) => intFrom(value, base ?? kwargs.base, machine), ["base"]);
construct(FLOAT, 1, ([value = 0], machine) => floatFrom(value, machine));
construct(BOOL, 1, ([value = false], machine) => machine.truth(value));
construct(STR, 3, ([value = ""], machine) => machine.str(value), ["encoding", "errors", "object"]);
construct(LIST, 1, ([value = []], machine) => machine.array(value));
construct(TUPLE, 1, ([value = []], machine) =>
  value instanceof Tuple && value.constructor === Tuple ? value : Tuple.from(machine.array(value)),
);
construct(SET, 1, ([value = []], machine) => machine.setOf(machine.array(value)));
construct(builtinType("frozenset"), 1, ([value = []], machine) =>
  Object.assign(machine.setOf(machine.array(value)), { frozen: true }),
);
construct(DICT, 1, ([value = new Map()], machine, kwargs) => filledDict(new Map(), value, kwargs, machine), "any");
construct(builtinType("range"), 3, (args, machine) => rangeOf(args, machine));
construct(builtinType("slice"), 3, ([a, b, c = null]) => {
  if (a === undefined) raise("TypeError", "slice expected at least 1 argument, got 0");
  return b === undefined ? new Slice(null, a, null) : new Slice(a, b, c);
});
construct(builtinType("property"), 4, ([getter = null, setter = null]) => new Property(getter, setter));
construct(builtinType("staticmethod"), 1, ([method]) => new StaticMethod(method));
construct(builtinType("classmethod"), 1, ([method]) => new ClassMethod(method));
construct(builtinType("super"), 2, ([after, self]) => new Super(after, self));
construct(TYPE, 3, (args) => {
  if (args.length === 1) return typeOf(args[0]);
  if (args.length !== 3) raise("TypeError", "type() takes 1 or 3 arguments");
  const [name, bases, dict] = args;
  if (typeof name !== "string") raise("TypeError", `type.__new__() argument 1 must be str, not ${typeName(name)}`);
  if (!(bases instanceof Tuple) || !bases.every((one) => one instanceof PyClass))
    raise("TypeError", `type.__new__() argument 2 must be tuple, not ${typeName(bases)}`);
  if (!(dict instanceof Map)) raise("TypeError", `type.__new__() argument 3 must be dict, not ${typeName(dict)}`);
  return new PyClass(name, bases.length ? [...bases] : [OBJECT], new Map(dict));
});

// Comes with the second script.
/**
 * Fills a dict as dict() and dict.update() do.
 *
 * @param {Map<Value, Value>} dict
 * @param {Value} value
 * @param {Record<string, Value>} kwargs
 * @param {Iteration} machine
 */
export function filledDict(dict, value, kwargs, machine) {
  if (value instanceof Map) {
    machine.tick(value.size >> 3);
    for (const [key, item] of value) machine.put(dict, key, item);
  } else {
    machine.array(value).forEach((pair, n) => {
      const both = machine.until("TypeError", () => machine.array(pair));
      if (!both) return raise("TypeError", `cannot convert dictionary update sequence element #${n} to a sequence`);
      if (both.length !== 2)
        raise("ValueError", `dictionary update sequence element #${n} has length ${both.length}; 2 is required`);
      machine.put(dict, both[0], both[1]);
    });
  }
  for (const [key, item] of Object.entries(kwargs)) dict.set(key, item);
  return dict;
}

/**
 * @param {Value[]} args
 * @param {Items} machine
 */
function rangeOf(args, machine) {
  if (!args.length) raise("TypeError", "range expected at least 1 argument, got 0");
  const [a, b, step = 1] = args.map((one) => machine.int(one));
  if (step === 0) raise("ValueError", "range() arg 3 must not be zero");
  return b === undefined ? new Range(0, a, 1) : new Range(a, b, step);
}

// Comes with the second script.
/**
 * @param {Value} value
 * @param {Value} base
 * @param {Items} machine
 * @returns {number}
 */
function intFrom(value, base, machine) {
  if (base !== undefined && typeof value !== "string") raise("TypeError", "int() can't convert non-string with explicit base");
  if (typeof value === "string") {
    const prefix = /^[-+]?0([xob])/i.exec(value.trim())?.[1].toLowerCase() ?? "";
    const radix = base === 0 ? ({ x: 16, o: 8, b: 2 }[prefix] ?? 10) : (base ?? 10);
    const plain = value
      .trim()
      .replace(/(\d)_(?=\d)/g, "$1")
      .toLowerCase();
    const digits = plain.replace(/^([-+]?)0[xob]/, radix === 10 ? "$&" : "$1");
    const allowed = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, radix || 10);
    if (!new RegExp(`^[-+]?[${allowed}]+$`).test(digits))
      raise("ValueError", `invalid literal for int() with base ${radix}: ${machine.repr(value)}`);
    return whole(Number.parseInt(digits, radix || 10));
  }
  const number = value instanceof Foreign ? value.scalar() : value;
  if (isNumber(number)) return whole(Math.trunc(finite(toNumber(number))));
  const own = machine.special(value, "__int__") ?? machine.special(value, "__index__");
  return own
    ? machine.call(own)
    : raise("TypeError", `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
}

// Comes with the second script.
function finite(/** @type {number} */ value) {
  if (Number.isNaN(value)) raise("ValueError", "cannot convert float NaN to integer");
  return Number.isFinite(value) ? value : raise("OverflowError", "cannot convert float infinity to integer");
}

/** An int that JavaScript holds exactly. */
export function whole(/** @type {number} */ value) {
  if (!Number.isSafeInteger(finite(value))) throw new NotHere("an int beyond 2**53");
  return value + 0;
}

/**
 * @param {Value} value
 * @param {Items} machine
 * @returns {Float}
 */
function floatFrom(value, machine) {
  if (value instanceof Float) return value;
  if (isInt(value)) return new Float(Number(value));
  if (typeof value === "string") {
    const text = value
      .trim()
      .toLowerCase()
      .replace(/(\d)_(?=\d)/g, "$1");
    const named = /^([-+]?)(inf|infinity|nan)$/.exec(text);
    if (named) return new Float(named[2] === "nan" ? Number.NaN : named[1] === "-" ? -Infinity : Infinity);
    if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(text))
      raise("ValueError", `could not convert string to float: ${machine.repr(value)}`);
    return new Float(Number(text));
  }
  if (value instanceof Foreign) return new Float(toNumber(value.scalar()));
  const own = machine.special(value, "__float__");
  return own
    ? machine.call(own)
    : raise("TypeError", `float() argument must be a string or a real number, not '${typeName(value)}'`);
}

export const CLASSES = Object.fromEntries(
  [
    OBJECT,
    TYPE,
    INT,
    BOOL,
    FLOAT,
    STR,
    LIST,
    TUPLE,
    DICT,
    SET,
    ...["frozenset", "range", "slice", "property", "staticmethod", "classmethod", "super"].map(builtinType),
    ...Object.values(EXCEPTIONS),
  ].map((type) => [type.name, type]),
);
