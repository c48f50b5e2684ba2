// Python's values in JavaScript: the contract between the interpreter (kit/python) and a library that it can import (kit/torch).
//
// None is null; True and False are booleans; an int is a number and a float a Float (so that 4.0 is not 4); a str is a string, a list
// an Array, a dict a Map. Everything else has a class here. A library brings values of its own as subclasses of Foreign, functions as
// Native, classes that readers may subclass as PyClass with Native methods (`__init__`, `__call__`, `__setattr__`, ... as in Python),
// and modules as Namespace. The interpreter knows nothing else of a library, and a library nothing of the interpreter but Call.

/** @typedef {any} Value */
/** @typedef {(callee: Value, args: Value[], kwargs?: Record<string, Value>) => Value} Call calls any callable value */

export class Float {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
}

export class Tuple extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}

/** torch.Size */
export class Size extends Tuple {}

/** What torch.max(x, dim) returns: a tuple whose items also have names. */
export class NamedTuple extends Tuple {
  /** @type {Value} the name of its type, or its PyClass */
  type = "tuple";
  /** @type {string[]} */
  fields = [];

  /**
   * @param {string} type
   * @param {string[]} fields
   * @param {Value[]} items
   */
  static named(type, fields, items) {
    return Object.assign(NamedTuple.from(items), { type, fields });
  }
}

export class PySet extends Set {
  /** is it a frozenset? */
  frozen = false;
}

export class Slice {
  /**
   * @param {Value} start
   * @param {Value} stop
   * @param {Value} step
   */
  constructor(start, stop, step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

export class Range {
  /**
   * @param {number} start
   * @param {number} stop
   * @param {number} step
   */
  constructor(start, stop, step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  get length() {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }

  *[Symbol.iterator]() {
    for (let n = 0; n < this.length; n++) yield this.start + n * this.step;
  }
}

/** A module. `has` says which names the real one has: such a name is not in the page, any other is an AttributeError. */
export class Namespace {
  /**
   * @param {string} name
   * @param {Record<string, Value>} members
   * @param {(name: string) => boolean} [has]
   */
  constructor(name, members, has = () => false) {
    this.name = name;
    this.members = members;
    this.has = has;
  }
}

export class PyClass {
  /**
   * @param {string} name
   * @param {PyClass[]} [bases]
   * @param {Map<string, Value>} [dict]
   */
  constructor(name, bases = [], dict = new Map()) {
    this.name = name;
    this.bases = bases;
    this.dict = dict;
    /** @type {string | null} "torch.nn.modules.linear"; null for a reader's class */
    this.module = null;
    this.qualname = name;
    /** @type {string[]} methods that a class must have before it has objects */
    this.abstract = [];
    /** @type {Map<string, any>} the names with a type hint, for dataclasses */
    this.annotations = new Map();
    /** @type {((type: PyClass, machine: any) => Value) | null} what it makes of a class that extends it */
    this.prepare = null;
    /** @type {any[] | null} those of a dataclass */
    this.fields = null;
    /** @type {PyClass[]} the class itself, then its bases, each once, before those that it comes from */
    this.mro = [this, ...[...new Set(bases.flatMap((base) => base.mro).reverse())].reverse()];
  }

  /** @param {string} name */
  find(name) {
    return this.mro.find((one) => one.dict.has(name))?.dict.get(name);
  }

  /** @param {PyClass} other */
  isSubclassOf(other) {
    return this.mro.includes(other);
  }
}

/** An instance of a PyClass. */
export class PyObject {
  /** @param {PyClass} type */
  constructor(type) {
    this.type = type;
    /** @type {Map<string, Value>} */
    this.dict = new Map();
  }
}

/** A function that is written in JavaScript. Keyword arguments it does not know it must refuse, as Python would. */
export class Native {
  /**
   * @param {string} name
   * @param {(args: Value[], kwargs: Record<string, Value>, call: Call) => Value} run
   */
  constructor(name, run) {
    this.name = name;
    this.run = run;
    /** does it stay as it is when it is an attribute of a class, as functions written in C do? Others become methods. */
    this.free = false;
  }
}

/** A method of an object, with the object. */
export class Bound {
  /**
   * @param {Value} self
   * @param {Value} method
   */
  constructor(self, method) {
    this.self = self;
    this.method = method;
  }
}

/** An iterator. Libraries may return it; `kind` is the name of its type: "generator". */
export class Iter {
  /**
   * @param {string} kind
   * @param {Iterator<Value>} iterator
   */
  constructor(kind, iterator) {
    this.kind = kind;
    this.iterator = iterator;
    /** of the function that makes its items */
    this.name = "";
  }

  get typeName() {
    return this.kind;
  }

  [Symbol.iterator]() {
    return this.iterator;
  }
}

/** A value of a library, such as a tensor or a dtype. What it does not override is not supported, in Python's words. */
export class Foreign {
  /** The name of its type, as in messages: "Tensor". */
  get typeName() {
    return this.type?.name ?? "object";
  }

  /**
   * What type() gives, and what isinstance() asks.
   *
   * @returns {PyClass | null}
   */
  get type() {
    return null;
  }

  /** @param {Call} _call */
  repr(_call) {
    return `<${this.typeName}>`;
  }

  /**
   * What str() and print() show.
   *
   * @param {Call} call
   */
  str(call) {
    return this.repr(call);
  }

  /**
   * What format() sees if it gets a format, as in f"{x:.2f}".
   *
   * @returns {Value}
   */
  formatted() {
    return raise("TypeError", `unsupported format string passed to ${this.typeName}.__format__`);
  }

  truth() {
    return true;
  }

  /**
   * An attribute or a Bound method. It raises AttributeError, or NotHere for what the real type has and this one does not.
   *
   * @param {string} name
   * @returns {Value}
   */
  attribute(name) {
    return raise("AttributeError", `'${this.typeName}' object has no attribute '${name}'`);
  }

  /**
   * @param {string} name
   * @param {Value} _value
   */
  setAttribute(name, _value) {
    raise("AttributeError", `'${this.typeName}' object has no attribute '${name}'`);
  }

  /** @returns {number} */
  length() {
    return raise("TypeError", `object of type '${this.typeName}' has no len()`);
  }

  /** @returns {Iterable<Value>} */
  items() {
    return raise("TypeError", `'${this.typeName}' object is not iterable`);
  }

  /**
   * @param {Value} _index a number, Slice, null, ELLIPSIS, list, Foreign, or a Tuple of those
   * @returns {Value}
   */
  getItem(_index) {
    return raise("TypeError", `'${this.typeName}' object is not subscriptable`);
  }

  /**
   * @param {Value} _index
   * @param {Value} _value
   */
  setItem(_index, _value) {
    raise("TypeError", `'${this.typeName}' object does not support item assignment`);
  }

  /**
   * The result of a binary operator or comparison, "+", "@", "==" and so on, or undefined if it is not defined for these operands.
   *
   * @param {string} _operator
   * @param {Value} _other
   * @param {boolean} _reflected is the other operand on the left?
   * @returns {Value | undefined}
   */
  binary(_operator, _other, _reflected) {
    return undefined;
  }

  /**
   * In place, for x += y and its like; undefined if the operator makes a new value.
   *
   * @param {string} _operator without "="
   * @param {Value} _other
   * @returns {Value | undefined}
   */
  augmented(_operator, _other) {
    return undefined;
  }

  /**
   * @param {string} operator "-", "+" or "~"
   * @returns {Value}
   */
  unary(operator) {
    return raise("TypeError", `bad operand type for unary ${operator}: '${this.typeName}'`);
  }

  /**
   * What int(), float() and bool() see: a number, Float or boolean.
   *
   * @returns {Value}
   */
  scalar() {
    return raise("TypeError", `float() argument must be a string or a real number, not '${this.typeName}'`);
  }

  /**
   * What range() and the indices of lists see.
   *
   * @returns {number}
   */
  index() {
    return raise("TypeError", `'${this.typeName}' object cannot be interpreted as an integer`);
  }
}

export const ELLIPSIS = new (class Ellipsis {})();

/** A Python exception. `lines` are the lines that it went through, innermost first. */
export class PyError extends Error {
  /**
   * @param {string} type
   * @param {string} message
   */
  constructor(type, message) {
    super(message);
    this.type = type;
    /** @type {number[]} */
    this.lines = [];
    /** @type {PyObject | null} the exception object, where a reader's code can see it */
    this.value = null;
    /** @type {Value[] | null} its arguments, where they are not the message */
    this.args = null;
    /** the class that its class comes from, where only the library knows its class */
    this.base = "RuntimeError";
    /** @type {unknown} the scope that has written its line into `lines` */
    this.noted = null;
  }
}

/**
 * What the real Python or torch has, and the page does not: never a mistake of the reader's. It cannot be caught by `except`.
 */
export class NotHere extends PyError {
  /** @param {string} what "torch.polar" */
  constructor(what) {
    super("NotHere", `${what} is not in the page; run it in Jupyter`);
    this.what = what;
  }
}

/** @param {string} what @returns {never} */
export function notHere(what) {
  throw new NotHere(what);
}

/** The program is too long for the page. It cannot be caught by `except` either. */
export class Limit extends PyError {
  /** @param {string} message */
  constructor(message) {
    super("Limit", message);
  }
}

/**
 * @param {string} type
 * @param {string} message
 * @returns {never}
 */
export function raise(type, message) {
  throw new PyError(type, message);
}

/** @param {number} value */
export const float = (value) => new Float(value);

/** @param {Iterable<Value>} items */
export const tuple = (items) => Tuple.from(items);

/** @param {Value} value an int or bool */
export const isInt = (value) => typeof value === "number" || typeof value === "boolean";

/** @param {Value} value an int, bool or float */
export const isNumber = (value) => isInt(value) || value instanceof Float;

/** @param {Value} value an int, bool or float */
export const toNumber = (value) => (value instanceof Float ? value.value : Number(value));

/**
 * The name of a value's type, as in messages.
 *
 * @param {Value} value
 * @returns {string}
 */
export function typeName(value) {
  if (value === null) return "NoneType";
  if (typeof value !== "object") return { boolean: "bool", number: "int", string: "str" }[typeof value] ?? "object";
  if (value instanceof Size) return "torch.Size";
  if (value.type instanceof PyClass) return value.type.name;
  if (value instanceof Bound && value.self instanceof Foreign && value.method instanceof Native)
    return "builtin_function_or_method";
  const kinds = [Float, NamedTuple, Tuple, Array, Map, PySet, Slice, Range, Namespace, PyClass, Native, Bound];
  const names = [
    "float",
    value.type,
    "tuple",
    "list",
    "dict",
    "set",
    "slice",
    "range",
    "module",
    "type",
    "builtin_function_or_method",
    "method",
  ];
  const found = kinds.findIndex((kind) => value instanceof kind);
  return value.typeName ?? (found < 0 ? (value === ELLIPSIS ? "ellipsis" : "object") : names[found]);
}
