// Targets: what `=`, `for`, `with`, `import` and `del` do to names, attributes and items.
import { Applier } from "./apply.js";
import { Foreign, raise, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Scope} Scope */
/** @typedef {import("./cursor.js").Node} Node */

export class Assigner extends Applier {
  /**
   * @param {Node} target
   * @param {Value} value
   * @param {Scope} scope
   * @param {boolean} [noted]
   */
  assign(target, value, scope, noted = true) {
    switch (target.kind) {
      case "Name":
        this.setName(target.id, value, scope);
        if (noted) this.note("assign", { name: target.id, value });
        return;
      case "Attribute": {
        const holder = this.evaluate(target.value, scope);
        this.line = target.at;
        this.setAttribute(holder, target.name, value);
        if (noted) this.note("assign", { name: pathOf(target), value });
        return;
      }
      case "Subscript": {
        const holder = this.evaluate(target.value, scope);
        const index = this.evaluate(target.index, scope);
        this.line = target.line;
        this.setItem(holder, index, value);
        if (noted) this.note("assign", { name: pathOf(target.value), value: holder, part: true });
        return;
      }
      case "Starred":
        this.assign(target.value, value, scope, noted);
        return;
      default:
        this.line = target.line;
        this.unpackInto(target.items, value, scope, noted);
    }
  }

  /**
   * @param {string} name
   * @param {Value} value
   * @param {Scope} scope
   */
  setName(name, value, scope) {
    const { names } = scope;
    if (!names || names.locals.has(name)) {
      scope.vars.set(name, value);
      return;
    }
    if (names.globals.has(name)) scope.module.vars.set(name, value);
    else this.holder(name, scope).vars.set(name, value);
  }

  /**
   * The scope that holds a `nonlocal` name.
   *
   * @param {string} name
   * @param {Scope} scope
   */
  holder(name, scope) {
    let one = scope.parent;
    while (one?.parent && !one.names?.locals.has(name)) one = one.parent;
    return one ?? scope;
  }

  /**
   * @param {Node[]} targets
   * @param {Value} value
   * @param {Scope} scope
   * @param {boolean} noted
   */
  unpackInto(targets, value, scope, noted) {
    const star = targets.findIndex(({ kind }) => kind === "Starred");
    const items = this.unpacked(value, star < 0 ? targets.length : Infinity);
    const least = star < 0 ? targets.length : targets.length - 1;
    if (items.length < least)
      raise("ValueError", `not enough values to unpack (expected ${star < 0 ? "" : "at least "}${least}, got ${items.length})`);
    if (star < 0 && items.length > least) raise("ValueError", `too many values to unpack (expected ${least})`);
    const more = items.length - least;
    targets.forEach((target, n) => {
      if (star < 0 || n < star) this.assign(target, items[n], scope, noted);
      else if (n === star) this.assign(target, items.slice(n, n + more), scope, noted);
      else this.assign(target, items[n + more - 1], scope, noted);
    });
  }

  /**
   * The items of a value that is unpacked, at most one more than wanted.
   *
   * @param {Value} value
   * @param {number} wanted
   */
  unpacked(value, wanted) {
    const items = [];
    const iterable =
      value instanceof Foreign ? value.items()[Symbol.iterator]() : this.until("TypeError", () => this.iterator(value));
    if (!iterable) return raise("TypeError", `cannot unpack non-iterable ${typeName(value)} object`);
    for (let one = this.step(iterable); one !== undefined; one = this.step(iterable)) {
      items.push(one);
      if (items.length > wanted) break;
    }
    return items;
  }

  // Comes with the second script.
  /**
   * @param {Node} target
   * @param {Scope} scope
   */
  delete(target, scope) {
    if (target.kind === "Name") {
      const holder = scope.names?.globals.has(target.id)
        ? scope.module
        : scope.names && !scope.names.locals.has(target.id)
          ? this.holder(target.id, scope)
          : scope;
      if (holder.vars.delete(target.id)) return;
      if (scope.kind === "function")
        raise("UnboundLocalError", `cannot access local variable '${target.id}' where it is not associated with a value`);
      raise("NameError", `name '${target.id}' is not defined`);
    } else if (target.kind === "Attribute") {
      const holder = this.evaluate(target.value, scope);
      this.line = target.at;
      this.deleteAttribute(holder, target.name);
    } else if (target.kind === "Subscript") {
      const holder = this.evaluate(target.value, scope);
      this.deleteItem(holder, this.evaluate(target.index, scope));
    } else for (const one of target.items) this.delete(one, scope);
  }
}

/**
 * "self.w" of such a target.
 *
 * @param {Node} node
 * @returns {string}
 */
export function pathOf(node) {
  if (node.kind === "Name") return node.id;
  if (node.kind === "Attribute") return `${pathOf(node.value)}.${node.name}`;
  return node.kind === "Subscript" ? `${pathOf(node.value)}[…]` : "…";
}
