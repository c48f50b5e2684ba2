// What a function takes. A signature is written as torch prints it, without commas inside a parameter:
//
//     transpose(input T, dim0 int, dim1 int)
//     sum(input T, *, dtype dtype?=None) | sum(input T, dim ints1?, keepdim bool=False, *, dtype dtype?=None)
//
// T is a tensor, Ts tensors; ints whole numbers in a tuple or as separate arguments, ints1 also a single one; num a number or a 0-d
// tensor; `?` allows None. Wrong arguments get torch's messages (python_arg_parser.cpp), or Python's for functions that are Python.

import { Float, Foreign, isInt, NotHere, raise, Size, toNumber, typeName } from "../python/values.js";
import { DType } from "./dtype.js";
import { Tensor } from "./tensor.js";

/** @typedef {any} Value */
/** @typedef {{ name: string, type: string, none: boolean, only: boolean, optional: boolean, value: Value }} Parameter */
/** @typedef {{ name: string, parameters: Parameter[], positional: number, least: number, most: number, hidden: boolean }} Signature */

/** @type {Record<string, Value>} */
const defaults = { None: null, True: true, False: false, "()": [] };

/** Names that NumPy gives to parameters, which torch takes as well. @type {Record<string, string[]>} */
const numpyNames = { dim: ["axis"], keepdim: ["keepdims"], input: ["x", "a", "x1"], other: ["x2"] };

/** @type {Record<string, string>} */
const typeWords = {
  ...{
    T: "Tensor",
    Ts: "tuple of Tensors",
    int: "int",
    num: "Number",
    float: "float",
    bool: "bool",
    str: "str",
    gen: "torch.Generator",
  },
  ...{
    ints: "tuple of ints",
    ints1: "tuple of ints",
    dtype: "torch.dtype",
    device: "torch.device",
    any: "object",
    operand: "Tensor",
  },
};

/**
 * @param {string} text
 * @returns {Signature}
 */
export function parseSignature(text) {
  const [, name, inside] = /** @type {RegExpExecArray} */ (/^~?(\w+)\((.*)\)$/.exec(text));
  let only = false;
  /** @type {Parameter[]} */
  const parameters = [];
  for (const part of inside.split(/, */)) {
    if (part === "*") only = true;
    if (part === "*" || !part) continue;
    const [, id, type, none, given] = /** @type {RegExpExecArray} */ (/^(\w+)(?: (\w+)(\??))?(?:=(.*))?$/.exec(part));
    const optional = given !== undefined;
    const value = !optional ? undefined : given in defaults ? defaults[given] : defaultOf(given, type);
    parameters.push({ name: id, type: type ?? "any", none: Boolean(none), only, optional, value });
  }
  const needed = parameters.filter((one) => !one.optional).length;
  const positional = parameters.filter((one) => !one.only).length;
  return { name, parameters, positional, least: needed, most: parameters.length, hidden: text.startsWith("~") };
}

/**
 * @param {string} text
 * @param {string} type
 */
function defaultOf(text, type) {
  if (text.startsWith("'")) return text.slice(1, -1);
  return type === "float" || /[.e]/.test(text) ? new Float(Number(text)) : Number(text);
}

/** The name of a value's type, as torch has it in its messages. @param {Value} value */
export function kindOf(value) {
  if (value instanceof Foreign) return value.typeName;
  return value instanceof Size ? "torch.Size" : typeName(value);
}

/** @param {Value} value a whole number, or a tensor that holds one */
const isIndex = (value) =>
  typeof value === "number" || (value instanceof Tensor && value.count === 1 && !value.dtype.isFloat && value.dtype.kind > 0);

/** @param {Value} value what isIndex admits */
export const toInt = (value) => (value instanceof Tensor ? value.storage.data[value.offset] : Number(value));

/** @param {Value} value */
const isNumberLike = (value) =>
  isInt(value) || value instanceof Float || (value instanceof Tensor && value.ndim === 0 && !value.requiresGrad);

/** @type {Record<string, (value: Value) => boolean>} */
const checks = {
  any: () => true,
  T: (value) => value instanceof Tensor,
  operand: (value) => value instanceof Tensor || isInt(value) || value instanceof Float,
  Ts: (value) => Array.isArray(value),
  int: (value) => typeof value === "number" || (value instanceof Tensor && value.ndim === 0 && value.dtype.kind === 1),
  num: isNumberLike,
  float: isNumberLike,
  bool: (value) => typeof value === "boolean",
  str: (value) => typeof value === "string",
  ints: (value) => Array.isArray(value) && (value.length === 0 || isIndex(value[0])),
  ints1: (value) => isIndex(value) || checks.ints(value),
  dtype: (value) => value instanceof DType,
  device: (value) => typeof value === "string" || typeof value === "number" || value?.typeName === "torch.device",
  gen: (value) => value?.typeName === "torch.Generator",
};

/**
 * Binds arguments to the parameters of one signature, or says why that cannot be.
 *
 * @param {Signature} signature
 * @param {Value[]} args
 * @param {Record<string, Value>} kwargs
 * @returns {Record<string, Value> | (() => never)}
 */
function bindOne({ name, parameters, positional, least }, args, kwargs) {
  const wrong = (/** @type {string} */ message) => () => raise("TypeError", `${name}() ${message}`);
  const spread = positional === 1 && parameters[0].type === "ints";
  if (args.length > positional && !(spread && isIndex(args[0]))) return wrong(tooManyArguments(least, positional, args.length));
  /** @type {Record<string, Value>} */
  const bound = {};
  let at = 0;
  const left = { ...kwargs };
  for (const [n, parameter] of parameters.entries()) {
    const { name: id, type } = parameter;
    const isKeyword = at >= args.length;
    if (!isKeyword && parameter.only) return wrong(tooManyArguments(least, positional, args.length));
    const key = isKeyword ? [id, ...(numpyNames[id] ?? [])].find((one) => one in left) : undefined;
    const value = isKeyword ? key && left[key] : args[at];
    if (value === undefined && parameter.optional) bound[id] = parameter.value;
    else if (value === undefined) return wrong(missingArguments(parameters.slice(n)));
    else if (value === null && parameter.none) bound[id] = null;
    else if (checks[type](value)) bound[id] = value;
    else if (spread && at === 0 && !isKeyword && checks.ints(args)) {
      bound[id] = args;
      at = args.length;
      continue;
    } else {
      const where = isKeyword ? "" : ` (position ${at + 1})`;
      const what = notOfType(value, type);
      return () => raise("TypeError", `${name}(): argument '${id}'${where} must be ${typeWords[type]}, ${what}`);
    }
    if (!isKeyword) at++;
    else if (key) delete left[key];
  }
  for (const extra of Object.keys(left)) {
    const index = parameters.findIndex((one) => one.name === extra);
    if (index < 0) return wrong(`got an unexpected keyword argument '${extra}'`);
    return wrong(`got multiple values for argument '${extra}'`);
  }
  return bound;
}

/**
 * @param {Value} value
 * @param {string} type
 */
function notOfType(value, type) {
  if (!type.startsWith("ints") || !Array.isArray(value)) return `not ${kindOf(value)}`;
  return `but found element of type ${kindOf(value[0])} at pos 0`;
}

/**
 * @param {number} least
 * @param {number} most
 * @param {number} given
 */
function tooManyArguments(least, most, given) {
  if (least !== most) return `takes from ${least} to ${most} positional arguments but ${given} were given`;
  return `takes ${most} positional argument${most === 1 ? "" : "s"} but ${given} ${given === 1 ? "was" : "were"} given`;
}

/** @param {Parameter[]} rest */
function missingArguments(rest) {
  const names = rest.filter((one) => !one.optional).map((one) => `"${one.name}"`);
  return `missing ${names.length} required positional argument${names.length === 1 ? "s" : ""}: ${names.join(", ")}`;
}

/**
 * @param {Signature[]} signatures in the order in which torch tries them
 * @param {Value[]} args
 * @param {Record<string, Value>} kwargs
 */
export function bind(signatures, args, kwargs) {
  for (const signature of signatures) {
    const bound = bindOne(signature, args, kwargs);
    if (typeof bound !== "function") return unpacked(signature, bound);
    if (signatures.length === 1) bound();
  }
  const { name } = signatures[0];
  if ("out" in kwargs && kwargs.out !== null) throw new NotHere(`${name}(out=...)`);
  const given = args.length + Object.keys(kwargs).length;
  const plausible = signatures.filter(({ least, most, hidden }) => !hidden && given >= least && given <= most);
  if (plausible.length === 1) {
    const failed = bindOne(plausible[0], args, kwargs);
    if (typeof failed === "function") failed();
  }
  const types = [
    ...args.map(kindOf),
    ...Object.entries(kwargs)
      .reverse()
      .map(([key, value]) => `${key}=${kindOf(value)}`),
  ];
  // torch leaves a comma behind keyword arguments that stand alone
  const comma = args.length === 0 && types.length ? ", " : "";
  const got = `got (${types.join(", ")}${comma})`;
  const visible = signatures.filter((one) => !one.hidden);
  const expected = visible.length === 1 ? shownSignature(visible[0]) : "one of:";
  return raise("TypeError", `${name}() received an invalid combination of arguments - ${got}, but expected ${expected}`);
}

// Comes with the second script.
/** As torch prints it. @param {Signature} signature */
function shownSignature({ parameters, positional }) {
  const texts = parameters.map(({ name, type, optional, value }) => {
    const shown = value === null ? "None" : `${toNumber(value)}`;
    return `${typeWords[type]} ${name}${optional ? ` = ${shown}` : ""}`;
  });
  if (positional < texts.length) texts.splice(positional, 0, "*");
  if (parameters[0].name === "input") texts.push("Tensor out = None");
  return `(${texts.join(", ")})`;
}

/**
 * Whole numbers as numbers, and lists checked to their end.
 *
 * @param {Signature} signature
 * @param {Record<string, Value>} bound
 */
function unpacked({ name, parameters }, bound) {
  for (const { name: id, type } of parameters) {
    const value = bound[id];
    if (value === null || value === undefined) continue;
    if (type === "int") bound[id] = toInt(value);
    else if (type.startsWith("ints")) {
      bound[id] = [...(Array.isArray(value) ? value : [value])].map((one, n) => {
        if (isIndex(one)) return toInt(one);
        const problem = `type must be tuple of ints,but got ${kindOf(one)}`;
        return raise(
          "TypeError",
          `${name}(): argument '${id}' failed to unpack the object at pos ${n + 1} with error "${problem}"`,
        );
      });
    } else if (type === "Ts") {
      const position = parameters.findIndex((one) => one.name === id);
      for (const [n, one] of value.entries()) {
        if (one instanceof Tensor) continue;
        raise("TypeError", `expected Tensor as element ${n} in argument ${position}, but got ${kindOf(one)}`);
      }
    }
  }
  return bound;
}

/**
 * Binds arguments as Python does for a function that is written in Python, without looking at their types.
 *
 * @param {Signature} signature
 * @param {Value[]} args
 * @param {Record<string, Value>} kwargs
 * @param {string} [shown] its name in messages, such as "Linear.__init__"; then `self` is counted, too
 */
export function bindPython({ name, parameters, positional }, args, kwargs, shown) {
  const self = shown ? 1 : 0;
  const who = `${shown ?? name}()`;
  /** @type {Record<string, Value>} */
  const bound = {};
  for (const [n, { name: id }] of parameters.entries()) {
    if (n < positional && n < args.length) {
      if (id in kwargs) raise("TypeError", `${who} got multiple values for argument '${id}'`);
      bound[id] = args[n];
    } else if (id in kwargs) bound[id] = kwargs[id];
  }
  const extra = Object.keys(kwargs).find((key) => !parameters.some((one) => one.name === key));
  if (extra !== undefined) raise("TypeError", `${who} got an unexpected keyword argument '${extra}'`);
  if (args.length > positional) {
    const needed = parameters.filter((one) => !one.only && !one.optional).length;
    const most = positional + self;
    const takes = needed === positional ? `${most}` : `from ${needed + self} to ${most}`;
    const given = `${args.length + self} ${args.length + self === 1 ? "was" : "were"} given`;
    raise("TypeError", `${who} takes ${takes} positional argument${takes === "1" ? "" : "s"} but ${given}`);
  }
  const absent = parameters.filter((one) => !(one.name in bound) && !one.optional).map((one) => `'${one.name}'`);
  if (absent.length) {
    const kind = parameters.find((one) => `'${one.name}'` === absent[0])?.only ? "keyword-only" : "positional";
    const last = absent.length > 2 ? `, and ${absent.at(-1)}` : ` and ${absent.at(-1)}`;
    const names = absent.length === 1 ? absent[0] : absent.slice(0, -1).join(", ") + last;
    raise("TypeError", `${who} missing ${absent.length} required ${kind} argument${absent.length === 1 ? "" : "s"}: ${names}`);
  }
  for (const one of parameters) if (!(one.name in bound)) bound[one.name] = one.value;
  return bound;
}
