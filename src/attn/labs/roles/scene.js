// What RolesLab's picture shows at a moment. There are two moves. "ask": the query of the asking word visits every key, the bar is
// divided, and the values are blended; or the row of a table falls into the bar. "exchange": words and what belongs to them fly. Both end
// in exactly what a jump shows.

import { range } from "../kit/math.js";
import { blend, divide, fly, fold } from "../kit/moves.js";
import { fade, mix, progress, swing } from "../kit/time.js";
import { scoreOf, stripsOf, tableCells } from "./layout.js";
import { orderOf, rowOf, wordsOf } from "./model.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {{ settings: import("./model.js").Settings, results: import("./model.js").Results, plan: Plan }} State */
/** @typedef {"ask" | "exchange"} Kind */
/** @typedef {{ id: number, values: number[], box: Box, alpha: number, said?: number }} Strip numbers below each other, of one word; `said`: how visible the numbers are */

/**
 * Things of a word have its number, the place before the exchange. Segments of a table's row have the number of the place.
 *
 * @typedef {object} Scene
 * @property {number} asker
 * @property {number | null} answer the word that is the right answer
 * @property {{ id: number, text: string, box: Box }[]} words
 * @property {Strip[]} queries
 * @property {Strip[]} keys
 * @property {Strip | null} visitor the query on its way
 * @property {{ value: number, box: Box }[]} products that fall into a score
 * @property {{ id: number, value: number, box: Box, alpha: number, said?: number }[]} scores
 * @property {{ value: number, box: Box }[]} cells of the table
 * @property {Box | null} frame around a row of the table
 * @property {{ value: number, box: Box }[]} falling the row of the table on its way
 * @property {{ id: number, text: string, weight: number, box: Box, above: Box, alpha: number, funnel: number, said: number }[]} segments of the bar; `said`: how visible the text is
 * @property {Strip[]} values as wide as their weights
 * @property {Strip[]} blended values on their way to the output
 * @property {{ values: number[] | null, box: Box, alpha: number }} out
 */

/** The parts of the move "ask", as shares of its time. */
const VISIT = { from: 0.1, to: 0.5 };
const DIVIDE = { from: 0.5, to: 0.74 };
const BLEND = { from: 0.74, to: 1 };

/**
 * What is drawn at rest.
 *
 * @param {State} state
 * @returns {Scene}
 */
export function restOf({ settings, results, plan }) {
  const order = orderOf(settings);
  const texts = wordsOf(settings);
  const L = order.length;
  const row = order.indexOf(settings.asker);
  const S = results.scaled ? L : settings.rows;
  const width = results.v.length / L;
  const weights = row < S ? rowOf(results.weights, row, S) : [];
  const boxes = divide(weights, plan.bar, 1);
  const strips = plan.columns.map((column, place) => stripsOf(plan, column, place === row));
  const { q, k, scaled, v, out } = results;
  const cells = scaled ? [] : tableCells(plan, S);
  const answer = results.answers[row];
  return {
    asker: settings.asker,
    answer: answer === null ? null : order[answer],
    words: order.map((id, place) => ({ id, text: texts[place], box: plan.columns[place] })),
    queries: q ? [strip(settings.asker, rowOf(q, row, width), strips[row].q)] : [],
    keys: k ? order.map((id, place) => strip(id, rowOf(k, place, width), strips[place].k)) : [],
    visitor: null,
    products: [],
    scores: scaled
      ? order.map((id, place) => ({ id, value: scaled[row * L + place], box: scoreOf(plan, plan.columns[place]), alpha: 1 }))
      : [],
    cells: cells.map((box, n) => ({ value: results.weights[n], box })),
    frame: !scaled && row < S ? rowBox(cells, row, S) : null,
    falling: [],
    segments: weights.map((weight, place) => ({
      ...{ id: scaled ? order[place] : place, text: texts[place], weight, box: boxes[place], above: plan.columns[place] },
      ...{ alpha: 1, funnel: 1, said: 1 },
    })),
    values: weights.map((_, place) => strip(order[place], rowOf(v, place, width), { ...boxes[place], ...plan.values })),
    blended: [],
    out: { values: out ? rowOf(out, row, width) : null, box: plan.out, alpha: 1 },
  };
}

/** @type {(id: number, values: number[], box: Box, alpha?: number) => Strip} */
const strip = (id, values, box, alpha = 1) => ({ id, values, box: { x: box.x, y: box.y, w: box.w, h: box.h }, alpha });

/**
 * The box around row i of a table.
 *
 * @param {Box[]} cells
 * @param {number} i
 * @param {number} S
 */
function rowBox(cells, i, S) {
  const [first, last] = [cells[i * S], cells[i * S + S - 1]];
  return { x: first.x, y: first.y, w: last.x + last.w - first.x, h: first.h };
}

/**
 * What is drawn when t of the move has passed.
 *
 * @param {Kind} kind
 * @param {State | null} before only an exchange needs it
 * @param {State} after
 * @param {number} t
 * @returns {Scene}
 */
export function sceneOf(kind, before, after, t) {
  const end = restOf(after);
  if (t >= 1) return end;
  return kind === "ask" || !before ? asking(end, after, t) : exchanging(restOf(before), end, after, t);
}

/**
 * @param {Scene} end
 * @param {State} after
 * @param {number} t
 * @returns {Scene}
 */
function asking(end, { settings, plan }, t) {
  const visited = end.scores.length ? visiting(end, settings.asker, plan, t) : falling(end, plan, t);
  const n = progress(t, DIVIDE.from, DIVIDE.to, (one) => one);
  const weights = end.segments.map(({ weight }) => weight);
  const parts = divide(weights, plan.bar, n);
  const shown = fade(t, DIVIDE.from - 0.06, DIVIDE.from + 0.04);
  const going = progress(t, BLEND.from, BLEND.to - 0.03, (one) => one);
  return {
    ...end,
    ...visited,
    // Words and numbers wait until the parts are as wide as they say.
    segments: end.segments.map((one, place) => ({
      ...one,
      box: parts[place],
      alpha: shown,
      funnel: shown,
      said: fade(t, DIVIDE.to, DIVIDE.to + 0.05),
    })),
    values: end.values.map((one, place) => ({ ...one, box: { ...one.box, x: parts[place].x, w: parts[place].w }, alpha: shown })),
    blended: t > BLEND.from && end.out.values ? blending(end, weights, plan, going) : [],
    out: { ...end.out, alpha: end.out.values ? fade(t, BLEND.to - 0.12, BLEND.to) : fade(t, BLEND.from, BLEND.to) },
  };
}

/**
 * The query goes from its word past all keys. Where it has passed, it leaves the score.
 *
 * @param {Scene} end
 * @param {number} asker
 * @param {Plan} plan
 * @param {number} t
 */
function visiting(end, asker, plan, t) {
  const [own] = end.queries;
  const word = end.words.find(({ id }) => id === asker)?.box ?? own.box;
  const from = { ...own.box, x: word.x + word.w / 2 - own.box.w / 2, y: word.y };
  const stops = end.words.map(({ id, box }) => stripsOf(plan, box, id === asker).q);
  const step = (VISIT.to - VISIT.from) / stops.length;
  /** @param {number} place when the query is there */
  const at = (place) => VISIT.from + step * (place + 1);
  const reached = stops.filter((_, place) => t >= at(place)).length;
  const next = stops[Math.min(reached, stops.length - 1)];
  const last = reached ? stops[reached - 1] : from;
  const go = reached ? progress(t, at(reached - 1), at(reached)) : progress(t, 0, at(0));
  const isHere = reached < stops.length;
  const folding = end.scores.map((_, place) => progress(t, at(place), at(place) + 1.3 * step, (n) => n));
  return {
    visitor: isHere ? { ...own, box: fly(last, next, go) } : null,
    products: end.scores.flatMap(({ box }, place) => {
      if (folding[place] <= 0 || folding[place] >= 1) return [];
      const [{ values }, q, k] = [own, stops[place], end.keys[place]];
      const h = q.h / values.length;
      const boxes = values.map((_, d) => ({ x: q.x, y: q.y + d * h, w: k.box.x + k.box.w - q.x, h }));
      return fold(boxes, box, folding[place]).map((one, d) => ({ value: values[d] * k.values[d], box: one }));
    }),
    scores: end.scores.map((one, place) => ({ ...one, alpha: folding[place] < 1 ? folding[place] ** 3 : 1 })),
  };
}

/**
 * The row of the table leaves it and falls into the bar.
 *
 * @param {Scene} end
 * @param {Plan} plan
 * @param {number} t
 */
function falling(end, plan, t) {
  const S = end.segments.length;
  const n = progress(t, VISIT.from, DIVIDE.from, (one) => one);
  if (!S || n <= 0 || n >= 1) return {};
  const parts = divide(
    end.segments.map(({ weight }) => weight),
    plan.bar,
    0,
  );
  const y = /** @type {Box} */ (end.frame).y;
  const cells = end.cells.filter(({ box }) => box.y === y);
  return { falling: cells.map(({ value, box }, place) => ({ value, box: fly(box, parts[place], n) })) };
}

/**
 * The values, each as wide as its weight, move onto each other into the output.
 *
 * @param {Scene} end
 * @param {number[]} weights
 * @param {Plan} plan
 * @param {number} n
 */
function blending(end, weights, plan, n) {
  // kit/moves blends rows that lie on each other; here they stand beside each other, so both directions are exchanged.
  const rows = end.values.map(({ box }) => ({ x: box.y, y: box.x + (box.w - plan.bar.w) / 2, w: box.h, h: plan.bar.w }));
  const sum = { x: plan.out.y, y: plan.out.x, w: plan.out.h, h: plan.out.w };
  return blend(weights, rows, sum, 0.5 + n / 2).map(({ x, y, w, h }, place) => ({
    ...end.values[place],
    box: { x: y, y: x, w: h, h: w },
  }));
}

/**
 * @param {Scene} start
 * @param {Scene} end
 * @param {State} after
 * @param {number} t
 * @returns {Scene}
 */
function exchanging(start, end, { plan }, t) {
  const go = swing(t);
  const still = Math.max(1 - fade(t, 0, 0.1), fade(t, 0.9, 1)); // numbers that pass each other cannot be read
  /**
   * Each thing flies from where it was to where it is. Of two words that are exchanged, the one that goes to the left goes below.
   *
   * @template {{ id: number, box: Box }} Thing
   * @param {(scene: Scene) => Thing[]} of
   * @param {number} above how high the other one rises
   * @param {number} below
   * @returns {Thing[]}
   */
  const flown = (of, above = 0, below = 0) =>
    of(end).map((thing) => {
      const was = of(start).find(({ id }) => id === thing.id) ?? thing;
      const right = thing.box.x - was.box.x;
      const box = fly(was.box, thing.box, t, right > 0 ? above : right < 0 ? -below : 0);
      return { ...thing, ...mixed(was, thing, go), box, ...(Math.abs(right) > 1 && { said: still }) };
    });
  const words = flown((scene) => scene.words, 0, plan.columns[0].h - 4);
  const isTable = end.scores.length === 0;
  return {
    ...end,
    words,
    queries: flown((scene) => scene.queries),
    keys: flown((scene) => scene.keys),
    scores: flown((scene) => scene.scores),
    frame: end.frame && fly(start.frame ?? end.frame, end.frame, t),
    segments: flown((scene) => scene.segments).map((one) => ({
      ...one,
      said: isTable ? fade(t, 0.8, 1) : one.said, // until the words are there
      above: isTable ? one.above : (words.find(({ id }) => id === one.id)?.box ?? one.above),
    })),
    values: flown((scene) => scene.values),
    out: { ...end.out, ...mixed(start.out, end.out, go) },
  };
}

/**
 * The numbers of a thing between two states.
 *
 * @param {Record<string, any>} was
 * @param {Record<string, any>} is
 * @param {number} go
 */
function mixed(was, is, go) {
  const numbers = ["value", "weight"].filter((name) => typeof is[name] === "number");
  const single = Object.fromEntries(numbers.map((name) => [name, mix(was[name], is[name], go)]));
  if (!is.values || !was.values) return single;
  return { ...single, values: range(is.values.length).map((d) => mix(was.values[d], is.values[d], go)) };
}
