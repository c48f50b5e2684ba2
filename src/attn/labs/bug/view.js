// BugLab: one line of a layer's code is exchanged for a wrong one. The reader looks for what gives it away in what it computes; then the line is
// said, and the same table of the right line stands beside it.

import { element, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp, range } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { SIZES } from "../kit/reader.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { lookOf } from "./cells.js";
import { placeAt, planOf } from "./layout.js";
import { compute, GIVEN, GROUPED, partsOf, promptOf, sizesOf } from "./model.js";
import { paint, TURNED } from "./paint.js";
import { probeList } from "./probes.js";
import { cellText, partText } from "./verdicts.js";
import {
  askOf,
  CELLS,
  captionOf,
  framedText,
  hasNoRule,
  headOf,
  isOfY,
  NAMES,
  NOTES,
  OF_Y,
  PARTS,
  RULES,
  sentenceOf,
  wordsOf,
} from "./words.js";

/** @typedef {[name: string, step: string, before: string, right: string, wrong: string, after: string]} Line */
/** @typedef {import("./model.js").State & { probe: string | null, line: import("./words.js").Shown }} Settings */
/** @typedef {[line: number, start: number, end: number, wrong: string]} Told what is wrong in a line, and where */
/** @typedef {[probe: number, sentence: number, ...numbers: string[]]} Found */
/** @typedef {import("./layout.js").Place} Place */

const KEYS = "Arrow keys walk through a matrix, Page Up and Page Down choose it, Enter presses.";
const TURNING = "A cell turns over if the right number is another.";
const FLYING = "The same parts go where the right line of code writes them.";
const AXES = "Each row shows how much a word attends to the words above: its weights.";
const BLANK = "\u00a0".repeat(9); // as long whatever is hidden

/**
 * A list from which one is chosen.
 *
 * @param {string} title
 * @param {HTMLElement[]} options
 * @param {(value: any) => void} onChange
 */
function menu(title, options, onChange) {
  const select = element("select", { id: unique("bug"), onchange: () => onChange(select.value) }, ...options);
  const node = element("div", { class: "bug-choice" }, element("label", { for: select.id }, title), select);
  return { node, select };
}

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, limits, get, set, say } = tools;
  /** @type {import("./paint.js").Picture | null} */
  let picture = null;
  /** @type {Settings} */
  let settings;
  /** @type {import("./model.js").Results | null} */
  let results = null;
  /** @type {Place | null} */
  let pointed = null;
  /** @type {import("./paint.js").Guess[]} */
  const guesses = [];
  let awaited = false; // whether a move begins with the next results

  const [, ...bugNames] = get("_schema").choices.bug;
  /** @type {Line[]} */
  const bugs = get("_bugs").map((/** @type {Told} */ [line, start, end, wrong], /** @type {number} */ n) => {
    const [step, text] = get("_lines")[line];
    return [bugNames[n], step, text.slice(0, start), text.slice(start, end), wrong, text.slice(end)];
  });
  const steps = [...new Set(bugs.map(([, step]) => step))].map((step) =>
    element(
      "optgroup",
      { label: step },
      ...bugs.filter((bug) => bug[1] === step).map(([name]) => element("option", { value: name }, name)),
    ),
  );
  const none = element("option", { value: "none" }, "none: all are right");
  const first = element("option", { value: "unknown" }, "hidden: look first");
  const wrongLine = menu("wrong line of code", [first, none, ...steps], (bug) =>
    set(bug === "unknown" ? { line: bug, probe: null } : { bug, probe: null, line: "wrong" }),
  );
  const inputs = GIVEN.map((one) => element("option", { value: one }, NAMES[one]));
  const given = menu("input", inputs, (value) => set({ given: value }));
  const words = slider(null, "words", (L) => set({ L }));

  const codes = { right: element("code"), wrong: element("code") };
  const lines = Object.entries(codes).map(([kind, code]) =>
    element("p", { class: `line ${kind}`, hidden: !shows(tools, "lines") }, element("b", {}, kind), code),
  );
  const show = element("button", { type: "button", class: "show", onclick: () => reveal() }, "show the wrong line of code");
  const canvas = element("canvas", {
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === "Enter" && guess(),
    tabindex: 0,
    role: "application",
    "aria-roledescription": "matrices of weights and of y",
  });
  const rule = element("span");
  const riddle = element("p", { class: "rule" }, element("b", {}, "Rule"), " ", rule); // where the table of the right line will be
  const board = element("div", { class: "board" }, canvas);
  let seen = 0; // the table that is drawn
  const tabs = range(GROUPED.H + 1).map((table) => {
    const [name, told] = [element("b"), element("span")];
    return { node: element("button", { type: "button", onclick: () => see(table) }, name, told), name, told };
  });
  const tabBar = element(
    "div",
    { class: "bug-tabs", role: "group", "aria-label": "tables", onkeydown: turn },
    ...tabs.map(({ node }) => node),
  );
  /** @type {string[]} */
  const names = get("_probes");
  const probes = probeList(names, (probe) => set({ probe }));
  probes.node.hidden = !shows(tools, "probes");
  const hint = element("p", { class: "hint" });
  const kinds = /** @type {const} */ (["good", "bad", "luck"]);
  const verdicts = Object.fromEntries(kinds.map((kind) => [kind, element("i", { class: kind, hidden: true })]));
  const place = stage(tools, {
    picture: element(
      "div",
      { class: "bug-sheet" },
      tabBar,
      riddle,
      ...lines,
      board,
      hint,
      show,
      probes.node,
      ...Object.values(verdicts),
    ),
    controls: { bug: wrongLine.node, given: given.node, L: words.node },
    below: true,
  });
  place.node.classList.add("bug-lab");
  const moving = transition(root, paintAt, 2400);

  pointing(canvas, {
    placeAt: (x, y) => picture && placeAt(picture.plan, x, y),
    extent: () => picture && { sizes: [1, headCount() + 1, picture.plan.rows, SIZES.E], first: [0, 0, picture.plan.rows - 1, 0] },
    pinned: () => pointed,
    onPoint(to, _kept, how) {
      if (!picture) return;
      pointed = to && [
        0,
        to[1],
        to[2],
        clamp(to[3], 0, (to[1] < headCount() ? columnsOf() : picture.parts ? headCount() : SIZES.E) - 1),
      ];
      if (how === "click") guess();
      if (how === "key" && pointed) say(textOf(pointed));
      if (pointed && pointed[1] !== seen) return see(pointed[1]);
      paintAt(moving.passed());
    },
  });

  /** Whether the reader looks for wrong numbers. @param {Settings} of */
  const isAsked = ({ line, bug }) => line === "unknown" && bug !== "none";

  /** The reader takes a number for wrong: say whether it is. */
  function guess() {
    if (!pointed || !results || !isAsked(settings)) return;
    const [place, verdict] = [String(pointed), textOf(pointed, true)];
    if (/[✓✗]/.test(verdict)) guesses.push(...guesses.splice(0).filter((one) => String(one[0]) !== place), [pointed, verdict]);
    const { weights, y } = results.moved;
    const needed = Math.min(2, (weights ?? 2) + (y ?? 2)); // one alone may be luck
    if (hit() && guesses.filter((one) => one[1][0] === "✓").length >= needed) reveal();
    else see(seen);
  }

  /** What is said of the last guess, if it is right. */
  const hit = () => guesses.at(-1)?.[1].match(/^✓.*/)?.[0];

  /** The reader has looked: say which line is wrong, and what it does. */
  function reveal() {
    pointed = null;
    if (document.activeElement === show) canvas.focus();
    set({ line: "wrong" });
  }

  /** What is said of a cell, or of a guess that it is wrong. @param {Place} place @param {boolean} [isGuess] */
  const textOf = (place, isGuess) =>
    picture?.plan.isOfParts && picture.parts
      ? partText(settings, picture.parts, place, settings.line, isGuess)
      : results
        ? cellText(settings, results, place, settings.line, isGuess)
        : "";

  /** Begin without guesses, with the first table that gives the line of code away. @param {Settings} now @param {import("./model.js").Results} found */
  function begin(now, found) {
    guesses.length = 0;
    return range(sizesOf(now.given).H + 1).find((one) => captionOf(now, found, one).kind === "bad") ?? 0;
  }

  const headCount = () => sizesOf(settings.given).H;

  /** The columns of the weights. */
  const columnsOf = () => Math.max(wordsOf(settings).keys.length, results?.shapes.weights?.[2] ?? 0);

  /** Draw another table. @param {number} table */
  function see(table) {
    seen = table;
    if (pointed?.[1] !== table) pointed = null;
    if (results) draw(settings, results);
  }

  /** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
  function turn({ key }) {
    const step = { ArrowRight: 1, ArrowLeft: headCount() }[key];
    if (!step) return;
    see((seen + step) % (headCount() + 1));
    tabs[seen].node.focus();
  }

  /** What the tabs say of each table. @param {boolean} isTold */
  function drawTabs(isTold) {
    if (!results) return;
    for (const [table, { node, name, told }] of tabs.entries()) {
      node.hidden = table > headCount();
      if (node.hidden) continue;
      const isY = isOfY(settings, table);
      node.className = isY ? "y" : "H";
      setText(name, isY ? "output y" : `head ${headOf(settings, table)}`);
      const { text, kind } = captionOf(settings, results, table);
      node.setAttribute("aria-pressed", String(table === seen));
      node.tabIndex = table === seen ? 0 : -1;
      setText(told, isTold ? text : "");
      told.className = kind;
    }
  }

  /** @param {number} n */
  function paintAt(n) {
    if (!picture || !results) return;
    paint(canvas, { ...picture, pointed }, n);
    const { moved, message } = results;
    const isTold = !isAsked(settings);
    const isTurning = isTold && !message && n < TURNED;
    place.meanwhile(isTurning && !hit() ? (picture.plan.isOfParts ? FLYING : TURNING) : ""); // the verdict and the probes wait for them
    place.node.classList.toggle("turning", isTurning);
    drawTabs(isTold && !isTurning);
    const isFramed = isTold && !isTurning && !message && (moved.weights !== 0 || moved.y !== 0);
    const hasNote = settings.given === "new" ? picture.prompt : !picture.plan.isOfParts;
    const note = (hasNote && NOTES[settings.given]) || "";
    const axes = picture.plan.isOfParts ? CELLS : picture.plan.isY || note ? "" : AXES;
    const told = isFramed ? framedText(settings, results, seen, picture.parts) : axes;
    setText(hint, pointed ? textOf(pointed) : `${told} ${note}`.trim());
  }

  /** The lines of code, with what is exchanged in them. */
  function drawLines() {
    const line = bugs.find(([name]) => name === settings.bug);
    const [before, right, wrong, after] = line ? line.slice(2) : ["", "every line", "none", ""];
    for (const [kind, part] of Object.entries({ right, wrong })) {
      const isBlank = kind === "wrong" && isAsked(settings);
      const parts = isBlank ? [element("mark", {}, BLANK)] : [line ? element("mark", {}, part) : part, after];
      codes[/** @type {"right" | "wrong"} */ (kind)].replaceChildren(before, ...parts);
    }
  }

  /** What the probes say of the bug, by their names. @param {Settings} settings */
  const evidenceFor = ({ bug }) => {
    /** @type {Found[]} */
    const found = get("_found")[bugNames.indexOf(bug)] ?? [];
    return Object.fromEntries(
      found.map(([probe, said, ...numbers]) => [names[probe], get("_evidence")[said].replace(/#/g, () => numbers.shift() ?? "")]),
    );
  };

  /** What a right layer does. */
  function ruleNow() {
    if (picture?.plan.isOfParts) return PARTS;
    return results && hasNoRule(settings, results, seen) ? OF_Y : RULES[settings.given];
  }

  function tell() {
    if (!results) return;
    const { kind, verdict, text } = sentenceOf(settings, results);
    const isUnknown = isAsked(settings);
    place.node.classList.toggle("unsaid", isUnknown);
    const evidence = probes.draw(settings.probe, evidenceFor(settings));
    if (isUnknown) {
      setText(rule, ruleNow());
      const { verdict, text } = askOf(settings, results, seen);
      const last = guesses.at(-1)?.[1];
      const kind = last?.[0] === "✓" ? "good" : "bad";
      const isDone = captionOf(settings, results, seen).kind === "good";
      const next =
        last?.[0] === "✓" ? "One may be luck: press another." : isDone ? "All of this table is right: choose another table." : text;
      if (verdict) place.tell(...(last ? [`${last} `] : []), element("b", { class: "luck" }, verdict), ` ${text}`);
      else place.tell(...(last ? [element("b", { class: kind }, last), ` ${next}`] : [text]));
      canvas.setAttribute("aria-label", `${ruleNow()} ${verdict} ${text} ${KEYS}`);
      return;
    }
    const guess = hit();
    place.tell(
      ...(guess
        ? [element("b", { class: "good" }, guess), verdict.slice(1)]
        : [element("b", { class: kind }, verdict), ` ${text}`]),
    );
    canvas.setAttribute("aria-label", `${verdict} ${text} ${evidence}. ${KEYS}`);
  }

  /** @param {Settings} now @param {import("./model.js").Results | null} found */
  function draw(now, found) {
    const isUnknown = isAsked(now);
    wrongLine.select.value = isUnknown ? "unknown" : now.bug;
    given.select.value = now.given;
    words.update(now.L, limits().L);
    place.update();
    if (!found) return;
    const before = settings;
    const isOther = results !== found;
    [settings, results] = [now, found];
    const isRevealed = before?.line === "unknown" && now.line === "wrong"; // what the reader looks at may be right
    const isBegun = isOther || (isUnknown && before.line !== "unknown");
    if (isBegun || (isRevealed && captionOf(now, found, seen).kind === "good")) seen = begin(now, found);
    const { all, keys } = wordsOf(settings);
    const width = Math.max(260, board.clientWidth || 340);
    const parts = partsOf(settings);
    const size = { width, rows: all.length, columns: columnsOf() };
    const plan = planOf({ ...size, words: keys, H: headCount(), E: SIZES.E, seen, isOfParts: parts !== null, isAlone: isUnknown });
    picture = {
      plan,
      state: settings,
      results,
      line: isUnknown ? "unknown" : "wrong",
      colours: lookOf(root, verdicts),
      pointed,
      guesses,
      prompt: promptOf(settings),
      parts,
    };
    if (pointed && (pointed[1] !== seen || pointed[2] >= plan.rows || pointed[3] >= plan.columns)) pointed = null;
    drawLines();
    tell();
    const isExchanged = before && (before.line !== settings.line || (isOther && before.bug !== settings.bug));
    if (awaited || (isExchanged && !isUnknown)) {
      awaited = false;
      moving.stop();
      moving.start();
    } else {
      if (isOther || isUnknown) moving.stop();
      paintAt(moving.passed());
    }
  }

  /** An experiment begins with a line that is not known, also if its settings hold already. @param {Record<string, any>} changes */
  function perform(changes) {
    pointed = null;
    awaited = true;
    const rest = { probe: null, line: "unknown", ...changes };
    const names = /** @type {(keyof Settings)[]} */ (Object.keys(rest));
    const holds = results && names.every((name) => rest[name] === settings[name]);
    set(rest);
    if (holds) restart();
  }

  /** Reset undoes tabs, too. */
  const restart = () => results && see(begin(settings, results));

  return { node: place.node, draw, perform, restart };
}

export const lab = makeLab({ title: "BugLab: one wrong line of code, what it changes, and which probes find it", compute, build });
