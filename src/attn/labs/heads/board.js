// One word's row of concat beside W_O, what each head's rows of it add, and y: three tables with the same columns.

import { colourOf } from "../kit/colours.js";
import { element, setText } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { magnitude, shade } from "../kit/scale.js";
import { brief } from "./model.js";

// How wide a cell is, and how tall, on a board of `width` pixels with E columns.
export function plan(width, E) {
  const roomy = width > 560;
  const side = roomy ? 136 : 76;
  const cell = Math.max(8, Math.min(40, Math.floor((width - side - 6) / E) - 1));
  return { roomy, side, cell, tall: cell < 14 ? 14 : E > 12 ? 18 : 21, digits: cell >= 34 ? 2 : cell >= 18 ? 1 : 0 };
}

// The colour of a head, and its number: there are more heads than colours.
export function chip(head, text = String(head)) {
  return element("i", { class: "chip", "aria-hidden": "true", style: `background:${colourOf(head)}` }, text);
}

// What adds part h to y: a head, or after the wrong merge only some numbers of concat, with the rows of W_O that they meet.
export function partName({ E, H, merge, project }, h) {
  const D = E / H;
  if (merge === "right") return `head ${h}`;
  const numbers = D === 1 ? String(h) : `${h * D}–${h * D + D - 1}`;
  return project ? `${D === 1 ? "row" : "rows"} ${numbers}` : numbers;
}

// onPoint(table, n, how): "W_O", "parts" or "y", and what matrix() tells.
export function board(onPoint) {
  const titles = ["W_O", "parts", "y"].map(() => element("p", { class: "title" }));
  const tables = ["W_O", "parts", "y"].map((name) => matrix((n, how) => onPoint(name, n, how)));
  const sides = tables.map(() => element("div", { class: "strips", "aria-hidden": "true" }));
  const frames = [0, 1].map(() => element("div", { class: "frame" })); // the column, over W_O and over the parts
  const lines = tables.map((table, n) => element("div", { class: "line" }, sides[n], table.node, ...frames.slice(n, n + 1)));
  const node = element("div", { class: "board" }, ...titles.flatMap((title, n) => [title, lines[n]]));

  const rows = (side, made) => side.replaceChildren(...made.map((parts) => element("div", {}, ...parts)));
  const shown = {}; // what the sides and the tables show: drawn again only when it changes
  const fresh = (name, ...of) => shown[name] !== (shown[name] = JSON.stringify(of));

  // Beside W_O: each number of the word's concat with the head that it is from, and the head whose rows of W_O it meets.
  function drawSides(state, results, words, i, digits) {
    const { E, H, L } = state;
    const D = E / H;
    if (!fresh("sides", state, i, digits)) return;
    const most = magnitude(results.concat);
    rows(
      sides[0],
      range(E).map((n) => {
        const at = i * E + n;
        const colour = shade(results.concat[at], "signed", most);
        const named = (text) => (n % D === 0 ? text : ""); // a piece has its names in its first row
        const word = element("span", { class: "word" }, named(words[results.from_word[at]]));
        const value = element(
          "span",
          { class: "value", style: `background:${colour.paper};color:${colour.ink}` },
          brief(results.concat[at], digits || 1),
        );
        const [from, meets] = [results.from_head[at], Math.floor(n / D)];
        return [word, value, chip(from, named(from)), element("small", {}, "·"), chip(meets, named(meets))];
      }),
    );
    rows(
      sides[1],
      range(H).map((h) => [element("span", { class: "word" }, partName(state, h)), chip(h, "")]),
    );
    rows(
      sides[2],
      range(L).map((word) => [element("span", { class: word === i ? "word now" : "word" }, words[word])]),
    );
  }

  // at: [word, column], where things are written out.
  function draw({ state, results, words, at: [i, e], width }) {
    const { E, H, L, project } = state;
    const { roomy, side, cell, tall, digits } = plan(width, E);
    for (const [name, size] of Object.entries({ side, cell, tall })) {
      if (node.style.getPropertyValue(`--${name}`) !== `${size}px`) node.style.setProperty(`--${name}`, `${size}px`);
    }
    node.classList.toggle("narrow", !roomy);
    node.classList.toggle("tight", digits < 2);
    drawSides(state, results, words, i, digits);
    const word = words[i];
    setText(titles[0], project ? `concat[${word}], and the row of W_O that each number meets` : "W_O is off: y = concat");
    setText(
      titles[1],
      state.merge === "right" ? `what each head adds to y[${word}]` : `what each part of that row adds to y[${word}]`,
    );
    setText(titles[2], "y, their sum: a row for each word");
    const text = (value) => (digits ? brief(value, digits) : "");
    const long = (value) => (digits === 1 && text(value).length > 3 ? "long" : "");
    for (const frame of frames) frame.style.transform = `translateX(${e * (cell + 1)}px)`;
    const most = magnitude(results.y);
    const keys = "Arrow keys walk through the columns.";
    if (fresh("W_O", E, state.seed, project, digits, cell)) {
      const columns = range(E).map((n) => (cell < 16 && n % 2 ? "" : String(n)));
      tables[0].draw({
        data: results.W_O,
        R: E,
        C: E,
        titles: { columns },
        text,
        looks: (n) => long(results.W_O[n]),
        label: `W_O, ${E} rows and columns. ${keys}`,
      });
    }
    if (fresh("parts", state, i, digits)) {
      const mine = new Float32Array(H * E);
      for (let h = 0; h < H; h++) mine.set(results.parts.subarray((h * L + i) * E, (h * L + i) * E + E), h * E);
      tables[1].draw({
        data: mine,
        R: H,
        C: E,
        most,
        text,
        looks: (n) => long(mine[n]),
        label: `what each head adds to y of ${word}. ${keys}`,
      });
    }
    for (const table of tables.slice(0, 2)) table.moveToColumn(e);
    tables[2].draw({
      data: results.y,
      R: L,
      C: E,
      most,
      text,
      looks: (n) => (n === i * E + e ? "here " : "") + long(results.y[n]),
      active: i * E + e,
      label: "y, a row for each word. Arrow keys choose a number.",
    });
  }

  return { node, draw };
}
