// Scene 8: heads side by side, through W_O, and what comes out beside what went in.

import { at, fade, progress, soft } from "../kit/time.js";
import { through } from "./start.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function join(stage, T, t) {
  if (t < 22.4) return;
  const { G, N, L, D, E } = stage;
  const gone = 1 - progress(t, 25, 25.25, soft);
  const concat = at(T.concat, t);
  for (const h of [0, 1, 2]) {
    const place = at(T.heads[h], t);
    stage.head(h, place.x + (D / 2) * place.p, place.y - 20, G.wide ? 15 : 12, fade(t, 22.9, 23.05, 23.15, 23.3));
  }
  if (t > 23.35) stage.sheet(concat, L, E, (l, e, x, y, p) => stage.number(x, y, p, gone, "concat", 0, l, e));
  stage.rowWords(t > 23.35 ? concat : at(T.heads[0], t), "L", fade(t, 22.95, 23.1) * gone);
  stage.name("concat", concat, L, E, fade(t, 23.3, 23.5) * gone);

  const there = fade(t, 23.75, 24.05) * gone;
  stage.sheet(G.W_O, E, E, (i, o, x, y, p) => stage.number(x, y, p, there * 0.8, "W_O", i, o));
  stage.name("W_O", G.W_O, E, E, there, true);
  const y = at(T.y, t);
  stage.slots(G.output, L, E, there);
  if (t > 24 && t < 25) {
    const gates = [{ matrix: G.W_O, out: G.output, into: "y", alpha: 1 }];
    const order = (l) => (l === N.hero.l ? 0 : l < N.hero.l ? l + 1 : l);
    const when = (l) => /** @type {const} */ ([24 + 0.05 * order(l), 24.15 + 0.05 * order(l), 24.55 + 0.05 * order(l)]);
    through(stage, { source: concat, from: "concat", gates, when }, t);
  }
  if (t >= 25) stage.sheet(y, L, E, (l, e, x, py, p) => stage.number(x, py, p, 1, "y", 0, l, e));
  stage.name("y", y, L, E, fade(t, 24.3, 24.5));

  // the end: x beside y
  const end = progress(t, 25.3, 25.6, soft);
  const x = G.pair[0];
  stage.sheet(x, L, E, (l, e, px, py, p) => stage.number(px, py, p, end, "x", 0, l, e));
  stage.name("x", x, L, E, end);
  for (const place of [x, G.pair[1]]) {
    stage.rowWords(place, "L", end);
    stage.above(place, E, "E", end);
    stage.outlineRow(place, N.hero.l, E, end);
  }
  stage.beside(x, L, "L", end, stage.wordsWide + 12);
  gathered(stage, t);
}

/** Last, the sentence again: an arc for each head, from the word that is followed to the word that the head has found for it. */
function gathered(stage, t) {
  const { pen, G, N, words } = stage;
  const size = Math.min(24, G.width / 22);
  const shown = progress(t, 25.5, 25.7, soft);
  const y = G.height - size;
  const places = stage.spread(size);
  const goals = [0, 1, 2].map(N.chosen);
  words.forEach((word, i) => {
    const colour = i === N.hero.l ? "L" : goals.includes(i) ? "S" : "quiet";
    pen.text(word, places[i], y, size, colour, shown);
  });
  stage.arcs(places, y, size, (h) => [N.question(h), progress(t, 25.7 + 0.1 * h, 25.85 + 0.1 * h, soft)]);
}
