// The sizes that a program sets, as in `B, L, H, D = 2, 5, 3, 4` or `n_head: int = 3`, so that sliders can set others.

import { lex } from "../kit/python/lexer.js";

/** @typedef {{ letter: string, value: number, from: number, to: number }} Size where its number stands in the text */

/**
 * The axis letter that a variable's name means; "" if it means none. A loop asks thousands of times.
 *
 * @param {Record<string, string>} aliases the names for each letter, with blanks between them
 * @param {string} name
 */
export const letterOf = (aliases, name) =>
  Object.keys(aliases).find((letter) => ` ${letter} ${aliases[letter]} `.includes(` ${name} `)) ?? "";

/** @type {{ code: string | null, tokens: Token[] }} */
let lastRead = { code: null, tokens: [] };

/** The tokens of a program. The editor and the sliders read the same one. @param {string} code */
export function tokensOf(code) {
  if (code !== lastRead.code) lastRead = { code, tokens: lex(code).tokens };
  return lastRead.tokens;
}

/**
 * The first place where each axis letter gets a number, by letter.
 *
 * @param {string} code
 * @param {Record<string, string>} aliases the names of variables for each axis letter
 * @returns {Map<string, Size>}
 */
export function sizesIn(code, aliases) {
  const starts = [0, ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1)];
  /** @type {Map<string, Size>} */
  const found = new Map();
  for (const { names, numbers } of assignments(tokensOf(code)))
    names.forEach((name, n) => {
      const { line, column, endColumn, text } = numbers[n];
      const letter = letterOf(aliases, name);
      const start = starts[line - 1];
      if (!letter || found.has(letter)) return;
      found.set(letter, { letter, value: Number(text.replaceAll("_", "")), from: start + column, to: start + endColumn });
    });
  return found;
}

/**
 * The program with another size.
 *
 * @param {string} code
 * @param {string} letter
 * @param {number} value
 * @param {Record<string, string>} aliases
 */
export function withSize(code, letter, value, aliases) {
  const size = sizesIn(code, aliases).get(letter);
  return size ? code.slice(0, size.from) + value + code.slice(size.to) : code;
}

/** @typedef {import("../kit/python/lexer.js").Token} Token */

/**
 * The statements that set names to whole numbers, as many as there are names.
 *
 * @param {readonly Token[]} tokens
 * @returns {{ names: string[], numbers: Token[] }[]}
 */
function assignments(tokens) {
  /** @type {Token[][]} */
  const statements = [[]];
  for (const token of tokens) {
    if (["newline", "indent", "dedent", "end"].includes(token.type) || token.text === ";") statements.push([]);
    else statements[statements.length - 1].push(token);
  }
  return statements.flatMap((statement) => {
    const equals = statement.findIndex(({ type, text }) => type === "op" && text === "=");
    if (equals < 0) return [];
    const [left, right] = [withoutType(statement.slice(0, equals)), statement.slice(equals + 1)];
    const names = listOf(left, ({ type }) => type === "name");
    const numbers = listOf(right, ({ type, text }) => type === "number" && /^\d[\d_]*$/.test(text));
    return names && numbers && names.length === numbers.length ? [{ names: names.map(({ text }) => text), numbers }] : [];
  });
}

/** `n_head: int` and `self.n_head` without what stands around the name. @param {Token[]} tokens */
function withoutType(tokens) {
  const plain = tokens[1]?.text === ":" ? tokens.slice(0, 1) : tokens;
  return plain[0]?.text === "self" && plain[1]?.text === "." ? plain.slice(2) : plain;
}

/**
 * The elements of a list with commas; null if it is another expression.
 *
 * @param {readonly Token[]} tokens
 * @param {(token: Token) => boolean} isElement
 * @returns {Token[] | null}
 */
function listOf(tokens, isElement) {
  const isList = tokens.length % 2 === 1 && tokens.every((token, n) => (n % 2 ? token.text === "," : isElement(token)));
  return isList ? tokens.filter((_, n) => n % 2 === 0) : null;
}
