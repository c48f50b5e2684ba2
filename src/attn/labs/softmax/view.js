// SoftmaxLab: drag a score and see one bar of length 1 divided anew; see all rows, and along which axis they sum to 1; and three programs
// that compute the weights, of which one overflows.

import { choice, element, letter, slider, toggle, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { clamp, range } from "../kit/math.js";
import { shows, stage } from "../kit/stage.js";
import { mix, swing } from "../kit/time.js";
import { transition } from "../kit/transition.js";
import { between, endOfTerms, endsOfScale, stagesOf } from "./between.js";
import { compute, LIMITS, linesOf, tableOf, unraised } from "./model.js";
import { overflowPicture } from "./overflow.js";
import { rowPicture } from "./row.js";
import { weightTable } from "./table.js";
import { namesOf, quoted, rowSentence } from "./words.js";

/** @typedef {import("./between.js").State} State */

const PLAIN = { raised: [], shift: 0, temperature: 1, axis: "keys" }; // before an experiment

/** @param {number} n */
const signed = (n) => (n > 0 ? `+${n}` : number(n, 0));

// The slider of the temperature has 40 steps of equal factors: from 0.1 to 10, with 1 in the middle.
const temperatureAt = (step) => Number((10 ** (step / 20)).toPrecision(2));
const stepOf = (temperature) => Math.round(20 * Math.log10(temperature));

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  const name = unique("softmax");
  /** @type {State | null} what is drawn, or towards which the picture moves */
  let current = null;
  /** @type {State | null} where the move comes from; null: from a bar that is not divided yet */
  let before = null;
  /** @type {string[] | "last" | null} a move that starts with the next results: from before these settings, or from what is drawn */
  let awaited = null;

  const sliders = {
    temperature: slider(null, "÷ temperature", (step) => set({ temperature: temperatureAt(step) })),
    shift: slider(null, "add to all scores", (shift) => set({ shift })),
    L: slider("L", "queries", (L) => set({ L })),
    S: slider("S", "keys", (S) => set({ S })),
  };
  const head = choice(
    `${name}-head`,
    element("span", {}, letter("H"), " head"),
    ["who", "what", "when"].map((text, n) => /** @type {const} */ ([n, text])),
    (value) => move({ head: value, scores: null }),
  );
  /** @type {(axis: string, meaning: string) => HTMLElement} */
  const along = (axis, meaning) => element("span", {}, letter(axis), meaning);
  const axis = choice(
    `${name}-axis`,
    "Softmax over",
    [
      ["keys", along("S", ": each row")],
      ["queries", along("L", ": each column")],
    ],
    (value) => move({ axis: value }),
  );
  const precision = choice(
    `${name}-precision`,
    "Computed in",
    [
      ["float32", "float32"],
      ["float16", "float16"],
      ["mixed", "float16, sums in float32"],
    ],
    (value) => set({ precision: value }),
  );
  const masked = toggle("hide the first key (−∞)", (on) => set({ masked: on }));
  const tabs = choice(
    `${name}-part`,
    "Show",
    [
      ["row", "row and axis"],
      ["overflow", "overflow"],
    ],
    (value) => set({ part: value }),
  );
  const row = rowPicture({ choose: (j) => set({ pin: [pinned()[0], j] }), raise });
  const table = weightTable((i, j) => set({ pin: [i, j] }));
  const { controls: chosen } = get("_stage");
  const own = Object.entries({ precision, masked }).filter(([one]) => chosen === null || chosen.includes(one));
  const overflow = overflowPicture(own.map(([, { node }]) => node));
  const wanted = Object.fromEntries(["row", "axis", "overflow"].map((part) => [part, shows(tools, part)]));
  tabs.node.hidden = !(wanted.overflow && (wanted.row || wanted.axis));
  tabs.node.classList.add("tabs");
  const place = stage(tools, {
    below: true,
    picture: [tabs.node, row.node, table.node, overflow.node],
    controls: { head: head.node, axis: axis.node, temperature: sliders.temperature.node, shift: sliders.shift.node },
    more: { L: sliders.L.node, S: sliders.S.node },
  });
  place.node.classList.add("softmax");
  const moving = transition(root, paint, 2200);
  const zooming = transition(root, () => paint(moving.passed()), 600);
  /** @type {[from: number, to: number] | null} the scale of the exponentials is not changed while they move: it follows them */
  let zoom = null;

  /** The query and the key that are chosen, inside the table. */
  function pinned() {
    const [i, j] = get("pin");
    return /** @type {[number, number]} */ ([Math.min(i, get("L") - 1), Math.min(j, get("S") - 1)]);
  }

  /**
   * Raise score j of the row by so many points, as far as scores go.
   *
   * @param {number} j
   * @param {number} by
   */
  function raise(j, by) {
    const [i] = pinned();
    const settings = /** @type {import("./model.js").Settings} */ (
      Object.fromEntries(["head", "scores", "L", "S", "raised", "_words"].map((one) => [one, get(one)]))
    );
    const [old, now] = [unraised(settings)[i][j], tableOf(settings)[i][j]];
    const amount = Math.round(100 * (clamp(now + by, -LIMITS.score, LIMITS.score) - old)) / 100;
    const others = settings.raised.filter(([query, key]) => query !== i || key !== j);
    set({ raised: amount === 0 ? others : [...others, [i, j, amount]], pin: [i, j] });
  }

  /**
   * Set these, and move from what is drawn.
   *
   * @param {Record<string, any>} changes
   */
  function move(changes) {
    awaited = "last";
    set(changes);
  }

  /**
   * Whether two states have the same table, so that one can move to the other.
   *
   * @param {State} a
   * @param {State} b
   */
  const isAlike = (a, b) =>
    ["L", "S", "head", "scores"].every((one) => JSON.stringify(a.settings[one]) === JSON.stringify(b.settings[one]));

  /**
   * Move to what is to be drawn.
   *
   * @param {string[] | "last"} how from before these settings were set, or from what was drawn
   * @param {State | null} last
   */
  function start(how, last) {
    const now = /** @type {State} */ (current);
    before = last && last !== now && isAlike(last, now) ? last : null;
    if (how !== "last") {
      const plain = Object.fromEntries(Object.entries(PLAIN).filter(([one]) => how.includes(one)));
      const settings = { ...now.settings, ...plain };
      if (JSON.stringify(settings) !== JSON.stringify(now.settings)) before = { settings, results: compute(settings) };
    }
    if (before) zooming.finish();
    moving.start();
  }

  /** @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    const { settings } = current;
    const { L, S } = settings;
    const [i, j] = [Math.min(settings.pin[0], L - 1), Math.min(settings.pin[1], S - 1)];
    const names = namesOf(settings);
    const { scaled, raised, weights } = between(before, current, t);
    const stages = stagesOf(t);
    /** @param {ArrayLike<number>} cells */
    const ofRow = (cells) => range(S).map((n) => cells[i * S + n]);
    const { shift, temperature } = settings;
    const old = before && t < 1 ? before : null;
    /** @type {(state: State) => number} */
    const addedBy = (state) => state.settings.shift / state.settings.temperature;
    /** @type {(state: State) => number} */
    const mostOf = (state) => endOfTerms(ofRow(state.results.scaled).map((score) => score - addedBy(state)));
    const ends = endsOfScale(ofRow(current.results.scaled));
    const from = old ? endsOfScale(ofRow(old.results.scaled)) : ends;
    const target = mostOf(current);
    if (old || !zoom) zoom = [target, target];
    if (zoom[1] !== target) {
      zoom = [mix(...zoom, swing(zooming.passed())), target];
      return zooming.start();
    }
    const isShown = settings.part === "row" || !wanted.overflow;
    row.node.hidden = !(wanted.row && (isShown || !wanted.overflow));
    table.node.hidden = !(wanted.axis && (isShown || !wanted.overflow));
    overflow.node.hidden = !wanted.overflow || !(row.node.hidden && table.node.hidden);
    if (!row.node.hidden || !table.node.hidden) {
      root.style.setProperty("--keys", String(S));
      row.draw({
        query: names.queries[i],
        keys: names.keys,
        scores: ofRow(scaled),
        before: unraised(settings)[i].map((score, n) =>
          isRaised(settings, i, n) ? (score + shift) / temperature : ofRow(scaled)[n],
        ),
        plain: unraised(settings)[i].map((score, n) => (settings.masked && n === 0 ? ofRow(scaled)[n] : score)),
        weights: ofRow(weights),
        isDivided: settings.scores === null,
        ends: [mix(from[0], ends[0], stages.scores), mix(from[1], ends[1], stages.scores)],
        raised: ofRow(raised),
        most: old ? mix(mostOf(old), target, stages.scale) : mix(...zoom, swing(zooming.passed())),
        shift: mix(old ? addedBy(old) : addedBy(current), addedBy(current), stages.terms),
        stage: before?.settings.axis === settings.axis ? stages.moving : "",
        active: j,
        divided: before ? 1 : t,
        overKeys: settings.axis === "keys",
      });
      table.draw({ L, S, queries: names.queries, keys: names.keys, weights, axis: settings.axis, pin: [i, j] });
    }
  }

  /** @type {(settings: import("./model.js").Settings, i: number, j: number) => boolean} */
  const isRaised = ({ raised }, i, j) => raised.some(([query, key]) => query === i && key === j);

  /** Write the sentence about what is drawn, and the programs. */
  function tell() {
    const { settings, results } = /** @type {State} */ (current);
    const { L, S } = settings;
    const [i, j] = pinned();
    let sentence = rowSentence(settings, results, i);
    if (!overflow.node.hidden) {
      const overKeys = settings.axis === "keys";
      const names = namesOf(settings);
      const at = overKeys ? i : j;
      const line = {
        at,
        cells: linesOf({ L, S, axis: settings.axis })[at],
        names: overKeys ? names.keys : names.queries,
        title: overKeys ? `the row of ${quoted(names.queries[i])}` : `the column of ${quoted(names.keys[j])}`,
        isChanged: settings.shift !== 0 || settings.temperature !== 1,
        precision: settings.precision,
      };
      sentence = overflow.draw(line, results);
    }
    // What is announced has no raised letters: it has a caret.
    const raised = (/** @type {string} */ power) => element("sup", {}, element("i", { hidden: true }, "^"), power);
    place.tell(...sentence.split(/\^([−\d.]*\d)/).map((part, n) => (n % 2 ? raised(part) : part)));
  }

  function draw(settings, results) {
    sliders.temperature.update(stepOf(settings.temperature), [-20, 20], String(settings.temperature));
    sliders.shift.update(settings.shift, [-LIMITS.shift, LIMITS.shift], signed(settings.shift), [signed(-LIMITS.shift)]);
    sliders.L.update(settings.L, limits().L);
    sliders.S.update(settings.S, limits().S);
    head.update(settings.scores === null ? settings.head : -1);
    axis.update(settings.axis);
    precision.update(settings.precision);
    masked.update(settings.masked);
    tabs.update(settings.part);
    place.update();
    if (!results) return;
    const last = current;
    const isSame = last?.results === results && JSON.stringify(last?.settings) === JSON.stringify(settings);
    current = { settings, results };
    if (awaited) {
      const how = awaited;
      awaited = null;
      start(how, last);
    } else if (!isSame) {
      moving.finish();
      before = null;
      paint(1);
    } else paint(moving.passed()); // another theme, or another width
    tell();
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    const names = Object.keys(changes);
    const holds = current && names.every((one) => JSON.stringify(get(one)) === JSON.stringify(current?.settings[one]));
    if (holds) start(names, current);
    else awaited = names;
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "SoftmaxLab: from scores to weights",
  compute,
  build,
});
