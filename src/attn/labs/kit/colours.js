// Colours for indices (Paul Tol, "light"): told apart by every kind of eye, and black reads on all of them. Those of attn.plots.
export const COLOURS = ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#dddddd", "#aaaa00"];

// The colour of index n; indices beyond the last colour begin again.
export function colourOf(n) {
  return COLOURS[n % COLOURS.length];
}
