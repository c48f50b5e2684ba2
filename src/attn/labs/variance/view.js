// VarianceLab: how far scores spread when D grows, what brings them back to variance 1, and what softmax makes of both.

import { choice, element, letter, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { prepare } from "./draws.js";
import { paintNorms, paintShares } from "./lanes.js";
import { lookOf } from "./marks.js";
import { compute, DIVISORS, distributionOf, HEADS, keysOf, STUCK, WIDTH } from "./model.js";
import { paintScores } from "./paint.js";
import { momentOf, stateOf } from "./scene.js";
import { bestText, legends, moves, sentence, stuckText } from "./words.js";

/** @typedef {import("./scene.js").State} State */
/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */

const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]; // of D, on its slider
const NARROW = 480; // pixels
/** @type {[string, string][]} */
const DIVIDE_BY = [
  ["1", "nothing"],
  ["√D", "√{D}"],
  ["D", "{D}"],
  ["√E", "√{E}"],
];
/** @type {[string, string][]} */
const NUMBERS = [
  ["normal", "normal"],
  ["uniform", "uniform"],
  ["coin", "1 or −1"],
  ["exponential", "exponential"],
  ["trained", `of a trained layer ({D} = ${WIDTH})`],
];

/** @param {number} seed */
const seedAfter = (seed) => (seed + 1) % 10000;

/**
 * The parts of a text in which axis letters have their colours: "√{D}" as √ and a D in the colour of D.
 *
 * @param {string} text
 */
const coloured = (text) => text.split(/\{([A-Z])\}/).map((part, n) => (n % 2 ? letter(part) : part));

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  const name = unique("variance");
  /** @type {{ settings: Settings, results: Results, state: State } | null} what is drawn, or towards which the picture moves */
  let current = null;
  /** @type {State | null} where the move comes from; null: from the scores as they are */
  let before = null;
  /** @type {import("./marks.js").Look} */
  let look;
  /** @type {number[]} of the canvases */
  let widths = [];
  let waiting = 0; // for a moment in which numbers can be drawn ahead

  const D = slider("D", "numbers per head", (place) => set({ D: sizes()[place] }));
  const mean = slider(null, "mean", (quarters) => set({ mean: quarters / 4 }));
  const std = slider(null, "standard deviation", (quarters) => set({ std: quarters / 4 }));
  const correlation = slider(null, "correlation of q and k", (tenths) => set({ correlation: tenths / 10 }));
  /** @param {[string, string][]} options @returns {[string, Node][]} */
  const inColours = (options) => options.map(([value, text]) => [value, element("span", {}, ...coloured(text))]);
  const divisors = inColours(DIVIDE_BY);
  divisors[divisors.length - 1][1].appendChild(element("span", { class: "meaning" }, ...coloured(`, {E} = ${HEADS}·{D}`)));
  const divideBy = choice(`${name}-divide`, "divide by", divisors, (divide_by) => set({ divide_by }));
  const numbers = choice(`${name}-numbers`, "q and k are", inColours(NUMBERS), chooseNumbers);
  const reseed = element("button", { type: "button", onclick: () => set({ seed: seedAfter(get("seed")) }) }, "new numbers");

  const canvases = [0, 1, 2].map(() => element("canvas", { role: "img" }));
  const [scoresCanvas, sharesCanvas, normsCanvas] = canvases;
  const keys = [element("span", { class: "outlined" }), element("span", { class: "filled" })];
  const captions = [element("p", { class: "caption" }), element("p", { class: "caption" })];
  const scores = element(
    "div",
    { class: "scores", hidden: !shows(tools, "scores") },
    element("p", { class: "key" }, ...keys),
    scoresCanvas,
  );
  const weights = element(
    "div",
    { class: "weights", hidden: !shows(tools, "weights") },
    element("div", {}, captions[0], sharesCanvas),
    element("div", {}, captions[1], normsCanvas),
  );
  const place = stage(tools, {
    below: true,
    picture: [scores, weights],
    controls: { D: D.node, divide_by: divideBy.node, seed: reseed },
    more: { numbers: numbers.node, mean: mean.node, std: std.node, correlation: correlation.node },
  });
  place.node.classList.add("variance");
  const moving = transition(root, paint, 1700);

  /** The trained layer has one width. @param {string} numbers */
  function chooseNumbers(numbers) {
    set(numbers === "trained" ? { numbers, D: WIDTH } : { numbers });
  }

  /** The sizes on the slider of D, with the present one, which Python may have set to any number. */
  function sizes() {
    const [least, most] = limits().D;
    const marks = SIZES.filter((size) => size >= least && size <= most);
    return marks.includes(get("D")) ? marks : [...marks, get("D")].sort((a, b) => a - b);
  }

  /** Read the colours and the widths of the page, before anything is written to it. */
  function measure() {
    look = lookOf(root);
    widths = canvases.map((canvas) => Math.max(200, Math.floor(canvas.parentElement?.getBoundingClientRect().width ?? 0)));
  }

  /** @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    if (t >= 1) place.meanwhile("");
    const { settings, results, state } = current;
    const moment = momentOf(before, state, t);
    const isSame = settings.divide_by === "1";
    legends(settings, results, moment).forEach((text, n) => keys[n].replaceChildren(...(text ? coloured(text) : [])));
    if (!scores.hidden) paintScores(scoresCanvas, widths[0], widths[0] < NARROW ? 168 : 224, moment, look);
    if (weights.hidden) return;
    const names = ["not divided", isSame ? "" : `divided by ${settings.divide_by}`];
    /** @param {(rows: import("./scene.js").Rows) => string} tell */
    const texts = (tell) =>
      [moment.outline, moment.filled].map(({ rows }, n) => /** @type {const} */ ([names[n], moment.moves ? "" : tell(rows)]));
    paintShares(sharesCanvas, widths[1], moment, look, texts(bestText));
    paintNorms(normsCanvas, widths[2], moment, look, texts(stuckText), STUCK);
  }

  /** The words around the pictures, and the sentence. */
  function tell() {
    if (!current) return;
    const { settings, results, state } = current;
    const queries = state.raw.largest.length;
    const keyCount = keysOf(results);
    const share = `Weight of the best of ${keyCount} keys`;
    captions[0].replaceChildren(element("b", {}, share), element("small", {}, "dot: one query; bar: their average"));
    captions[1].replaceChildren(
      element("b", {}, "Does a gradient get through?"),
      element("small", {}, "dot: one query; grey: its weights hardly learn"),
    );
    scoresCanvas.setAttribute(
      "aria-label",
      `Histograms of the scores on one axis, each as high as the picture. ${legends(settings, results, momentOf(null, state, 1))
        .filter(Boolean)
        .join("; ")
        .replace(/[{}]/g, "")}.`,
    );
    /** @param {(rows: import("./scene.js").Rows) => string} say */
    const told = (say) => `${say(state.raw)} not divided, ${say(state.divided)} divided.`;
    sharesCanvas.setAttribute("aria-label", `${share}: ${told(bestText)}`);
    normsCanvas.setAttribute(
      "aria-label",
      `How much of a push on its scores reaches the weights of each of ${queries} queries: ${told(stuckText)}`,
    );
    place.tell(...coloured(sentence(settings, results)));
  }

  /** @param {Settings} settings @param {Results | null} results */
  function drawControls(settings, results) {
    const places = sizes();
    const isRandom = !results?.trained;
    /** @type {(one: ReturnType<typeof slider>, at: number, range: [number, number], text: string) => void} */
    const update = (one, at, range, text) => one.update(at, isRandom ? range : [at, at], isRandom ? text : "–", ["−2.00"]);
    D.update(places.indexOf(settings.D), [0, places.length - 1], String(settings.D));
    update(mean, Math.round(4 * settings.mean), [-8, 8], number(settings.mean, 2));
    update(std, Math.round(4 * settings.std), [1, 8], number(settings.std, 2));
    update(correlation, Math.round(10 * settings.correlation), [-10, 10], number(settings.correlation, 1));
    reseed.disabled = !isRandom;
    divideBy.update(settings.divide_by);
    numbers.update(settings.numbers);
    place.update();
  }

  /** @param {Settings} settings @param {Results | null} results */
  function draw(settings, results) {
    measure();
    drawControls(settings, results);
    if (!results) return;
    const last = current;
    if (last?.results === results && JSON.stringify(last.settings) === JSON.stringify(settings)) {
      paint(moving.passed()); // another theme, or another width
      return;
    }
    moving.stop();
    current = { settings, results, state: stateOf(results, settings.D) };
    tell();
    if (last) place.meanwhile(moves(last.settings, settings, results));
    if (last) start(last.state);
    else paint(1);
    prepareAhead();
  }

  /** @param {State | null} from */
  function start(from) {
    before = from;
    moving.start();
  }

  /**
   * Draw the numbers for the other sizes of the slider, and the next ones for this size, while nothing else is to be done, so that no
   * frame has to wait for them. The steps are counted because other labs of the page may push out what is kept.
   */
  function prepareAhead() {
    clearTimeout(waiting);
    if (get("_backend") || get("_stage").controls?.includes("D") === false) return;
    const settings = { numbers: distributionOf({ numbers: get("numbers") }), seed: get("seed") };
    const missing = [
      { of: settings, at: sizes() },
      { of: { ...settings, seed: seedAfter(settings.seed) }, at: [get("D")] },
    ];
    let steps = 60; // more than are needed
    const ahead = () => {
      if (prepare(missing[0].of, missing[0].at)) missing.shift();
      steps -= 1;
      if (missing.length && steps && root.isConnected) waiting = setTimeout(ahead, 30);
    };
    waiting = setTimeout(ahead, 300);
  }

  /**
   * An experiment that is repeated shows its division again: from the scores as they are, or back to them.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    if (!current) return;
    const { settings, state } = current;
    if (Object.keys(changes).some((one) => JSON.stringify(get(one)) !== JSON.stringify(settings[one]))) return;
    place.meanwhile(moves(settings, settings, current.results));
    start({ ...state, divisor: settings.divide_by === "1" ? DIVISORS["√D"](settings.D) : 1 });
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "VarianceLab: how far scores spread, and what dividing them does",
  compute,
  build,
});
