// CacheLab: what a step of generation keeps, and what nothing will read again.

import { element, setText } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { wordsOf } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { controlsOf } from "./controls.js";
import { counters } from "./counters.js";
import { planOf, targetAt } from "./layout.js";
import { looksOf } from "./looks.js";
import { compute } from "./model.js";
import { paint } from "./paint.js";
import { openOf, sceneOf } from "./scene.js";
import { callSentence, comparison, movingSentence, overwriteEffect, pointer, rowsThatDiffer, rowText, TOLERANCE } from "./words.js";

/** @typedef {import("./run.js").State & { head: number }} Settings */
/** @typedef {import("./scene.js").Kind} Kind */

const TABLES = /** @type {const} */ (["q", "k", "v"]);
const DURATIONS = { arrive: 6400, overwrite: 3800, share: 3200, rest: 0 };
const AGAIN = 3800; // an arrival that is not the first
const KEYS = "Arrow keys walk through q, k and v, Enter changes the row or restores it, Page Up and Page Down change the head.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;
  /** @type {Settings} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {import("./model.js").Results} */
  let results;
  /** @type {import("./paint.js").Picture} */
  let picture;
  /** @type {Kind} */
  let kind = "rest";
  /** @type {Kind | null} */
  let awaited = null; // the move of an experiment whose results are not there yet
  let from = 1; // key/value heads before the last change
  let since = 0; // words before an experiment
  let again = false; // an experiment follows another one
  let hasArrived = false; // the reader has seen a word arrive
  /** @type {import("./model.js").Results | undefined} */
  let untouched; // the results without what is overwritten
  /** @type {import("./model.js").Results | undefined} */
  let earlier; // while heads merge: the results before
  /** @type {number | null} */
  let other = null; // rows that change with the key in place of the query, or the query in place of another row
  const tried = new Set(); // what the reader has overwritten: only its count is told
  /** @type {import("./model.js").Results | null} */
  let separate = null; // where heads share: the results with a key/value head for each of them
  /** @type {{ what: string, n: number } | null} */
  let pointed = null;

  const moves = Object.fromEntries(
    Object.entries(DURATIONS).map(([name, time]) => [name, transition(root, (n) => paintAt(/** @type {Kind} */ (name), n), time)]),
  );
  const quick = transition(root, (n) => paintAt("arrive", n), AGAIN);
  const moved = controlsOf(tools, overwriteAt);
  const counts = counters();
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "picture of a cache" });
  const board = element("div", { class: "board" }, canvas);
  const source = element("p", { class: "hint" });
  const wrong = element("i", { class: "bad", hidden: true });
  const place = stage(
    { ...tools, perform: press },
    {
      picture: [board, source, wrong],
      controls: moved.first,
      below: true,
      more: { ...moved.more, costs: counts.node },
    },
  );
  place.node.classList.add("cache-lab");

  const targetOf = (/** @type {number} */ x, /** @type {number} */ y) => picture && targetAt(picture.plan, settings, x, y);
  pointing(canvas, {
    placeAt(x, y) {
      const target = targetOf(x, y);
      return target && [0, 0, target.n, { q: 0, k: 1, v: 2, tab: 3, next: 4 }[target.what]];
    },
    extent: () => (picture ? { sizes: [1, get("H"), get("S"), 3], first: [0, headNow(), get("S") - 1, 0] } : null),
    pinned: () => (pointed && pointed.what in { q: 1, k: 1, v: 1 } ? [0, headNow(), pointed.n, indexOf(pointed.what)] : null),
    onPoint: point,
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (pointed) act(pointed);
  });
  const indexOf = (/** @type {string} */ what) => TABLES.indexOf(/** @type {"q"} */ (what));
  const headNow = () => Math.min(get("head"), get("H") - 1);

  /** @param {import("../kit/facets.js").Place | null} cell @param {boolean} kept @param {"click" | "key"} [how] */
  function point(cell, kept, how) {
    if (!picture) return;
    pointed = cell && { what: [...TABLES, "tab", "next"][cell[3]], n: cell[2] };
    canvas.classList.toggle("pointing", pointed !== null);
    if (kept && how === "click" && pointed) return act(pointed);
    if (how === "key" && cell && pointed) {
      if (cell[1] !== headNow()) set({ head: cell[1] });
      if (pointed.n < settings.S) say(rowText(TABLES[cell[3]], pointed.n, settings, results));
    }
    repaint();
  }

  /** A row of q, k or v is overwritten, or restored; a tab chooses the head; the place of the next word lets it arrive. */
  function act({ what, n }) {
    if (what === "next") set({ S: Math.min(n + 1, limits().S[1]) });
    else if (what === "tab") set({ head: n });
    else overwriteAt(get("overwrite") === what && get("at") === n ? { overwrite: "nothing" } : { overwrite: what, at: n });
  }

  /** Every experiment has all words. @param {{ overwrite: string, at?: number }} changes */
  function overwriteAt(changes) {
    set(changes.overwrite === "nothing" ? changes : { ...changes, S: limits().S[1] });
  }

  /** What does not depend on the moment, but for the room of the tabs. @param {Kind} [now] @param {number} [n] */
  function prepare(now = "rest", n = 1) {
    const { G, H, D, _texts } = settings;
    const words = wordsOf(_texts).words[0];
    const parts = { heads: shows(tools, "heads") && H > 1, bytes: shows(tools, "bytes") };
    const plan = planOf({
      width: Math.max(240, board.clientWidth || 340),
      slots: limits().S[1],
      H,
      D,
      words,
      ...parts,
      open: openOf(now, n, from, G, H),
    });
    picture = {
      ...{
        plan,
        looks: looksOf(root, wrong),
        state: settings,
        results,
        head: Math.min(settings.head, H - 1),
        words,
        ...{ parts, other, pointed },
      },
    };
  }

  /** Whether the head that is drawn reads another key/value head than its own. */
  const isOther = () => settings.overwrite === "nothing" && results.shared[picture.head] > TOLERANCE;

  /** @param {Kind} now @param {number} n */
  function paintAt(now, n) {
    if (now === "share") prepare(now, n);
    paint(
      canvas,
      picture,
      sceneOf(picture.plan, settings, results, {
        head: picture.head,
        kind: now,
        n,
        from,
        untouched,
        before: earlier,
        since,
        again,
        separate: isOther() ? separate : null,
      }),
    );
    if (n < 1) return;
    kind = "rest";
    place.meanwhile("");
  }

  function repaint() {
    prepare(kind, moves[kind].passed());
    paintAt(kind, kind === "rest" ? 1 : moves[kind].passed());
  }

  /** @param {Kind} how */
  function play(how) {
    for (const one of Object.values(moves)) one.stop();
    kind = how;
    if (how === "arrive" && hasArrived) moves.arrive = quick;
    hasArrived ||= how === "arrive";
    place.meanwhile(movingSentence(how, settings, since));
    if (how === "rest") paintAt("rest", 1);
    else moves[how].start();
  }

  function tell() {
    const verdict = comparison(settings, results);
    const judged = element("b", { class: verdict.kind }, verdict.text);
    const isChanged = settings.overwrite !== "nothing";
    const [result, rest] = isChanged ? overwriteEffect(settings, results) : callSentence(settings, results, picture.head);
    place.tell(result && element("b", {}, result), rest, ...(isChanged ? [] : [" ", judged, pointer(settings)]));
    const { head, H, layer } = { ...settings, head: picture.head };
    const numbers = results.trained ? "trained" : "random numbers";
    const all = H > 1 ? ` (of ${range(H).join(", ")})` : "";
    const which = layer > 1 ? "second" : "first";
    const more =
      isChanged && H > 1 ? "Change of a row: its largest difference, in any head." : "Tap a row of q, k or v to change it.";
    setText(source, `Drawn: head ${head}${all}, ${which} of two layers, ${numbers}. ${more}`);
    canvas.setAttribute("aria-label", KEYS);
  }

  /** @param {Settings} now */
  function updateControls(now) {
    moved.update(now);
    place.update();
  }

  /** @param {Settings | undefined} before @returns {Kind} the move that shows what has changed */
  function moveSince(before) {
    if (!before) return "rest";
    const changed = Object.keys(settings).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(settings[key]));
    const only = (/** @type {string[]} */ ...some) => changed.length > 0 && changed.every((key) => some.includes(key));
    if (settings.overwrite !== "nothing" && only("overwrite", "at", "S") && !only("S")) return "overwrite";
    if (only("G")) return "share";
    return only("S", "at") && settings.S === before.S + 1 && settings.overwrite === "nothing" ? "arrive" : "rest";
  }

  /** @param {Settings} newSettings @param {import("./model.js").Results | null} newResults */
  function draw(newSettings, newResults) {
    updateControls(newSettings);
    if (!newResults) return;
    const before = settings;
    const isSame = results === newResults && JSON.stringify(before) === JSON.stringify(newSettings);
    [settings, results] = [newSettings, newResults];
    if (!isSame) separate = settings.G < settings.H ? compute({ ...settings, G: settings.H, overwrite: "nothing" }) : null;
    if (!isSame) untouched = settings.overwrite === "nothing" ? undefined : compute({ ...settings, overwrite: "nothing" });
    const another = settings.overwrite === "q" ? "k" : "q";
    if (!isSame && untouched)
      other = tried.has(another) ? rowsThatDiffer(compute({ ...settings, overwrite: another }).moved).length : null;
    tried.add(settings.overwrite);
    prepare();
    tell();
    counts.draw(settings, results.costs);
    if (isSame && !awaited) return repaint(); // another theme, or another width
    from = before && before.H === settings.H && before.G !== settings.G ? before.G : settings.H;
    const how = awaited ?? moveSince(before);
    awaited = null;
    earlier = how === "share" ? compute({ ...settings, G: from }) : undefined;
    again = before !== undefined && before.overwrite !== "nothing" && before.S >= settings.S;
    since = before && how === "overwrite" ? Math.min(before.S, settings.S) : settings.S;
    play(how);
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    pointed = null;
    const overwrites = changes.overwrite && changes.overwrite !== "nothing";
    const wanted = overwrites ? "overwrite" : "G" in changes ? "share" : changes.S > get("P") ? "arrive" : null;
    if (!wanted || !results) return;
    awaited = wanted;
    const isDrawn = Object.keys(settings).every((key) => JSON.stringify(settings[key]) === JSON.stringify(get(key)));
    if (isDrawn) draw(settings, results);
  }

  /**
   * A chip that only lets words arrive brings one word with each press; the last word arrives again.
   *
   * @param {Record<string, any>} changes
   */
  function press(changes) {
    const isNext = changes.S > get("P") && changes.overwrite === "nothing" && !("G" in changes);
    tools.perform(isNext ? { ...changes, S: Math.min(get("S") + 1, changes.S) } : changes);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "CacheLab: what a step of generation keeps, and what nothing reads again",
  compute,
  build,
});
