// Something that is drawn as a function of time: it is played, stepped, or put at a time. Its controls are in player-bar.js.
// A reader who prefers reduced motion sees the still pictures only.

import { clamp } from "./math.js";

const LONGEST_FRAME = 0.1; // seconds: after a longer one, as of a hidden tab, playing continues where it was
export const SLACK = 1e-6; // seconds: times that are closer are equal

/** @typedef {readonly (readonly [from: number, speed: number])[]} Pace how fast the time runs from each moment on; the first is 0 */
/** @typedef {{ request: (tick: (stamp: number) => void) => number, cancel: (frame: number) => void }} Clock */
/** @typedef {{ matches: boolean, addEventListener: Function, removeEventListener: Function }} Stillness whether the reader wants no motion */
/** @typedef {ReturnType<typeof player>} Player */

/**
 * The time that is reached from t when this many seconds have passed, at most `until`.
 *
 * @param {Pace} pace
 * @param {number} t
 * @param {number} seconds
 * @param {number} until
 */
export function advance(pace, t, seconds, until) {
  let [time, left] = [t, seconds];
  for (let n = pace.findLastIndex(([from]) => time >= from); left > 0 && time < until; n++) {
    const next = Math.min(pace[n + 1]?.[0] ?? until, until);
    const needed = (next - time) / pace[n][1];
    if (needed > left) return time + left * pace[n][1];
    [time, left] = [next, left - needed];
  }
  return time;
}

/**
 * The still picture that stands for time t: the last stop that is not later, or the first.
 *
 * @param {readonly number[]} stops
 * @param {number} t
 */
export function stillAt(stops, t) {
  return stops.findLast((stop) => stop <= t + SLACK) ?? stops[0];
}

/**
 * A position in time. `draw(t)` must draw the same for the same t. Sets nothing in motion by itself: see `playInSight`.
 *
 * @param {object} film
 * @param {number} film.end
 * @param {readonly number[]} film.stops the times of the still pictures, ascending; the last is `end`
 * @param {Pace} [film.pace]
 * @param {(t: number) => void} film.draw
 * @param {Clock} [film.clock]
 * @param {Stillness} [film.stillness]
 */
export function player({ end, stops, pace = [[0, 1]], draw, clock = frames(), stillness = prefersStillness() }) {
  let [time, until, frame] = [0, end, 0];
  let [playing, stepping, taken] = [false, false, false];
  /** @type {number | null} */
  let last = null;
  /** @type {Set<() => void>} */
  const watchers = new Set();
  const seen = () => (stillness.matches ? stillAt(stops, time) : time);

  function show() {
    draw(seen());
    tell();
  }
  function tell() {
    for (const watcher of watchers) watcher();
  }

  /** @param {number} stamp */
  function tick(stamp) {
    const passed = last === null ? 0 : clamp((stamp - last) / 1000, 0, LONGEST_FRAME);
    last = stamp;
    time = advance(pace, time, passed, until);
    if (time >= until) playing = false;
    frame = playing ? clock.request(tick) : 0;
    show();
  }

  function halt() {
    clock.cancel(frame);
    [playing, stepping, frame] = [false, false, 0];
  }

  /**
   * Play on, from the start if the end is reached. Without motion: go to the next still picture.
   *
   * @param {number} [to]
   */
  function play(to = end) {
    if (stillness.matches) {
      seek(stops.find((stop) => stop > seen() + SLACK) ?? stops[0]);
      return;
    }
    halt();
    if (time >= end - SLACK) time = 0;
    [until, playing, last] = [Math.max(to, time), true, null];
    frame = clock.request(tick);
    show();
  }

  function pause() {
    if (!playing) return;
    halt();
    tell();
  }

  /** @param {number} t */
  function seek(t) {
    halt();
    time = clamp(t, 0, end);
    show();
  }

  /**
   * To the next still picture (by = 1), playing what lies between, or back to the one before (by = -1).
   *
   * @param {1 | -1} by
   */
  function step(by) {
    const from = stepping && by > 0 ? until : stillness.matches ? seen() : time; // a second step does not wait for the first
    const to = by > 0 ? stops.find((stop) => stop > from + SLACK) : stops.findLast((stop) => stop < seen() - SLACK);
    if (by < 0 || stillness.matches || to === undefined) {
      seek(to ?? (by > 0 ? end : stops[0]));
      return;
    }
    time = from;
    play(to);
    stepping = true;
  }

  /**
   * Play the part that begins at `from` up to the last still picture before `to`. Without motion: show its first one.
   *
   * @param {number} from
   * @param {number} to
   */
  function playPart(from, to) {
    const inside = stops.filter((stop) => stop > from + SLACK && stop <= (to >= end ? end : to - SLACK));
    if (stillness.matches) {
      seek(inside[0] ?? from);
      return;
    }
    halt();
    time = from;
    play(inside.at(-1) ?? to);
  }

  /** The reader has used a control: nothing plays by itself any more. */
  function takeOver() {
    taken = true;
  }

  /**
   * Call `watcher` after every change of time, and when playing begins or ends. Returns a function that ends this.
   *
   * @param {() => void} watcher
   */
  function watch(watcher) {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  function destroy() {
    halt();
    watchers.clear();
    stillness.removeEventListener("change", show);
  }

  stillness.addEventListener("change", show);
  return {
    ...{ end, stops, play, pause, seek, step, playPart, takeOver, watch, destroy },
    get time() {
      return time;
    },
    /** The time that is drawn: without motion, that of a still picture. */
    get seen() {
      return seen();
    },
    get playing() {
      return playing;
    },
    get still() {
      return stillness.matches;
    },
    get taken() {
      return taken;
    },
  };
}

/** @returns {Clock} */
const frames = () => ({ request: (tick) => requestAnimationFrame(tick), cancel: (frame) => cancelAnimationFrame(frame) });
/** @returns {Stillness} */
const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Play when a share of `node` is in sight, and pause when less than half is, until the reader takes over. Returns a function that ends this.
 *
 * @param {Player} film
 * @param {Element} node
 * @param {number} [share]
 */
export function playInSight(film, node, share = 0.5) {
  let paused = true; // by this function
  const observer = new IntersectionObserver(
    (entries) => {
      const inSight = (entries.at(-1)?.intersectionRatio ?? 0) >= (paused ? share : 0.5);
      if (film.taken || film.still) return;
      if (inSight && paused && film.time < film.end) film.play();
      else if (!inSight && film.playing) film.pause();
      paused = !inSight;
    },
    { threshold: [0.5, share] },
  );
  observer.observe(node);
  return () => observer.disconnect();
}
