// A panel of VarianceLab: the histogram of the scores under the curve of the law, and the weights of query 0 as bars.

import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { KEYS } from "./draws.js";
import { histogramOf, ticksOf } from "./histogram.js";
import { brief } from "./words.js";

const WIDTH = 320;
const HEIGHT = 120; // of the histogram, above its axis
const AXIS_HEIGHT = 18;
const BARS_HEIGHT = 64; // of the picture of the weights

/** @param {"raw" | "divided"} kind */
export function panel(kind) {
  const bars = svg("path", { class: "bars" });
  const curve = svg("path", { class: "curve" });
  const axis = svg("path", { class: "axis" });
  const ticks = svg("g", { class: "ticks" });
  const outside = svg("text", { class: "outside", x: WIDTH - 4, y: 12, "text-anchor": "end" });
  const viewBox = `0 0 ${WIDTH} ${HEIGHT + AXIS_HEIGHT}`;
  const histogram = svg("svg", { viewBox, role: "img" }, bars, axis, curve, ticks, outside);
  const baseline = svg("path", { class: "axis", d: `M0 ${BARS_HEIGHT}H${WIDTH}` });
  const keys = svg("path", { class: "keys" });
  const largest = svg("text", { class: "outside" });
  const weights = svg("svg", { viewBox: `0 0 ${WIDTH} ${BARS_HEIGHT + 1}`, role: "img" }, baseline, keys, largest);
  const title = element("p", { class: "title" });
  const caption = element("small", {}, `weights of query 0 for its ${KEYS} keys`);
  const node = element("section", { class: kind }, title, histogram, weights, caption);
  let drawnReach = 0;

  /**
   * @param {Float64Array | Float32Array} scores
   * @param {number} variance of the curve
   * @param {number} reach the histogram shows the scores from -reach to reach
   * @param {ArrayLike<number>} shares the weights, of which those of query 0 are drawn
   */
  function draw(scores, variance, reach, shares) {
    const shown = histogramOf(scores, { variance, reach, width: WIDTH, height: HEIGHT });
    setAttributes(bars, { d: shown.bars });
    setAttributes(curve, { d: shown.curve });
    const label = `${kind} scores: histogram and the normal curve with variance ${brief(variance)}`;
    setAttributes(histogram, { "aria-label": label });
    setText(outside, shown.outside > 0 ? `${(100 * shown.outside).toFixed(shown.outside < 0.1 ? 1 : 0)}% outside` : "");
    if (drawnReach !== reach) {
      drawnReach = reach;
      drawAxis(reach);
    }
    drawWeights(shares);
  }

  function drawAxis(reach) {
    const marks = ticksOf(reach).map((value) => ({ value, x: (WIDTH * (0.5 + value / reach / 2)).toFixed(1) }));
    setAttributes(axis, { d: `M0 ${HEIGHT}H${WIDTH}${marks.map(({ x }) => `M${x} ${HEIGHT}v4`).join("")}` });
    ticks.replaceChildren(
      ...marks.map(({ value, x }) => svg("text", { x, y: HEIGHT + 15, "text-anchor": "middle" }, number(value, 0))),
    );
  }

  function drawWeights(shares) {
    const step = WIDTH / KEYS;
    const heights = range(KEYS).map((j) => (shares[j] * (BARS_HEIGHT - 12)).toFixed(1));
    const bar = (height, j) => `M${j * step + 2} ${BARS_HEIGHT}v-${height}h${step - 4}v${height}z`;
    setAttributes(keys, { d: heights.map(bar).join("") });
    const best = range(KEYS).reduce((a, b) => (shares[b] > shares[a] ? b : a));
    setAttributes(largest, {
      x: ((best + 0.5) * step).toFixed(1),
      y: (BARS_HEIGHT - 3 - Number(heights[best])).toFixed(1),
      "text-anchor": best === 0 ? "start" : best === KEYS - 1 ? "end" : "middle",
    });
    setText(largest, shares[best].toFixed(2));
    setAttributes(weights, {
      "aria-label": `weights of query 0: the largest is ${shares[best].toFixed(2)}, of key ${best}`,
    });
  }

  return { node, title, draw };
}
