// Which lines of a program known fixes would change: the twin of attn.check.fixes.

/** @typedef {[pattern: string, replacement: string]} Rule a part of a line, and what stands in its place; \1 is the first group */
/** @typedef {{ line: number, text: string }} Change a line, counted from 1, and its new text */

const MOST_LINES = 4; // that are changed together

/**
 * The lines that can be changed: each alone, then two together, and so on.
 *
 * @param {readonly string[]} lines
 * @param {readonly Rule[]} rules
 * @returns {Generator<Change[]>}
 */
export function* changesOf(lines, rules) {
  /** @type {Change[]} */
  const found = [];
  lines.forEach((line, n) => {
    for (const [pattern, replacement] of rules) {
      const text = line.replace(new RegExp(pattern), replacement.replace(/\\(\d)/g, "$$$1"));
      if (text !== line && !found.some((one) => one.line === n + 1 && one.text === text)) found.push({ line: n + 1, text });
    }
  });
  for (let count = 1; count <= MOST_LINES; count++) yield* together(found, count);
}

/**
 * So many of these changes, each in a line of its own, in their order.
 *
 * @param {readonly Change[]} changes
 * @param {number} count
 * @returns {Generator<Change[]>}
 */
function* together(changes, count) {
  if (count === 0) yield [];
  else
    for (const [n, first] of changes.entries()) {
      const later = changes.slice(n + 1).filter(({ line }) => line !== first.line);
      for (const rest of together(later, count - 1)) yield [first, ...rest];
    }
}
