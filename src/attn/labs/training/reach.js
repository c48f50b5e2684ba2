// How a reader reaches what TrainingLab draws: the weights, the rows of the embedding, and the steps on the curves.

import { clamp } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { allHeads, nearestWeight, queriesAt } from "./model.js";

/** @typedef {import("./model.js").Place} Place */
/** @typedef {Place | [n: number]} Spot of the picture: a weight, or a number of W_Q, counted through all heads */
/** @typedef {[row: number, column: number]} Cell */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * @param {ReturnType<typeof import("./scene.js").sceneOn>} scene
 * @param {object} lab
 * @param {(name: string) => any} lab.get
 * @param {(changes: Record<string, any>) => void} lab.change
 * @param {() => { run: import("./model.js").Run, rows: number[], head: [number, number], pin: Cell | null, place: Place }} lab.chosen as it
 *   is now, which may not be drawn yet
 * @param {() => boolean} lab.isDrawn
 * @param {(spot: Spot | null) => void} lab.hover
 * @param {() => number | null} lab.picked the number of W_Q that is described, counted through all heads
 * @param {(n: number | null) => void} lab.pick
 * @param {(step: number) => void} lab.scrub
 */
export function letReach(scene, { get, change, chosen, isDrawn, hover, picked, pick, scrub }) {
  const { board, curves } = scene;
  const isTable = () => isDrawn() && get("show") === "weights";
  // Before the arrows of the weights: with Shift they walk through the numbers of W_Q, or through the words of the map.
  board.addEventListener("keydown", (event) => {
    const by = STEPS[event.key];
    const { run } = chosen();
    const count = isTable() ? event.shiftKey && allHeads(run).length * queriesAt(run, 0, 0).length : run.words.length;
    if (!by || !count || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isTable()) pick(clamp((picked() ?? -1) + by, 0, count - 1));
    else change({ word: clamp(get("word") + by, 0, count - 1) });
  });
  pointing(board, {
    placeAt(x, y) {
      return isTable() ? scene.placeAt(chosen(), x, y) : null;
    },
    extent() {
      const { run, rows } = chosen();
      const [layers, H, L] = run.shape;
      return isTable() ? { sizes: [layers, H, rows.length, L], first: [0, 0, 0, 0] } : null;
    },
    pinned() {
      const { rows, place } = chosen();
      const [layer, head, i, j] = place;
      return [layer, head, Math.max(0, rows.indexOf(i)), j];
    },
    onPoint(/** @type {any} */ place, isKept, how) {
      const { run, head, pin, rows } = chosen();
      /** @type {Spot | null} */
      const reached = place?.length === 4 ? nearestWeight([place[0], place[1], rows[place[2]], place[3]], run) : place;
      hover(isKept ? null : reached);
      if (!isKept || !reached) return;
      if (reached.length === 1) return pick(reached[0] === picked() ? null : reached[0]);
      pick(null);
      const [layer, nth, ...cell] = reached;
      const isSame = how === "click" && String(reached) === String([...head, ...(pin ?? [])]); // a second click takes the first one back
      change({ head: [layer, nth], pin: isSame ? null : cell });
    },
  });

  board.addEventListener("click", ({ offsetX, offsetY }) => {
    if (isDrawn() && !isTable()) change({ word: scene.wordAt(offsetX, offsetY) });
  });
  /** @param {PointerEvent} event */
  function onCurves(event) {
    if (isDrawn() && event.buttons & 1) scrub(scene.stepAt(event.offsetX));
  }
  curves.addEventListener("pointerdown", (event) => {
    curves.setPointerCapture(event.pointerId);
    onCurves(event);
  });
  curves.addEventListener("pointermove", onCurves);
}
