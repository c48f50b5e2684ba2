// Which letters an axis may have, judged by its size alone: the twin of attn.trace.letters.

import { product } from "../kit/math.js";

const ONCE = ["B", "H", "G"]; // letters that name one axis of a tensor at most; (L, L) and (E, E) are common

/**
 * A function that names the axes of a shape: with { B: 2, L: 5 } it calls [2, 5, 10, 7] ["B", "L", "B·L", "7"]. A letter takes
 * precedence over a product, and E over H·D where they are equal. If several fit, all are named: "L|S".
 *
 * @param {Record<string, number>} sizes
 * @param {readonly string[]} merged what attention code merges into one axis: attn.trace.letters.MERGED
 * @returns {(shape: readonly number[]) => string[]}
 */
export function lettersOf(sizes, merged) {
  const { E = 0, H = 0, D = 0, G = 0 } = sizes;
  const isWhole = E > 0 && E === H * D;
  const factors = H && G ? { ...sizes, "H+2G": H + 2 * G, "(H+2G)": H + 2 * G, "H/G": Math.floor(H / G) } : sizes;
  const single = bySize(Object.entries(sizes));
  const joined = bySize(merged.flatMap((label) => sizeOf(label, factors, isWhole)));

  return (shape) => {
    const letters = shape.map((size) => (single.get(size) ?? []).join("|"));
    // An axis that stands alone is not merged into another one as well.
    const apart = new Set(letters.filter((letter) => [...ONCE, "D", "Dv"].includes(letter)));
    const isFree = (/** @type {string} */ label) => !lettersIn(label).some((letter) => apart.has(letter));
    let axes = shape.map((size, n) => letters[n] || (joined.get(size) ?? []).filter(isFree).join("|") || String(size));
    for (const letter of ONCE.filter((one) => axes.includes(one))) {
      // A tensor has one such axis at most, and none of heads beside the whole width E. A second 3 may be q, k and v.
      const isTwice = axes.filter((axis) => axis === letter).length > 1;
      const isBesideWidth = letter !== "B" && axes.includes("E") && !axes.includes("D");
      if (isTwice || isBesideWidth) axes = axes.map((axis, n) => (axis === letter ? `${shape[n]}|${letter}` : axis));
    }
    return axes;
  };
}

/**
 * A label with its size, in a list; an empty list if a letter is unknown, or if the label has a shorter name.
 *
 * @param {string} label
 * @param {Record<string, number>} factors
 * @param {boolean} isWhole whether E is H·D
 * @returns {(readonly [string, number])[]}
 */
function sizeOf(label, factors, isWhole) {
  const terms = label in factors ? [[label]] : label.split(/\+(?![^(]*\))/).map((term) => term.split("·"));
  const counts = terms.map((term) => term.map((part) => (/^\d+$/.test(part) ? Number(part) : (factors[part] ?? 0))));
  const isKnown = counts.every((term) => term.every((count) => count > 0));
  const hasShorterName = counts.some((term) => term.includes(1)) || (isWhole && ["H", "D"].every((one) => terms[0].includes(one)));
  return isKnown && !hasShorterName ? [[label, counts.reduce((sum, term) => sum + product(term), 0)]] : [];
}

/**
 * The letters in a product or sum: H, G and Dv in "(H+2G)·Dv".
 *
 * @param {string} label
 */
const lettersIn = (label) => label.match(/[A-Z][a-z]*/g) ?? [];

/**
 * @param {(readonly [string, number])[]} labels
 * @returns {Map<number, string[]>}
 */
function bySize(labels) {
  /** @type {Map<number, string[]>} */
  const found = new Map();
  for (const [label, size] of labels) found.set(size, [...(found.get(size) ?? []), label]);
  return found;
}
