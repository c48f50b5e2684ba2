// EinsumLab: a formula, the loops that it stands for, and the tensors on which they run.

import { colourBy, element, setAttributes, setChildCount, setText, slider } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { setMoving } from "../kit/moving.js";
import { openAsCode } from "../kit/opening.js";
import { player } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { magnitude } from "../kit/scale.js";
import { shows, stage } from "../kit/stage.js";
import { wholes } from "../kit/takes.js";
import { transition } from "../kit/transition.js";
import { codeOf } from "./code.js";
import { formulaField } from "./field.js";
import { lettersOf, readFormula, shapeOf } from "./formula.js";
import { lookOf } from "./ink.js";
import { edgesOf, numberAt, planOf } from "./layout.js";
import { compute, indexOf, nudgedOf } from "./model.js";
import { momentAt, overviewAt, partAt, partsOf, stepsAt, stepsOfLoops, stopsOf, timeAt } from "./moments.js";
import { paint } from "./paint.js";
import { axesOf, tracePin } from "./pin.js";
import { program } from "./program.js";
import { sceneOf } from "./scene.js";
import { claimOf, happeningIn, workOf } from "./telling.js";
import { walk } from "./walk.js";
import { coincidences, namesOf } from "./words.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./model.js").State & { pin: number[] | null, step: number | null, colour: "value" | "key" | "head" }} Settings */

const SLIDERS = {
  ...{ H: "heads", S: "keys", B: "sentences", L: "queries" },
  ...{ D: "numbers per head", G: "key/value heads", E: "numbers per token" },
};
const OTHERS = {
  "the output": "bhls,bhsd->bhld",
  "two vectors": "d,d->",
  "each with each": "l,s->ls",
  "sums of rows": "bhls->bhl",
  diagonal: "bhll->bhl",
  "heads into W_O": "bhld,hde->ble",
  "b forgotten": "bhld,bhsd->hls",
  "h under two names": "bhls,bgsd->bhld",
};
const KEYS =
  "Arrow keys walk through a matrix, Page Up, Page Down, Home and End from matrix to matrix, Enter to the next tensor; Escape lets the loops run.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {any} */
  let results;
  /** @type {Formula} */
  let formula;
  /** @type {import("./ink.js").Picture} */
  let picture;
  /** @type {import("./moments.js").Part[]} */
  let parts = [];
  /** @type {ReturnType<typeof player> | null} */
  let film = null;
  /** @type {number | null} the step that the film has shown last */
  let kept = null;
  /** @type {number[] | null} */
  let hovered = null;
  /** @type {"run" | "nudge" | null} what to play when the next change is drawn */
  let next = null;
  /** @type {{ pin: number[], shape: string | null } | null} */
  let lastPin = null;
  let isSeeking = false;
  let isDraft = false; // the field holds what is no formula: the picture is older than the text
  let told = "";
  const bump = transition(root, (n) => show(n), 2600);

  const field = formulaField({
    choose,
    current: () => get("formula"),
    onDraft: (isInvalid) => {
      isDraft = isInvalid;
      for (const node of [board, code.node]) node.classList.toggle("old", isDraft);
      if (results && film) tell(sceneNow());
    },
  });
  const colour = colourBy(["value", "key", "head"], (by) => set({ colour: by }));
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const sliderOf = Object.fromEntries(sliders.map(({ axis, node }) => [axis, node]));
  const others = Object.entries(OTHERS).map(([name, text]) => ({
    text,
    node: element(
      "button",
      { type: "button", onclick: () => tools.perform({ formula: text, nudge: null, pin: null, step: null }) },
      name,
    ),
  }));
  const examples = element(
    "div",
    { class: "others", role: "group", "aria-label": "other formulas" },
    ...others.map(({ node }) => node),
  );
  const work = element("p", { class: "work" });
  const reseed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  const code = program();
  code.node.hidden = !shows(tools, "loops");
  const canvas = element("canvas", {
    ...{ tabindex: 0, role: "application", "aria-roledescription": "tensors", onkeydown: press },
  });
  const edges = element("div", { class: "edges" }); // a strip along each edge: pointing at it lights up its axis everywhere
  const board = element("div", { class: "board", hidden: !shows(tools, "tensors") }, canvas, edges);
  const time = element("div", { class: "time", hidden: !shows(tools, "time") });
  const place = stage(tools, {
    picture: [element("div", { class: "both" }, code.node, board), time],
    below: true,
    controls: { formula: field.node, H: sliderOf.H, S: sliderOf.S },
    more: {
      ...{
        others: element("div", {}, examples, work),
        colour: colour.node,
        B: sliderOf.B,
        L: sliderOf.L,
        D: sliderOf.D,
        G: sliderOf.G,
        E: sliderOf.E,
      },
      seed: reseed,
    },
  });
  place.node.classList.add("einsum");

  /** @param {string} text */
  function choose(text) {
    set({ formula: text, pin: pinFor(text) });
  }

  // A pin stays in every formula whose tensor has the same shape, and comes back with such a formula while the reader types.
  function pinFor(text) {
    const shapeIn = (/** @type {string} */ one, /** @type {number} */ side) => {
      const axes = axesOf(readFormula(one))[side];
      return axes === null ? null : String(shapeOf(axes, sizesNow()));
    };
    const pin = get("pin");
    if (pin) lastPin = { pin, shape: shapeIn(get("formula"), pin[0]) };
    return lastPin && shapeIn(text, lastPin.pin[0]) === lastPin.shape ? lastPin.pin : null;
  }
  const sizesNow = () => Object.fromEntries(Object.keys(SLIDERS).map((axis) => [axis, get(axis)]));

  // Time ---------------------------------------------------------------------------------------------------------------------------

  /** How often the inner line has run. */
  function stepNow() {
    const { steps } = stepsOfLoops(formula, settings);
    if (film?.playing) return Math.round(100 * stepsAt(parts, film.time)) / 100;
    return Math.min(settings.step ?? steps, steps);
  }

  /** A film of these loops, in place of the one before. */
  function makeFilm() {
    film?.destroy();
    setMoving(root, "loops", false);
    parts = partsOf(formula, settings);
    film = player({ end: parts[parts.length - 1].until, stops: stopsOf(parts), draw: () => show() });
    const bar = playerBar(film, {
      parts: parts.map(({ name, from }) => [name, from]),
      label: "time in the loops",
      describe: (t) => {
        const { n, steps } = momentAt(formula, settings, stepsAt(parts, t));
        return `run ${n + 1} of ${steps}`;
      },
    });
    for (const button of bar.node.querySelectorAll(".parts button")) button.setAttribute("tabindex", "-1"); // the slider's keys do this
    film.watch(keep);
    time.replaceChildren(bar.node);
  }

  /** Keep the step in the settings when the film rests, but not sixty times a second. A loop that runs explains no pinned number. */
  function keep() {
    if (!film) return;
    setMoving(root, "loops", film.playing);
    const { steps } = stepsOfLoops(formula, settings);
    const x = Math.round(100 * stepsAt(parts, film.time)) / 100;
    const step = x >= steps ? null : x;
    if (film.playing) {
      if (get("pin")) set({ pin: null });
      return;
    }
    if (isSeeking || step === kept) return;
    kept = step;
    set({ step, pin: null });
  }

  /** Show the picture of the settings: a film that plays is stopped. */
  function rest() {
    if (!film) return;
    kept = settings.step;
    const { steps } = stepsOfLoops(formula, settings);
    seek(timeAt(parts, Math.min(settings.step ?? steps, steps)));
  }

  /** Go to a time that is not the reader's choice, and so is not kept. @param {number} t */
  function seek(t) {
    isSeeking = true;
    film?.seek(t);
    isSeeking = false;
  }

  // Pointing -----------------------------------------------------------------------------------------------------------------------

  /** The number under the pointer, as [side, number]. @param {MouseEvent} event */
  function under(event) {
    if (!picture) return null;
    const box = canvas.getBoundingClientRect();
    const scene = sceneNow();
    for (const [side, one] of picture.plan.places.entries()) {
      const at = one && numberAt(one, scene.fronts[side], event.clientX - box.left, event.clientY - box.top);
      if (at && one) return [side, at.reduce((n, index, axis) => n * one.sizes[axis] + index, 0)];
    }
    return null;
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(under(event));
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    const pin = under(event);
    hovered = null;
    keepPin(String(pin) === String(get("pin")) ? null : pin);
  });

  /** @param {number[] | null} pin */
  function hover(pin) {
    if (String(pin) === String(hovered) || root.hasAttribute("data-moving")) return;
    hovered = pin;
    if (results) show();
  }

  /** @param {number[] | null} pin */
  function keepPin(pin) {
    lastPin = null;
    set(pin ? { pin, step: null } : { pin });
  }

  /** Add 1 to the pinned number of an operand, and follow it. */
  function nudgePinned() {
    const [side, n] = get("pin");
    const index = indexOf(n, shapeOf(formula.tensors[side], settings));
    tools.perform({ nudge: [side, ...index], pin: null, step: null });
    canvas.focus();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") keepPin(null);
    else {
      const pin = walk(readFormula(get("formula")), sizesNow(), get("pin"), event.key);
      if (!pin) return;
      hovered = null;
      keepPin(pin);
    }
    event.preventDefault();
  }

  // Drawing ------------------------------------------------------------------------------------------------------------------------

  function sceneNow() {
    const isRunning = Boolean(film?.playing);
    const x = stepNow();
    const { terms } = stepsOfLoops(formula, settings);
    const isFast = x > 0 && (isRunning ? x > terms : x % terms === 0); // at rest, a result that is complete is all its products
    return sceneOf(formula, settings, results, { x, isRunning, isFast, hovered });
  }

  function prepare() {
    const width = Math.max(240, board.clientWidth || 330);
    const isNarrow = root.clientWidth < 480;
    const isBeside = !code.node.hidden && code.node.offsetTop === board.offsetTop;
    const corner = isBeside ? { w: code.node.offsetWidth + 14, h: code.node.offsetHeight + 4 } : undefined;
    const tensors = axesOf(formula).map((axes) => (axes === null ? null : { axes, shape: shapeOf(axes, settings) }));
    const tallest = isNarrow ? 288 - 10 * Math.max(0, lettersOf(formula).length - 5) : 370;
    const plan = planOf({ width, tallest, tensors, corner });
    picture = {
      ...{ plan, overview: 0 },
      ...{ formula, settings, results, names: namesOf(formula), colour: settings.colour, look: lookOf(root) },
      before: nudgedOf(formula, settings) && compute(/** @type {Settings} */ ({ ...settings, nudge: null })).result,
      most: { factors: Math.max(magnitude(results.left), magnitude(results.right ?? [])), result: magnitude(results.result) },
    };
    const strips = plan.places.flatMap((one, side) => (one ? edgesOf(one, axesOf(formula)[side] ?? "") : []));
    setChildCount(edges, strips.length, () => element("i", {}));
    strips.forEach(({ axis, box: { x, y, w, h } }, n) => {
      const style = `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
      setAttributes(edges.children[n], { "data-axis": axis, style });
    });
  }

  /** @param {number} [bumped] how much of the move of a nudged number has passed */
  function show(bumped = bump.passed()) {
    if (!picture) return;
    picture.overview = overviewAt(formula, parts, stepNow());
    const scene = sceneNow();
    paint(canvas, picture, scene, bumped);
    const { moment, trace, pair, sum } = scene;
    const factors = pair.map((at, side) => results[side ? "right" : "left"][at]);
    const equation = factors.length > 1 ? `${factors.join(" · ")} = ${factors[0] * factors[1]}` : String(factors[0]);
    const values =
      trace || scene.isFast || moment.part === 0
        ? ""
        : moment.terms > 1 && moment.part === 1
          ? `${equation}, sum ${sum}`
          : equation;
    const line = trace ? null : scene.isFast ? Object.keys(moment.indices).length : moment.line;
    code.show(scene.indices, line, values.replaceAll("-", "−"));
    tell(scene);
  }

  /** @param {import("./scene.js").Scene} scene */
  function tell(scene) {
    const part = film?.playing ? partAt(parts, film.time) : null;
    const happened = happeningIn(formula, settings, results, scene, part);
    const { trace, isNudge } = scene;
    const isPinned = settings.pin !== null && hovered === null && trace !== null && trace.side < 2 && !isNudge;
    const key = JSON.stringify([settings.formula, sizesNow(), happened, isPinned, isDraft]);
    if (key === told) return;
    told = key;
    if (isDraft) return place.tell(`No verdict: your text is not a formula yet. The picture is still that of ${settings.formula}.`);
    place.tell(
      ...(trace && !part ? [] : claimOf(formula, settings, happened === "")),
      happened,
      ...(isPinned ? [" ", element("button", { type: "button", onclick: nudgePinned }, "add 1 to it")] : []),
      element("span", { class: "notes" }, ...(part ? [] : coincidences(formula, settings).map((note) => ` ${note}`))),
    );
    canvas.setAttribute("aria-label", `${happened || workOf(formula, settings)} ${KEYS}`);
  }

  /**
   * @param {Settings} newSettings
   * @param {any} newResults
   */
  function draw(newSettings, newResults) {
    const drawn = newSettings.formula.replaceAll(" ", "");
    colour.update(newSettings.colour);
    const written = readFormula(newSettings.formula);
    field.update(newSettings.formula);
    const letters = lettersOf(written);
    for (const one of sliders) {
      one.node.hidden = !letters.includes(one.axis.toLowerCase());
      one.update(newSettings[one.axis], limits()[one.axis]);
    }
    for (const { text, node } of others) node.setAttribute("aria-pressed", String(text === drawn));
    setText(work, `The loops: ${workOf(written, newSettings)}`);
    place.update();
    if (!newResults) return;
    const before = settings && { ...settings, pin: null, step: null };
    const isChanged = JSON.stringify(before) !== JSON.stringify({ ...newSettings, pin: null, step: null });
    settings = newSettings;
    results = newResults;
    formula = readFormula(settings.formula);
    hovered = tracePin(formula, settings, hovered) && hovered;
    code.draw(formula, settings, namesOf(formula));
    prepare();
    const key = JSON.stringify(partsOf(formula, settings));
    if (JSON.stringify(parts) !== key) makeFilm();
    else if (film?.playing && (isChanged || settings.step !== kept)) seek(film.time); // ends the film
    play();
  }

  /** Begin what an experiment plays; else show the settings. */
  function play() {
    const wanted = next;
    next = null;
    bump.stop();
    if (!film) return;
    if (wanted === "run") {
      kept = settings.step;
      seek(film.still ? film.end : 0);
      if (!film.still) film.play();
    } else {
      if (!film.playing) rest();
      if (wanted === "nudge") bump.start();
      else show(1);
    }
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    hovered = null;
    lastPin = null;
    if ("nudge" in changes && changes.nudge) next = "nudge";
    else if ("formula" in changes && changes.step == null && !changes.pin) next = "run";
    if (!next || !results) return;
    const isDrawn = Object.keys(settings).every((name) => JSON.stringify(settings[name]) === JSON.stringify(get(name)));
    if (isDrawn) draw(settings, results);
  }

  function restart() {
    lastPin = null;
    field.restart(get("formula"));
  }

  return { node: place.node, draw, perform, restart, actions: openAsCode(tools, codeOf) };
}

export const lab = makeLab({
  title: "EinsumLab: which letters of a formula are kept, and which are added up",
  compute,
  takes: { pin: wholes(2) },
  build,
});
