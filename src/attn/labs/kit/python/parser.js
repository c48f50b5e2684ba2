// Source -> syntax tree and syntax errors.
import { Problem } from "./cursor.js";
import { lex } from "./lexer.js";
import { nameProblems } from "./names.js";
import { Statements } from "./statements.js";

/** @typedef {import("./cursor.js").Node} Node */

const MOST_ROUNDS = 20;

/**
 * Reads a program. The first error is the one that Python would report; the others are on later or earlier lines. In the tree, a
 * line that cannot be read is a Broken node.
 *
 * @param {string} source
 * @returns {{ body: Node[], errors: Problem[] }}
 */
export function parse(source) {
  const text = source.replace(/\r\n?/g, "\n");
  const whole = read(text, new Map());
  if (!whole.problems.length) return { body: whole.body, errors: [] };
  const first = whatPythonSays(whole);
  /** @type {Map<number, Problem | null>} */
  const skipped = new Map();
  const broken = [first.line];
  let round = whole;
  // A bracket or string that is never closed swallows all that follows: read again, without the line that opens it.
  for (let line = swallowing(round); line && skipped.size < MOST_ROUNDS && !skipped.has(line); line = swallowing(round)) {
    if (round === whole && first.line >= line) broken.push(line);
    skipped.set(line, broken.includes(line) ? first : (neverClosed(round.open[0]) ?? first));
    for (const more of hanging(text.split("\n"), line)) skipped.set(more, null);
    round = read(text, skipped);
  }
  const others = round.problems.filter((one) => !broken.includes(one.line));
  return { body: round.body, errors: [first, ...others] };
}

/**
 * @param {string} text
 * @param {Map<number, Problem | null>} skipped
 */
function read(text, skipped) {
  const { tokens, open } = lex(text, skipped);
  const parser = new Statements(tokens);
  /** @type {Node[]} */
  let body = [];
  try {
    body = parser.module();
    if (tokens.some(({ text, type }) => type === "keyword" && (text === "global" || text === "nonlocal")))
      parser.problems.push(...nameProblems(body));
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    const error = new Problem("too many nested parentheses", parser.token);
    parser.problems.unshift(error);
    body = [parser.node("Broken", parser.token, { problem: error })];
  }
  return { tokens, open, body, problems: parser.problems };
}

/** @typedef {ReturnType<typeof read>} Round */

/** The error that Python reports: what the lexer finds goes before what the parser does not expect, even if it comes later. */
function whatPythonSays(/** @type {Round} */ round) {
  const early = round.problems.reduce((a, b) => (b.stage < a.stage ? b : a));
  if (early.stage || early.fromLexer) return early;
  const bad = round.tokens.find((token) => token.type === "bad");
  if (bad) return new Problem(bad.text, bad, bad.error);
  const open = neverClosed(round.open.at(-1));
  return open && (early.reach.line > open.line || early.reach.type === "end") ? open : early;
}

function neverClosed(/** @type {{ text: string, line: number, column: number } | undefined} */ bracket) {
  return bracket ? new Problem(`'${bracket.text}' was never closed`, bracket) : null;
}

/** The line with a bracket or a string that swallows the lines behind it. */
function swallowing(/** @type {Round} */ { open, tokens }) {
  return open[0]?.line ?? tokens.find(({ type, text }) => type === "bad" && text.startsWith("unterminated triple"))?.line;
}

/**
 * The lines behind this one that are indented more, or begin with a closing bracket.
 *
 * @param {string[]} lines
 * @param {number} line from 1
 */
function* hanging(lines, line) {
  const width = lines[line - 1].search(/\S/);
  for (let n = line; n < lines.length && (lines[n].search(/\S/) > width || /^\s*([)\]}]|$)/.test(lines[n])); n++) yield n + 1;
}
