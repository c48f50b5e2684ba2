// DeviceLab: cut an axis of a layer, see which device holds what, what must be sent, and how many bytes.

import { coloursOf } from "../kit/colours.js";
import { choice, element, letter, setText, slider, toggle, unique } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { divisors, range } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { stage } from "../kit/stage.js";
import { mix } from "../kit/time.js";
import { prefersStills, transition } from "../kit/transition.js";
import { deviceAt, planOf } from "./layout.js";
import { BYTES, CUTS, compute, E, stepsOf, stored } from "./model.js";
import { paint } from "./paint.js";
import { momentsOf, sceneOf, sentBy, stopsOf } from "./scene.js";
import { arrowText, heldShapes, heldText, meanwhileOf, NAMES, sentenceOf, sharedName, shortName, wholeName } from "./words.js"; // biome-ignore format: one line

/** @typedef {import("./model.js").Settings & { pin: number | null, covered: boolean, step: number | null }} Settings */
/** @typedef {import("./model.js").Results} Results */

const HEADS = divisors(E).filter((n) => n <= 8);
/** The bytes that the two bars of a cut have room for. All bars have one scale, which stays the same from one experiment to the next. */
const ROOM = { keeps: 9216, sends: 13824 };
const STATE = /** @type {const} */ (["cut", "N", "B", "L", "H", "G", "training"]);
const KEYS = "Left and right choose a device.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, initial, set, say } = tools;
  /** @type {import("./paint.js").Picture | null} */
  let picture = null;
  /** @type {Settings} */
  let settings;
  /** @type {Results} */
  let results;
  /** @type {number | null} */
  let hovered = null;
  let awaited = false; // an experiment whose results are not there yet
  let scale = 1; // of the bars
  let isReset = false; // whether the next change brings back the first settings
  /** The cuts that have been tried: what the others send is left to guess. @type {Set<string>} */
  let tried = new Set();
  /** @type {import("./scene.js").Moment[]} */
  let moments = [];
  let time = 0;
  /** @type {import("../kit/transition.js").Transition | null} */
  let move = null;
  /** @type {number | null} the step that was shown last */
  let kept = null;
  const bars = CUTS.map((axis) => {
    const [keeps, sends] = [barOf(2), barOf(1)];
    const unequal = element("span", { class: "unequal" });
    const name = element("span", { class: "axis" }, letter(axis), ` ${NAMES[axis]}`);
    const node = element("span", { class: "cost" }, name, sends.node, keeps.node, unequal);
    return { axis, keeps, sends, unequal, node };
  });
  const cut = choice(
    unique("device-cut"),
    "cut the",
    bars.map(({ axis, node }) => /** @type {const} */ ([axis, node])),
    (value) => {
      set({ cut: value });
    },
  );
  cut.node.classList.add("cuts");
  const key = ["weights", "k, v"].map((name) => element("span", {}, element("i", {}), name));
  const ghost = element("span", { class: "wide before" });
  const keeps = element("span", {}, element("b", {}, "bytes kept"), ...key);
  const sends = element(
    "span",
    {},
    element("b", {}, "bytes sent per device", element("span", { class: "wide" }, ", in every layer")),
    ghost,
  );
  const titles = element("p", { class: "titles" }, sends, keeps);
  cut.node.firstElementChild?.after(titles);
  const devices = slider(null, "devices", (N) => set({ N }));
  const heads = slider("H", "heads", (n) => set({ H: HEADS[n - 1] }));
  const groups = slider("G", "key/value heads", (n) => set({ G: divisors(get("H"))[n - 1] }));
  const sequences = slider("B", "sequences", (B) => set({ B }));
  const tokens = slider("L", "tokens", (L) => set({ L }));
  const training = toggle("backward pass, too", (on) => set({ training: on }));
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "picture of devices" });
  const arrows = element("p", { class: "arrows" });
  const grey = element("p", { class: "grey" }, element("i", {}), "on all", element("span", { class: "wide" }, " devices"));
  const held = element("p", { class: "held" });
  const sums = element("p", { class: "grey sum" }, element("i", {}), "partial sum");
  const complete = element("p", { class: "grey complete" }, element("i", {}), "complete, not on all yet");
  const rows = element("p", { class: "grey" });
  const play = element("button", { type: "button", class: "play", onclick: toggleTime });
  const clock = slider(null, "", goTo);
  clock.input.ariaLabel = "step";
  const ticks = element("span", { class: "ticks", "aria-hidden": "true" });
  clock.node.append(ticks);
  const bad = element("span", { class: "bad", hidden: true });
  const film = element("div", { class: "film" }, play, clock.node);
  const aside = element("div", { class: "aside" }, element("div", { class: "keys" }, grey, sums, complete, rows), arrows, held);
  const board = element("div", { class: "board" }, canvas, element("div", { class: "foot" }, aside, film), bad);
  const { controls } = get("_stage");
  cut.node.hidden = controls !== null && !controls.includes("cut");
  const place = stage(tools, {
    picture: [cut.node, board],
    controls: { N: devices.node, H: heads.node, G: groups.node },
    more: { B: sequences.node, L: tokens.node, training: training.node },
    below: true,
  });
  place.node.classList.add("device-lab");

  const pinned = () => (get("pin") === null ? null : Math.min(get("pin"), get("N") - 1));
  pointing(canvas, {
    placeAt(x, y) {
      const device = picture && deviceAt(picture.plan, x, y);
      return device === null ? null : [0, 0, 0, device];
    },
    extent: () => (picture ? { sizes: [1, 1, 1, get("N")], first: [0, 0, 0, 0] } : null),
    pinned() {
      const device = pinned();
      return device === null ? null : [0, 0, 0, device];
    },
    onPoint(at, kept, how) {
      hovered = at && !kept ? at[3] : null;
      if (kept && at) {
        const isAgain = how === "click" && pinned() === at[3];
        set({ pin: isAgain ? null : at[3] });
        if (!isAgain) say(heldText(settings, results, at[3]));
      } else repaint();
    },
  });

  /** What does not depend on the moment. */
  function prepare() {
    const plan = planOf(Math.max(240, board.clientWidth || 340), settings);
    const colours = { ...coloursOf(root), bad: getComputedStyle(bad).color };
    picture = {
      plan,
      state: settings,
      results,
      colours,
      pin: settings.pin === null ? null : Math.min(settings.pin, settings.N - 1),
      hovered,
    };
    const device = hovered ?? picture.pin;
    const shapes = results.fits[settings.cut] ? heldShapes(settings, results) : [];
    const parts = shapes.map(([name, shape]) => {
      const sizes = shape.flatMap(([size, isCut], n) => [
        ...(n ? [", "] : []),
        isCut ? element("b", { "data-axis": settings.cut }, String(size)) : String(size),
      ]);
      const isMain = (settings.cut === "E" ? ["x, y", "W_QKVᵀ"] : ["q", "k, v"]).includes(name); // a phone has room for two
      return element("span", { class: isMain ? "main" : "" }, `${name} (`, ...sizes, ")");
    });
    if (device === null) held.replaceChildren();
    else if (shapes.length) held.replaceChildren(element("b", {}, `Device ${device} holds`), ...parts);
    else held.replaceChildren(heldText(settings, results, device));
    setText(arrows, arrowText(settings, results, plan.narrow));
    held.hidden = device === null || (plan.narrow && settings.training); // the messages need its room
    grey.hidden = sums.hidden = rows.hidden = settings.N === 1;
    setText(rows, `rows: ${settings.B} × ${settings.L} tokens`);
  }

  /** What happens from now on, and the names below the slider: of several messages only theirs, of one that of each time around. */
  function prepareTime() {
    move?.stop();
    moments = momentsOf(settings, results.messages);
    film.classList.toggle("none", settings.N === 1);
    const last = Math.max(1, moments.length - 1);
    const around = settings.N - 1;
    ticks.replaceChildren(
      ...moments.flatMap(({ name, message, step }, n) => {
        const isMany = results.messages.length > 1;
        if (isMany && (message ? step !== Math.floor(stepsOf(message, settings.N) / 2) : name === "compute")) return [];
        const isRound = message && !isMany;
        if (isRound && step % around) return [];
        const stop = isRound ? n + (around - 1) / 2 : n; // in the middle of its steps
        const at = stop === last ? "right:0" : "left:-5px";
        const style = stop % last ? `left:calc(9px + ${(stop / last).toFixed(4)} * (100% - 18px))` : `${at};transform:none`;
        const round = name.replace(" 1", around > 1 ? `, ${around} steps` : "");
        return element("span", { style }, !message ? name : isMany ? shortName(message) : round);
      }),
    );
  }

  /** Where the other cuts are left to guess, the first one is played once it is in sight. */
  function playInSight() {
    const observer = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (!isIntersecting) return;
        observer.disconnect();
        if (move || !settings.covered || prefersStills() || time < moments.length) return;
        time = 0;
        run();
      },
      { threshold: 0.5 },
    );
    observer.observe(board);
  }

  const indexNow = () => Math.min(moments.length - 1, Math.floor(time));
  const isPlaying = () => move !== null && move.passed() < 1;

  /** @param {number} t */
  function seek(t) {
    move?.stop();
    time = t;
    show();
  }

  /** To the end; from the start, if it is there. */
  function run() {
    move?.stop();
    const end = moments.length;
    const from = time < end ? time : 0;
    /** @param {number} passed */
    const draw = (passed) => {
      time = mix(from, end, passed);
      show();
      if (passed === 1) keep();
    };
    move = transition(root, draw, (end - from) * (end < 7 ? 1300 : end < 10 ? 1000 : 800));
    move.start();
  }

  /** @param {number} n */
  function goTo(n) {
    seek(stopsOf(moments)[n]);
    keep();
  }

  function toggleTime() {
    if (prefersStills()) goTo(time < moments.length ? indexNow() + 1 : 0);
    else if (isPlaying()) {
      seek(time);
      keep();
    } else run();
  }

  /** Keep the step in the settings when it rests. */
  function keep() {
    tell();
    const step = time < moments.length ? indexNow() : null;
    if (step === kept) return;
    kept = step;
    set({ step });
  }

  /** The picture, what has been sent, and what is said. */
  function show() {
    if (!picture) return;
    const [isEnd, n] = [time >= moments.length, indexNow()];
    const scene = sceneOf(picture.plan, settings, results.messages, time);
    paint(canvas, picture, scene);
    complete.hidden = ![...scene.held, ...scene.flying].some(({ isComplete }) => isComplete);
    place.meanwhile(isEnd ? "" : meanwhileOf(settings, moments[n]));
    arrows.hidden = !isEnd; // it says what will be
    const last = moments.length - 1;
    clock.update(n, [0, last], moments[n].name);
    const does = isPlaying() ? "pause" : prefersStills() ? "next picture" : "play";
    setText(play, isPlaying() ? "❚❚" : "▶");
    play.title = play.ariaLabel = does;
    paintSent();
  }

  function repaint() {
    if (!settings) return;
    prepare();
    show();
  }

  /** @param {string} axis */
  const isCovered = (axis) => settings.covered && !tried.has(axis);

  /** What each cut costs, and a ghost of what it cost before. */
  function paintBars() {
    titles.classList.toggle("none", settings.N === 1);
    const own = bars.map(({ axis }) => stored(settings, axis));
    const sent = CUTS.map((axis) => results.bytes[axis]);
    const most = {
      keeps: Math.max(...own.map(({ weights, cache }) => BYTES * (weights + cache))),
      sends: Math.max(...sent.map((count) => count ?? 0)),
    };
    scale = Math.max(1, most.keeps / ROOM.keeps, most.sends / ROOM.sends);
    for (const [n, { axis, keeps, sends, unequal }] of bars.entries()) {
      const count = sent[n];
      const isWhole = settings.N === 1;
      unequal.hidden = !isWhole && count !== null;
      for (const bar of [keeps, sends]) bar.node.hidden = !unequal.hidden;
      const isHidden = isCovered(axis);
      setText(unequal, isWhole ? wholeName(settings, axis) : `no equal parts: ${sharedName(settings, axis)}`);
      keeps.fill([BYTES * own[n].weights, BYTES * own[n].cache], scale * ROOM.keeps);
      sends.fill([isHidden ? null : (count ?? 0)], scale * ROOM.sends);
    }
    paintSent();
  }

  /** The bytes of this cut count up with what has arrived. */
  function paintSent() {
    const { cut, N } = settings;
    const total = results.bytes[cut];
    if (!total) return;
    const isEnd = time >= moments.length;
    const sent = sentBy(moments, time).reduce((sum, one) => sum + one.sent / stepsOf(one, N), 0);
    bars.find(({ axis }) => axis === cut)?.sends.fill([isEnd ? total : BYTES * sent], scale * ROOM.sends, isEnd ? "nothing" : "0");
  }

  /** What was stays as a ghost, if there is one thing to name. @param {string} was */
  function leave(was) {
    for (const { keeps, sends } of bars) for (const bar of [keeps, sends]) bar.leave(was !== "");
    ghost.dataset.was = was; // no text: a link to these settings has no past
  }

  /** @param {Settings} now */
  function updateControls(now) {
    const possible = divisors(now.H);
    cut.update(now.cut);
    devices.update(now.N, limits().N);
    heads.update(HEADS.indexOf(now.H) + 1, [1, HEADS.length], String(now.H));
    groups.update(possible.indexOf(now.G) + 1, [1, possible.length], String(now.G));
    sequences.update(now.B, limits().B);
    tokens.update(now.L, limits().L);
    training.update(now.training);
    place.update();
  }

  /** @param {Settings} now @param {Results | null} found */
  function draw(now, found) {
    updateControls(now);
    if (!found) return;
    const isKept = now.step === kept;
    const isPointed = settings && results === found && !awaited && isKept;
    const isCut = settings && settings.cut !== now.cut;
    const isOther = settings && STATE.some((name) => name !== "cut" && settings[name] !== now[name]);
    if (isOther && results !== found) {
      // A chip that leads back to the first settings leaves nothing of what was before.
      const isFirst = STATE.every((name) => name === "cut" || now[name] === initial(name));
      leave(isReset || (awaited && isFirst) ? "" : wasOf(settings, now));
      isReset = false;
    }
    tried.add(now.cut);
    const isNew = !settings || isCut || isOther;
    if (!settings) playInSight();
    [settings, results] = [now, found];
    if (isNew) prepareTime();
    prepare();
    const plays = awaited || (now.N > 1 && isCut && isKept);
    awaited = false;
    kept = now.step;
    if (plays) {
      time = 0;
      run();
    } else if (isNew || !isKept) seek(stopsOf(moments)[kept ?? moments.length - 1] ?? moments.length);
    else show();
    if (isNew) paintBars();
    if (!isPointed) tell();
  }

  function tell() {
    const { verdict, kind, text } = sentenceOf(settings, results, settings.covered && tried.size < 2);
    if (time < moments.length && !isPlaying()) place.tell(meanwhileOf(settings, moments[indexNow()]));
    else place.tell(element("b", { class: kind }, verdict), ` ${text}`);
    canvas.setAttribute("aria-label", `${verdict} ${text} ${KEYS}`);
  }

  /** An experiment is played from its start, also if its settings hold already. @param {Record<string, any>} changes */
  function perform(changes) {
    hovered = null;
    if (!settings || changes.step != null) return;
    awaited = true;
    const isDrawn = Object.keys(settings).every(
      (key) => JSON.stringify(settings[/** @type {"pin"} */ (key)]) === JSON.stringify(get(key)),
    );
    if (isDrawn) draw(settings, results);
  }

  function restart() {
    tried = new Set([initial("cut")]);
    if (!settings) return;
    leave("");
    isReset = STATE.some((name) => get(name) !== initial(name));
    paintBars();
    tell();
  }

  return { node: place.node, draw, perform, restart };
}

/**
 * What the one thing was that has changed, besides the cut; "" if several have.
 *
 * @param {Settings} from
 * @param {Settings} to
 */
function wasOf(from, to) {
  const [name, ...others] = STATE.filter((one) => one !== "cut" && from[one] !== to[one] && (one !== "G" || from.H === to.H));
  if (!name || others.length) return "";
  if (name === "training") return from.training ? "with backward pass" : "forward only";
  return name === "N" ? `${from.N} device${from.N > 1 ? "s" : ""}` : `${name} = ${from[name]}`;
}

/**
 * A bar of one or several parts with their numbers, and the length that it had before.
 *
 * @param {number} count of the parts
 */
function barOf(count) {
  const was = element("i", { class: "was", hidden: true });
  const parts = range(count).map(() => element("i", {}));
  const numbers = range(count).map(() => element("b", { class: "number" }));
  const text = numbers.flatMap((one, n) => (n ? [element("span", { class: "quiet" }, " + "), one] : [one]));
  const label = element("span", { class: "label" }, ...text);
  let [whole, isKnown] = [0, false];
  return {
    node: element(
      "span",
      { class: count > 1 ? "amount keeps" : "amount sends" },
      element("span", { class: "room" }, ...parts, was),
      label,
    ),
    /** @param {(number | null)[]} amounts bytes; null: the reader guesses @param {number} room the bytes that it has room for @param {string} [none] */
    fill(amounts, room, none = "nothing") {
      const lengths = amounts.map((one) => (one ?? 0) / room);
      whole = lengths.reduce((sum, one) => sum + one, 0);
      for (const [n, amount] of amounts.entries()) {
        parts[n].style.width = `${(100 * lengths[n]).toFixed(2)}%`;
        setText(numbers[n], amount === null ? "?" : amount ? integer(Math.round(amount)) : none);
        numbers[n].classList.toggle("asked", amount === null);
      }
      isKnown = true;
      const length = `${(100 * whole).toFixed(2)}%`;
      const isSame = Boolean(was.hidden) || was.style.width === length;
      was.classList.toggle("same", isSame);
      label.style.setProperty("--end", isSame ? length : `max(${length}, ${was.style.width})`); // beside the bar and its ghost
    },
    /** Before it changes: its length stays as a ghost, if the two can be compared. @param {boolean} isAlike */
    leave(isAlike) {
      was.hidden = !isAlike || !isKnown || !whole;
      was.style.width = `${(100 * whole).toFixed(2)}%`;
    },
  };
}

export const lab = makeLab({ title: "DeviceLab: one layer on several devices, and what they send", compute, build });
