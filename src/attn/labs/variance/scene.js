// What is drawn at each moment of a move: the scores spread from what they were to what they are, and the division squeezes them.

import { mix, progress } from "../kit/time.js";
import { binsOf, reachOf } from "./bins.js";
import { keysOf, readRows, rowsOf } from "./model.js";

/** @typedef {import("./bins.js").Bins} Bins */
/** @typedef {import("./model.js").Rows} Rows */

/**
 * Scores that can be drawn: `scores` as they are, and divided by `divisor`.
 *
 * @typedef {object} State
 * @property {ArrayLike<number>} scores (queries, keys)
 * @property {number} keys
 * @property {number} divisor
 * @property {number} reach of the axis
 * @property {Bins} bins
 * @property {Rows} raw what softmax makes of the scores as they are
 * @property {Rows} divided and divided
 * @property {number} ghost the standard deviation of the scores at the widest D, behind much narrower ones; 0: none
 */

/**
 * @typedef {object} Moment
 * @property {boolean} [moves] then the numbers of the picture are those of no setting
 * @property {number} reach
 * @property {number} target the reach at rest, whose ticks are drawn
 * @property {{ bins: Bins, divisor: number, rows: Rows }} outline the scores as they are
 * @property {{ bins: Bins, divisor: number, rows: Rows, apart: number }} filled the scores on their way to where the division leaves them;
 *   apart: from 0, where they are those that are outlined, to 1
 * @property {number} ghost see State
 */

export const WIDEST = 512; // the largest D of a page: its scores are a ghost behind those of narrow heads
const NARROW = 0.5; // of the spread of the widest: scores that spread less have this ghost
const OPENING = 12; // the two lanes are apart after a small part of the division, so that each has its name while it goes on
const ROUGH = 20; // halvings that a picture which moves needs: see `jacobianNorm`
const SPREADING = 0.34; // the share of a move in which scores spread, on the axis that is there
const ZOOMING = 0.52; // until here the axis gets its new reach, if it needs one; then the scores are divided

/**
 * @param {import("./model.js").Results} results
 * @param {number} [D]
 * @returns {State}
 */
export function stateOf(results, D = WIDEST) {
  const { scores, divisor, law, facts } = results;
  const keys = keysOf(results);
  const [raw, divided] = [1, divisor].map((c) => rowsOf(scores, keys, c));
  return { scores, keys, divisor, reach: reachOf(law ?? facts), bins: binsOf(scores), raw, divided, ghost: ghostOf(law, D) };
}

/**
 * The spread of the scores at the widest D, if these scores spread much less and the axis has room for both.
 *
 * @param {import("./model.js").Law | null} law
 * @param {number} D
 */
function ghostOf(law, D) {
  if (!law || law.mean) return 0;
  const widest = { mean: 0, variance: (law.variance * WIDEST) / D };
  const isNarrow = law.variance < NARROW ** 2 * widest.variance;
  return isNarrow && reachOf(widest) === reachOf(law) ? Math.sqrt(widest.variance) : 0;
}

/**
 * @param {State | null} before where the move begins; null: from the scores as they are
 * @param {State} now
 * @param {number} t how much of the move has passed; from 1 on everything is at rest
 * @returns {Moment}
 */
export function momentOf(before, now, t) {
  const outline = { bins: now.bins, divisor: 1, rows: now.raw };
  const ghost = now.ghost || (t < 1 && before?.ghost) || 0;
  const at = { moves: t < 1, reach: now.reach, target: now.reach, outline, ghost };
  if (t >= 1)
    return { ...at, filled: { bins: now.bins, divisor: now.divisor, rows: now.divided, apart: Number(now.divisor !== 1) } };
  const farthest = Math.abs(Math.log(Math.max(before?.divisor ?? 1, now.divisor)));
  const apart = (/** @type {number} */ divisor) => (farthest ? Math.min(1, (OPENING * Math.abs(Math.log(divisor))) / farthest) : 0);
  /** @param {number} divisor */
  const squeezed = (divisor) => ({
    bins: now.bins,
    divisor,
    rows: readRows(now.scores, now.keys, divisor, ROUGH),
    apart: apart(divisor),
  });
  const from = before && before.scores.length === now.scores.length ? before : null;
  if (!from || areSame(from.scores, now.scores)) {
    const go = progress(t, 0, 1);
    return { ...at, filled: squeezed((from?.divisor ?? 1) ** (1 - go) * now.divisor ** go) };
  }
  const zoomed = from.reach === now.reach ? SPREADING : ZOOMING;
  const zoom = progress(t, SPREADING, zoomed);
  const reach = t >= zoomed ? now.reach : from.reach ** (1 - zoom) * now.reach ** zoom;
  const target = t < SPREADING ? from.reach : now.reach;
  if (t >= SPREADING) return { ...at, reach, target, filled: squeezed(now.divisor ** progress(t, zoomed, 1)) };
  const go = progress(t, 0, SPREADING);
  /** @param {number} divisor of the scores before */
  const spread = (divisor) => {
    const scores = new Float64Array(now.scores.length);
    for (let n = 0; n < scores.length; n++) scores[n] = mix(from.scores[n] / divisor, now.scores[n], go);
    return {
      bins: binsOf(scores, false),
      divisor: 1,
      rows: readRows(scores, now.keys, 1, ROUGH),
      apart: Number(from.divisor !== 1),
    };
  };
  return { ...at, reach, target, outline: spread(1), filled: spread(from.divisor) };
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b equally many
 */
function areSame(a, b) {
  if (a === b) return true;
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}
