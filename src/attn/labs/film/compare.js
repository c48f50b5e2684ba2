// Scene 5: queries meet keys. First one query and one key from near, then all of them.

import { clamp, range } from "../kit/math.js";
import { at, fade, fall, mix, progress, soft } from "../kit/time.js";
import { turn } from "./split.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/** How visible a head is: the others step aside while one is seen from near. */
export const aside = (N, h, t) => (h === N.hero.h ? 1 : 1 - fade(t, 11.9, 12.1, 14.65, 14.95) - fade(t, 19.6, 19.8, 21.6, 21.9));

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function compare(stage, T, t) {
  if (t < 11.95 || t > 16.4) return;
  const { pen, G, N, L, S, D } = stage;
  const gone = 1 - progress(t, 15.95, G.wide ? 16.25 : 16.08, soft); // where one head moves over the others, they have gone before
  const near = fade(t, 12.35, 12.6, 14.45, 14.65); // one row and one column are looked at
  for (const h of range(3)) {
    const [q, k, scores] = [T.q, T.k, T.scores].map((tracks) => at(tracks[h], t));
    const seen = aside(N, h, t) * gone;
    const there = seen * progress(t, 12, 12.35, soft);
    stage.slots(scores, L, S, fade(t, 12.3, 12.6) * seen);
    stage.sheet(q, L, D, (l, d, x, y, p) => stage.number(x, y, p, there * (l === N.hero.l ? 1 : 1 - 0.65 * near), "q", 0, h, l, d));
    if (t > 12.4) turn(stage, k, 1, h, seen, (s) => (s === N.hero.s ? 1 : 1 - 0.65 * near));
    stage.name("q", q, L, D, there);
    if (G.wide || h === N.hero.h)
      pen.text("kᵀ", k.x + S * k.p + 6, k.y + (D / 2) * k.p, 14, "quiet", t > 12.4 ? there : 0, { align: "left", mono: true });
    if (h === N.hero.h) stage.rowWords(q, "L", there * (G.wide && h ? 1 - progress(t, 14.6, 14.8, soft) : 1));
    else if (G.wide && !h) stage.rowWords(q, "L", there);
    if (G.wide || h === N.hero.h) stage.columnWords(k, there * progress(t, 12.35, 12.55));
    stage.above(q, D, "D", fade(t, 12.35, 12.6, 12.85, 13) * seen);
    stage.beside(k, D, "D", fade(t, 12.35, 12.6, G.wide ? 13.6 : 12.75, G.wide ? 13.8 : 12.95) * seen);
    const size = h === N.hero.h && (!G.wide || t < 14.7) ? 12.5 : 12;
    if (k.p > 22 && G.wide) stage.head(h, q.x, k.y - 22, 16, there, "left");
    else {
      const inside = h === N.hero.h ? progress(t, 14.6, 15) : 1; // the free corner, when nothing is written there
      stage.head(h, k.x - 8, mix(k.y - 20, k.y + 2 * k.p, inside), size, there, "right");
    }
  }
  if (t < 14.7) oneProduct(stage, T, t);
}

/** Slowly: a row of q turns into a column, lies on a column of kT, and what they make falls into the table. */
function oneProduct(stage, T, t) {
  const { pen, N, D } = stage;
  const { h, l, s } = N.hero;
  const [q, k, scores] = [T.q, T.k, T.scores].map((tracks) => at(tracks[h], t));
  const shown = fade(t, 12.45, 12.65, 14.45, 14.6);
  stage.outlineRow(q, l, D, shown);
  stage.outlineColumn(k, s, D, shown);
  const made = t > 13.2;
  if (t < 13.65)
    for (let d = 0; d < D; d++) {
      const n = progress(t, 12.6 + 0.04 * (D - 1 - d), 12.98 + 0.04 * (D - 1 - d)); // beside its partner
      if (n <= 0) continue;
      const p = q.p * (1 + 0.1 * Math.sin(Math.PI * n));
      const x = mix(q.x + d * q.p, k.x + (s - 1) * k.p, n) + (q.p - p) / 2;
      const y = mix(q.y + l * q.p, k.y + d * k.p, n) + (q.p - p) / 2 - Math.sin(Math.PI * n) * q.p * 0.5;
      /** @type {[string, ...number[]]} */
      const what = made ? ["q · k", 0, h, l, s, d] : ["q", 0, h, l, d];
      stage.number(x, y, p, 1, ...what);
    }
  card(stage, k, t);
  const cell = [scores.x + s * scores.p, scores.y + l * scores.p];
  stage.outline(cell[0], cell[1], scores.p, scores.p, fade(t, 13.95, 14.05, 14.45, 14.6));
  pen.digits(
    cell[0],
    cell[1],
    scores.p,
    scores.p,
    N.product.sum,
    stage.shadeOf("scores", 0, h, l, s),
    fade(t, 14, 14.1, 14.5, 14.6),
  );
}

/** The same in writing, in the corner that is free. */
function card({ pen, N, G, D }, k, t) {
  const { pairs, products, sum } = N.product;
  const size = G.wide ? 14 : 11;
  const right = k.x - (G.wide ? 34 : 10);
  const em = pen.widthOf("0", size, { mono: true });
  const how = /** @type {const} */ ({ align: "right", mono: true });
  const longest = Math.max(...products.map((text) => text.length), sum.length);
  const alpha = fade(t, 12.95, 13.1, 14.45, 14.6);
  pairs.forEach(([a, b], d) => {
    const y = k.y + (d + 0.5) * k.p;
    const widest = Math.max(...pairs.map((pair) => pair[1].length));
    pen.text(`${a} × ${b.padStart(widest)}`, right - (longest + 3) * em, y, size, "ink", alpha * progress(t, 12.95, 13.1), how);
    pen.text(`= ${products[d].padStart(longest)}`, right, y, size, "ink", alpha * progress(t, 13.2, 13.35), how);
  });
  const y = k.y + (D + 0.55) * k.p;
  const last = progress(t, 13.9, 14.05) * alpha;
  pen.line(
    [
      [right - (longest + 2) * em, k.y + D * k.p + 2],
      [right, k.y + D * k.p + 2],
    ],
    "ink",
    last * 0.6,
    1,
  );
  pen.text(`score ${sum.padStart(longest)}`, right, y, size, "ink", last, { ...how, weight: 700 });
}

/**
 * The D products of row l and column s fall together into one score.
 *
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 * @param {readonly [h: number, l: number, s: number]} place
 * @param {number} n
 */
export function drop(stage, T, t, [h, l, s], n) {
  const { D } = stage;
  const [k, scores] = [at(T.k[h], t), at(T.scores[h], t)];
  const from = s + (t < 14.5 ? -0.5 : 0.5); // from near, products stand beside their key
  for (let d = D - 1; d >= 0; d--) {
    const go = fall(clamp(n * 1.35 - (D - 1 - d) * 0.1, 0, 1));
    const p = mix(k.p, scores.p, go) * (1 - 0.2 * Math.sin(Math.PI * go));
    const x = mix(k.x + from * k.p, scores.x + (s + 0.5) * scores.p, go) - p / 2;
    const y = mix(k.y + (d + 0.5) * k.p, scores.y + (l + 0.5) * scores.p, go) - p / 2;
    stage.number(x, y, p, 1, "q · k", 0, h, l, s, d);
  }
}
