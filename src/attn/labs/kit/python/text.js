// What repr() and str() say.
import { exceptionText, isException } from "./exceptions.js";
import { LONGEST_TEXT, Machine } from "./machine.js";
import { Builtin, DefaultDict, DictView, PyFunction } from "./objects.js";
import {
  Bound,
  ELLIPSIS,
  Float,
  Foreign,
  Iter,
  NamedTuple,
  Namespace,
  Native,
  PyClass,
  PyObject,
  PySet,
  Range,
  raise,
  Size,
  Slice,
  Tuple,
  typeName,
} from "./values.js";

/** @typedef {import("./values.js").Value} Value */

/** A float as Python writes it: the fewest digits that give it back, with an exponent below 1e-4 and from 1e16. */
export function floatText(/** @type {number} */ value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e16) return exponent(value.toExponential());
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}

/** JavaScript's "1e-7" as Python's "1e-07". */
export function exponent(/** @type {string} */ text) {
  return text.replace(/e([-+])(\d)$/, "e$10$2");
}

// Comes with the second script.
export function quoted(/** @type {string} */ text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\n\r\t'"]|[^\P{C}\u{200d}]|[^\P{Z} ]/gu, (char) => {
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    const known = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[char];
    if (known) return known;
    const code = char.codePointAt(0) ?? 0;
    const hex = (/** @type {number} */ digits) => code.toString(16).padStart(digits, "0");
    return code < 256 ? `\\x${hex(2)}` : code < 65536 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
  });
  return quote + escaped + quote;
}

export class Texts extends Machine {
  /**
   * @param {Value} value
   * @returns {string}
   */
  repr(value) {
    if (value === null) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "number") return `${value}`;
    if (typeof value === "string") {
      this.room(value.length);
      return quoted(value);
    }
    if (value instanceof Float) return floatText(value.value);
    if (value instanceof Foreign) return value.repr(this.callback);
    if (value instanceof PyObject) return this.reprOfObject(value);
    if (value instanceof PyClass) return `<class '${this.pathOf(value)}'>`;
    this.tick();
    if (Array.isArray(value) || value instanceof Map || value instanceof PySet || value instanceof DictView)
      return this.reprOfContainer(value);
    if (value instanceof Range) return `range(${value.start}, ${value.stop}${value.step === 1 ? "" : `, ${value.step}`})`;
    if (value instanceof Slice) return `slice(${[value.start, value.stop, value.step].map((one) => this.repr(one)).join(", ")})`;
    if (value === ELLIPSIS) return "Ellipsis";
    return this.reprOfCode(value);
  }

  // Comes with the second script.
  /** @param {Value} value */
  reprOfCode(value) {
    if (value instanceof PyFunction) return `<function ${value.qualname} at 0x7f0000000000>`;
    if (value instanceof Builtin && value.isMethod) return `<method '${value.name}' of '${value.full.split(".")[0]}' objects>`;
    if (value instanceof Native) return `<built-in function ${value.name}>`;
    if (value instanceof Namespace) return `<module '${value.name}'>`;
    if (value instanceof Bound) {
      if (value.method instanceof PyFunction) return `<bound method ${value.method.qualname} of ${this.repr(value.self)}>`;
      return `<built-in method ${value.method.name} of ${typeName(value.self)} object at 0x7f0000000000>`;
    }
    if (typeof value.text === "string") return value.text;
    if (value.options)
      return value.options
        .map((/** @type {Value} */ one) => (one instanceof PyClass ? this.pathOf(one) : this.repr(one)))
        .join(" | ");
    if (value instanceof Iter && value.name) return `<generator object ${value.name} at 0x7f0000000000>`;
    return `<${typeName(value)} object at 0x7f0000000000>`;
  }

  /**
   * @param {Value} value
   * @returns {string}
   */
  reprOfContainer(value) {
    if (this.shown.has(value)) return value instanceof Tuple ? "(...)" : Array.isArray(value) ? "[...]" : "{...}";
    this.shown.add(value);
    this.enter();
    let length = 0;
    const text = (/** @type {Value} */ one) => {
      const made = this.repr(one);
      length += made.length;
      this.tick();
      if (length > LONGEST_TEXT) this.room(length);
      return made;
    };
    const list = (/** @type {Iterable<Value>} */ items) => Array.from(items, text).join(", ");
    try {
      if (value instanceof Size) return `torch.Size([${list(value)}])`;
      if (value instanceof NamedTuple) return this.reprOfNamed(value, text);
      if (value instanceof Tuple) return value.length === 1 ? `(${list(value)},)` : `(${list(value)})`;
      if (Array.isArray(value)) return `[${list(value)}]`;
      if (value instanceof DefaultDict) return this.reprOfDefaults(value, text);
      if (value instanceof Map) return `{${Array.from(value, ([key, one]) => `${text(key)}: ${text(one)}`).join(", ")}}`;
      if (value instanceof DictView) return `dict_${value.kind}([${list(viewed(value))}])`;
      const plain = value.size ? `{${list(ordered(value))}}` : "set()";
      return value.frozen ? `frozenset(${value.size ? plain : ""})` : plain;
    } finally {
      this.nested -= 3;
      this.shown.delete(value);
    }
  }

  // Comes with the second script.
  /**
   * @param {DefaultDict} value
   * @param {(one: Value) => string} text
   */
  reprOfDefaults(value, text) {
    const pairs = value.counter ? [...value].sort((a, b) => b[1] - a[1]) : [...value];
    const items = `{${pairs.map(([key, one]) => `${text(key)}: ${text(one)}`).join(", ")}}`;
    return value.counter ? `Counter(${pairs.length ? items : ""})` : `defaultdict(${text(value.factory)}, ${items})`;
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @param {(one: Value) => string} text
   */
  reprOfNamed(value, text) {
    if (value.words) return value.words;
    const parts = value.fields.map((/** @type {string} */ field, /** @type {number} */ n) => `${field}=${text(value[n])}`);
    return value.type instanceof PyClass ? `${value.type.name}(${parts.join(", ")})` : `${value.type}(\n${parts.join(",\n")})`;
  }

  /** @param {PyObject} value */
  reprOfObject(value) {
    const own = this.special(value, "__repr__");
    return own ? this.text(own, "__repr__") : this.plainRepr(value);
  }

  // Comes with the second script.
  /** @param {PyObject} value */
  plainRepr(value) {
    if (isException(value.type)) return `${value.type.name}${this.repr(value.dict.get("args")).replace(/,\)$/, ")")}`;
    return `<${this.pathOf(value.type)} object at 0x7f0000000000>`;
  }

  // Comes with the second script.
  /**
   * @param {Value} method
   * @param {string} name
   */
  text(method, name) {
    this.enter();
    const made = this.call(method);
    this.nested -= 3;
    if (typeof made !== "string") raise("TypeError", `${name} returned non-string (type ${typeName(made)})`);
    return made;
  }

  /**
   * @param {Value} value
   * @returns {string}
   */
  str(value) {
    if (typeof value === "string") return value;
    if (value instanceof Foreign) return value.str(this.callback);
    if (value instanceof PyObject) {
      const own = this.special(value, "__str__");
      if (own) return this.text(own, "__str__");
      if (isException(value.type)) return exceptionText(value, /** @type {any} */ (this));
    }
    return this.repr(value);
  }

  /**
   * A class with its module.
   *
   * @param {PyClass} type
   */
  pathOf(type) {
    const module = type.module ?? "__main__";
    return module === "builtins" ? type.name : `${module}.${type.qualname ?? type.name}`;
  }

  /** What libraries get to call values with. @type {import("./values.js").Call} */
  get callback() {
    return (callee, args, kwargs) => this.call(callee, args, kwargs);
  }
}

// Comes with the second script.
/** The items of a view of a dict. */
export function viewed(/** @type {DictView} */ { kind, dict }) {
  return kind === "keys" ? [...dict.keys()] : kind === "values" ? [...dict.values()] : Array.from(dict, (pair) => Tuple.from(pair));
}

/** The items of a set: whole numbers in their order, as small sets of Python have them. */
export function ordered(/** @type {Set<Value>} */ set) {
  const items = [...set];
  return items.every((one) => typeof one === "number" && one >= 0) ? items.sort((a, b) => a - b) : items;
}
