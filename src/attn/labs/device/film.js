// The time of DeviceLab's picture: a button that plays it, and a slider that stops at each step. The player of the kit and its bar would be
// more to load than this file is, and would have to be made anew for each cut, since the steps differ.

import { element, setText, slider } from "../kit/dom.js";
import { mix } from "../kit/time.js";
import { prefersStills, transition } from "../kit/transition.js";
import { stepsOf } from "./model.js";
import { momentsOf, STILL, stopsOf } from "./scene.js";
import { shortName } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Message} Message */

/**
 * @param {HTMLElement} root of the lab
 * @param {() => void} draw what is seen at this time
 * @param {() => void} rest called when a control or the end of the film has put it at a time
 */
export function filmOf(root, draw, rest) {
  /** @type {import("./scene.js").Moment[]} */
  let moments = [];
  let time = 0;
  /** @type {import("../kit/transition.js").Transition | null} */
  let move = null;
  const play = element("button", { type: "button", class: "play", onclick: toggle });
  const clock = slider(null, "", goTo);
  clock.input.ariaLabel = "step";
  const ticks = element("span", { class: "ticks", "aria-hidden": "true" });
  clock.node.append(ticks);
  const node = element("div", { class: "film" }, play, clock.node);

  const index = () => Math.min(moments.length - 1, Math.floor(time));
  const isEnd = () => time >= moments.length;
  /** The last still picture that has been reached: the slider comes to its end with the last packet. */
  const reached = () => Math.max(0, Math.floor(time + 1.001 - STILL) - 1);
  const isPlaying = () => move !== null && move.passed() < 1;

  /** What happens from now on. @param {Settings} state @param {Message[]} messages */
  function prepare(state, messages) {
    move?.stop();
    moments = momentsOf(state, messages);
    node.classList.toggle("none", state.N === 1);
    ticks.replaceChildren(...namesOf(moments, state.N, messages.length > 1));
  }

  function show() {
    draw();
    clock.update(reached(), [0, moments.length - 1], moments[reached()].name);
    setText(play, isPlaying() ? "❚❚" : "▶");
    play.title = play.ariaLabel = isPlaying() ? "pause" : prefersStills() ? "next picture" : "play";
  }

  /** @param {number} t */
  function seek(t) {
    move?.stop();
    time = t;
    show();
  }

  /** To the end; from the start, if it is there. */
  function run() {
    move?.stop();
    const end = moments.length;
    const from = time < end ? time : 0;
    /** @param {number} passed */
    const step = (passed) => {
      time = mix(from, end, passed);
      show();
      if (passed === 1) rest();
    };
    move = transition(root, step, (end - from) * (end < 9 ? 1300 : end < 10 ? 1100 : 800));
    move.start();
  }

  /** @param {number} n */
  function goTo(n) {
    seek(stopsOf(moments)[n]);
    rest();
  }

  function toggle() {
    if (prefersStills()) goTo(isEnd() ? 0 : index() + 1);
    else if (isPlaying()) {
      seek(time);
      rest();
    } else run();
  }

  return {
    ...{ node, prepare, show, run, isEnd, isPlaying },
    /** The step that is kept in the settings; null at the end. */
    step: () => (isEnd() ? null : index()),
    moment: () => moments[index()],
    passed: () => ({ moments, time }),
    /** @param {number | null} step */
    stopAt(step) {
      seek(stopsOf(moments)[step ?? moments.length - 1] ?? moments.length);
    },
    restart() {
      time = 0;
      run();
    },
  };
}

/**
 * The names below the slider: of several messages only theirs, of one that of each time around.
 *
 * @param {import("./scene.js").Moment[]} moments
 * @param {number} N
 * @param {boolean} isMany
 */
function namesOf(moments, N, isMany) {
  const last = Math.max(1, moments.length - 1);
  const around = N - 1;
  return moments.flatMap(({ name, message, step }, n) => {
    if (isMany && (message ? step !== Math.floor(stepsOf(message) / 2) : name === "compute")) return [];
    const isRound = message && !isMany;
    if (isRound && step % around) return [];
    const stop = isRound ? n + (around - 1) / 2 : n; // in the middle of its steps
    const at = stop === last ? "right:0" : "left:-5px";
    const style = stop % last ? `left:calc(9px + ${(stop / last).toFixed(4)} * (100% - 18px))` : `${at};transform:none`;
    const count = element("small", {}, isRound && around > 1 ? `, ${around} steps` : ""); // a phone has no room for it
    return element("span", { style }, message && isMany ? shortName(message) : name.replace(/ \d/, ""), count);
  });
}
