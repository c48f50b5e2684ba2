// The grammar of statements with a block.
import { Problem, startsExpression } from "./cursor.js";
import { SimpleStatements } from "./simple.js";
import { checkTarget } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./lexer.js").Token} Token */

const COMPOUND = new Set(["if", "while", "for", "def", "class", "with", "try", "@", "async"]);

export class Statements extends SimpleStatements {
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

  // Comes with the second script.
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

  // Comes with the second script.
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

  // Comes with the second script.
  /** Does the bracket behind `with` hold items, `with (a as b, c):`? */
  bracketedItems() {
    for (let n = this.at; n < this.tokens.length; n++) {
      const { type, text, depth } = this.tokens[n];
      if (type === "op" && text === ")" && depth === (this.token.depth ?? 1) - 1) return this.tokens[n + 1].text === ":";
    }
    return false;
  }

  // Comes with the second script.
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
   * A statement that Python has and the page does not: it is skipped with its block.
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
}
