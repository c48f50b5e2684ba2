// EinsumLab: a formula, the loops that it stands for, and the tensors on which they run.

import { element, setAttributes, setChildCount } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { openAsCode } from "../kit/opening.js";
import { magnitude } from "../kit/scale.js";
import { shows, stage } from "../kit/stage.js";
import { wholes } from "../kit/takes.js";
import { transition } from "../kit/transition.js";
import { codeOf } from "./code.js";
import { controlsOf } from "./controls.js";
import { formulaField } from "./field.js";
import { loopsFilm } from "./film.js";
import { readFormula, shapeOf, toggled } from "./formula.js";
import { lookOf } from "./ink.js";
import { BESIDE, boxOf, edgesOf, planOf } from "./layout.js";
import { compute, indexOf, nudgedOf } from "./model.js";
import { stepsOfLoops } from "./moments.js";
import { paint } from "./paint.js";
import { axesOf } from "./pin.js";
import { pointing } from "./pointing.js";
import { coloured, program } from "./program.js";
import { sceneOf } from "./scene.js";
import { claimOf, happeningIn, verdictIn, workOf } from "./telling.js";
import { growsText, nameOf, namesOf, offerOf } from "./words.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./model.js").State & { pin: number[] | null, step: number | null, film: boolean, colour: "value" | "key" | "head" }} Settings */

const KEYS =
  "Arrow keys walk through a matrix, Page Up, Page Down, Home and End from matrix to matrix, Enter to the next tensor; Escape ends this.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {any} */
  let results;
  /** @type {Formula} */
  let formula;
  /** @type {import("./ink.js").Picture} */
  let picture;
  /** @type {"run" | "nudge" | null} what to play when the next change is drawn */
  let next = null;
  let isDraft = false; // the field holds what is no formula: the picture is older than the text
  let told = "";
  const bump = transition(root, (n) => show(n), 4500);
  const film = loopsFilm(tools, () => show());
  const run = (/** @type {string} */ text) => tools.perform({ formula: text, nudge: null, pin: null, step: null, film: true });
  const controls = controlsOf(tools, run);
  const code = program((letter) => run(toggled(formula, letter)));
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "tensors" });
  const edges = element("div", { class: "edges" }); // a strip along each edge: pointing at it lights up its axis everywhere
  const offer = element("button", {
    type: "button",
    class: "offer",
    onclick: () => nudge(/** @type {number[]} */ (sceneNow().offered)),
  });
  const board = element("div", { class: "board", hidden: !shows(tools, "tensors") }, canvas, edges, offer);
  const hand = pointing(tools, canvas, {
    plan: () => picture?.plan,
    fronts: () => sceneNow().fronts,
    show: () => show(),
    sizes: controls.sizes,
    nudge: (pin) => (String(pin) === String(nudgedOf(formula, settings)) ? set({ nudge: null, pin: null }) : nudge(pin)),
  });
  const field = formulaField({
    choose: (text) => set({ formula: text, pin: hand.pinFor(text), film: true }),
    current: () => get("formula"),
    onDraft: (isInvalid) => {
      isDraft = isInvalid;
      for (const node of [board, code.node, code.loops]) node.classList.toggle("old", isDraft);
      if (results) tell(sceneNow());
    },
  });
  code.node.hidden = code.loops.hidden = !shows(tools, "loops");
  film.node.hidden = !shows(tools, "time");
  const place = stage(tools, {
    picture: element("div", { class: "both" }, code.node, board, element("div", { class: "film" }, film.node, code.loops)),
    below: true,
    controls: controls.first,
    more: { formula: field.node, ...controls.more },
  });
  place.node.classList.add("einsum");

  /** Add 1 to a number of an operand, and follow it. @param {number[]} pin */
  function nudge([side, n]) {
    const index = indexOf(n, shapeOf(formula.tensors[side], settings));
    tools.perform({ nudge: [side, ...index], pin: null, step: null, film: false });
    canvas.focus();
  }

  function sceneNow(bumped = bump.passed()) {
    const [x, isRunning] = [film.step, film.playing];
    const { terms } = stepsOfLoops(formula, settings);
    const isFast = x > 0 && (isRunning ? x > terms : x % terms === 0); // at rest, a result that is complete is all its products
    return sceneOf(formula, settings, results, { x, isRunning, isFast, hovered: hand.hovered, bump: bumped });
  }

  /** Whether the loops and their player are shown. */
  const isFilm = () => settings.film || settings.step !== null;

  function prepare() {
    place.node.classList.toggle("runs", isFilm());
    const width = Math.max(240, board.clientWidth || 330);
    const plan = planOf({
      width,
      tallest: width > BESIDE ? 368 : isFilm() ? 462 : 505,
      formula,
      sizes: settings,
      letters: code.node.hidden ? 0 : 32,
      isHinted: isFilm(),
    });
    code.move(plan);
    picture = {
      ...{ plan, formula, settings, results, names: namesOf(formula), colour: settings.colour, look: lookOf(root) },
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
    const scene = sceneNow(bumped);
    const { moment, trace, isNudge } = scene;
    paint(canvas, picture, scene, bumped);
    const { offered } = scene;
    offer.hidden = !offered || isFilm();
    if (offered) {
      const { x, y, w, h } = boxOf(/** @type {import("./layout.js").Place} */ (picture.plan.places[offered[0]]), offered[1]);
      const tall = Math.max(h, 24);
      const style = `left:${x - 30}px;top:${y + (h - tall) / 2}px;height:${tall}px;--wide:${w}px;--high:${h}px`;
      setAttributes(offer, { style, "aria-label": `add 1 to ${nameOf(formula, settings, offered)}` });
    }
    const line = trace || scene.isStill ? null : scene.isFast ? Object.keys(moment.indices).length : moment.line;
    code.show(scene.indices, line);
    place.meanwhile(trace && isNudge && bumped < 1 ? growsText(formula, settings, results, trace) : "");
    tell(scene);
  }

  /** @param {import("./scene.js").Scene} scene */
  function tell(scene) {
    const { part } = film;
    const happened = happeningIn(formula, settings, results, scene, part);
    const { trace, isNudge } = scene;
    const isPinned = settings.pin !== null && hand.hovered === null && trace !== null && trace.side < 2 && !isNudge;
    const isGuess = scene.isStill && !isFilm();
    const invite = isGuess
      ? offerOf(formula, results, scene.offered !== null)
      : trace && hand.hovered && trace.side < 2 && !isNudge
        ? "Click: it grows by 1."
        : "";
    const key = JSON.stringify([settings.formula, controls.sizes(), happened, invite, isPinned, isDraft]);
    if (key === told) return;
    told = key;
    if (isDraft) return place.tell(`This is no formula yet. The picture is still that of ${settings.formula}.`);
    const [, count = "", rest = happened] = (isNudge && /^(.*? change)(.*)$/.exec(happened)) || [];
    place.tell(
      ...(happened || isGuess ? [] : claimOf(formula, settings)),
      ...(count ? [element("b", {}, count)] : []),
      ...coloured(rest),
      ...(isNudge ? verdictIn(formula, settings) : []),
      ...(isPinned ? [" ", element("button", { type: "button", onclick: () => nudge(get("pin")) }, "add 1 to it")] : []),
      ` ${invite}`,
    );
    canvas.setAttribute("aria-label", `${happened || workOf(formula, settings)} ${KEYS}`);
  }

  /**
   * @param {Settings} newSettings
   * @param {any} newResults
   */
  function draw(newSettings, newResults) {
    field.update(newSettings.formula);
    controls.update(newSettings);
    place.update();
    if (!newResults) return;
    const before = settings && { ...settings, pin: null, step: null };
    const isChanged = JSON.stringify(before) !== JSON.stringify({ ...newSettings, pin: null, step: null });
    settings = newSettings;
    results = newResults;
    formula = readFormula(settings.formula);
    hand.draw(formula, settings);
    code.draw(formula, settings, namesOf(formula));
    prepare();
    film.draw(formula, settings, isChanged);
    play();
  }

  /** Begin what an experiment plays; else show the settings. */
  function play() {
    const wanted = next;
    next = null;
    bump.stop();
    if (wanted === "run") return film.run();
    if (!film.playing) film.rest();
    if (wanted === "nudge") bump.start();
    else show(1);
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    hand.clear();
    if ("nudge" in changes && changes.nudge) next = "nudge";
    else if ("formula" in changes && changes.step == null && !changes.pin) next = "run";
    if (!next || !results) return;
    const isDrawn = Object.keys(settings).every((name) => JSON.stringify(settings[name]) === JSON.stringify(get(name)));
    if (isDrawn) draw(settings, results);
  }

  function restart() {
    hand.clear();
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
