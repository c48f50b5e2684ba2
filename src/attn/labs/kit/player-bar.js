// The controls of a player: play, a slider, the names of its parts, keys.

import { element, fillTrack, setAttributes } from "./dom.js";
import { SLACK } from "./player.js";
import { svg } from "./svg.js";

const PLAY = "M5 2.5v15l12.5-7.5z";
const PAUSE = "M4 3h4v14H4zM12 3h4v14h-4z";
const NEXT = "M3 2.5v15l10-7.5zM14 3h3v14h-3z";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {readonly [name: string, from: number]} Part */

/**
 * A button, a slider and the names of the parts. Arrow keys go from one still picture to the next, Page Up and
 * Page Down from part to part, Home and End to both ends; the space bar plays.
 *
 * @param {Player} film
 * @param {object} options
 * @param {readonly Part[]} options.parts
 * @param {string} options.label what the slider is, for screen readers
 * @param {(t: number) => string} options.describe what is seen at time t, for screen readers
 * @param {() => boolean} [options.refuses] asked before it plays or pauses: whether it goes on as it is
 */
export function playerBar(film, { parts, label, describe, refuses }) {
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
    if (refuses?.()) return;
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
    fillTrack(slider);
    setAttributes(slider, { "aria-valuetext": describe(film.seen) });
    const now = partAt();
    names.forEach((name, n) => setAttributes(name, { "aria-current": String(n === now) }));
  }
  film.watch(update);
  update();
  return { node, slider, button, onKey };
}
