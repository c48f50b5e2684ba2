// Scene 6 and what comes before and after it: the tables of scores, which become weights.

import { clamp, range } from "../kit/math.js";
import { at, fade, mix, progress, soft } from "../kit/time.js";
import { aside, drop } from "./compare.js";
import { mixShades, weighted } from "./pen.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/**
 * The tables of all heads, from the first score on.
 *
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function tables(stage, T, t) {
  if (t < 13.6 || t > 22.7) return;
  const { pen, G, N, L, S } = stage;
  const gone = 1 - progress(t, 22.4, 22.65, soft);
  const alone = G.wide ? 1 : 1 - fade(t, 15.95, 16.08, 21.6, 21.85); // on a phone one head is shown
  for (const h of range(3)) {
    const isHero = h === N.hero.h;
    const place = at(T.scores[h], t);
    const seen = aside(N, h, t) * gone * (isHero ? 1 : alone);
    const inSoftmax = fade(t, 16.3, 16.5, 19.55, 19.7) * seen;
    stage.slots(place, L, S, t > 16 ? seen * 0.999 : 0);
    for (const l of range(L)) row(stage, T, t, h, l, seen);
    if (isHero) {
      stage.rowWords(place, "L", inSoftmax);
      stage.columnWords(place, inSoftmax * (1 - barsAt(t))); // bars leave their columns
      stage.outlineRow(place, N.hero.l, S, inSoftmax);
    }
    if (place.p > (G.wide ? 11 : 16) && (!isHero || t < 16.3 || t > 19.7))
      stage.name(kindAt(t), place, L, S, (t < 16 ? fade(t, 12.5, 12.8) : 1) * seen);
    const lifted = isHero ? 50 : 27;
    stage.head(h, place.x + (S * place.p) / 2, place.y - lifted, isHero || !G.wide ? 16 : place.p < 16 ? 12 : 14, inSoftmax);
    if (!isHero && G.wide) {
      const found = fade(t, 19.1, 19.22, 19.55, 19.65);
      const [l, s] = [N.hero.l, N.chosen(h)];
      stage.outline(place.x + s * place.p, place.y + l * place.p, place.p, place.p, found);
      pen.text(N.words[l], place.x - 6, place.y + (l + 0.52) * place.p, 12, "L", found, { align: "right" });
      pen.text(N.words[s], place.x + (s + 0.5) * place.p, place.y - 8, 12, "S", found);
    }
  }
  ledger(stage, at(T.scores[N.hero.h], t), t);
}

/** What the cells of the tables are at time t: their name changes in the middle of their move. @param {number} t */
const kindAt = (t) => (t < 16.75 ? "scores" : t < 17.45 ? "scaled" : t < 18.3 ? "exp(scaled)" : "weights");

/** How far cells have become bars. @param {number} t */
const barsAt = (t) => progress(t, 17.2, 17.6) * (1 - progress(t, 18.75, 19.1));

/** One row of scores: it is made, divided, becomes bars as long as its powers, then as long as 1, then weights. */
function row(stage, T, t, h, l, seen) {
  const { pen, N, S } = stage;
  const place = at(T.scores[h], t);
  const { p } = place;
  const calm = progress(t, 16.6, 16.95);
  const bars = barsAt(t);
  const stretch = progress(t, 18.1, 18.5);
  const sum = N.sum(h, l);
  const kind = kindAt(t);
  const length = mix(sum / N.largestSum, 1, stretch) * S * p;
  let before = 0;
  for (const s of range(S)) {
    const weight = N.value("weights", 0, h, l, s);
    const isHero = h === N.hero.h && l === N.hero.l && s === N.hero.s;
    const n = isHero ? clamp((t - 13.65) / 0.35, 0, 1) : clamp((t - 15.02 - (l * S + s) * 0.0105) / 0.32, 0, 1);
    if (n > 0 && n < 1) drop(stage, T, t, [h, l, s], n);
    if (n === 1) {
      const calmed = mixShades(stage.shadeOf("scores", 0, h, l, s), stage.shadeOf("scaled", 0, h, l, s), calm);
      const colour = mixShades(calmed, weighted(weight), progress(t, 17.2, 17.6));
      const wide = mix(p, weight * length, bars);
      const high = mix(p, p * 0.64, bars);
      const x = mix(place.x + s * p, place.x + before * length, bars);
      const y = place.y + l * p + (p - high) / 2;
      pen.cell(x, y, wide, high, colour, seen, kind, 0, h, l, s);
      if (isHero && wide > 60) pen.text(N.words[s], x + wide / 2, y + high / 2 + 0.5, 12, colour.ink, bars * seen);
    }
    before += weight;
  }
}

/** The numbers of the row that is followed, below its table: a line for each step of softmax. */
function ledger({ pen, G, N, L, S }, place, t) {
  const shown = fade(t, 16.4, 16.6, 19.55, 19.7);
  if (shown <= 0.01) return;
  const { scores, scaled, powers, sum, weights } = N.row;
  const { p } = place;
  const top = place.y + L * p + 14;
  const root = Math.sqrt(N.sizes.D);
  const size = 12; // four numbers beside each other must stay apart
  const lines = /** @type {const} */ ([
    ["scores", scores, 16.45],
    [G.wide ? `÷ √D = ${root}` : `÷ ${root}`, scaled, 16.75],
    ["exp", powers, 17.4],
    ["÷ sum", weights, 18.15],
  ]);
  lines.forEach(([name, numbers, from], n) => {
    const alpha = shown * progress(t, from, from + 0.2, soft);
    const y = top + n * 18;
    const last = n === 3;
    pen.text(name, place.x - 7, y, size, "quiet", alpha, { align: "right" });
    numbers.forEach((text, s) => {
      const bold = last && s === N.hero.s ? 700 : 400;
      pen.text(text, place.x + (s + 0.5) * p, y, size, "ink", alpha, { weight: bold });
    });
    const total = n === 2 ? (G.wide ? `sum ${sum}` : sum) : last ? (G.wide ? "sum 1" : "1") : "";
    pen.text(total, place.x + S * p + 6, y, size, "ink", alpha * progress(t, from + 0.2, from + 0.4), {
      align: "left",
      mono: true,
      weight: 600,
    });
  });
}
