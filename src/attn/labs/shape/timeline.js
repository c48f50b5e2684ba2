// The time from x to y: the name of each step, with the axes that go and come, above the column that it leads to; a slider; the tracks.

import { element, letter } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { player } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { MEANINGS } from "./controls.js";
import { ACTS, actNow, LAST, SECONDS, signsOf } from "./stages.js";
import { tracks } from "./tracks.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

const AFTER = 0.001;

/** A text with axis letters in braces. @param {string} text */
export const lettered = (text) => text.split(/\{(\w)\}/).map((part, n) => (n % 2 ? letter(part) : part));

/**
 * @param {() => void} draw
 * @param {(stage: number) => string} describe a stage, for screen readers
 */
export function timeline(draw, describe) {
  const film = player({
    end: LAST,
    stops: range(LAST + 1),
    pace: SECONDS.map((seconds, n) => [n, 1 / seconds]),
    draw() {
      draw();
      show(); // the first text on a canvas would wait until the browser has styled what changes here
    },
  });
  const { node, slider } = playerBar(film, {
    parts: ACTS.map((act, n) => [act, n + AFTER]), // a stage that is reached belongs to the act that led to it
    label: "from x to y",
    describe: (t) => describe(Math.ceil(t - 1e-6)),
  });
  const parts = node.querySelectorAll(".parts button");
  for (const button of parts) button.setAttribute("tabindex", "-1"); // the slider's keys do this
  slider.onchange = () => film.seek(Math.round(film.time)); // between two steps, nothing would say which one it is
  const lines = tracks(MEANINGS);
  node.append(lines.node);
  lines.node.onclick = ({ clientX }) => {
    const { left, width } = lines.node.getBoundingClientRect();
    film.takeOver();
    film.seek(Math.floor(((clientX - left) / width) * (LAST + 1)));
  };

  function show() {
    const t = film.seen;
    lines.show(t);
    node.classList.toggle("start", t === 0);
  }

  return {
    ...{ film, node },
    /**
     * @param {LayerState} state
     * @param {LayerState} standard
     */
    update(state, standard) {
      lines.update(state, standard);
      for (const [n, part] of parts.entries())
        part.replaceChildren(
          actNow(ACTS[n], state),
          // q has H heads, k and v have G.
          element("span", {}, ...lettered(signsOf(n).replace("{H}", n < 2 && state.G !== null ? "{H}/{G}" : "{H}"))),
        );
      show();
    },
  };
}
