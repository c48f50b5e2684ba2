// CodeLab: the reader types PyTorch. Beside each line stands what it makes, and the tensor of the line under the cursor is drawn large.

import { cellOf } from "../kit/cell.js";
import { element } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { copyButton } from "../kit/share.js";
import { stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { controls } from "./controls.js";
import { judgement, spokenVerdict } from "./judgement.js";
import { keep, kept } from "./keeping.js";
import { packing } from "./link.js";
import { program } from "./program.js";
import { decoded } from "./results.js";
import { withSize } from "./sizes.js";
import { aboutComparison, aboutRow, NO_TENSOR, spokenLine } from "./words.js";

/** @typedef {import("./program.js").Results} Results */
/** @typedef {import("./verdict.js").Verdict} Verdict */
/** @typedef {Results & { second: Results | null, comparison: import("./compare.js").Comparison | null, verdict: Verdict | null }} Answer */
/** @typedef {{ code: string, compare: boolean, other: string, _words: import("./analyse.js").Words }} Settings */

const MOVE = 900; // milliseconds
const NARROW = 616; // pixels: a phone, see style.css

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, say, initial } = tools;
  /** @type {Answer | null} what was sent, and what the lab draws of it */
  let sent = null;
  /** @type {Answer | null} */
  let answer = null;
  let isNew = true; // has the reader chosen nothing in this program yet?
  let isAgain = false; // an experiment was pressed: show how its tensor came to be
  let pointed = "";
  let failed = "";
  let judgedLast = ""; // the last verdict
  let isTried = false; // has another program than that of the page been checked?
  /** @type {[Settings, Answer | null] | null} what is drawn */
  let drawn = null;

  const move = transition(root, (passed) => sides.forEach((side) => side.paint(passed)), MOVE);
  const judged = judgement((mended) => set({ code: mended }));
  const sides = ["code", "other"].map((name, n) =>
    program({
      label: n ? "Python, the second version" : "Python",
      hasLess: () => Boolean(answer?.failure || answer?.verdict),
      height: () => (answer?.failure || answer?.verdict || root.clientWidth < NARROW ? 130 : 190),
      onType(typed) {
        isNew = get("compare");
        set({ [name]: typed });
      },
      onChoose: () => heard(n),
      onPoint(sentence) {
        pointed = sentence;
        tell();
      },
      start: () => move.start(),
      under: n ? [] : [judged.node],
    }),
  );
  const [own, other] = sides;
  const panel = controls({
    onSize: resize,
    onCompare: (on) => set(on && !get("other") ? { compare: on, other: get("code") } : { compare: on }),
  });
  const board = stage(tools, { picture: element("div", { class: "sides" }, own.node, other.node), controls: panel.nodes });
  board.node.classList.add("code");
  const real = "The code runs for real, in the kernel of this notebook, with all that it does to files.";
  if (get("_backend")) board.node.append(element("p", { class: "real" }, real));
  const cell = copyButton("a cell for Jupyter", () => cellOf("CodeLab", programs(), checks()), say);
  cell.button.textContent = "open in Jupyter";
  cell.button.hidden = Boolean(get("_backend"));

  /** @returns {Record<string, any>} */
  const programs = () => (get("compare") ? { code: get("code"), other: get("other") } : { code: get("code") });

  /** @returns {Record<string, any>} */
  const checks = () => ({ ...(get("check") ? { check: get("check") } : {}), ...(get("compare") ? { compare: true } : {}) });

  /**
   * @param {string} letter
   * @param {number} value
   */
  function resize(letter, value) {
    const changed = (/** @type {string} */ code) => withSize(code, letter, value, get("_words").aliases);
    set({ code: changed(get("code")), other: changed(get("other")) });
  }

  /** The reader has gone to another line. @param {number} side */
  function heard(side) {
    isNew = false;
    tell(side);
    const results = side ? answer?.second : answer;
    const line = sides[side].line;
    if (results && sides[side].chosen?.line !== line) say(spokenLine(results, line));
  }

  /** @param {number} [side] the one in which the reader has chosen */
  function tell(side = 0) {
    const found = sides[side].chosen;
    if (pointed) write(pointed);
    else if (answer?.comparison && isNew) write(...aboutComparison(answer.comparison));
    else if (found) write(...aboutRow(found.row, found.line));
    else write(answer?.failure || answer?.verdict ? "" : answer?.hint || NO_TENSOR);
  }

  /** Write a sentence, if it is another one: most keys change none, and to lay one out takes time. @param {(Node | string)[]} parts */
  function write(...parts) {
    const text = element("p", {}, ...parts).textContent;
    if (!text || text !== board.node.querySelector(".sentence")?.textContent) board.tell(...parts);
  }

  /**
   * @param {Settings} settings
   * @param {Answer | null} found
   */
  function draw(settings, found) {
    const { code, compare, other: another, _words } = settings;
    drawn = [settings, found];
    board.node.classList.toggle("comparing", compare);
    other.node.hidden = !compare;
    panel.update(code, _words.aliases, compare);
    if (found && found !== sent) [sent, answer] = [found, decoded(found)];
    const again = Boolean(found) && isAgain;
    const first = (found && answer?.comparison?.first) || null;
    const how = (/** @type {number} */ n) => ({
      again,
      marked: first?.lines[n],
      at: first && isNew ? { line: first.lines[n], name: first.name } : undefined,
    });
    own.draw(code, found && answer, how(0));
    if (compare) other.draw(another, (found && answer?.second) ?? null, how(1));
    board.update();
    if (!found) return;
    isAgain = false;
    tell();
    if (answer?.verdict && hasOtherCode(code, initial("code"))) isTried = true;
    judged.draw(answer?.verdict ?? null, code, isTried);
    const verdict = answer?.verdict ? spokenVerdict(answer.verdict) : judgedLast;
    if (judgedLast && verdict !== judgedLast) say(verdict);
    judgedLast = verdict;
    const failure = answer?.failure ?? answer?.syntax[0];
    const now = failure ? spokenLine(/** @type {Answer} */ (answer), failure.line) : "";
    if (now && now !== failed) say(now);
    failed = now;
  }

  return {
    node: board.node,
    draw,
    actions: [cell.button, cell.field],
    perform() {
      [isAgain, isNew] = [true, true];
      redraw();
    },
    restart() {
      move.finish();
      [isNew, isTried] = [true, false];
      for (const side of sides) side.restart();
      redraw();
    },
  };

  /** Draw again if no change of the settings does it. */
  function redraw() {
    if (drawn && ["code", "compare", "other"].every((name) => drawn?.[0][name] === get(name))) draw(...drawn);
  }
}

/**
 * Whether two programs differ in more than blanks and comments.
 *
 * @param {string} a
 * @param {string} b
 */
function hasOtherCode(a, b) {
  const [one, other] = [a, b].map((text) => text.replace(/#.*|\s/g, ""));
  return one !== other;
}

/**
 * CodeLab, with what runs the reader's code where there is no kernel.
 *
 * @param {((settings: any, place: import("../kit/host.js").Model) => Promise<any>) | undefined} [ask]
 */
export const makeCodeLab = (ask) => ({
  ...makeLab({ title: "CodeLab: what does each line of your code make?", ask, build }),
  links: { ...packing(["code", "other"]), keep, kept },
});

export const lab = makeCodeLab();
