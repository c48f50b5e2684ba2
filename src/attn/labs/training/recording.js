// The controls that belong to one recording: its film and the bar that plays it, its heads, sequences and words.

import { choice, element, unique } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { setMoving } from "../kit/moving.js";
import { player, playInSight } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { paceOf, pausedAt } from "./course.js";
import { allHeads, originOf } from "./model.js";
import { momentOf } from "./words.js";

const SECONDS = 7; // of a whole recording
const PAUSE = 1.5; // more, when the answers begin to be right
const WAIT = 4000; // milliseconds for the question, before a training plays by itself
const SHOWN = 0.8; // of the stage, or of the window where the stage is higher: so much is in sight before it plays by itself

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
      ["", 0], // for Page Up and Page Down: the names are not shown
      ["", run.fall],
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

/**
 * Play once in sight, when the reader has seen where it begins.
 *
 * @param {import("../kit/player.js").Player} film
 * @param {HTMLElement} root of the lab
 * @param {HTMLElement} stage
 */
export function playSoon(film, root, stage) {
  let timer = 0;
  const wait = (/** @type {() => void} */ then, milliseconds = 0) => {
    clearTimeout(timer);
    timer = milliseconds && setTimeout(wait, milliseconds, then);
    setMoving(root, "film", timer > 0);
    if (!timer && !film.taken) then();
  };
  const later = Object.create(film, {
    playing: { get: () => timer > 0 || film.playing },
    play: { value: () => wait(film.play, WAIT) },
    pause: { value: () => wait(film.pause) },
  });
  playInSight(later, stage, SHOWN * Math.min(1, innerHeight / stage.offsetHeight));
}
