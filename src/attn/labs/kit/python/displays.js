// The grammar of what stands between brackets and quotes.
import { Cursor, Problem, startsExpression } from "./cursor.js";
import { lex } from "./lexer.js";
import { formattedParts, unescaped } from "./literals.js";
import { checkTarget } from "./targets.js";

/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./lexer.js").Token} Token */

const BARE_TARGET = "did you forget parentheses around the comprehension target?";

export class Displays extends Cursor {
  /** An expression, or `name := expression`. */
  named() {
    const start = this.token;
    if (start.type === "name" && this.is(":=", 1)) {
      this.next();
      this.next();
      return this.node("Named", start, { name: start.text, value: this.expression() });
    }
    return this.expression();
  }

  /** A named expression, or one with a star. */
  item() {
    const start = this.token;
    return this.take("*") ? this.node("Starred", start, { value: this.operand() }) : this.named();
  }

  /** What may stand behind a star: arithmetic, no comparison. */
  operand() {
    return this.expression();
  }

  /**
   * The other items of a display, after the first.
   *
   * @param {Node} first
   * @param {string} closing
   */
  items(first, closing) {
    const items = [first];
    while (this.take(",") && !this.is(closing)) items.push(this.item());
    if (this.is("for") && items.length > 1) this.fail(BARE_TARGET, first);
    this.need(closing);
    return items;
  }

  /** ( ... ): a group, a tuple or a generator expression. */
  group() {
    const start = this.next();
    if (this.take(")")) return this.node("Tuple", start, { items: [] });
    if (this.is("yield")) {
      const value = this.yielded();
      this.need(")");
      return value;
    }
    const first = this.item();
    if (this.startsClause()) return this.comprehension("generator", start, first, ")");
    if (this.is(",")) return this.node("Tuple", start, { items: this.items(first, ")"), parenthesized: true });
    if (first.kind === "Starred")
      this.fail(this.is(")") ? "cannot use starred expression here" : undefined, this.is(")") ? first : this.token);
    this.need(")");
    return { ...first, parenthesized: true };
  }

  list() {
    const start = this.next();
    if (this.take("]")) return this.node("List", start, { items: [] });
    const first = this.item();
    if (this.startsClause()) return this.comprehension("list", start, first, "]");
    const items = this.items(first, "]");
    return this.node("List", start, { items });
  }

  // Comes with the second script.
  dictOrSet() {
    const start = this.next();
    if (this.take("}")) return this.node("Dict", start, { keys: [], values: [] });
    if (!this.is("**")) {
      const first = this.item();
      if (!this.is(":")) {
        if (this.startsClause()) return this.comprehension("set", start, first, "}");
        const items = this.items(first, "}");
        return this.node("Set", start, { items });
      }
      this.next();
      const value = this.valueOfKey();
      if (this.startsClause()) return this.comprehension("dict", start, first, "}", value);
      return this.dict(start, [first], [value]);
    }
    return this.dict(start, [], []);
  }

  // Comes with the second script.
  /**
   * @param {Token} start
   * @param {(Node | null)[]} keys null for `**`
   * @param {Node[]} values
   */
  dict(start, keys, values) {
    if (keys.length && !this.take(",")) this.need("}");
    else {
      while (!this.is("}")) {
        if (this.take("**")) {
          keys.push(null);
          values.push(this.operand());
          if (this.startsClause()) this.fail("dict unpacking cannot be used in dict comprehension", values.at(-1));
        } else {
          this.trying = true;
          const key = this.expression();
          this.trying = false;
          keys.push(key);
          if (!this.is(":")) this.fail("':' expected after dictionary key", key);
          this.next();
          values.push(this.valueOfKey());
        }
        if (!this.take(",")) break;
      }
      this.need("}");
    }
    return this.node("Dict", start, { keys, values });
  }

  // Comes with the second script.
  valueOfKey() {
    if (this.is("}") || this.is(",")) this.fail("expression expected after dictionary key and ':'", this.previous);
    if (this.is("*")) this.fail("cannot use a starred expression in a dictionary value", this.token);
    return this.expression();
  }

  startsClause() {
    return this.is("for") || (this.is("async") && this.is("for", 1));
  }

  // Comes with the second script.
  /**
   * @param {"generator" | "list" | "set" | "dict"} type
   * @param {Token} start
   * @param {Node} element
   * @param {string} closing "" where the caller reads the bracket
   * @param {Node} [value] of a dict
   */
  comprehension(type, start, element, closing, value) {
    if (element.kind === "Starred") this.fail("iterable unpacking cannot be used in comprehension", element);
    const clauses = [];
    while (this.startsClause()) {
      if (this.is("async")) this.fail("asynchronous comprehension outside of an asynchronous function");
      this.next();
      const target = this.targets();
      this.need("in");
      const iterable = this.disjunction();
      const conditions = [];
      while (this.take("if")) conditions.push(this.disjunction());
      clauses.push({ target, iterable, conditions });
    }
    if (closing) this.need(closing);
    return this.node("Comprehension", start, { type, element, value, clauses });
  }

  /** An expression without `if ... else`. */
  disjunction() {
    return this.expression();
  }

  /** The targets of a `for`. */
  targets() {
    const start = this.token;
    const target = () => {
      const first = this.token;
      const node = this.take("*") ? this.node("Starred", first, { value: this.operand() }) : this.operand();
      checkTarget(node);
      return node;
    };
    const items = [target()];
    if (!this.is(",")) return items[0];
    while (this.take(",")) if (!this.is("in")) items.push(target());
    return this.node("Tuple", start, { items });
  }

  // Comes with the second script.
  /** @returns {Node} */
  yielded() {
    const start = this.next();
    const inner = this.around.findLast(({ kind }) => kind !== "loop");
    if (inner?.kind === "function") inner.yields = true;
    else this.note("'yield' outside function", start, 2);
    if (this.take("from")) return this.node("Yield", start, { from: true, value: this.expression() });
    const value = startsExpression(this.token) || this.is("*") ? this.expressions() : null;
    return this.node("Yield", start, { from: false, value });
  }

  /** @returns {Node} */
  expressions() {
    return this.expression();
  }

  /** Strings beside each other are one. */
  strings() {
    const start = this.token;
    const tokens = [];
    while (this.sees("string")) tokens.push(this.next());
    const bytes = tokens.filter(({ prefix }) => prefix?.includes("b"));
    if (bytes.length && bytes.length < tokens.length) this.fail("cannot mix bytes and nonbytes literals", start);
    if (bytes.length) return this.node("Absent", start, { what: "bytes" });
    const parts = tokens.flatMap((token) => this.parts(token));
    if (parts.some(({ named }) => named)) return this.node("Absent", start, { what: "\\N{...} in a string" });
    if (tokens.some(({ prefix }) => prefix?.includes("f"))) return this.node("JoinedString", start, { parts });
    return this.node("Constant", start, { literal: "string", value: parts.map(({ text }) => text).join("") });
  }

  /**
   * The parts of one string: texts and fields.
   *
   * @param {Token} token
   * @returns {any[]}
   */
  parts(token) {
    const raw = token.prefix?.includes("r");
    const plain = (/** @type {string} */ text) => {
      const { text: value, wrong, named } = raw ? { text, wrong: "", named: false } : unescaped(text);
      if (named) return { text: value, named };
      const shape = { x: "\\xXX", u: "\\uXXXX", U: "\\UXXXXXXXX", N: "\\N{...}" }[wrong];
      const from = text.indexOf(`\\${wrong}`);
      const to = from + (/^\\.[\da-f]*/i.exec(text.slice(from))?.[0].length ?? 0) - 1;
      if (wrong)
        this.fail(
          `(unicode error) 'unicodeescape' codec can't decode bytes in position ${from}-${to}: truncated ${shape} escape`,
          token,
        );
      return { text: value };
    };
    if (!token.prefix?.includes("f")) return [plain(token.text)];
    const read = (/** @type {any} */ part) => {
      if ("text" in part) return plain(part.text);
      const { code, at, shown, conversion, spec } = part;
      return { value: this.field(token, code, at), shown, conversion, spec: spec?.map(read) };
    };
    return formattedParts(token.text, (message) => this.fail(message)).map(read);
  }

  // Comes with the second script.
  /**
   * The expression in a field of an f-string.
   *
   * @param {Token} string
   * @param {string} code
   * @param {number} at where it begins in the string
   * @returns {Node}
   */
  field(string, code, at) {
    const before = string.text.slice(0, at).split("\n");
    const line = string.line + before.length - 2;
    const opening = (string.prefix?.length ?? 0) + (string.triple ? 3 : 1) - 1;
    const column = before.length > 1 ? before[before.length - 1].length - 1 : string.column + opening + at;
    const tokens = lex(`(${code})`).tokens.map((token) => ({
      ...token,
      line: token.line + line,
      endLine: token.endLine + line,
      column: token.line === 1 ? token.column + column : token.column,
      endColumn: token.endLine === 1 ? token.endColumn + column : token.endColumn,
    }));
    const inner = new /** @type {typeof Displays} */ (this.constructor)(tokens);
    inner.around = this.around;
    try {
      const value = inner.expressions();
      if (inner.token.type !== "newline") inner.fail();
      return value;
    } catch (problem) {
      if (problem instanceof Problem) problem.message = `f-string: ${problem.message}`;
      throw problem;
    }
  }
}
