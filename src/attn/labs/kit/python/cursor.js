// Where the parser is among the tokens, and what it says when it cannot go on.

/** @typedef {import("./lexer.js").Token} Token */

/** How deep expressions may be nested: less than what fills the stack. */
const MOST_NESTED = 100;

/** @typedef {{ line: number, column: number, endLine?: number, endColumn?: number }} Place */

/**
 * A node of the syntax tree. The kinds and their fields are those of Python's `ast`, with plainer names: they are made in
 * expressions.js and statements.js.
 *
 * @typedef {Place & { kind: string, [field: string]: any }} Node
 */

/** A syntax error. */
export class Problem extends Error {
  /**
   * @param {string} message
   * @param {Place} place
   * @param {string} [type]
   * @param {number} [stage] Python looks for errors of a later stage only if there is none of an earlier one
   */
  constructor(message, place, type = "SyntaxError", stage = 0) {
    super(message);
    this.type = type;
    this.line = place.line;
    this.column = place.column;
    this.endColumn = place.endLine === place.line ? place.endColumn : undefined;
    this.stage = stage;
    this.fromLexer = false;
    /** @type {{ line: number, type?: string }} the last token that was looked at */
    this.reach = place;
  }
}

export class Cursor {
  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
    /** @type {Problem[]} */
    this.problems = [];
    /** @type {{ kind: "module" | "function" | "class" | "loop", yields?: boolean }[]} what encloses the statement */
    this.around = [];
    this.nesting = 0;
    /** while it looks whether an expression follows another */
    this.trying = false;
  }

  get token() {
    return this.tokens[this.at];
  }

  get previous() {
    return this.tokens[this.at - 1] ?? this.token;
  }

  /** @param {number} n */
  ahead(n) {
    return this.tokens[Math.min(this.at + n, this.tokens.length - 1)];
  }

  /**
   * Is the token this operator or keyword?
   *
   * @param {string} text
   * @param {number} [n]
   */
  is(text, n = 0) {
    const token = this.ahead(n);
    return token.text === text && (token.type === "op" || token.type === "keyword");
  }

  /**
   * @param {Token["type"]} type
   */
  sees(type) {
    return this.token.type === type;
  }

  /** @param {number} at */
  goTo(at) {
    this.at = at;
  }

  next() {
    const { token } = this;
    if (token.type !== "end") this.at++;
    return token;
  }

  /** @param {string} text */
  take(text) {
    return this.is(text) ? this.next() : null;
  }

  /**
   * @param {string} text
   * @param {string} [message]
   */
  need(text, message) {
    return this.take(text) ?? this.fail(message);
  }

  /** @returns {string} */
  name() {
    return this.token.type === "name" ? this.next().text : this.fail();
  }

  /**
   * @param {string} [message]
   * @param {Place} [place]
   * @returns {never}
   */
  fail(message = "invalid syntax", place = this.token) {
    const { token } = this;
    if (token.type === "bad") {
      const problem = new Problem(token.text, token, token.error);
      problem.fromLexer = true;
      throw problem;
    }
    if (message === "invalid syntax" && place === token && token.type === "indent")
      throw new Problem("unexpected indent", token, "IndentationError");
    const problem = new Problem(message, place);
    problem.reach = token;
    throw problem;
  }

  /**
   * Reads a part of an expression that may be nested in itself.
   *
   * @template T
   * @param {() => T} read
   * @returns {T}
   */
  nest(read) {
    if (this.nesting >= MOST_NESTED) this.fail("too many nested parentheses");
    this.nesting++;
    const made = read();
    this.nesting--;
    return made;
  }

  /**
   * Notes an error that does not hinder reading on. Python looks for it after everything has been read.
   *
   * @param {string} message
   * @param {Place} place
   * @param {number} stage
   */
  note(message, place, stage) {
    this.problems.push(new Problem(message, place, "SyntaxError", stage));
  }

  /**
   * @param {string} kind
   * @param {Place} start
   * @param {Record<string, any>} [fields]
   * @returns {Node}
   */
  node(kind, start, fields) {
    const { endLine, endColumn } = this.previous;
    return { kind, line: start.line, column: start.column, endLine, endColumn, ...fields };
  }

  /**
   * An expression: the grammar is in expressions.js, and displays.js needs it.
   *
   * @returns {Node}
   */
  expression() {
    return this.fail();
  }
}

/** Can an expression begin with this token? */
export function startsExpression(/** @type {Token} */ token) {
  if (token.type === "keyword") return ["True", "False", "None", "not", "lambda", "await"].includes(token.text);
  if (token.type === "op") return ["(", "[", "{", "-", "+", "~", "..."].includes(token.text);
  return ["name", "number", "string"].includes(token.type);
}
