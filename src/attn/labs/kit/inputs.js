// Deterministic inputs: a number is a function of (seed, name of the tensor, row, column), the same here as in inputs.py.
// So a slider that lengthens a sentence changes no number that was there before.

const ROW_STEP = 8192; // entry (row, column) has the number row * ROW_STEP + column, so no tensor is wider than this

/**
 * A 32-bit integer, hashed so that neighbours have nothing in common ("lowbias32", Chris Wellons, public domain).
 *
 * @param {number} x
 */
function hash(x) {
  let h = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * @param {number} seed
 * @param {string} name
 */
function keyOf(seed, name) {
  let key = hash(seed + 1);
  for (const letter of name) key = hash(key ^ Number(letter.codePointAt(0)));
  return key;
}

/**
 * Standard normal numbers, one for each (row, column): row r of the result is the row with number rows[r]. Box and Muller 1958.
 *
 * @param {number} seed
 * @param {string} name
 * @param {readonly number[]} rows
 * @param {number} columns
 */
export function normal(seed, name, rows, columns) {
  const key = keyOf(seed, name);
  const out = new Float32Array(rows.length * columns);
  for (let r = 0, at = 0; r < rows.length; r++) {
    for (let c = 0; c < columns; c++, at++) {
      const first = hash(key ^ (rows[r] * ROW_STEP + c));
      const second = hash(first ^ key);
      const radius = Math.sqrt(-2 * Math.log((first + 0.5) / 4294967296));
      out[at] = radius * Math.cos((2 * Math.PI * second) / 4294967296);
    }
  }
  return out;
}

/**
 * Fill `out` with numbers of one row, from column `from` on, chosen from equally likely values, whose count is a power of two. Like
 * `normal`, but each number costs only a look-up.
 *
 * @param {number} seed
 * @param {string} name
 * @param {number} row
 * @param {ArrayLike<number>} values
 * @param {Float32Array | Float64Array | number[]} out
 * @param {number} [from]
 */
export function pick(seed, name, row, values, out, from = 0) {
  const key = keyOf(seed, name);
  const shift = Math.clz32(values.length) + 1;
  const first = row * ROW_STEP + from;
  for (let c = 0; c < out.length; c++) out[c] = values[hash(key ^ (first + c)) >>> shift];
}

/** @type {WeakMap<string[], { words: string[][], numbers: number[][], numberOf: (word: string) => number }>} */
const cache = new WeakMap();

/**
 * The words of each text, and their numbers: the order in which they first appear in the texts.
 *
 * @param {string[]} texts
 */
export function wordsOf(texts) {
  const known = cache.get(texts);
  if (known) return known;
  const words = texts.map((text) => text.split(" "));
  const order = new Map([...new Set(words.flat())].map((word, number) => [word, number]));
  const numberOf = (/** @type {string} */ word) => order.get(word) ?? 0;
  const made = { words, numbers: words.map((sentence) => sentence.map(numberOf)), numberOf };
  cache.set(texts, made);
  return made;
}

/**
 * The words of a sentence that somebody has typed: capital letters and punctuation do not matter.
 *
 * @param {string} text
 */
export const splitSentence = (text) =>
  text
    .toLowerCase()
    .split(/[\s.,;:!?]+/)
    .filter(Boolean);
