// What each cut sends, and who then has y, on its chip: the chips are the comparison.

import { colourOf } from "../kit/colours.js";
import { element, letter, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { BYTES, fits, messages, mostSent } from "./model.js";
import { chipText, sentName } from "./words.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Cut} Cut */

/** The look of a complete sum. */
export const WHOLE = `linear-gradient(135deg,${range(4).map((d) => `${colourOf(d)} ${25 * d}% ${25 * d + 25}%`)})`;

/** Which part of y a device then has: some rows, some columns, or all. @param {number} N @param {Cut} axis @param {number} d */
function pieceOf(N, axis, d) {
  const [from, to] = [d, d + 1].map((n) => `${(100 * n) / N}%`);
  const part = `linear-gradient(${axis === "E" ? 90 : 180}deg,transparent ${from},${colourOf(d)} 0 ${to},transparent 0)`;
  return element("i", { style: `background:${axis === "H" && N > 1 ? WHOLE : part} 0/100% ${axis === "L" ? 50 : 100}%` });
}

/**
 * @param {HTMLElement} stage
 * @param {[string, Record<string, any>][]} chips of the stage
 */
export function answersOn(stage, chips) {
  /** @type {Settings} */
  let state;

  /** Each round of a message, as long as its bytes. @param {import("./model.js").Message} message */
  const roundsOf = ({ how, sent }) => {
    const names = how === "ring" ? ["send"] : ["sum", "pass on"];
    const style = `width:${((100 * sent) / names.length / mostSent(state)).toFixed(2)}%`;
    return names.map((name) => element("i", { class: name, style }, element("u", {}), name.replace(" ", "\u00a0")));
  };

  const answers = [...stage.querySelectorAll(".chip")].flatMap((node, n) => {
    const settings = chips[n][1];
    const axis = /** @type {Cut} */ (settings.cut);
    if (Object.keys(settings).join() !== "cut") return []; // it does more than cut
    const [was, what, y] = ["was", "what", "y"].map((name) => element("small", { class: name }));
    const [number, unit] = [element("b"), element("span")];
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    node.append(" ", letter(axis), was, element("span", { class: "sent" }, number, unit), what, " ", y, bar);

    /** @param {number | null} count bytes; null: the reader guesses @param {string} none what no bytes are called @param {number} [total] of which this count has been sent so far */
    function fill(count, none, total) {
      const isDone = count !== null && total === undefined;
      bar.style.setProperty("--sent", `${((100 * (count ?? 0)) / (BYTES * mostSent(state))).toFixed(2)}%`);
      setText(number, count === null ? "?" : count ? integer(Math.round(count)) : none);
      const all = total ? ` of ${integer(Math.round(total))} bytes` : ` bytes ${state.training ? "" : sentName(state, axis)}`;
      setText(unit, count || total ? all : "");
      setText(what, chipText(state, axis, isDone));
      const parts = isDone && fits(state, axis) && !state.training ? state.N : 0;
      y.replaceChildren(...range(parts).map((d) => pieceOf(parts, axis, d)));
      number.className = count === null ? "number asked" : "number";
    }

    /** @param {number | null} count bytes; null: the parts are not equal @param {boolean} isCovered */
    function update(count, isCovered) {
      const isGuessed = count !== null && state.N > 1 && isCovered;
      was.hidden = isCovered;
      bar.replaceChildren(...(isGuessed || !count ? [] : messages(state, axis).flatMap(roundsOf)));
      fill(isGuessed ? null : (count ?? 0), count === null ? "uneven" : "nothing");
    }
    return [{ axis, was, fill, update }];
  });

  return {
    /** @param {Settings} now @param {Results} results @param {(axis: Cut) => boolean} isCovered */
    update(now, { bytes }, isCovered) {
      state = now;
      for (const { axis, update } of answers) update(bytes[axis], isCovered(axis));
    },
    /** What of this cut has been sent so far. @param {Cut} cut @param {number | null} total bytes @param {number} count @param {boolean} isEnd */
    count(cut, total, count, isEnd) {
      for (const { axis, fill } of answers)
        if (axis === cut && total !== null) fill(isEnd ? total : count, total ? "0" : "nothing", isEnd ? undefined : total);
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
