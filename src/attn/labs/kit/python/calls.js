// Calls: functions of the reader and of libraries, classes, and how arguments find their parameters.
import { isException } from "./exceptions.js";
import { Items } from "./items.js";
import { Builtin, BuiltinType, ClassMethod, PyFunction, Scope, StaticMethod } from "./objects.js";
import { typeOf } from "./types.js";
import { Bound, Foreign, Iter, Native, PyClass, PyError, PyObject, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./cursor.js").Node} Node */

/** Methods that take no longer for a long text or list. */
const CHEAP = new Set(["append", "add", "get", "keys", "values", "items", "setdefault", "startswith", "endswith"]);

export class Calls extends Items {
  /**
   * @param {Value} callee
   * @param {Value[]} [args]
   * @param {Kwargs} [kwargs]
   * @returns {Value}
   */
  call(callee, args = [], kwargs = {}) {
    this.tick();
    if (callee instanceof PyFunction) return this.callFunction(callee, args, kwargs);
    if (callee instanceof Bound) return this.call(callee.method, [callee.self, ...args], kwargs);
    if (callee instanceof Builtin) return this.callBuiltin(callee, args, kwargs);
    if (callee instanceof Native) return callee.run(args, kwargs, this.callback);
    if (callee instanceof BuiltinType && callee.make) return callee.make(args, kwargs, this);
    if (callee instanceof PyClass) return this.instantiate(callee, args, kwargs);
    if (callee instanceof StaticMethod || callee instanceof ClassMethod) return this.call(callee.method, args, kwargs);
    const own = callee instanceof PyObject || callee instanceof Foreign ? this.special(callee, "__call__") : undefined;
    return own ? this.call(own, args, kwargs) : raise("TypeError", `'${typeName(callee)}' object is not callable`);
  }

  /**
   * @param {Builtin} callee
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   */
  callBuiltin({ name, full, count: [least, most], act, keywords, isMethod, owner }, args, kwargs) {
    const given = args.length - (isMethod ? 1 : 0);
    const unknown = Object.keys(kwargs).find((key) => keywords[0] !== "*" && !keywords.includes(key));
    if (unknown !== undefined)
      raise(
        "TypeError",
        keywords.length
          ? `'${unknown}' is an invalid keyword argument for ${name === "sorted" ? "sort" : name}()`
          : `${full}() takes no keyword arguments`,
      );
    if (given < 0) raise("TypeError", `unbound method ${full}() needs an argument`);
    if (owner && !typeOf(args[0]).isSubclassOf(owner)) {
      raise("TypeError", `descriptor '${name}' for '${owner.name}' objects doesn't apply to a '${typeName(args[0])}' object`);
    }
    if (given < least || given > most) {
      if (least === most && most < 2)
        raise("TypeError", `${full}() takes ${most ? "exactly one argument" : "no arguments"} (${given} given)`);
      const bound = least === most ? "" : given < least ? "at least " : "at most ";
      const number = given < least ? least : most;
      raise("TypeError", `${name} expected ${bound}${number} argument${number === 1 ? "" : "s"}, got ${given}`);
    }
    if (isMethod && !CHEAP.has(name) && !(name === "pop" && !given)) this.tick((args[0].length ?? (args[0].size ?? 0) * 8) >> 4);
    return act(args, kwargs, this);
  }

  /**
   * @param {PyClass} type
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   */
  instantiate(type, args, kwargs) {
    const maker = type.find("__new__");
    const made = maker ? this.call(maker.method ?? maker, [type, ...args], kwargs) : new PyObject(type);
    if (!(made instanceof PyObject) || !made.type.isSubclassOf(type)) return made;
    const missing = type.abstract ?? [];
    if (missing.length)
      raise(
        "TypeError",
        `Can't instantiate abstract class ${type.name} with abstract method${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`,
      );
    if (isException(type)) made.dict.set("args", Tuple.from(args));
    const start = type.find("__init__");
    if (start) {
      const result = this.call(start, [made, ...args], kwargs);
      if (result !== null && start instanceof PyFunction)
        raise("TypeError", `__init__() should return None, not '${typeName(result)}'`);
    } else if (isException(type)) {
      const [name] = Object.keys(kwargs);
      if (name) raise("TypeError", `${type.name}() takes no keyword arguments`);
    } else if (args.length || Object.keys(kwargs).length) raise("TypeError", `${type.name}() takes no arguments`);
    return made;
  }

  /**
   * @param {PyFunction} callee
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   */
  callFunction(callee, args, kwargs) {
    const { node } = callee;
    const scope = new Scope("function", callee.scope, callee.names);
    scope.code = callee;
    scope.cell = callee.cell;
    this.bind(callee, args, kwargs, scope.vars);
    if (node.yields) return Object.assign(new Iter("generator", this.resumable(scope, node)), { name: callee.qualname });
    return this.frame(scope, () => {
      if (node.kind !== "Lambda") this.noteArguments(scope, node);
      const { value } = this.block(node.body, scope).next();
      return value ? value.value : null;
    });
  }

  /**
   * Runs code with lines of its own.
   *
   * @template T
   * @param {Scope} scope
   * @param {() => T} run
   * @returns {T}
   */
  frame(scope, run) {
    const { line, statement, nested, silent } = this;
    this.silent = scope.library;
    this.enter();
    this.depth++;
    try {
      return run();
    } catch (error) {
      throw this.traced(error, scope);
    } finally {
      this.line = line;
      this.statement = statement;
      this.nested = nested;
      this.silent = silent;
      this.depth--;
    }
  }

  /**
   * An error on its way through this scope.
   *
   * @param {any} error
   * @param {Scope} scope
   */
  traced(error, scope) {
    const full = error instanceof RangeError && error.message === "Maximum call stack size exceeded";
    const seen = full ? new PyError("RecursionError", "maximum recursion depth exceeded") : error;
    this.left -= 20; // an error is slow
    if (seen instanceof PyError) {
      if (seen.noted !== scope && !scope.library) seen.lines.push(this.line);
      seen.noted = scope;
    } else if (seen instanceof Error) Object.assign(seen, { lines: [...(error.lines ?? []), this.line] });
    return seen;
  }

  // Comes with the second script.
  /**
   * @param {Scope} scope
   * @param {Node} node
   */
  *resumable(scope, node) {
    const body = this.block(node.body, scope);
    let sent = null;
    for (;;) {
      const { done, value } = this.frame(scope, () => body.next(sent));
      if (done) return value ? value.value : null;
      sent = yield value;
    }
  }

  /**
   * @param {Scope} scope
   * @param {Node} node
   */
  noteArguments(scope, node) {
    this.line = node.line;
    this.reach(node.line);
    for (const [name, value] of scope.vars) if (name !== "self") this.note("argument", { name, value });
  }

  /**
   * Gives each parameter its value.
   *
   * @param {PyFunction} callee
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   * @param {Map<string, Value>} vars
   */
  bind(callee, args, kwargs, vars) {
    const { parameters } = callee.node;
    const { defaults } = callee;
    const fail = (/** @type {string} */ message) => raise("TypeError", `${callee.qualname}() ${message}`);
    let positional = 0;
    /** @type {Kwargs | null} */
    let rest = null;
    for (const { name, kind } of parameters) {
      if (kind === "positional" || kind === "plain") {
        if (positional < args.length) vars.set(name, args[positional]);
        positional++;
      } else if (kind === "star") vars.set(name, Tuple.from(args.slice(positional)));
      else if (kind === "stars") rest = {};
    }
    for (const name in kwargs) {
      const parameter = parameters.find((/** @type {any} */ one) => one.name === name && ["plain", "named"].includes(one.kind));
      if (parameter) {
        if (vars.has(name)) fail(`got multiple values for argument '${name}'`);
        vars.set(name, kwargs[name]);
      } else if (rest) rest[name] = kwargs[name];
      else unexpected(name, parameters, kwargs, fail);
    }
    const star = parameters.some((/** @type {any} */ { kind }) => kind === "star");
    if (args.length > positional && !star) fail(tooMany(args.length, positional, callee, vars));
    /** @type {{ positional: string[], named: string[] }} */
    const missing = { positional: [], named: [] };
    for (const { name, kind } of parameters) {
      if (kind === "stars") vars.set(name, new Map(Object.entries(rest ?? {})));
      else if (!vars.has(name)) {
        if (defaults.has(name)) vars.set(name, defaults.get(name));
        else missing[kind === "named" ? "named" : "positional"].push(`'${name}'`);
      }
    }
    for (const [kind, what] of /** @type {const} */ ([
      ["positional", "positional argument"],
      ["named", "keyword-only argument"],
    ])) {
      const names = missing[kind];
      if (names.length) fail(`missing ${names.length} required ${what}${names.length > 1 ? "s" : ""}: ${quotedList(names)}`);
    }
  }

  /**
   * The statements of a block, one after the other: see execute.js.
   *
   * @param {Node[]} _body
   * @param {Scope} _scope
   * @returns {any} a generator
   */
  block(_body, _scope) {
    return [].values();
  }
}

// Comes with the second script.
/**
 * @param {string} name
 * @param {any[]} parameters
 * @param {Kwargs} kwargs
 * @param {(message: string) => never} fail
 */
function unexpected(name, parameters, kwargs, fail) {
  const positional = parameters.filter((one) => one.kind === "positional" && one.name in kwargs).map((one) => one.name);
  if (positional.length) fail(`got some positional-only arguments passed as keyword arguments: '${positional.join(", ")}'`);
  fail(`got an unexpected keyword argument '${name}'`);
}

// Comes with the second script.
/**
 * @param {number} given
 * @param {number} most
 * @param {PyFunction} callee
 * @param {Map<string, Value>} vars
 */
function tooMany(given, most, { node, defaults }, vars) {
  const plain = node.parameters.filter((/** @type {any} */ { kind }) => kind === "plain" || kind === "positional");
  const least = plain.filter((/** @type {any} */ { name }) => !defaults.has(name)).length;
  const named = node.parameters.filter((/** @type {any} */ { kind, name }) => kind === "named" && vars.has(name)).length;
  const takes = least < most ? `from ${least} to ${most}` : `${most}`;
  const also = named
    ? ` positional argument${given === 1 ? "" : "s"} (and ${named} keyword-only argument${named === 1 ? "" : "s"}) were`
    : given === 1
      ? " was"
      : " were";
  return `takes ${takes} positional argument${takes === "1" ? "" : "s"} but ${given}${also} given`;
}

function quotedList(/** @type {string[]} */ names) {
  if (names.length < 3) return names.join(" and ");
  return `${names.slice(0, -1).join(", ")}, and ${names.at(-1)}`;
}
