// The interpreter's own values: what a reader's `def`, `property` and `super()` make.
import { namesOf } from "./names.js";
import { Native, PyClass } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./machine.js").Machine} Machine */
/** @typedef {Record<string, Value>} Kwargs */

/** A namespace in which code runs. */
export class Scope {
  /**
   * @param {"module" | "function" | "class" | "comprehension"} kind
   * @param {Scope | null} outer what encloses it, without classes
   * @param {{ locals: Set<string>, globals: Set<string> } | null} [names]
   */
  constructor(kind, outer, names = null) {
    this.kind = kind;
    this.parent = outer;
    this.names = names;
    /** @type {Map<string, Value>} */
    this.vars = new Map();
    const { module, code, cell } = /** @type {any} */ (outer ?? { module: this, code: null, cell: null });
    /** @type {Scope} */
    this.module = module;
    /** @type {PyFunction | null} */
    this.code = code;
    /** @type {{ type: PyClass | null } | null} the class whose body this is in: for super() */
    this.cell = cell;
    this.name = "";
    /** is it of a module that the reader did not write? Then its lines are not shown. */
    this.library = Boolean(outer?.library);
    /** @type {Map<string, Node>} the annotated names of a class, for dataclasses */
    this.annotations = new Map();
  }

  /** The scope that functions and comprehensions inside this one see. */
  get enclosing() {
    return this.kind === "class" ? this.parent : this;
  }
}

export class PyFunction {
  /**
   * @param {Node} node
   * @param {Scope} scope where it is defined
   * @param {Map<string, Value>} defaults
   */
  constructor(node, scope, defaults) {
    this.node = node;
    this.name = node.name;
    this.scope = /** @type {Scope} */ (scope.enclosing);
    this.cell = scope.cell;
    this.defaults = defaults;
    const outer = scope.kind === "class" ? `${scope.name}.` : scope.code ? `${scope.code.qualname}.<locals>.` : "";
    this.qualname = outer + node.name;
    this.names = namesOf(node);
    /** must a class that extends its class define it? */
    this.abstract = false;
    /** whose docstring it has */
    this.documented = node;
    /** @type {Map<string, Value>} */
    this.dict = new Map();
  }

  get typeName() {
    return "function";
  }
}

/** A built-in function: a Native that gets the whole machine, and checks how many arguments it gets. */
export class Builtin extends Native {
  /**
   * @param {string} name "len", "list.append"
   * @param {[number, number]} count how many positional arguments, without self
   * @param {(args: Value[], kwargs: Kwargs, machine: Machine) => Value} act
   * @param {string[]} [keywords]
   */
  constructor(name, count, act, keywords = []) {
    super(name.slice(name.indexOf(".") + 1), () => null);
    this.full = name;
    this.count = count;
    this.act = act;
    this.keywords = keywords;
    this.free = true;
    /** @type {PyClass | null} the class that it is a method of */
    this.owner = null;
  }

  /** Is it a method of a built-in class? */
  get isMethod() {
    return !this.free;
  }
}

/** A built-in class. */
export class BuiltinType extends PyClass {
  /**
   * @param {string} name
   * @param {PyClass[]} bases
   * @param {(args: Value[], kwargs: Kwargs, machine: Machine) => Value} [make]
   */
  constructor(name, bases, make) {
    super(name, bases);
    this.module = "builtins";
    this.make = make;
  }
}

export class Property {
  /**
   * @param {Value} getter
   * @param {Value} [setter]
   */
  constructor(getter, setter = null) {
    this.getter = getter;
    this.setter = setter;
    this.typeName = "property";
  }
}

export class StaticMethod {
  /** @param {Value} method */
  constructor(method) {
    this.method = method;
    this.typeName = "staticmethod";
  }
}

export class ClassMethod {
  /** @param {Value} method */
  constructor(method) {
    this.method = method;
    this.typeName = "classmethod";
  }
}

export class Super {
  /**
   * @param {PyClass} after
   * @param {Value} self
   */
  constructor(after, self) {
    this.after = after;
    this.self = self;
    this.typeName = "super";
  }
}

/** The views that dict.keys(), .values() and .items() give. */
export class DictView {
  /**
   * @param {"keys" | "values" | "items"} kind
   * @param {Map<Value, Value>} dict
   */
  constructor(kind, dict) {
    this.kind = kind;
    this.dict = dict;
    this.typeName = `dict_${kind}`;
  }
}

/** collections.defaultdict */
export class DefaultDict extends Map {
  /** @type {Value} what makes the value of a key that is not there */
  factory = null;
  typeName = "collections.defaultdict";
  /** is it a Counter? */
  counter = false;
}
