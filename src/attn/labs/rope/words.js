// What RopeLab says. A letter in braces is an axis: {D}.

import { integer, number } from "../kit/format.js";
import { clocksOf, scoreAt, termAt, turnsOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {{ query: number, key: number }} Positions */

const ROUND = 2 * Math.PI;
const FAR = 256; // positions: the fastest hand has gone round forty times

/** "distance 3"; while the tokens move, the nearest whole one. @param {number} distance */
export const positionsText = (distance) => `distance ${integer(Math.round(distance)).replace("-", "−")}`;

/**
 * How many positions a hand needs to go round.
 *
 * @param {number} speed
 * @param {boolean} isRoomy
 */
export function roundText(speed, isRoomy) {
  const positions = ROUND / speed;
  const text = tokensText(positions);
  return isRoomy ? `one turn in ${text} tokens` : `1 turn in ${text}`;
}

/** @param {number} tokens */
const tokensText = (tokens) => (tokens < 100 ? number(tokens, 1) : integer(Math.round(tokens)));

/** A number with three digits that count: 1, 0.1, 0.0316. @param {number} value */
export const threeDigits = (value) => String(Number(value.toPrecision(3)));

/** @param {number} value */
export const score2 = (value) => number(value, 2).replace("−0.00", "0.00");

/** @param {number} count */
const positions = (count) => `${integer(count)} position${count === 1 ? "" : "s"}`;

/**
 * What is seen while the hands turn.
 *
 * @param {Settings} before
 * @param {Settings} now
 */
export function movingSentence(before, now) {
  const [byQuery, byKey] = [now.query - before.query, now.key - before.key];
  if (now.D !== before.D) return `${now.D / 2} clocks, each with its own speed.`;
  if (now.turn === "both" && byQuery && byQuery === byKey) return "Both move: on each clock both hands turn by the same angle.";
  return byQuery || byKey
    ? "The hands turn with the positions: the first clock fastest, the last one slowest."
    : "The hands change.";
}

/**
 * What has happened to the score since the tokens stood where the lab began.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @param {Positions} start
 * @param {boolean} [wasShown] whether the lab began with these clocks: else no reader has seen the score at the start
 * @returns {string}
 */
export function sentence(settings, results, start, wasShown = true) {
  const { query, key, turn } = settings;
  const clocks = clocksOf(results);
  const [was, is] = [scoreAt(clocks, turn, start.query, start.key), results.score].map(score2);
  const [byQuery, byKey] = [query - start.query, key - start.key];
  const isMoved = byQuery !== 0 || byKey !== 0;
  const from = `from ${was} to ${is}`;
  if (turn === "none")
    return (
      `Neither q nor k is turned: the score is ${is} wherever the two tokens stand. Without another sign of the position, the order of ` +
      `the tokens reaches no score.`
    );
  if (turn === "q") {
    const said = "Only q is turned, so the score depends on where the query stands, and not on the distance.";
    if (!isMoved) return `${said} It is ${is}. Move both, and it changes.`;
    return `${said} ${capital(movedText(byQuery, byKey))}, and the score goes ${from}.`;
  }
  if (!isMoved && !wasShown && clocks.length > 1) {
    const [fast, slow] = [clocks[0], clocks[clocks.length - 1]].map(({ speed }) => tokensText(ROUND / speed));
    return (
      `${clocks.length} clocks, ${clocks.length} speeds: one turn takes from ${fast} to ${slow} tokens. Fast clocks tell neighbours ` +
      `apart, slow ones places far from each other. All together give a score of ${is}; still, only the distance counts.`
    );
  }
  const sum = clocks.length === 1 ? "The only clock gives" : `The ${clocks.length} clocks add up to`;
  if (!isMoved)
    return (
      `The query is at ${query} and the key at ${key}: each hand has turned, from where its word put it, as far as its position says. ${sum} a score of ` +
      `${is}. What if both move?`
    );
  const [first, last] = [clocks[0], clocks[clocks.length - 1]].map(
    ({ speed }) => byQuery - byKey && Math.abs(byQuery - byKey) * speed,
  );
  if (byQuery === byKey)
    return (
      `${capital(movedText(byQuery, byKey))}. On each clock both hands turned by the same angle, so the angle between them stayed. ` +
      (wasShown ? `The score was ${was} and is ${is}.` : `The score is ${is} in both places.`)
    );
  const changed =
    clocks.length === 1
      ? `The angle between the hands changed by ${turnText(first)}`
      : `The angle changed by ${turnText(first)} on the first clock, by ${turnText(last)} on the last`;
  const isFar = Math.abs(query - key) >= FAR && !settings.equal;
  const distance = (/** @type {number} */ value) => integer(value).replace("-", "−");
  const before = distance(start.query - start.key);
  const scores = wasShown ? `The score went ${from}` : `The score is ${is}`;
  const far = isFar ? ": it rises and falls, but does not fade" : "";
  return `${capital(movedText(byQuery, byKey))}: the distance is ${distance(query - key)}, not ${before}. ${changed}. ${scores}${far}.`;
}

/**
 * "the query moved by 7 positions", "both moved back by 2".
 *
 * @param {number} byQuery
 * @param {number} byKey
 */
function movedText(byQuery, byKey) {
  /** @param {number} by */
  const by = (by) => `${by < 0 ? "back " : ""}by ${positions(Math.abs(by))}`;
  if (byQuery === byKey) return `both moved ${by(byQuery)}`;
  if (!byKey) return `the query moved ${by(byQuery)}`;
  if (!byQuery) return `the key moved ${by(byKey)}`;
  return `the query moved ${by(byQuery)}, the key ${by(byKey)}`;
}

/** An angle in rounds, or in degrees if it is less than one. @param {number} angle */
function turnText(angle) {
  const rounds = angle / ROUND;
  if (rounds >= 1) return `${number(rounds, 1)} rounds`;
  const degrees = 360 * rounds;
  return `${degrees >= 10 ? number(degrees, 0) : number(degrees, 1)}°`;
}

/**
 * The clock that a reader has chosen, or what clocks are.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function explanation(settings, results) {
  const { clock, D, turn, query, key } = settings;
  const clocks = clocksOf(results);
  if (clock === null || clock >= clocks.length)
    return "A clock: two of the {D} channels of q and k. Hands that point alike add (orange), opposite ones take away (blue). Tap one.";
  const { q, k, speed } = clocks[clock];
  const term = termAt(clocks[clock], turn, query, key);
  const [byQ, byK] = turnsOf(speed, turn, query, key);
  const apart = q.angle + byQ - k.angle - byK;
  const degrees = Math.round((Math.acos(Math.max(-1, Math.min(1, Math.cos(apart)))) * 360) / ROUND);
  return (
    `Channels ${clock} and ${clock + D / 2} turn by ${threeDigits(speed)} a position. |q|·|k|·cos ${degrees}° = ` +
    `${number(q.length, 2)} · ${number(k.length, 2)} · ${number(Math.cos(apart), 2)} = ${score2(term)}. Dashed: this clock alone.`
  );
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);
