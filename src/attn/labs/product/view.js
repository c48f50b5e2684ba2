// ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else.

import { choice, colourBy, context2d, element, setText, slider, unique } from "../kit/dom.js";
import { spelled } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { clamp } from "../kit/math.js";
import { stepped } from "../kit/matrix.js";
import { wordsOf } from "../kit/operands.js";
import { shows, stage } from "../kit/stage.js";
import { whole, wholes } from "../kit/takes.js";
import { transition } from "../kit/transition.js";
import { shapesOf } from "./labels.js";
import { placeAt } from "./layout.js";
import { compute, frontOf, nudgedOf, PRODUCTS, pairsOf, sumOf, TRANSPOSED } from "./model.js";
import { lookOf, paint } from "./paint.js";
import { pictureOf } from "./picture.js";
import { sceneOf } from "./scene.js";
import {
  coincidences,
  describeCell,
  describeMessage,
  describeNudge,
  describeNumbers,
  describeSource,
  explainMessage,
  verdict,
} from "./words.js";

/** @typedef {import("./model.js").Settings & { pin: [number, number] | null, summed: number | null, colour: "value" | "key" }} Settings */
/** @typedef {import("./scene.js").Kind} Kind */

const SLIDERS = { D: "numbers per head", S: "keys", L: "queries", B: "sentences", H: "heads" };
const DURATIONS = { turn: 5000, cell: 1700, nudge: 1400 };
const KEYS =
  "Arrow keys, Home and End walk through the result; Enter works the cell out again; Page Up and Page Down change the head.";
const FLIPS = "Tap the picture or press Enter to flip k.";
const WALK = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {any} */
  let results;
  /** @type {ReturnType<typeof pictureOf>} */
  let picture;
  /** @type {[number, number] | null} */
  let hovered = null;
  /** @type {[number, number]} the cell from which the keyboard continues when none is pinned */
  let last = [0, 0];
  /** @type {Kind} */
  let kind = "rest";
  /** @type {Kind | null} the move to play when the next change is drawn */
  let next = null;
  const move = Object.fromEntries(Object.entries(DURATIONS).map(([one, time]) => [one, transition(root, paintAt, time)]));

  /** @type {[string, Node][]} */
  const products = Object.keys(PRODUCTS).map((code) => [code, element("code", {}, code)]);
  const product = choice(unique("product"), "the code", products, chooseProduct);
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => slider(axis, meaning, (size) => set({ [axis]: size })));
  const [D, S, L, B, H] = sliders.map(({ node }) => node);
  const colour = colourBy(["value", "key"], (by) => set({ colour: by }));
  const nudge = slider(null, "changed key", (n) => set({ nudge: n < 0 ? null : n }));
  const sheet = slider(null, "sheet in front", (n) => set({ front: [Math.floor(n / get("H")), n % get("H")] }));
  const button = (/** @type {string} */ text, onclick) => element("button", { type: "button", onclick }, text);
  const least = (/** @type {string} */ axis) => ({ [axis]: Math.min(get(axis), 7) });
  const numbers = element(
    "div",
    { class: "numbers" },
    button("new numbers", () => set({ seed: (get("seed") % 9999) + 1 })),
    button("the trained layer's", () => set({ seed: 0, H: 3, D: 4, ...least("L"), ...least("S") })),
  );
  const summed = slider(null, "products summed", (n) => set({ summed: n === Number(summed.input.max) ? null : n }));
  const shapesLine = element("p", { class: "shapes", hidden: !shows(tools, "shapes") });
  const canvas = element("canvas", {
    ...{ class: "product", tabindex: 0, role: "application", "aria-roledescription": "matrix product" },
    onkeydown: press,
  });
  const board = element("div", { class: "board", hidden: !shows(tools, "product") }, canvas);
  const error = element("p", { class: "refusal" });
  const about = element("p", { class: "alone" });
  const tap = element("span", { class: "tap" });
  const source = element("p", { class: "hint" });
  const notes = element("p", { class: "notes" });
  const probe = element("i", { hidden: true });
  const place = stage(tools, {
    picture: [shapesLine, board, element("div", { class: "under" }, summed.node, tap), notes, probe],
    controls: { D, S, nudge: nudge.node },
    more: { error, about, product: product.node, colour: colour.node, L, B, H, front: sheet.node, seed: numbers, source },
    below: true,
  });
  place.node.classList.add("product");

  /** If rows and columns exchange queries and keys, the pinned cell goes from [i, j] to [j, i], with its query and its key. */
  function chooseProduct(product) {
    const isTurnedOver = PRODUCTS[product].turned !== PRODUCTS[get("product")].turned;
    const pin = get("pin");
    hovered = null;
    set(isTurnedOver && pin ? { product, pin: [...pin].reverse() } : { product });
  }

  const flip = () => chooseProduct(TRANSPOSED);

  /** The rows and columns of the result for the settings as they are now, which may not be drawn yet. */
  function sizesNow() {
    const { turned, axes } = PRODUCTS[get("product")];
    return { R: get(turned === "k" ? "L" : "S"), C: get(axes[3]) };
  }

  /** The cell to work out: the hovered one, else the pinned one, moved inside the result. @returns {[number, number] | null} */
  function highlighted() {
    const [nudged, pin] = [nudgedOf(settings), settings.pin];
    const cell = hovered ?? (pin && nudged !== null && results.means === "scores" ? [pin[0], nudged] : pin);
    if (!results.result || !cell) return null;
    const [left, right] = results.shapes;
    return [Math.min(cell[0], left[2] - 1), Math.min(cell[1], right[3] - 1)];
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    if (WALK.has(key)) {
      const { R, C } = sizesNow();
      const [i, j] = get("pin") ?? last;
      const n = stepped(Math.min(i, R - 1) * C + Math.min(j, C - 1), key, R, C);
      hovered = null;
      pinAt([Math.floor(n / C), n % C]);
    } else if (key === "Escape") unpin();
    else if (key === "Enter" || key === " ") results?.result ? perform({ pin: true }) : flip();
    else if (key === "PageUp" || key === "PageDown") {
      const [B, H] = [get("B"), get("H")];
      const [b, h] = frontOf({ B, H, front: get("front") });
      const n = clamp(b * H + h + (key === "PageDown" ? 1 : -1), 0, B * H - 1);
      set({ front: [Math.floor(n / H), n % H] });
    } else return;
    event.preventDefault();
  }

  /** @param {[number, number]} cell */
  function pinAt(cell) {
    last = cell;
    set({ pin: cell });
    if (results?.result) say(sentenceOf(cell));
  }
  function unpin() {
    last = get("pin") ?? last;
    hovered = null;
    set({ pin: null });
  }

  /** The cell at the pointer: in the result, in the scores beside it, or in the drawn cell's row or column where a factor is. */
  function cellUnder(event) {
    if (!picture || !results.result) return null;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const { plan, R, N, M, C } = picture;
    const [i, j] = highlighted() ?? last;
    const row = placeAt(plan.left, R, N, x, y);
    const column = placeAt(plan.right, M, C, x, y);
    return (
      placeAt(plan.result, R, C, x, y) ??
      placeAt(plan.truth?.result ?? plan.result, R, C, x, y) ??
      (row && [row[0], j]) ??
      (column && [i, column[1]])
    );
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(cellUnder(event));
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    if (results && !results.result) return flip();
    const cell = cellUnder(event);
    if (!cell) return;
    hovered = null;
    if (String(cell) === String(get("pin"))) perform({ pin: cell });
    else {
      next = "cell";
      pinAt(cell);
    }
  });

  /** @param {[number, number] | null} cell */
  function hover(cell) {
    if (String(cell) === String(hovered) || root.hasAttribute("data-moving")) return;
    hovered = cell;
    if (results) show();
  }

  function sentenceOf(cell) {
    const pairs = pairsOf(settings, results, cell);
    const products = pairs.map(({ a, b }) => `${spelled(a)} times ${spelled(b)}`).join(", ");
    return `${describeCell(settings, pairs, cell, picture.words.sentence)}: ${products}; the sum is ${spelled(sumOf(pairs))}`;
  }

  function prepare() {
    const width = Math.max(240, board.clientWidth || 340);
    const look = lookOf(root, probe);
    picture = pictureOf(context2d(canvas), settings, results, { width, look, cell: highlighted(), bench: shows(tools, "cell") });
  }

  /** @param {number} n the moment of the move */
  function paintAt(n) {
    const { cell, summed: done, bench, nudged, isRefused } = picture;
    if (kind === "turn" && isRefused && n > 0.6 && n < 1) return move.turn.finish(); // no result follows
    const before = nudged !== null ? compute({ ...settings, nudge: null }) : null;
    paint(canvas, picture, sceneOf(settings, results, picture.plan, { cell, summed: done, bench, nudged, kind, n, before }));
    if (n < 1) return;
    kind = "rest";
    place.meanwhile("");
  }

  /** The picture and the sentence, at rest. */
  function show() {
    prepare();
    paintAt(1);
    drawText();
  }

  /** The sentence: the verdict, and what happened. */
  function drawText() {
    const { cell, nudged, words, instead } = picture;
    const { kind: judged, text } = verdict(settings, results);
    const pairs = cell ? pairsOf(settings, results, cell) : [];
    const sum = cell
      ? `${describeCell(settings, pairs, cell, words.sentence)}; ${addition(pairs)}${instead === null ? "" : ` With kᵀ it is ${spelled(instead)}.`}`
      : "";
    const happened =
      nudged !== null
        ? describeNudge(settings, results, nudged, words.sentence[nudged])
        : results.message
          ? explainMessage(settings, results.shapes, words.sentence)
          : sum;
    place.tell(element("b", { class: judged }, text), " ", happened);
    canvas.setAttribute("aria-label", `${results.message || sum || "No cell is chosen."} ${results.message ? FLIPS : KEYS}`);
  }

  /** @param {{ a: number, b: number }[]} pairs */
  function addition(pairs) {
    const { summed: done, N } = picture;
    if (done === null) return `the ${N === 1 ? "product" : "sum"} is ${spelled(sumOf(pairs))}.`;
    return `the first ${done} of ${N} products add up to ${spelled(sumOf(pairs.slice(0, done)))}.`;
  }

  /**
   * @param {Settings} newSettings
   * @param {any} newResults
   */
  function draw(newSettings, newResults) {
    const { S, B, H, D } = newSettings;
    const front = frontOf(newSettings);
    product.update(newSettings.product);
    colour.update(newSettings.colour);
    Object.keys(SLIDERS).forEach((axis, n) => sliders[n].update(newSettings[axis], limits()[axis]));
    const nudged = nudgedOf(newSettings);
    const words = wordsOf(newSettings, front[0], S);
    nudge.update(nudged ?? -1, [-1, S - 1], nudged === null ? "none" : words[nudged], words);
    sheet.update(front[0] * H + front[1], [0, B * H - 1], `b ${front[0]}, h ${front[1]}`);
    place.update();
    if (!newResults) return;
    const before = settings;
    for (const one of Object.values(move)) one.stop();
    settings = newSettings;
    results = newResults;
    const N = results.shapes[0][3];
    summed.update(Math.min(settings.summed ?? N, N), [0, D]);
    tap.hidden = !shows(tools, "cell");
    setText(tap, results.result ? describeNumbers(results.trained, nudged !== null) : FLIPS);
    summed.node.hidden = tap.hidden || !results.result || !settings.pin || nudged !== null;
    shapesLine.replaceChildren(...shapesOf(settings, results));
    setText(error, results.message ? `RuntimeError: ${results.message}` : "");
    setText(about, describeMessage(settings, results));
    const signs = settings.colour === "key" ? "" : undefined;
    setText(source, describeSource(results.trained, front, wordsOf(settings, front[0], Math.max(settings.L, S)), signs));
    setText(notes, coincidences(settings).join(" "));
    prepare();
    drawText();
    kind = next ?? changedKind(before);
    next = null;
    const turn = picture.isTurned
      ? "Each row becomes a column."
      : picture.isLying
        ? "Rows stay rows."
        : "The numbers keep their order.";
    place.meanwhile(kind === "turn" ? turn : kind === "nudge" ? "One key changes. Which results follow?" : "");
    if (kind === "rest") paintAt(1);
    else move[kind].start();
  }

  /** @param {Settings | undefined} before @returns {Kind} the move that shows what has changed */
  function changedKind(before) {
    if (!before) return "rest";
    if (before.product !== settings.product) return "turn";
    return settings.nudge !== null && before.nudge !== settings.nudge ? "nudge" : "rest";
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    hovered = null;
    const wanted =
      changes.nudge != null ? "nudge" : "product" in changes ? "turn" : "pin" in changes || "summed" in changes ? "cell" : null;
    if (!wanted || !results) return;
    next = wanted;
    const isDrawn = Object.keys(settings).every((name) => JSON.stringify(settings[name]) === JSON.stringify(get(name)));
    if (isDrawn) draw(settings, results);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "ProductLab: what is summed when q meets k transposed",
  compute,
  takes: { front: wholes(2), nudge: whole, pin: wholes(2) },
  build,
});
