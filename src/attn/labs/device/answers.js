// What each cut sends, on its chip: the chips are the comparison.

import { element, letter, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { sentName, sharedName } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */

const ROOM = 9216; // bytes of a line as long as its chip. All have one scale, which changes only when a cut sends more

/**
 * @param {HTMLElement} stage
 * @param {[string, Record<string, any>][]} chips of the stage
 */
export function answersOn(stage, chips) {
  const answers = [...stage.querySelectorAll(".chip")].flatMap((node, n) => {
    const settings = chips[n][1];
    const axis = /** @type {Cut} */ (settings.cut);
    if (Object.keys(settings).join() !== "cut") return []; // it does more than cut
    const [was, what] = [element("small", { class: "was" }), element("small", { class: "what" })];
    const [number, unit] = [element("b", { class: "number" }), element("span", {})];
    const sent = element("span", { class: "sent" }, number, unit);
    node.append(" ", letter(axis), was, sent, what);
    return [{ axis, node: /** @type {HTMLElement} */ (node), was, what, number, unit }];
  });
  let scale = 1;

  /** @param {(typeof answers)[number]} answer @param {number | null} count bytes; null: the reader guesses @param {string} [none] */
  function fill({ node, number, unit }, count, none = "nothing") {
    node.style.setProperty("--sent", `${((100 * (count ?? 0)) / (scale * ROOM)).toFixed(2)}%`);
    setText(number, count === null ? "?" : count ? integer(Math.round(count)) : none);
    setText(unit, count || (count === 0 && none === "0") ? " bytes" : "");
    number.classList.toggle("asked", count === null);
  }

  return {
    /** @param {Settings} state @param {Results} results @param {(axis: Cut) => boolean} isCovered */
    update(state, { bytes }, isCovered) {
      scale = Math.max(1, ...Object.values(bytes).map((count) => (count ?? 0) / ROOM));
      for (const answer of answers) {
        const { axis, number, what } = answer;
        const count = bytes[axis];
        const isUnequal = count === null;
        const isGuessed = !isUnequal && state.N > 1 && isCovered(axis);
        answer.was.hidden = isCovered(axis);
        fill(answer, isGuessed ? null : (count ?? 0), isUnequal ? "no equal parts" : "nothing");
        number.classList.toggle("unequal", isUnequal);
        const name = isUnequal ? sharedName(state, axis) : count && !isGuessed ? sentName(state, axis) : "";
        setText(what, name || "\u00a0"); // all chips have three lines
      }
    },
    /** What of this cut has been sent so far. @param {Cut} cut @param {number} count bytes */
    count(cut, count) {
      for (const answer of answers) if (answer.axis === cut) fill(answer, count, "0");
    },
    /** What each cut sent before one thing changed; nothing if several have. @param {Results | null} before @param {Results} now */
    remember(before, now) {
      for (const { axis, was } of answers) {
        const [old, count] = [before?.bytes[axis] ?? null, now.bytes[axis]];
        const isOther = old !== null && count !== null && old !== count;
        was.dataset.was = isOther ? `was ${old ? integer(Math.round(old)) : "nothing"}` : ""; // no text: a link to these settings has no past
      }
    },
  };
}
