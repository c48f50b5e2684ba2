// What each cut sends, and who then has y, on its chip: the chips are the comparison.

import { element, letter, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { BYTES, messages, mostSent } from "./model.js";
import { chipText, sentName } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */

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
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    node.append(" ", letter(axis), was, sent, what, bar);
    return [{ axis, node: /** @type {HTMLElement} */ (node), was, what, number, unit, bar }];
  });
  /** @type {Settings} */
  let state;

  /** Each round of a message, as long as its bytes. @param {import("./model.js").Message} message */
  const roundsOf = ({ how, sent }) => {
    const names = how === "ring" ? ["send"] : ["sum", "pass on"];
    const style = `width:${((100 * sent) / names.length / mostSent(state)).toFixed(2)}%`;
    return names.map((name) => element("i", { class: name, style }, element("u", {}), name));
  };

  /** @param {(typeof answers)[number]} answer @param {number | null} count bytes; null: the reader guesses @param {string} [none] @param {boolean} [isEnd] */
  function fill({ axis, node, number, unit, what }, count, none = "nothing", isEnd = true) {
    node.style.setProperty("--sent", `${((100 * (count ?? 0)) / (BYTES * mostSent(state))).toFixed(2)}%`);
    setText(number, count === null ? "?" : count ? integer(Math.round(count)) : none);
    setText(unit, count || none === "0" ? ` bytes ${state.training ? "" : sentName(state, axis)}` : "");
    setText(what, chipText(state, axis, count !== null && isEnd));
    number.classList.toggle("asked", count === null);
  }

  return {
    /** @param {Settings} now @param {Results} results @param {(axis: Cut) => boolean} isCovered */
    update(now, { bytes }, isCovered) {
      state = now;
      for (const answer of answers) {
        const { axis, number, bar } = answer;
        const count = bytes[axis];
        const isUnequal = count === null;
        const isGuessed = !isUnequal && state.N > 1 && isCovered(axis);
        answer.was.hidden = isCovered(axis);
        bar.replaceChildren(...(isGuessed || !count ? [] : messages(state, axis).flatMap(roundsOf)));
        fill(answer, isGuessed ? null : (count ?? 0), isUnequal ? "no equal parts" : "nothing");
        number.classList.toggle("unequal", isUnequal);
      }
    },
    /** What of this cut has been sent so far. @param {Cut} cut @param {number | null} total bytes @param {number} count @param {boolean} isEnd */
    count(cut, total, count, isEnd) {
      for (const answer of answers)
        if (answer.axis === cut && total !== null) fill(answer, isEnd ? total : count, total ? "0" : "nothing", isEnd);
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
