// The grammar of expressions, by recursive descent.
import { Problem, startsExpression } from "./cursor.js";
import { Displays } from "./displays.js";
import { numberOf } from "./literals.js";
import { assignedInside, nameOf } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */

const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
const COMPARISONS = new Set(["<", ">", "==", ">=", "<=", "!=", "in", "is", "not"]);
const CONSTANTS = { True: true, False: false, None: null };
const NOT_EQUAL = 'expression cannot contain assignment, perhaps you meant "=="?';
const INSTEAD = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
const COMMA = "invalid syntax. Perhaps you forgot a comma?";

export class Expressions extends Displays {
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
    while (COMPARISONS.has(this.token.text) && this.is(this.token.text) && (!this.is("not") || this.is("in", 1))) {
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

  /** The arguments of a call: { value, star: 0, 1 or 2, name }. */
  callArguments() {
    this.next();
    /** @type {{ value: Node, star: number, name: string | null }[]} */
    const args = [];
    while (!this.is(")")) {
      const argument = this.argument(args);
      if (argument.name && args.some(({ name }) => name === argument.name))
        this.note(`keyword argument repeated: ${argument.name}`, argument.value, 2);
      args.push(argument);
      if (!this.take(",")) break;
    }
    this.need(")");
    return args;
  }

  /** @param {{ value: Node, star: number, name: string | null }[]} before */
  argument(before) {
    const start = this.token;
    const unpacked = before.some(({ star }) => star === 2);
    if (this.is("*") || this.is("**")) {
      const star = this.next().text.length;
      if (star === 1 && unpacked) this.fail("iterable argument unpacking follows keyword argument unpacking", before[0].value);
      return { value: this.expression(), star, name: null };
    }
    if (["True", "False", "None"].some((word) => this.is(word)) && this.is("=", 1)) this.fail(`cannot assign to ${start.text}`);
    if (start.type === "name" && this.is("=", 1)) {
      this.next();
      this.next();
      const value = this.expression();
      if (this.is("for")) this.fail(INSTEAD, start);
      return { value, star: 0, name: start.text };
    }
    const value = super.named();
    if (this.is("=")) this.fail(NOT_EQUAL, value);
    if (this.is(":=")) this.fail(`cannot use assignment expressions with ${nameOf(value)}`, value);
    if (this.startsClause()) {
      const made = this.comprehension("generator", start, value, "");
      if (before.length || (this.is(",") && !this.is(")", 1))) this.fail("Generator expression must be parenthesized", value);
      return { value: made, star: 0, name: null };
    }
    if (unpacked) this.fail("positional argument follows keyword argument unpacking", this.previous);
    if (before.some(({ name }) => name))
      this.fail("positional argument follows keyword argument", this.sees("op") ? this.token : this.previous);
    return { value, star: 0, name: null };
  }

  /**
   * The parameters of a function: { name, kind, default, annotation }.
   *
   * @param {string} closing
   */
  parameters(closing) {
    /** @type {{ name: string, kind: "positional" | "plain" | "star" | "named" | "stars", default: Node | null, annotation: Node | null }[]} */
    const list = [];
    let named = false;
    while (!this.is(closing)) {
      const start = this.token;
      if (this.take("/")) {
        if (!list.length) this.fail("at least one argument must precede /", start);
        for (const one of list) one.kind = "positional";
      } else if (this.take("**")) list.push(this.parameter("stars", closing));
      else if (this.take("*")) {
        if (named) this.fail("* argument may appear only once", start);
        named = true;
        if (this.is(closing)) this.fail("named arguments must follow bare *", start);
        if (!this.is(",")) list.push(this.parameter("star", closing));
        else if (this.is(closing, 1) || this.is("**", 1)) this.fail("named arguments must follow bare *", start);
      } else {
        const one = this.parameter(named ? "named" : "plain", closing);
        if (!named && !one.default && list.at(-1)?.default) this.fail("non-default argument follows default argument", start);
        list.push(one);
      }
      const last = list.at(-1);
      if (last && list.some((one) => one !== last && one.name === last.name))
        this.note(`duplicate argument '${last.name}' in function definition`, start, 1);
      if (last?.kind === "stars" && this.is(",") && !this.is(closing, 1))
        this.fail("arguments cannot follow var-keyword argument", this.ahead(1));
      if (!this.take(",")) break;
    }
    return list;
  }

  /**
   * @param {"plain" | "star" | "named" | "stars"} kind
   * @param {string} closing
   */
  parameter(kind, closing) {
    if (this.is("(") && this.ahead(1).type === "name") {
      this.fail(`${closing === ")" ? "Function" : "Lambda expression"} parameters cannot be parenthesized`);
    }
    const name = this.name();
    const annotation = closing === ")" && this.take(":") ? this.expression() : null;
    const start = this.token;
    if (kind.startsWith("star") && this.is("="))
      this.fail(`var-${kind === "star" ? "positional" : "keyword"} argument cannot have default value`, start);
    const equals = this.take("=");
    if (equals && (this.is(closing) || this.is(","))) this.fail("expected default value expression", equals);
    const given = equals ? this.expression() : null;
    return { name, kind: /** @type {any} */ (kind), default: given, annotation };
  }
}
