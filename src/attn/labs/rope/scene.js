// What is drawn at each moment of a move: hands turn from where they were to where the positions put them.

import { mix, progress } from "../kit/time.js";
import { clocksOf, turnsOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Hand} Hand */
/** @typedef {import("./model.js").Clock} Clock */
/** @typedef {{ q: Hand, k: Hand }} Face the hands as they are drawn */

/**
 * @typedef {object} State
 * @property {Clock[]} clocks with their hands at position 0
 * @property {Settings} settings
 */

/**
 * @typedef {object} Moment
 * @property {Face[]} faces
 * @property {number} query the positions, on their way
 * @property {number} key
 */

const ROUND = 2 * Math.PI;
const ROUNDS = 2; // full turns that are shown at most

/**
 * @param {Settings} settings
 * @param {import("./model.js").Results} results
 * @returns {State}
 */
export const stateOf = (settings, results) => ({ clocks: clocksOf(results), settings });

/**
 * The hands of a clock with the tokens at these positions.
 *
 * @param {Clock} clock
 * @param {Settings} settings
 * @returns {Face}
 */
function faceOf({ q, k, speed }, { turn, query, key }) {
  const [byQ, byK] = turnsOf(speed, turn, query, key);
  return { q: { ...q, angle: q.angle + byQ }, k: { ...k, angle: k.angle + byK } };
}

/**
 * A turn with fewer full rounds, so that the eye can follow it. Equal turns stay equal.
 *
 * @param {number} angle
 */
export function shortened(angle) {
  const rounds = Math.floor(Math.abs(angle) / ROUND);
  return Math.sign(angle) * (Math.abs(angle) - ROUND * Math.max(0, rounds - ROUNDS));
}

/**
 * The shortest turn between two angles.
 *
 * @param {number} from
 * @param {number} to
 */
export const shortest = (from, to) => to - from - ROUND * Math.round((to - from) / ROUND);

/** Whether only positions differ, so that hands turn as they do from token to token. @param {State} a @param {State} b */
const haveSameVectors = ({ settings: a }, { settings: b }) =>
  a.D === b.D && a.base === b.base && a.equal === b.equal && a.seed === b.seed && a.turn === b.turn;

/**
 * @param {State | null} before where the move begins; null: at rest
 * @param {State} now
 * @param {number} t how much of the move has passed; from 1 on everything is at rest
 * @returns {Moment}
 */
export function momentOf(before, now, t) {
  const { clocks, settings } = now;
  const faces = clocks.map((clock) => faceOf(clock, settings));
  if (!before || t >= 1) return { faces, query: settings.query, key: settings.key };
  const go = progress(t, 0, 1);
  const left = 1 - go;
  const turning = haveSameVectors(before, now);
  const moved = [settings.query - before.settings.query, settings.key - before.settings.key];
  const drawn = faces.map((face, n) => {
    const old = before.clocks[n] && faceOf(before.clocks[n], before.settings);
    const byTurning = turning ? turnsOf(clocks[n].speed, settings.turn, moved[0], moved[1]) : null;
    /** @param {"q" | "k"} name @param {number} place */
    const hand = (name, place) => {
      const { length, angle } = face[name];
      if (!old) return { length: length * go, angle };
      const by = byTurning ? shortened(byTurning[place]) : shortest(old[name].angle, angle);
      return { length: mix(old[name].length, length, go), angle: angle - by * left };
    };
    return { q: hand("q", 0), k: hand("k", 1) };
  });
  return {
    faces: drawn,
    query: mix(before.settings.query, settings.query, go),
    key: mix(before.settings.key, settings.key, go),
  };
}

/** What a clock adds to the score as it is drawn. @param {Face} face */
export const termOf = ({ q, k }) => q.length * k.length * Math.cos(q.angle - k.angle);

/** The score as it is drawn. @param {Face[]} faces */
export const scoreOf = (faces) => faces.reduce((sum, face) => sum + termOf(face), 0);
