// MixLab: drag a query or divide the weights by hand, and see the weighted values, tip to tail, meet at an output inside the hull.

import { COLOURS, coloursOf, tints } from "../kit/colours.js";
import { choice, element, letter, setText, slider, toggle, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { aim } from "./aim.js";
import { barPicture, weightBar } from "./bar.js";
import { along, still, story, trailOf } from "./between.js";
import { ground } from "./field.js";
import { asWeights, rounded } from "./hand.js";
import { keysPicture } from "./keys.js";
import { compute, handOf, normalized, VALUES, weightsAt } from "./model.js";
import { between, dragging, roomFor, sheet, WIDE } from "./sheet.js";
import { valuesPicture } from "./values.js";
import { movingSentence, sentence } from "./words.js";

/** @typedef {import("./model.js").State & { shares: boolean, head: number, pick: number }} Settings */
/** @typedef {{ settings: Settings, results: import("./model.js").Results, frame: import("./between.js").Frame }} Drawn */

const TARGET = [2.2, -0.8]; // the first point to reach
// The colour of a word, the same for any number of words: the first three, which are always there, differ most. None is a verdict's.
const WORD_TINTS = [2, 0, 4, 8, 5, 1].map((n) => COLOURS[n]);

// The slider of the temperature has ten steps for each factor of ten.
/** @param {number} step */
const temperatureOf = (step) => Number((10 ** (step / 10)).toPrecision(2));
/** @param {number} temperature */
const stepOf = (temperature) => Math.round(10 * Math.log10(temperature));

/** What can be dragged, and what it does. @type {(settings: Settings) => string} */
function hintOf({ by, heads }) {
  const back = `Drag ${heads === 2 ? "a query" : "the query"}, and a softmax makes the weights again.`;
  if (by === "hand") return `Drag a border in the bar. ${back}`;
  if (by === "free") return `Drag the bars, also below 0. ${back}`;
  const scores = heads === 2 ? "" : "Beside each key: its score. ";
  return `${scores}The colours behind: which key a query there would choose. The bar can be dragged, too.`;
}

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  const name = unique("mix");
  /** @type {Drawn | null} */
  let current = null;
  /** @type {import("./between.js").Frame[]} */
  let route = [];
  let rooms = [WIDE, WIDE]; // of the values, before a move and after it
  let isHeld = false; // whether the reader drags: until the end the scale stays as it is
  /** @type {"story" | "move" | null} how the picture reaches the next results */
  let next = null;
  const moves = { move: transition(root, paint, 800), story: transition(root, paint, 2400) };

  /** The settings as they are now, which may not be drawn yet. @returns {import("./model.js").State} */
  const stateNow = () =>
    /** @type {any} */ (
      Object.fromEntries(["values", "queries", "temperature", "by", "hand", "heads", "target"].map((one) => [one, get(one)]))
    );
  /** The weights of both heads as they are now, also of one that is not drawn. */
  function weightsNow() {
    const state = stateNow();
    return range(2).map((h) => {
      const hand = handOf(state, h);
      if (state.by === "query") return weightsAt(state.temperature, state.queries[h], state.values.length);
      return state.by === "hand" ? normalized(hand.some(Boolean) ? hand : hand.map(() => 1)) : hand;
    });
  }
  /** @param {import("./model.js").State["by"]} by */
  function setBy(by) {
    const rows = weightsNow();
    next = "move";
    set(by === "query" ? { by } : { by, hand: rows.map(by === "hand" ? asWeights : rounded) });
  }
  /** @type {(h: number, row: number[]) => void} called with the weights that the reader divides by hand */
  const setWeights = (h, row) =>
    set({
      by: get("by") === "free" ? "free" : "hand",
      hand: weightsNow().map((old, n) => (n === h ? row : rounded(old))),
      head: h,
    });
  /** @type {<T>(list: T[], at: number, value: T) => T[]} */
  const replaced = (list, at, value) => list.map((old, n) => (n === at ? value : old));

  const by = choice(
    `${name}-by`,
    "Weights",
    [
      ["query", "softmax"],
      ["hand", "by hand"],
      ["free", "also negative"],
    ],
    setBy,
  );
  const temperature = slider(null, "÷ temperature", (step) => set({ temperature: temperatureOf(step) }));
  const heads = choice(
    `${name}-heads`,
    element("span", {}, letter("H"), " heads"),
    [
      [1, "one"],
      [2, "two"],
    ],
    (value) => {
      next = "move";
      set({ heads: value });
    },
  );
  const S = slider("S", "keys", (size) =>
    set({ values: range(size).map((s) => get("values")[s] ?? VALUES[s]), hand: get("hand").map((row) => row.slice(0, size)) }),
  );
  const target = toggle("a point to reach", (on) => set({ target: on ? TARGET : null }));
  const shares = toggle("share of each value, along the output", (on) => set({ shares: on }));

  const keyGround = ground();
  const keySheet = sheet("mix-plane");
  dragging(keySheet, {
    anywhere: true,
    handles: () => range(get("heads")).map((n) => ({ n, point: get("queries")[n] })),
    chosen: () => get("head"),
    onPick: (n) => set({ head: n }),
    onMove: (n, point) => set({ queries: replaced(get("queries"), n, point), by: "query", head: n }),
  });
  const valueSheet = sheet("mix-plane");
  dragging(valueSheet, {
    handles() {
      const values = get("values").map((point, n) => ({ n, point }));
      return get("target") ? [...values, { n: values.length, point: get("target") }] : values;
    },
    chosen: () => get("pick"),
    onPick: (n) => set({ pick: n }),
    onMove(n, point) {
      const isTarget = n >= get("values").length;
      set({ pick: n, ...(isTarget ? { target: point } : { values: replaced(get("values"), n, point) }) });
    },
  });
  const bar = weightBar({
    now: () => ({ weights: weightsNow().slice(0, get("heads")), by: get("by"), head: get("head"), pick: get("pick") }),
    onPick: (head, pick) => set({ head, pick }),
    onWeights: setWeights,
  });
  const sum = element("b", {}, "weights");
  const asking = element("b", {});
  const hint = element("p", { class: "hint", hidden: !shows(tools, "queries") });
  /** @type {(part: string, title: Node | string, node: Element) => HTMLElement} */
  const panel = (part, title, node) =>
    element("div", { class: `panel ${part}`, hidden: !shows(tools, part) }, element("p", {}, title), node);
  const place = stage(tools, {
    picture: element(
      "div",
      { class: "mix-picture" },
      panel("queries", asking, element("div", { class: "mix-keys" }, keyGround.node, keySheet.node)),
      panel("weights", sum, bar.node),
      panel("values", element("b", {}, "→ output; shaded: all averages, the hull"), valueSheet.node),
      hint,
    ),
    controls: { by: by.node, temperature: temperature.node, heads: heads.node },
    more: { S: S.node, target: target.node, shares: shares.node },
    below: true,
  });
  place.node.classList.add("mix");
  for (const surface of [valueSheet, bar]) {
    surface.node.addEventListener("pointerdown", () => {
      isHeld = true;
    });
    for (const end of ["pointerup", "pointercancel"]) surface.node.addEventListener(end, release);
  }

  /** @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    if (t >= 1) place.meanwhile("");
    const { settings, results, frame } = current;
    const colours = coloursOf(root);
    const shown = t >= 1 ? frame : along(route, t);
    valueSheet.show(between(rooms[0], rooms[1], t));
    const look = {
      tints: WORD_TINTS,
      head: tints(colours.H, colours.paper)[0],
      query: colours.L,
    };
    const view = {
      shares: settings.shares,
      head: Math.min(settings.head, settings.heads - 1),
      pick: Math.min(settings.pick, settings.values.length - (settings.target ? 0 : 1)),
      trail: trailOf(route, t),
    };
    // Headings come first: a sheet is as large as they let it be.
    const isUsed = settings.by === "query";
    const [query, them] = settings.heads === 2 ? ["queries", "them"] : ["query", "it"];
    setText(asking, isUsed ? `${query} (drag ${them}), keys` : `${query} (not used), keys`);
    setText(hint, hintOf(settings));
    setText(sum, "→ weights");
    for (const [surface, picture] of /** @type {const} */ ([
      [keySheet, (plan) => keysPicture(plan, shown, look, view.head)],
      [bar, (plan) => barPicture(plan, shown, look, view)],
      [valueSheet, (plan) => valuesPicture(plan, shown, results, look, view)],
    ])) {
      if (!surface.node.checkVisibility()) continue;
      const plan = surface.plan();
      surface.draw(plan, ...picture(plan));
      if (surface === keySheet) keyGround.draw(plan, shown, look.tints);
    }
    keyGround.node.classList.toggle("unused", !isUsed);
    bar.node.classList.toggle("free", settings.by === "free");
  }

  function tell() {
    const { settings, results } = /** @type {Drawn} */ (current);
    const { verdict, mark, text, offer } = sentence(settings, results);
    /** @type {(Node | string)[]} */
    const parts = [text];
    if (mark) parts.unshift(element("b", { class: verdict }, mark), " ");
    if (offer) {
      const by = offer.some((weight) => weight < 0) ? "free" : "hand";
      const rows = () => weightsNow().map((old, h) => (h === 0 ? rounded(offer) : rounded(old)));
      const take = element(
        "button",
        { type: "button", class: "take", onclick: () => takeOver({ by, hand: rows() }) },
        "take these weights",
      );
      parts.push(" ", take);
    }
    place.tell(...parts);
  }

  /** @param {Record<string, any>} changes */
  function takeOver(changes) {
    next = "move";
    set(changes);
  }

  /**
   * @param {Settings} settings
   * @param {import("./model.js").Results | null} results
   */
  function draw(settings, results) {
    by.update(settings.by);
    heads.update(settings.heads === 2 ? 2 : 1);
    temperature.update(stepOf(settings.temperature), [-20, 20], String(settings.temperature));
    temperature.node.classList.toggle("off", settings.by !== "query");
    S.update(settings.values.length, limits().S);
    target.update(Boolean(settings.target));
    shares.update(settings.shares);
    place.update();
    if (!results) return;
    const before = current;
    const isSame = before?.results === results && JSON.stringify(before.settings) === JSON.stringify(settings);
    current = { settings, results, frame: still(settings, results) };
    const how = next;
    next = null;
    const room = isHeld ? rooms[1] : fitting();
    rooms = [how === "move" ? rooms[1] : room, room];
    if (how && before) go(how, before.frame);
    else if (isSame)
      paint(Math.min(moves.move.passed(), moves.story.passed())); // another theme, or another width
    else {
      for (const one of Object.values(moves)) one.stop();
      paint(1);
    }
    tell();
  }

  /** The room for all that is drawn at rest. */
  function fitting() {
    const { values, target, outs } = /** @type {Drawn} */ (current).frame;
    return roomFor([...values, ...outs, ...(target ? [target] : [])]);
  }

  /** The reader lets go. */
  function release() {
    isHeld = false;
    if (!current || fitting() === rooms[1]) return;
    next = "move";
    draw(current.settings, current.results);
  }

  /**
   * Move from a frame to what is to be drawn.
   *
   * @param {"story" | "move"} how
   * @param {import("./between.js").Frame} from
   */
  function go(how, from) {
    const { settings, results, frame } = /** @type {Drawn} */ (current);
    const opening = get("_stage").chips[0]?.[1].queries;
    const isOpening = JSON.stringify(opening) === JSON.stringify(settings.queries);
    const told = how === "story" ? story(frame, isOpening) : [];
    route = [from, ...told, frame];
    for (const one of Object.values(moves)) one.stop();
    place.meanwhile(movingSentence(settings, results.reach, told.length > 0));
    moves[told.length ? "story" : "move"].start();
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    const state = stateNow();
    if (changes.target && state.by === "query" && state.heads === 1)
      set({ queries: replaced(state.queries, 0, aim(state, changes.target)) }); // it solves the task, as far as one can
    const holds =
      current &&
      [...Object.keys(changes), "queries"].every((one) => JSON.stringify(get(one)) === JSON.stringify(current?.settings[one]));
    if (holds) go("story", /** @type {Drawn} */ (current).frame);
    else next = "story";
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "MixLab: which outputs a head can reach",
  compute,
  build,
});
