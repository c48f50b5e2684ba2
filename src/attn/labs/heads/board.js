// One word's row of concat beside W_O, what each part of that row adds to y, and y: three tables with the same columns.

import { colourOf } from "../kit/colours.js";
import { element, setText } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { magnitude, shade } from "../kit/scale.js";
import { partName, shortNumber } from "./explain.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {"W_O" | "parts" | "y"} TableName */

const KEYS = "Arrow keys walk through the columns.";

/**
 * The sizes of a board of `width` pixels with E columns; digits: of a number in a cell, 0 where only colours fit.
 *
 * @param {number} width
 * @param {number} E
 */
export function layout(width, E) {
  const roomy = width > 560;
  const side = roomy ? 136 : 76;
  const cell = Math.max(8, Math.min(40, Math.floor((width - side - 6) / E) - 1));
  return { roomy, side, cell, tall: cell < 14 ? 14 : E > 12 ? 18 : 21, digits: cell >= 34 ? 2 : cell >= 18 ? 1 : 0 };
}

/**
 * The colour of a head with its number, since there are more heads than colours.
 *
 * @param {number} head
 * @param {string} [text]
 */
export function chip(head, text = String(head)) {
  return element("i", { class: "chip", "aria-hidden": "true", style: `background:${colourOf(head)}` }, text);
}

/** @param {(table: TableName, n: number | null, how: import("../kit/matrix.js").Pointing) => void} onPoint */
export function board(onPoint) {
  /** @type {TableName[]} */
  const names = ["W_O", "parts", "y"];
  const titles = names.map(() => element("p", { class: "title" }));
  const tables = names.map((name) => matrix((n, how) => onPoint(name, n, how)));
  const sides = names.map(() => element("div", { class: "strips", "aria-hidden": "true" }));
  const frames = [0, 1].map(() => element("div", { class: "frame" })); // around the chosen column, over W_O and over the parts
  const lines = tables.map((table, n) => element("div", { class: "line" }, sides[n], table.node, ...frames.slice(n, n + 1)));
  const node = element("div", { class: "board" }, ...titles.flatMap((title, n) => [title, lines[n]]));

  const drawn = {}; // what each part was drawn from
  function hasChanged(part, ...values) {
    const key = JSON.stringify(values);
    if (drawn[part] === key) return false;
    drawn[part] = key;
    return true;
  }

  function drawSides(state, results, words, i, digits) {
    const rows = (side, contents) => side.replaceChildren(...contents.map((content) => element("div", {}, ...content)));
    const word = (text, kind = "word") => element("span", { class: kind }, text);
    rows(sides[0], concatRow(state, results, words, i, digits || 1));
    rows(
      sides[1],
      range(state.H).map((h) => [word(partName(state, h)), chip(h, "")]),
    );
    rows(
      sides[2],
      range(state.L).map((n) => [word(words[n], n === i ? "word now" : "word")]),
    );
  }

  function drawTitles({ project, merge }, word) {
    const part = merge === "right" ? "head" : "part of that row";
    setText(titles[0], project ? `concat[${word}], and the row of W_O that each number meets` : "W_O is off: y = concat");
    setText(titles[1], `what each ${part} adds to y[${word}]`);
    setText(titles[2], "y, their sum: a row for each word");
  }

  /**
   * @param {object} drawing
   * @param {State} drawing.state
   * @param {Results} drawing.results
   * @param {string[]} drawing.words
   * @param {number[]} drawing.at [word, column] that is written out
   * @param {number} drawing.width of the board
   */
  function draw({ state, results, words, at: [i, e], width }) {
    const { E, H, L, project } = state;
    const { roomy, side, cell, tall, digits } = layout(width, E);
    for (const [name, size] of Object.entries({ side, cell, tall })) {
      if (node.style.getPropertyValue(`--${name}`) !== `${size}px`) node.style.setProperty(`--${name}`, `${size}px`);
    }
    node.classList.toggle("narrow", !roomy);
    node.classList.toggle("tight", digits < 2);
    if (hasChanged("sides", state, i, digits)) drawSides(state, results, words, i, digits);
    drawTitles(state, words[i]);
    const text = (value) => (digits ? shortNumber(value, digits) : "");
    const long = (value) => (digits === 1 && text(value).length > 3 ? "long" : "");
    for (const frame of frames) frame.style.transform = `translateX(${e * (cell + 1)}px)`;
    const most = magnitude(results.y);
    if (hasChanged("W_O", E, state.seed, project, digits, cell))
      tables[0].draw({
        data: results.W_O,
        R: E,
        C: E,
        titles: { columns: range(E).map((n) => (cell < 16 && n % 2 ? "" : String(n))) },
        text,
        looks: (n) => long(results.W_O[n]),
        label: `W_O, ${E} rows and columns. ${KEYS}`,
      });
    if (hasChanged("parts", state, i, digits)) {
      const ofWord = new Float32Array(H * E);
      for (let h = 0; h < H; h++) ofWord.set(results.parts.subarray((h * L + i) * E, (h * L + i) * E + E), h * E);
      tables[1].draw({
        data: ofWord,
        R: H,
        C: E,
        most,
        text,
        looks: (n) => long(ofWord[n]),
        label: `what each head adds to y of ${words[i]}. ${KEYS}`,
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

// Beside W_O: each number of the word's concat, the head that it is from, and the head whose rows of W_O it meets.
function concatRow({ E, H }, { concat, from_head, from_word }, words, i, digits) {
  const D = E / H;
  const most = magnitude(concat);
  return range(E).map((n) => {
    const at = i * E + n;
    const colour = shade(concat[at], "signed", most);
    const style = colour ? `background:${colour.paper};color:${colour.ink}` : "";
    const inFirstRow = (text) => (n % D === 0 ? text : ""); // the names of a head are in its first row
    const [from, meets] = [from_head[at], Math.floor(n / D)];
    return [
      element("span", { class: "word" }, inFirstRow(words[from_word[at]])),
      element("span", { class: "value", style }, shortNumber(concat[at], digits)),
      chip(from, inFirstRow(String(from))),
      element("small", {}, "·"),
      chip(meets, inFirstRow(String(meets))),
    ];
  });
}
