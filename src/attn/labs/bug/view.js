// BugLab: one line of a layer's code is exchanged for a wrong one. The reader looks for what gives it away in what it computes, or for the
// line; then it is said, and the same table of the right line stands beside the wrong one, or below it on a phone.

import { element, letter, setText } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp, range } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { SIZES } from "../kit/reader.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { lookOf } from "./cells.js";
import { codeOf } from "./code.js";
import { controlsOf } from "./controls.js";
import { placeAt, planOf, STRIP } from "./layout.js";
import { compute, masksOf, partsOf, promptOf, sizesOf } from "./model.js";
import { paint, TURNED } from "./paint.js";
import { probeList } from "./probes.js";
import { ruleOf } from "./rules.js";
import { tabsOf } from "./tabs.js";
import { cellText, partText } from "./verdicts.js";
import { askOf, captionOf, foundAs, noteOf, sentenceOf, wordsOf } from "./words.js";

/** @typedef {import("./model.js").State & { probe: string | null, line: import("./words.js").Shown }} Settings */
/** @typedef {[probe: number, sentence: number, ...numbers: string[]]} Found */
/** @typedef {import("./layout.js").Place} Place */

const KEYS = "Arrow keys walk through a matrix, Page Up and Page Down choose it, Enter presses.";
const TURNING = "Each wrong cell is put right.";

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, say } = tools;
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
  let said = ""; // of the last guess
  let awaited = false; // whether a move begins with the next results

  const [, ...bugNames] = get("_schema").choices.bug;
  const controls = controlsOf(tools, bugNames);
  const code = codeOf(get("_lines"), get("_code"), (isWrong, start) => judge(isWrong ? "✓" : `✗ The line “${start}…” is right.`));
  code.node.hidden = !shows(tools, "lines");
  const show = element("button", { type: "button", class: "show", onclick: () => reveal() }, "show the wrong line of code");
  const canvas = element("canvas", {
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === "Enter" && guess(),
    tabindex: 0,
    role: "application",
    "aria-roledescription": "matrices of weights and of y",
  });
  const rule = element("span");
  const title = element("p", { class: "rule" }, element("b", {}, "Rule"), " ", rule);
  const board = element("div", { class: "board" }, canvas);
  let seen = 0; // the table that is drawn
  const tabs = tabsOf(see);
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
      code.node,
      show,
      tabs.node,
      title,
      board,
      hint,
      probes.node,
      ...Object.values(verdicts),
    ),
    controls: controls.nodes,
    below: true,
  });
  place.node.classList.add("bug");
  const moving = transition(root, paintAt, 2400);

  pointing(canvas, {
    placeAt: (x, y) => picture && placeAt(picture.plan, x, y),
    extent: () =>
      picture && { sizes: [1, headCount() + 1, picture.plan.rows, SIZES.E], first: [0, seen, picture.plan.rows - 1, 0] },
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
    if (!/[✓✗]/.test(verdict)) return;
    guesses.push(...guesses.splice(0).filter((one) => String(one[0]) !== place), [pointed, verdict]);
    const { weights, y } = results.moved;
    const needed = Math.min(2, (weights ?? 2) + (y ?? 2)); // one alone may be luck
    judge(verdict, guesses.filter((one) => one[1][0] === "✓").length >= needed);
  }

  /** Say what a guess is worth; a right one shows the line, and marks the chip. @param {string} verdict @param {boolean} [isEnough] */
  function judge(verdict, isEnough = true) {
    said = verdict;
    if (!hit() || !isEnough) return see(seen);
    place.node.querySelector(".chip[aria-pressed=true]")?.classList.add("tried");
    reveal();
  }

  /** Whether the last guess is right. */
  const hit = () => said[0] === "✓";

  /** The reader has looked: say which line is wrong, and what it does. */
  function reveal() {
    pointed = null;
    canvas.focus({ preventScroll: true });
    set({ line: "wrong" });
  }

  /** What is said of a cell, or of a guess that it is wrong. @param {Place} place @param {boolean} [isGuess] */
  const textOf = (place, isGuess) =>
    picture?.plan.isOfParts && picture.parts
      ? partText(settings, picture.parts, place, settings.line, isGuess)
      : results
        ? cellText(settings, results, place, settings.line, isGuess)
        : "";

  /** The first table that gives the line of code away. @param {Settings} now @param {import("./model.js").Results} found */
  const firstOf = (now, found) => range(sizesOf(now.given).H + 1).find((one) => captionOf(now, found, one).kind === "bad") ?? 0;

  const headCount = () => sizesOf(settings.given).H;

  /** The columns of the weights. */
  const columnsOf = () => Math.max(wordsOf(settings).keys.length, results?.shapes.weights?.[2] ?? 0);

  /** Draw another table. @param {number} table */
  function see(table) {
    if (table !== seen) said = ""; // it was of a cell that is no longer drawn
    seen = table;
    if (pointed?.[1] !== table) pointed = null;
    if (results) draw(settings, results);
  }

  /** @param {number} n */
  function paintAt(n) {
    if (!picture || !results) return;
    paint(canvas, { ...picture, pointed }, n);
    const isTold = !isAsked(settings);
    const isTurning = isTold && settings.bug !== "none" && !results.message && n < TURNED;
    const { text: mark, kind } = captionOf(settings, results, seen);
    place.meanwhile(isTurning && !hit() && mark === "✗" ? TURNING : ""); // the verdict and the probes wait for them
    place.node.classList.toggle("turning", isTurning);
    tabs.draw(settings, results, seen, isTold && !isTurning, picture.parts !== null);
    const isFramed = isTold && !isTurning && kind === "bad";
    title.classList.toggle("dotted", !picture.plan.isY);
    const text = pointed ? textOf(pointed) : noteOf(settings, results, seen, { isFramed, masks: isTurning ? null : picture.masks });
    if (text !== hint.textContent)
      hint.replaceChildren(...text.split(/\b([LS])\b/).map((part, n) => (n % 2 ? letter(part) : part)));
  }

  /** What the probes say of the bug, by their names. @param {Settings} settings */
  const evidenceFor = ({ bug }) => {
    /** @type {Found[]} */
    const found = get("_found")[bugNames.indexOf(bug)] ?? [];
    return Object.fromEntries(
      found.map(([probe, said, ...numbers]) => [names[probe], get("_evidence")[said].replace(/#/g, () => numbers.shift() ?? "")]),
    );
  };

  function tell() {
    if (!results) return;
    const { kind, verdict, text } = sentenceOf(settings, results);
    const isUnknown = isAsked(settings);
    place.node.classList.toggle("unsaid", isUnknown);
    code.draw(get("_bugs")[bugNames.indexOf(settings.bug)], isUnknown);
    const wanted = ruleOf(settings, results, seen);
    setText(rule, wanted);
    const evidence = probes.draw(settings.probe, evidenceFor(settings));
    if (isUnknown) {
      const { verdict, text } = askOf(settings, results, seen, said !== "");
      const guess = said && element(verdict ? "span" : "b", { class: hit() ? "good" : "bad" }, `${said} `);
      const next = hit() ? "One may be luck: press another." : text;
      place.tell(guess, verdict && element("b", { class: "luck" }, `${verdict} `), next);
      canvas.setAttribute("aria-label", `${wanted} ${verdict} ${text} ${KEYS}`);
      return;
    }
    const told = hit() ? foundAs(verdict) : verdict;
    place.tell(element("b", { class: hit() ? "good" : kind }, told), ` ${text}`);
    canvas.setAttribute("aria-label", `${told} ${text} ${evidence}. ${KEYS}`);
  }

  /** @param {Settings} now @param {import("./model.js").Results | null} found */
  function draw(now, found) {
    const isUnknown = isAsked(now);
    controls.draw(now, isUnknown);
    place.update();
    if (!found) return;
    const before = settings;
    const isOther = results !== found;
    [settings, results] = [now, found];
    const isRevealed = before?.line === "unknown" && now.line === "wrong"; // what the reader looks at may be right
    const isBegun = isOther || (isUnknown && before.line !== "unknown");
    if (isBegun) forget();
    const isSame = !awaited && before?.bug === now.bug && before.given === now.given; // other words move no one to another table
    if ((isBegun && !isSame) || (isRevealed && captionOf(now, found, seen).kind === "good")) seen = firstOf(now, found);
    const { all, keys } = wordsOf(settings);
    const isAlone = isUnknown || now.bug === "none";
    place.node.classList.toggle("apart", !isAlone);
    const isBeside = !isAlone && tabs.node.offsetLeft > code.node.offsetLeft;
    const width = Math.max(260, board.clientWidth || 340);
    const parts = partsOf(settings);
    const masks = isAlone || seen === headCount() ? null : masksOf(settings);
    const size = { width, rows: all.length, columns: columnsOf(), words: keys, H: headCount(), E: SIZES.E };
    const plan = planOf({ ...size, seen, isOfParts: parts !== null, isAlone, isBeside, strip: masks?.isRow ? STRIP : 0 });
    picture = {
      plan,
      state: settings,
      results,
      line: isUnknown ? "unknown" : "wrong",
      colours: lookOf(root, verdicts),
      pointed,
      guesses,
      prompt: promptOf(settings),
      masks,
      parts,
    };
    if (pointed && (pointed[1] !== seen || pointed[2] >= plan.rows || pointed[3] >= plan.columns)) pointed = null;
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
    awaited = true;
    const rest = { probe: null, line: "unknown", ...changes };
    const names = /** @type {(keyof Settings)[]} */ (Object.keys(rest));
    const holds = results && names.every((name) => rest[name] === settings[name]);
    set(rest);
    if (holds) restart();
  }

  function forget() {
    pointed = null;
    guesses.length = 0;
    code.forget();
    said = "";
  }

  /** Reset undoes guesses and tabs, too. */
  function restart() {
    if (!results) return;
    forget();
    see(firstOf(settings, results));
  }

  return { node: place.node, draw, perform, restart };
}

export const lab = makeLab({ title: "BugLab: one wrong line of code, what it changes, and which probes find it", compute, build });
