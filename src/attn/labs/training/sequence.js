// The words of a sequence, each on the colour of the probability that the model gave it before it came.

import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";

const TITLE = "What the model gave to each word before it came, from 0 (dark) to 1 (bright):";

export function sequenceStrip() {
  const list = element("div", { class: "training-chips", role: "img" });
  const node = element("div", {}, element("p", {}, element("small", {}, TITLE)), list);
  /** @type {HTMLElement[]} */
  let cells = [];

  /**
   * @param {import("./model.js").Run} run
   * @param {number} sequence
   * @param {Float32Array} chances (L - 1)
   */
  function draw(run, sequence, chances) {
    const words = run.ids[sequence].map((id) => run.words[id]);
    if (cells.length !== words.length) {
      cells = words.map(() => element("span"));
      list.replaceChildren(...cells);
    }
    words.forEach((word, n) => {
      setText(cells[n], word);
      const colour = n ? shade(chances[n - 1], "weights", 1) : null;
      setAttributes(cells[n], { style: colour ? `background:${colour.paper};color:${colour.ink}` : "" });
    });
    const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
    const label = `${words.join(" ")}: on average the model gives the next word ${number(mean, 2)}`;
    setAttributes(list, { "aria-label": label });
  }

  /**
   * Frame the two words of a weight: the one that looks, and the one it looks at.
   *
   * @param {import("./model.js").Place | null} place
   */
  function highlight(place) {
    cells.forEach((cell, n) => {
      setAttributes(cell, { class: place?.[2] === n ? "looks" : place?.[3] === n ? "seen" : "" });
    });
  }

  return { node, draw, highlight };
}
