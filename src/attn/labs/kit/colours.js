// Colours for indices (Paul Tol's "light" scheme): distinct to every kind of eye, and black text is readable on all of them. These
// are the INDEX_COLOURS of attn.plots; style sheets have them as --lab-colour-0 to --lab-colour-8.

export const COLOURS = ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#dddddd", "#aaaa00"];

/**
 * The colour of index n. The colours repeat after the last one.
 *
 * @param {number} n
 */
export function colourOf(n) {
  return COLOURS[n % COLOURS.length];
}
