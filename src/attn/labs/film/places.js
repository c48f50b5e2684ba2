// Where everything is, for a canvas of this width: places of sheets, in pixels.

import { range } from "../kit/math.js";

/** @typedef {import("../kit/time.js").Sheet} Sheet */
/** @typedef {ReturnType<typeof placesFor>} Places */

const ONE = 7; // words
const D = 4;
const E = 12;
const GAP = 0.6; // between strips, in cells
const OPEN = 1.8; // between the sheets of different heads

/**
 * @param {number} width
 * @param {number} hero the head that is shown from near
 */
export function placesFor(width, hero) {
  const wide = width >= 600;
  const height = wide ? 472 : 533;
  const top = wide ? 92 : 100; // below the shape line and its legend
  const room = height - top - 8;
  const middle = width / 2;
  const label = wide ? 60 : 50; // for words beside rows
  /** @type {(x: number, y: number, p: number) => Sheet} */
  const sheet = (x, y, p) => ({ x, y, p });
  const fit = (columns, rows, most = 99, beside = label, over = 0) =>
    Math.min(most, (width - beside - (wide ? 28 : 10)) / columns, (room - over) / rows);
  /** The left edge of something `columns` wide with words beside it. */
  const left = (columns, p, beside = label) => (width + beside - columns * p) / 2;
  const others = range(3).filter((h) => h !== hero);

  const big = fit(E + 0.5, ONE + 2, 36, label + (wide ? 0 : 18));
  const x = sheet(left(E, big, label + (wide ? 0 : 18)), top + (room - ONE * big) / 2, big);

  // x @ W: x left, W above, what comes out where they cross. On a phone three matrices are as wide as the canvas, so x is below.
  const cross = wide ? fit(E + 1 + 3 * E + 2, E + 1 + ONE, 24, label, 42) : (width - 22) / (3 * E + 2);
  const matrices = range(3).map((r) => {
    const first = wide ? left(E + 1 + 3 * E + 2, cross) + (E + 1) * cross : 10 + cross;
    return sheet(first + r * (E + (wide ? 1 : 0.4)) * cross, top + 20, cross);
  });
  const outs = matrices.map((one) => sheet(one.x, one.y + (E + 1) * cross, cross));
  const below = Math.min(21, (width - label - 8) / E);
  const source = wide
    ? sheet(left(E + 1 + 3 * E + 2, cross), outs[0].y, cross)
    : sheet(left(E, below), outs[0].y + 7 * cross + 66, below);

  // Splitting: side by side, then by heads; on a phone below each other.
  const span = 3 * (E + 2 * GAP) + 2 * OPEN;
  const part = wide ? fit(span, ONE + 3, 30) : fit(E + 2 * OPEN, 3 * (ONE + 1.9), 17, label, 10);
  const cut = (outer, inner, spread) => {
    if (wide) {
      const first = left(span, part) + outer * (E + 2 * GAP + OPEN) * part;
      return sheet(first + (GAP + inner * D + (inner - 1) * GAP * spread) * part, top + (room - ONE * part) / 2, part);
    }
    const gap = spread > 1 ? OPEN : GAP * spread;
    const first = left(E, part) + (inner * D + (inner - 1) * gap) * part;
    return sheet(first, top + 22 + outer * (ONE + 1.9) * part, part);
  };
  const flat = range(3).map((r) => cut(r, 0, 0));
  const strips = range(3).map((r) =>
    range(3).map((h) => ({ whole: cut(r, h, 0), apart: cut(r, h, 1), own: wide ? cut(h, r, 1) : cut(r, h, 2) })),
  );

  /**
   * Three sheets, one for each head: side by side, or on a phone the one that is shown large above the two others.
   *
   * @param {number} columns of each
   * @param {number} rows
   * @param {{ gap: number, most: number, above: number, below: number }} size gap in cells; above and below: pixels for words and names
   * @param {number} [beside] pixels for what stands left of them
   */
  const trio = (columns, rows, { gap, most, above, below }, beside = label) => {
    const over = above + below;
    if (wide) {
      const total = 3 * columns + 2 * gap;
      const p = fit(total, rows, most, beside + 28, over); // and for a name right of the last
      const y = top + above + (room - over - rows * p) / 2;
      return range(3).map((h) => sheet(left(total, p, beside) + h * (columns + gap) * p, y, p));
    }
    const small = Math.min((width - 40) / (2 * columns + 1.5), (0.4 * (room - 2 * over)) / rows);
    const p = fit(columns, rows, most, label, 2 * over + small * rows);
    const y = top + above + over + rows * p;
    return range(3).map((h) => {
      if (h === hero) return sheet(left(columns, p, beside), top + above, p);
      return sheet(middle + (others.indexOf(h) ? 0.75 * small : -(columns + 0.75) * small), y, small);
    });
  };
  const keys = trio(ONE, ONE, { gap: 2.2, most: 32, above: 62, below: 20 }, label + (wide ? 84 : 40)); // beside them words twice

  // One head. First q left and kT above the scores; then weights left and v above what they become.
  const product = ({ x, y, p }) => ({
    q: sheet(x, y + (D + 1) * p, p),
    k: sheet(x + (D + 1) * p, y, p),
    scores: sheet(x + (D + 1) * p, y + (D + 1) * p, p),
  });
  const blend = ({ x, y, p }) => ({
    weights: sheet(x, y + (ONE + 1) * p, p),
    v: sheet(x + (ONE + 1) * p, y, p),
    heads: sheet(x + (ONE + 1) * p, y + (ONE + 1) * p, p),
  });
  /** One sheet from near. `right`: pixels for what stands right of it. */
  const near = (columns, rows, { above, below, right }) => {
    const p = fit(columns, rows, 32, label + right, above + below);
    return sheet(left(columns, p) - right / 2, top + above + (room - above - below - rows * p) / 2, p);
  };
  const nearProduct = product(near(12, 12, { above: 44, below: 18, right: 20 }));
  const nearBlend = blend(near(12, 15, { above: 8, below: 18, right: wide ? 70 : 62 }));
  const allProducts = trio(12, 12, { gap: 1.8, most: 26, above: 44, below: 18 }).map(product);
  const allBlends = trio(12, 15, { gap: 1.8, most: 24, above: wide ? 10 : 18, below: 18 }).map(blend);

  // Softmax: the head that is followed is large and has room for its numbers below; on a phone it is alone.
  const [over, under] = [62, 78];
  const large = fit(ONE + (wide ? 1.5 : 1.2), ONE, 42, label, over + under);
  const centre = sheet((width + label - (ONE + (wide ? 1.5 : 1.2)) * large) / 2, top + over, large);
  const right = centre.x + (ONE + 2.4) * large + 24;
  const small = Math.min(large * 0.6, (centre.x - label - 30) / ONE, (width - right - 10) / ONE);
  const sides = [centre.x - label - 24 - ONE * small, right];
  const tables = range(3).map((h) =>
    h === hero || !wide ? centre : sheet(sides[others.indexOf(h)], centre.y + ((large - small) * ONE) / 2, small),
  );

  // The end: heads side by side, through W_O, and beside x.
  const joined = fit(E + 2 * GAP, ONE + 2, 30);
  const together = (h, spread) =>
    sheet(left(E, joined) + (h * D + (h - 1) * GAP * spread) * joined, top + (room - ONE * joined) / 2, joined);
  const last = fit(E + 1 + E, E + 1 + ONE, 24, label, 42);
  const first = left(E + 1 + E, last);
  const upper = top + 20 + (room - 42 - (E + 1 + ONE) * last) / 2;
  const output = sheet(first + (E + 1) * last, upper + (E + 1) * last, last);
  const both = wide ? Math.min(30, (width - 2 * label - 70) / (2 * E)) : fit(E, 2 * ONE + 3.6, 25, label, 110);
  const pair = wide
    ? range(2).map((n) => sheet(middle + (n ? label + 20 : -20 + label / 2 - E * both), top + (room - ONE * both) / 2 - 40, both))
    : range(2).map((n) => sheet(left(E, both), top + 24 + n * (ONE + 2.6) * both, both));
  return {
    ...{ wide, width, height, top, room, middle, label, x, source, matrices, outs, flat, strips, keys, tables },
    product: range(3).map((h) => [h === hero ? nearProduct : allProducts[h], allProducts[h]]),
    blend: range(3).map((h) => [h === hero ? nearBlend : allBlends[h], allBlends[h]]),
    ...{ together, concat: sheet(first, output.y, last), W_O: sheet(output.x, upper, last), output, pair },
  };
}
