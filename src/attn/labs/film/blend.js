// Scene 7: weights @ v. One row from near, then all of them.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { at, fade, mix, progress, soft } from "../kit/time.js";
import { aside } from "./compare.js";
import { mixShades, weighted } from "./pen.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function blend(stage, T, t) {
  if (t < 19.6 || t > 23.4) return;
  const { G, N, L, S, D } = stage;
  const gone = 1 - progress(t, 22.4, 22.65, soft);
  for (const h of range(3)) {
    const isHero = h === N.hero.h;
    const [weights, v, out] = [T.scores, T.v, T.heads].map((tracks) => at(tracks[h], t));
    const seen = aside(N, h, t);
    const there = seen * progress(t, 19.75, 20.1, soft);
    const spent = isHero ? 0.7 * fade(t, 20.3, 20.45, 21.49, 21.6) : 0; // what the blend takes is a copy
    stage.sheet(v, S, D, (s, d, x, y, p) => stage.number(x, y, p, there * gone * (1 - spent), "v", 0, h, s, d));
    stage.slots(out, L, D, there * (1 - progress(t, 22.4, 22.6)));
    const named = v.p < (G.wide ? 11 : 16) ? 0 : there; // names of small sheets would cover each other
    stage.name("v", v, S, D, named * gone);
    stage.name("weights @ v", out, L, D, named * fade(t, 20.45, 20.6, 22.4, 22.6));
    const near = 1 - progress(t, 21.5, 21.7, soft);
    if (isHero ? near > 0 || !G.wide || !h : !h && G.wide) {
      const words = there * (isHero && h && G.wide ? near : 1) * gone;
      stage.rowWords(weights, "L", words);
      stage.rowWords(v, "S", words);
    }
    if (v.p > 19 && G.wide) stage.head(h, weights.x, weights.y - 18, 15, there * gone, "left");
    else stage.head(h, v.x + D * v.p, v.y - 12, isHero || G.wide ? 12.5 : 12, there * gone, "right");
    for (const l of range(L)) {
      const near = isHero ? nearRows(N).find((one) => one.l === l) : undefined;
      const start = near ? near.thin : 21.75 + l * 0.05;
      const melt = near ? progress(t, near.rise + 0.12, near.rise + 0.17) : progress(t, start + 0.26, start + 0.34);
      if (t >= start && melt < 1) {
        const thin = near ? progress(t, start, start + 0.12) : progress(t, start, start + 0.15);
        const rise = near ? progress(t, near.rise, near.rise + 0.14) : progress(t, start + 0.06, start + 0.28);
        oneRow(stage, v, out, h, l, { thin, rise, melt, alpha: seen });
      } else if (melt === 1 && t < 23.35)
        for (const d of range(D)) stage.number(out.x + d * out.p, out.y + l * out.p, out.p, seen, "weights @ v", 0, h, l, d);
    }
  }
  if (t < 21.7) for (const one of nearRows(N)) nearRow(stage, T, t, one);
}

/** The rows of v become as thick as their weights, move, and lie on each other: exactly one row, their weighted sum. */
function oneRow({ pen, N, shadeOf, S, D }, v, out, h, l, { thin, rise, melt, alpha }) {
  let below = 0;
  for (const s of range(S)) {
    const weight = N.value("weights", 0, h, l, s);
    const p = mix(v.p, out.p, rise);
    const height = mix(v.p, weight * p, thin);
    for (const d of range(D)) {
      const x = mix(v.x + d * v.p, out.x + d * out.p, rise);
      const y = mix(v.y + s * v.p + (v.p - height) / 2, out.y + (l + below) * out.p, rise);
      const colour = mixShades(shadeOf("v", 0, h, s, d), shadeOf("weights @ v", 0, h, l, d), melt);
      pen.cell(x, y, p, height, colour, alpha, "v", 0, h, s, d);
    }
    below += weight;
  }
}

/** The two rows that are seen from near: one with a large weight, one with many. When their weights go, shrink rows of v, and are gone. */
const nearRows = (N) => [
  { l: N.hero.l, go: 20, thin: 20.32, rise: 20.45, gone: 20.655 },
  { l: N.other, go: 20.66, thin: 20.99, rise: 21.2, gone: 21.5 },
];

/** The weights of one row go to the rows of v. */
function nearRow(stage, T, t, { l, go, thin: shrink, gone }) {
  const { pen, G, N, S, D } = stage;
  const { h } = N.hero;
  const [w, v, out] = [T.scores, T.v, T.heads].map((tracks) => at(tracks[h], t));
  const shown = fade(t, go, go + 0.1, gone, gone + 0.1);
  stage.outlineRow(w, l, S, shown);
  stage.outlineRow(out, l, D, shown);
  for (const s of range(S)) {
    const weight = N.value("weights", 0, h, l, s);
    const n = progress(t, go + 0.02 * s, go + 0.2 + 0.02 * s);
    if (n <= 0) continue;
    const thin = mix(1, weight, progress(t, shrink, shrink + 0.12));
    const x = mix(w.x + s * w.p, v.x + (D + 0.3) * v.p, n);
    const y = mix(w.y + l * w.p, v.y + s * v.p, n);
    pen.cell(x, y + (w.p * (1 - thin)) / 2, w.p, w.p * thin, weighted(weight), shown, "weights", 0, h, l, s);
    pen.text(
      number(weight, 2),
      x + w.p * 1.2,
      y + w.p * 0.54,
      G.wide ? 14 : 12,
      "ink",
      shown * progress(t, shrink - 0.05, shrink),
      {
        align: "left",
        mono: true,
      },
    );
  }
}
