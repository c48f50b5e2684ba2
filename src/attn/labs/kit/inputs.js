// Deterministic inputs: a number is a function of (seed, name of the tensor, row, column), the same here as in inputs.py.
// So a slider that lengthens a sentence changes no number that was there before.

const ROWS = 8192; // a row of a tensor is numbered row * ROWS + column, so no tensor is wider than this

// A 32-bit integer scrambled so that neighbours have nothing in common ("lowbias32", Chris Wellons, public domain).
function scrambled(x) {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function keyOf(seed, name) {
  let key = scrambled(seed + 1);
  for (const letter of name) key = scrambled(key ^ letter.codePointAt(0));
  return key;
}

// Standard normal numbers, one for each (row, column): row r of the result is that of number rows[r]. Box and Muller 1958.
export function normal(seed, name, rows, columns) {
  const key = keyOf(seed, name);
  const out = new Float32Array(rows.length * columns);
  for (let r = 0, at = 0; r < rows.length; r++) {
    for (let c = 0; c < columns; c++, at++) {
      const first = scrambled(key ^ (rows[r] * ROWS + c));
      const second = scrambled(first ^ key);
      const radius = Math.sqrt(-2 * Math.log((first + 0.5) / 4294967296));
      out[at] = radius * Math.cos((2 * Math.PI * second) / 4294967296);
    }
  }
  return out;
}

// Numbers picked from a list of equally likely values, whose length is a power of two: as `normal`, but a lookup each, and one row.
// They are written into `out`, which is as long as the row.
export function pick(seed, name, row, values, out) {
  const key = keyOf(seed, name);
  const shift = Math.clz32(values.length) + 1;
  for (let c = 0; c < out.length; c++) out[c] = values[scrambled(key ^ (row * ROWS + c)) >>> shift];
}

const read = new WeakMap();

// The sentences of a lab as words, and each word's number: the order in which it first appears in them.
export function wordsOf(texts) {
  if (!read.has(texts)) {
    const words = texts.map((text) => text.split(" "));
    const numbers = new Map([...new Set(words.flat())].map((word, number) => [word, number]));
    read.set(texts, { words, numbers: words.map((sentence) => sentence.map((word) => numbers.get(word))) });
  }
  return read.get(texts);
}
