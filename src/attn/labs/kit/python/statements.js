// The grammar of statements.
import { Problem, startsExpression } from "./cursor.js";
import { Expressions } from "./expressions.js";
import { assignedInside, checkTarget, nameOf, wrongTarget } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./lexer.js").Token} Token */

const AUGMENTED = new Set(["+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="]);
const COMPOUND = new Set(["if", "while", "for", "def", "class", "with", "try", "@", "async"]);

export class Statements extends Expressions {
  /** The statements up to the end. A line that cannot be read becomes a Broken node, and reading goes on with the next. */
  module() {
    const body = [];
    this.around.push({ kind: "module" });
    while (!this.sees("end")) body.push(...this.statement());
    return body;
  }

  /** @returns {Node[]} */
  statement() {
    const start = this.at;
    const { length } = this.around;
    try {
      if (this.sees("indent")) this.fail("invalid syntax");
      return COMPOUND.has(this.token.text) && this.is(this.token.text) ? [this.compound()] : (this.soft() ?? this.simple());
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.around.length = length;
      this.trying = false;
      this.nesting = 0;
      this.problems.push(problem);
      const { line, column } = this.tokens[start];
      return [this.node("Broken", { line, column }, { problem }), ...this.recover(start)];
    }
  }

  /**
   * Goes behind a broken line, and behind the block that hangs on it. Returns the statements of a block that is only indented wrongly.
   *
   * @param {number} start
   * @returns {Node[]}
   */
  recover(start) {
    if (this.tokens[start].type === "indent") {
      this.goTo(start + 1);
      return this.indented();
    }
    while (this.at > start && this.previous.type === "newline") this.goTo(this.at - 1);
    while (!this.sees("newline") && !this.sees("end")) this.next();
    if (this.sees("newline")) this.next();
    if (this.sees("indent")) {
      for (let depth = 0; !this.sees("end"); ) {
        const { type } = this.next();
        depth += type === "indent" ? 1 : type === "dedent" ? -1 : 0;
        if (!depth) break;
      }
    }
    if (this.at === start) this.next();
    return [];
  }

  indented() {
    const body = [];
    while (!this.sees("dedent") && !this.sees("end")) body.push(...this.statement());
    if (this.sees("dedent")) this.next();
    return body;
  }

  /**
   * A colon and what hangs on it.
   *
   * @param {string} what "'if' statement"
   * @param {Token} head
   * @returns {Node[]}
   */
  block(what, head) {
    const always = ["def", "for", "try", "else", "finally"].includes(head.text);
    this.need(":", always || this.sees("newline") ? "expected ':'" : undefined);
    if (!this.sees("newline")) return this.simple();
    this.next();
    if (this.sees("bad")) this.fail();
    if (!this.sees("indent"))
      throw new Problem(`expected an indented block after ${what} on line ${head.line}`, this.token, "IndentationError");
    this.next();
    return this.indented();
  }

  /**
   * @param {string} what
   * @param {Token} head
   * @param {"function" | "class" | "loop"} kind
   */
  inside(what, head, kind) {
    const around = { kind, yields: false };
    this.around.push(around);
    const body = this.block(what, head);
    this.around.pop();
    return { body, yields: around.yields };
  }

  compound() {
    const start = this.next();
    switch (start.text) {
      case "if":
        return this.conditional(start);
      case "while": {
        const test = this.named();
        const { body } = this.inside("'while' statement", start, "loop");
        return this.node("While", start, { test, body, orelse: this.otherwise() });
      }
      case "for": {
        const target = this.targets();
        this.need("in");
        const iterable = this.expressions();
        const { body } = this.inside("'for' statement", start, "loop");
        return this.node("For", start, { target, iterable, body, orelse: this.otherwise() });
      }
      case "def":
        return this.definition(start, []);
      case "class":
        return this.classDefinition(start, []);
      case "@":
        return this.decorated(start);
      case "with":
        return this.with(start);
      case "try":
        return this.attempt(start);
      default:
        return ["def", "for", "with"].some((word) => this.is(word)) ? this.absent("async") : this.fail();
    }
  }

  /**
   * @param {Token} start
   * @returns {Node}
   */
  conditional(start) {
    const test = this.named();
    const body = this.block(`'${start.text}' statement`, start);
    const head = this.token;
    const orelse = this.take("elif") ? [this.conditional(head)] : this.otherwise();
    return this.node("If", start, { test, body, orelse });
  }

  otherwise() {
    const head = this.token;
    return this.take("else") ? this.block("'else' statement", head) : [];
  }

  /** @param {Token} start */
  decorated(start) {
    const decorators = [];
    this.goTo(this.at - 1);
    while (this.take("@")) {
      decorators.push(this.named());
      if (!this.sees("newline")) this.fail();
      this.next();
    }
    const head = this.token;
    if (this.take("def")) return this.definition(head, decorators);
    if (this.take("class")) return this.classDefinition(head, decorators);
    if (this.is("async")) {
      this.next();
      return this.absent("async");
    }
    return this.fail(undefined, start === head ? start : head);
  }

  /**
   * @param {Token} start
   * @param {Node[]} decorators
   */
  definition(start, decorators) {
    const name = this.name();
    this.need("(", "expected '('");
    const parameters = this.parameters(")");
    this.need(")");
    const returns = this.take("->") ? this.expressions() : null;
    const { body, yields } = this.inside("function definition", start, "function");
    return this.node("Function", start, { name, parameters, returns, body, yields, decorators });
  }

  /**
   * @param {Token} start
   * @param {Node[]} decorators
   */
  classDefinition(start, decorators) {
    const name = this.name();
    const bases = this.is("(") ? this.callArguments() : [];
    const { body } = this.inside("class definition", start, "class");
    return this.node("Class", start, { name, bases, body, decorators });
  }

  /** @param {Token} start */
  with(start) {
    const bracket = this.is("(") && this.bracketedItems();
    if (bracket) this.next();
    /** @type {{ context: Node, target: Node | null }[]} */
    const items = [];
    do {
      if (bracket && this.is(")")) break;
      const context = this.expression();
      /** @type {Node | null} */
      let target = null;
      if (this.take("as")) {
        target = this.is("*") ? this.fail() : this.operand();
        checkTarget(target);
      }
      items.push({ context, target });
    } while (this.take(","));
    if (bracket) this.need(")");
    const body = this.block("'with' statement", start);
    return this.node("With", start, { items, body });
  }

  /** Does the bracket behind `with` hold items, `with (a as b, c):`? */
  bracketedItems() {
    for (let n = this.at; n < this.tokens.length; n++) {
      const { type, text, depth } = this.tokens[n];
      if (type === "op" && text === ")" && depth === (this.token.depth ?? 1) - 1) return this.tokens[n + 1].text === ":";
    }
    return false;
  }

  /** @param {Token} start */
  attempt(start) {
    const body = this.block("'try' statement", start);
    /** @type {{ type: Node | null, name: string | null, body: Node[], line: number }[]} */
    const handlers = [];
    while (this.is("except")) {
      const head = this.next();
      if (this.is("*")) return this.absent("except*");
      if (handlers.length && !handlers[handlers.length - 1].type)
        this.note("default 'except:' must be last", { ...head, line: handlers[handlers.length - 1].line }, 2);
      const type = this.is(":") || this.sees("newline") ? null : this.expression();
      if (type && this.is(",")) this.fail("multiple exception types must be parenthesized", type);
      const name = type && this.take("as") ? this.name() : null;
      handlers.push({ type, name, body: this.block("'except' statement", head), line: head.line });
    }
    const orelse = handlers.length ? this.otherwise() : [];
    const head = this.token;
    const final = this.take("finally") ? this.block("'finally' statement", head) : [];
    if (!handlers.length && head.text !== "finally") this.fail("expected 'except' or 'finally' block");
    return this.node("Try", start, { body, handlers, orelse, final });
  }

  /**
   * A statement that Python has and the page has not: it is skipped with its block.
   *
   * @param {string} what
   */
  absent(what) {
    const start = this.previous;
    this.recover(this.at);
    return this.node("Absent", start, { what });
  }

  /** `match`, which is a name elsewhere. */
  soft() {
    if (!this.sees("name") || this.token.text !== "match" || !(startsExpression(this.ahead(1)) || this.is("*", 1))) return null;
    let n = 1;
    while (!["newline", "end", "bad"].includes(this.ahead(n).type)) n++;
    if (this.ahead(n + 1).type !== "indent" || this.ahead(n + 2).text !== "case" || !this.is(":", n - 1)) return null;
    this.next();
    return [this.absent("match")];
  }

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
