// The value of an expression: a method for each kind of node.
import { Calls } from "./calls.js";
import { format } from "./format.js";
import { PyFunction, Scope } from "./objects.js";
import { noteMissing } from "./rest.js";
import { ELLIPSIS, Float, NotHere, raise, Slice, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./cursor.js").Node} Node */

export class Evaluator extends Calls {
  /** @type {Record<string, Value>} */
  builtins = {};

  /**
   * @param {Node} node
   * @param {Scope} scope
   * @returns {Value}
   */
  evaluate(node, scope) {
    this.enter(1);
    const value = this[node.kind](node, scope);
    this.nested--;
    return value;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Name(node, scope) {
    const own = scope.vars.get(node.id);
    return own === undefined ? this.outside(node, scope) : own;
  }

  /**
   * The value of a name that this scope does not hold.
   *
   * @param {Node} node
   * @param {Scope} scope
   */
  outside({ id, line }, scope) {
    this.line = line;
    const { names } = scope;
    if (names?.locals.has(id))
      raise("UnboundLocalError", `cannot access local variable '${id}' where it is not associated with a value`);
    for (let one = names?.globals.has(id) ? scope.module : scope.parent; one; one = one.parent) {
      const value = one.vars.get(id);
      if (value !== undefined) return value;
      if (one.names?.locals.has(id))
        raise("NameError", `cannot access free variable '${id}' where it is not associated with a value in enclosing scope`);
    }
    if (Object.hasOwn(this.builtins, id)) return this.builtins[id];
    noteMissing();
    return raise("NameError", `name '${id}' is not defined`);
  }

  /** @param {Node} node */
  Constant(node) {
    if (node.literal === "ellipsis") return ELLIPSIS;
    return node.float === undefined ? node.value : new Float(node.float);
  }

  /** @param {Node} node */
  Absent({ what }) {
    throw new NotHere(what);
  }

  Yield() {
    throw new NotHere("yield inside an expression");
  }

  /** @param {Node} node */
  Starred(node) {
    this.line = node.line;
    return raise("SyntaxError", "can't use starred expression here");
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  JoinedString({ parts, line }, scope) {
    const text = this.joined(parts, scope, line);
    this.room(text.length);
    return text;
  }

  // Comes with the second script.
  /**
   * @param {any[]} parts
   * @param {Scope} scope
   * @param {number} line
   * @returns {string}
   */
  joined(parts, scope, line) {
    return parts
      .map(({ text, value, shown, conversion, spec }) => {
        if (text !== undefined) return text;
        const found = this.evaluate(value, scope);
        const wanted = spec ? this.joined(spec, scope, line) : "";
        this.line = line;
        const converted = conversion ? (conversion === "s" ? this.str(found) : this.repr(found)) : found;
        return shown + format(converted, wanted, this);
      })
      .join("");
  }

  /**
   * The items of a display, with starred ones unpacked.
   *
   * @param {Node} node
   * @param {Scope} scope
   * @returns {Value[]}
   */
  items({ items }, scope) {
    const all = [];
    for (const item of items) {
      if (item.kind !== "Starred") all.push(this.evaluate(item, scope));
      else {
        const value = this.evaluate(item.value, scope);
        this.line = item.line;
        for (const one of this.array(value)) all.push(one);
      }
    }
    return all;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Tuple(node, scope) {
    return Tuple.from(this.items(node, scope));
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  List(node, scope) {
    return this.items(node, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Set(node, scope) {
    const items = this.items(node, scope);
    this.line = node.line;
    return this.setOf(items);
  }

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Dict({ keys, values, line }, scope) {
    const dict = new Map();
    keys.forEach((/** @type {Node | null} */ key, /** @type {number} */ n) => {
      if (key) {
        const name = this.evaluate(key, scope);
        const value = this.evaluate(values[n], scope);
        this.line = line;
        this.put(dict, name, value);
      } else {
        const other = this.evaluate(values[n], scope);
        this.line = line;
        if (!(other instanceof Map)) raise("TypeError", `'${typeName(other)}' object is not a mapping`);
        for (const [name, value] of other) this.put(dict, name, value);
      }
    });
    return dict;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Unary({ operator, operand, line }, scope) {
    const value = this.evaluate(operand, scope);
    this.line = line;
    return this.unary(operator, value);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Not({ operand, line }, scope) {
    const value = this.evaluate(operand, scope);
    this.line = line;
    return !this.truth(value);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Binary({ operator, left, right, line }, scope) {
    // A long sum is a deep tree: its left side is walked without nesting.
    const chain = [];
    let first = left;
    for (; first.kind === "Binary"; first = first.left) chain.push(first);
    let a = this.evaluate(first, scope);
    for (let n = chain.length - 1; n >= 0; n--) a = this.operation(chain[n], a, scope);
    return this.operation({ operator, right, line }, a, scope);
  }

  /**
   * @param {{ operator: string, right: Node, line: number }} node
   * @param {Value} a
   * @param {Scope} scope
   */
  operation({ operator, right, line }, a, scope) {
    const b = this.evaluate(right, scope);
    this.tick();
    this.line = line;
    return this.binary(operator, a, b);
  }

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Logical({ operator, values, line }, scope) {
    let value;
    for (const one of values) {
      value = this.evaluate(one, scope);
      if (one === values[values.length - 1]) break;
      this.line = line;
      if (this.truth(value) === (operator === "or")) break;
    }
    return value;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Compare({ left, operators, rights, line }, scope) {
    let a = this.evaluate(left, scope);
    let result;
    for (let n = 0; n < operators.length; n++) {
      const b = this.evaluate(rights[n], scope);
      this.line = line;
      result = this.compare(operators[n], a, b);
      if (n < operators.length - 1 && !this.truth(result)) return result;
      a = b;
    }
    return result;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Conditional({ test, body, orelse }, scope) {
    return this.evaluate(this.truth(this.evaluate(test, scope)) ? body : orelse, scope);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Lambda(node, scope) {
    return this.makeFunction(node, scope);
  }

  /**
   * @param {Node} node a Function or Lambda
   * @param {Scope} scope
   */
  makeFunction(node, scope) {
    const defaults = new Map();
    for (const { name, default: given } of node.parameters) if (given) defaults.set(name, this.evaluate(given, scope));
    return new PyFunction(node, scope, defaults);
  }

  // Comes with the second script.
  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Named({ name, value, line }, scope) {
    const found = this.evaluate(value, scope);
    let holder = scope;
    while (holder.kind === "comprehension" && holder.parent) holder = holder.parent;
    if (holder.names?.globals.has(name)) holder = holder.module;
    holder.vars.set(name, found);
    this.note("assign", { name, value: found, at: line });
    return found;
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Attribute({ value, name, at }, scope) {
    const holder = this.evaluate(value, scope);
    this.line = at;
    return this.attribute(holder, name);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Subscript({ value, index, line }, scope) {
    const holder = this.evaluate(value, scope);
    const key = this.evaluate(index, scope);
    this.line = line;
    return this.getItem(holder, key);
  }

  /**
   * @param {Node} node
   * @param {Scope} scope
   */
  Slice({ lower, upper, step }, scope) {
    const bound = (/** @type {Node | null} */ one) => (one ? this.evaluate(one, scope) : null);
    return new Slice(bound(lower), bound(upper), bound(step));
  }
}
