// Where every sheet is at every moment, for one plan of places.

import { range } from "../kit/math.js";

/** @typedef {import("../kit/time.js").Track} Track */
/** @typedef {ReturnType<typeof tracksOn>} Tracks */

/**
 * @param {import("./places.js").Places} G
 */
export function tracksOn(G) {
  const heads = range(3);
  /** @type {(one: any) => Track} */
  const track = (one) => one;
  const now = (/** @type {number} */ t) => [t, t + 0.01];
  const strip = (r, h) => {
    const { whole, apart, own } = G.strips[r][h];
    return [whole, [7.15, 7.5, apart], [7.85, 8.55, own]];
  };
  return {
    x: track([G.x, [2.55, 3, G.source], [...now(10), G.pair[0]]]),
    flat: heads.map((r) => track([G.outs[r], [6.05, 6.5, G.flat[r]]])),
    q: heads.map((h) => track([...strip(0, h), [...now(10), G.product[h][0].q], [14.6, 15, G.product[h][1].q]])),
    k: heads.map((h) =>
      track([...strip(1, h), [9.35, 9.8, G.keys[h]], [11.95, 12.4, G.product[h][0].k], [14.6, 15, G.product[h][1].k]]),
    ),
    v: heads.map((h) => track([...strip(2, h), [...now(10), G.blend[h][0].v], [21.55, 21.95, G.blend[h][1].v]])),
    scores: heads.map((h) =>
      track([
        G.product[h][0].scores,
        [14.6, 15, G.product[h][1].scores],
        [16, 16.45, G.tables[h]],
        [19.65, 20.05, G.blend[h][0].weights],
        [21.55, 21.95, G.blend[h][1].weights],
      ]),
    ),
    heads: heads.map((h) =>
      track([
        G.blend[h][0].heads,
        [21.55, 21.95, G.blend[h][1].heads],
        [22.45, 23, G.together(h, 1)],
        [23.1, 23.35, G.together(h, 0)],
      ]),
    ),
    concat: track([G.together(0, 0), [23.6, 23.95, G.concat]]),
    y: track([G.output, [25.1, 25.55, G.pair[1]]]),
  };
}
