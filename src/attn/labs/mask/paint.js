// The upper half of MaskLab's picture: arcs from a query to its keys, in SVG, the stronger the larger the weight. What has just been
// hidden falls, and a broken line stays where it was.

import { inkOn } from "../kit/colours.js";
import { setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { fall, soft } from "../kit/time.js";
import { arcsOf } from "./arcs.js";

const LABELLED = { arc: 15, column: 45 }; // the least widths of an arc and a column that have room for a number, in pixels
const DEEP = 60; // how far a cut arc falls, in pixels
const ABOVE = 46; // the height of what stands above arcs that have made room, in pixels
const FOOT = 5; // the height of the bar at the query

/**
 * @typedef {object} Row the row of the query
 * @property {number[]} weights
 * @property {number[]} before the weights before the move
 * @property {(number | null)[]} fallen for each key: how far its cut arc has fallen, or null
 * @property {number[]} may 1 where the mask that arrives lets the query look
 * @property {ArrayLike<number>} intended 1 where the query is meant to look
 * @property {number} p the column of the query
 * @property {string[]} tints the colour of each key
 * @property {number} grown how far the arcs have grown out of the query, 1 at rest
 * @property {number} lowered how far they have made room for what stands above them, at most 1
 */

export function arcsPicture() {
  const base = svg("rect", { class: "base", height: FOOT });
  const arcs = svg("g");
  const cut = svg("g");
  const numbers = svg("g");
  const ghosts = svg("g", { class: "ghosts" });
  const node = svg("svg", { class: "arcs", "aria-hidden": "true" }, arcs, ghosts, base, numbers, cut);

  /**
   * @param {Row} row
   * @param {number} width of the picture, in pixels
   */
  function draw({ weights, before, fallen, may, intended, p, tints, grown, lowered }, width) {
    const S = weights.length;
    const column = width / S;
    const height = width > 400 ? 130 : 88;
    const space = { column, band: Math.min(0.5 * column, 30), height: height - ABOVE * lowered };
    setAttributes(node, { viewBox: `0 ${-height} ${width} ${height + FOOT}`, style: `height:${height + FOOT}px` });
    const finite = weights.map((weight) => (Number.isFinite(weight) ? weight : 0));
    const all = arcsOf(finite, p, space);
    const isDrawn = (/** @type {number} */ j) =>
      fallen[j] === null && Number.isFinite(weights[j]) && (may[j] === 1 || finite[j] > 0);
    const drawn = all.filter(({ j }) => isDrawn(j));
    setAttributes(arcs, { transform: `scale(1 ${grown})` });
    setChildCount(arcs, drawn.length, () => svg("path"));
    drawn.forEach(({ j, d }, n) => {
      setAttributes(arcs.children[n], { d, class: intended[j] ? "" : "wrong", style: `fill:${tints[j]}` });
    });
    const hidden = all.filter(({ j }) => may[j] === 0 && !isDrawn(j));
    setChildCount(ghosts, hidden.length, () => svg("path"));
    hidden.forEach(({ j, d }, n) => {
      setAttributes(ghosts.children[n], { d, style: `opacity:${fallen[j] === null ? 1 : soft(Number(fallen[j]))}` });
    });
    const named = grown < 1 || column < LABELLED.column ? [] : drawn.filter((arc) => arc.width >= LABELLED.arc);
    setChildCount(numbers, named.length, () => svg("text"));
    named.forEach(({ j, x, y }, n) => {
      setAttributes(numbers.children[n], { x, y: y + 4, style: `fill:${inkOn(tints[j])}` });
      setText(numbers.children[n], number(weights[j], 2));
    });
    const places = arcsOf(before, p, space);
    const falling = range(S).filter((j) => fallen[j] !== null && Number(fallen[j]) < 1);
    setChildCount(cut, falling.length, () => svg("path"));
    falling.forEach((j, n) => {
      const far = Number(fallen[j]);
      const { d, x } = places[j];
      const lean = j < p ? -9 : 9;
      const turn = `translate(0 ${DEEP * fall(far)}) rotate(${lean * fall(far)} ${x} 0)`;
      setAttributes(cut.children[n], { d, transform: turn, style: `fill:${tints[j]};opacity:${1 - soft(far)}` });
    });
    setAttributes(base, { x: (p + 0.5) * column - space.band / 2, y: 0, width: space.band });
  }

  return { node, draw };
}
