// Python source -> tokens. What cannot be read becomes a token of type "bad" with Python's own sentence, and reading goes on.

/**
 * @typedef {object} Token
 * @property {"name" | "keyword" | "number" | "string" | "op" | "newline" | "indent" | "dedent" | "bad" | "end"} type
 * @property {string} text a string's text is what stands between its quotes
 * @property {number} line
 * @property {number} column from 0
 * @property {number} endLine
 * @property {number} endColumn
 * @property {string} [prefix] of a string: "", "r", "f", ...
 * @property {boolean} [triple] has the string three quotes?
 * @property {string} [error] the type of exception of a bad token
 * @property {number} [depth] how many brackets are open after it
 */

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const OPERATORS = /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|[-+*/%@&|^<>=]=|\*\*|\/\/|<<|>>|[-+*/%@&|^~<>()[\]{},:.;=]/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Nd}_]*/uy;
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?[jJ]?/y;
const STRING = /([rRbBfFuU]{0,2})("""|'''|["'“”„‘’])/y;
const CLOSING = { "(": ")", "[": "]", "{": "}" };
const OPENING = { ")": "(", "]": "[", "}": "{" };
const MOST_OPEN = 200;
const MOST_INDENTED = 100;

/**
 * @param {string} source
 * @param {Map<number, { message: string } | null>} [skipped] lines that are known to be broken; null: as if they were empty
 */
export function lex(source, skipped = new Map()) {
  return new Lexer(source, skipped).read();
}

class Lexer {
  /**
   * @param {string} source
   * @param {Map<number, { message: string } | null>} skipped
   */
  constructor(source, skipped) {
    this.source = source;
    this.skipped = skipped;
    /** @type {Token[]} */
    this.tokens = [];
    /** @type {{ text: string, line: number, column: number }[]} the brackets that are open */
    this.open = [];
    /** widths of the blocks' indentation, with tabs as 8 blanks and as 1 */
    this.indents = [[0, 0]];
    this.at = 0;
    this.line = 1;
    this.lineStart = 0;
  }

  read() {
    const { source } = this;
    let fresh = true;
    while (this.at < source.length) {
      if (fresh) {
        fresh = false;
        if (this.skipped.has(this.line)) {
          this.skipLine();
          fresh = true;
          continue;
        }
        if (this.indentation()) {
          fresh = true;
          continue;
        }
      }
      const char = source[this.at];
      if (char === "\n") {
        if (!this.open.length) {
          this.push("newline", 1);
          fresh = true;
        }
        this.nextLine(this.at + 1);
      } else if (/[ \t\r\f\u00a0\ufeff]/.test(char)) this.at++;
      else if (char === "#") this.at = this.endOfLine();
      else if (char === "\\") this.continuation();
      else this.token();
    }
    if (this.tokens.length && !this.sees("newline", "dedent") && !this.open.length) this.push("newline", 0);
    const line = source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
    if (!this.open.length) for (; this.indents.length > 1; this.indents.pop()) this.push("dedent", 0, { line });
    this.push("end", 0, { line });
    return { tokens: this.tokens, open: this.open };
  }

  /**
   * Is the last token of one of these types?
   *
   * @param {...Token["type"]} types
   */
  sees(...types) {
    return types.includes(this.tokens[this.tokens.length - 1].type);
  }

  /**
   * @param {Token["type"]} type
   * @param {number} length
   * @param {Partial<Token>} [more]
   */
  push(type, length, more) {
    const column = this.at - this.lineStart;
    const text = this.source.slice(this.at, this.at + length);
    const { line } = this;
    this.tokens.push({ type, text, line, column, endLine: line, endColumn: column + length, depth: this.open.length, ...more });
  }

  /**
   * @param {string} text
   * @param {string} [error]
   * @param {Partial<Token>} [more]
   */
  bad(text, error = "SyntaxError", more) {
    this.push("bad", 1, { text, error, ...more });
  }

  /** @param {number} at where the next line begins */
  nextLine(at) {
    this.at = at;
    this.line++;
    this.lineStart = at;
  }

  endOfLine() {
    const end = this.source.indexOf("\n", this.at);
    return end < 0 ? this.source.length : end;
  }

  skipLine() {
    const end = this.endOfLine();
    const problem = this.skipped.get(this.line);
    if (problem) {
      this.indentation();
      this.bad(problem.message);
      this.at = end;
      this.push("newline", 1);
    }
    this.nextLine(end + 1);
  }

  /** Reads the blanks at the start of a line. Returns whether there is nothing else on it. */
  indentation() {
    const { source, indents } = this;
    let width = 0;
    let narrow = 0;
    for (; /[ \t\f\u00a0\ufeff]/.test(source[this.at] ?? ""); this.at++) {
      width = source[this.at] === "\t" ? width + 8 - (width % 8) : width + 1;
      narrow++;
    }
    if (this.at >= source.length || /[\n\r#]/.test(source[this.at])) {
      this.nextLine(Math.min(source.length, this.endOfLine() + 1));
      return true;
    }
    if (width > indents[indents.length - 1][0]) {
      if (narrow <= indents[indents.length - 1][1]) this.mixed();
      if (indents.length > MOST_INDENTED) this.bad("too many levels of indentation", "IndentationError");
      indents.push([width, narrow]);
      this.push("indent", 0);
    }
    while (width < indents[indents.length - 1][0]) {
      indents.pop();
      this.push("dedent", 0);
      if (width > indents[indents.length - 1][0]) {
        this.bad("unindent does not match any outer indentation level", "IndentationError");
        indents.push([width, narrow]);
      }
    }
    if (narrow !== indents[indents.length - 1][1] && width === indents[indents.length - 1][0]) this.mixed();
    return false;
  }

  mixed() {
    this.bad("inconsistent use of tabs and spaces in indentation", "TabError");
  }

  continuation() {
    const found = /^\\[ \t]*\r?\n/.exec(this.source.slice(this.at, this.at + 80));
    if (found && found[0].replace("\r", "").length === 2) {
      if (this.at + found[0].length >= this.source.length) this.bad("unexpected EOF while parsing");
      this.nextLine(this.at + found[0].length);
    } else {
      this.bad(
        this.at + 1 >= this.source.length
          ? "unexpected EOF while parsing"
          : "unexpected character after line continuation character",
      );
      this.at = this.endOfLine();
    }
  }

  token() {
    const { source, at } = this;
    const string = match(STRING, source, at);
    if (string) return this.string(string[1], string[2]);
    const number = match(NUMBER, source, at);
    if (number) return this.number(number[0]);
    const name = match(NAME, source, at);
    if (name) {
      this.push(KEYWORDS.has(name[0]) ? "keyword" : "name", name[0].length);
      this.at += name[0].length;
      return;
    }
    const operator = match(OPERATORS, source, at);
    if (operator) return this.operator(operator[0]);
    const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    if (/[!$?`]/.test(char)) this.bad("invalid syntax");
    else if (/[\p{C}\p{Z}]/u.test(char)) this.bad(`invalid non-printable character U+${code}`);
    else this.bad(`invalid character '${char}' (U+${code})`);
    this.at += char.length;
  }

  /** @param {string} text */
  operator(text) {
    if (text in CLOSING) {
      this.open.push({ text, line: this.line, column: this.at - this.lineStart });
      if (this.open.length > MOST_OPEN) this.bad("too many nested parentheses");
    } else if (text in OPENING) {
      const opened = this.open.pop();
      if (opened?.text !== OPENING[text]) {
        const where = opened && opened.line !== this.line ? ` on line ${opened.line}` : "";
        this.bad(
          opened
            ? `closing parenthesis '${text}' does not match opening parenthesis '${opened.text}'${where}`
            : `unmatched '${text}'`,
        );
        this.at++;
        return;
      }
    }
    this.push("op", text.length);
    this.at += text.length;
  }

  /** @param {string} text */
  number(text) {
    const after = this.source.slice(this.at + text.length, this.at + text.length + 3);
    const wrong = wrongNumber(text, after);
    if (wrong) {
      this.bad(wrong);
      this.at += text.length + (/^\w+/.exec(this.source.slice(this.at + text.length))?.[0].length ?? 0);
    } else {
      this.push("number", text.length);
      this.at += text.length;
    }
  }

  /**
   * @param {string} prefix
   * @param {string} quote
   */
  string(prefix, quote) {
    const { source, line, at, lineStart } = this;
    const start = at + prefix.length + quote.length;
    const triple = quote.length === 3;
    const closing = triple ? quote : /["“”„]/.test(quote) ? (quote === '"' ? '"' : '"“”') : quote === "'" ? "'" : "'‘’";
    let end = start;
    const closed = () => (triple ? source.startsWith(closing, end) : closing.includes(source[end]));
    while (end < source.length && !closed() && (triple || source[end] !== "\n")) end += source[end] === "\\" ? 2 : 1;
    if (end >= source.length || !closed()) {
      const rest = source.slice(start, end).split("\n");
      const last = line + rest.length - (triple && rest.length > 1 && rest.at(-1) === "" ? 2 : 1);
      this.bad(`unterminated ${triple ? "triple-quoted " : ""}string literal (detected at line ${triple ? last : line})`);
      this.at = this.endOfLine();
      return;
    }
    const text = source.slice(start, end);
    const lines = text.split("\n").length - 1;
    const after = end + quote.length;
    const endStart = lines ? source.lastIndexOf("\n", end - 1) + 1 : lineStart;
    const place = { text, prefix: prefix.toLowerCase(), triple, endLine: line + lines, endColumn: after - endStart };
    this.push("string", 0, place);
    this.line += lines;
    this.lineStart = endStart;
    this.at = after;
  }
}

/**
 * @param {RegExp} pattern sticky
 * @param {string} source
 * @param {number} at
 */
function match(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/**
 * @param {string} text of a number
 * @param {string} after what follows it
 */
function wrongNumber(text, after) {
  const kind = { x: "hexadecimal", o: "octal", b: "binary" }[(text + after)[1]?.toLowerCase()];
  if (text[0] === "0" && kind && (text.length > 1 || /^[xob]/i.test(after))) {
    const digit = /^_?(\d)/.exec(text.length > 1 ? after : after.slice(1));
    if (digit && kind !== "hexadecimal") return `invalid digit '${digit[1]}' in ${kind} literal`;
    return text.length === 1 || /^[\p{L}_]/u.test(after) ? `invalid ${kind} literal` : "";
  }
  if (/^0[\d_]*[1-9]/.test(text) && !/[.eEjJ]/.test(text))
    return "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers";
  if (!/^[\p{L}_]/u.test(after) || /^(?:and|els|for|if|in|is|not|or)/.test(after)) return "";
  return /[jJ]$/.test(text) ? "invalid imaginary literal" : "invalid decimal literal";
}
