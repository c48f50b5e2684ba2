// What scenes draw with: cells of tensors, and what stands around a sheet: words, rulers, names.

import { clamp } from "../kit/math.js";
import { mix } from "../kit/time.js";
import { SMALLEST } from "./pen.js";

/** @typedef {import("../kit/time.js").Sheet} Sheet */
/** @typedef {ReturnType<typeof stageWith>} Stage */

const VIVID = 0.85; // the largest numbers share the darkest colour

/**
 * @param {import("./pen.js").Pen} pen
 * @param {import("./places.js").Places} places
 * @param {import("./numbers.js").Numbers} numbers
 */
export function stageWith(pen, places, numbers) {
  const { words, sizes } = numbers;
  const { L, D, E } = sizes;

  /** The colour of a number. */
  const shadeOf = (name, ...index) => pen.signed(numbers.value(name, ...index), VIVID * numbers.most[name]);
  /** A number of a tensor as a square cell. */
  const number = (x, y, p, alpha, name, ...index) => pen.cell(x, y, p, p, shadeOf(name, ...index), alpha, name, ...index);

  /**
   * Every cell of a sheet.
   *
   * @param {Sheet} place
   * @param {number} rows
   * @param {number} columns
   * @param {(i: number, j: number, x: number, y: number, p: number) => void} draw
   */
  function sheet({ x, y, p }, rows, columns, draw) {
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) draw(i, j, x + j * p, y + i * p, p);
  }
  const slots = (place, rows, columns, alpha) =>
    sheet(place, rows, columns, (_i, _j, x, y, p) => pen.box(x + 0.75, y + 0.75, p - 1.5, p - 1.5, p * 0.14, "slot", alpha));
  const outline = (x, y, w, h, alpha, colour = "ink") => pen.box(x - 1.5, y - 1.5, w + 3, h + 3, 4, colour, alpha, 2);
  const outlineRow = ({ x, y, p }, row, columns, alpha) => outline(x, y + row * p, columns * p, p, alpha);
  const outlineColumn = ({ x, y, p }, column, rows, alpha) => outline(x + column * p, y, p, rows * p, alpha);

  const readable = (p) => clamp((p - 10.5) / 1.5, 0, 1);
  const wordSize = (p) => clamp(p * 0.5, SMALLEST, 15);
  /** The words of the rows, right of which a sheet begins. */
  function rowWords({ x, y, p }, axis, alpha) {
    words.forEach((word, i) => {
      pen.text(word, x - 7, y + (i + 0.52) * p, wordSize(p), axis, alpha * readable(p), { align: "right" });
    });
  }
  /** The words of the columns, slanted where they are wider than a cell: the narrower the steeper, so that they stay apart. */
  function columnWords({ x, y, p }, alpha) {
    const size = Math.min(14, wordSize(p));
    const slanted = p < size * 3;
    const turn = -Math.max(Math.PI / 4, Math.asin(Math.min(1, (1.1 * size) / p)));
    words.forEach((word, i) => {
      const how = slanted ? /** @type {const} */ ({ align: "left", turn }) : {};
      pen.text(word, x + (i + (slanted ? 0.45 : 0.5)) * p, y - (slanted ? 8 : 11), size, "S", alpha * readable(p), how);
    });
  }

  /** The name of a sheet, below it or above it. */
  function name(text, { x, y, p }, rows, columns, alpha, over = false) {
    const size = clamp(p * 0.55, 12, 15);
    pen.text(text, x + (columns * p) / 2, over ? y - size * 0.85 : y + rows * p + size * 0.95, size, "quiet", alpha, {
      mono: true,
    });
  }
  function ruler(x0, y0, x1, y1, axis, alpha) {
    const [dx, dy] = [x1 - x0, y1 - y0];
    const gap = Math.min(0.42, 10 / Math.hypot(dx, dy));
    pen.line(
      [0, 0.5 - gap, 0.5 + gap, 1].map((n) => [x0 + dx * n, y0 + dy * n]),
      axis,
      alpha * 0.75,
    );
    pen.text(axis, x0 + dx / 2, y0 + dy / 2 + 0.5, 14, axis, alpha, { weight: 700, mono: true });
  }
  const above = ({ x, y, p }, columns, axis, alpha, off = 12) => ruler(x + 1, y - off, x + columns * p - 1, y - off, axis, alpha);
  const beside = ({ x, y, p }, rows, axis, alpha, off = 14) => ruler(x - off, y + 1, x - off, y + rows * p - 1, axis, alpha);
  const wordsWide = places.label - 4;

  const fence = (x, place, alpha, n = 1) =>
    pen.line(
      [
        [x, place.y - 7],
        [x, mix(place.y - 7, place.y + L * place.p + 7, n)],
      ],
      "H",
      alpha,
      2.5,
    );
  /** The name of a head, in the colour of H: without what it answers where the text is small. */
  const head = (h, x, y, size, alpha, align = /** @type {CanvasTextAlign} */ ("center")) =>
    pen.text(size > 12 ? numbers.head(h) : `head ${h}`, x, y, size, "H", alpha, { weight: 600, align });

  /** The middle of each word of the sentence, written in one line. @param {number} size */
  function spread(size) {
    const gap = 0.4 * size;
    const wide = words.map((word) => pen.widthOf(word, size));
    let x = places.middle - (wide.reduce((all, one) => all + one, 0) + gap * (words.length - 1)) / 2;
    return wide.map((one) => {
      x += one + gap;
      return x - gap - one / 2;
    });
  }
  /**
   * An arc for each head above the sentence, from the word that is followed to the word that the head finds for it.
   *
   * @param {number[]} spots the middle of each word
   * @param {number} y of the sentence
   * @param {number} size of its words
   * @param {(h: number) => [text: string, alpha: number]} what
   */
  function arcs(spots, y, size, what) {
    const { l } = numbers.hero;
    const unit = Math.max(1, size / 24);
    for (let h = 0; h < sizes.H; h++) {
      const goal = numbers.chosen(h);
      const far = Math.abs(goal - l);
      const height = (far > 1 ? Math.min(76, 32 * far) : 20) * unit; // its word has room below the next arc
      const foot = y - 0.7 * size;
      const [text, alpha] = what(h);
      pen.arc(spots[l], spots[goal], foot, height, "H", alpha);
      const middle = (spots[l] + spots[goal]) / 2 + (far > 1 ? 0 : 6 / unit); // away from the feet of the other arcs
      pen.text(text, middle, foot - 0.75 * height - 8 * unit, Math.max(11.5, 0.42 * size), "H", alpha, { weight: 600 });
    }
  }

  return {
    ...{ pen, G: places, N: numbers, L, S: L, D, E, words },
    ...{ shadeOf, number, sheet, slots, outline, outlineRow, outlineColumn, rowWords, columnWords, wordSize },
    ...{ name, ruler, above, beside, wordsWide, fence, head, spread, arcs },
  };
}
