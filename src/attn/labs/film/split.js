// Scenes 3 and 4: the twelve numbers are split among the heads, and keys become columns.

import { range } from "../kit/math.js";
import { at, fade, mix, progress, soft } from "../kit/time.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function split(stage, T, t) {
  if (t < 6.4 || t > 9.7) return;
  const { G, L, D } = stage;
  for (const r of range(3))
    for (const h of [1, 2]) {
      const place = at([T.q, T.k, T.v][r][h], t);
      const x = t < 7.15 ? at(T.flat[r], t).x + h * D * place.p : place.x - 0.3 * place.p * progress(t, 7.15, 7.5);
      stage.fence(x, t < 7.15 ? at(T.flat[r], t) : place, 1 - progress(t, 7.75, 7.95, soft), progress(t, 6.55, 6.9));
    }
  if (t < 7.15) return;
  const passing = Math.sin(Math.PI * progress(t, 7.85, 8.55)); // strips that pass each other do so on three levels
  const gone = 1 - progress(t, 9.3, 9.55, soft);
  const named = fade(t, 8.45, 8.65);
  for (const h of range(3))
    ["q", "k", "v"].forEach((name, r) => {
      if (r === 1 && t > 9.3) return;
      const place = at([T.q, T.k, T.v][r][h], t);
      const y = place.y + (G.wide ? (r - 1) * 4.5 * place.p * passing : 0);
      stage.sheet({ ...place, y }, L, D, (l, d, x, py, p) => stage.number(x, py, p, gone, name, 0, h, l, d));
      stage.name(name, place, L, D, named * gone);
      stage.above(place, D, "D", fade(t, 7.4, 7.65, 7.75, 7.9) * (G.wide || !r ? 1 : 0));
    });
  ["q", "k", "v"].forEach((name, r) => {
    const [first, end] = [at(T.flat[r], t), at([T.q, T.k, T.v][r][2], t)];
    const middle = (at([T.q, T.k, T.v][r][0], t).x + end.x + D * end.p) / 2;
    stage.name(name, { ...first, x: middle - 6 * first.p }, L, 12, 1 - progress(t, 7.75, 7.9, soft));
  });
  const words = 1 - progress(t, 9.25, 9.45, soft);
  const first = at(T.q[0], t);
  if (G.wide) stage.rowWords({ ...first, x: Math.min(first.x, G.strips[0][0].apart.x) }, "L", words);
  else for (const track of [T.q, T.k, T.v]) stage.rowWords(at(track[0], t), "L", words);
  for (const h of range(3)) {
    const { x, y, p } = at(T.q[h], t);
    const wide = G.wide ? 3 * D + 2 * 0.6 : D;
    stage.head(h, x + (wide / 2) * p, y - 18, G.wide ? 16 : 12, fade(t, 8.45, 8.7, 9.25, 9.4));
  }
}

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function flip(stage, T, t) {
  if (t < 9.3 || t > 12.4) return;
  const { G, N, S, D } = stage;
  const n = progress(t, 10.65, 11.25);
  const still = 1 - Math.sin(Math.PI * n);
  const looked = progress(t, 9.75, 10.15, soft); // a copy of the words that ask becomes the words that are asked
  const apart = stage.wordsWide + (G.wide ? 24 : 20);
  for (const h of range(3)) {
    const place = at(T.k[h], t);
    const { x, y, p } = place;
    const here = h === N.hero.h ? 1 : 1 - progress(t, 11.9, 12.1, soft);
    turn(stage, place, n, h, here);
    const rulers = fade(t, 9.95, 10.2, 11.9, 12.05);
    const words = h === (G.wide ? 0 : N.hero.h);
    if (n < 0.02 || n > 0.98) {
      const upright = n < 0.5;
      const room = words ? stage.wordsWide + 12 : 12;
      if (upright) {
        if (words) {
          const gone = 1 - progress(t, 10.55, 10.65);
          const asking = { ...place, x: x - apart };
          stage.rowWords(asking, "L", fade(t, 9.6, 9.8) * gone);
          stage.beside(asking, S, "L", rulers * gone, room);
          stage.rowWords({ ...place, x: x - apart * (1 - looked) }, "S", looked * gone);
        }
        stage.beside(place, S, "S", rulers * (1 - progress(t, 10.55, 10.65)), room);
        stage.above(place, D, "D", rulers * (1 - progress(t, 10.55, 10.65)));
      } else {
        const back = progress(t, 11.25, 11.4, soft) * fade(t, 11.25, 11.4, 11.9, 12.05);
        if (G.wide || words) stage.columnWords(place, back);
        stage.beside(place, D, "D", back);
      }
    }
    const named = still * fade(t, 9.6, 9.8, 11.9, 12.05) * (G.wide || h === N.hero.h ? 1 : 0);
    stage.name(n > 0.5 ? "kᵀ" : "k", place, n > 0.5 ? D : S, n > 0.5 ? S : D, named);
    const label = fade(t, 9.6, 9.8, 11.9, 12.05);
    stage.head(h, x + (n > 0.5 ? 3.5 : 2) * p, y - (n > 0.5 ? 52 : 32), G.wide ? 16 : 13, label * still);
  }
}

/**
 * A sheet of keys turns over its diagonal: row s, column d goes to row d, column s.
 *
 * @param {Stage} stage
 * @param {import("../kit/time.js").Sheet} place
 * @param {number} n
 * @param {number} h
 * @param {number} alpha
 * @param {(s: number) => number} [lit]
 */
export function turn({ number, S, D }, { x, y, p }, n, h, alpha, lit = () => 1) {
  const c = Math.cos(Math.PI * n);
  const depth = Math.sin(Math.PI * n);
  const spot = (i, j) => {
    const a = ((i + j) / 2) * p;
    const b = ((j - i) / 2) * p;
    const near = 1 + (depth * b) / (14 * p);
    return [x + (a + b * c) * near, y + (a - b * c) * near];
  };
  for (let s = 0; s < S; s++)
    for (let d = 0; d < D; d++) {
      /** @type {[string, ...number[]]} */
      const key = n > 0.5 ? ["kᵀ", 0, h, d, s] : ["k", 0, h, s, d];
      const [mx, my] = spot(s + 0.5, d + 0.5);
      const q = p * mix(1, 0.82, depth);
      number(mx - q / 2, my - q / 2, q, alpha * lit(s), ...key);
    }
}
