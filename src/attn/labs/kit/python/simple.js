import { Expressions } from "./expressions.js";
import { assignedInside, checkTarget, nameOf, wrongTarget } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./lexer.js").Token} Token */

const AUGMENTED = new Set(["+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="]);

export class SimpleStatements extends Expressions {
  /** The statements on one line. */
  simple() {
    const all = [];
    do {
      if (this.sees("newline")) break;
      all.push(this.small());
    } while (this.take(";"));
    if (!this.sees("newline")) this.fail();
    this.next();
    return all;
  }

  /** @returns {Node} */
  small() {
    const start = this.token;
    if (start.type === "keyword") {
      const made = this.keyword(start);
      if (made) return made;
    }
    const value = this.is("yield") ? this.yielded() : this.expressions();
    if (this.is("=")) return this.assignment(start, value);
    if (this.sees("op") && AUGMENTED.has(this.token.text)) {
      if (!["Name", "Attribute", "Subscript"].includes(value.kind))
        this.fail(`'${nameOf(value)}' is an illegal expression for augmented assignment`, value);
      const operator = this.next().text.slice(0, -1);
      return this.node("Augmented", start, { target: value, operator, value: this.expressions() });
    }
    if (this.is(":")) return this.annotated(start, value);
    if (value.kind === "Yield") return this.node("Yielding", start, { targets: [], from: value.from, value: value.value });
    return this.node("Expression", start, { value });
  }

  /**
   * @param {Token} start
   * @param {Node} first
   */
  assignment(start, first) {
    const targets = [first];
    while (this.take("=")) targets.push(this.is("yield") ? this.yielded() : this.expressions());
    const value = /** @type {Node} */ (targets.pop());
    if (targets.length === 1) {
      const message = this.meantEqual(first, value);
      if (message) this.fail(message, first);
    }
    for (const target of targets) {
      if (target.kind === "Yield") this.fail("assignment to yield expression not possible", target);
      checkTarget(target);
      this.stars(target);
    }
    if (value.kind === "Yield") return this.node("Yielding", start, { targets, from: value.from, value: value.value });
    return this.node("Assign", start, { targets, value });
  }

  /**
   * What Python says of `f(x) = y`: that perhaps `==` was meant.
   *
   * @param {Node} target
   * @param {Node} value
   */
  meantEqual(target, value) {
    if (!wrongTarget(target)) return "";
    const last = target.kind === "Tuple" && !target.parenthesized ? target.items[target.items.length - 1] : target;
    const first = value.kind === "Tuple" && !value.parenthesized ? value.items[0] : value;
    const arithmetic = first.parenthesized || !["Lambda", "Not", "Yield", "Starred"].includes(first.kind);
    return arithmetic ? assignedInside(last) : "";
  }

  /** @param {Node} target */
  stars(target) {
    if (target.kind === "Starred") this.note("starred assignment target must be in a list or tuple", target, 2);
    if (target.items?.filter((/** @type {Node} */ { kind }) => kind === "Starred").length > 1) {
      this.note("multiple starred expressions in assignment", target, 2);
    }
  }

  // Comes with the second script.
  /**
   * @param {Token} start
   * @param {Node} target
   */
  annotated(start, target) {
    this.next();
    const annotation = this.expression();
    const kind = { Tuple: "tuple", List: "list" }[target.kind];
    if (kind) this.fail(`only single target (not ${kind}) can be annotated`, target);
    if (!["Name", "Attribute", "Subscript"].includes(target.kind)) this.fail("illegal target for annotation", target);
    const value = this.take("=") ? this.expressions() : null;
    return this.node("Annotated", start, { target, annotation, value });
  }

  /**
   * @param {Token} start
   * @returns {Node | null}
   */
  keyword(start) {
    const done = (/** @type {string} */ kind, fields = {}) => this.node(kind, start, fields);
    switch (start.text) {
      case "pass":
        this.next();
        return done("Pass");
      case "break":
      case "continue":
        this.next();
        if (this.around.at(-1)?.kind !== "loop")
          this.note(start.text === "break" ? "'break' outside loop" : "'continue' not properly in loop", start, 2);
        return done(start.text === "break" ? "Break" : "Continue");
      case "return": {
        this.next();
        if (this.around.findLast(({ kind }) => kind !== "loop")?.kind !== "function")
          this.note("'return' outside function", start, 2);
        const value = this.ends() ? null : this.expressions();
        return done("Return", { value });
      }
      case "assert": {
        this.next();
        const test = this.expression();
        const message = this.take(",") ? this.expression() : null;
        return done("Assert", { test, message });
      }
      case "raise": {
        this.next();
        const value = this.ends() ? null : this.expression();
        const cause = value && this.take("from") ? this.expression() : null;
        return done("Raise", { value, cause });
      }
      case "del": {
        this.next();
        const target = this.expressions();
        checkTarget(target, "delete");
        return done("Delete", { targets: target.kind === "Tuple" ? target.items : [target] });
      }
      case "global":
      case "nonlocal": {
        this.next();
        const names = [this.name()];
        while (this.take(",")) names.push(this.name());
        if (start.text === "nonlocal" && this.around.every(({ kind }) => kind === "module" || kind === "loop")) {
          this.note("nonlocal declaration not allowed at module level", start, 1);
        }
        return done(start.text === "global" ? "Global" : "Nonlocal", { names });
      }
      case "import": {
        this.next();
        const names = [this.imported()];
        while (this.take(",")) names.push(this.imported());
        return done("Import", { names });
      }
      case "from":
        this.next();
        return this.importFrom(start);
      default:
        return null;
    }
  }

  ends() {
    return this.sees("newline") || this.is(";");
  }

  path() {
    let path = this.name();
    while (this.take(".")) path += `.${this.name()}`;
    return path;
  }

  imported() {
    return { path: this.path(), alias: this.take("as") ? this.name() : null };
  }

  // Comes with the second script.
  /** @param {Token} start */
  importFrom(start) {
    const dots = this.is(".") || this.is("...") ? this.next() : null;
    if (dots) while (this.is(".") || this.is("...")) this.next();
    const path = dots && this.is("import") ? "" : this.path();
    this.need("import");
    const inFunction = this.around.some(({ kind }) => kind === "function" || kind === "class");
    if (this.is("*") && inFunction) this.note("import * only allowed at module level", start, 1);
    if (this.take("*")) return this.node("ImportFrom", start, { path, names: null, relative: Boolean(dots) });
    const bracket = this.take("(");
    const names = [];
    do {
      if (bracket && this.is(")") && names.length) break;
      if (!bracket && names.length && this.sees("newline")) this.fail("trailing comma not allowed without surrounding parentheses");
      names.push({ path: this.name(), alias: this.take("as") ? this.name() : null });
    } while (this.take(","));
    if (bracket) this.need(")");
    return this.node("ImportFrom", start, { path, names, relative: Boolean(dots) });
  }
}
