// PassportLab: whose numbers does this head hold? One row of memory, cut by a fence, and the heads that the right and the chosen line
// make of it. The numbers fly from the row to their heads.

import { colourBy, element, setAttributes, setText, slider, toggle } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { openAsCode } from "../kit/opening.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { makeBoard } from "./board.js";
import { code, lettered, nextCalls, stepsTable } from "./calls.js";
import { codeOf } from "./code.js";
import { makeFence } from "./fence.js";
import { compute, cutInto, lineOf, mistakes, pieceOf, possiblePieces, WAYS, wayOf } from "./model.js";
import { coincidences, cutOf, describeElement, hiding, isLucky, sentenceOf, verdict } from "./words.js";

/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./painting.js").Settings & { strides: boolean }} Settings */
/** @typedef {import("./board.js").Kind} Kind */

const SLIDERS = { H: "heads", L: "words", D: "numbers per head", B: "sentences" };
const GIVEN = { split: { name: "x", axes: "B, L, H*D" }, merge: { name: "heads", axes: "B, H, L, D" } };
const KEYS =
  "Arrow keys walk through the numbers of a head, page up and down from head to head, home and end from sentence to sentence.";
const LINES = {
  right: "correct",
  "view only": "without permute",
  interleaved: "D before H",
  "no transpose": "without transpose",
  pieces: "your own cut",
};
const DURATION = 3200; // milliseconds of a move
/** @type {Kind[]} */
const BOTH = ["right", "chosen"];

/**
 * The line that is compared with the right one, by its operation and way.
 *
 * @param {(operation: string, way: string) => void} onChoose
 */
function lineChoice(onChoose) {
  const options = Object.entries(WAYS).flatMap(([operation, of]) =>
    Object.keys(of).map((way) => element("option", { value: `${operation}: ${way}` }, `${operation}: ${LINES[way]}`)),
  );
  const select = element("select", { onchange: choose }, ...options);
  const node = element("label", { class: "line-choice" }, "the line", select);

  function choose() {
    const [operation, way] = select.value.split(": ");
    onChoose(operation, way);
  }
  /** @param {Settings} settings */
  const update = (settings) => {
    select.value = `${settings.operation}: ${wayOf(settings)}`;
  };
  return { node, update };
}

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;
  const { parts, controls: chosenControls } = get("_stage");
  const asks = Boolean(parts?.includes("guess")); // only where a page has asked for it
  const hasFence = !asks && shows(tools, "memory") && (chosenControls === null || chosenControls.includes("fence"));
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {Results} */
  let results;
  /** @type {number | null} */
  let hovered = null;
  /** @type {Kind | null} */
  let guess = null; // the line that the reader took for the wrong one
  /** @type {Kind[]} */
  let moving = []; // whose numbers fly while the transition runs
  let compared = false; // with the right line
  let performed = false; // an experiment was started that is not drawn yet
  let fenced = ""; // the cut that the fence has made: what follows the pointer does not fly
  const move = transition(root, (passed) => board.paint(passed, moving), DURATION);

  const ways = lineChoice((operation, way) => set({ operation, way }));
  const colour = colourBy(["head", "word"], (colour) => set({ colour }));
  const strides = toggle("strides, and what can follow", (on) => set({ strides: on }));
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => resize(axis, size)),
  }));
  const [H, L, D, B] = sliders.map((one) => one.node);

  const board = makeBoard(point, pinned);
  const fence = makeFence(readFence, (piece) => {
    const cut = cutInto(piece, read());
    fenced = keyOf({ ...read(), ...cut });
    set(cut);
  });
  const panels = BOTH.map(makePanel);
  const memory = element("div", { class: "memory", hidden: !shows(tools, "memory") }, ...(hasFence ? [fence.node] : []));
  const tables = element(
    "div",
    { class: "panels", hidden: !shows(tools, "heads") },
    ...(asks ? panels.toReversed() : panels).map((one) => one.node),
  );
  const drawing = element("div", { class: "board" }, memory, tables, ...board.nodes);
  const description = element("p", { class: "number" });
  const steps = stepsTable();
  const next = nextCalls();
  const details = element("div", { class: "strides" }, steps.node, next.node);
  const place = stage(tools, {
    picture: element("div", { class: "passport" }, drawing, description, details),
    controls: { H, L, D, way: ways.node },
    more: { colour: colour.node, B, strides: strides.node },
    below: true,
  });
  root.addEventListener("click", unpin);
  if (asks) /** @type {HTMLElement} */ (place.node.querySelector(".chips")).hidden = true; // they would say which line is wrong

  /** What a line makes: the verdict, its code, and below them the space for its tables. @param {Kind} kind */
  function makePanel(kind) {
    const title = asks
      ? element("button", { type: "button", class: "title line", onclick: () => answer(kind) })
      : element("p", { class: "title line" });
    const count = element("p", { class: "verdict" });
    const space = element("div", { class: "tables" });
    const name = element("span", {}, "correct:");
    const head = element("div", { class: "head" }, ...(asks ? [] : [name]), count);
    const above = asks ? [title, head] : [head, title];
    return {
      kind,
      title,
      count,
      name,
      space,
      node: element("section", { class: kind }, ...above, space),
    };
  }

  /** The settings now, which may not be drawn yet. */
  function read() {
    const names = ["B", "L", "H", "D", "operation", "way", "piece"];
    return /** @type {Settings} */ (Object.fromEntries(names.map((one) => [one, get(one)])));
  }
  function readFence() {
    const now = read();
    return { piece: pieceOf(now), possible: possiblePieces(now) };
  }
  /** Whether nothing is compared with the right line yet. */
  const isAlone = () => !asks && !compared;
  /** What the chosen line does with the row. @param {Settings} of */
  function keyOf(of) {
    return `${of.operation} ${wayOf(of)} ${wayOf(of) === "pieces" ? of.piece : ""}`;
  }

  /**
   * A piece of memory stays one that a view can cut.
   *
   * @param {string} axis
   * @param {number} size
   */
  function resize(axis, size) {
    const now = { ...read(), [axis]: size };
    set({
      [axis]: size,
      ...(now.way === "pieces" ? { piece: possiblePieces(now).findLast((one) => one <= (now.piece ?? 1)) } : {}),
    });
  }

  /** @param {Kind} kind the line that the reader takes for the wrong one */
  function answer(kind) {
    guess = kind;
    if (!results) return;
    show();
    start(BOTH);
  }

  /** The place, or null if there is no such number: the sizes may have shrunk. @param {number | null} place */
  function existing(place) {
    return results && place !== null && place < results.right.length ? place : null;
  }
  function pinned() {
    return existing(get("pin"));
  }

  /**
   * A click pins a number, a second click unpins it, and walking with the keys pins the number that is reached.
   *
   * @param {number | null} place
   * @param {"hover" | "click" | "key"} how
   */
  function point(place, how) {
    if (asks && !guess) return;
    if (how === "hover") {
      if (place === hovered) return;
      hovered = place;
      drawHighlight();
      return;
    }
    const pin = how === "click" && place === get("pin") ? null : place;
    set({ pin });
    if (pin !== null) say(describeElement(pin, results, settings));
    hovered = null; // the change of the pin draws the highlight
  }

  /** A click beside the picture and the controls unpins the number. @param {MouseEvent} event */
  function unpin({ target }) {
    const controls = "button, a, input, select, label, summary, canvas, [role=slider]";
    if (get("pin") !== null && target instanceof Element && !target.closest(controls)) point(null, "key");
  }

  /** Frame the number that is pointed at, or else the pinned one, wherever it is drawn, and describe it. */
  function drawHighlight() {
    if (!results) return;
    const at = existing(hovered) ?? existing(settings.pin);
    board.highlight(at);
    const kind = settings.operation === "split" ? "head" : "word";
    const last = settings.H > 1 ? 1 : 0; // a head that exists
    const names = element("span", {}, element("b", {}, `w0 h${last}`), ` word 0, head ${last}`);
    const wrong = shows(tools, "heads") ? mistakes(results, settings) : [];
    const mark = /** @type {const} */ ([
      ["stranger", "corner", `belongs to another ${kind}`],
      ["misplaced", "corner hollow", `right ${kind}, wrong cell`],
    ]).flatMap(([one, look, meaning]) =>
      wrong.includes(one) ? [element("span", {}, element("span", { class: look, "aria-hidden": "true" }), meaning)] : [],
    );
    const legend =
      asks && !guess
        ? [names]
        : [names, ...mark, element("span", {}, "tap a number", element("span", { class: "gets" }, ": where does it belong?"))];
    if (at === null) description.replaceChildren(...legend);
    else setText(description, describeElement(at, results, settings));
  }

  /** Lay out the picture: how tall the row and the tables are says where the canvas draws them. */
  function arrange() {
    const open = !asks || guess !== null;
    const options = {
      ...{
        settings,
        results: isAlone() ? { ...results, result: [] } : results,
        empty: !open,
        label: `${lineOf(settings)}: row of memory and heads. ${KEYS}`,
      },
      shown: { memory: shows(tools, "memory"), heads: shows(tools, "heads"), cut: open, grip: hasFence },
      widths: { memory: memory.clientWidth, right: panels[0].space.clientWidth, chosen: panels[1].space.clientWidth },
      spaces: { right: { x: 0, y: 0 }, chosen: { x: 0, y: 0 } },
    };
    const heights = board.measure(options);
    memory.style.height = `${heights.memory}px`;
    for (const { kind, space } of panels) space.style.height = `${heights[kind]}px`;
    for (const { kind, space } of panels) options.spaces[kind] = { x: space.offsetLeft, y: space.offsetTop };
    board.take(options, { width: drawing.clientWidth, height: drawing.clientHeight });
    if (hasFence) fence.draw({ ...readFence(), pitch: heights.pitch, edge: heights.edge, text: fenceText() });
  }

  function fenceText() {
    if (results.error) return `pieces of ${pieceOf(settings)}: no view cuts the row like this`;
    return `${lineOf(settings)} ${cutOf(settings)}`;
  }

  function drawWords() {
    const { operation } = settings;
    const { right, counts, error } = results;
    const total = right.length;
    const bad = Boolean(error) || counts["in place"] < total;
    const lucky = isLucky(settings, results);
    const open = !asks || guess !== null;
    const given = GIVEN[operation];
    const shape = operation === "split" ? "(B, H, L, D)" : "(B, L, H*D)";
    const sizes = /** @type {const} */ (["B", "L", "H", "D"]).reduce(
      (text, axis) => text.replace(axis, String(settings[axis])),
      shape,
    );
    const made = `(${sizes
      .slice(1, -1)
      .split(", ")
      .map((size) => size.split("*").reduce((all, one) => all * Number(one), 1))
      .join(", ")})`;
    const same = lineOf(settings) === WAYS[operation].right;
    const bug = Object.keys(WAYS[operation])[1]; // the other line, as long as the reader has chosen none
    const said = {
      right: [WAYS[operation].right, `✓ ${verdict({ ...counts, "in place": total }, total, settings)}`],
      chosen: [
        isAlone() ? WAYS[operation][bug] : lineOf(settings),
        isAlone()
          ? "press a button above"
          : error
            ? "✗ no view cuts the row like this"
            : lucky
              ? `⚠ no difference with ${hiding(settings)}`
              : same
                ? "✓ the same line"
                : `${bad ? "✗" : "✓"} ${verdict(counts, total, settings)}`,
      ],
    };
    for (const { kind, title, count, name, node } of panels) {
      const [line, text] = said[kind];
      const none = isAlone() && kind === "chosen";
      const called = LINES[kind === "right" ? "right" : none ? bug : wayOf(settings)];
      setText(name, `${called}:`);
      if (!asks) setAttributes(node, { "aria-label": kind === "right" ? called : `compared: ${called}` });
      title.replaceChildren(code(`${given.name}.${line}`.replace(/(?<=view.*permute.*)(?=\.reshape)/, "\n  ")));
      setText(count, open ? text : `shape ${made}`);
      node.classList.toggle("open", open && !none);
      node.classList.toggle("bad", open && kind === "chosen" && bad);
      node.classList.toggle("lucky", open && kind === "chosen" && lucky);
    }
    const notes = open ? coincidences(settings, counts) : [];
    const sentence = open ? sentenceOf(settings, results, guess ? judged() : subject()) : "Press the line that you think is wrong.";
    // While the numbers fly, only the cut is told: what comes of it is told when they have arrived.
    const [cut, ...found] = sentence.split(/(?=:)/);
    const [counted, gets = ""] = found.join("").split(/(?=(?<=\.) (?:Head|Word) 0 )/);
    const outcome = element(
      "span",
      { class: "outcome" },
      ...lettered(counted),
      element("span", { class: "gets" }, gets), // on a phone the tables say it
      ...notes.flatMap((note) => [" ", element("span", { class: "note" }, ...lettered(note))]),
    );
    place.tell(...lettered(cut), outcome);
    details.hidden = !open || !(settings.strides || parts?.includes("steps") || parts?.includes("next"));
    steps.node.hidden = !(settings.strides || parts?.includes("steps"));
    next.node.hidden = !(settings.strides || parts?.includes("next"));
    if (details.hidden) return;
    steps.draw(results.steps, `${given.name} (${given.axes})`);
    next.draw(results.next, operation === "split" ? "What can follow the chosen line" : "What the last call might be", total);
  }

  /** The beginning of the sentence about the line that is compared with the right one. */
  function subject() {
    const way = wayOf(settings);
    if (way === "right") return "The correct line";
    if (way === "pieces") return "Your line";
    return way === "interleaved" ? "With D before H, the line" : `${LINES[way][0].toUpperCase()}${LINES[way].slice(1)}, the line`;
  }

  /** Whether the reader has guessed right: the beginning of the sentence about the line that is compared with the right one. */
  function judged() {
    const wrong = results.error || results.counts["in place"] < results.right.length;
    if (!wrong) return "At these sizes neither is wrong. This line";
    return guess === "chosen" ? "Yes. This line" : "No, this line is right. The other one";
  }

  function show() {
    drawWords();
    arrange();
    drawHighlight();
  }

  /** @param {Kind[]} kinds */
  function start(kinds) {
    moving = kinds;
    for (const { kind, node } of panels) node.classList.toggle("moving", kinds.includes(kind));
    move.start();
  }

  /**
   * @param {Settings} newSettings
   * @param {Results | null} newResults
   */
  function draw(newSettings, newResults) {
    ways.update(newSettings);
    for (const one of sliders) one.update(newSettings[one.axis], limits()[one.axis]);
    colour.update(newSettings.colour);
    strides.update(newSettings.strides);
    place.update();
    if (!newResults) return;
    const before = settings && { operation: settings.operation, key: keyOf(settings) };
    [settings, results] = [newSettings, newResults];
    compared ||= wayOf(settings) !== "right";
    show();
    const key = keyOf(settings);
    const byFence = fenced === key;
    fenced = "";
    const [again, changed] = [performed, before && before.key !== key && !byFence];
    performed = false;
    if (asks && !guess) return move.passed() < 1 ? move.finish() : board.paint(1, []);
    if (again || changed) start([isAlone() ? "right" : "chosen"]);
    else if (move.passed() < 1) move.finish();
    else board.paint(1, []);
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    const holds = Object.entries(changes).every(([one, value]) => JSON.stringify(settings?.[one]) === JSON.stringify(value));
    if (!holds)
      performed = true; // the move begins when the results are there
    else if (results) start([isAlone() ? "right" : "chosen"]);
  }

  return {
    node: place.node,
    draw,
    perform,
    actions: asks ? [] : openAsCode(tools, codeOf), // the program names the right line
    restart() {
      guess = null;
      compared = false;
      if (!results) return;
      show();
      move.finish();
      board.paint(1, []);
    },
  };
}

export const lab = makeLab({
  title: "PassportLab: whose numbers does this head hold?",
  compute,
  build,
});
