// Statements on one line: a method for each kind of node.
import { Assigner, pathOf } from "./assign.js";
import { EXCEPTIONS, errorOf, isException } from "./exceptions.js";
import { importFrom, importModule } from "./imports.js";
import { PyError, PyObject, raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Scope} Scope */
/** @typedef {import("./cursor.js").Node} Node */

export const BREAK = { value: null };
export const CONTINUE = { value: null };

export class Steps extends Assigner {
  /** @type {Record<string, import("./values.js").Namespace>} */
  modules = {};
  /** @type {Record<string, string>} the texts of modules that are written in Python */
  sources = {};

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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
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
}
