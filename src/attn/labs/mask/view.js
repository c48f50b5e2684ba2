// MaskLab: arcs from a query to the keys that it may see, above the mask. Paint a cell: an arc falls, and its weight flows to the others.

import { coloursOf, ramp } from "../kit/colours.js";
import { element, letter, setText, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp } from "../kit/math.js";
import { HEADS } from "../kit/reader.js";
import { shows, stage } from "../kit/stage.js";
import { wholes } from "../kit/takes.js";
import { progress, swing } from "../kit/time.js";
import { transition } from "../kit/transition.js";
import { weightBar } from "./bar.js";
import { isAlike, momentOf, reachingMask, weightsOf } from "./between.js";
import { maskBoard } from "./board.js";
import { makeControls } from "./controls.js";
import { cellText, emptyRows, nameOf, placeOf, rowUnderFills } from "./explain.js";
import { rowFates } from "./fates.js";
import { compute, FILLS } from "./model.js";
import { arcsPicture } from "./paint.js";
import { panels } from "./panels.js";
import { batchOf, intendedMask, PADDING, paddedWords, paintCell, positionOf } from "./rules.js";
import { isTrained } from "./scores.js";
import { sentenceChoice } from "./sentences.js";
import { codeOf, storyOf } from "./words.js";

/** @typedef {import("./between.js").Drawn} Drawn */

const JOBS = { who: "a verb looks for who acts", what: "a verb looks for its object", when: "a verb looks for a time" };
const PAUSE = 0.2; // the part of an experiment that shows what was there before its mask
const UNMASKED = { causal: false, window: null, padding: false, painted: [], late: false }; // before an experiment

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, say } = tools;
  const id = unique("mask");
  /** @type {Drawn | null} what is drawn, or towards which the picture moves */
  let current = null;
  /** @type {Drawn | null} where the move comes from; null: the arcs grow out of the query */
  let before = null;
  /** @type {Drawn | null} what the sentence is about */
  let told = null;
  let awaited = false; // whether an experiment starts with the next results
  /** @type {number | null} */
  let hovered = null; // the cell that is pointed at, row by row
  let brush = 0; // what a drag paints

  const controls = makeControls(id, tools);
  const board = maskBoard(onPoint, onPaint, (position) => set({ pin: [position, get("pin")[1]] }));
  const arcs = arcsPicture();
  const bar = weightBar();
  const sentences = sentenceChoice(`${id}-sentence`, batchOf({ _texts: get("_texts") }).words, (b) => set({ sentence: b }));
  const corner = element(
    "div",
    { class: "corner" },
    ...[
      ["S", "keys", "→"],
      ["L", "queries", "↓"],
    ].map(([axis, meaning, arrow]) => element("div", {}, letter(axis), element("i", {}, ` ${meaning}`), ` ${arrow}`)),
  );
  const fates = rowFates((fill) => set({ fill }));
  const code = element("code", { class: "line" });
  const hint = element("p", { class: "hint" });
  const more = panels(id, tools, onPoint);
  const picture = element(
    "div",
    { class: "mask-picture" },
    ...[corner, arcs.node, fates.node, sentences.node, board.node, ...bar.nodes],
  );
  const wanted = { arcs: shows(tools, "arcs"), mask: shows(tools, "mask"), bar: shows(tools, "bar") };
  for (const node of [corner, board.node]) node.hidden = !wanted.mask;
  sentences.node.hidden = !shows(tools, "sentences");
  const isAnyWanted = Object.values(wanted).includes(true);
  for (const node of [picture, hint]) node.hidden = !isAnyWanted;
  const place = stage(tools, {
    picture: [picture, code, ...more.nodes, hint],
    controls: controls.first,
    more: controls.more,
    below: true,
  });
  place.node.classList.add("mask-lab");
  const moving = transition(root, paint, 1300);
  /** @param {number} passed */
  const afterPause = (passed) => (passed - PAUSE) / (1 - PAUSE); // below 0 during the pause
  const performing = transition(root, (passed) => paint(afterPause(passed)), 1900);
  const now = () => (performing.passed() < 1 ? afterPause(performing.passed()) : moving.passed());
  function stop() {
    moving.stop();
    performing.stop();
  }

  /**
   * The query whose row is drawn, the newest ones being numbered 0 to L - 1.
   *
   * @param {any} state
   * @param {number} S
   */
  const queryOf = ({ L, pin }, S) => clamp(pin[0] - (S - L), 0, L - 1);

  /** @type {(n: number | null, how: import("../kit/matrix.js").Pointing) => void} */
  function onPoint(n, how) {
    hovered = how === "hover" ? n : null;
    if (how === "hover") return paint(now());
    if (n === null || !current) return;
    const { state, results, b, h } = current;
    const { S } = batchOf(state);
    const [i, j] = [Math.floor(n / S), n % S];
    set({ pin: [positionOf(i, state, S), j] });
    if (how === "key") say(cellText(state, results, [b, h, i, j]));
  }

  /**
   * A drag paints what its first cell became.
   *
   * @param {number} n
   * @param {"start" | "drag" | "key"} how
   */
  function onPaint(n, how) {
    if (!current) return;
    const { state, b } = current;
    const { S } = batchOf(state);
    const latest = { ...state, painted: get("painted") }; // during a drag, more may be painted than is drawn
    const [i, j] = [Math.floor(n / S), n % S];
    const may = intendedMask(latest)[(b * state.L + i) * S + j];
    if (how !== "drag") brush = 1 - may;
    if (how === "drag" && may === brush) return;
    set({ painted: paintCell(latest, b, i, j, brush) });
    if (how === "key") say(brush ? "may attend" : "may not attend");
  }

  /** @param {number} passed how much of the move has passed; below 0 the picture is still as before */
  function paint(passed) {
    if (!current) return;
    const [drawn, from, t] = passed < 0 && before ? [before, null, 1] : [current, before, passed];
    const { state, results, b, h } = drawn;
    const { S } = batchOf(state);
    const words = paddedWords(state)[b];
    const i = queryOf(state, S);
    const colours = coloursOf(root);
    const moment = momentOf(from, drawn, t);
    const reach = reachingMask(drawn) ?? [];
    /** @type {<Item>(table: Item[]) => Item[]} */
    const ofRow = (table) => table.slice(i * S, (i + 1) * S);
    const position = positionOf(i, state, S);
    const weights = ofRow(moment.weights);
    // The more weight, the stronger the colour of a key.
    const shade = ramp(colours.S, colours.paper);
    const shades = words.map((_, j) => shade(0.85 - 0.5 * Math.sqrt(Math.min(1, weights[j] || 0))));
    const row = { weights, may: ofRow(reach), tints: shades };
    const hasRow = row.weights.length > 0;
    const emptied = hasRow && !state.late && !row.may.includes(1) ? progress(t, 0.4, 0.7) : 0;
    const isPanelShown = more.isAnyShown(state); // in the place of arcs and bar
    fates.node.hidden = !wanted.arcs || isPanelShown || emptied < 1;
    arcs.node.toggleAttribute("hidden", !wanted.arcs || isPanelShown || !hasRow);
    for (const node of bar.nodes) node.hidden = !wanted.bar || isPanelShown || !hasRow;
    code.hidden = !isAnyWanted || isPanelShown;
    code.classList.toggle("none", !row.may.includes(0)); // nothing is hidden, so there is nothing to write
    if (!arcs.node.hasAttribute("hidden"))
      arcs.draw(
        {
          ...row,
          intended: results.keep.subarray((b * state.L + i) * S, (b * state.L + i + 1) * S),
          before: ofRow(moment.before),
          fallen: ofRow(moment.fallen),
          p: position,
          grown: from || t >= 1 ? 1 : swing(t),
          lowered: emptied,
        },
        arcs.node.clientWidth || 560,
      );
    if (!fates.node.hidden && results.weights_by_fill) {
      const rows = rowUnderFills(results.weights_by_fill, S, placeOf(state, S, [b, h, i, 0]));
      fates.draw(Object.fromEntries(FILLS.map((fill, n) => [fill, rows[n]])), state.fill);
    }
    const active = i * S + Math.min(state.pin[1], S - 1);
    if (wanted.mask)
      board.draw(drawn, { words, weights: moment.weights, i, active, hovered, tints: shades, tint: shade(0.4), isMoving: t < 1 });
    if (hasRow)
      bar.draw({ ...row, query: words[position], keys: words.map(nameOf), isEmpty: !row.may.includes(1), isMoving: t < 1 });
    sentences.draw(results.keep, state.L, S, b);
    drawHint();
    const shown = passed < 0 && before ? before : current;
    if (shown !== told) tell(shown);
  }

  /** What the pointer is at, else where the numbers come from. */
  function drawHint() {
    const { state, results, b, h } = /** @type {Drawn} */ (current);
    const { S } = batchOf(state);
    if (hovered !== null && hovered < state.L * S) {
      setText(hint, cellText(state, results, [b, h, Math.floor(hovered / S), hovered % S]));
      return;
    }
    const source = isTrained(state)
      ? `Head “${HEADS[h]}” of a layer trained without a causal mask: ${JOBS[HEADS[h]]}.`
      : "Random numbers: the trained layer has H = 3.";
    const filling = paddedWords(state)[b].includes(PADDING) ? " Rows of padding are computed and ignored." : "";
    setText(hint, source + filling);
  }

  /** @param {Drawn} drawn */
  function tell(drawn) {
    told = drawn;
    const { state, results, b, h } = drawn;
    const { S } = batchOf(state);
    const i = queryOf(state, S);
    const { kind, verdict, text } = storyOf(
      more.isChosen(state, "spellings") ? { ...state, detail: "spellings" } : state,
      results,
      b,
      h,
      i,
    );
    const others = results.expanded ? emptyRows(state, results, b, h).filter((row) => row !== i) : [];
    const seen = results.expanded?.length && !emptyRows(state, results, b, h).includes(i);
    const note =
      others.length && seen
        ? ` ⚠ ${others.length === 1 ? "The query" : "The queries"} at position ${others.map((row) => positionOf(row, state, S)).join(", ")} may see nothing.`
        : "";
    place.tell(element("b", { class: kind }, verdict), ` ${text}${note}`);
  }

  function draw(settings, results) {
    const { B, S } = batchOf(settings);
    const h = Math.min(settings.head, settings.H - 1);
    const b = Math.min(settings.sentence, B - 1);
    const words = paddedWords(settings)[b];
    const i = queryOf(settings, S);
    controls.update(settings, { b, h, words, position: positionOf(i, settings, S) });
    place.update();
    if (!results) return;
    const last = current;
    current = { state: settings, results, b, h };
    // A line that is too long breaks before a call, not in -inf.
    code.replaceChildren(
      ...codeOf(settings)
        .split(/(?=\.[a-z_]+\()/)
        .map((part) => element("span", {}, part)),
    );
    more.draw(current, i);
    const hasMoved = !last || last.results !== results || last.h !== h || last.b !== b;
    if (awaited) {
      awaited = false;
      perform();
    } else if (last && hasMoved && isAlike(last, current)) {
      stop();
      before = last;
      moving.start();
    } else if (hasMoved || JSON.stringify(last?.state) !== JSON.stringify(settings)) {
      stop();
      before = null;
      paint(1);
    } else paint(now()); // another theme, or another width
  }

  /** Play the move from the picture without a mask to the one with it. */
  function perform() {
    if (!current) return;
    const state = { ...current.state, ...UNMASKED };
    const isMasked = JSON.stringify(state) !== JSON.stringify(current.state);
    const plain = isMasked ? { ...current, state, results: compute(state) } : null;
    stop();
    before = plain && weightsOf(plain) && weightsOf(current) ? plain : null;
    (before ? performing : moving).start();
  }

  /** @param {Record<string, any>} changes */
  function startExperiment(changes) {
    const holds =
      current && Object.keys(changes).every((name) => JSON.stringify(get(name)) === JSON.stringify(current?.state[name]));
    if (holds) perform();
    else awaited = true;
  }

  return { node: place.node, draw, perform: startExperiment };
}

export const lab = makeLab({
  title: "MaskLab: which keys a query may attend to, and where the weight of the others goes",
  compute,
  takes: { pin: wholes(2) },
  build,
});
