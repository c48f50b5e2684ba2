// The modules functools and operator.
import { Builtin, PyFunction } from "./objects.js";
import { METHODS } from "./operators.js";
import { Bound, Foreign, Namespace, Native, raise, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

const ANY = Number.POSITIVE_INFINITY;

/**
 * @param {string} name
 * @param {[number, number]} count
 * @param {(args: Value[], machine: Evaluator, kwargs: Kwargs) => Value} act
 * @param {string[]} [keywords]
 */
export function native(name, count, act, keywords) {
  return new Builtin(name, count, (args, kwargs, machine) => act(args, /** @type {Evaluator} */ (machine), kwargs), keywords);
}

/** functools.partial(f, ...) */
class Partial extends Foreign {
  /**
   * @param {Value} f
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   */
  constructor(f, args, kwargs) {
    super();
    this.f = f;
    this.args = args;
    this.kwargs = kwargs;
  }

  get typeName() {
    return "functools.partial";
  }

  /** @param {import("./values.js").Call} _call */
  repr(_call) {
    return "functools.partial(...)";
  }

  /** @param {string} name */
  attribute(name) {
    const { f, args, kwargs } = this;
    if (name === "__call__")
      return new Native("partial", (more, named, call) => call(f, [...args, ...more], { ...kwargs, ...named }));
    if (name === "func") return f;
    if (name === "args") return Tuple.from(args);
    return name === "keywords" ? new Map(Object.entries(kwargs)) : super.attribute(name);
  }
}

/**
 * @param {Value[]} args
 * @param {Evaluator} machine
 */
function folded([f, value, start], machine) {
  const items = machine.iterator(value);
  let total = start ?? machine.step(items);
  if (total === undefined) raise("TypeError", "reduce() of empty iterable with no initial value");
  for (let one = machine.step(items); one !== undefined; one = machine.step(items)) total = machine.call(f, [total, one]);
  return total;
}

/**
 * A function that keeps its results.
 *
 * @param {Value} f
 */
function cached(f) {
  const known = new Map();
  const made = native(
    f.name ?? "cached",
    [0, ANY],
    (args, machine, kwargs) => {
      const key = machine.hash(Tuple.from([Tuple.from(args), ...Object.entries(kwargs).map((pair) => Tuple.from(pair))]));
      if (!known.has(key)) known.set(key, machine.call(f, args, kwargs));
      return known.get(key);
    },
    ["*"],
  );
  made.free = false;
  return made;
}

/** wraps(f)(g) gives g the name of f. */
function wraps(/** @type {Value} */ wrapped) {
  return native("wraps", [1, 1], ([wrapper]) => {
    if (wrapper instanceof PyFunction) {
      wrapper.name = wrapped.name ?? wrapper.name;
      wrapper.qualname = wrapped.qualname ?? wrapper.name;
      wrapper.dict.set("__wrapped__", wrapped);
      if (wrapped instanceof PyFunction) wrapper.documented = wrapped.node;
    }
    return wrapper;
  });
}

export const FUNCTOOLS = new Namespace(
  "functools",
  {
    partial: native("partial", [1, ANY], ([f, ...args], _, kwargs) => new Partial(f, args, kwargs), ["*"]),
    reduce: native("reduce", [2, 3], folded),
    wraps: native("wraps", [1, 3], ([f]) => wraps(f), ["assigned", "updated"]),
    cache: native("cache", [1, 1], ([f]) => cached(f)),
    lru_cache: native(
      "lru_cache",
      [0, 2],
      ([f]) => (f instanceof PyFunction || f instanceof Bound ? cached(f) : native("lru_cache", [1, 1], ([g]) => cached(g))),
      ["maxsize", "typed"],
    ),
  },
  (name) => ["cached_property", "cmp_to_key", "partialmethod", "singledispatch", "total_ordering", "update_wrapper"].includes(name),
);

const SIGNS = { lt: "<", le: "<=", eq: "==", ne: "!=", ge: ">=", gt: ">", is_: "is", is_not: "is not" };
const HAS = [
  "call",
  "concat",
  "countOf",
  "index",
  "indexOf",
  "length_hint",
  "methodcaller",
  "setitem",
  "delitem",
  "iadd",
  "imul",
  "isub",
  "xor",
  "lshift",
];

/** itemgetter(...) and attrgetter(...): one result, or a tuple of several. */
function getter(/** @type {string} */ name, /** @type {(value: Value, key: Value, machine: Evaluator) => Value} */ get) {
  return native(name, [1, ANY], (keys) =>
    native(name, [1, 1], ([value], machine) =>
      keys.length === 1 ? get(value, keys[0], machine) : Tuple.from(keys.map((key) => get(value, key, machine))),
    ),
  );
}

export const OPERATOR = new Namespace(
  "operator",
  {
    ...Object.fromEntries(
      Object.entries(METHODS).map(([sign, name]) => [
        `${name}${["and", "or"].includes(name) ? "_" : ""}`,
        native(name, [2, 2], ([a, b], machine) => machine.binary(sign, a, b)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(SIGNS).map(([name, sign]) => [name, native(name, [2, 2], ([a, b], machine) => machine.compare(sign, a, b))]),
    ),
    neg: native("neg", [1, 1], ([value], machine) => machine.unary("-", value)),
    pos: native("pos", [1, 1], ([value], machine) => machine.unary("+", value)),
    inv: native("inv", [1, 1], ([value], machine) => machine.unary("~", value)),
    invert: native("invert", [1, 1], ([value], machine) => machine.unary("~", value)),
    abs: native("abs", [1, 1], ([value], machine) => machine.call(machine.builtins.abs, [value])),
    not_: native("not_", [1, 1], ([value], machine) => !machine.truth(value)),
    truth: native("truth", [1, 1], ([value], machine) => machine.truth(value)),
    contains: native("contains", [2, 2], ([value, item], machine) => machine.contains(value, item)),
    getitem: native("getitem", [2, 2], ([value, key], machine) => machine.getItem(value, key)),
    itemgetter: getter("itemgetter", (value, key, machine) => machine.getItem(value, key)),
    attrgetter: getter("attrgetter", (value, key, machine) =>
      String(key)
        .split(".")
        .reduce((/** @type {Value} */ one, /** @type {string} */ name) => machine.attribute(one, name), value),
    ),
  },
  (name) => HAS.includes(name),
);
