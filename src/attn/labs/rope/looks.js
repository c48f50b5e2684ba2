// The colours of RopeLab: a query has the colour of L, a key that of S, a term the colour of its sign.

import { coloursOf, inkOn, mixed } from "../kit/colours.js";
import { NEGATIVE, POSITIVE } from "../kit/scale.js";

/** @typedef {ReturnType<typeof looksOf>} Looks */

/** @param {Element} root */
export function looksOf(root) {
  const { paper, ink, L, S } = coloursOf(root);
  return {
    paper,
    ink,
    q: L,
    k: S,
    quiet: mixed(ink, paper, 0.7),
    line: mixed(ink, paper, 0.3),
    faint: mixed(ink, paper, 0.1),
    isDark: inkOn(paper) === "#fff",
  };
}

/** The colour of a term. @param {number} term */
export const signColour = (term) => (term < 0 ? NEGATIVE : POSITIVE);
