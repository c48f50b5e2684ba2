// The grammar of expressions, by recursive descent.

import { Arguments } from "./arguments.js";
import { Problem, startsExpression } from "./cursor.js";
import { numberOf } from "./literals.js";
import { assignedInside, nameOf } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */

const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
const COMPARING = new Set(["<", ">", "==", ">=", "<=", "!=", "in", "is", "not"]);
const CONSTANTS = { True: true, False: false, None: null };
const COMMA = "invalid syntax. Perhaps you forgot a comma?";

export class Expressions extends Arguments {
  /** One or more expressions with commas between them, some with a star: what may stand behind `return` or `=`. */
  expressions() {
    const start = this.token;
    const one = () => (this.is("*") ? this.item() : this.expression());
    const first = one();
    if (!this.is(",")) return first;
    const items = [first];
    while (this.take(",") && (startsExpression(this.token) || this.is("*"))) items.push(one());
    return this.node("Tuple", start, { items });
  }

  named() {
    const start = this.token;
    const value = super.named();
    if (this.is(":=")) this.fail(`cannot use assignment expressions with ${nameOf(value)}`, value);
    if (this.is("=") && value.kind !== "Named") this.assigned(value, start);
    return value;
  }

  // Comes with the second script.
  /**
   * `a = b` where only an expression may stand.
   *
   * @param {Node} left
   * @param {import("./lexer.js").Token} start
   */
  assigned(left, start) {
    const at = this.at;
    this.next();
    try {
      this.operand();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.goTo(at);
      return;
    }
    const message = this.is("=") || this.is(":=") ? "" : assignedInside(left);
    this.goTo(at);
    if (message) this.fail(message, left.kind === "Name" ? start : left);
  }

  expression() {
    const start = this.token;
    if (this.is("lambda")) return this.lambda();
    const body = this.disjunction();
    if (this.is("if")) {
      const at = this.at;
      this.next();
      const test = this.disjunction();
      if (this.take("else")) return this.node("Conditional", start, { test, body, orelse: this.nest(() => this.expression()) });
      if (!this.is(":")) this.fail("expected 'else' after 'if' expression", start);
      this.goTo(at);
    }
    if (startsExpression(this.token) && !this.trying) this.neighbours(body, start);
    return body;
  }

  // Comes with the second script.
  /**
   * Two expressions beside each other.
   *
   * @param {Node} first
   * @param {import("./lexer.js").Token} start
   */
  neighbours(first, start) {
    const legacy = first.kind === "Name" && !first.parenthesized && ["print", "exec"].includes(first.id);
    const soft = start.type === "name" && ["match", "case", "_"].includes(start.text);
    const prefixed = start.type === "name" && this.tokens[this.tokens.indexOf(start) + 1]?.type === "string";
    const at = this.at;
    const { nesting } = this;
    this.trying = true;
    try {
      if (legacy) this.expressions();
      else this.expression();
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.message === "invalid syntax" || problem.fromLexer) throw problem;
      this.goTo(at);
      this.nesting = nesting;
      return;
    } finally {
      this.trying = false;
    }
    const inside = this.previous.depth;
    if (legacy) this.fail(`Missing parentheses in call to '${first.id}'. Did you mean ${first.id}(...)?`, start);
    if (inside && !soft && !prefixed) this.fail(COMMA, start);
    this.goTo(at);
  }

  // Comes with the second script.
  lambda() {
    const start = this.next();
    const parameters = this.parameters(":");
    this.need(":");
    this.around.push({ kind: "function" });
    const body = this.nest(() => this.expression());
    this.around.pop();
    return this.node("Lambda", start, { name: "<lambda>", parameters, body: [this.node("Return", body, { value: body })] });
  }

  disjunction() {
    return this.logical("or", () => this.logical("and", () => this.inversion()));
  }

  /**
   * @param {string} operator
   * @param {() => Node} operand
   */
  logical(operator, operand) {
    const start = this.token;
    const first = operand();
    if (!this.is(operator)) return first;
    const values = [first];
    while (this.take(operator)) values.push(operand());
    return this.node("Logical", start, { operator, values });
  }

  /** @returns {Node} */
  inversion() {
    const start = this.token;
    if (!this.take("not")) return this.comparison();
    return this.node("Not", start, { operand: this.nest(() => this.inversion()) });
  }

  comparison() {
    const start = this.token;
    const left = this.operand();
    const operators = [];
    const rights = [];
    while (COMPARING.has(this.token.text) && this.is(this.token.text) && (!this.is("not") || this.is("in", 1))) {
      let operator = this.next().text;
      if (operator === "not") operator = `not ${this.next().text}`;
      if (operator === "is" && this.take("not")) operator = "is not";
      operators.push(operator);
      rights.push(this.operand());
    }
    return operators.length ? this.node("Compare", start, { left, operators, rights }) : left;
  }

  operand() {
    return this.binary(0);
  }

  /**
   * @param {number} level
   * @returns {Node}
   */
  binary(level) {
    if (level === LEVELS.length) return this.factor();
    const start = this.token;
    let left = this.binary(level + 1);
    while (this.sees("op") && LEVELS[level].includes(this.token.text)) {
      const operator = this.next().text;
      left = this.node("Binary", start, { left, operator, right: this.binary(level + 1) });
    }
    return left;
  }

  /** @returns {Node} */
  factor() {
    const start = this.token;
    const operator = ["-", "+", "~"].find((one) => this.is(one));
    if (operator) {
      this.next();
      return this.node("Unary", start, { operator, operand: this.nest(() => this.factor()) });
    }
    const left = this.primary();
    return this.take("**") ? this.node("Binary", start, { left, operator: "**", right: this.nest(() => this.factor()) }) : left;
  }

  primary() {
    const start = this.token;
    /** @type {Node} */
    let node = this.atom();
    for (;;) {
      if (this.is(".")) {
        this.next();
        const { line } = this.token;
        const name = this.name();
        node = this.node("Attribute", start, { value: node, name, at: line });
      } else if (this.is("(")) {
        const args = this.nest(() => this.callArguments());
        node = this.node("Call", start, { callee: node, args, at: node.kind === "Attribute" ? node.at : undefined });
      } else if (this.is("[")) {
        this.next();
        const index = this.nest(() => this.subscripts());
        this.need("]");
        node = this.node("Subscript", start, { value: node, index });
      } else return node;
    }
  }

  subscripts() {
    const start = this.token;
    const first = this.subscript();
    if (!this.is(",")) return first.kind === "Starred" ? this.node("Tuple", start, { items: [first] }) : first;
    const items = [first];
    while (this.take(",") && !this.is("]")) items.push(this.subscript());
    return this.node("Tuple", start, { items });
  }

  subscript() {
    const start = this.token;
    const bound = () => (this.is(":") || this.is(",") || this.is("]") ? null : this.expression());
    const lower = this.is(":") ? null : this.item();
    if (!this.take(":")) return lower ?? this.fail();
    const upper = bound();
    const step = this.take(":") ? bound() : null;
    return this.node("Slice", start, { lower, upper, step });
  }

  atom() {
    const start = this.token;
    if (start.type === "name") return this.node("Name", this.next(), { id: start.text });
    if (start.type === "string") return this.strings();
    if (start.type === "number") {
      this.next();
      const value = numberOf(start.text);
      if (value === null)
        return this.node("Absent", start, { what: /j$/i.test(start.text) ? "a complex number" : "an int beyond 2**53" });
      return this.node(
        "Constant",
        start,
        typeof value === "number" ? { literal: "number", value } : { literal: "number", float: value.float },
      );
    }
    if (this.is("(")) return this.nest(() => this.group());
    if (this.is("[")) return this.nest(() => this.list());
    if (this.is("{")) return this.nest(() => this.dictOrSet());
    if (this.take("...")) return this.node("Constant", start, { literal: "ellipsis" });
    if (start.type === "keyword" && start.text in CONSTANTS) {
      this.next();
      return this.node("Constant", start, { literal: "keyword", value: CONSTANTS[start.text] });
    }
    if (this.take("await")) {
      const inside = this.around.findLast(({ kind }) => kind !== "loop")?.kind === "function";
      this.primary();
      this.note(`'await' outside ${inside ? "async " : ""}function`, start, 2);
      return this.node("Absent", start, { what: "await" });
    }
    return this.fail();
  }
}
