// What an error of PyTorch or Python means, and the likely fix: the twin of attn.lessons.errors, with the same texts.

import entries from "../../lessons/errors.json" with { type: "json" };
import { product } from "../kit/math.js";

/** @typedef {{ name: string, pattern: string, means: string, fix: string, imports?: Record<string, string> }} Entry */

/**
 * The explanation of an error; null for one that is not in the list.
 *
 * @param {string} message
 * @param {Record<string, number>} sizes what each axis letter counts
 * @param {readonly string[]} methods names that a misspelt one is compared with
 * @returns {import("../kit/python/rest.js").Explanation | null}
 */
export function explain(message, sizes, methods) {
  const line = message.split("\n")[0];
  for (const { name, pattern, means, fix, imports = {} } of /** @type {Entry[]} */ (entries)) {
    const found = new RegExp(pattern).exec(line);
    const known = { sizes, methods, imports };
    if (found) return { name, means: filled(means, found, known), fix: filled(fix, found, known) };
  }
  return null;
}

/**
 * A text with its places filled in; see attn.lessons.errors.
 *
 * @param {string} text
 * @param {RegExpExecArray} found
 * @param {{ sizes: Record<string, number>, methods: readonly string[], imports: Record<string, string> }} known
 */
function filled(text, found, { sizes, methods, imports }) {
  return text.replace(/\{(\d)(?::(\w+))?\}/g, (_, place, what) => {
    const group = found[Number(place)];
    if (what === "letter") {
      const letters = Object.keys(sizes).filter((letter) => sizes[letter] === Number(group));
      return letters.length > 0 ? ` (${letters.join(" or ")})` : "";
    }
    if (what === "product") {
      const numbers = group.split(",").map(Number);
      const known = product(numbers.filter((number) => number >= 0));
      return numbers.some((number) => number < 0) ? `a multiple of ${known}` : String(known);
    }
    if (what === "like") {
      const nearest = methods.map((name) => /** @type {const} */ ([distance(group, name), name])).sort(closerFirst)[0];
      return nearest[0] <= group.length / 3 ? ` Did you mean ${nearest[1]}?` : "";
    }
    if (what === "import") return imports[group] ?? `import ${group}`;
    return group;
  });
}

/**
 * @param {readonly [number, string]} a
 * @param {readonly [number, string]} b
 */
const closerFirst = (a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1);

/**
 * How many letters must be put in, left out or replaced to make b of a.
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  const row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    let corner = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = corner + Number(a[i - 1] !== b[j - 1]);
      corner = row[j];
      row[j] = Math.min(row[j] + 1, row[j - 1] + 1, replaced);
    }
  }
  return row[b.length];
}
