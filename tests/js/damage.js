// Half-typed and damaged programs, made from the snippets by a seed.
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../snippets/", import.meta.url);

export const programs = readdirSync(FOLDER).flatMap((name) =>
  readFileSync(new URL(name, FOLDER), "utf8")
    .split(/^### .+\n/m)
    .slice(1),
);

/**
 * Random whole numbers below n, always the same ones for a seed.
 *
 * @param {number} seed
 */
export function dice(seed) {
  let state = seed;
  return (/** @type {number} */ n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

const TYPED = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ":",
  ",",
  ".",
  "=",
  "'",
  '"',
  "\\",
  "\n",
  "    ",
  "\t",
  "*",
  "-",
  "@",
  "#",
  "é",
  "“",
  "0",
  "e9",
  " in ",
];
const NUMBERS = [
  "0",
  "-1",
  "1",
  "3",
  "65536",
  "999999999",
  "1e308",
  "10**9",
  "2**70",
  "-7",
  "0.5",
  "None",
  "True",
  "''",
  "[]",
  "float('nan')",
];
const LINES = [
  "while True: pass",
  "x = x",
  "def f(x): return f(x)",
  "del x",
  "x += x",
  "for i in range(10**12): pass",
  "print(x)",
  "x = [x, x]",
];

/** Each makes a damaged program of a program and dice. */
export const damages = {
  truncated: (code, roll) => code.slice(0, roll(code.length + 1)),
  characterGone: (code, roll) => cut(code, roll(code.length), 1, ""),
  severalGone: (code, roll) => cut(code, roll(code.length), 1 + roll(30), ""),
  characterTyped: (code, roll) => cut(code, roll(code.length), 0, TYPED[roll(TYPED.length)]),
  bracketDoubled: (code, roll) => one(code, /[()[\]{}'"]/g, roll, (bracket) => bracket + bracket),
  bracketGone: (code, roll) => one(code, /[()[\]{}]/g, roll, () => ""),
  numberChanged: (code, roll) => one(code, /\b\d+\b/g, roll, () => NUMBERS[roll(NUMBERS.length)]),
  nameChanged: (code, roll) => one(code, /\b[a-z_]\w*\b/g, roll, () => code.match(/\b[a-z_]\w*\b/gi)?.[roll(20)] ?? "x"),
  linesSwapped: (code, roll) => rows(code, roll, (lines, at, other) => ([lines[at], lines[other]] = [lines[other], lines[at]])),
  lineGone: (code, roll) => rows(code, roll, (lines, at) => lines.splice(at, 1)),
  lineTwice: (code, roll) => rows(code, roll, (lines, at) => lines.splice(at, 0, lines[at])),
  lineOfAnother: (code, roll) => rows(code, roll, (lines, at) => lines.splice(at, 0, strange(roll))),
  dedented: (code, roll) => rows(code, roll, (lines, at) => (lines[at] = lines[at].replace(/^ {1,4}/, ""))),
  indented: (code, roll) => rows(code, roll, (lines, at) => (lines[at] = `  ${lines[at]}`)),
  typedTwice: (code) => code + code,
};

const cut = (code, at, count, text) => code.slice(0, at) + text + code.slice(at + count);

function one(code, pattern, roll, replacement) {
  const found = [...code.matchAll(pattern)];
  if (found.length === 0) return code;
  const { 0: text, index } = found[roll(found.length)];
  return cut(code, index, text.length, replacement(text));
}

function rows(code, roll, change) {
  const lines = code.split("\n");
  change(lines, roll(lines.length), roll(lines.length));
  return lines.join("\n");
}

function strange(roll) {
  if (roll(3) === 0) return LINES[roll(LINES.length)];
  const lines = programs[roll(programs.length)].split("\n");
  return lines[roll(lines.length)];
}

/**
 * Programs with one to three damages each.
 *
 * @param {number} count
 * @param {number} seed
 */
export function* damaged(count, seed) {
  const roll = dice(seed);
  const kinds = Object.values(damages);
  for (let n = 0; n < count; n++) {
    let code = programs[roll(programs.length)];
    for (let times = roll(3); times >= 0; times--) code = kinds[roll(kinds.length)](code, roll);
    yield code;
  }
}
