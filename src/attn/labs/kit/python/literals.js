// What a literal in the source stands for.
const ESCAPES = { "\n": "", "\\": "\\", "'": "'", '"': '"', a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|N\{([^}]*)\}|([\s\S]))/g;

/** The text of a string literal, with its escapes replaced; null if one of them is wrong. */
export function unescaped(/** @type {string} */ text) {
  let wrong = "";
  let named = false;
  const result = text.replaceAll("\r\n", "\n").replace(ESCAPE, (whole, octal, hex, short, long, name, char) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8));
    named ||= Boolean(name);
    const code = hex ?? short ?? long;
    if (code) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)));
    if ("xuUN".includes(char)) wrong ||= char;
    return ESCAPES[char] ?? whole;
  });
  return { text: result, wrong, named };
}

/**
 * The value of a number literal: a number for an int, { float } for a float; null if the page cannot hold it.
 *
 * @param {string} text
 * @returns {number | { float: number } | null}
 */
export function numberOf(text) {
  const plain = text.replaceAll("_", "");
  if (/^0[xob]/i.test(plain) || /^\d+$/.test(plain)) return Number.isSafeInteger(Number(plain)) ? Number(plain) : null;
  return /j$/i.test(plain) ? null : { float: Number(plain) };
}

/**
 * The parts of an f-string: texts, and fields with the place of their expression in the text.
 *
 * @typedef {{ text: string } | { code: string, at: number, shown: string, conversion: string, spec: Part[] | null }} Part
 * @param {string} text
 * @param {(message: string) => never} fail
 * @returns {Part[]}
 */
export function formattedParts(text, fail) {
  return new Fields(text, fail).parts(0);
}

class Fields {
  /**
   * @param {string} text
   * @param {(message: string) => never} fail
   */
  constructor(text, fail) {
    this.text = text;
    this.fail = fail;
    this.at = 0;
  }

  // Comes with the second script.
  /**
   * @param {number} depth how many fields are around
   * @returns {Part[]}
   */
  parts(depth) {
    const { text } = this;
    /** @type {Part[]} */
    const parts = [];
    let from = this.at;
    const plain = () => {
      if (this.at > from) parts.push({ text: text.slice(from, this.at) });
    };
    while (this.at < text.length) {
      const char = text[this.at];
      if (char === "\\" && text.startsWith("\\N{", this.at)) this.at = Math.max(this.at + 2, text.indexOf("}", this.at));
      else if (depth === 0 && (char === "{" || char === "}") && text[this.at + 1] === char) {
        this.at++;
        plain();
        this.at++;
        from = this.at;
      } else if (char === "{") {
        plain();
        this.at++;
        parts.push(this.field(depth));
        from = this.at;
      } else if (char === "}") {
        if (depth) break;
        this.fail("f-string: single '}' is not allowed");
      } else this.at++;
    }
    plain();
    return parts;
  }

  // Comes with the second script.
  /**
   * @param {number} depth
   * @returns {Part}
   */
  field(depth) {
    const { text } = this;
    if (depth >= 2) this.fail("f-string: expressions nested too deeply");
    const at = this.at;
    this.skipExpression();
    const code = text.slice(at, this.at);
    if (!code.trim()) this.fail(this.at >= text.length ? "f-string: expecting '}'" : "f-string: empty expression not allowed");
    let shown = "";
    if (text[this.at] === "=") {
      const from = this.at;
      this.at++;
      while (/\s/.test(text[this.at] ?? "")) this.at++;
      shown = code + text.slice(from, this.at);
    }
    let conversion = "";
    if (text[this.at] === "!") {
      conversion = text[this.at + 1] ?? "";
      this.at += 2;
      if (!conversion || this.at > text.length) this.fail("f-string: expecting '}'");
      if (!"sra".includes(conversion)) this.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'");
    }
    /** @type {Part[] | null} */
    let spec = null;
    if (text[this.at] === ":") {
      this.at++;
      spec = this.parts(depth + 1);
    }
    if (text[this.at] !== "}") this.fail("f-string: expecting '}'");
    this.at++;
    if (shown && !conversion && !spec) conversion = "r";
    return { code, at, shown, conversion, spec };
  }

  // Comes with the second script.
  /** Goes to the end of a field's expression. */
  skipExpression() {
    const { text } = this;
    const open = [];
    for (; this.at < text.length; this.at++) {
      const char = text[this.at];
      if (char === "\\") this.fail("f-string expression part cannot include a backslash");
      if (char === "#") this.fail("f-string expression part cannot include '#'");
      if (char === "'" || char === '"') {
        this.skipString(char);
      } else if ("([{".includes(char)) open.push(char);
      else if (char === "}" && !open.length) return;
      else if (")]}".includes(char)) {
        const opened = open.pop();
        if (!opened) this.fail(`f-string: unmatched '${char}'`);
        if ("([{".indexOf(opened) !== ")]}".indexOf(char)) {
          this.fail(`f-string: closing parenthesis '${char}' does not match opening parenthesis '${opened}'`);
        }
      } else if (!open.length && /[!=<>]/.test(char)) {
        if (text[this.at + 1] === "=") this.at++;
        else if (char === "!" || char === "=") return;
      } else if (!open.length && char === ":") return;
    }
    if (open.length) this.fail(`f-string: expecting '}'`);
  }

  // Comes with the second script.
  /** @param {string} quote */
  skipString(quote) {
    const { text } = this;
    const closing = text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const end = text.indexOf(closing, this.at + closing.length);
    if (end < 0) this.fail("f-string: unterminated string");
    if (text.slice(this.at, end).includes("\\")) this.fail("f-string expression part cannot include a backslash");
    this.at = end + closing.length - 1;
  }
}
