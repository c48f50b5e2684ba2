// The controls that belong to one recording: its film and the bar that plays it, its heads, sequences and words.

import { choice, element, unique } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { player } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { paceOf, pausedAt } from "./course.js";
import { allHeads, originOf } from "./model.js";
import { momentOf } from "./words.js";

const SECONDS = 7; // of a whole recording
const PAUSE = 1.5; // more, when the answers begin to be right

/**
 * @param {import("./model.js").Run} run
 * @param {object} lab
 * @param {(changes: Record<string, any>) => void} lab.set
 * @param {() => void} lab.draw the picture, after a change of time
 * @param {() => void} lab.keep the time
 * @param {() => boolean} lab.refuses to play or to pause
 */
export function controlsOf(run, { set, draw, keep, refuses }) {
  const [layers, H] = run.shape;
  const last = run.steps.length - 1;
  const pace = paceOf(run, SECONDS);
  const film = player({
    ...{ end: last, stops: range(last + 1), draw },
    pace: originOf(run) ? pausedAt(pace, originOf(run), PAUSE) : pace,
  });
  film.watch(keep);
  const bar = playerBar(film, {
    parts: [
      ["before the fall", 0],
      ["after it", run.fall],
    ],
    label: "training step",
    describe: (t) => momentOf(run, Math.round(t)),
    refuses,
  });
  /** @type {[string, string][]} */
  const heads = allHeads(run).map(([layer, head]) => [`${layer},${head}`, layers > 1 ? `${layer}, ${head}` : String(head)]);
  const head = choice(unique("training"), layers > 1 ? "layer, head" : "head", heads, (value) =>
    set({ head: value.split(",").map(Number), pin: null }),
  );
  const sequence = select("sequence", run.titles, (value) => set({ sequence: value }));
  const word = select("word", run.words, (value) => set({ word: value }));

  /** @param {{ head: [number, number], sequence: number, word: number }} settings */
  function update(settings) {
    head.update([Math.min(settings.head[0], layers - 1), Math.min(settings.head[1], H - 1)].join(","));
    sequence.choose(settings.sequence);
    word.choose(settings.word);
  }

  return { film, step: bar.node, head: head.node, sequence: sequence.node, word: word.node, update };
}

/**
 * A list of which one is chosen.
 *
 * @param {string} title
 * @param {string[]} texts
 * @param {(value: number) => void} onChange
 */
function select(title, texts, onChange) {
  const list = element(
    "select",
    { onchange: () => onChange(Number(list.value)) },
    ...texts.map((text, n) => element("option", { value: n }, text)),
  );
  const node = element("label", { class: "switch select" }, element("span", {}, title), list);
  /** @param {number} n */
  const chooseOne = (n) => {
    list.value = String(n);
  };
  return { node, choose: chooseOne };
}
