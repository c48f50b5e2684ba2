// A storage as one long strip, coloured by head, with a slider that walks through it and a window onto the numbers around.

import { colourOf } from "../kit/colours.js";
import { element, setText } from "../kit/dom.js";

// The runs of chosen places: [[first, length], ...]. One run lies in one piece.
export function pieces(chosen) {
  const runs = [];
  chosen.forEach((yes, place) => {
    if (yes && place && chosen[place - 1]) runs.at(-1)[1]++;
    else if (yes) runs.push([place, 1]);
  });
  return runs;
}

// Which places a window of `room` cells shows, so that it holds `place` and, but for the last, begins where a token begins. It
// stays while one walks inside it: what moves is the mark, not the tape.
export function windowAt(place, unit, room, N) {
  const step = unit <= room ? unit * Math.floor(room / unit) : room;
  const first = Math.max(0, Math.min(Math.floor(place / step) * step, N - room));
  return [first, Math.min(N, first + room)];
}

const [HEIGHT, CALM, INSET] = [26, 7, 8]; // a chosen number stands CALM pixels higher; INSET: half a slider's thumb

// onPlace(place): the reader has gone to this place.
export function storageStrip(onPlace) {
  const name = element("span");
  const canvas = element("canvas", { "aria-hidden": "true" });
  const input = element("input", { type: "range", min: 0, step: 1, oninput: () => onPlace(Number(input.value)) });
  const shown = element("output", { "aria-hidden": "true" });
  const loupe = element("div", { class: "grid-loupe", "aria-hidden": "true" }); // the announcement and the slider say the same
  const node = element("div", { class: "grid-memory" }, element("label", {}, name, shown, canvas, input), loupe);
  let N = 1;
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    event.preventDefault(); // it is inside the slider's label
    onPlace(Math.max(0, Math.min(N - 1, Math.floor(((event.clientX - box.left - INSET) / (box.width - 2 * INSET)) * N))));
  });

  // Runs of numbers that look the same are one box each: boxes side by side would show their seams.
  function paint(heads, chosen, sample, width) {
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    const brush = canvas.getContext("2d");
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    const unit = (width - 2 * INSET) / N;
    for (const marked of [false, true]) {
      // the chosen ones last, so that a thin one is not painted over
      for (let from = 0, to = 1; from < N; from = to++) {
        while (to < N && heads[to] === heads[from] && chosen[to] === chosen[from]) to++;
        if (chosen[from] !== marked) continue;
        brush.fillStyle = colourOf(heads[from]);
        brush.globalAlpha = marked ? 1 : 0.4;
        const top = marked ? 0 : CALM;
        brush.fillRect(INSET + from * unit, top, Math.max((to - from) * unit, marked ? 3 : 0), HEIGHT - top);
      }
    }
    for (let place = sample; place < N; place += sample) brush.clearRect(INSET + place * unit - 1, 0, 2, HEIGHT);
  }

  // storage: its numbers. heads, chosen: for each place. place: of the number that is looked at. unit: places that belong together;
  // sample: places from one sample to the next. width: in pixels.
  function draw({ title, storage, heads, chosen, place, unit, sample, width }) {
    N = storage.length;
    setText(name, title);
    setText(shown, `place ${place} of 0 to ${N - 1}`);
    input.max = N - 1;
    input.value = place;
    input.disabled = N === 1;
    input.setAttribute("aria-valuetext", `place ${place}, number ${storage[place]}`);
    paint(heads, chosen, sample, width);
    const [from, to] = windowAt(place, unit, Math.floor((width - 44) / (N > 1000 ? 34 : 27)), N);
    const cells = Array.from(storage.slice(from, to), (value, n) => {
      const marked = `${chosen[from + n] ? " chosen" : ""}${from + n === place ? " here" : ""}`;
      const attributes = { class: marked, style: `--head:${colourOf(heads[from + n])}`, onclick: () => onPlace(from + n) };
      const number = element("span", { class: "grid-cell" }, String(value));
      return element("span", attributes, number, element("small", {}, String(from + n)));
    });
    loupe.classList.toggle("grid-long", N > 1000);
    loupe.replaceChildren(from ? "… " : "", ...cells, to < N ? " …" : "");
  }

  return { node, draw };
}
