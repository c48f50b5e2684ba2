// Calls and comprehensions.
import { Evaluator } from "./evaluate.js";
import { PyFunction, Scope, Super } from "./objects.js";
import { Iter, PyClass, PySet, raise, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./cursor.js").Node} Node */

export class Applier extends Evaluator {
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Call(node, scope) {
    const callee = this.evaluate(node.callee, scope);
    /** @type {Value[]} */
    const args = [];
    /** @type {Kwargs} */
    const kwargs = {};
    for (const { value, star, name } of node.args) {
      const found = this.evaluate(value, scope);
      if (name !== null) kwargs[name] = found;
      else if (star) this.unpack(callee, found, node.args.length > 1 ? -star : star, args, kwargs, node.at ?? node.line);
      else args.push(found);
    }
    this.line = node.at ?? node.line;
    if (callee === this.builtins.super) return this.superOf(args, scope);
    if (callee === this.builtins.locals || callee === this.builtins.globals || (callee === this.builtins.dir && !args.length)) {
      return this.variables(callee === this.builtins.globals ? scope.module : scope, callee);
    }
    return this.call(callee, args, kwargs);
  }

  /**
   * @param {Scope} scope
   * @param {Value} callee
   */
  variables({ vars }, callee) {
    return callee === this.builtins.dir ? [...vars.keys()].sort() : new Map(vars);
  }

  // Comes with the second script.
  /**
   * @param {Value} callee
   * @param {Value} value
   * @param {number} stars negative if it is not the only argument
   * @param {Value[]} args
   * @param {Kwargs} kwargs
   * @param {number} line
   */
  unpack(callee, value, stars, args, kwargs, line) {
    this.line = line;
    const name = () =>
      callee instanceof PyFunction ? `__main__.${callee.qualname}` : (callee.qualname ?? callee.name ?? this.repr(callee));
    if (Math.abs(stars) === 1) {
      const items = this.until("TypeError", () => this.iterator(value));
      if (!items)
        raise("TypeError", `${stars < 0 ? "Value" : `${name()}() argument`} after * must be an iterable, not ${typeName(value)}`);
      for (let one = this.step(items); one !== undefined; one = this.step(items)) args.push(one);
      return;
    }
    if (!(value instanceof Map)) raise("TypeError", `${name()}() argument after ** must be a mapping, not ${typeName(value)}`);
    for (const [key, item] of value) {
      if (typeof key !== "string") raise("TypeError", "keywords must be strings");
      if (Object.hasOwn(kwargs, key)) raise("TypeError", `${name()}() got multiple values for keyword argument '${key}'`);
      kwargs[key] = item;
    }
  }

  /**
   * @param {Value[]} args
   * @param {Scope} scope
   */
  superOf(args, scope) {
    if (args.length) return checkedSuper(args);
    let code = scope;
    while (code.kind === "comprehension" && code.parent) code = code.parent;
    const type = code.cell?.type;
    const [first] = code.code?.node.parameters ?? [];
    if (!code.code || !first) return raise("RuntimeError", "super(): no arguments");
    if (!type) return raise("RuntimeError", "super(): __class__ cell not found");
    return new Super(type, code.vars.get(first.name));
  }

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Comprehension(node, scope) {
    const inner = new Scope("comprehension", scope.enclosing);
    inner.cell = scope.cell;
    const [first] = node.clauses;
    const source = this.evaluate(first.iterable, scope);
    this.line = first.iterable.line;
    const items = this.iterator(source);
    if (node.type === "generator")
      return Object.assign(new Iter("generator", this.lazily(node, inner, items)), { name: "<genexpr>" });
    if (node.type === "dict") {
      const dict = new Map();
      for (const [key, value] of this.elements(node, inner, 0, items)) this.put(dict, key, value);
      return dict;
    }
    /** @type {Value[] | PySet} */
    const all = node.type === "list" ? [] : new PySet();
    for (const value of this.elements(node, inner, 0, items)) {
      if (Array.isArray(all)) all.push(value);
      else this.setOf([value], all);
    }
    return all;
  }

  // Comes with the second script.
  /**
   * A generator expression: its lines are those of where it is used, in between.
   *
   * @param {Node} node
   * @param {Scope} scope
   * @param {Iterator<Value>} first
   */
  *lazily(node, scope, first) {
    const elements = this.elements(node, scope, 0, first);
    for (;;) {
      const { done, value } = this.frame(scope, () => elements.next());
      if (done) return;
      yield value;
    }
  }

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   * @param {number} n which of its `for`s
   * @param {Iterator<Value>} [first] the items of the outermost one
   * @returns {Generator<Value>}
   */
  *elements(node, scope, n, first) {
    const { target, iterable, conditions } = node.clauses[n];
    const items = first ?? this.iterator(this.evaluate(iterable, scope));
    for (let one = this.step(items); one !== undefined; one = this.step(items)) {
      this.assign(target, one, scope, false);
      if (!conditions.every((/** @type {Node} */ condition) => this.truth(this.evaluate(condition, scope)))) continue;
      if (n + 1 < node.clauses.length) yield* this.elements(node, scope, n + 1);
      else if (node.type === "dict")
        yield [this.evaluate(node.element, scope), this.evaluate(/** @type {Node} */ (node.value), scope)];
      else yield this.evaluate(node.element, scope);
    }
  }

  /**
   * Gives a target its value: see assign.js.
   *
   * @param {Node} _target
   * @param {Value} _value
   * @param {Scope} _scope
   * @param {boolean} [_noted] is it an event?
   */
  assign(_target, _value, _scope, _noted) {}
}

// Comes with the second script.
/** super(type, object), as it was written before super(). */
function checkedSuper(/** @type {Value[]} */ [after, self]) {
  if (!(after instanceof PyClass)) raise("TypeError", `super() argument 1 must be a type, not ${typeName(after)}`);
  const type = self instanceof PyClass ? self : self?.type;
  if (!(type instanceof PyClass) || !type.isSubclassOf(after))
    raise("TypeError", "super(type, obj): obj must be an instance or subtype of type");
  return new Super(after, self);
}
