// The whole picture at one moment, and nothing else: no scene remembers anything.

import { blend } from "./blend.js";
import { compare } from "./compare.js";
import { join } from "./join.js";
import { arcAt, lettersAt, WIDEST } from "./letters.js";
import { flip, split } from "./split.js";
import { projections, words } from "./start.js";
import { tables } from "./tables.js";
import { current, LETTERS } from "./timeline.js";

/** @typedef {import("./stage.js").Stage} Stage */

/**
 * @param {Stage} stage
 * @param {import("./tracks.js").Tracks} tracks
 * @param {number} t
 */
export function drawAll(stage, tracks, t) {
  const { pen, G } = stage;
  pen.clear(G.width, G.height);
  for (const scene of [words, projections, split, flip, compare, tables, blend, join]) scene(stage, tracks, t);
  shapeLine(stage, t);
  legend(stage, t);
}

/** The letters of the shape, with their sizes below them. */
function shapeLine({ pen, G, N }, t) {
  const size = Math.min(26, (G.width - 8) / (WIDEST * 0.61));
  const em = pen.widthOf("M", size, { mono: true });
  const y = 30;
  const arc = arcAt(t);
  if (arc) pen.arc(G.middle + arc.from * em, G.middle + arc.to * em, y - size * 0.6, 18, arc.axis, arc.alpha);
  const tokens = lettersAt(t);
  // A long name that replaces a short one may begin left of the canvas: then the line stands further right.
  const missing = tokens.map(({ text, x, alpha }) => alpha * (4 - G.middle - (x - text.length / 2) * em));
  const right = Math.max(0, ...missing);
  for (const { text, kind, x, alpha, lift } of tokens) {
    const isAxis = kind === "axis";
    const [px, py] = [G.middle + right + x * em, y - lift * size * 0.5];
    const colour = isAxis ? text : kind === "name" ? "ink" : "quiet";
    pen.text(text, px, py, size, colour, alpha, { weight: isAxis ? 700 : 400, mono: true });
    if (!isAxis && text !== "·") continue;
    const below = isAxis ? String(N.sizes[text]) : "·";
    pen.text(below, px, py + size * 0.95, size * 0.54, colour, alpha * (1 - Math.abs(lift)), { mono: true });
  }
}

/** What the letters of the shape line count: each is explained when it comes and while it is there. */
function legend({ pen, G }, t) {
  const size = G.wide ? 13 : 11.5;
  const there = lettersAt(t).filter(({ kind, alpha }) => kind === "axis" && alpha > 0.5);
  const inOrder = new Set(there.sort((a, b) => a.x - b.x).map(({ text }) => text));
  const meanings = Object.fromEntries(LETTERS);
  const entries = [...inOrder].map((letter) => ({ letter, meaning: current(meanings[letter], t)?.[1] ?? "" }));
  const space = size * 1.4;
  const wide = ({ letter, meaning }) =>
    pen.widthOf(letter, size, { mono: true, weight: 700 }) + pen.widthOf(` ${meaning}`, size) + space;
  const lines =
    G.wide || entries.length < 3
      ? [entries]
      : [entries.slice(0, Math.ceil(entries.length / 2)), entries.slice(Math.ceil(entries.length / 2))];
  lines.forEach((line, n) => {
    let x = G.middle - (line.reduce((all, one) => all + wide(one), 0) - space) / 2;
    for (const one of line) {
      const y = (G.wide ? 74 : 66) + n * 15;
      pen.text(one.letter, x, y, size, one.letter, 1, { align: "left", weight: 700, mono: true });
      const after = x + pen.widthOf(one.letter, size, { mono: true, weight: 700 });
      pen.text(` ${one.meaning}`, after, y, size, "quiet", 1, { align: "left" });
      x += wide(one);
    }
  });
}
