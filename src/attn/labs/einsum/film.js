// The film of the loops: its player, and the step that the settings keep of it.

import { element } from "../kit/dom.js";
import { setMoving } from "../kit/moving.js";
import { player } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { momentAt, partAt, partsOf, stepsAt, stepsOfLoops, stopsOf, timeAt } from "./moments.js";

/** @typedef {import("./formula.js").Formula} Formula */

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {() => void} show draws the picture
 */
export function loopsFilm({ root, get, set }, show) {
  const node = element("div", { class: "time" });
  /** @type {Formula} */
  let formula;
  /** @type {import("./model.js").State & { step: number | null }} */
  let settings;
  /** @type {import("./moments.js").Part[]} */
  let parts = [];
  /** @type {ReturnType<typeof player> | null} */
  let film = null;
  /** @type {number | null} the step that the film has shown last */
  let kept = null;
  let isSeeking = false;

  /** A film of these loops, in place of the one before. */
  function make() {
    film?.destroy();
    setMoving(root, "loops", false);
    film = player({ end: parts[parts.length - 1].until, stops: stopsOf(parts), draw: () => isSeeking || show() });
    const bar = playerBar(film, {
      parts: parts.map(({ name, from }) => [name, from]),
      label: "time in the loops",
      describe: (t) => {
        const { n, steps } = momentAt(formula, settings, stepsAt(parts, t));
        return `run ${n + 1} of ${steps}`;
      },
    });
    film.watch(keep);
    node.replaceChildren(bar.node);
  }

  /** Keep the step in the settings when the film rests, but not sixty times a second. A loop that runs explains no pinned number. */
  function keep() {
    if (!film) return;
    setMoving(root, "loops", film.playing);
    const { steps } = stepsOfLoops(formula, settings);
    const x = Math.round(100 * stepsAt(parts, film.time)) / 100;
    const step = x >= steps ? null : x;
    if (film.playing) {
      if (get("pin")) set({ pin: null });
      return;
    }
    if (isSeeking || step === kept) return;
    kept = step;
    set({ step, film: true, pin: null });
  }

  /** Go to a time that is not the reader's choice, and so is not kept. It is not drawn: a move draws where it begins. @param {number} t */
  function seek(t) {
    isSeeking = true;
    film?.seek(t);
    isSeeking = false;
  }

  return {
    node,
    get playing() {
      return Boolean(film?.playing);
    },
    /** The part that plays; null at rest. */
    get part() {
      return film?.playing ? partAt(parts, film.time) : null;
    },
    /** How often the inner line has run. */
    get step() {
      const { steps } = stepsOfLoops(formula, settings);
      if (film?.playing) return Math.round(100 * stepsAt(parts, film.time)) / 100;
      return Math.min(settings.step ?? steps, steps);
    },
    /**
     * These loops are to be drawn. A film that plays ends, unless it is of these and nothing has changed.
     *
     * @param {Formula} newFormula
     * @param {import("./model.js").State & { step: number | null }} newSettings
     * @param {boolean} isChanged
     */
    draw(newFormula, newSettings, isChanged) {
      [formula, settings] = [newFormula, newSettings];
      const newParts = partsOf(formula, settings);
      const isOther = JSON.stringify(newParts) !== JSON.stringify(parts);
      parts = newParts;
      if (isOther) make();
      else if (film?.playing && (isChanged || settings.step !== kept)) seek(film.time);
    },
    /** Play from the start. */
    run() {
      if (!film) return;
      kept = settings.step;
      seek(film.still ? film.end : 0);
      if (film.still) show();
      else film.play();
    },
    /** Go to the moment of the settings. */
    rest() {
      kept = settings.step;
      const { steps } = stepsOfLoops(formula, settings);
      seek(timeAt(parts, Math.min(settings.step ?? steps, steps)));
    },
  };
}
