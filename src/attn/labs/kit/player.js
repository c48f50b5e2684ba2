// Something that is drawn as a function of time, and the controls that choose the time: play, a slider, the names of its parts, keys.
// A reader who prefers reduced motion sees the still pictures only.

import { element, setAttributes } from "./dom.js";
import { clamp } from "./math.js";
import { svg } from "./svg.js";

const LONGEST_FRAME = 0.1; // seconds: after a longer one, as of a hidden tab, playing continues where it was
const SLACK = 1e-6;
const PLAY = "M5 2.5v15l12.5-7.5z";
const PAUSE = "M4 3h4v14H4zM12 3h4v14h-4z";
const NEXT = "M3 2.5v15l10-7.5zM14 3h3v14h-3z";

/** @typedef {readonly (readonly [from: number, speed: number])[]} Pace how fast the time runs from each moment on; the first is 0 */
/** @typedef {{ request: (tick: (stamp: number) => void) => number, cancel: (frame: number) => void }} Clock */
/** @typedef {{ matches: boolean, addEventListener: Function, removeEventListener: Function }} Stillness whether the reader wants no motion */
/** @typedef {ReturnType<typeof player>} Player */
/** @typedef {readonly [name: string, from: number]} Part */

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
 * The controls of a player: a button, a slider and the names of the parts. Arrow keys go from one still picture to the next, Page Up and
 * Page Down from part to part, Home and End to both ends; the space bar plays.
 *
 * @param {Player} film
 * @param {object} options
 * @param {readonly Part[]} options.parts
 * @param {string} options.label what the slider is, for screen readers
 * @param {(t: number) => string} options.describe what is seen at time t, for screen readers
 */
export function playerBar(film, { parts, label, describe }) {
  const ends = parts.map((_, n) => parts[n + 1]?.[1] ?? film.end);
  const icon = svg("path", {});
  const button = element("button", { type: "button", class: "play", onclick: toggle }, svg("svg", { viewBox: "0 0 20 20" }, icon));
  const slider = element("input", { type: "range", min: 0, max: film.end, step: 0.01, tabindex: 0, "aria-label": label });
  const names = parts.map(([name], n) => element("button", { type: "button", onclick: () => goTo(n) }, name));
  const columns = parts.map(([, from], n) => `minmax(min-content, ${(ends[n] - from).toFixed(2)}fr)`).join(" ");
  const steps = element("div", { class: "parts", style: `grid-template-columns: ${columns}` }, ...names);
  const node = element("div", { class: "player" }, button, slider, steps);
  const partAt = () =>
    Math.max(
      0,
      parts.findLastIndex(([, from]) => film.seen >= from - SLACK),
    );

  function toggle() {
    film.takeOver();
    if (film.playing) film.pause();
    else film.play();
  }
  /** @param {number} n */
  function goTo(n) {
    film.takeOver();
    film.playPart(parts[n][1], ends[n]);
  }
  /** @type {Record<string, () => void>} */
  const keys = {
    ...{
      ArrowRight: () => film.step(1),
      ArrowUp: () => film.step(1),
      ArrowLeft: () => film.step(-1),
      ArrowDown: () => film.step(-1),
    },
    ...{ PageUp: () => goTo(Math.min(partAt() + 1, parts.length - 1)), PageDown: () => goTo(Math.max(partAt() - 1, 0)) },
    ...{ Home: () => film.seek(0), End: () => film.seek(film.end) },
  };
  slider.addEventListener("input", () => {
    film.takeOver();
    film.seek(Number(slider.value));
  });
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const act = event.key === " " && !(event.target instanceof HTMLButtonElement) ? toggle : keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    film.takeOver();
    act();
  }
  slider.addEventListener("keydown", onKey);

  function update() {
    const text = film.still ? "next picture" : film.playing ? "pause" : film.time >= film.end - SLACK ? "play again" : "play";
    setAttributes(button, { "aria-label": text, title: text });
    setAttributes(icon, { d: film.still ? NEXT : film.playing ? PAUSE : PLAY });
    if (Number(slider.value) !== film.time) slider.value = String(film.time);
    setAttributes(slider, { "aria-valuetext": describe(film.seen) });
    const now = partAt();
    names.forEach((name, n) => setAttributes(name, { "aria-current": String(n === now) }));
  }
  film.watch(update);
  update();
  return { node, slider, button, onKey };
}

/**
 * Play when `node` comes into sight, and pause when it leaves it, until the reader takes over. Returns a function that ends this.
 *
 * @param {Player} film
 * @param {Element} node
 */
export function playInSight(film, node) {
  let paused = true; // by this function
  const observer = new IntersectionObserver(
    (entries) => {
      const inSight = entries.at(-1)?.isIntersecting;
      if (film.taken || film.still) return;
      if (inSight && paused && film.time < film.end) film.play();
      else if (!inSight && film.playing) film.pause();
      paused = !inSight;
    },
    { threshold: 0.5 },
  );
  observer.observe(node);
  return () => observer.disconnect();
}
