// RopeLab: each pair of channels is a clock with a hand of q and a hand of k, and their score depends on the distance alone.

import { penFor } from "../kit/canvas.js";
import { choice, element, letter, slider, toggle, unique } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { pointing } from "../kit/pointing.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { paintCurve } from "./curve.js";
import { clockAt, planOf } from "./layout.js";
import { looksOf } from "./looks.js";
import { marksWith } from "./marks.js";
import { compute } from "./model.js";
import { paintClocks, paintPositions } from "./paint.js";
import { momentOf, scoreOf, stateOf } from "./scene.js";
import { explanation, movingSentence, sentence } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./scene.js").State} State */

const NARROW = 480; // pixels
const KEYS = "Arrow keys choose a clock, Escape none.";

/** @type {[string, string][]} */
const TURNS = [
  ["both", "q and k"],
  ["q", "q alone"],
  ["none", "neither"],
];
const CLOCKS = /** @type {const} */ (["D", "base", "equal", "seed"]); // the settings that make the clocks and their hands
const BASES = [100, 10_000, 500_000];

/** The parts of a text in which axis letters have their colours. @param {string} text */
const coloured = (text) => text.split(/\{([A-Z])\}/).map((part, n) => (n % 2 ? letter(part) : part));

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;
  const name = unique("rope");
  /** @type {{ settings: Settings, results: Results, state: State } | null} what is drawn, or towards which the picture moves */
  let current = null;
  /** @type {State | null} where the move comes from */
  let before = null;
  /** @type {{ query: number, key: number } | null} the positions from which an experiment that is not drawn yet moves */
  let begins = null;
  /** @type {import("./looks.js").Looks} */
  let looks;
  /** @type {import("./layout.js").Plan} */
  let plan;
  let width = 0;

  const query = slider(null, "query at", (n) => set({ query: marks(get("query"))[n] }));
  const key = slider(null, "key at", (n) => set({ key: marks(get("key"))[n] }));
  const both = slider(null, "move both", (n) => moveBoth(marksOfBoth()[n]));
  const D = slider("D", "numbers per head", (pairs) => set({ D: 2 * pairs }));
  const turn = choice(`${name}-turn`, "turn", TURNS, (value) => set({ turn: value }));
  /** @type {[number, string][]} */
  const bases = BASES.map((base) => [base, integer(base)]);
  const base = choice(`${name}-base`, "base of the speeds", bases, (value) => set({ base: value }));
  const equal = toggle("the key equals the query", (on) => set({ equal: on }));
  const reseed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10_000 }) }, "new numbers");

  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "picture of clocks" });
  const clocks = element("div", { class: "clocks" }, canvas);
  const about = element("p", { class: "about" });
  const curveCanvas = element("canvas", { role: "img" });
  const curve = element("div", { class: "curve", hidden: !shows(tools, "curve") }, curveCanvas);
  const place = stage(tools, {
    picture: [clocks, about, curve],
    controls: { query: query.node, key: key.node, both: both.node },
    more: { D: D.node, turn: turn.node, base: base.node, equal: equal.node, seed: reseed },
    below: true,
  });
  place.node.classList.add("rope-lab");
  const moving = transition(root, paint, 1600);

  pointing(canvas, {
    placeAt(x, y) {
      const n = plan && clockAt(plan, x, y);
      return n == null ? null : [0, 0, 0, n];
    },
    extent: () => (current ? { sizes: [1, 1, 1, get("D") / 2], first: [0, 0, 0, 0] } : null),
    pinned: () => (get("clock") === null ? null : [0, 0, 0, Math.min(get("clock"), get("D") / 2 - 1)]),
    onPoint(at, kept, how) {
      canvas.classList.toggle("pointing", at !== null);
      if (!kept || !current) return;
      set({ clock: how === "click" && (at === null || at[3] === get("clock")) ? null : (at?.[3] ?? null) });
      if (how === "key" && at) say(explanation({ ...current.settings, clock: at[3] }, current.results).replace(/[{}]/g, ""));
    },
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && get("clock") !== null) set({ clock: null });
  });

  const marks = (/** @type {number} */ now) => marksWith(now, limits().query[1]);
  const lower = () => Math.min(get("query"), get("key"));
  const marksOfBoth = () => marksWith(lower(), limits().query[1] - Math.abs(get("query") - get("key")));

  /** @param {number} to the position of the first of the two tokens */
  function moveBoth(to) {
    const by = to - lower();
    set({ query: get("query") + by, key: get("key") + by });
  }

  /** How far both have moved together. @param {Settings} settings */
  function movedBoth({ query, key }) {
    const ways = [query - tools.initial("query"), key - tools.initial("key")];
    const by = ways[0] * ways[1] > 0 ? Math.sign(ways[0]) * Math.min(...ways.map(Math.abs)) : 0;
    return by > 0 ? `+${integer(by)}` : integer(by).replace("-", "−");
  }

  function measure() {
    looks = looksOf(root);
    width = Math.max(240, Math.floor(clocks.getBoundingClientRect().width || 340));
    plan = planOf({ width, count: get("D") / 2, positions: shows(tools, "positions") });
  }

  /** The curve has the room that clocks leave which are smaller or, on a phone, are not there, so that nothing below it moves. */
  function curveHeight() {
    const [least, count] = width < NARROW ? [86, limits().D[1] / 2] : [146, 1];
    return least + planOf({ width, count, positions: shows(tools, "positions") }).height - plan.height;
  }

  /** @param {number} t how much of the move has passed */
  function paint(t) {
    if (!current) return;
    if (t >= 1) place.meanwhile("");
    const { settings, results, state } = current;
    const moment = momentOf(before, state, t);
    const all = state.clocks.flatMap(({ q, k }) => [q.length, k.length]);
    const most = Math.max(...state.clocks.map(({ q, k }) => q.length * k.length));
    const chosen = settings.clock;
    const pen = penFor(canvas, width, plan.height);
    if (plan.strip) paintPositions(pen, plan, moment, looks);
    const drawn = { faces: moment.faces, speeds: results.speeds, longest: Math.max(...all), most, chosen };
    paintClocks(pen, plan, drawn, looks);
    if (curve.hidden) return;
    const height = curveHeight();
    const { query, key, turn } = settings;
    const distance = moment.query - moment.key;
    const at = { clocks: state.clocks, turn, key, distance, target: query - key, score: scoreOf(moment.faces), chosen };
    paintCurve(penFor(curveCanvas, width, height), width, height, at, looks);
  }

  function tell() {
    if (!current) return;
    const { settings, results } = current;
    about.replaceChildren(...coloured(explanation(settings, results)));
    const start = { query: tools.initial("query"), key: tools.initial("key") };
    const wasShown = CLOCKS.every((one) => settings[one] === tools.initial(one));
    place.tell(...coloured(sentence(settings, results, start, wasShown)));
    const terms = Array.from(results.terms, (term) => term.toFixed(2)).join(" + ");
    canvas.setAttribute("aria-label", `${results.terms.length} clocks; their terms are ${terms}. ${KEYS}`);
    const of = settings.turn === "q" ? `with the key at ${settings.key}` : "wherever the key stands";
    curveCanvas.setAttribute(
      "aria-label",
      `The score at every distance, ${of}; at distance ${settings.query - settings.key} it is ${results.score.toFixed(2)}.`,
    );
  }

  /** @param {Settings} settings */
  function drawControls(settings) {
    /** @param {ReturnType<typeof slider>} one @param {number} at @param {number[]} all @param {string} [text] */
    const update = (one, at, all, text = integer(at)) => one.update(all.indexOf(at), [0, all.length - 1], text, ["+4,096"]);
    update(query, settings.query, marks(settings.query));
    update(key, settings.key, marks(settings.key));
    update(both, lower(), marksOfBoth(), movedBoth(settings));
    D.update(settings.D / 2, [limits().D[0] / 2, limits().D[1] / 2], String(settings.D), [String(limits().D[1])]);
    turn.update(settings.turn);
    base.update(settings.base);
    equal.update(settings.equal);
    place.update();
  }

  /** @param {Settings} settings @param {Results | null} results */
  function draw(settings, results) {
    measure();
    drawControls(settings);
    if (!results) return;
    const last = current;
    current = { settings, results, state: stateOf(settings, results) };
    tell();
    if (!last) return paint(1);
    const { clock: _, ...of } = settings;
    const { clock: __, ...was } = last.settings;
    if (JSON.stringify(of) === JSON.stringify(was)) return paint(moving.passed()); // another clock, theme or width
    const from = begins;
    begins = null;
    start(from ? { ...last.state, settings: { ...last.settings, ...from } } : last.state);
  }

  /** @param {State} from */
  function start(from) {
    moving.stop();
    before = from;
    const { settings } = /** @type {{ settings: Settings }} */ (current);
    place.meanwhile(movingSentence(from.settings, settings));
    moving.start();
  }

  /**
   * An experiment that moves a token begins where the lab began. One that is repeated is played again: from there, or from position 0 if
   * it leaves the tokens where the lab began.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    if (!current) return;
    const { settings, state } = current;
    const first = { query: tools.initial("query"), key: tools.initial("key") };
    const moves = /** @type {const} */ (["query", "key"]).some((one) => one in changes && changes[one] !== first[one]);
    begins = moves ? first : null;
    if (Object.keys(changes).some((one) => get(one) !== settings[one])) return; // it is drawn soon
    begins = null;
    const from = moves ? first : { query: 0, key: 0 };
    start({ ...state, settings: { ...settings, ...from } });
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({
  title: "RopeLab: what positions do to a rotary score",
  compute,
  build,
});
