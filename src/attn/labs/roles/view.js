// RolesLab: choose the word that asks, and see its query visit every key, its weights divide a bar, and the values blend; with queries,
// keys and values from x, from one matrix, from three, or with a table of weights instead.

import { choice, element, letter, setChildCount, setText, slider, unique } from "../kit/dom.js";
import { integer, number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { clamp } from "../kit/math.js";
import { HEADS, SIZES } from "../kit/reader.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { placeAt, planOf } from "./layout.js";
import { alikeness, compute, orderOf, rowOf, SHORTEST, SOURCES, wordsOf } from "./model.js";
import { lookOf, NARROW_WORD_FONT, paint, WORD_FONT } from "./paint.js";
import { sceneOf } from "./scene.js";
import { askedPlace, askerPlace, foundBy, movingSentence, NAMES, pairOf, questionOf, sentenceOf } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./scene.js").State} State */
/** @typedef {import("./scene.js").Kind} Kind */

const UNTRAINED = ["x", "one"]; // the layer was trained with three matrices, and the table is the best of its kind
const DURATIONS = { ask: 2600, exchange: 1300 };
const KEYS = "Left and right choose the word that asks, up and down the word that is asked; Enter asks again.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set } = tools;
  /** @type {State | null} what is drawn, or towards which the picture moves */
  let current = null;
  /** @type {State | null} where an exchange comes from */
  let before = null;
  /** @type {Kind} */
  let kind = "ask";
  /** @type {string[] | null} what an experiment has set: its move starts with the next drawing */
  let performed = null;
  /** @type {Set<import("./model.js").From>} */
  const tried = new Set(); // the others keep what they find to themselves

  /** @param {string} name */
  const read = (name) => get(name);
  const here = () =>
    /** @type {Pick<Settings, "sentence" | "replaced" | "swap" | "_sentences">} */ (
      Object.fromEntries(["sentence", "replaced", "swap", "_sentences"].map((name) => [name, read(name)]))
    );
  /** @param {number} place of the word that asks */
  const ask = (place) => set({ asker: orderOf(here())[place], asked: null });
  const asker = slider("L", "asking word", ask);
  const lines = SOURCES.map((one) => {
    const [found, parts] = [element("span", { class: "found" }), element("span", { class: "parts", "aria-hidden": "true" })];
    return { one, found, parts, node: element("span", { class: "line" }, element("b", {}, NAMES[one]), " ", found, parts) };
  });
  const source = choice(
    unique("roles-source"),
    element("span", { class: "line" }, "q, k, v from ", element("span", {}, "largest weight")),
    lines.map(({ one, node }) => /** @type {const} */ ([one, node])),
    (value) => set({ source: value }),
  );
  source.node.classList.add("sources");
  const head = choice(
    unique("roles-head"),
    element("span", {}, letter("H"), " head"),
    HEADS.map((text, n) => /** @type {const} */ ([n, text])),
    (value) => set({ head: value }),
  );
  const sentence = slider(null, "sentence", (n) => set({ sentence: n, replaced: null, swap: [] }));
  const swap = slider(null, "exchange it with", (place) => {
    const one = get("asker");
    set({ swap: place === one ? [] : [Math.min(one, place), Math.max(one, place)] });
  });
  const rows = slider(null, "rows of the matrix", (n) => set({ rows: n }));

  const canvas = element("canvas", {
    ...{ tabindex: 0, role: "application", "aria-roledescription": "sentence", class: "roles-picture" },
    onkeydown: press,
    onclick: point,
  });
  const board = element("div", { class: "roles-board" }, canvas);
  const [there, relation, back] = ["there", "relation", "back"].map((name) => element("span", { class: name }));
  const pair = element("p", { class: "roles-pair", hidden: !shows(tools, "pair") }, there, " ", relation, " ", back);
  const shareTitle = element("p");
  const bars = SOURCES.map((one) => {
    const [level, value] = [element("i"), element("b")];
    return {
      one,
      level,
      value,
      node: element(
        "div",
        {},
        element("span", {}, NAMES[one]),
        UNTRAINED.includes(one) ? "* " : " ",
        value,
        element("u", {}, level),
      ),
    };
  });
  const shareBars = element("div", { class: "bars" }, ...bars.map(({ node }) => node));
  const contest = element("div", { class: "roles-contest", hidden: !shows(tools, "shares") }, shareTitle, shareBars);
  const place = stage(tools, {
    picture: board,
    controls: { source: source.node, head: head.node, asker: asker.node },
    more: { sentence: sentence.node, swap: swap.node, rows: rows.node, pair, contest },
  });
  place.node.classList.add("roles");
  const moves = { ask: transition(root, paintAt, DURATIONS.ask), exchange: transition(root, paintAt, DURATIONS.exchange) };

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !current) return;
    const order = orderOf(here());
    const last = order.length - 1;
    const at = order.indexOf(get("asker"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) ask(clamp(to, 0, last));
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const known = { ...current.settings, ...here(), asker: get("asker"), asked: get("asked"), head: get("head") };
      const asked = askedPlace(known, current.results);
      set({ asked: order[clamp(asked + (event.key === "ArrowDown" ? 1 : -1), 0, last)] });
    } else if (event.key === "Enter") tools.perform({ asker: get("asker") });
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  function point(event) {
    if (!current) return;
    const box = canvas.getBoundingClientRect();
    const found = placeAt(current.plan, event.clientX - box.left, event.clientY - box.top);
    if (!found) return;
    const id = orderOf(here())[found.place];
    if (!found.isWord) set({ asked: id });
    else if (id === get("asker")) tools.perform({ asker: id });
    else ask(found.place);
  }

  /**
   * @param {string[]} words
   */
  function plan(words) {
    const width = Math.max(280, board.clientWidth || 340);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.font = width < 480 ? NARROW_WORD_FONT : WORD_FONT;
    return planOf(
      width,
      words.map((word) => pen.measureText(word).width),
    );
  }

  /** @type {import("./model.js").Settings | null} */
  let likened = null;
  /** @type {import("./paint.js").Alike | null} of the word that was replaced and of the one in its place, computed once */
  let alike = null;
  /** @param {number} t how much of the move has passed */
  function paintAt(t) {
    if (!current) return;
    if (t >= 1) place.meanwhile("");
    const { settings, results } = current;
    const scene = sceneOf(kind, before, current, t);
    const { asked } = settings;
    if (likened !== settings) {
      likened = settings;
      const { replaced, source } = settings;
      alike = null;
      if (source === "three" && replaced !== null) {
        const place = orderOf(settings).indexOf(replaced);
        const plain = { ...settings, replaced: null };
        const out = /** @type {Float32Array} */ (compute(plain).out);
        alike = { place, old: wordsOf(plain)[place], out: rowOf(out, askerPlace(plain), SIZES.D), ...alikeness(settings) };
      }
    }
    const { source, rows } = settings;
    const question = `${HEADS[settings.head]}?`;
    const about = {
      source,
      question,
      asked,
      message: results.message,
      row: askerPlace(settings),
      rows,
      alike,
    };
    paint(canvas, current.plan, scene, lookOf(root), about);
  }

  /** The pair, the shares and the sentence. */
  function tell() {
    const { settings, results } = /** @type {State} */ (current);
    const { one, other, relation: sign } = pairOf(settings, results);
    setText(there, one);
    setText(relation, sign ?? "");
    setText(back, askedPlace(settings, results) === askerPlace(settings) ? "" : other);
    const { head: h } = settings;
    const isExchanged = settings.swap.length > 0;
    const counted = `Right answers to ${questionOf(h)} in ${integer(settings._drawn)} sentences (* untrained):`;
    setText(shareTitle, isExchanged ? "Right answers are counted without an exchange." : counted);
    shareBars.classList.toggle("odd", isExchanged);
    for (const { one: from, level, value, node } of bars) {
      const share = results.shares[from][h];
      setText(value, `${number(100 * share, 0)} %`);
      level.style.width = `${100 * share}%`;
      node.classList.toggle("chosen", from === settings.source);
    }
    compareSources(settings, results);
    const { verdict, text } = sentenceOf(settings, results);
    const mark = verdict === null ? "" : element("b", { class: verdict ? "good" : "bad" }, verdict ? "✓ right: " : "✗ wrong: ");
    place.tell(mark, text);
    canvas.setAttribute("aria-label", `${wordsOf(settings).join(" ")}. ${text} ${KEYS}`);
  }

  /**
   * What the asking word finds from each source.
   *
   * @param {Settings} settings
   * @param {import("./model.js").Results} results
   */
  function compareSources(settings, results) {
    const { key, other: pale } = lookOf(root);
    for (const { one, found, parts } of lines) {
      const other = { ...settings, source: one };
      const isKnown = tried.has(one);
      const about = isKnown ? foundBy(other, one === settings.source ? results : compute(other)) : null;
      const { verdict, text, weights } = about ?? { verdict: null, text: "?", weights: [] };
      setText(found, `${text}${verdict === null ? "" : verdict ? " ✓" : " ✗"}`);
      found.className = verdict === null ? "found" : verdict ? "found good" : "found bad";
      const most = Math.max(...weights);
      setChildCount(parts, weights.length, () => element("i"));
      weights.forEach((weight, n) => {
        const part = /** @type {HTMLElement} */ (parts.children[n]);
        part.style.cssText = `flex-grow:${weight};background:${weight === most ? key : pale}`;
      });
    }
  }

  /**
   * @param {Settings} settings
   * @param {import("./model.js").Results | null} results
   */
  function draw(settings, results) {
    const known = settings._sentences[settings.sentence] !== undefined;
    if (known) drawControls(settings);
    place.update();
    if (!results) return;
    const last = current;
    tried.add(settings.source);
    current = { settings, results, plan: plan(wordsOf(settings)) };
    const changed = !last ? [] : Object.keys(settings).filter((name) => differ(settings[name], last.settings[name]));
    const names = performed;
    performed = null;
    if (last && (names || changed.some((name) => name !== "asked" && name !== "rows"))) start(names, changed, last);
    else if (changed.length || !last) {
      stop();
      paintAt(1);
    } else paintAt(moves[kind].passed()); // another theme, or another width
    tell();
  }

  /** @param {Settings} settings */
  function drawControls(settings) {
    const order = orderOf(settings);
    const words = wordsOf(settings);
    asker.update(Math.max(0, order.indexOf(settings.asker)), [0, order.length - 1], words[order.indexOf(settings.asker)] ?? "");
    source.update(settings.source);
    head.update(settings.head);
    sentence.update(
      settings.sentence,
      [0, settings._sentences.length - 1],
      `${settings.sentence + 1} of ${settings._sentences.length}`,
    );
    const [a, b] = settings.swap;
    const partner = a === settings.asker ? b : b === settings.asker ? a : settings.asker;
    const first = settings._sentences[settings.sentence].split(" ");
    const names = a === undefined || b === undefined ? "nothing" : `${first[a]} ↔ ${first[b]}`;
    swap.update(partner ?? settings.asker, [0, order.length - 1], names);
    rows.update(settings.rows, [SHORTEST, order.length]);
  }

  /** @type {(a: any, b: any) => boolean} */
  const differ = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

  function stop() {
    for (const one of Object.values(moves)) one.stop();
    before = null;
  }

  /**
   * Move to what is to be drawn: an exchange if only words have changed, or else from the asking word on.
   *
   * @param {string[] | null} names what an experiment has set, or null
   * @param {string[]} changed
   * @param {State} last
   */
  function start(names, changed, last) {
    stop();
    const now = /** @type {State} */ (current);
    const isWord = (/** @type {string} */ name) => name === "swap" || name === "replaced";
    const isOdd = now.settings.swap.length > 0 || now.settings.replaced !== null;
    const isExchange = names ? names.some(isWord) && isOdd : changed.every(isWord);
    kind = isExchange ? "exchange" : "ask";
    if (isExchange) {
      const settings = { ...now.settings, swap: /** @type {[]} */ ([]), replaced: null };
      const isAll = changed.length > 0 && changed.every(isWord);
      before = isAll ? last : { settings, results: compute(settings), plan: plan(wordsOf(settings)) };
    }
    place.meanwhile(movingSentence(now.settings, now.results, isExchange, last.settings));
    moves[kind].start();
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    performed = Object.keys(changes);
    if (current && Object.keys(current.settings).every((name) => !differ(get(name), current?.settings[name])))
      draw(current.settings, current.results);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "RolesLab: one word asks, the others answer",
  compute,
  build,
});
