// ShapeLab: the map of the layer from x to y, with the numbers on their way; the chosen tensor large; a cell and all that it is linked to.

import { coloursOf } from "../kit/colours.js";
import { element } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { wordsAlong } from "../kit/layer.js";
import { range } from "../kit/math.js";
import { setMoving } from "../kit/moving.js";
import { openAsCode } from "../kit/opening.js";
import { shows, stage } from "../kit/stage.js";
import { wholes } from "../kit/takes.js";
import { transition } from "../kit/transition.js";
import { numbersAt, spoken } from "./cell.js";
import { codeOf } from "./code.js";
import { makeControls } from "./controls.js";
import { images } from "./images.js";
import { large } from "./large.js";
import { clamped, linked } from "./links.js";
import { map } from "./map.js";
import { coincidences, compute, PAIRED } from "./model.js";
import { panel } from "./panel.js";
import { NARROW } from "./plan.js";
import { axesOf, LAST, shapeNow, sheetsOf, stageOf, tensorIn, written } from "./stages.js";
import { note, story } from "./story.js";
import { lettered, timeline } from "./timeline.js";
import { title } from "./title.js";
import { AXES, arrival, changeWords, passing } from "./words.js";

/** @typedef {import("../kit/facets.js").Place} Place */
/** @typedef {import("../kit/layer.js").LayerState & { step: string, pin: Place | null, pinned: string | null, colour: "value" | "origin" }} State */

const KEYS = "Arrow keys move through a matrix, page up and page down through the heads, home and end through the sentences.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, say, announce, exact, isFromKernel } = tools; // a kernel has the exact numbers
  /** @type {{ state: State, results: any } | null} */
  let drawn = null;
  /** @type {Place | null} */
  let hovered = null;
  let [sayPinned, played] = [false, false]; // the first as soon as its numbers are here
  let told = "";
  let toEnd = false; // an experiment plays: the next change of a size ends it
  /** The sizes that others are compared with. @type {any} */
  const ours = Object.fromEntries(AXES.map((axis) => [axis, tools.initial(axis)]));
  let again = false; // an experiment has been asked for once more
  let opening = true; // nothing has happened yet, or all of it has been reset
  let explaining = true; // the sentence tells what the reader did last: that of a cell, until something else happens
  let byHand = true; // the sizes are not those of an experiment
  /** @type {Record<string, string>} */
  let palette = {};

  const pictures = images();
  const overview = map(choose);
  const near = large(point, () => nearPlace());
  const about = title();
  const explanation = panel();
  const time = timeline(() => paint(), describe);
  const { film } = time;
  const resizing = transition(root, () => paint(), 1200);
  film.watch(() => {
    if (!film.playing) toEnd = false;
    if (played && !film.playing && drawn) {
      if (happened === passing(shownNow(), drawn.state)) happened = arrival(shownNow(), drawn.state);
      tell(); // what the numbers mean is for a reader who stops
    }
    played = film.playing;
    setMoving(root, film, film.playing);
  });

  const mapBox = element("div", { class: "map", hidden: !shows(tools, "map") }, overview.canvas);
  const largeBox = element("div", { class: "large" }, near.canvas);
  const side = element("div", { class: "side", hidden: !shows(tools, "tensor") }, about.node, largeBox);
  time.node.hidden = !shows(tools, "time");
  explanation.node.hidden = !shows(tools, "cell");
  const board = element("div", { class: "board" }, mapBox, time.node);

  const controls = makeControls(tools, choose);
  const place = stage(tools, { picture: board, controls: controls.first, more: controls.more, below: true });
  const notes = element("p", { class: "notes" }); // by the sizes, which they are about
  place.node.classList.add("shape");
  board.parentElement?.after(side);
  place.node.append(notes);
  place.node.querySelector(".saying")?.append(explanation.node); // in the place of the sentence

  /** The tensor that is shown large: there is no context in self-attention. */
  function shownNow() {
    const step = get("step");
    return step === "context" && get("S") === null ? "scores" : step;
  }

  /** @param {number} n a stage */
  function describe(n) {
    const state = drawn?.state;
    if (!state) return "";
    const name = tensorIn(n, shownNow());
    return `${name}, shape ${shapeNow(name, state).join(", ")}`;
  }

  /**
   * Show another tensor. A pinned cell stays the cell of its own tensor.
   *
   * @param {string} name
   */
  function choose(name) {
    film.takeOver();
    film.pause();
    show(name);
    film.seek(stageOf(name));
  }

  /** @param {string} name */
  function show(name) {
    const keep = get("pin") && !get("pinned") ? { pinned: shownNow() } : {};
    followed = name;
    if (name === get("step")) return;
    explaining = false;
    set({ step: name, ...keep });
  }

  // The tensor that this view has chosen or drawn last. While the setting is another one, the choice came from elsewhere (a kernel,
  // a sentence of the text): a frame of a move must not replace it by the tensor of its time before `draw` has followed it.
  let followed = get("step");

  /** The pinned cell: its tensor, and its place within the sizes of now. */
  function pin() {
    const { state } = drawn ?? {};
    const kept = get("pin");
    if (!state || !kept) return null;
    const name = get("pinned") ?? shownNow();
    const known = name === "context" && state.S === null ? "x" : name;
    return { name: known, place: clamped(state, known, kept) };
  }

  /** Where the keyboard continues in the tensor that is shown. */
  function nearPlace() {
    const kept = pin();
    return kept && drawn ? clamped(drawn.state, shownNow(), kept.place) : null;
  }

  /**
   * @param {Place | null} at
   * @param {boolean} kept
   * @param {"click" | "key"} [how]
   */
  function point(at, kept, how) {
    if (!drawn) return;
    hovered = kept ? null : at;
    if (kept) {
      const shut = !explaining;
      explaining = true;
      const now = pin();
      const same = !shut && how === "click" && now?.name === shownNow() && String(at) === String(now?.place);
      sayPinned = at !== null && !same && PAIRED.has(shownNow());
      set({ pin: same ? null : at, pinned: null });
    }
    if (get("_backend")) set({ _pointed: hovered });
    paint();
    explain();
  }

  /** The cell that is explained: the one under the pointer, or else the pinned one. */
  function focus() {
    return hovered && drawn ? { name: shownNow(), place: clamped(drawn.state, shownNow(), hovered) } : pin();
  }

  function explain() {
    const cell = focus();
    if (!drawn || !cell) return explanation.clear();
    const { state, results } = drawn;
    const numbers = isFromKernel() ? sentNumbers(cell) : numbersAt(state, results, cell.name, cell.place);
    if (!numbers) return; // until the kernel has sent them
    explanation.explain(cell.name, axesOf(cell.name, state), state, numbers, cell.place);
    explanation.node.classList.toggle("empty", !explaining && !hovered);
    if (sayPinned && !hovered) {
      sayPinned = false;
      say(spoken(state, numbers, cell.place));
    }
  }

  /**
   * The numbers of a cell that the kernel has sent, null if they have not arrived.
   *
   * @param {{ name: string, place: Place }} cell
   * @returns {any}
   */
  function sentNumbers({ name, place: at }) {
    const sent = exact();
    return sent?.of === name && String(sent.place) === String(at) ? sent : null;
  }

  /** @param {State} state */
  const sentenceOf = (state) => Math.min(focus()?.place[0] ?? 0, state.B - 1);

  /**
   * The words along an axis, or indices where it has none.
   *
   * @param {State} state
   * @param {string} axis
   * @param {number} count
   * @param {number} b
   */
  const namesAlong = (state, axis, count, b) =>
    axis === "L" || axis === "S" ? wordsAlong(state, axis)[b] : range(count).map(String);

  /** Draw both pictures as they are at this moment. */
  function paint() {
    if (!drawn || get("step") !== followed) return;
    const { state, results } = drawn;
    const t = film.seen;
    const now = Math.ceil(t - 1e-6);
    const name = shownNow();
    const shown = stageOf(name) === now ? name : tensorIn(now, name);
    if (shown !== name) show(shown);
    const b = sentenceOf(state);
    const sent = exact();
    pictures.update(state, results, b, state.colour, palette, isFromKernel() && sent ? { step: sent.step, most: sent.most } : null);
    const cell = focus();
    const links = cell && (explaining || hovered) ? linked(state, cell.name, cell.place) : null; // what is outlined is explained
    const scene = { state, pictures, palette, t, shown, links, passed: resizing.passed() };
    overview.arrange(state, room.map, room.mapTall, shown);
    if (!mapBox.hidden) overview.draw(scene);
    if (side.hidden) return;
    const sheets = sheetsOf(shown, state);
    const words = {
      rows: namesAlong(state, sheets.rowAxis, sheets.R, b),
      columns: namesAlong(state, sheets.columnAxis, sheets.C, b),
    };
    near.arrange(scene, words, b, room.large, room.largeTall);
    const label = `${written(shown)} of sentence ${b}: ${sheets.heads} × ${sheets.R} × ${sheets.C} numbers. ${KEYS}`;
    near.draw(scene, words, room.large, label);
    about.show(shown, b, state, pictures.image(shown));
  }

  const room = { map: 500, large: 340, mapTall: 300, largeTall: 380 };
  function measure() {
    const wide = board.clientWidth;
    room.map = mapBox.clientWidth || wide;
    room.large = largeBox.clientWidth || wide;
    [room.mapTall, room.largeTall] = wide >= NARROW ? [Math.min(283, 0.32 * wide), 136] : wide < 500 ? [130, 188] : [150, 250];
    const style = getComputedStyle(root);
    palette = { ...coloursOf(root), accent: style.getPropertyValue("--lab-accent").trim() || style.color };
  }

  /**
   * @param {State} state
   * @param {any} results
   */
  function draw(state, results) {
    measure();
    controls.update(state, shownNow());
    if (!results) return;
    time.update(state, ours);
    if (state.step === get("step")) followed = state.step; // else a later choice waits for its own drawing
    const before = drawn?.state ?? null;
    // Sizes are told against those of the page: the same sizes have the same sentence.
    const sized = before && AXES.some((axis) => before[axis] !== state[axis]);
    const change = sized
      ? changeWords({ ...state, ...ours }, state) || arrival(shownNow(), state)
      : before && changeWords(before, state);
    drawn = { state, results };
    const goesOn = change || before?.step !== state.step;
    const { pin: kept = null, pinned = null, step } = before ?? state;
    if (kept && !pinned && !state.pinned && step !== state.step && String(kept) === String(state.pin)) set({ pinned: step });
    if (!opening && goesOn) explaining = false;
    if (String(kept) !== String(state.pin)) explaining = true;
    if (change && toEnd && film.playing) {
      film.pause();
      show("y");
      film.seek(LAST);
    }
    const moved = overview.arrange(state, room.map, room.mapTall, shownNow());
    if (stageOf(shownNow()) !== Math.ceil(film.time - 1e-6)) film.seek(stageOf(shownNow()));
    if (again || (moved && change)) resizing.start();
    else if (resizing.passed() === 1) paint();
    if (change) byHand = !again;
    again = false;
    explain();
    controls.keep(state, opening);
    if (opening || goesOn)
      happened = (!opening && change) || (film.playing && passing(shownNow(), state)) || arrival(shownNow(), state);
    tell();
    opening = false;
    place.update();
  }

  let happened = ""; // with axis letters in braces
  /** Say what has happened, what the numbers mean where they mean something, and what the sizes hide. */
  function tell() {
    if (!drawn) return;
    const { state, results } = drawn;
    const name = shownNow();
    const cell = pin();
    const meaning =
      (name === "weights" || name === "heads") && !film.playing
        ? story({ ...state, step: name }, results, cell?.place ?? null).text
        : note(state);
    const same = byHand ? coincidences(state) : [];
    const hidden = same.length ? `These sizes hide a bug. ${same[0]}${same.length > 1 ? ` And ${same.length - 1} more.` : ""}` : "";
    const all = happened + meaning + hidden + !cell;
    if (all === told) return;
    told = all;
    // A cell stands in the place of the sentence: what it means is below.
    place.tell(...lettered(happened), " ", element("span", { class: "meaning" }, cell ? "" : meaning));
    notes.textContent = cell ? meaning : hidden;
    if (hidden && !opening) announce(`${happened.replace(/[{}]/g, "")} ${hidden} ${meaning}`);
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    if (changes.step === "y") {
      if (get("pin") && !get("pinned")) set({ pinned: followed }); // the cell that is explained stays that of its tensor
      followed = get("step"); // the film goes there by itself
      film.seek(film.still ? LAST : 0);
      toEnd = true;
      if (!film.still) film.play();
      return;
    }
    if (changes.step) film.seek(stageOf(changes.step));
    again = Object.entries(changes).some(
      ([name, value]) => String(drawn?.state[/** @type {keyof State} */ (name)]) !== String(value),
    );
    if (!again) resizing.start();
  }

  function drawExact() {
    paint();
    explain();
  }

  function restart() {
    film.pause();
    opening = true;
    hovered = null;
    controls.fill();
    film.seek(stageOf(shownNow()));
  }

  return { node: place.node, draw, drawExact, perform, restart, actions: openAsCode(tools, codeOf) };
}

export const lab = makeLab({
  title: "ShapeLab: the map of multi-head attention, from x to y",
  compute,
  takes: { pin: wholes(4) },
  build,
});
