// ReachLab: which tokens can change the last output, and in how many steps: an RNN, convolutions and self-attention side by side.

import { element, setText, slider } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { pointing } from "../kit/pointing.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { planOf, positionAt } from "./layout.js";
import { compute, followed } from "./model.js";
import { looksOf, paint } from "./paint.js";
import { lastStep, litAt, raceTime, sceneOf } from "./scene.js";
import { scoresOf } from "./scores.js";
import { factsOf, sentence } from "./words.js";

/** @typedef {import("./model.js").State & { step: number }} Settings */

const TIME = 6600; // milliseconds of the race

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {import("./model.js").Results} */
  let results;
  /** @type {import("./layout.js").Plan} */
  let plan;
  /** @type {ReturnType<typeof looksOf>} */
  let looks;
  let awaited = false; // whether the steps are played as soon as the results are there

  const all = () => limits().step[1];
  const sliders = {
    L: slider("L", "tokens", (L) => set({ L, at: Math.min(get("at"), L - 1), step: all() })),
    kernel: slider(null, "kernel size", (kernel) => set({ kernel, step: all() })),
    layers: slider(null, "convolutions", (layers) => set({ layers, step: all() })),
    dilation: slider(null, "dilation grows", (dilation) => set({ dilation, step: all() })),
    at: slider(null, "follow token", (at) => set({ at, step: all() })),
    step: slider(null, "steps shown", (step) => set({ step })),
    E: slider("E", "numbers per token", (power) => set({ E: 2 ** power })),
  };
  const { L, kernel, layers, dilation, at, step, E } = sliders;
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "three graphs" });
  const scores = scoresOf();
  const board = element("div", { class: "board" }, canvas, ...scores.nodes);
  const [spread, tap] = [element("span", {}), element("span", {}, "Tap a token to follow it.")];
  const read = element("span", {}, element("i", { class: "read" }), "read by the last output");
  const hint = element("p", { class: "hint" }, spread, read, tap);
  const verdicts = { good: element("i", { class: "good", hidden: true }), bad: element("i", { class: "bad", hidden: true }) };
  const graph = element("div", { hidden: !shows(tools, "graph") }, board, hint, verdicts.good, verdicts.bad);
  const facts = element("p", { class: "facts", hidden: !shows(tools, "counts") });
  const place = stage(tools, {
    picture: graph,
    controls: { L: L.node, kernel: kernel.node, layers: layers.node, dilation: dilation.node },
    more: { at: at.node, step: step.node, E: E.node, facts },
    below: true,
  });
  place.node.classList.add("reach-lab");
  const playing = transition(root, (passed) => paintAt(passed), TIME);

  pointing(canvas, {
    placeAt: (x) => (plan ? [0, 0, 0, positionAt(plan, x)] : null),
    extent: () => (plan ? { sizes: [1, 1, 1, get("L")], first: [0, 0, 0, followed(settings)] } : null),
    pinned: () => [0, 0, 0, Math.min(get("at"), get("L") - 1)],
    onPoint(cell, kept) {
      if (!cell || !kept) return;
      awaited = true;
      set({ at: cell[3], step: all() });
      if (results && isDrawn()) draw(settings, results);
    },
  });
  /** Whether the settings are those that are drawn. */
  const isDrawn = () => Object.keys(settings).every((name) => JSON.stringify(settings[name]) === JSON.stringify(get(name)));

  /** @param {number} passed how much of the steps has passed */
  function paintAt(passed) {
    const last = lastStep(results);
    const isRacing = passed < 1;
    const time = isRacing ? raceTime(passed, last) : settings.step;
    if (graph.hidden) return;
    const scene = sceneOf(plan, settings, results, time, isRacing ? (steps) => litAt(passed, last, steps) : undefined);
    paint(canvas, plan, settings, results, scene, looks);
    scores.race(settings, results, scene);
    const told = time < 1 ? "Step 1 is being computed." : sentence(settings, results, Math.floor(time)).join(" ");
    place.meanwhile(isRacing ? told : "");
  }

  function tell() {
    const [first, rest] = sentence(settings, results, settings.step);
    place.tell(element("b", {}, first), rest && ` ${rest}`);
    const name = `token ${followed(settings)}`;
    spread.replaceChildren(element("i", { class: "spread" }), `depends on ${name}`);
    scores.draw(settings);
    setText(facts, factsOf(settings, results));
    scores.place(plan);
    canvas.setAttribute("aria-label", `Arrow keys choose the token that is followed: ${name}. ${first} ${rest}`.trim());
  }

  /** @param {Settings} now */
  function updateControls(now) {
    const most = Math.max(now.L, now.layers);
    L.update(now.L, limits().L);
    kernel.update(now.kernel, limits().kernel);
    layers.update(now.layers, limits().layers);
    dilation.update(now.dilation, limits().dilation, `×${now.dilation}`);
    at.update(followed(now), [0, now.L - 1]);
    step.update(Math.min(now.step, most), [0, most]);
    E.update(Math.round(Math.log2(now.E)), [0, Math.log2(limits().E[1])], String(now.E));
    place.update();
  }

  /** @param {Settings} newSettings @param {import("./model.js").Results | null} newResults */
  function draw(newSettings, newResults) {
    updateControls(newSettings);
    if (!newResults) return;
    const isSame = results === newResults && JSON.stringify(settings) === JSON.stringify(newSettings);
    [settings, results] = [newSettings, newResults];
    plan = planOf(Math.max(240, board.clientWidth || 340), settings);
    looks = looksOf(root, verdicts);
    tell();
    const plays = awaited && settings.step >= lastStep(results);
    awaited = false;
    if (plays) playing.start();
    else if (isSame)
      paintAt(playing.passed()); // another theme, or another width
    else {
      playing.stop();
      paintAt(1);
    }
  }

  /** An experiment is played step by step, also if its settings hold already. */
  function perform() {
    awaited = true;
    if (results && isDrawn()) draw(settings, results);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "ReachLab: which tokens can change the last output, and in how many steps",
  compute,
  build,
});
