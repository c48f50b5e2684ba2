// HeadsLab: what each head adds to y, as rows of numbers and as arrows; and the merge that puts a word's heads side by side.

import { element, setText } from "../kit/dom.js";
import { spelled } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { pointing } from "../kit/pointing.js";
import { shows, stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { headsControls } from "./controls.js";
import { mergeOf, mergePlace } from "./layout.js";
import { compute, problem, sourceOf } from "./model.js";
import { headsPicture } from "./picture.js";
import { mergeSentence, mergingSentence, movingSentence, sumSentence, termsOf } from "./words.js";

/** @typedef {import("./model.js").State & { part: "sum" | "merge", pin: [number, number], block: number | null }} State */
/** @typedef {import("./picture.js").Drawn} Drawn */
/** @typedef {import("./picture.js").Sum} Sum */
/** @typedef {import("./scene.js").Kind | "merge"} Kind */

const DURATIONS = { sum: 4000, off: 1400, change: 900, block: 6000, merge: 3200 };
const DROPS = "Each row of W_O is multiplied by one number of the head; the products add up to what the head adds to y.";
const KEYS = {
  sum: "Left and right choose a number of y, up and down the head whose rows of W_O are shown, Page Up and Page Down the word; Space switches the head off.",
  merge: "Arrow keys walk through the pieces of concat.",
};

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, get, set, say } = tools;
  /** @type {Drawn | null} */
  let drawn = null;
  /** @type {Sum | null} */
  let now = null;
  /** @type {Sum | null} where a move comes from */
  let before = null;
  /** @type {Kind} */
  let kind = "rest";
  /** @type {Kind | null} the move to play when the next change is drawn */
  let next = null;
  /** @type {{ part: "sum" | "merge", at: number[] } | null} */
  let hovered = null;
  const moves = Object.fromEntries(Object.entries(DURATIONS).map(([one, time]) => [one, transition(root, paintAt, time)]));

  const wanted = Object.fromEntries(["sum", "arrows", "answers", "merge"].map((part) => [part, shows(tools, part)]));
  const hasSum = wanted.sum || wanted.arrows || wanted.answers;
  const picture = headsPicture(root, wanted);
  const own = headsControls(tools, chooseWord);
  own.tabs.hidden = !(hasSum && wanted.merge);
  const text = element("p", { class: "heads-text" });
  const hint = element("p", { class: "hint" });
  const top = element("div", { class: "heads-top" }, text, hint);
  let isChosen = false; // a piece of concat, by the reader
  let isRead = false; // has the reader chosen a number of y?
  const place = stage(tools, { picture: [top, ...picture.nodes], controls: own.controls, more: own.more, below: true });
  place.node.classList.add("heads");

  const partNow = () => (!hasSum ? "merge" : !wanted.merge ? "sum" : get("part"));
  // Inside the sizes as they are now, which may not be drawn yet: the word and the number of y that are chosen, and the head whose rows
  // of W_O are shown.
  const pinned = () => [Math.min(get("pin")[0], get("L") - 1), Math.min(get("pin")[1], get("E") - 1)];
  const blockNow = () => (get("block") === null ? null : Math.min(get("block"), get("H") - 1));
  /** The head whose numbers row h of the table has. @param {number} h */
  const headOf = (h) => {
    const sizes = { E: get("E"), H: get("H"), L: get("L"), merge: get("merge") };
    return sourceOf(sizes, pinned()[0], (h * sizes.E) / sizes.H)[0];
  };

  /** @param {number} i */
  function chooseWord(i) {
    isRead = false;
    set({ pin: [i, get("pin")[1]] });
  }

  /** @param {number} h */
  function switchHead(h) {
    isRead = false;
    /** @type {number[]} */
    const gone = get("off");
    set({ off: gone.includes(h) ? gone.filter((n) => n !== h) : [...gone, h].sort((a, b) => a - b) });
  }

  picture.arrows.addEventListener("click", (event) => {
    const h = picture.pointedAt(event);
    if (h !== null) switchHead(headOf(h));
  });
  picture.arrows.addEventListener("pointermove", (event) => {
    picture.arrows.style.cursor = picture.pointedAt(event) === null ? "" : "pointer";
  });
  picture.table.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const h = blockNow();
    if (h !== null) switchHead(headOf(h));
  });

  // A place in the sum is (0, word, row, column), where the row after the last head is y: no rows of W_O are shown.
  pointing(picture.table, {
    placeAt(x, y) {
      const found = picture.tableAt(x, y);
      return found && [0, pinned()[0], found.row, found.column ?? -1];
    },
    extent: () => ({ sizes: [1, get("L"), get("H") + 1, get("E")], first: [0, pinned()[0], get("H"), pinned()[1]] }),
    pinned: () => [0, pinned()[0], blockNow() ?? get("H"), pinned()[1]],
    onPoint(at, kept, how) {
      const [, i, row, e] = at ?? [0, 0, 0, -1];
      hovered = at && !kept && e >= 0 ? { part: "sum", at: [i, e] } : null;
      if (!kept || !at) return hover();
      const H = get("H");
      if (e < 0) {
        if (row < H) switchHead(headOf(row));
        return;
      }
      // A second click on a number closes it again; while rows of W_O are shown, one always is open.
      if (blockNow() === null) isRead = how !== "click" || !isRead || e !== pinned()[1];
      set(how === "click" ? { pin: [i, e] } : { pin: [i, e], block: row >= H ? null : row });
      hovered = null;
      reread();
      if (drawn && i < drawn.state.L && e < drawn.state.E) say(spoken(drawn, i, e));
    },
  });
  // A place in the merge is (0, 0, row of concat, piece).
  pointing(picture.pieces, {
    placeAt(x, y) {
      if (!drawn) return null;
      const { H, L, E } = drawn.state;
      const found = mergePlace(mergeOf({ width: picture.roomFor(), H, L, E }), { H, L }, x, y);
      return found && [0, 0, ...found];
    },
    extent: () => ({ sizes: [1, 1, get("L"), get("H")], first: [0, 0, pinned()[0], 0] }),
    pinned: () => [0, 0, pinned()[0], Math.floor((pinned()[1] * get("H")) / get("E"))],
    onPoint(at, kept) {
      hovered = at && !kept ? { part: "merge", at: [at[2], at[3]] } : null;
      isChosen ||= kept && at !== null;
      if (kept && at) set({ pin: [at[2], (at[3] * get("E")) / get("H")] });
      else hover();
    },
  });

  /** Draw and say what is read now. */
  function reread() {
    if (drawn) tell(drawn);
    hover();
  }

  /** Draw what is pointed at, unless something moves. */
  function hover() {
    if (!root.hasAttribute("data-moving")) paintAt(1);
  }

  /** @param {Drawn} what @param {number} i @param {number} e */
  function spoken({ state, results, words }, i, e) {
    const { parts, sum } = termsOf(state, results, [i, e]);
    return `y of ${words[i]}, number ${e}: ${parts.map((part) => spelled(part)).join(", ")}; the sum is ${spelled(sum)}`;
  }

  /** @param {number} t how much of the move has passed */
  function paintAt(t) {
    if (!drawn || !now) return;
    const part = partNow();
    const { H, L, E } = drawn.state;
    const [i, e] = [Math.min(pinned()[0], L - 1), Math.min(pinned()[1], E - 1)];
    const seen = hovered && hovered.part === part ? hovered.at : null;
    const at = part === "merge" ? (seen ?? [i, Math.floor((e * H) / E)]) : [i, Math.min(seen?.[1] ?? e, E - 1)];
    const block = blockNow();
    const marked = isChosen || seen !== null;
    picture.draw(drawn, {
      part,
      isOpen: isRead || block !== null || seen !== null,
      now,
      before,
      kind,
      t,
      at,
      block: block === null ? null : Math.min(block, H - 1),
      marked,
    });
    if (t < 1) return;
    kind = "rest";
    place.meanwhile("");
  }

  /** @param {Drawn} what */
  function tell(what) {
    const { state, results, words } = what;
    const [i, e] = pinned();
    const part = partNow();
    const block = blockNow();
    const told =
      part === "merge"
        ? mergeSentence(state, words, [i, Math.floor((e * state.H) / state.E)], wanted.answers ? results : null)
        : sumSentence({ ...state, block }, results, words, [i, e], wanted.answers, isRead);
    place.tell(element("b", { class: told.kind }, told.verdict), ` ${told.text.replaceAll(" %", "\u00a0%")}`);
    picture.table.setAttribute("aria-label", `${spoken(what, i, e)}. ${KEYS.sum}`);
    picture.pieces.setAttribute("aria-label", `${told.text} ${KEYS.merge}`);
    picture.arrows.setAttribute("aria-label", `${told.verdict} ${told.text}`);
  }

  /** @param {State} state @param {import("./model.js").Results | null} results */
  function draw(state, results) {
    hint.hidden = partNow() === "merge";
    setText(
      hint,
      blockNow() === null
        ? `Tap an arrow to switch that head off${state.off.length ? " or on. Dashed: with all heads." : `. ${state.E} dimensions, drawn in 2: the shares are exact.`}`
        : `Tap a bar to read it. Each row of W_O is multiplied by one number of head ${blockNow()}.`,
    );
    own.update(state, { part: partNow(), i: pinned()[0], block: blockNow() });
    place.update();
    if (!results || problem(state)) return;
    const last = drawn;
    const isSame = last?.results === results && JSON.stringify(last.state) === JSON.stringify(state);
    drawn = { state, results, words: state._texts[0].split(" ").slice(0, state.L) };
    const sum = picture.sumOf(drawn, pinned()[0]);
    if (isSame && !next) {
      now = sum; // another theme, or another width
      paintAt(kind === "rest" ? 1 : moves[kind].passed());
      return;
    }
    const asker = pinned()[0];
    text.replaceChildren(
      ...drawn.words.flatMap((word, i) => [
        i ? " " : "",
        element(i === asker ? "mark" : "span", { onclick: () => chooseWord(i) }, word),
      ]),
      results.trained || partNow() === "sum" ? "" : ": random numbers",
    );
    for (const one of Object.values(moves)) one.stop();
    before = now;
    now = sum;
    kind = next ?? changed(last?.state, state);
    next = null;
    own.count(state, results);
    tell(drawn);
    if (kind === "off" && String(before?.on) === String(now.on)) before = picture.withAll(drawn, now);
    if (kind === "rest") paintAt(1);
    else {
      if (kind === "merge") place.meanwhile(mergingSentence(state));
      else if (kind === "sum")
        place.meanwhile(`Each head adds its vector at the tip of the one before: together they are y of “${drawn.words[asker]}”.`);
      else place.meanwhile(kind === "off" ? movingSentence(state) : kind === "block" ? DROPS : "");
      moves[kind].start();
    }
  }

  /**
   * The move that shows what has changed.
   *
   * @param {State | undefined} last
   * @param {State} state
   * @returns {Kind}
   */
  function changed(last, state) {
    /** @type {(...names: (keyof State)[]) => boolean} */
    const same = (...names) => names.every((one) => JSON.stringify(last?.[one]) === JSON.stringify(state[one]));
    if (!last || !same("E", "H", "L", "seed")) return "rest";
    if (partNow() === "merge") return same("merge", "part") ? "rest" : "merge";
    if (!same("part")) return "rest";
    if (!same("merge", "project") || last.pin[0] !== state.pin[0]) return "change";
    if (!same("off")) return "off";
    return state.block !== null && last.block === null ? "block" : "rest";
  }

  /**
   * An experiment is played from its start, also if its settings hold already.
   *
   * @param {Record<string, any>} changes
   */
  function perform(changes) {
    hovered = null;
    isRead = false;
    if (!drawn) return;
    const { state, results } = drawn;
    if (["E", "H", "L", "seed"].some((one) => one in changes && changes[one] !== state[/** @type {keyof State} */ (one)])) return;
    if (partNow() === "merge") next = "merge";
    else if (blockNow() !== null && "block" in changes) next = "block";
    else if (get("off").length && "off" in changes) next = "off";
    else if ("part" in changes && get("merge") === "right" && get("project")) next = "sum";
    else next = "change";
    const isDrawn = Object.keys(state).every(
      (one) => JSON.stringify(state[/** @type {keyof State} */ (one)]) === JSON.stringify(get(one)),
    );
    if (isDrawn) draw(state, results);
  }

  function restart() {
    isRead = false;
    reread();
  }

  return { node: place.node, draw, perform, restart };
}

export const lab = makeLab({
  title: "HeadsLab: what each head adds to y",
  compute,
  build,
});
