// The sentences of MixLab: where the outputs are, and whether a target can be reached.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { distance, reached, valueAt } from "./hull.js";
import { KEYS, WORDS } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */

export const NEAR = 0.05; // an output this near to a point counts as there

/**
 * @param {ArrayLike<number>} point
 * @param {number} [digits]
 */
export const pointText = (point, digits = 2) => `(${plain(point[0], digits)}, ${plain(point[1], digits)})`;

/** A number that is never −0. @type {(x: number, digits: number) => string} */
export const plain = (x, digits) => number(Number(x.toFixed(digits)) + 0, digits);

/**
 * The output of each head.
 *
 * @param {Pick<Results, "out">} results
 * @param {number} heads
 * @returns {Point[]}
 */
export const outputs = ({ out }, heads) => range(heads).map((h) => [out[2 * h], out[2 * h + 1]]);

/** Whether two points are not at the same place as they are printed. @type {(a: Point, b: Point) => boolean} */
const isNearly = (a, b) => pointText(a) !== pointText(b);

/** A word of a value, told from the words of the sentence. @type {(s: number) => string} */
const word = (s) => `“${WORDS[s]}”`;

/** @type {(parts: string[]) => string} */
const listed = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`);

/** @type {(weight: number) => string} */
export const weightText = (weight) => {
  if (weight > 0.999 && weight < 1) return "> 0.999";
  return number(weight, (weight > 0.995 && weight < 1) || (weight > 0 && weight < 0.005) ? 4 : 2);
};

const SEARCHES = {
  "": "",
  inside: "The query goes where its output meets the cross.",
  edge: "The query runs outwards: the output comes nearer, in ever smaller steps.",
  outside: "The query takes the output as near to the cross as the hull lets it.",
};

/** A number that may be small, and is not 0. @param {number} x */
const tiny = (x) => (x >= 0.005 ? plain(x, 2) : x < 0.00001 ? "less than 0.00001" : number(x, x < 0.0001 ? 5 : 4));

/**
 * What is seen while the picture moves.
 *
 * @param {State} state
 * @param {Results["reach"]} reach
 * @param {boolean} isStory whether queries or the temperature show what they do, on the way
 */
export function movingSentence({ heads, temperature, target }, reach, isStory) {
  if (!isStory) return "The weights change, and the output goes with them.";
  if (heads === 2) return "The two queries part: each has weights of its own, and an output.";
  if (temperature !== 1) return "The temperature changes; keys, query and values stay.";
  if (target) return SEARCHES[reach];
  return "The query turns from key to key: its weights change, and the output moves between the values.";
}

/**
 * What has happened. `offer`: weights that lead to the target, which the reader may take.
 *
 * @param {State & { shares?: boolean }} state
 * @param {Results} results
 * @returns {{ verdict: "good" | "bad" | "", mark: string, text: string, offer: number[] | null }}
 */
export function sentence(state, results) {
  if (state.target) return aboutTarget(state, results);
  if (state.shares) return { verdict: "", mark: "", text: aboutShares(state, results), offer: null };
  if (state.by === "free") return { verdict: "", mark: "", text: aboutFree(state, results), offer: null };
  return { verdict: "", mark: "", text: state.heads === 2 ? aboutTwo(state, results) : aboutOne(state, results), offer: null };
}

/** @type {(state: State, results: Results) => string} */
function aboutOne({ values, by, temperature, queries }, { weights, out }) {
  const [output] = outputs({ out }, 1);
  const order = range(values.length).sort((a, b) => weights[b] - weights[a]);
  const [first, second] = order;
  const [top, next] = [weights[first], weights[second]];
  const where = `the output ${pointText(output)}`;
  const at = valueAt(output, values);
  if (at >= 0 && weights[at] < 0.5)
    return `The output ${pointText(output)} ${isNearly(output, values[at]) ? "can hardly" : "cannot"} be distinguished from the value of ${word(at)}, which has the weight ${weightText(weights[at])}. An average does not say what it is made of.`;
  if (by === "query" && temperature < 1 && top > 0.97) {
    const lead = leadOf(queries[0], first, second);
    return `Divided by ${temperature}, the lead in score of ${word(first)} over ${word(second)} grows from ${number(lead, 2)} to ${number(lead / temperature, 1)}. ${word(first)} has ${weightText(top)} of 1: ${where} is almost at this corner, and never beyond it.`;
  }
  if (top > 0.97) return `${word(first)} has ${weightText(top)} of 1: ${where} is almost at its value, and never beyond it.`;
  if (top - weights[order[order.length - 1]] < 0.03)
    return `All weights are nearly equal: ${where} is nearly the mean of the ${values.length} values.`;
  if (top + next > 0.97) {
    const rest = 1 - top - next;
    const others = values.length === 3 ? word(order[2]) : "the others";
    return `${word(first)} has ${weightText(top)} of 1, ${word(second)} ${weightText(next)}: ${where} is ${rest < 5e-5 ? "" : rest < 0.005 ? "almost exactly " : "nearly "}on the line between their values${rest < 5e-5 ? "" : ` (${weightText(rest)} goes to ${others})`}.`;
  }
  const shown = order.filter((s) => weights[s] >= 0.1).map((s) => `${word(s)} ${weightText(weights[s])}`);
  return `${listed(shown)}: ${where} lies inside ${values.length === 3 ? "the triangle of values" : "the hull"}, as every average does.`;
}

/** By how much the score of one key is higher than that of another, at temperature 1. @type {(q: Point, a: number, b: number) => number} */
function leadOf([x, y], first, second) {
  const [a, b] = [KEYS[first], KEYS[second]];
  return (x * (a[0] - b[0]) + y * (a[1] - b[1])) / Math.SQRT2;
}

/** @type {(state: State, results: Results) => string} */
function aboutTwo({ values }, results) {
  const S = values.length;
  const [first, second] = outputs(results, 2);
  /** @type {Point} */
  const middle = [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2];
  const at = valueAt(middle, values);
  const both = `The outputs are ${pointText(first)} and ${pointText(second)}`;
  const passed = `The layer passes on both points, ${pointText(first)} and ${pointText(second)}`;
  if (distance(first, second) <= NEAR)
    return at >= 0
      ? `${both}: two heads that look alike say no more than one. Both stand at the value of ${word(at)}.`
      : `${both}: two heads that look alike say no more than one.`;
  if (at >= 0) {
    const isUnseen = [at, S + at].every((n) => results.weights[n] < 0.05);
    const value = `the value of ${at === 3 && S === 4 ? "the fourth word, " : ""}${word(at)}${isUnseen ? ", at which neither head looks" : ""}`;
    return `${passed}. One head, half and half, would give ${pointText(middle)}, ${isNearly(middle, values[at]) ? "nearly " : ""}${value}.`;
  }
  return `${passed}: each lies in the hull, and together they say what one average cannot.`;
}

/** @type {(state: State, results: Results) => string} */
function aboutFree({ values, heads }, { weights, out }) {
  const S = values.length;
  return outputs({ out }, heads)
    .map((output, h) => {
      const row = Array.from(weights.subarray(h * S, (h + 1) * S));
      const place = reached(values, output).reach === "outside" ? "outside of the hull" : "in the hull";
      return `${heads === 2 ? `Head ${h}: ` : ""}${aboutRow(row)} The output ${pointText(output)} lies ${place}.`;
    })
    .join(" ");
}

/** How much of each output the weighted values are, measured along it. @type {(state: State, results: Results) => string} */
function aboutShares({ values, heads }, { weights, parts }) {
  const S = values.length;
  const each = range(heads).map((h) => {
    const order = range(S).sort((a, b) => weights[h * S + b] - weights[h * S + a]);
    const whose = heads === 2 ? `Head ${h}: ` : "";
    if (Number.isNaN(parts[h * S])) return `${whose}the output is 0, and there are no shares of it.`;
    const shown = order
      .filter((s, n) => n < 3 && Math.abs(weights[h * S + s]) >= 0.05)
      .map((s) => `${word(s)}, with the weight ${weightText(weights[h * S + s])}, makes up ${plain(parts[h * S + s], 2)} of it`);
    const back = order.filter((s) => parts[h * S + s] < -0.005).map(word);
    const pulled = back.length ? ` ${listed(back)} ${back.length > 1 ? "pull" : "pulls"} the output back.` : "";
    return `${whose}${listed(shown)}.${pulled}`;
  });
  return `Measured along the output: ${each.join(" ")}`;
}

/** Whether a softmax could make these weights. @type {(row: number[]) => string} */
function aboutRow(row) {
  const sum = row.reduce((a, b) => a + b, 0);
  const below = range(row.length).filter((s) => row[s] < 0);
  const isOne = Math.abs(sum - 1) < 0.005;
  if (below.length)
    return `${listed(below.map(word))} ${below.length > 1 ? "have weights" : "has a weight"} below 0, which no softmax makes.`;
  return isOne
    ? "These weights sum to 1 and none is below 0."
    : `These weights sum to ${number(sum, 2)}, not to 1: no softmax makes them.`;
}

/** @type {(state: State, results: Results) => { verdict: "good" | "bad" | "", mark: string, text: string, offer: number[] | null }} */
function aboutTarget({ values, by, heads, target }, results) {
  const goal = /** @type {Point} */ (target);
  const { reach, nearest } = results;
  const needed = Array.from(results.needed);
  const far = outputs(results, heads).map((output) => distance(output, goal));
  const [best] = [...far].sort((a, b) => a - b);
  const isThere = best <= NEAR;
  const known = needed.every(Number.isFinite);
  const takes = known ? listed(needed.map((weight, s) => `${word(s)} ${plain(weight, 2)}`)) : "";
  const offer = known && !isThere ? needed : null;
  const it = pointText(goal, 1);
  const away = isThere ? "The output is there." : `The output is ${number(best, 2)} away.`;
  if (reach === "outside") {
    if (by === "free" && isThere)
      return {
        verdict: "bad",
        mark: "✗",
        text: `${it} is reached, but not by a head. ${aboutRow(Array.from(results.weights).slice(0, values.length))}`,
        offer: null,
      };
    const least = distance([nearest[0], nearest[1]], goal);
    const stays =
      best - least < 0.01
        ? `stays ${number(best, 2)} away`
        : `is ${number(best, 2)} away, and comes no nearer than ${number(least, 2)}`;
    const below = range(values.length).filter((s) => needed[s] < 0);
    const terms = listed(below.map((s, n) => `${word(s)} ${n ? "" : "would need the weight "}${plain(needed[s], 2)}`));
    const because = known ? ` To get there, ${terms}; softmax gives none below 0.` : "";
    const text = `${it} is outside of the shaded hull: the output ${stays}.${because}`;
    return { verdict: "bad", mark: "✗", text, offer };
  }
  if (reach === "edge") {
    const least = Math.min(...results.weights);
    const text =
      by !== "query" || !isThere
        ? `a head comes as near as you like, but its softmax gives each key a weight above 0. ${away}`
        : `the output comes ever nearer and never arrives, as each key keeps a weight above 0. Here the least is ${tiny(least)}, and the output is ${tiny(best)} away.`;
    return { verdict: "bad", mark: "✗", text: `${it} is on the edge of the hull: ${text}`, offer };
  }
  return {
    verdict: isThere ? "good" : "",
    mark: isThere ? "✓" : "",
    text: `${it} is inside the hull, so there are weights that lead to it${known ? `: ${takes}` : ""}. ${away}`,
    offer,
  };
}
