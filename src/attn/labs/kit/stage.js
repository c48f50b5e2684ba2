// The stage of a lab: its question, actions that perform an experiment, the picture, the controls that move it, and the sentence that
// says what happened. All of them are on one screen: controls beside the picture, or in a row below it; on a phone below it, and then
// only the sentence stays in view while the reader scrolls.

import { element } from "./dom.js";

/**
 * @typedef {object} Stage
 * @property {HTMLElement} node
 * @property {(...sentence: (Node | string)[]) => void} tell write the sentence that says what is drawn, and announce it
 * @property {(text: string) => void} meanwhile write what is seen in its place while something moves; "" leaves the sentence there
 * @property {(isShown?: boolean) => void} update mark the action whose settings hold now: of several the one performed
 *   last, or the last in the row; none while the picture is elsewhere
 */

/**
 * Build the stage of a lab. The question, the actions, and which controls and parts are there come from Python: `QUESTION`, `CHIPS`
 * and so on of the lab's class, or what the page has given.
 *
 * @param {import("./host.js").Tools} tools
 * @param {object} lab
 * @param {HTMLElement | HTMLElement[]} lab.picture
 * @param {Record<string, HTMLElement>} lab.controls by name, in the order in which they are shown; four at most
 * @param {Record<string, HTMLElement>} [lab.more] further controls, behind "more"
 * @param {boolean} [lab.below] the controls stand in a row below a picture that needs the whole width
 * @returns {Stage}
 */
export function stage({ get, perform, announce }, { picture, controls, more = {}, below = false }) {
  const { question, chips, answer, controls: shown } = get("_stage");
  const sentence = element("p", { class: "sentence" });
  const now = element("p", { class: "meanwhile", "aria-hidden": "true" }); // screen readers hear how it ends
  let performed = -1;
  const buttons = chips.map(([text, settings], n) => {
    const onclick = () => {
      performed = n;
      perform(settings);
    };
    return element("button", { type: "button", class: "chip", onclick }, text);
  });
  /** @param {Record<string, HTMLElement>} all */
  const chosen = (all) => Object.entries(all).flatMap(([name, node]) => (shown === null || shown.includes(name) ? [node] : []));
  const [first, others] = [chosen(controls), chosen(more)];
  const node = element(
    "div",
    { class: below ? "stage below" : "stage" },
    element("p", { class: "question", hidden: !question }, question),
    element("div", { class: "chips", role: "group", "aria-label": "experiments", hidden: !chips.length }, ...buttons),
    element("div", { class: "picture" }, ...[picture].flat()),
    element(
      "div",
      { class: "telling" },
      element("div", { class: "saying" }, sentence, now),
      answer ? element("details", { class: "answer" }, element("summary", {}, "answer"), answer) : "",
    ),
    element(
      "div",
      { class: "controls", hidden: first.length + others.length === 0 },
      ...first,
      others.length ? element("details", { class: "more" }, element("summary", {}, "more"), ...others) : "",
    ),
  );
  return {
    node,
    tell(...parts) {
      sentence.replaceChildren(...parts);
      announce(sentence.textContent);
    },
    meanwhile(text) {
      now.textContent = text;
    },
    update(isShown = true) {
      const holds = chips.map(([, settings]) =>
        Object.entries(settings).every(([name, value]) => JSON.stringify(get(name)) === JSON.stringify(value)),
      );
      const pressed = holds[performed] ? performed : holds.lastIndexOf(true);
      buttons.forEach((button, n) => {
        button.setAttribute("aria-pressed", String(isShown && n === pressed));
      });
    },
  };
}

/**
 * Whether the page shows this part of the lab: all parts, unless the page has chosen some.
 *
 * @param {import("./host.js").Tools} tools
 * @param {string} part
 */
export function shows({ get }, part) {
  const { parts } = get("_stage");
  return parts === null || parts.includes(part);
}
