// The built-in classes, and which of them a value belongs to. Their methods are added in strings.js, lists.js, dicts.js and sets.js.
import { OBJECT } from "./exceptions.js";
import { Builtin, BuiltinType } from "./objects.js";
import { Float, PyClass, PySet, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

const type = (/** @type {string} */ name, base = OBJECT) => new BuiltinType(name, [base]);

export const TYPE = type("type");
export const INT = type("int");
export const BOOL = type("bool", INT);
export const FLOAT = type("float");
export const STR = type("str");
export const LIST = type("list");
export const TUPLE = type("tuple");
export const DICT = type("dict");
export const SET = type("set");

/** @type {Map<string, BuiltinType>} the other types, by name */
const others = new Map([OBJECT, TYPE].map((one) => [one.name, one]));

// Comes with the second script.
/**
 * @param {Value} value
 * @returns {PyClass}
 */
export function typeOf(value) {
  if (typeof value === "number") return INT;
  if (typeof value === "string") return STR;
  if (typeof value === "boolean") return BOOL;
  if (value?.type instanceof PyClass) return value.type;
  if (value instanceof Float) return FLOAT;
  if (value instanceof Tuple) return TUPLE;
  if (Array.isArray(value)) return LIST;
  if (value instanceof Map) return DICT;
  if (value instanceof PySet) return SET;
  return builtinType(typeName(value));
}

/**
 * @param {string} name
 * @returns {BuiltinType}
 */
export function builtinType(name) {
  const known = others.get(name) ?? type(name);
  others.set(name, known);
  return known;
}

/**
 * Methods of a class: name -> fewest arguments, most arguments, what it does, keywords ("*" for any).
 *
 * @typedef {Record<string, [number, number, (args: Value[], kwargs: import("./objects.js").Kwargs, machine: any) => Value, ...string[]]>} Methods
 */

/**
 * @param {PyClass} owner
 * @param {Methods} methods
 */
export function addMethods(owner, methods) {
  for (const [name, [least, most, act, ...keywords]] of Object.entries(methods)) {
    const made = new Builtin(`${owner.name}.${name}`, [least, most], act, keywords);
    made.free = false;
    made.owner = owner;
    owner.dict.set(name, made);
  }
}
