// BugLab: choose a wrong line and what the layer is given, and see which numbers turn over, and which probes see it.

import { coloursOf } from "../kit/colours.js";
import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { clamp } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { SIZES } from "../kit/reader.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { columnsOf, placeAt, planOf } from "./layout.js";
import { compute, GIVEN } from "./model.js";
import { paint } from "./paint.js";
import { probeList } from "./probes.js";
import { cellText, factsOf, NAMES, sentenceOf, sizesOf, wordsOf } from "./words.js";

/** @typedef {[name: string, step: string, chapter: number, before: string, right: string, wrong: string, after: string]} Line */
/** @typedef {import("./model.js").State & { probe: string | null, _bugs: Line[], _found: Record<string, import("./words.js").Evidence> }} Settings */
/** @typedef {import("./layout.js").Place} Place */

const KEYS = "Arrow keys walk through a table, Page Up and Page Down choose it, Home and End go to the right and the wrong line.";
const HINT = "A dot marks a number that is not the right line’s. Point at a cell for its two numbers.";

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
  let awaited = false; // whether a move begins with the next results

  /** @type {Line[]} */
  const bugs = get("_bugs");
  const select = element(
    "select",
    { onchange: () => set({ bug: select.value, probe: null }) },
    element("option", { value: "none" }, "none: the right line"),
    ...[...new Set(bugs.map(([, step]) => step))].map((step) =>
      element(
        "optgroup",
        { label: step },
        ...bugs.filter((bug) => bug[1] === step).map(([name]) => element("option", { value: name }, name)),
      ),
    ),
  );
  const id = unique("bug");
  select.id = id;
  const wrongLine = element("div", { class: "bug-choice" }, element("label", { for: id }, "wrong line"), select);
  const given = choice(
    unique("bug-given"),
    "given",
    GIVEN.map((one) => /** @type {const} */ ([one, NAMES[one]])),
    (value) => set({ given: value }),
  );
  const words = slider("L", "words", (L) => set({ L }));

  const lines = ["right", "wrong"].map((kind) => ({ kind, code: element("code") }));
  const listing = element(
    "div",
    { class: "bug-lines", hidden: !shows(tools, "lines") },
    ...lines.map(({ kind, code }) => element("div", { class: kind }, element("span", {}, kind), code)),
  );
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "tables of weights and of y" });
  const board = element("div", { class: "board" }, canvas);
  const facts = element("p", { class: "facts" });
  const probes = probeList(get("_probes"), (probe) => set({ probe }));
  probes.evidence.hidden = !shows(tools, "evidence");
  const hint = element("p", { class: "hint" });
  const place = stage(tools, {
    picture: [listing, board, facts, probes.evidence, hint],
    controls: { bug: wrongLine, given: given.node, L: words.node, probes: probes.node },
  });
  place.node.classList.add("bug-lab");
  const moving = transition(root, paintAt, 1700);

  pointing(canvas, {
    placeAt: (x, y) => picture && placeAt(picture.plan, SIZES, x, y),
    extent: () => {
      if (!picture) return null;
      const { plan } = picture;
      return { sizes: [plan.sizes.length, SIZES.H + 1, plan.sizes[0][0], SIZES.E], first: [0, 0, 0, 0] };
    },
    pinned: () => pointed,
    onPoint(to, _kept, how) {
      if (!picture) return;
      const { plan } = picture;
      const last = to && columnsOf(plan, to[0], to[1], SIZES) - 1;
      const rows = to && plan.sizes[to[0]][0] - 1;
      pointed = to && [to[0], to[1], clamp(to[2], 0, rows ?? 0), clamp(to[3], 0, last ?? 0)];
      if (how === "key" && pointed && results) say(cellText(settings, results, pointed));
      paintAt(moving.passed());
    },
  });

  /** @param {number} n */
  function paintAt(n) {
    if (!picture || !results) return;
    paint(canvas, { ...picture, pointed }, n);
    setText(hint, pointed ? cellText(settings, results, pointed) : HINT);
  }

  /** The lines of the code, with what is exchanged in it. */
  function drawLines() {
    const line = settings._bugs.find(([name]) => name === settings.bug);
    const [before, right, wrong, after] = line ? line.slice(3).map(String) : ["", "", "", ""];
    lines.forEach(({ code }, n) => {
      code.replaceChildren(...(line ? [before, element("mark", {}, n ? wrong : right), after] : [n ? "none" : "every line"]));
    });
  }

  function tell() {
    if (!results) return;
    const found = settings._found[settings.bug] ?? {};
    const { kind, verdict, text } = sentenceOf(settings, results, found, get("_probes").length);
    place.tell(element("b", { class: kind }, verdict), ` ${text}`);
    const evidence = probes.draw(settings.probe, found);
    facts.replaceChildren(
      ...factsOf(settings, results).map(([what, isRight]) =>
        element("span", {}, element("b", { class: isRight ? "good" : "bad" }, isRight ? "✓" : "✗"), ` ${what}`),
      ),
    );
    canvas.setAttribute("aria-label", `${text} ${evidence}. ${KEYS}`);
  }

  /** @param {Settings} now @param {import("./model.js").Results | null} found */
  function draw(now, found) {
    select.value = now.bug;
    given.update(now.given);
    words.update(now.L, limits().L);
    place.update();
    if (!found) return;
    const before = settings;
    const isOther = results !== found;
    [settings, results] = [now, found];
    const sizes = sizesOf(settings, results);
    const room = { width: Math.max(260, board.clientWidth || 340), sizes, H: SIZES.H, E: SIZES.E };
    const plan = planOf({ ...room, S: wordsOf(settings).keys.length });
    picture = { plan, state: settings, results, colours: coloursOf(root), pointed };
    const [block, table, row, column] = pointed ?? [0, 0, 0, 0];
    if (block >= sizes.length || row >= sizes[block][0] || column >= columnsOf(plan, block, table, SIZES)) pointed = null;
    drawLines();
    tell();
    const isChosen = before && isOther && before.bug !== settings.bug;
    if (awaited || isChosen) {
      awaited = false;
      moving.stop();
      moving.start();
    } else {
      if (isOther) moving.stop();
      paintAt(moving.passed());
    }
  }

  /** An experiment is played from the right line on, also if its settings hold already. @param {Record<string, any>} changes */
  function perform(changes) {
    pointed = null;
    awaited = true;
    const holds = results && Object.keys(changes).every((name) => get(name) === settings[/** @type {"bug"} */ (name)]);
    if (get("probe") !== null && !("probe" in changes)) set({ probe: null });
    if (holds) draw(settings, results);
  }

  return { node: place.node, draw, perform };
}

export const lab = makeLab({ title: "BugLab: one wrong line, what it moves, and which probes see it", compute, build });
