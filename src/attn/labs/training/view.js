// TrainingLab: a training that has happened. It plays once when it comes into sight, and one slider leads to any of its steps.

import { choice, element, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { setMoving } from "../kit/moving.js";
import { stage } from "../kit/stage.js";
import { whole, wholes } from "../kit/takes.js";
import { mix, swing } from "../kit/time.js";
import { prefersStills, transition } from "../kit/transition.js";
import { rowToShow, settingsIn, wayTo } from "./course.js";
import { compute, frameOf, isFrame, nearestWeight, rowsOf, runOf, writtenFrame } from "./model.js";
import { letReach } from "./reach.js";
import { controlsOf, playSoon } from "./recording.js";
import { sceneOn } from "./scene.js";
import { othersOf, parameterSentence, playSentence, rowSentence, taskText, weightSentence } from "./words.js";

const EARLY = 0.1; // of a training: until then a press on the button means “play”, though it plays by itself already

/** @typedef {import("./model.js").Run} Run */

/** Whether words ask questions; else each asks for the next word. @param {Run} run */
const isAsked = (run) => run.questions.length > 0;

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set } = tools;
  /** @type {Run[]} */
  const runs = get("_runs");
  const all = runs.map((run) => controlsOf(run, { set: change, draw: paint, keep: () => keep(run), refuses: () => refuses(run) }));
  /** @type {{ settings: any, results: any, run: Run, frame: number } | null} */
  let current = null;
  let kept = -1; // the frame that the settings have
  let isPlaced = false; // while the film is put where a move begins, which is no change of the settings
  /** @type {Record<string, any> | null} what an experiment has set, before its move begins */
  let awaited = null;
  /** @type {{ from: number } | { weights: Float32Array } | null} the move: back from a time, or from other weights */
  let move = null;
  /** @type {import("./course.js").Drawn | null} */
  let drawn = null;
  /** @type {import("./reach.js").Spot | null} */
  let hovered = null;
  /** @type {number | null} the number of W_Q that was clicked, counted through all heads */
  let picked = null;
  let told = "";
  let isPerformed = false; // whether what plays ends where the settings are

  const scene = sceneOn(tools);
  const task = choice(
    unique("training"),
    "training",
    runs.map(({ name }) => /** @type {const} */ ([name, name])),
    chooseTask,
  );
  task.node.hidden = runs.length < 2;
  const show = choice(
    unique("training"),
    "show",
    [
      ["weights", "attention weights"],
      ["rows", "rows of the embedding"],
    ],
    (value) => change({ show: value }),
  );
  const slots = Object.fromEntries(["step", "head", "sequence", "word"].map((name) => [name, element("div", { class: name })]));
  const goal = element("p", { class: "task", hidden: scene.board.hidden });
  const place = stage(tools, {
    picture: [goal, scene.node],
    controls: { step: slots.step, head: slots.head },
    more: { task: task.node, sequence: slots.sequence, show: show.node, word: slots.word },
    below: true,
  });
  place.node.classList.add("training");
  const moving = transition(root, paint, 900);

  /** @param {Run} run */
  const partsOf = (run) => all[runs.indexOf(run)];
  const filmOf = (/** @type {Run} */ run) => partsOf(run).film;

  /** Set what a control says, which ends every move. */
  function change(changes) {
    for (const { film } of all) film.takeOver();
    set(changes);
  }

  function chooseTask(name) {
    const [from, to] = [get("task"), name].map((one) => runs.find((run) => run.name === one));
    if (from && to) change(settingsIn(to, from, get));
  }

  /** The run, the head and the weight of the settings as they are now, which may not be drawn yet. */
  function chosen() {
    const run = runs.find(({ name }) => name === get("task")) ?? runs[0];
    const sequence = Math.min(get("sequence"), run.ids.length - 1);
    const pin = get("pin");
    const [layer, head, i, j] = nearestWeight(
      /** @type {any} */ ([...get("head"), ...(pin ?? [rowToShow(run, sequence), 0])]),
      run,
    );
    /** @type {import("./model.js").Place} */
    const place = [layer, head, i, j];
    return { run, rows: rowsOf(run, sequence), head: /** @type {[number, number]} */ ([layer, head]), pin: pin && [i, j], place };
  }
  letReach(scene, {
    get,
    change,
    chosen,
    isDrawn: () => current !== null,
    hover(place) {
      hovered = place;
      paint();
    },
    picked: () => picked,
    pick(n) {
      [picked, hovered] = [n, null];
      if (n !== null && get("pin")) change({ pin: null });
      paint();
    },
    scrub(step) {
      const { run } = chosen();
      const { film } = partsOf(run);
      film.takeOver();
      moving.finish();
      film.seek(Math.round(step / Math.max(1, run.steps[1] ?? 1)));
    },
  });
  root.addEventListener("pointerdown", () => {
    for (const { film } of all) film.takeOver();
  });

  root.addEventListener("keydown", ({ key }) => key === "Escape" && letGo());

  /** Describe the moment again, and nothing that was clicked. @param {[row: number, column: number] | null} [pin] but this weight */
  function letGo(pin = null) {
    hovered = picked = null;
    set({ pin });
    paint();
  }

  /** Whether a press on the button changes nothing, because it has only just begun to play. @param {Run} run */
  function refuses(run) {
    const film = filmOf(run);
    if (film.playing) return film.time < EARLY * film.end;
    if (!film.still) letGo(); // step by step, a reader follows what was clicked
    return false;
  }

  // Drawing -------------------------------------------------------------------------------------------------------------------------

  /** Keep the frame in the settings when the film rests, but not sixty times a second. */
  function keep(run) {
    if (!current || run !== current.run) return;
    const { film } = partsOf(run);
    if (!film.playing) isPerformed = false;
    mark();
    if (film.playing) {
      moving.stop();
      move = null;
    }
    const frame = Math.round(film.seen);
    const isNew = !film.playing && !isPlaced && frame !== kept;
    const isEnding = isNew && root.hasAttribute("data-moving"); // until what rests is drawn
    setMoving(root, "film", film.playing || isEnding);
    if (!isNew) return;
    kept = frame;
    set({ frame: writtenFrame(run, frame) });
  }

  /** Mark the experiments that hold, but not while the picture goes elsewhere. */
  function mark() {
    const isElsewhere = current && filmOf(current.run).playing && !isPerformed;
    place.update(!isElsewhere);
  }

  /** Go to a frame that the settings have already. */
  function goTo(run, frame) {
    kept = frame; // so the film's new time is not a change
    filmOf(run).seek(frame);
  }

  /** Play from one frame to another one, which the settings have already. */
  function playFrom(run, from, to) {
    const film = filmOf(run);
    isPlaced = true;
    film.seek(from);
    isPlaced = false;
    isPerformed = true;
    film.play(to);
  }

  /** The time to draw, in frames: not a whole number while it moves. */
  function timeNow() {
    const { run } = /** @type {NonNullable<typeof current>} */ (current);
    const film = filmOf(run);
    if (move && "from" in move && moving.passed() < 1) return mix(move.from, film.seen, swing(moving.passed()));
    return film.playing ? film.time : Math.round(film.seen);
  }

  /** The head that is drawn and the weight that is described, inside the recording. */
  function headOf() {
    const { settings, run } = /** @type {NonNullable<typeof current>} */ (current);
    const { sequence, pin } = settings;
    const number = hovered?.length === 1 ? hovered[0] : hovered ? null : picked;
    const place = number === null ? (hovered ?? (pin && [...settings.head, ...pin])) : null;
    const marked = place && nearestWeight(/** @type {any} */ (place), run);
    const [layer, head] = nearestWeight(/** @type {any} */ (marked ?? [...settings.head, 0, 0]), run);
    return { sequence, head: /** @type {[number, number]} */ ([layer, head]), marked, number };
  }

  function paint() {
    if (!current) return;
    const { settings, run, frame } = current;
    const time = timeNow();
    const near = Math.floor(time);
    const results = time === frame && !filmOf(run).playing ? current.results : compute({ ...settings, frame: String(near) });
    const { sequence, head, marked, number } = headOf();
    const from = move && "weights" in move && moving.passed() < 1 ? { ...move, part: swing(moving.passed()) } : null;
    const weights = scene.draw({ run, settings, head, marked, picked: number, time, results, from });
    drawn = { task: settings.task, key: keyOf(), time, weights };
    goal.hidden = isAsked(run) || scene.board.hidden;
    goal.textContent = taskText(run, sequence);
    tell(near, results);
  }

  /** Which weights are drawn: those of a head or, of a model that is asked, of all heads. */
  function keyOf() {
    const { settings, run } = /** @type {NonNullable<typeof current>} */ (current);
    return JSON.stringify([settings.task, settings.sequence, isAsked(run) || headOf().head]);
  }

  /** Write the sentence of a frame. */
  function tell(frame, results) {
    const { settings, run, frame: target } = /** @type {NonNullable<typeof current>} */ (current);
    const { head, marked, number } = headOf();
    const { sequence } = settings;
    const pin = marked && /** @type {[number, number]} */ ([marked[2], marked[3]]);
    const isBetween = filmOf(run).playing || (move && "from" in move && moving.passed() < 1);
    const parts = isBetween
      ? playSentence(
          run,
          filmOf(run).playing && !isPerformed ? run.steps.length - 1 : target,
          sequence,
          settings.show === "rows"
            ? `the row of “${run.words[settings.word]}” moves`
            : isAsked(run)
              ? ""
              : "attention weights change",
          frame,
        )
      : settings.show === "rows"
        ? rowSentence(run, settings, frame, results, compute({ ...settings, frame: "0" }).dots)
        : number !== null
          ? parameterSentence(run, number, frame)
          : weightSentence(run, { sequence, head, pin }, frame, results, othersOf(runs, run));
    const text = JSON.stringify(parts);
    if (text === told) return;
    told = text;
    place.tell(...parts.map((part) => (typeof part === "string" ? part : element("b", { class: part[0] }, part[1]))));
  }

  // Moves ---------------------------------------------------------------------------------------------------------------------------

  /** Play the move of an experiment, up to what the settings say. */
  function start(changes, before) {
    const { run, frame, settings } = /** @type {NonNullable<typeof current>} */ (current);
    moving.stop();
    move = null;
    goTo(run, frame);
    if (prefersStills()) return paint();
    const next = wayTo(run, frame, settings, changes, before, keyOf());
    if ("play" in next) return playFrom(run, next.play, frame);
    move = next;
    moving.start();
  }

  function draw(settings, results) {
    task.update(settings.task);
    show.update(settings.show);
    mark();
    if (!results) return;
    const run = runOf(settings);
    const frame = frameOf(run, settings.frame);
    const parts = partsOf(run);
    const isFirst = current === null;
    const before = drawn;
    if (current?.run !== run) {
      isPlaced = true; // that another recording no longer plays is no change of the settings
      for (const { film } of all) film.pause();
      isPlaced = false;
      hovered = null;
      for (const name of ["step", "head", "sequence", "word"]) slots[name].replaceChildren(parts[name]);
    }
    const isSame = current?.run === run && kept === frame;
    if (settings.pin || current?.run !== run || String(current.settings.head) !== String(settings.head)) picked = null;
    current = { settings, results, run, frame };
    parts.update(settings);
    slots.word.hidden = settings.show !== "rows";
    slots.head.hidden = settings.show === "rows" || isAsked(run); // of a model that is asked, all heads are drawn
    if (awaited) {
      const changes = awaited;
      awaited = null;
      start(changes, before);
    } else if (!isSame) {
      moving.finish();
      move = null;
      goTo(run, frame);
    } else paint();
    if (!parts.film.playing) setMoving(root, "film", false);
    if (isFirst && frame === 0) playSoon(parts.film, root, place.node);
  }

  /** @param {Record<string, any>} changes */
  function perform(changes) {
    for (const { film } of all) film.takeOver();
    letGo(changes.pin);
    const isSame = (name) => JSON.stringify(get(name)) === JSON.stringify(current?.settings[name]);
    if (current && Object.keys(changes).every(isSame)) start(changes, drawn);
    else awaited = changes;
  }

  function restart() {
    for (const { film } of all) {
      film.takeOver();
      film.pause();
    }
    moving.finish();
    letGo();
  }

  return { node: place.node, draw, perform, restart };
}

export const lab = makeLab({
  title: "TrainingLab: what does training change, and when?",
  compute,
  made: "replayed", // from a recording
  takes: { frame: isFrame, sequence: whole, pin: wholes(2) },
  build,
});
