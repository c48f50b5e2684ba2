// The grammar of arguments and parameters.
import { Displays } from "./displays.js";
import { nameOf } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */

const NOT_EQUAL = 'expression cannot contain assignment, perhaps you meant "=="?';
const INSTEAD = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";

export class Arguments extends Displays {
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
