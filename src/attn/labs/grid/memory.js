// A memory as one long strip, coloured by head, with a slider that moves along it and a window onto the numbers around its place.

import { colourOf } from "../kit/colours.js";
import { context2d, element, setText } from "../kit/dom.js";
import { clamp } from "../kit/math.js";
import { windowAt } from "./model.js";

/**
 * @typedef {object} Memory
 * @property {string} title
 * @property {number[] | Float32Array} storage
 * @property {number[]} heads of each place
 * @property {boolean[]} chosen for each place
 * @property {number} place of the number that is looked at
 * @property {number} unit places that belong together
 * @property {number} sample places from one sample to the next
 * @property {number} width in pixels
 */

const HEIGHT = 26;
const RAISED = 7; // a chosen number is this much taller than the others
const INSET = 8; // half a slider's thumb
const MANY = 1000; // numbers beyond which an index has four digits

/** @param {(place: number) => void} onPlace called with the place that the reader moves to */
export function storageStrip(onPlace) {
  const name = element("span");
  const canvas = element("canvas", { "aria-hidden": "true" });
  const input = element("input", { type: "range", min: 0, step: 1, oninput: () => onPlace(Number(input.value)) });
  const output = element("output", { "aria-hidden": "true" });
  const loupe = element("div", { class: "grid-loupe", "aria-hidden": "true" }); // the announcement and the slider say the same
  const node = element("div", { class: "grid-memory" }, element("label", {}, name, output, canvas, input), loupe);
  let N = 1;
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    event.preventDefault(); // it is inside the slider's label
    onPlace(clamp(Math.floor(((event.clientX - box.left - INSET) / (box.width - 2 * INSET)) * N), 0, N - 1));
  });

  /**
   * Runs of numbers that look the same are one box each: boxes side by side would show their seams.
   *
   * @param {Memory} memory
   */
  function paint({ heads, chosen, sample, width }) {
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    const brush = context2d(canvas);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    const unit = (width - 2 * INSET) / N;
    for (const marked of [false, true]) {
      // the chosen ones last, so that a thin one is not painted over
      for (let from = 0, to = 1; from < N; from = to++) {
        while (to < N && heads[to] === heads[from] && chosen[to] === chosen[from]) to++;
        if (chosen[from] !== marked) continue;
        brush.fillStyle = colourOf(heads[from]);
        brush.globalAlpha = marked ? 1 : 0.4;
        const top = marked ? 0 : RAISED;
        brush.fillRect(INSET + from * unit, top, Math.max((to - from) * unit, marked ? 3 : 0), HEIGHT - top);
      }
    }
    for (let place = sample; place < N; place += sample) brush.clearRect(INSET + place * unit - 1, 0, 2, HEIGHT);
  }

  /** @param {Memory} memory */
  function drawWindow({ storage, heads, chosen, place, unit, width }) {
    const [from, to] = windowAt(place, unit, Math.floor((width - 44) / (N > MANY ? 34 : 27)), N);
    const cells = Array.from(storage.slice(from, to), (value, n) => {
      const marked = `${chosen[from + n] ? " chosen" : ""}${from + n === place ? " here" : ""}`;
      const attributes = { class: marked, style: `--head:${colourOf(heads[from + n])}`, onclick: () => onPlace(from + n) };
      const number = element("span", { class: "grid-cell" }, String(value));
      return element("span", attributes, number, element("small", {}, String(from + n)));
    });
    loupe.classList.toggle("grid-long", N > MANY);
    loupe.replaceChildren(from ? "… " : "", ...cells, to < N ? " …" : "");
  }

  /** @param {Memory} memory */
  function draw(memory) {
    const { title, storage, place } = memory;
    N = storage.length;
    setText(name, title);
    setText(output, `place ${place} of 0 to ${N - 1}`);
    input.max = String(N - 1);
    input.value = String(place);
    input.disabled = N === 1;
    input.setAttribute("aria-valuetext", `place ${place}, number ${storage[place]}`);
    paint(memory);
    drawWindow(memory);
  }

  return { node, draw };
}
