// The right picture: the values with their hull, and for each head the weighted values, tip to tail, that meet at its output.

import { range } from "../kit/math.js";
import { distance, hull } from "./hull.js";
import { axes, outwards, samples } from "./keys.js";
import { labelled } from "./labels.js";
import { partsOf, REACH, TEMPERATURES, WORDS } from "./model.js";
import { arrow, circle, line, toPlace } from "./sheet.js";
import { NEAR, plain, pointText, weightText } from "./words.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./sheet.js").Plan} Plan */
/** @typedef {import("./sheet.js").Shape} Shape */
/** @typedef {import("./between.js").Frame} Frame */
/** @typedef {import("./labels.js").Label} Label */

const THICKNESS = 5; // of an arrow's line, in pixels
const MIDWAY = 23; // of TEMPERATURES: where a path bends
const LEAST = 0.004; // a smaller weight has no arrow
const NARROW = 400; // pixels
const SHORT = 44; // pixels: on a phone; the label of a shorter arrow would stand beside something else
const SMALL = 0.2; // the arrow of a smaller weight has a label only where there is room for it; the bar shows all weights

/**
 * @param {Plan} plan
 * @param {Frame} frame
 * @param {Results} results
 * @param {import("./keys.js").Look} look
 * @param {{ pick: number, shares: boolean, trail?: Point[] }} view trail: where the output was, newest first
 * @returns {[shapes: Shape[], label: string]}
 */
export function valuesPicture(plan, frame, results, look, { pick, shares, trail = [] }) {
  const { values, by, heads, target, weights, outs, hasPath } = frame;
  const isCompared = heads === 2 && by !== "free" && !target && !shares && distance(outs[0], outs[1]) > NEAR;
  /** @type {(point: ArrayLike<number>) => Point} */
  const at = (point) => toPlace(plan, point);
  const places = values.map(at);
  const origin = at([0, 0]);
  const marks = ticks(plan);
  /** @type {Shape[]} */
  const shapes = [["path", { d: `${line(hull(values).map(at))}Z`, class: "hull" }], axes(plan), ...marks.map(({ shape }) => shape)];
  shapes.push(...places.map((place) => /** @type {Shape} */ (["path", { d: line([origin, place]), class: "ray" }])));
  /** @type {Label[]} */
  const arrowLabels = [];
  /** @type {Label[]} */
  const pathLabels = [];
  /** @type {{ at: Point, r: number }[]} what labels shall not cover */
  const covered = marks.flatMap(({ at }) => (at ? [{ at, r: 8 }] : []));
  const edges = (plan.width > NARROW ? hull(values) : []).flatMap((corner, n, all) =>
    samples(at(corner), at(all[(n + 1) % all.length]), 2),
  );
  for (const h of range(heads)) {
    if (hasPath) {
      const path = pathOf(results, h).map(at);
      shapes.push(["path", { d: line(path), class: "path" }]);
      if (!h)
        pathLabels.push({
          text: "at other temperatures",
          at: path[MIDWAY],
          away: [1, 1],
          gap: 4,
          kind: "quiet",
          optional: true,
          roams: true,
          clear: path.map((place) => ({ at: place, r: 3 })),
        });
    }
    const chain = chainOf(values, weights[h]);
    const last = weights[h].findLastIndex((weight) => Math.abs(weight) >= LEAST);
    const centre = middleOf([origin, ...chain.map(([, to]) => at(to))]);
    chain.forEach(([from, to], s) => {
      const weight = weights[h][s];
      const [start, end] = [at(from), at(to)];
      const d = arrow(start, end, THICKNESS, s === last ? 7 : 0); // the last one ends at the dot of the output
      if (!d || Math.abs(weight) < LEAST) return;
      shapes.push(["path", { d, fill: look.tints[s], class: weight < 0 ? "arrow below" : "arrow" }]);
      covered.push(...samples(start, end, 6));
      if (heads === 1 && !shares && Math.abs(weight) >= 0.095 && distance(start, end) > (plan.width > NARROW ? 80 : SHORT))
        arrowLabels.push({
          text: `${weightText(weight)} · ${WORDS[s]}`,
          at: middleOf([start, end]),
          away: outside(start, end, centre),
          gap: 7,
          isFixed: true,
          optional: Math.abs(weight) < SMALL,
        });
    });
  }
  arrowLabels.sort((a, b) => Number(a.optional) - Number(b.optional));
  if (shares)
    for (const h of range(heads)) {
      const { drawn, lines } = projected(plan, frame, h, look);
      shapes.push(...drawn);
      covered.push(...lines.flatMap(({ from, to }) => samples(from, to, 3)));
      const parts = partsOf(weights[h], values, outs[h]); // of this moment
      const largest = range(lines.length).sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]));
      for (const s of largest.filter((one) => Math.abs(parts[one]) >= 0.05)) {
        const { from, to, away } = lines[s];
        const text = `${WORDS[s]} ${plain(parts[s], 2)}`;
        arrowLabels.push({ text, at: middleOf([from, to]), away, gap: 5, kind: "quiet", optional: true, roams: true });
      }
    }
  const outPlaces = outs.map(at);
  const isTaken = (/** @type {Point} */ value) => outs.some((out) => distance(out, value) < 0.6);
  /** @type {(h: number) => Record<string, string>} the dot of an output; that of the second head is hollow */
  const dot = (h) => {
    if (heads === 1) return { fill: "currentColor", style: "" };
    return h ? { fill: "var(--lab-paper)", style: `stroke:${look.head};stroke-width:3` } : { fill: look.head, style: "" };
  };
  /** @type {Label[]} */
  const labels = [];
  if (target) {
    const [x, y] = at(target);
    const isOutside = results.reach === "outside";
    if (isOutside) {
      const [nearest] = [...outs].sort((a, b) => distance(a, target) - distance(b, target)).map(at);
      shapes.push(["path", { d: line([[x, y], nearest]), class: "missing" }]);
      covered.push(...samples([x, y], nearest, 4));
      const gap = Math.min(...outs.map((out) => distance(out, target)));
      if (gap > NEAR)
        labels.push({
          text: `${plain(gap, 2)} away`,
          at: middleOf([[x, y], nearest]),
          away: [1, 0],
          gap: 6,
          kind: "strong bad",
          clear: edges,
        });
    }
    const isThere = results.reach === "inside" && outs.some((out) => distance(out, target) <= NEAR);
    const verdict = isThere ? "good" : results.reach === "inside" ? "" : "bad";
    shapes.push(["path", { d: `M${x - 9} ${y - 9}l18 18m0 -18l-18 18`, class: `target ${verdict}` }]);
    shapes.push(["path", { d: circle([x, y], 12), class: "grip around" }]);
    labels.push({
      text: `to reach ${pointText(target, 1)}`,
      at: [x, y],
      away: outwards(target),
      gap: 10,
      kind: `strong ${verdict}`,
      isClose: true,
      clear: edges,
    });
  }
  places.forEach((place, s) => {
    shapes.push([
      "path",
      { d: circle(place, heads === 2 && isTaken(values[s]) ? 12 : 8), fill: look.tints[s], class: "point grip" },
    ]);
  });
  shapes.push(["path", { d: circle(pick < values.length ? places[pick] : target ? at(target) : places[0], 13), class: "chosen" }]);
  if (isCompared) {
    const middle = at(middleOf(outs));
    shapes.push(["path", { d: line([outPlaces[0], middle, outPlaces[1]]), class: "halves" }]);
    shapes.push(["path", { d: `M${middle[0]} ${middle[1] - 13}v-15`, class: "halves" }]);
    shapes.push(["path", { d: circle(middle, 13), class: "halves" }]);
    covered.push({ at: middle, r: 12 });
    labels.push({ text: "one head, half and half", at: middle, away: [0, -1], gap: 36, kind: "strong" });
  }
  shapes.push(
    ...trail.map(
      (out, n) => /** @type {Shape} */ (["path", { d: circle(at(out), 3), class: "trail", style: `opacity:${1 - n / 12}` }]),
    ),
  );
  outPlaces.forEach((place, h) => {
    shapes.push(["path", { d: circle(place, 6.5), ...dot(h), class: "output" }]);
    const name = heads === 1 ? "output" : `output ${h}`;
    labels.push({
      text: name, // the sentence says where it is
      at: place,
      away: heads === 1 ? outwards(outs[h]) : [0, -1],
      gap: 9,
      kind: "strong",
      clear: heads === 1 ? edges : [],
    });
  });
  const aside = (/** @type {Point} */ value) =>
    /** @type {Point} */ (isTaken(value) || (isCompared && !value[0]) ? [value[0], 1] : outwards(value));
  labels.unshift(
    ...values.map((value, s) => ({ text: WORDS[s], at: places[s], away: heads === 1 ? outwards(value) : aside(value), gap: 14 })),
  );
  covered.push(...[...places, ...outPlaces, ...(target ? [at(target)] : [])].map((one) => ({ at: one, r: 6 })));
  const [first, later] = shares ? [[], arrowLabels] : [arrowLabels, []];
  shapes.push(
    ...labelled(
      plan,
      [...labels.slice(0, values.length), ...first, ...labels.slice(values.length), ...later, ...pathLabels],
      covered,
    ),
  );
  const list = outs.map((out, h) => `${heads > 1 ? `output ${h}` : "output"} ${pointText(out)}`).join(", ");
  const moved = pick < values.length ? `value of ${WORDS[pick]}` : "point to reach";
  return [shapes, `values: ${list}. Arrow keys move the ${moved}; Page Up and Page Down choose another.`];
}

/**
 * A tick at each whole number of both axes, and 0 and 1 on one of them, which stay where they are.
 *
 * @param {Plan} plan
 * @returns {{ shape: Shape, at: Point | null }[]} at: the middle of a number
 */
function ticks(plan) {
  const places = range(2 * REACH + 1).map((n) => [toPlace(plan, [n - REACH, 0]), toPlace(plan, [0, n - REACH])]);
  const d = places.map(([across, up]) => `M${across[0]} ${across[1] - 3}v6M${up[0] - 3} ${up[1]}h6`).join("");
  const numbers = /** @type {[text: string, at: Point, dx: number, dy: number][]} */ ([
    ["0", [0, 0], 9, 12],
    ["1", [1, 0], 0, 12],
  ]).map(([text, at, dx, dy]) => {
    const [x, y] = toPlace(plan, at);
    /** @type {Shape} */
    const shape = ["text", { x: x + dx, y: y + dy + 4, class: "quiet" }, text];
    return { shape, at: /** @type {Point} */ ([x + dx, y + dy]) };
  });
  return [{ shape: ["path", { d, class: "axes" }], at: null }, ...numbers];
}

/** For each value: where its part of the output begins and ends. @type {(values: Point[], weights: number[]) => [Point, Point][]} */
function chainOf(values, weights) {
  /** @type {Point} */
  let from = [0, 0];
  return values.map(([x, y], s) => {
    const start = from;
    from = [start[0] + weights[s] * x, start[1] + weights[s] * y];
    return [start, from];
  });
}

/** @type {(points: Point[]) => Point} */
const middleOf = (points) =>
  /** @type {Point} */ ([0, 1].map((d) => points.reduce((sum, point) => sum + point[d] / points.length, 0)));

/** The side of an arrow on which the others are not. @type {(start: Point, end: Point, centre: Point) => Point} */
function outside(start, end, centre) {
  const [x, y] = middleOf([start, end]);
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  return (x - centre[0]) * dy < (y - centre[1]) * dx ? [-dy, dx] : [dy, -dx];
}

/** @type {(results: Results, h: number) => Point[]} */
function pathOf({ path }, h) {
  const start = 2 * TEMPERATURES.length * h;
  return TEMPERATURES.map((_, n) => [path[start + 2 * n], path[start + 2 * n + 1]]);
}

/**
 * The parts of an output, measured along it: the ends of the arrows are projected on the line from 0 to the output.
 *
 * @param {Plan} plan
 * @param {Frame} frame
 * @param {number} h
 * @param {import("./keys.js").Look} look
 * @returns {{ drawn: Shape[], lines: { from: Point, to: Point, away: Point }[] }}
 */
function projected(plan, { values, weights, outs }, h, look) {
  const [x, y] = outs[h];
  const length = distance(outs[h], [0, 0]);
  if (length < 1e-6) return { drawn: [], lines: [] };
  const [ux, uy] = [x / length, y / length];
  const aside = 5 / plan.unit;
  /** @type {(point: Point, row: number) => Point} */
  const foot = ([a, b], row) => {
    const far = a * ux + b * uy;
    return toPlace(plan, [ux * far + uy * aside * row, uy * far - ux * aside * row]);
  };
  const chain = chainOf(values, weights[h]);
  const ends = chain.map(([from, to], s) => [foot(from, s + 1), foot(to, s + 1)]);
  /** @type {Shape[]} */
  const drawn = ends.flatMap(([start, end], s) => [
    ["path", { d: line([toPlace(plan, chain[s][1]), end]), class: "drop" }],
    ["path", { d: line([start, end]), class: "share edge" }],
    ["path", { d: line([start, end]), stroke: look.tints[s], class: "share" }],
  ]);
  drawn.unshift(["path", { d: line([toPlace(plan, [0, 0]), toPlace(plan, outs[h])]), class: "whole-output" }]);
  const lines = ends.map(([from, to]) => ({ from, to, away: /** @type {Point} */ ([uy, ux]) }));
  return { drawn, lines };
}
