// The parts of TrainingLab beside its heatmap: the loss, the words foretold, the rows of the embedding, and the button that plays.

import { element, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { line } from "./model.js";

const TICK = 140; // milliseconds for which a frame is shown
const [WIDE, HIGH] = [300, 100];
const SIDE = 200;

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// A button that goes through the frames, when asked; for who wants no motion, one frame at a time. asked(): the frame that the lab is
// at, which may not be drawn yet.
export function player(asked, go) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const node = element("button", { type: "button", onclick: press });
  let [frame, count, timer, expected] = [0, 1, 0, null];

  function press() {
    if (timer) return stop();
    advance(asked());
  }
  // While it plays, a frame that is not drawn yet is waited for.
  function advance(from = frame) {
    expected = from + 1 < count ? from + 1 : 0;
    if (!still.matches) timer = setTimeout(() => (frame + 1 < count ? advance() : stop()), TICK);
    label();
    go(expected);
  }
  function stop() {
    clearTimeout(timer);
    timer = 0;
    label();
  }
  function label() {
    setText(node, still.matches ? "next frame" : timer ? "pause" : "play");
  }
  // The frame that is drawn now, of how many. If it is not the one that was played, somebody else has moved it.
  function update(now, frames) {
    [frame, count] = [now, frames];
    if (timer && now !== expected) stop();
    label();
  }
  return { node, update, stop, playing: () => Boolean(timer) };
}

// The loss of every step, what guessing costs, and where the reader is. onFrame(frame): the curve was pointed at.
export function curve(onFrame) {
  const path = svg("path", { class: "loss" });
  const [guess, now] = [svg("path", { class: "guess" }), svg("path", { class: "now" })];
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    guess,
    path,
    now,
  );
  const title = element("p");
  const below = element("p", { class: "training-ends" }, element("small"), element("small"));
  const node = element("div", { class: "training-loss" }, title, picture, below);
  let drawn = null;
  picture.addEventListener("pointerdown", (event) => {
    const box = picture.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    onFrame(Math.max(0, Math.min(drawn.steps.length - 1, Math.round(share * (drawn.steps.length - 1)))));
  });

  function draw(run, frame, { loss }) {
    const most = 1.12 * Math.max(run.guess, ...run.losses.slice(0, 1));
    const y = (HIGH * (1 - run.guess / most)).toFixed(1);
    if (drawn !== run) {
      put(path, "d", line(run.losses, WIDE, HIGH, most));
      put(guess, "d", `M0 ${y}H${WIDE}`);
      setText(below.firstChild, "step 0");
      setText(below.lastChild, `step ${run.losses.length - 1}`);
      drawn = run;
    }
    const x = ((WIDE * run.steps[frame]) / Math.max(1, run.losses.length - 1)).toFixed(1);
    put(now, "d", `M${x} 0V${HIGH}`);
    setText(title, `Loss of the batch at this step ${number(loss, 2)} (guessing, dashed: ${number(run.guess, 2)})`);
  }
  return { node, draw };
}

// The sequence, each word on the colour of the probability that the model gave it before it came.
export function chips() {
  const title = element(
    "p",
    {},
    element("small", {}, "What the model gave to each word before it came, from 0 (dark) to 1 (bright):"),
  );
  const list = element("div", { class: "training-chips", role: "img" });
  const node = element("div", {}, title, list);
  let cells = [];

  function draw(run, sequence, chances) {
    const ids = run.ids[sequence];
    if (cells.length !== ids.length) {
      cells = ids.map(() => element("span"));
      list.replaceChildren(...cells);
    }
    ids.forEach((id, n) => {
      setText(cells[n], run.words[id]);
      const colour = n ? shade(chances[n - 1], "weights", 1) : null;
      put(cells[n], "style", colour ? `background:${colour.paper};color:${colour.ink}` : "");
    });
    const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
    put(
      list,
      "aria-label",
      `${ids.map((id) => run.words[id]).join(" ")}: on average the model gives the next word ${number(mean, 2)}`,
    );
  }
  // Frame the words of one weight: who looks, and at what.
  function light(place) {
    cells.forEach((cell, n) => put(cell, "class", place?.[2] === n ? "looks" : place?.[3] === n ? "seen" : ""));
  }
  return { node, draw, light };
}

// The rows of the embedding: how far one of them moves from frame to frame, and its way among all others, as dots.
export function rows(onWord) {
  const select = element("select", { onchange: () => onWord(Number(select.value)) });
  const label = element("label", { class: "switch" }, element("span", {}, "Row of the embedding"), select);
  const way = svg("path", { class: "way" });
  const marks = svg("g");
  const picture = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" }, way, marks);
  const pace = svg("path");
  const curve = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "pace" },
    pace,
  );
  const about = element("p");
  const note = element("small", {}, "All rows, seen along the two directions in which they move most.");
  const node = element("div", { class: "training-rows" }, label, curve, about, picture, note);
  let drawn = null;

  function draw(run, { frame, word }, { dots, path, strides, moved }) {
    if (drawn !== run) {
      select.replaceChildren(...run.words.map((text, n) => element("option", { value: n }, text)));
      marks.replaceChildren(...run.words.map((text) => svg("text", {}, text)));
      drawn = run;
    }
    select.value = word;
    const at = (place) => (SIDE / 2 + (place / run.reach[0]) * (SIDE / 2 - 8)).toFixed(1);
    [...marks.children].forEach((mark, n) => {
      put(mark, "transform", `translate(${at(dots[2 * n])} ${at(-dots[2 * n + 1])})`);
      put(mark, "class", n === word ? "chosen" : "");
    });
    const points = Array.from({ length: frame + 1 }, (_, f) => `${at(path[2 * f])} ${at(-path[2 * f + 1])}`);
    put(way, "d", `M${points.join("L")}`);
    const upToNow = line(
      Array.from(strides.slice(0, frame + 1)),
      (WIDE * frame) / Math.max(1, strides.length - 1),
      HIGH,
      run.reach[1],
    );
    put(pace, "d", frame ? upToNow.replace(/^M[^L]*L/, "M") : ""); // before the first frame there is none
    setText(
      about,
      `“${run.words[word]}” has moved ${number(strides[frame], 2)} since the last frame (above), ${number(moved, 2)} in all.`,
    );
  }
  return { node, draw };
}
