// GridLab: tables of numbers that fly when a call gives the tensor another shape, above the row of memory in which the numbers lie.

import { penFor } from "../kit/canvas.js";
import { coloursOf } from "../kit/colours.js";
import { choice, colourBy, element, letter, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { shows, stage } from "../kit/stage.js";
import { mix, progress } from "../kit/time.js";
import { transition } from "../kit/transition.js";
import { axesLine } from "./axes.js";
import { MEMORY_HEIGHT, placeAt, windowOnto, written } from "./memory.js";
import { choicesOf, compute, indexInside, marked, misplaced, numberAt, originOf, STEPS, unravel } from "./model.js";
import { lookOf } from "./paint.js";
import { paintMemory } from "./row.js";
import { boxesOf, nthAt, planOf, walked } from "./scene.js";
import { paintTables } from "./tables.js";
import { coincidences, happened, lies, movedIn, moving, owner } from "./words.js";

/** @typedef {import("./model.js").Axis} Axis */
/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Step} Step */
/** @typedef {ReturnType<typeof choicesOf>} Choices */

/** @typedef {{ step: Step, layout: import("./scene.js").Layout, boxes: import("./scene.js").Box[], results: Results }} Scene */
/** @typedef {{ sizes: ByAxis, at: ByAxis, choices: Choices, width: number, region: number, from: Scene, to: Scene, wrong: boolean[], framed: number, look: import("./paint.js").Look }} Drawn */

const MEANINGS = { B: "sentences", L: "tokens", H: "heads", D: "numbers per head" };
const KEYS = "Arrow keys walk from number to number, Home and End along the row, Page Up and Page Down from block to block";

/** @type {Record<string, import("./scene.js").Walk>} */
const WALKS = {
  ...{ ArrowLeft: { column: -1 }, ArrowRight: { column: 1 }, ArrowUp: { row: -1 }, ArrowDown: { row: 1 } },
  ...{ Home: { column: -1, all: true }, End: { column: 1, all: true }, PageUp: { block: -1 }, PageDown: { block: 1 } },
};

/** A tuple stays in one line. @param {string} text */
const tied = (text) => text.replace(/, (?=\d)/g, ",\u00a0");

/** How many rows of memory are drawn: a copy writes a second one. @param {boolean} shared */
const rowsOf = (shared) => (shared ? 1 : 2);

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;

  const axes = axesLine();
  const [tables, memory] = ["grid-tables", "grid-memory"].map((name) => element("canvas", { class: name, "aria-hidden": "true" }));
  const board = element("div", {
    ...{ class: "grid-board", tabindex: 0, role: "application", "aria-roledescription": "matrices and memory" },
    onkeydown: press,
  });
  for (const [part, canvas] of /** @type {const} */ ([
    ["tables", tables],
    ["memory", memory],
  ]))
    if (shows(tools, part)) board.append(canvas);
  axes.node.hidden = !shows(tools, "axes");

  const steps = element("select", { onchange: () => set({ step: steps.value }) });
  const program = element("label", { class: "grid-program" }, element("span", {}, "tensor"), steps);
  const sliders = /** @type {Axis[]} */ (["B", "H", "L", "D"]).map(
    (axis) => /** @type {const} */ ([axis, slider(axis, MEANINGS[axis], (size) => resize({ [axis]: size }))]),
  );
  const sizesOf = Object.fromEntries(sliders);
  const marking = choice(
    unique("mark"),
    "mark",
    [
      ["head", element("span", {}, letter("H"), " head")],
      ["token", element("span", {}, letter("L"), " token")],
      ["number", "number"],
    ],
    (mark) => set({ mark }),
  );
  const colouring = colourBy(["head", "token", "value"], (colour) => set({ colour }));
  const place = stage(tools, {
    below: true,
    picture: [axes.node, board],
    controls: { H: sizesOf.H.node, L: sizesOf.L.node, mark: marking.node },
    more: { step: program, B: sizesOf.B.node, D: sizesOf.D.node, colour: colouring.node },
  });

  /** @type {Drawn | null} */
  let drawn = null;
  /** @type {number | null} the number under the pointer */
  let hovered = null;
  let replays = false; // the next drawing plays the move from its start
  let asked = false; // a step has been made: what it moves is no longer for the reader to say
  let looked = false; // at a number, or at what a link of the text shows: its strides and its place are told
  let walking = false; // a key has moved the pin, which is to be said
  const move = transition(root, paint, 4200);

  const sizes = () => ({ B: get("B"), H: get("H"), L: get("L"), D: get("D") });
  const index = () => indexInside({ ...sizes(), index: get("index") });
  const chosen = () => choicesOf({ step: get("step"), mark: get("mark"), colour: get("colour") });
  /** @param {ByAxis} at */
  const list = ({ B, H, L, D }) => [B, H, L, D];
  /** @param {Partial<ByAxis>} change */
  const resize = (change) => set({ ...change, index: list(indexInside({ ...sizes(), ...change, index: get("index") })) });
  /** @param {number} number */
  function pin(number) {
    looked = true;
    set({ index: list(originOf(sizes(), number)) });
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const walk = WALKS[event.key];
    if (!walk || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { step } = chosen();
    const values = compute({ ...sizes(), step, index: get("index"), mark: "", colour: "" }).values;
    walking = true;
    pin(values[walked(step, sizes(), values.indexOf(numberAt(sizes(), index())), walk)]);
  }

  /**
   * The number at the pointer, null beside the numbers.
   *
   * @param {MouseEvent} event
   */
  function numberUnder({ clientX, clientY, target }) {
    if (!drawn) return null;
    const canvas = /** @type {HTMLCanvasElement} */ (target);
    const box = canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const { results, layout } = drawn.to;
    if (canvas === tables) return results.values[nthAt(layout, x, y)] ?? null;
    const { storage, shared } = results;
    const looked = Array.prototype.indexOf.call(storage, hovered ?? numberAt(drawn.sizes, drawn.at));
    const rows = rowsOf(shared);
    const seen = windowOnto(drawn.width, storage.length, rows, looked, drawn.sizes.D);
    const there = placeAt(drawn.width, storage.length, rows, x, y, seen);
    return there && (there.nth ? storage[there.place] : there.place);
  }
  /** @param {number | null} number */
  function hover(number) {
    if (number === hovered) return;
    hovered = number;
    looked ||= number !== null;
    if (!drawn) return;
    paint(move.passed());
    const { sizes: given, at, choices, to } = drawn;
    if (choices.mark !== "number") return; // the others tell of what is marked
    const seen = number === null ? at : originOf(given, number);
    const state = { ...given, ...choices, index: list(seen) };
    tell(state, choices, seen, number === null ? to.results : compute(state));
  }
  for (const canvas of [tables, memory]) {
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") hover(numberUnder(event));
    });
    canvas.addEventListener("pointerleave", () => hover(null));
    canvas.addEventListener("click", (event) => {
      const number = numberUnder(event);
      if (number !== null) pin(number);
    });
  }

  /**
   * The picture at moment n of the move.
   *
   * @param {number} n
   */
  function paint(n) {
    if (!drawn) return;
    const { sizes: given, at, choices, width, region, from, to, wrong, framed, look } = drawn;
    const { values, storage, shared } = to.results;
    const pinned = numberAt(given, at);
    const pointed = hovered !== null && hovered < values.length ? hovered : pinned;
    const marks = { chosen: marked(given, at, choices.mark), pinned, pointed };
    const { name, call, from: parent } = STEPS[to.step];
    const source = to.step === "rows" ? "" : `${STEPS[parent].name} = ${STEPS[parent].call(given)}`;
    const quiet = !asked && !looked;
    const line = { n, quiet, call: `${name} = ${call(given)}`, source, number: pointed };
    axes.draw({ ...line, from: tensorOf(from, pointed), to: tensorOf(to, pointed) });
    if (tables.parentNode) {
      const pen = penFor(tables, width, region);
      paintTables(pen, { from, to, n, D: given.D, H: given.H, name, wrong, framed }, look, marks);
    }
    if (memory.parentNode) {
      const rows = mix(rowsOf(from.results.shared), rowsOf(shared), progress(n, 0, 0.15));
      const pen = penFor(memory, width, MEMORY_HEIGHT);
      const count = `${asked ? movedIn(written(storage, n)) : "?"} of ${values.length}`;
      const titles = shared
        ? [{ count, title: ["numbers moved in memory", "moved in memory", "moved"] }]
        : [
            { count: "", title: [`memory of ${STEPS[parent].name}, as before`] },
            {
              count,
              title: [`numbers have another place in the new memory of ${name}`, `have a new place in the memory of ${name}`],
            },
          ];
      const { mark } = choices;
      const raised = mark === "number" ? "" : owner(mark, at);
      paintMemory(pen, { width, sizes: given, storage, shared, rows, n, titles, raised }, look, marks);
    }
  }

  /**
   * @param {Scene} scene
   * @param {number} number
   */
  const tensorOf = ({ step, results: { values, shape, strides } }, number) => {
    const { name, axes: letters } = STEPS[step];
    return { name, axes: letters, shape, strides, at: unravel(shape, Array.prototype.indexOf.call(values, number)) };
  };

  /**
   * @param {State} state
   * @param {Results | null} results
   */
  function draw(state, results) {
    const choices = choicesOf(state);
    for (const [axis, one] of sliders) one.update(state[axis], limits()[axis]);
    drawProgram(state, choices);
    marking.update(choices.mark);
    colouring.update(choices.colour);
    place.update();
    if (!results) return;
    const width = Math.max(200, board.clientWidth || 600); // measured first: later it would make the browser lay out twice
    const given = { B: state.B, H: state.H, L: state.L, D: state.D };
    const at = indexInside(state);
    const plan = planOf(given, width);
    /**
     * @param {Step} step
     * @param {Results} made
     * @returns {Scene}
     */
    const sceneOf = (step, made) => ({
      step,
      layout: plan.layouts[step],
      boxes: boxesOf(plan.layouts[step], made.values),
      results: made,
    });
    const to = sceneOf(choices.step, results);
    const before = drawn;
    const same = before !== null && before.width === width && list(before.sizes).join() === list(given).join();
    const changed = same && before.to.step !== choices.step;
    asked ||= choices.step !== "split";
    const parent = STEPS[choices.step].from;
    const from = replays
      ? sceneOf(parent, compute({ ...state, step: parent }))
      : changed
        ? before.to
        : same && move.passed() < 1
          ? before.from
          : to;
    drawn = {
      sizes: given,
      at,
      choices,
      width,
      region: plan.region,
      from,
      to,
      wrong: misplaced(state, results.values),
      framed: at.B * state.H + at.H,
      look: lookOf(given, choices, coloursOf(root)),
    };
    if (replays || changed) move.start();
    else {
      if (!same) move.stop();
      paint(move.passed());
    }
    replays = false;
    tell(state, choices, at, results);
  }

  /**
   * @param {ByAxis} given
   * @param {Choices} choices
   */
  function drawProgram(given, { step }) {
    const all = /** @type {Step[]} */ (Object.keys(STEPS));
    const texts = all.map((one) => `${STEPS[one].name} = ${STEPS[one].call(given)}`);
    if (steps.textContent !== texts.join(""))
      steps.replaceChildren(...all.map((one, n) => element("option", { value: one }, texts[n])));
    steps.value = step;
  }

  /**
   * @param {State} state
   * @param {Choices} choices
   * @param {ByAxis} at
   * @param {Results} results
   */
  function tell(state, { step, mark }, at, results) {
    const [note] = coincidences(state);
    place.meanwhile(moving(step, results.shared));
    const [done, wrong] = happened(step, state, results, at);
    const [first, rest] = done.split(/(?<=moved no number|another place in it)(.*)/); // the answer to the question
    place.tell(
      ...(rest ? [element("b", {}, first)] : []),
      rest && mark !== "head" && !wrong ? "." : tied(rest ?? done),
      " ",
      wrong ? element("b", { class: "grid-wrong" }, wrong) : "",
      " ",
      // The pieces of a head are told where they lie as before, and where they have become one.
      mark !== "head" || step === "split" || step === "copied" ? tied(lies(mark, step, at, results, marked(state, at, mark))) : "",
      ...(note ? [" ", element("span", { class: "hint" }, note)] : []),
    );
    const here = `${STEPS[step].name}[${results.at.join(", ")}] = ${numberAt(state, at)}, place ${results.place}`;
    board.setAttribute("aria-label", `${here}. ${KEYS}`);
    if (walking) say(here);
    walking = false;
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    replays = "step" in changes;
    looked = true;
    if (!drawn || !replays) return;
    const { to, sizes: given, at } = drawn;
    const held =
      to.step === chosen().step && list(given).join() === list(sizes()).join() && list(at).join() === list(index()).join();
    if (held) draw({ ...given, ...chosen(), index: get("index") }, to.results);
  }

  function restart() {
    asked = looked = false;
    paint(move.passed());
  }

  return { node: place.node, draw, perform, restart };
}

export const lab = makeLab({
  title: "GridLab: what permute moves, in matrices and in memory",
  compute,
  build,
});
