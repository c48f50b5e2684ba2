// DeviceLab: cut an axis of a layer, see which device holds what, what must be sent, and how many bytes.

import { coloursOf } from "../kit/colours.js";
import { element, letters, setText, slider, toggle } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { divisors, divisorUpTo } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { stage } from "../kit/stage.js";
import { answersOn, WHOLE } from "./answers.js";
import { filmOf } from "./film.js";
import { deviceAt, planOf } from "./layout.js";
import { BYTES, CUTS, compute, E, isDrawn, stepsOf } from "./model.js";
import { paint } from "./paint.js";
import { sceneOf, sentBy, VISIT } from "./scene.js";
import { blockText, meanwhileOf, questionOf, sentenceOf } from "./words.js";

/** @typedef {import("./model.js").Settings & { pin: number | null, covered: boolean, step: number | null }} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./parts.js").Block} Block */

const HEADS = divisors(E).filter((n) => n <= 8);
const LAYER = /** @type {const} */ (["B", "L", "H", "G"]);
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
  let isReset = false; // whether the next change brings back the first settings
  /** The cuts that have been tried: what the others send is left to guess. @type {Set<string>} */
  let tried = new Set();
  let isLast = false; // whether the cut that is shown was the last one to guess
  /** @type {number | null} the step that was shown last */
  let kept = null;
  const devices = slider(null, "devices", (N) => set({ N }));
  /** Another layer is compared with the one before: both at their end. @param {Partial<Settings>} changes */
  const change = (changes) => set({ ...changes, step: null });
  const heads = slider("H", "heads", (n) => change({ H: HEADS[n - 1], G: divisorUpTo(HEADS[n - 1], get("G")) }));
  const groups = slider("G", "key/value heads", (n) => change({ G: divisors(get("H"))[n - 1] }));
  const sequences = slider("B", "sequences", (B) => change({ B }));
  const tokens = slider("L", "tokens", (L) => change({ L }));
  const training = toggle("train: add the backward pass", (on) =>
    isCovered(settings.cut) ? set({ training: on }) : change({ training: on }),
  );
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "picture of devices" });
  /** @param {string | Node} text @param {string} [kind] @param {string} [style] */
  const look = (text, kind = "", style = "") => element("span", { class: `grey ${kind}` }, element("i", { style }), text);
  const grey = look("on all devices");
  const sums = look("partial sum", "sum");
  const complete = look("complete sum", "", `background:${WHOLE}`);
  const received = look("received", "pale");
  const size = element("span");
  const block = look(size, "block");
  const held = element("p", { class: "held" });
  const bad = element("span", { class: "bad", hidden: true });
  const film = filmOf(root, show, keep);
  const aside = element("div", { class: "aside" }, element("p", { class: "keys" }, grey, received, sums, complete, block), held);
  const board = element("div", { class: "board" }, canvas, element("div", { class: "foot" }, aside, film.node), bad);
  const place = stage(tools, {
    picture: board,
    controls: { N: devices.node, G: groups.node, training: training.node },
    more: { H: heads.node, B: sequences.node, L: tokens.node },
    below: true,
  });
  place.node.classList.add("device-lab");
  const answers = answersOn(place.node, get("_stage").chips);

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
        if (!isAgain) say(describe(at[3]));
      } else repaint();
    },
  });

  const drawn = () => results.messages.filter(isDrawn);

  /** What does not depend on the moment. */
  function prepare() {
    const plan = planOf(Math.max(240, board.clientWidth || 340), settings);
    const colours = { ...coloursOf(root), bad: getComputedStyle(bad).color };
    const pin = settings.pin === null ? null : Math.min(settings.pin, settings.N - 1);
    picture = { plan, state: settings, results, colours, pin, hovered, isAsked: isCovered(settings.cut) };
    const device = hovered ?? pin;
    held.hidden = device === null || !results.local.x;
    if (device !== null) describe(device);
  }

  /** Write what a device holds, and return the text. @param {number} device */
  function describe(device) {
    const { x, W_QKV, W_O, q, k } = results.local;
    /** @type {[string, number[] | undefined, string?][]} the rows of W_QKV and the columns of W_O have no letter */
    const tensors = [["x, y", x, "B L E"], ["W_QKV", W_QKV], ["W_O", W_O], ["q", q, "B H L D"], ["k, v", k, "B G S D"]]; // biome-ignore format: one line
    const parts = tensors.flatMap(([name, sizes, axes]) => {
      if (!sizes) return [];
      if (!axes) return [" · ", `${name} (${sizes.join(",\u00a0")})`];
      const counts = letters(axes);
      [...counts.children].forEach((count, n) => setText(count, `${sizes[n]}`));
      return [" · ", element("span", {}, `${name} `, letters(axes), " = ", counts)];
    });
    held.replaceChildren(`Device ${device}: `, ...parts.slice(1));
    return `${held.textContent}`;
  }

  /** Keep the step in the settings when it rests. */
  function keep() {
    tell();
    const step = film.step();
    if (step === kept) return;
    kept = step;
    set({ step });
  }

  /** The picture, what has been sent, and what is said. */
  function show() {
    if (!picture) return;
    const { moments, time } = film.passed();
    const { cut } = settings;
    const scene = sceneOf(picture.plan, settings, drawn(), time);
    const seen = [...scene.held, ...scene.flying, ...scene.passed];
    const summed = seen.filter(({ by, isComplete }) => by || isComplete);
    // A gradient hides its tensor.
    const isSeen = (/** @type {Block} */ { sheet }) => !summed.some(({ block }) => block.sheet === sheet);
    grey.hidden = !seen.some(({ device, block }) => device === null && isSeen(block));
    sums.hidden = !summed.some(({ by }) => by);
    complete.hidden = !seen.some(({ isComplete }) => isComplete);
    received.hidden = !scene.held.some(({ alpha }) => alpha === VISIT);
    place.meanwhile(film.isEnd() ? "" : meanwhileOf(settings, film.moment()));
    const total = results.bytes[cut];
    // The bytes count up with what has arrived.
    const sent = sentBy(moments, time).reduce((sum, one) => sum + one.sent / stepsOf(one), 0);
    if ((sent || film.isEnd()) && isCovered(cut)) {
      tried.add(cut);
      isLast = tried.size === CUTS.length;
      picture.isAsked = false;
      answers.update(settings, results, isCovered);
    }
    paint(canvas, picture, scene);
    // Once all is sent, there are blocks of each message.
    const message = scene.sending ?? (results.messages.length > 1 ? null : scene.lanes);
    block.hidden = !message || isCovered(cut);
    if (message) setText(size, blockText(settings, message));
    if (!isCovered(cut)) answers.count(cut, total, BYTES * sent, film.isEnd());
  }

  function repaint() {
    if (!settings) return;
    prepare();
    film.show();
  }

  const isCovered = (/** @type {string} */ axis) => settings.covered && !tried.has(axis);

  /** @param {Settings} now */
  function updateControls(now) {
    const possible = divisors(now.H);
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
    const changed = settings ? changedIn(settings, now) : [];
    if (changed.length && results !== found) {
      answers.remember(isReset || changed.length > 1 ? null : results, found);
    }
    if (isReset) forget();
    if (isCut || changed.length) isLast = false;
    // Another layer sends something else: its cuts are compared, not guessed.
    if (LAYER.some((name) => now[name] !== initial(name))) for (const axis of CUTS) tried.add(axis);
    const isNew = !settings || isCut || changed.length > 0;
    [settings, results] = [now, found];
    if (isNew) film.prepare(settings, drawn());
    prepare();
    if (isNew) answers.update(settings, results, isCovered);
    const plays = awaited || (now.N > 1 && isCut && isKept && !isReset);
    awaited = isReset = false;
    kept = now.step;
    if (plays) film.restart();
    else if (isNew || !isKept) film.stopAt(kept);
    else film.show();
    if (!isPointed) tell();
  }

  function tell() {
    const { verdict, kind, text } = sentenceOf(settings, results, settings.covered && tried.size < 2, isLast);
    const isAsked = isCovered(settings.cut) && film.moment().name === "compute";
    const isBetween = !film.isEnd() && !film.isPlaying();
    const [before, bold, after] = isBetween
      ? [`${meanwhileOf(settings, film.moment())} `, isAsked ? questionOf(settings) : "", ""]
      : ["", verdict, ` ${text}`];
    place.tell(before, element("b", { class: isBetween ? "" : kind }, bold), after);
    canvas.setAttribute("aria-label", `${before}${bold}${after} ${KEYS}`);
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

  const forget = () => (tried = new Set(initial("step") === null ? [initial("cut")] : []));

  function restart() {
    kept = initial("step");
    if (settings) film.stopAt(kept);
    forget();
    if (!settings) return;
    answers.remember(null, results);
    isReset = ["cut", "N", "training", ...LAYER].some((name) => get(name) !== initial(name));
    answers.update(settings, results, isCovered);
    tell();
  }

  return { node: place.node, draw, perform, restart };
}

/** What has changed besides the cut. That G follows H is one change. @param {Settings} from @param {Settings} to */
const changedIn = (from, to) =>
  /** @type {const} */ (["N", "training", ...LAYER]).filter((name) => from[name] !== to[name] && (name !== "G" || from.H === to.H));

export const lab = makeLab({ title: "DeviceLab: one layer on several devices, and what they send", compute, build });
