// TrainingLab: a training that has happened, frame by frame.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { chips, curve, player, rows } from "./charts.js";
import { compute, inside, runOf, story, telling } from "./model.js";

function build({ get, set, say }) {
  let shown = null; // what was drawn: { state, run, results }
  let hovered = null;
  let announced = null;
  const name = unique("training");
  const runs = get("_runs");
  const go = (frame) => set({ frame });
  const steps = slider(null, "training step", (frame) => {
    play.stop();
    go(frame);
  });
  const play = player(() => get("frame"), go);
  const task = choice(
    `${name}-task`,
    "Task",
    runs.map((run) => [run.name, run.name]),
    start,
  );
  const sequences = runs.map((run, n) => {
    const options = run.titles.map((title, sequence) => [sequence, title]);
    return choice(`${name}-sequence-${n}`, "Sequence", options, (sequence) => set({ sequence }));
  });
  const loss = curve((frame) => {
    play.stop();
    go(frame);
  });
  const strip = chips();
  const map = heatmap(point, () => get("pin") && inside(get("pin"), shown.run));
  const told = element("p", { class: "pinned" });
  const table = rows((word) => set({ word }));
  const shares = element("p", { class: "training-shares" });
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
      element("div", {}, map.node, shares, told),
      element("div", {}, loss.node, table.node),
    ),
  );

  // Another task starts at the same share of its training, where it has something to tell, and keeps what it has of the rest.
  function start(task) {
    play.stop();
    const [from, to] = [get("task"), task].map((one) => runs.find((run) => run.name === one));
    const share = from ? get("frame") / Math.max(1, from.steps.length - 1) : 0;
    const kept = (at, list) => Math.min(at, list.length - 1);
    const sequence = kept(get("sequence"), to.ids);
    set({
      task,
      frame: Math.round(share * (to.steps.length - 1)),
      sequence,
      word: kept(get("word"), to.words),
      pin: telling(to, sequence),
    });
  }

  // A second click on what is pinned lets it go; walking with the keys pins what is reached.
  function point(place, kept, how) {
    const at = place && inside(place, shown.run);
    hovered = kept ? null : at;
    if (!kept) return explain();
    const pin = how === "click" && String(at) === String(get("pin")) ? null : at;
    set({ pin });
    if (pin) say(story(pin, shown.run, shown.state, shown.results));
  }

  function explain() {
    const { state, run, results } = shown;
    const place = hovered ?? (state.pin && inside(state.pin, run));
    map.mark(place);
    strip.light(place);
    const invitation = "Point at a weight, or tap it: who looks where, and what comes next.";
    setText(told, place ? story(place, run, state, results) : invitation);
    told.classList.toggle("empty", !place);
  }

  function draw(state, results) {
    const { task: chosen, frame, sequence } = state;
    task.update(chosen);
    sequences.forEach((one, n) => {
      one.node.hidden = runs[n].name !== chosen;
      one.update(sequence);
    });
    if (!results) return;
    map.measure();
    const run = runOf(state);
    const [layers, H, L] = run.shape;
    steps.update(frame, [0, run.steps.length - 1], `${results.step}`);
    play.update(frame, run.steps.length);
    if (shown && hovered && shown.run !== run) hovered = null;
    shown = { state, run, results };
    strip.draw(run, sequence, results.chances);
    loss.draw(run, frame, results);
    table.draw(run, state, results);
    const letters = run.ids[sequence].map((id) => run.words[id]);
    const words = range(layers).map(() => letters);
    map.draw({
      data: results.weights,
      rows: layers,
      columns: H,
      R: L,
      C: L,
      kind: "weights",
      words: { rows: words, columns: words },
      titles: {
        columns: { axis: "H", names: range(H).map((h) => `head ${h}`) },
        rows: { axis: null, names: range(layers).map((n) => `layer ${n}`) },
      },
      label: `weights of ${layers * H} heads at step ${results.step}; rows look, columns are looked at`,
    });
    const said = (of) =>
      range(layers).map((n) => `${Array.from(of.slice(n * H, (n + 1) * H), (one) => number(one, 2)).join(", ")} in layer ${n}`);
    const [just, after] = [results.before, results.shares].map((of) => said(of).join("; "));
    setText(
      shares,
      `Weight on the word just before: ${just}. On what came right after an earlier occurrence of the same word: ${after}.`,
    );
    explain();
    const spoken = `step ${results.step}, loss ${number(results.loss, 2)}`;
    if (announced !== null && announced !== spoken && !play.playing()) say(spoken);
    announced = spoken;
  }

  return { node, draw, restart: () => play.stop() };
}

export const lab = makeLab({
  title: "TrainingLab: what does a model do while it learns?",
  compute,
  build,
});
