// The modules collections and typing, as far as attention code needs them.
import { filledDict } from "./construct.js";
import { OBJECT } from "./exceptions.js";
import { native } from "./functions.js";
import { Builtin, DefaultDict, Property } from "./objects.js";
import { sorted } from "./sorting.js";
import { builtinType, DICT, LIST, SET, TUPLE } from "./types.js";
import { NamedTuple, Namespace, PyClass, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

/**
 * A class of named tuples.
 *
 * @param {string} name
 * @param {string[]} fields
 * @param {Map<string, Value>} defaults
 * @param {PyClass} [written] the class that the reader wrote, with its methods
 */
function namedTuple(name, fields, defaults, written) {
  for (const one of [name, ...fields])
    if (typeof one !== "string") raise("TypeError", `Type names and field names must be strings, not ${typeName(one)}`);
  const type = new PyClass(name, [TUPLE], new Map([...(written?.dict ?? [])].filter(([key]) => !fields.includes(key))));
  const make = (/** @type {Value[]} */ items) => Object.assign(NamedTuple.from(items), { type, fields });
  const fail = (/** @type {string} */ message) => raise("TypeError", `${name}.__new__() ${message}`);
  const maker = native(
    "__new__",
    [0, Number.POSITIVE_INFINITY],
    ([, ...args], _, kwargs) => {
      if (args.length > fields.length) fail(`takes ${fields.length + 1} positional arguments but ${args.length + 1} were given`);
      const unknown = Object.keys(kwargs).find((key) => !fields.includes(key));
      if (unknown) fail(`got an unexpected keyword argument '${unknown}'`);
      const missing = fields
        .filter((field, n) => n >= args.length && !(field in kwargs) && !defaults.has(field))
        .map((field) => `'${field}'`);
      const listed = missing.length > 2 ? `${missing.slice(0, -1).join(", ")}, and ${missing.at(-1)}` : missing.join(" and ");
      if (missing.length) fail(`missing ${missing.length} required positional argument${missing.length > 1 ? "s" : ""}: ${listed}`);
      return make(fields.map((field, n) => (n < args.length ? args[n] : (kwargs[field] ?? defaults.get(field)))));
    },
    ["*"],
  );
  type.dict.set("__new__", maker);
  fields.forEach((field, n) => {
    type.dict.set(field, new Property(new Builtin(field, [1, 1], ([self]) => self[n])));
  });
  type.dict.set("_fields", Tuple.from(fields));
  type.dict.set(
    "_asdict",
    tupleMethod("_asdict", ([self]) => new Map(fields.map((field, n) => [field, self[n]]))),
  );
  type.dict.set(
    "_replace",
    tupleMethod("_replace", ([self], kwargs) => make(fields.map((field, n) => kwargs[field] ?? self[n])), ["*"]),
  );
  return type;
}

/**
 * @param {string} name
 * @param {(args: Value[], kwargs: Record<string, Value>) => Value} act
 * @param {string[]} [keywords]
 */
function tupleMethod(name, act, keywords) {
  const made = new Builtin(name, [0, 1], act, keywords);
  made.free = false;
  return made;
}

/**
 * @param {Value[]} args
 * @param {Evaluator} machine
 * @param {Record<string, Value>} kwargs
 */
function fromNames([name, listed], machine, { defaults = [] }) {
  const fields = typeof listed === "string" ? listed.replaceAll(",", " ").split(/\s+/).filter(Boolean) : machine.array(listed);
  const given = machine.array(defaults);
  return namedTuple(name, fields, new Map(fields.slice(fields.length - given.length).map((field, n) => [field, given[n]])));
}

const NAMED_TUPLE = new PyClass("NamedTuple", [OBJECT]);
NAMED_TUPLE.module = "typing";
NAMED_TUPLE.prepare = (type) => {
  const fields = [...type.annotations.keys()];
  return namedTuple(type.name, fields, new Map([...type.dict].filter(([name]) => fields.includes(name))), type);
};

/** What Counter.most_common sorts by. */
const SECOND = native("second", [1, 1], ([pair]) => pair[1]);

/**
 * @param {Value[]} args
 * @param {Evaluator} machine
 */
function counter([value = []], machine) {
  const counts = new DefaultDict();
  counts.typeName = "Counter";
  counts.factory = native("zero", [0, 0], () => 0);
  counts.counter = true;
  const most = native("most_common", [0, 1], ([n = null], machine) => {
    const pairs = sorted([...counts], { key: SECOND, reverse: true }, machine);
    return pairs.slice(0, n ?? pairs.length).map((pair) => Tuple.from(pair));
  });
  Object.assign(counts, { members: { most_common: most } });
  if (value instanceof Map) return filledDict(counts, value, {}, machine);
  for (const item of machine.array(value)) machine.put(counts, item, (counts.get(machine.findKey(counts, item)) ?? 0) + 1);
  return counts;
}

export const COLLECTIONS = new Namespace(
  "collections",
  {
    namedtuple: native("namedtuple", [2, 2], fromNames, ["defaults"]),
    OrderedDict: DICT,
    defaultdict: native(
      "defaultdict",
      [0, 2],
      ([factory = null, value = new Map()], machine, kwargs) =>
        filledDict(Object.assign(new DefaultDict(), { factory }), value, kwargs, machine),
      ["*"],
    ),
    Counter: native("Counter", [0, 1], counter),
  },
  (name) => ["deque", "ChainMap", "UserDict", "UserList", "UserString", "abc"].includes(name),
);

/**
 * A name of typing: Optional[int] is as good as Optional.
 *
 * @param {string} name
 * @param {PyClass | null} [base] what isinstance() asks for
 */
const hint = (name, base = null) => ({
  typing: true,
  name,
  base,
  typeName: "_GenericAlias",
  members: { __name__: name },
  text: `typing.${name}`,
});
const HINTS = [
  "Any",
  "Optional",
  "Union",
  "Callable",
  "Literal",
  "ClassVar",
  "Final",
  "Annotated",
  "Generic",
  "Protocol",
  "NoReturn",
  "Self",
  "TypeAlias",
  "Iterator",
  "Iterable",
  "Generator",
  "Sequence",
  "Mapping",
  "Sized",
  "Hashable",
  "Concatenate",
  "ParamSpec",
  "Type",
  "Unpack",
  "Collection",
];

/** Type hints of tensors: Float[Tensor, "B L D"]. */
export const JAXTYPING = new Namespace(
  "jaxtyping",
  Object.fromEntries(
    ["Bool", "Complex", "Float", "Inexact", "Int", "Num", "Real", "Shaped", "UInt"].map((name) => [name, hint(name)]),
  ),
);

export const TYPING = new Namespace(
  "typing",
  {
    ...Object.fromEntries(HINTS.map((name) => [name, hint(name)])),
    List: hint("List", LIST),
    Tuple: hint("Tuple", TUPLE),
    Dict: hint("Dict", DICT),
    Set: hint("Set", SET),
    FrozenSet: hint("FrozenSet", builtinType("frozenset")),
    NamedTuple: NAMED_TUPLE,
    TYPE_CHECKING: false,
    TypeVar: native("TypeVar", [1, Number.POSITIVE_INFINITY], ([name]) => hint(name), ["*"]),
    NewType: native("NewType", [2, 2], ([, type]) => type),
    cast: native("cast", [2, 2], ([, value]) => value),
    overload: native("overload", [1, 1], ([f]) => f),
    final: native("final", [1, 1], ([f]) => f),
  },
  (name) =>
    [
      "TypedDict",
      "get_type_hints",
      "get_args",
      "get_origin",
      "runtime_checkable",
      "SupportsFloat",
      "SupportsInt",
      "SupportsIndex",
      "Awaitable",
      "Coroutine",
    ].includes(name),
);
