// TileLab: attention in tiles, played step by step. One memory is slow and large, the other fast and small.

import { FONT } from "../kit/canvas.js";
import { choice, context2d, element, slider, toggle, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { player } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { shows, stage } from "../kit/stage.js";
import { countsOf } from "./counts.js";
import { planOf, scoreAt, WORD } from "./layout.js";
import { compute, momentsOf, strayedRows } from "./model.js";
import { paceOf } from "./pace.js";
import { lookOf, paint } from "./paint.js";
import { focusBetween, sumBetween } from "./scene.js";
import { endSentence, playSentence, questionOf, stepSentence, strayedSentence, wrongRows } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Moment} Moment */

const SLIDERS = { tile: "tile size", L: "queries", S: "keys", D: "numbers per head", hidden: "masked keys in front" };

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {any} */
  let results;
  /** @type {Moment[]} */
  let moments = [];
  /** @type {Moment[] | null} the same steps with rescaling, if it is forgotten */
  let rights = null;
  /** @type {number[][]} the rows that are wrong by then */
  let strayed = [];
  let most = 1;
  /** @type {Float32Array} */
  let whole;
  /** @type {import("./paint.js").Picture} */
  let picture;
  /** @type {ReturnType<typeof player> | null} */
  let film = null;
  let filmKey = "";
  let risen = 0; // the step in which it shows that a sum is rescaled
  /** @type {number | null} the step that the film has shown last */
  let kept = null;
  let isSeeking = false;
  let isWanted = false; // whether to play when the next change is drawn
  let told = "";

  const sliders = Object.entries(SLIDERS).map(([name, meaning]) => ({
    name,
    ...slider(name.length === 1 ? name : "", meaning, (value) => set({ [name]: value })),
  }));
  const sliderOf = Object.fromEntries(sliders.map(({ name, node }) => [name, node]));
  const method = choice(
    unique("tile"),
    "scores",
    [
      ["fused", "tile by tile"],
      ["stored", "all stored"],
    ],
    (value) => set({ method: value }),
  );
  const causal = toggle("causal mask", (on) => set({ causal: on }));
  const rescale = toggle("rescale when the maximum rises", (on) => set({ rescale: on, step: null })); // its effect is in the output
  const reseed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  const canvas = element("canvas", { role: "img", onclick: jump });
  const counts = countsOf(shows(tools, "moved"));
  const board = element("div", { class: "board" }, canvas, ...counts.nodes);
  const time = element("div", { class: "time", hidden: !shows(tools, "time") });
  const place = stage(tools, {
    picture: [board, time],
    controls: { tile: sliderOf.tile, method: method.node },
    more: {
      ...{ causal: causal.node, rescale: rescale.node },
      ...{ L: sliderOf.L, S: sliderOf.S, D: sliderOf.D, hidden: sliderOf.hidden, seed: reseed },
    },
    below: true,
  });
  const question = /** @type {HTMLElement} */ (place.node.querySelector(".question"));
  const asked = `${question.textContent}`;
  const [good, bad] = ["good", "bad"].map((kind) => element("span", { class: kind, hidden: true }));
  place.node.append(good, bad);
  place.node.classList.add("tile");

  // Time ---------------------------------------------------------------------------------------------------------------------------

  /** A film of these steps, in place of the one before. */
  function makeFilm() {
    const last = moments.length - 1;
    const strays = strayed.findIndex(({ length }) => length);
    const { pace, parts, risen: rises } = paceOf(settings, moments, strays);
    risen = rises;
    const key = `${last} ${pace}`;
    if (key === filmKey) return;
    filmKey = key;
    film?.destroy();
    film = player({
      end: last,
      stops: moments.map((_, n) => n),
      pace,
      draw: () => show(),
    });
    const bar = playerBar(film, {
      parts: parts.map((from) => ["", from]), // for Page Up and Down
      label: "step",
      describe: (t) => `step ${Math.floor(t + 1e-6)} of ${last}`,
    });
    film.watch(keep);
    time.replaceChildren(bar.node);
  }

  /** Keep the step in the settings when the film rests, but not sixty times a second. */
  function keep() {
    if (!film) return;
    root.toggleAttribute("data-moving", film.playing);
    if (film.playing || isSeeking) return;
    const n = Math.round(film.seen);
    const step = n >= film.end ? null : n;
    if (step === kept) return;
    kept = step;
    set({ step });
  }

  /** Show the step of the settings: a film that plays is stopped. */
  function rest() {
    if (!film) return;
    kept = settings.step;
    isSeeking = true;
    film.seek(Math.min(settings.step ?? film.end, film.end));
    isSeeking = false;
  }

  /** A click on a score leads to the moment at which it exists. @param {MouseEvent} event */
  function jump(event) {
    if (!picture || !film) return;
    const box = canvas.getBoundingClientRect();
    const at = scoreAt(picture.plan, event.clientX - box.left, event.clientY - box.top);
    if (!at) return;
    const n = moments.findIndex(
      ({ step }) => step?.kind === "scores" && isInside(step.rows, at[0]) && isInside(step.columns, at[1]),
    );
    if (n < 0) return;
    film.takeOver();
    film.seek(n);
  }

  // Drawing ------------------------------------------------------------------------------------------------------------------------

  function prepare() {
    const width = Math.max(240, board.clientWidth || 330);
    const isNarrow = root.clientWidth < 480;
    const { L, S, D } = settings;
    const words = settings._text.split(" ").slice(0, S);
    const keys = Array.from({ length: S }, (_, j) => (results.trained ? words[j] : `${j}`));
    const named = { keys, queries: keys.slice(S - L) };
    picture = {
      plan: planOf({
        ...{ width, tallest: isNarrow ? 454 : 418, L, S, D, longest: longestOf(keys) },
      }),
      ...{ settings, operands: results, words: named, whole, most, look: lookOf(root, good, bad) },
    };
    counts.place(picture.plan);
  }

  /** How wide the longest of these words is. @param {string[]} words */
  function longestOf(words) {
    const pen = context2d(canvas);
    pen.font = `400 ${WORD}px ${FONT}`;
    return Math.ceil(Math.max(...words.map((word) => pen.measureText(word).width)));
  }

  function show() {
    if (!picture || !film) return;
    const t = film.seen;
    const last = moments.length - 1;
    const n = Math.min(Math.floor(t + 1e-6), last);
    const part = Math.max(0, t - n);
    const isBetween = part > 1e-6 && n < last;
    const [from, to] = isBetween ? [n, n + 1] : [Math.max(0, n - 1), n];
    const isLate = !isBetween || part >= 0.5;
    const now = isBetween ? part : 1;
    const worst = n === last && wrongRows(results).length ? results.off.indexOf(Math.max(...results.off)) : undefined;
    const sum = sumBetween(settings, moments, from, to, now, worst);
    // Of the same row: the maxima are the same.
    const should = rights && sumBetween({ ...settings, rescale: true }, rights, from, to, now, worst);
    const isFused = settings.method === "fused";
    picture.isQuick = film.playing && (!isFused || (moments[to].step?.rows[0] ?? 0) > 0);
    const isSeen = isFused && (to < last || wrongRows(results).length > 0); // at last the bytes are in its place
    const isTold = !film.playing || (to >= risen && to <= risen + 1); // other rescalings pass too quickly
    const focus = isTold ? focusBetween(moments[to].step, now) : null;
    paint(...[canvas, picture, moments[from], moments[to], now, strayed[isLate ? to : from]], { ...sum, should, isSeen, focus });
    // A step is in sight from its middle on; the first one and the rescaling, which takes long, at once.
    tell(isBetween && (isLate || to === risen || (film.playing && !n)) ? to : n);
  }

  /** @param {number} n the step that is shown */
  function tell(n) {
    const moment = moments[n];
    const last = moments.length - 1;
    counts.update(settings, results, moments, n, strayed[n]);
    const isPlaying = Boolean(film?.playing);
    const said = isPlaying
      ? strayed[n].length
        ? strayedSentence(moment, results, strayed[n])
        : {
            kind: "",
            verdict: "",
            // A rise that passes quickly is not told: there is no time to read it.
            text: playSentence(
              moment,
              results,
              picture.words,
              settings.rescale,
              n < risen ? undefined : moments[n - (moment.step?.kind === "mix" ? 2 : 1)],
            ),
          }
      : n === last
        ? endSentence(settings, results, picture.words.queries)
        : { kind: "", verdict: "", text: stepSentence(settings, moments[Math.max(0, n - 1)], moment, picture.words) };
    const key = JSON.stringify(said);
    if (key === told) return;
    told = key;
    place.tell(...(said.verdict ? [element("b", { class: said.kind }, said.verdict), " "] : []), said.text);
    canvas.setAttribute("aria-label", `${said.verdict} ${said.text}`.trim());
  }

  /**
   * @param {any} newSettings
   * @param {any} newResults
   */
  function draw(newSettings, newResults) {
    for (const one of sliders) one.update(newSettings[one.name], limits()[one.name]);
    method.update(newSettings.method);
    causal.update(newSettings.causal);
    rescale.update(newSettings.rescale);
    rescale.input.disabled = newSettings.method === "stored";
    place.update();
    question.textContent = questionOf(newSettings, asked);
    if (!newResults) return;
    const without = (/** @type {any} */ all) => JSON.stringify({ ...all, step: null });
    const isChanged = !settings || without(settings) !== without(newSettings);
    const isOther = isChanged || newSettings.step !== kept;
    [settings, results] = [newSettings, newResults];
    if (isChanged) {
      moments = momentsOf(settings, results);
      rights = settings.rescale || settings.method === "stored" ? null : momentsOf({ ...settings, rescale: true }, results);
      strayed = strayedRows(moments, rights ?? moments, settings.D);
      const longest = momentsOf({ ...settings, method: "fused", rescale: false }, results);
      most = Math.max(1, ...[moments, longest].flat().flatMap(({ total }) => [...total]));
      const all = momentsOf({ ...settings, method: "stored", tile: 12 }, results)[2];
      whole = all.values;
      // The film opens with what the formula says: all scores.
      if (settings.method === "fused") moments[0] = { ...moments[0], states: all.states, values: whole };
      makeFilm();
    }
    prepare();
    if (!film) return;
    if (isWanted) {
      isWanted = false;
      kept = settings.step;
      isSeeking = true;
      film.seek(film.still ? film.end : 0);
      isSeeking = false;
      if (!film.still) film.play();
    } else if (isOther || !film.playing) rest();
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    film?.takeOver();
    if (changes.step != null) return;
    isWanted = true;
    const isDrawn = settings && Object.keys(settings).every((name) => JSON.stringify(settings[name]) === JSON.stringify(get(name)));
    if (isDrawn) draw(settings, results);
  }

  return { node: place.node, draw, perform };
}

/** @param {readonly [number, number] | null} cut @param {number} n */
const isInside = (cut, n) => cut !== null && n >= cut[0] && n < cut[1];

export const lab = makeLab({
  title: "TileLab: how many scores must exist at once",
  compute,
  build,
});
