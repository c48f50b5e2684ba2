// Statements: a method for each kind of node. The compound ones are generators, so that a function with `yield` can stop inside them.
import { Assigner, pathOf } from "./assign.js";
import { makeClass } from "./classes.js";
import { EXCEPTIONS, errorOf, exceptionObject, isCatchable, isException } from "./exceptions.js";
import { importFrom, importModule } from "./imports.js";
import { PyError, PyObject, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Scope} Scope */
/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {{ value: Value }} Done what a statement returns that leaves its block */

const BREAK = { value: null };
const CONTINUE = { value: null };
const COMPOUND = new Set(["If", "While", "For", "With", "Try", "Yielding", "Class"]);

export class Executor extends Assigner {
  /** @type {Record<string, import("./values.js").Namespace>} */
  modules = {};
  /** @type {Record<string, string>} the texts of modules that are written in Python */
  sources = {};

  /**
   * @param {Node[]} body
   * @param {Scope} scope
   * @returns {Generator<Value, Done | undefined, Value>}
   */
  *block(body, scope) {
    this.enter();
    let done;
    for (const node of body) {
      this.tick();
      this.line = node.line;
      this.statement = node.line;
      done = COMPOUND.has(node.kind) ? yield* this[node.kind](node, scope) : this[node.kind](node, scope);
      if (done) break;
    }
    this.nested -= 3;
    return done;
  }

  /** @param {Node} node */
  Broken({ problem }) {
    throw problem;
  }

  Pass() {}

  Break() {
    return BREAK;
  }

  Continue() {
    return CONTINUE;
  }

  Global() {}

  Nonlocal() {}

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Expression({ value }, scope) {
    const found = this.evaluate(value, scope);
    if (value.kind !== "Constant" && found !== null) this.note("value", { value: found });
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Assign({ targets, value, line }, scope) {
    const found = this.evaluate(value, scope);
    this.line = line;
    for (const target of targets) this.assign(target, found, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Annotated({ target, annotation, value, line }, scope) {
    if (scope.kind !== "function") this.checkAnnotation(annotation, scope);
    if (value) {
      const found = this.evaluate(value, scope);
      this.line = line;
      this.assign(target, found, scope);
    }
    if (scope.kind === "class" && target.kind === "Name") scope.annotations.set(target.id, annotation);
  }

  /**
   * Python evaluates type hints. The page only looks whether their names exist.
   *
   * @param {any} node
   * @param {Scope} scope
   */
  checkAnnotation(node, scope) {
    if (scope.library || !node || typeof node !== "object") return;
    if (node.kind === "Name") this.Name(node, scope);
    else for (const field in node) this.checkAnnotation(node[field], scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Augmented({ target, operator, value, line }, scope) {
    const holder = target.kind === "Name" ? null : this.evaluate(target.value, scope);
    const index = target.kind === "Subscript" ? this.evaluate(target.index, scope) : null;
    this.line = target.at ?? line;
    const old =
      target.kind === "Name"
        ? this.Name(target, scope)
        : target.kind === "Attribute"
          ? this.attribute(holder, target.name)
          : this.getItem(holder, index);
    const other = this.evaluate(value, scope);
    this.line = line;
    const found = this.augmented(operator, old, other);
    if (target.kind === "Name") this.setName(target.id, found, scope);
    else if (target.kind === "Attribute") this.setAttribute(holder, target.name, found);
    else this.setItem(holder, index, found);
    const name = pathOf(target.kind === "Subscript" ? target.value : target);
    this.note("assign", target.kind === "Subscript" ? { name, value: holder, part: true } : { name, value: found });
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Return({ value }, scope) {
    const found = value ? this.evaluate(value, scope) : null;
    if (value) this.note("return", { value: found });
    return { value: found };
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Delete({ targets }, scope) {
    for (const target of targets) this.delete(target, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Assert({ test, message }, scope) {
    if (this.truth(this.evaluate(test, scope))) return;
    const args = message ? [this.evaluate(message, scope)] : [];
    this.line = test.line;
    throw errorOf(this.call(EXCEPTIONS.AssertionError, args), this);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Raise({ value, cause, line }, scope) {
    if (!value) {
      const current = this.handled.at(-1);
      throw current ?? new PyError("RuntimeError", "No active exception to reraise");
    }
    const given = this.evaluate(value, scope);
    if (cause) {
      const from = this.evaluate(cause, scope);
      const fine = from === null || isException(from) || (from instanceof PyObject && isException(from.type));
      if (!fine) raise("TypeError", "exception causes must derive from BaseException");
    }
    this.line = line;
    const object = isException(given) ? this.call(given) : given;
    if (!(object instanceof PyObject) || !isException(object.type)) raise("TypeError", "exceptions must derive from BaseException");
    throw errorOf(object, this);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Import({ names }, scope) {
    for (const { path, alias } of names) {
      const module = importModule(path, this);
      this.setName(alias ?? path.split(".")[0], alias ? module : importModule(path.split(".")[0], this), scope);
    }
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  ImportFrom(node, scope) {
    for (const [name, value] of importFrom(node, this)) this.setName(name, value, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Function(node, scope) {
    const decorators = node.decorators.map((/** @type {Node} */ one) => this.evaluate(one, scope));
    const made = this.makeFunction(node, scope);
    for (const { annotation } of node.parameters) this.checkAnnotation(annotation, scope);
    this.checkAnnotation(node.returns, scope);
    this.setName(node.name, this.decorated(made, decorators, node), scope);
  }

  /**
   * @param {Value} made
   * @param {Value[]} decorators
   * @param {Node} node
   */
  decorated(made, decorators, node) {
    let value = made;
    for (let n = decorators.length - 1; n >= 0; n--) {
      this.line = node.decorators[n].line;
      value = this.call(decorators[n], [value]);
    }
    return value;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *Class(node, scope) {
    const decorators = node.decorators.map((/** @type {Node} */ one) => this.evaluate(one, scope));
    const made = makeClass(node, scope, this);
    this.setName(node.name, this.decorated(made, decorators, node), scope);
    yield* [];
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *If({ test, body, orelse }, scope) {
    return yield* this.block(this.truth(this.evaluate(test, scope)) ? body : orelse, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *While({ test, body, orelse, line }, scope) {
    for (;;) {
      this.tick();
      this.line = line;
      this.statement = line;
      if (!this.truth(this.evaluate(test, scope))) return yield* this.block(orelse, scope);
      const done = yield* this.block(body, scope);
      if (done === BREAK) return undefined;
      if (done && done !== CONTINUE) return done;
    }
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *For({ target, iterable, body, orelse, line }, scope) {
    const source = this.evaluate(iterable, scope);
    this.line = iterable.line;
    const items = this.iterator(source);
    for (;;) {
      this.line = iterable.line;
      this.statement = line;
      const one = this.step(items);
      if (one === undefined) return yield* this.block(orelse, scope);
      this.assign(target, one, scope);
      const done = yield* this.block(body, scope);
      if (done === BREAK) return undefined;
      if (done && done !== CONTINUE) return done;
    }
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *Yielding({ targets, from, value }, scope) {
    const found = value ? this.evaluate(value, scope) : null;
    let sent = null;
    if (from) {
      const items = this.iterator(found);
      for (let one = items.next(); ; one = items.next()) {
        this.tick();
        if (one.done) {
          sent = one.value ?? null;
          break;
        }
        yield one.value;
      }
    } else {
      this.note("value", { value: found });
      sent = yield found;
    }
    for (const target of targets) this.assign(target, sent ?? null, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *With(node, scope) {
    return yield* this.within(node, 0, scope);
  }

  /**
   * @param {Node} node
   * @param {number} n which of its items
   * @param {Scope} scope
   * @returns {Generator<Value, Done | undefined, Value>}
   */
  *within(node, n, scope) {
    if (n === node.items.length) return yield* this.block(node.body, scope);
    const { context, target } = node.items[n];
    const manager = this.evaluate(context, scope);
    this.line = context.line;
    const enter = this.special(manager, "__enter__");
    const exit = this.special(manager, "__exit__");
    if (!enter) raise("TypeError", `'${typeName(manager)}' object does not support the context manager protocol`);
    if (!exit)
      raise("TypeError", `'${typeName(manager)}' object does not support the context manager protocol (missed __exit__ method)`);
    const value = this.call(enter);
    if (target) this.assign(target, value, scope);
    let done;
    const { nested } = this;
    try {
      done = yield* this.within(node, n + 1, scope);
    } catch (problem) {
      const error = this.traced(problem, scope);
      this.nested = nested;
      if (!isCatchable(error)) throw error;
      const object = exceptionObject(error);
      this.line = context.line;
      this.handled.push(error);
      const swallowed = this.truth(this.call(exit, [object.type, object, null]));
      this.handled.pop();
      if (swallowed) return undefined;
      throw error;
    }
    this.line = context.line;
    this.call(exit, [null, null, null]);
    return done;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *Try(node, scope) {
    if (!node.final.length) return yield* this.handling(node, scope);
    let done;
    const { nested } = this;
    try {
      done = yield* this.handling(node, scope);
    } catch (problem) {
      const error = this.traced(problem, scope);
      this.nested = nested;
      if (!isCatchable(error)) throw error;
      this.handled.push(error);
      const left = yield* this.block(node.final, scope);
      this.handled.pop();
      if (left) return left;
      throw error;
    }
    return (yield* this.block(node.final, scope)) ?? done;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   * @returns {Generator<Value, Done | undefined, Value>}
   */
  *handling({ body, handlers, orelse }, scope) {
    const { nested } = this;
    let done;
    try {
      done = yield* this.block(body, scope);
    } catch (problem) {
      const error = this.traced(problem, scope);
      this.nested = nested;
      if (!isCatchable(error)) throw error;
      const handler = this.handlerOf(error, handlers, scope);
      if (!handler) throw error;
      return yield* this.handle(error, handler, scope);
    }
    return done ?? (yield* this.block(orelse, scope));
  }

  /**
   * @param {PyError} error
   * @param {any[]} handlers
   * @param {Scope} scope
   */
  handlerOf(error, handlers, scope) {
    const thrown = exceptionObject(error).type;
    return handlers.find(({ type, line }) => {
      this.line = line;
      if (!type) return true;
      const wanted = this.evaluate(type, scope);
      return (wanted instanceof Tuple ? wanted : [wanted]).some((/** @type {Value} */ one) => {
        if (!isException(one)) raise("TypeError", "catching classes that do not inherit from BaseException is not allowed");
        return thrown.isSubclassOf(one);
      });
    });
  }

  /**
   * @param {PyError} error
   * @param {any} handler
   * @param {Scope} scope
   */
  *handle(error, { name, body }, scope) {
    if (name) this.setName(name, exceptionObject(error), scope);
    this.handled.push(error);
    try {
      return yield* this.block(body, scope);
    } finally {
      this.handled.pop();
      if (name) scope.vars.delete(name);
    }
  }
}
