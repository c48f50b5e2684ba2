// Modules of which a few names are needed: abc, contextlib, copy, warnings.
import { OBJECT } from "./exceptions.js";
import { native } from "./functions.js";
import { DefaultDict, PyFunction } from "./objects.js";
import { Foreign, Iter, Namespace, Native, NotHere, PyClass, PyObject, PySet, raise, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./evaluate.js").Evaluator} Evaluator */

const ABC_CLASS = new PyClass("ABC", [OBJECT]);
ABC_CLASS.module = "abc";

export const ABC = new Namespace("abc", {
  ABC: ABC_CLASS,
  ABCMeta: null,
  abstractmethod: native("abstractmethod", [1, 1], ([f]) => (f instanceof PyFunction ? Object.assign(f, { abstract: true }) : f)),
});

/** What a function decorated by contextmanager returns. */
class Managed extends Foreign {
  /** @param {Iter} steps */
  constructor(steps) {
    super();
    this.steps = steps;
  }

  get typeName() {
    return "_GeneratorContextManager";
  }

  /** @param {string} name */
  attribute(name) {
    const { iterator } = this.steps;
    if (name === "__enter__") {
      return new Native(name, () => {
        const { done, value } = iterator.next();
        return done ? raise("RuntimeError", "generator didn't yield") : value;
      });
    }
    if (name !== "__exit__") return super.attribute(name);
    return new Native(name, ([type, error]) => {
      if (type === null) {
        if (!iterator.next().done) raise("RuntimeError", "generator didn't stop");
        return false;
      }
      try {
        iterator.throw?.(error.error);
      } catch (problem) {
        if (problem !== error.error) throw problem;
        return false;
      }
      return true;
    });
  }
}

/** nullcontext(value) and its like. */
class Plain extends Foreign {
  /**
   * @param {Value} value
   * @param {PyClass[]} [suppressed]
   */
  constructor(value, suppressed = []) {
    super();
    this.value = value;
    this.suppressed = suppressed;
  }

  /** @param {string} name */
  attribute(name) {
    if (name === "__enter__") return new Native(name, () => this.value);
    if (name === "__exit__")
      return new Native(name, ([type]) => type !== null && this.suppressed.some((one) => type.isSubclassOf(one)));
    return super.attribute(name);
  }
}

export const CONTEXTLIB = new Namespace(
  "contextlib",
  {
    contextmanager: native("contextmanager", [1, 1], ([f]) => {
      const made = native(
        f.name ?? "manager",
        [0, Number.POSITIVE_INFINITY],
        (args, machine, kwargs) => new Managed(machine.call(f, args, kwargs)),
        ["*"],
      );
      made.free = false;
      return made;
    }),
    nullcontext: native("nullcontext", [0, 1], ([value = null]) => new Plain(value)),
    suppress: native("suppress", [0, Number.POSITIVE_INFINITY], (types) => new Plain(null, types)),
  },
  (name) => ["ExitStack", "closing", "redirect_stdout", "ContextDecorator"].includes(name),
);

/**
 * @param {Value} value
 * @param {Evaluator} machine
 * @param {Map<Value, Value>} known copies that have been made
 * @returns {Value}
 */
function deepCopy(value, machine, known) {
  machine.tick();
  if (known.has(value)) return known.get(value);
  const copy = (/** @type {Value} */ one) => deepCopy(one, machine, known);
  const keep = (/** @type {Value} */ made) => {
    known.set(value, made);
    return made;
  };
  if (value instanceof Foreign) return keep(machine.call(machine.attribute(value, "__deepcopy__"), [new Map()]));
  if (value instanceof Tuple)
    return keep(
      value.map(copy).every((one, n) => one === value[n])
        ? value
        : Object.assign(new /** @type {any} */ (value.constructor)(), value, value.map(copy)),
    );
  if (Array.isArray(value)) {
    const made = keep([]);
    for (const one of value) made.push(copy(one));
    return made;
  }
  if (value instanceof Map) {
    const made = keep(value instanceof DefaultDict ? Object.assign(new DefaultDict(), { factory: value.factory }) : new Map());
    for (const [key, one] of value) made.set(copy(key), copy(one));
    return made;
  }
  if (value instanceof PySet) return keep(machine.setOf([...value].map(copy)));
  if (!(value instanceof PyObject)) return value;
  const made = keep(new PyObject(value.type));
  for (const [name, one] of value.dict) made.dict.set(name, copy(one));
  return made;
}

/**
 * @param {Value} value
 * @param {Evaluator} machine
 */
function shallowCopy(value, machine) {
  if (value instanceof PyObject) return Object.assign(new PyObject(value.type), { dict: new Map(value.dict) });
  if (value instanceof Foreign) return machine.call(machine.attribute(value, "__copy__"));
  if (value instanceof Tuple) return value;
  return Array.isArray(value) || value instanceof Map || value instanceof PySet
    ? machine.call(machine.attribute(value, "copy"))
    : value;
}

const simpleNamespace = new PyClass("SimpleNamespace", [OBJECT]);
simpleNamespace.module = "types";
for (const made of [
  native(
    "__init__",
    [0, 0],
    ([self], _, kwargs) => {
      self.dict = new Map(Object.entries(kwargs));
      return null;
    },
    ["*"],
  ),
  native("__repr__", [0, 0], ([self], machine) => {
    return `namespace(${[...self.dict].map(([name, one]) => `${name}=${machine.repr(one)}`).join(", ")})`;
  }),
]) {
  made.free = false;
  simpleNamespace.dict.set(made.name, made);
}
export const TYPES = new Namespace("types", { SimpleNamespace: simpleNamespace }, (name) => /Type$|^MappingProxy/.test(name));

export const HTML = new Namespace("html", {
  escape: native(
    "escape",
    [1, 2],
    ([text, quote], _, { quote: named = true }) => {
      const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return (quote ?? named) ? safe.replaceAll('"', "&quot;").replaceAll("'", "&#x27;") : safe;
    },
    ["quote"],
  ),
});

export const COPY = new Namespace("copy", {
  copy: native("copy", [1, 1], ([value], machine) => shallowCopy(value, machine)),
  deepcopy: native("deepcopy", [1, 2], ([value], machine) => deepCopy(value, machine, new Map())),
});

/** A pattern of `re`: it can be made, so that modules that have one can be imported, and not be used. */
class Pattern extends Foreign {
  get typeName() {
    return "re.Pattern";
  }

  /** @param {string} name @returns {never} */
  attribute(name) {
    throw new NotHere(`re.Pattern.${name}`);
  }
}

export const RE = new Namespace("re", { compile: native("compile", [1, 2], () => new Pattern()) }, () => true);
export const RANDOM = new Namespace("random", {}, () => true);

export const WARNINGS = new Namespace("warnings", {
  catch_warnings: native("catch_warnings", [0, 0], () => new Plain(null), ["*"]),
  warn: native("warn", [1, 3], () => null, ["category", "stacklevel"]),
  filterwarnings: native("filterwarnings", [0, 5], () => null, ["*"]),
  simplefilter: native("simplefilter", [0, 4], () => null, ["*"]),
});
