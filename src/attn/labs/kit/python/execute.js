// Statements with a block: a method for each kind of node. They are generators, so that a function with `yield` can stop inside them.

import { makeClass } from "./classes.js";
import { exceptionObject, isCatchable, isException } from "./exceptions.js";
import { BREAK, CONTINUE, Steps } from "./steps.js";
import { PyError, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Scope} Scope */
/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {{ value: Value }} Done what a statement returns that leaves its block */

const BLOCKS = new Set(["If", "While", "For", "With", "Try", "Yielding", "Class"]);

export class Executor extends Steps {
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
      this.reach(node.line);
      done = BLOCKS.has(node.kind) ? yield* this[node.kind](node, scope) : this[node.kind](node, scope);
      if (done) break;
    }
    this.nested -= 3;
    return done;
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

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  *While({ test, body, orelse, line }, scope) {
    for (;;) {
      this.tick();
      this.line = line;
      this.reach(line);
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
      this.reach(line);
      const one = this.step(items);
      if (one === undefined) return yield* this.block(orelse, scope);
      this.assign(target, one, scope);
      const done = yield* this.block(body, scope);
      if (done === BREAK) return undefined;
      if (done && done !== CONTINUE) return done;
    }
  }

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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
