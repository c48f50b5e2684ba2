// Scenes 1 and 2: words become rows, and rows go through three matrices.

import { clamp } from "../kit/math.js";
import { at, fade, mix, progress, soft, swing } from "../kit/time.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./tracks.js").Tracks} Tracks */

/**
 * The words, first as a sentence, then beside their rows.
 *
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function words(stage, T, t) {
  const { pen, G, L, E } = stage;
  if (t > 6.3) return;
  const x = at(T.x, t);
  const gone = 1 - progress(t, 5.98, 6.25, soft);
  const title = 1 - progress(t, 0.7, 0.95, soft);
  pen.text("Multi-head attention", G.middle, 40, G.wide ? 34 : 26, "ink", title, { weight: 700 });
  sentence(stage, x, t, gone, title);
  stage.sheet(x, L, E, (l, e, px, py, p) => {
    const n = progress(t, 1.1 + 0.035 * e + 0.03 * l, 1.5 + 0.035 * e + 0.03 * l);
    if (n > 0) stage.number(mix(x.x - p, px, n), py, p, n * gone, "x", 0, l, e);
  });
  const shown = fade(t, 1.75, 2.05, 2.5, 2.7);
  stage.above(x, E, "E", shown);
  stage.beside(x, L, "L", shown, stage.wordsWide + 16);
  stage.name("x", x, L, E, progress(t, 1.75, 2.05, soft) * gone);
  pen.text("orange +, blue −", x.x + E * x.p, x.y + L * x.p + 14, 13, "quiet", shown, { align: "right" });
}

/** The sentence in large letters, with a question for each head, until its words move to their rows. */
function sentence(stage, x, t, gone, asked) {
  const { pen, G, N, wordSize } = stage;
  const size = Math.min(44, G.width / 22);
  const y = G.top + 0.55 * G.room;
  const places = stage.spread(size);
  stage.arcs(places, y, size, (h) => [`${N.question(h)}?`, asked]);
  stage.words.forEach((word, i) => {
    const go = progress(t, 0.75 + 0.04 * i, 1.3 + 0.04 * i);
    const now = mix(size, wordSize(x.p), go);
    const place = [mix(places[i], x.x - 7 - pen.widthOf(word, now) / 2, go), mix(y, x.y + (i + 0.52) * x.p, go)];
    const isAsker = i === N.hero.l && go < 0.5;
    pen.text(word, place[0], place[1], now, go > 0.5 || isAsker ? "L" : "ink", gone);
  });
}

const NAMES = /** @type {const} */ (["q", "k", "v"]);

/**
 * Rows of a sheet go through matrices: a row turns into a column, moves over the columns of each matrix, and where it has passed one the
 * number is made.
 *
 * @param {Stage} stage
 * @param {object} what
 * @param {import("../kit/time.js").Sheet} what.source
 * @param {string} what.from the tensor whose rows go
 * @param {{ matrix: import("../kit/time.js").Sheet, out: import("../kit/time.js").Sheet, into: string, alpha: number }[]} what.gates
 * @param {(l: number) => readonly [turn: number, start: number, end: number]} what.when
 * @param {number} [what.first] how many columns of the first matrix the first row passes before it starts
 * @param {number} t
 */
export function through(stage, { source, from, gates, when }, t) {
  const { pen, L, E } = stage;
  const [{ matrix }] = gates;
  const end = gates.length * E;
  for (let l = 0; l < L; l++) {
    const [turning, start, stop] = when(l);
    const passed = t < start ? 0 : end * clamp((t - start) / (stop - start), 0, 1);
    gates.forEach(({ out, into, alpha }, r) => {
      for (let o = 0; o < E; o++)
        if (r * E + o + 1 <= passed) stage.number(out.x + o * out.p, out.y + l * out.p, out.p, alpha, into, 0, l, o);
    });
    if (t < turning || passed >= end) continue;
    const turned = swing(clamp((t - turning) / Math.min(0.4, start - turning), 0, 1));
    const r = Math.min(gates.length - 1, Math.floor(passed / E));
    const target = gates[r].matrix;
    const x = target.x + (passed - r * E - 1 - 0.5 * clamp(1 - passed, 0, 1)) * target.p; // at first beside it, not at its edge
    pen.box(x - 1.5, target.y - 1.5, target.p + 3, E * target.p + 3, 4, "paper", turned); // the column that it covers is not seen through it
    for (let e = 0; e < E; e++) {
      const p = mix(source.p, matrix.p, turned);
      const lift = Math.sin(Math.PI * turned) * p;
      stage.number(
        mix(source.x + e * source.p, x, turned),
        mix(source.y + l * source.p, target.y + e * target.p, turned) - lift,
        ...[p, 1, from, 0, l, e],
      );
    }
    stage.outline(x, target.y, target.p, E * target.p, turned === 1 ? 0.9 : 0);
  }
}

/**
 * @param {Stage} stage
 * @param {Tracks} T
 * @param {number} t
 */
export function projections(stage, T, t) {
  const { G, N, L, E } = stage;
  if (t < 2.5 || t > 7.2) return;
  const source = at(T.x, t);
  const there = fade(t, 2.75, 3.15, 5.98, 6.25);
  const { l: hero } = N.hero;
  ["W_Q", "W_K", "W_V"].forEach((name, r) => {
    const lit = r ? mix(0.5, 1, progress(t, 4.05, 4.3, soft)) : 1;
    stage.sheet(G.matrices[r], E, E, (i, o, x, y, p) => stage.number(x, y, p, there * lit * 0.8, name, i, o));
    stage.name(name, G.matrices[r], E, E, there * lit, true);
  });
  const flat = T.flat.map((track) => at(track, t));
  if (t < 6) {
    flat.forEach((place, r) => {
      stage.slots(place, L, E, there * (r ? progress(t, 4.05, 4.3, soft) : 1));
    });
    const order = [hero, ...stage.words.map((_, l) => l).filter((l) => l !== hero)];
    const gates = NAMES.map((name, r) => ({ matrix: G.matrices[r], out: flat[r], into: `${name}_flat`, alpha: 1 }));
    const when = (l) => {
      const n = order.indexOf(l);
      return n ? [4.05 + 0.07 * n, 4.3 + 0.07 * n, 5.1 + 0.07 * n] : [3.25, 4.1, 4.9];
    };
    through(stage, { source, from: "x", gates, when: /** @type {any} */ (when) }, t);
    oneNumber(stage, source, flat[0], t);
  } else {
    NAMES.forEach((name, r) => {
      if (t < 7.15) stage.sheet(flat[r], L, E, (l, e, x, y, p) => stage.number(x, y, p, 1, `${name}_flat`, 0, l, e));
    });
  }
  NAMES.forEach((name, r) => {
    stage.name(name, flat[r], L, E, fade(t, r ? 4.2 : 3.4, r ? 4.5 : 3.7, 7.1, 7.15));
  });
  if (G.wide) stage.rowWords(flat[0], "L", fade(t, 6.4, 6.6, 7.1, 7.15));
  else for (const place of flat) stage.rowWords(place, "L", fade(t, 6.4, 6.6, 7.1, 7.15));
}

/** The first number of the first row: the whole row and a whole column make it. */
function oneNumber(stage, source, out, t) {
  const { G, N, E } = stage;
  const { l } = N.hero;
  const shown = fade(t, 3.25, 3.45, 4.1, 4.25);
  stage.outlineRow(source, l, E, shown);
  const made = fade(t, 3.75, 3.85, 4.13, 4.14);
  stage.outlineColumn(G.matrices[0], 0, E, made);
  if (made > 0.01) stage.number(out.x, out.y + l * out.p, out.p, made, "q_flat", 0, l, 0);
  stage.outline(out.x, out.y + l * out.p, out.p, out.p, made);
}
