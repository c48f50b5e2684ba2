// TrainingLab: a training that has happened, frame by frame.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { embeddingChart } from "./embedding.js";
import { lossChart } from "./loss.js";
import { compute, nearestWeight, placeToShow, runOf } from "./model.js";
import { player } from "./player.js";
import { sequenceStrip } from "./sequence.js";
import { describeShares, describeWeight } from "./words.js";

const INVITATION = "Point at a weight, or tap it: who looks where, and what comes next.";

/** @typedef {import("./model.js").Place} Place */

/** @param {import("../kit/host.js").Tools} tools */
function build({ get, set, say, announce }) {
  /** @type {{ settings: any, run: import("./model.js").Run, results: ReturnType<typeof compute> } | null} */
  let drawn = null;
  /** @type {Place | null} */
  let hovered = null;
  const name = unique("training");
  /** @type {import("./model.js").Run[]} */
  const runs = get("_runs");
  const play = player(
    () => get("frame"),
    (frame) => set({ frame }),
  );
  const goTo = (frame) => {
    play.stop();
    set({ frame });
  };
  const steps = slider(null, "training step", goTo);
  /** @type {[string, string][]} */
  const tasks = runs.map((run) => [run.name, run.name]);
  const task = choice(`${name}-task`, "Task", tasks, chooseTask);
  const sequences = runs.map((run, n) => {
    /** @type {[number, string][]} */
    const options = run.titles.map((title, sequence) => [sequence, title]);
    return choice(`${name}-sequence-${n}`, "Sequence", options, (sequence) => set({ sequence }));
  });
  const strip = sequenceStrip();
  const map = heatmap(point, () => get("pin") && drawn && nearestWeight(get("pin"), drawn.run));
  const shares = element("p", { class: "training-shares" });
  const description = element("p", { class: "pinned" });
  const loss = lossChart(goTo);
  const embedding = embeddingChart((word) => set({ word }));
  const node = element(
    "div",
    { class: "training" },
    task.node,
    ...sequences.map((one) => one.node),
    strip.node,
    element(
      "div",
      { class: "training-panes" },
      element("div", { class: "training-steps" }, steps.node, play.node),
      element("div", {}, map.node, shares, description),
      element("div", {}, loss.node, embedding.node),
    ),
  );

  /** Another task starts at the same share of its training, at its most telling weight, with the same sequence and word if it has them. */
  function chooseTask(task) {
    play.stop();
    const [from, to] = [get("task"), task].map((name) => runs.find((run) => run.name === name));
    if (!to) return;
    const share = from ? get("frame") / Math.max(1, from.steps.length - 1) : 0;
    const sequence = Math.min(get("sequence"), to.ids.length - 1);
    set({
      task,
      frame: Math.round(share * (to.steps.length - 1)),
      sequence,
      word: Math.min(get("word"), to.words.length - 1),
      pin: placeToShow(to, sequence),
    });
  }

  /** A click pins a weight, a second click unpins it, and walking with the keys pins the weight that is reached. */
  function point(place, kept, how) {
    if (!drawn) return;
    const weight = place && nearestWeight(place, drawn.run);
    hovered = kept ? null : weight;
    if (!kept) {
      drawHighlight();
      return;
    }
    const pin = how === "click" && String(weight) === String(get("pin")) ? null : weight;
    set({ pin });
    if (pin) say(describeWeight(pin, drawn.run, drawn.settings, drawn.results));
  }

  /** Mark the weight that is pointed at, or else the pinned one, and describe it. */
  function drawHighlight() {
    if (!drawn) return;
    const { settings, run, results } = drawn;
    const place = hovered ?? (settings.pin && nearestWeight(settings.pin, run));
    map.mark(place);
    strip.highlight(place);
    setText(description, place ? describeWeight(place, run, settings, results) : INVITATION);
    description.classList.toggle("empty", !place);
  }

  function drawMap(run, { sequence }, { weights, step }) {
    const [layers, H, L] = run.shape;
    const tokens = run.ids[sequence].map((id) => run.words[id]);
    const words = range(layers).map(() => tokens);
    map.draw({
      data: weights,
      rows: layers,
      columns: H,
      R: L,
      C: L,
      kind: "weights",
      words: { rows: words, columns: words },
      titles: {
        columns: { axis: "H", names: range(H).map((h) => `head ${h}`) },
        rows: { axis: "", names: range(layers).map((n) => `layer ${n}`) },
      },
      label: `weights of ${layers * H} heads at step ${step}; rows look, columns are looked at`,
    });
  }

  function draw(settings, results) {
    task.update(settings.task);
    sequences.forEach((one, n) => {
      one.node.hidden = runs[n].name !== settings.task;
      one.update(settings.sequence);
    });
    if (!results) return;
    map.measure();
    const run = runOf(settings);
    if (drawn?.run !== run) hovered = null;
    drawn = { settings, run, results };
    steps.update(settings.frame, [0, run.steps.length - 1], `${results.step}`);
    play.update(settings.frame, run.steps.length);
    strip.draw(run, settings.sequence, results.chances);
    loss.draw(run, settings.frame, results.loss);
    embedding.draw(run, settings, results);
    drawMap(run, settings, results);
    setText(shares, describeShares(run, results));
    drawHighlight();
    if (!play.isPlaying()) announce(`step ${results.step}, loss ${number(results.loss, 2)}`);
  }

  return { node, draw, restart: () => play.stop() };
}

export const lab = makeLab({
  title: "TrainingLab: what does a model do while it learns?",
  compute,
  build,
});
