// The left picture: the keys, and the query of each head as an arrow.

import { range } from "../kit/math.js";
import { labelled } from "./labels.js";
import { KEYS, scoresAt, WORDS } from "./model.js";
import { arrow, circle, line, toPlace } from "./sheet.js";
import { plain, pointText } from "./words.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./sheet.js").Plan} Plan */
/** @typedef {import("./sheet.js").Shape} Shape */
/** @typedef {import("./between.js").Frame} Frame */

const ROOM = 58; // pixels of width for each key, without which scores would crowd

/** @typedef {{ tints: string[], head: string, query: string }} Look a colour for each word, for two heads, and for a single query */

/**
 * The axes of a plane.
 *
 * @param {Plan} plan
 * @returns {Shape}
 */
export function axes(plan) {
  const [x, y] = toPlace(plan, [0, 0]);
  return ["path", { d: `M4 ${y}H${plan.width - 4}M${x} 4V${plan.height - 4}`, class: "axes" }];
}

/**
 * The direction in which something points, on the sheet; upwards if in none.
 *
 * @param {ArrayLike<number>} point
 * @returns {Point}
 */
export const outwards = (point) => (Math.hypot(point[0], point[1]) < 0.05 ? [0, -1] : [point[0], -point[1]]);

/** Points along an arrow. @type {(from: Point, to: Point, r: number) => { at: Point, r: number }[]} */
export function samples(from, to, r) {
  const count = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 8);
  return range(count).map((n) => {
    const share = (n + 0.5) / count;
    return { at: [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share], r: 0.8 * r };
  });
}

/**
 * @param {Plan} plan
 * @param {Frame} frame
 * @param {Look} look
 * @param {number} head whose query the arrow keys move
 * @returns {[shapes: Shape[], label: string]}
 */
export function keysPicture(plan, { values, queries, temperature, heads, by, hasScores: areScored }, look, head) {
  const origin = toPlace(plan, [0, 0]);
  const keys = KEYS.slice(0, values.length);
  const places = keys.map((key) => toPlace(plan, key));
  /** @type {Shape[]} */
  const shapes = [axes(plan)];
  shapes.push(...places.map((place) => /** @type {Shape} */ (["path", { d: line([origin, place]), class: "ray" }])));
  shapes.push(
    ...places.map((place, s) => /** @type {Shape} */ (["path", { d: circle(place, 6), fill: look.tints[s], class: "point" }])),
  );
  const used = by === "query" ? "query" : "query unused";
  const asked = range(heads).map((h) => ({ h, query: queries[h], place: toPlace(plan, queries[h]) }));
  for (const { h, place } of asked) {
    const fill = heads === 1 ? look.query : look.head;
    const isOne = heads === 1;
    shapes.push(["path", { d: arrow(origin, place, 4, isOne ? 0 : 5), fill, class: used }]);
    if (h === head || isOne) shapes.push(["path", { d: circle(place, 13), class: "chosen" }]);
    // A ring around the tip of a single query, which may be short; of two, the second is hollow.
    const open = { fill: isOne ? "transparent" : "var(--lab-paper)", style: `stroke:${fill};stroke-width:${isOne ? 2 : 3}` };
    const dot = isOne || h ? open : { fill, style: "" };
    shapes.push(["path", { d: circle(place, isOne ? 9 : h ? 5 : 6), ...dot, class: `${used} grip` }]);
  }
  const scores = scoresAt(temperature, queries[0], keys.length);
  const hasScores = areScored && plan.width >= ROOM * keys.length;
  /** @type {(s: number) => string} */
  const scoreText = (s) => plain(scores[s], Math.abs(scores[s]) < 9.95 ? 2 : 1);
  const labels = [
    ...asked.map(({ h, query, place }) => ({
      ...{ text: heads === 1 ? "query" : `query ${h}`, at: place, away: outwards(query), gap: 11 },
      kind: by === "query" ? "strong" : "quiet",
    })),
    ...keys.map((key, s) => ({
      ...{ text: hasScores ? `${WORDS[s]} ${scoreText(s)}` : WORDS[s], at: places[s] },
      ...{ away: outwards(key), gap: 11 },
    })),
  ];
  const arrows = asked.flatMap(({ place }) => samples(origin, place, 3));
  const points = [...places.map((at) => ({ at, r: 8 })), ...asked.map(({ place }) => ({ at: place, r: 6 })), ...arrows];
  shapes.push(...labelled(plan, labels, points));
  const list = asked.map(({ h, query }) => `${heads > 1 ? `query ${h}` : "query"} ${pointText(query, 1)}`).join(", ");
  const scored = hasScores ? ` Scores: ${keys.map((_, s) => `${WORDS[s]} ${scoreText(s)}`).join(", ")}.` : "";
  const turn = heads > 1 ? "; Page Up and Page Down choose a query" : "";
  return [shapes, `queries and keys: ${list}. Arrow keys move the query${turn}.${scored}`];
}
