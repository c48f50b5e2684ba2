// CubeLab: the block of L x S x D products can be turned, and is added up along D until the scores are left.

import { coloursOf } from "../kit/colours.js";
import { element, letter, setText, slider } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp } from "../kit/math.js";
import { wordsOf } from "../kit/operands.js";
import { magnitude } from "../kit/scale.js";
import { stage } from "../kit/stage.js";
import { mix, swing } from "../kit/time.js";
import { transition } from "../kit/transition.js";
import { addedOf, compute } from "./model.js";
import { cameraFor, paint } from "./paint.js";
import { ASIDE } from "./scene.js";
import { describeNumbers, describePair, happened, isAlongD } from "./words.js";

/** @typedef {import("./model.js").Settings & import("./words.js").Settings & { pin: [number, number] }} Settings */
/** @typedef {{ done: number, turn: [number, number] }} Moment what changes during a move */

/** Within these degrees, to the side and upwards, no factor hides the words. */
const FURTHEST = /** @type {const} */ ([
  [-55, 0],
  [0, 50],
]);
const STEP = 8;
const SLIDERS = { D: "numbers per head", S: "keys", L: "queries" };
/** @type {Record<string, [number, number]>} */
const WALK = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {Record<string, [number, number]>} */
const TURN = { Home: [-STEP, 0], End: [STEP, 0], PageUp: [0, STEP], PageDown: [0, -STEP] };
const KEYS = "Arrow keys choose a pair; Home, End, Page Up and Page Down turn the block; + and − add products up.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set } = tools;
  /** @type {import("./paint.js").Picture | null} */
  let picture = null;
  /** @type {Settings} */
  let settings;
  /** @type {any} */
  let results;
  /** @type {Moment} */
  let from;
  /** @type {Moment} */
  let to;
  /** @type {Moment | null} where the next change is to start */
  let next = null;
  let told = -1; // how many products are added up in the sentence
  const moves = {
    long: transition(root, paintAt, 1800),
    count: transition(root, paintAt, 3200),
    short: transition(root, paintAt, 500),
  };

  const added = slider(null, "products added up", (n) => set({ added: n === Number(added.input.max) ? null : n }));
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const sliderOf = Object.fromEntries(sliders.map(({ axis, node }) => [axis, node]));
  const head = slider("H", "head", (h) => set({ head: h }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "new numbers");
  const canvas = element("canvas", {
    ...{ class: "block", tabindex: 0, role: "application", "aria-roledescription": "block of products", onkeydown: press },
  });
  const source = element("p", { class: "hint" });
  const board = element("div", { class: "board" }, canvas);
  const place = stage(tools, {
    picture: [board],
    controls: { added: added.node, D: sliderOf.D, S: sliderOf.S },
    more: { L: sliderOf.L, head: head.node, seed, source },
    below: true,
  });
  place.node.classList.add("cube");

  /** @param {number} n how much of the move has passed */
  function paintAt(n) {
    if (!picture) return;
    const go = swing(n);
    const [side, up] = [0, 1].map((axis) => mix(from.turn[axis], to.turn[axis], go));
    const done = mix(from.done, to.done, n);
    paint(canvas, picture, done, [side, up]);
    const count = done > 0 ? Math.max(1, Math.floor(done)) : 0; // the first products come to the front, and are the first sums
    if (count !== told) tell(count);
  }

  /** Say what is drawn when so many products are added up. @param {number} count */
  function tell(count) {
    told = count;
    const now = { ...settings, added: count };
    const parts = happened(now)
      .split(/\{(\w)\}/)
      .map((part, n) => (n % 2 ? letter(part) : part));
    const pair = describePair(now, results, picture?.pin ?? [0, 0], picture?.words ?? []);
    place.tell(...parts, " ", pair);
    canvas.setAttribute("aria-label", `${settings.L} × ${settings.S} × ${settings.D} products. ${pair} ${KEYS}`);
  }

  /** @param {[number, number]} turn */
  const turnTo = (turn) => set({ turn: turn.map((angle, n) => clamp(Math.round(angle), FURTHEST[n][0], FURTHEST[n][1])) });

  /** The pair of now, within the sizes of now. @returns {[number, number]} */
  const pinned = () => {
    const [i, j] = get("pin");
    return [Math.min(i, get("L") - 1), Math.min(j, get("S") - 1)];
  };

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    const [L, S, D] = ["L", "S", "D"].map(get);
    if (WALK[key]) {
      const [i, j] = pinned();
      set({ pin: [clamp(i + WALK[key][0], 0, L - 1), clamp(j + WALK[key][1], 0, S - 1)] });
    } else if (TURN[key]) {
      const [side, up] = get("turn");
      turnTo([side + TURN[key][0], up + TURN[key][1]]);
    } else if (key === "+" || key === "-") {
      const n = clamp(addedOf({ added: get("added"), D }) + (key === "+" ? 1 : -1), 0, D);
      set({ added: n === D ? null : n });
    } else return;
    event.preventDefault();
  }

  // The block is turned by dragging; a tap chooses the pair in front of which it is.
  /** @type {{ x: number, y: number, turn: [number, number], far: boolean } | null} */
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, turn: get("turn"), far: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.far ||= Math.hypot(dx, dy) > 5;
    if (drag.far) turnTo([drag.turn[0] - dx / 3, drag.turn[1] + dy / 3]);
  });
  canvas.addEventListener("pointercancel", () => {
    drag = null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const tapped = drag && !drag.far;
    drag = null;
    const pair = tapped && pairUnder(event);
    if (pair) set({ pin: pair });
  });

  /** The pair whose front, or whose query or key, is at the pointer. @param {PointerEvent} event @returns {[number, number] | null} */
  function pairUnder(event) {
    if (!picture) return null;
    const box = canvas.getBoundingClientRect();
    const camera = cameraFor(picture, to.turn);
    const [[x0, y0], [x1, y1], [x2, y2]] = /** @type {const} */ ([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]).map((point) => camera.project([...point]));
    const [px, py] = [event.clientX - box.left - x0, event.clientY - box.top - y0];
    const [ax, ay, bx, by] = [x1 - x0, y1 - y0, x2 - x0, y2 - y0];
    const whole = ax * by - ay * bx;
    const [j, i] = [(px * by - py * bx) / whole, (ax * py - ay * px) / whole].map(Math.floor);
    return i >= 0 && i < settings.L && j >= 0 && j < settings.S ? [i, j] : null;
  }

  /**
   * @param {Settings} now
   * @param {any} found
   */
  function draw(now, found) {
    for (const one of sliders) one.update(now[/** @type {"D"} */ (one.axis)], limits()[one.axis]);
    added.update(addedOf(now), [0, now.D]);
    head.update(now.head, [0, 2]);
    place.update();
    if (!found) return;
    const before = settings && to ? { ...to, D: settings.D } : null;
    const isSame = Boolean(settings) && JSON.stringify(now) === JSON.stringify(settings);
    const goesOn = isSame && !next && Object.values(moves).some((move) => move.passed() < 1); // a replay; no setting is another
    if (!goesOn) for (const move of Object.values(moves)) move.stop();
    [settings, results] = [now, found];
    const words = wordsOf(settings, 0, Math.max(settings.L, settings.S));
    const width = Math.max(260, board.clientWidth || 340);
    picture = {
      ...{ sizes: settings, results, pin: pinned(), words, colours: coloursOf(root), width, height: width < 480 ? 350 : 446 },
      most: {
        factors: Math.max(magnitude(results.q), magnitude(results.k)),
        ...{ products: magnitude(results.products), scores: magnitude(results.scores) },
      },
    };
    if (goesOn) return;
    to = { done: addedOf(settings), turn: settings.turn };
    from = next ?? { ...to, done: before && before.D === settings.D ? before.done : to.done };
    const move = next ? (from.done < to.done ? moves.count : moves.long) : from.done !== to.done ? moves.short : null;
    next = null;
    told = -1;
    if (move) move.start();
    else paintAt(1);
    setText(source, `${describeNumbers(settings, results)} Drag to turn the block.`);
  }

  /**
   * An experiment is played from what is drawn, or, if its settings hold already, from the other end.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    if (!settings) return;
    const D = changes.D ?? settings.D;
    const wanted = {
      done: addedOf({ added: "added" in changes ? changes.added : settings.added, D }),
      turn: changes.turn ?? to.turn,
    };
    const same = to.done === wanted.done && String(to.turn) === String(wanted.turn) && D === settings.D;
    const start = same || D !== settings.D ? { done: wanted.done ? 0 : D, turn: [...wanted.turn] } : { ...to };
    if (same && isAlongD(wanted.turn)) start.turn = [...ASIDE];
    next = /** @type {Moment} */ (start);
    if (same) draw(settings, results);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({ title: "CubeLab: the products of all queries with all keys, added up over D", compute, build });
