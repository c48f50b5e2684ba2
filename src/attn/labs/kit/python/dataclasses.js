// The module dataclasses.
import { native } from "./functions.js";
import { Builtin } from "./objects.js";
import { Namespace, NotHere, PyClass, PyError, PyObject, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */
/** @typedef {{ name: string, type: string, default?: Value, factory?: Value, init: boolean, repr: boolean, compare: boolean, named: boolean }} Field */

/** What field(...) returns in a class body. */
class FieldSpec {
  typeName = "Field";

  /** @param {Kwargs} options */
  constructor(options) {
    this.options = options;
  }
}

const OPTIONS = ["init", "repr", "eq", "order", "frozen", "kw_only", "slots", "unsafe_hash"];
const MUTABLE = ["list", "dict", "set"];

/**
 * The fields of a class and of its bases.
 *
 * @param {PyClass} type
 * @param {boolean} named are all keyword-only?
 * @returns {Field[]}
 */
function fieldsOf(type, named) {
  /** @type {Map<string, Field>} */
  const fields = new Map();
  for (const base of [...type.mro].reverse()) for (const one of base.fields ?? []) fields.set(one.name, one);
  let only = named;
  for (const [name, annotation] of type.annotations) {
    const hint = annotation.kind === "Subscript" ? annotation.value : annotation;
    if (hint.id === "ClassVar" || hint.name === "ClassVar") continue;
    if (hint.id === "KW_ONLY") {
      only = true;
      continue;
    }
    const given = type.dict.get(name);
    /** @type {{ options: Kwargs }} */
    const { options } = given instanceof FieldSpec ? given : { options: given === undefined ? {} : { default: given } };
    const value = options.default;
    if (value !== undefined && MUTABLE.includes(typeName(value)))
      raise("ValueError", `mutable default <class '${typeName(value)}'> for field ${name} is not allowed: use default_factory`);
    if (given instanceof FieldSpec) {
      if (value === undefined) type.dict.delete(name);
      else type.dict.set(name, value);
    }
    fields.set(name, {
      name,
      type: hint.id ?? "",
      default: value,
      factory: options.default_factory,
      init: options.init ?? true,
      repr: options.repr ?? true,
      compare: options.compare ?? true,
      named: options.kw_only ?? only,
    });
  }
  return [...fields.values()];
}

/**
 * @param {PyClass} type
 * @param {Kwargs} options
 */
function decorate(type, options) {
  if (!(type instanceof PyClass)) raise("TypeError", `dataclass() should be used on a class, not ${typeName(type)}`);
  const fields = fieldsOf(type, Boolean(options.kw_only));
  let optional = false;
  for (const one of fields.filter(({ init, named }) => init && !named)) {
    const has = one.default !== undefined || one.factory !== undefined;
    if (optional && !has) raise("TypeError", `non-default argument '${one.name}' follows default argument`);
    optional ||= has;
  }
  type.fields = fields;
  const add = (
    /** @type {string} */ name,
    /** @type {(args: Value[], kwargs: Kwargs, machine: any) => Value} */ act,
    /** @type {string[]} */ ...keywords
  ) => {
    if (type.dict.has(name) && name !== "__hash__") return;
    const made = new Builtin(name, [0, Number.POSITIVE_INFINITY], act, keywords);
    made.free = false;
    type.dict.set(name, made);
  };
  const compared = (/** @type {PyObject} */ self) =>
    Tuple.from(fields.filter(({ compare }) => compare).map(({ name }) => self.dict.get(name)));
  if (options.init ?? true)
    add("__init__", ([self, ...args], kwargs, machine) => initialize(type, fields, self, args, kwargs, machine), "*");
  if (options.repr ?? true)
    add(
      "__repr__",
      ([self], _, machine) =>
        `${self.type.qualname}(${fields
          .filter(({ repr }) => repr)
          .map(({ name }) => `${name}=${machine.repr(machine.attribute(self, name))}`)
          .join(", ")})`,
    );
  if (options.eq ?? true) {
    add("__eq__", ([self, other], _, machine) =>
      other instanceof PyObject && other.type === self.type
        ? machine.equal(compared(self), compared(other))
        : machine.notImplemented,
    );
    if (options.frozen || options.unsafe_hash) add("__hash__", ([self], _, machine) => machine.hash(compared(self)));
    else if (!type.dict.has("__hash__")) type.dict.set("__hash__", null);
  }
  if (options.order)
    for (const [name, sign] of [
      ["__lt__", "<"],
      ["__le__", "<="],
      ["__gt__", ">"],
      ["__ge__", ">="],
    ])
      add(name, ([self, other], _, machine) => machine.compare(sign, compared(self), compared(other)));
  if (options.frozen) {
    add("__setattr__", ([, name]) => frozen("assign to", name));
    add("__delattr__", ([, name]) => frozen("delete", name));
  }
  return type;
}

/**
 * @param {string} verb
 * @param {string} name
 * @returns {never}
 */
function frozen(verb, name) {
  const error = new PyError("FrozenInstanceError", `cannot ${verb} field '${name}'`);
  error.base = "AttributeError";
  throw error;
}

/**
 * @param {PyClass} type
 * @param {Field[]} fields
 * @param {PyObject} self
 * @param {Value[]} args
 * @param {Kwargs} kwargs
 * @param {Evaluator} machine
 */
function initialize(type, fields, self, args, kwargs, machine) {
  const fail = (/** @type {string} */ message) => raise("TypeError", `${type.qualname}.__init__() ${message}`);
  const plain = fields.filter(({ init, named }) => init && !named);
  const unknown = Object.keys(kwargs).find((key) => !fields.some(({ name, init }) => name === key && init));
  if (unknown) fail(`got an unexpected keyword argument '${unknown}'`);
  const twice = plain.slice(0, args.length).find(({ name }) => name in kwargs);
  if (twice) fail(`got multiple values for argument '${twice.name}'`);
  if (args.length > plain.length) {
    const least = plain.filter((one) => one.default === undefined && one.factory === undefined).length + 1;
    const takes = least <= plain.length ? `from ${least} to ${plain.length + 1}` : `${plain.length + 1}`;
    fail(`takes ${takes} positional argument${takes === "1" ? "" : "s"} but ${args.length + 1} were given`);
  }
  const missing = { positional: /** @type {string[]} */ ([]), "keyword-only": /** @type {string[]} */ ([]) };
  /** @type {[string, Value][]} */
  const values = [];
  for (const one of fields) {
    const place = plain.indexOf(one);
    if (one.init && place >= 0 && place < args.length) values.push([one.name, args[place]]);
    else if (one.init && one.name in kwargs) values.push([one.name, kwargs[one.name]]);
    else if (one.factory !== undefined) values.push([one.name, machine.call(one.factory)]);
    else if (one.default !== undefined) values.push([one.name, one.default]);
    else if (one.init) missing[one.named ? "keyword-only" : "positional"].push(`'${one.name}'`);
  }
  for (const [kind, names] of Object.entries(missing)) {
    const listed = names.length > 2 ? `${names.slice(0, -1).join(", ")}, and ${names.at(-1)}` : names.join(" and ");
    if (names.length) fail(`missing ${names.length} required ${kind} argument${names.length > 1 ? "s" : ""}: ${listed}`);
  }
  const own = type.find("__setattr__");
  for (const [name, value] of values) {
    if (own && !(own instanceof Builtin)) machine.setAttribute(self, name, value);
    else self.dict.set(name, value);
  }
  const after = machine.special(self, "__post_init__");
  if (after) machine.call(after);
  return null;
}

/** @param {Value} value */
function fieldsIn(value) {
  const type = value instanceof PyClass ? value : value?.type;
  return type?.mro?.find((/** @type {PyClass} */ one) => one.fields)?.fields ?? null;
}

/**
 * The fields of an instance.
 *
 * @param {Value} value
 * @param {string} name of the function that asks
 * @returns {Field[]}
 */
function fieldsOfInstance(value, name) {
  const fields = value instanceof PyObject && fieldsIn(value);
  return fields || raise("TypeError", `${name}() should be called on dataclass instances`);
}

/**
 * @param {Value} value
 * @param {Evaluator} machine
 * @returns {Value}
 */
function asDict(value, machine) {
  if (Array.isArray(value))
    return value instanceof Tuple ? Tuple.from(value.map((one) => asDict(one, machine))) : value.map((one) => asDict(one, machine));
  const fields = value instanceof PyObject && fieldsIn(value);
  if (!fields) return value;
  return new Map(fields.map((/** @type {Field} */ { name }) => [name, asDict(machine.attribute(value, name), machine)]));
}

export const DATACLASSES = new Namespace(
  "dataclasses",
  {
    dataclass: native(
      "dataclass",
      [0, 1],
      ([type], _, kwargs) => {
        const unknown = Object.keys(kwargs).find((key) => !OPTIONS.includes(key));
        if (unknown) raise("TypeError", `dataclass() got an unexpected keyword argument '${unknown}'`);
        return type ? decorate(type, kwargs) : native("dataclass", [1, 1], ([one]) => decorate(one, kwargs));
      },
      ["*"],
    ),
    field: native(
      "field",
      [0, 0],
      (_, machine, kwargs) => {
        if ("default" in kwargs && "default_factory" in kwargs)
          raise("ValueError", "cannot specify both default and default_factory");
        if (machine && "metadata" in kwargs) throw new NotHere("field(metadata=...)");
        return new FieldSpec(kwargs);
      },
      ["default", "default_factory", "init", "repr", "compare", "hash", "kw_only", "metadata"],
    ),
    asdict: native("asdict", [1, 1], ([value], machine) =>
      value instanceof PyObject && fieldsIn(value)
        ? asDict(value, machine)
        : raise("TypeError", "asdict() should be called on dataclass instances"),
    ),
    astuple: native("astuple", [1, 1], ([value], machine) =>
      Tuple.from(fieldsOfInstance(value, "astuple").map(({ name }) => machine.attribute(value, name))),
    ),
    is_dataclass: native("is_dataclass", [1, 1], ([value]) => Boolean(fieldsIn(value))),
    replace: native(
      "replace",
      [1, 1],
      ([value], machine, kwargs) =>
        machine.call(value?.type, [], {
          ...Object.fromEntries(
            fieldsOfInstance(value, "replace")
              .filter(({ init }) => init)
              .map(({ name }) => [name, machine.attribute(value, name)]),
          ),
          ...kwargs,
        }),
      ["*"],
    ),
    fields: native("fields", [1, 1], ([value]) =>
      Tuple.from(
        (fieldsIn(value) ?? fieldsOfInstance(value, "fields")).map(
          (/** @type {Field} */ { name }) => new Namespace("Field", { name }),
        ),
      ),
    ),
    KW_ONLY: null,
  },
  (name) => ["make_dataclass", "InitVar", "FrozenInstanceError", "MISSING"].includes(name),
);
