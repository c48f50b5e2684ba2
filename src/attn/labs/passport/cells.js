// Tables of small labelled cells on a canvas, which can be pointed at, tapped, and walked through with the keyboard.

import { context2d, element } from "../kit/dom.js";
import { GAP, HEADING, layout, nextCell } from "./layout.js";

const FONT = "11px";
const SMALL_FONT = "9.5px"; // of long labels in narrow cells

/** @typedef {{ text: string, brief?: string, colour?: string | null }} Title brief: where there is little room; colour: behind it */
/** @typedef {{ colour: string, long: string, short: string | number, wrong: boolean }} Cell with its labels, and a mark if `wrong` */

/**
 * @param {(n: number | null, how: "hover" | "click" | "key") => void} onPoint is called with the number of a cell, or null
 * @param {() => number | null} pinned the cell from which the keyboard continues. It is read at every key, because the drawing may be
 *   one frame old.
 */
export function cellTables(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application" });
  const frame = element("span", { hidden: true });
  const stack = element("div", { class: "stack" }, canvas, element("div", { class: "marks" }, frame));
  const node = element("div", { class: "scroll" }, stack);
  // The first sample is drawn here and copied from here: copying pixels costs less than drawing letters. This canvas is not in the
  // page: on a canvas in the page, every change of the font makes the browser lay out the page.
  const sheet = element("canvas");
  const [picture, brush] = [context2d(canvas), context2d(sheet)];
  /** @type {import("./layout.js").Shape & { plan: ReturnType<typeof layout> } | null} */
  let drawn = null;
  /** @type {number | null} */
  let highlighted = null;
  let style = { width: 340, family: "sans-serif", ink: "#000" };

  function cellUnder(event) {
    if (!drawn) return null;
    const { tables, R, C, plan } = drawn;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    for (let n = 0; n < tables * R * C; n++) {
      const [left, top] = plan.cellAt(n);
      if (x >= left && x < left + plan.cellWidth && y >= top && y < top + plan.cellHeight) return n;
    }
    return null;
  }
  canvas.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onPoint(cellUnder(event), "hover"));
  canvas.addEventListener("pointerleave", () => onPoint(null, "hover"));
  canvas.addEventListener("click", (event) => onPoint(cellUnder(event), "click"));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") onPoint(null, "key");
    if (!drawn || event.ctrlKey || event.altKey || event.metaKey) return;
    const from = pinned();
    const to = nextCell(from ?? 0, event.key, drawn);
    if (to === null) return;
    event.preventDefault();
    onPoint(from === null ? 0 : to, "key");
  });

  /**
   * Read the width and the style that `draw` is to use. Call this before anything changes: afterwards the browser would have to lay out
   * the whole lab first.
   */
  function measure() {
    const { fontFamily, color } = getComputedStyle(canvas);
    style = { width: (node.clientWidth || 346) - 6, family: fontFamily, ink: color };
  }

  /**
   * Draw the tables. All samples look like the first one, so only its cells are given.
   *
   * @param {import("./layout.js").Shape & {
   *   cells: Cell[],
   *   headings: (table: number) => Title[],
   *   rows: { axis: string, titles: Title[] },
   *   captions: string[] | null,
   *   label: string,
   *   wrap?: boolean,
   * }} tables headings: a title for each group of columns; captions: a name for each sample
   */
  function draw({ cells, headings, rows, captions, label, wrap = false, ...shape }) {
    const { tables, perSample, group } = shape;
    brush.font = `${FONT} ${style.family}`;
    const left = 12 + Math.max(...[rows.axis, ...rows.titles.map(({ text }) => text)].map((text) => brush.measureText(text).width));
    brush.font = `${SMALL_FONT} ${style.family}`;
    const labelWidth = Math.ceil(brush.measureText("0.0.0").width) + 4;
    const plan = layout({ ...shape, left, captioned: captions !== null, wrap, width: style.width, labelWidth });
    drawn = { ...shape, plan };
    canvas.setAttribute("aria-label", label);
    const ratio = globalThis.devicePixelRatio || 1;
    const samples = tables / perSample;
    resize(plan, samples > 1 ? plan.sampleHeight : plan.height, ratio);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.textBaseline = "middle";
    drawCells(cells, plan, labelWidth);
    const groupWidth = group * plan.cellWidth + GAP.group;
    brush.font = `${FONT} ${style.family}`;
    for (let table = 0; table < perSample; table++) {
      const [x, y, column] = plan.corner(table);
      headings(table).forEach(({ text, brief, colour }, n) => {
        drawTitle({ text: groupWidth < 55 ? (brief ?? text) : text, colour }, x + n * groupWidth, y - HEADING / 2, "left");
      });
      if (column > 0) continue;
      drawTitle({ text: rows.axis }, x - 6, y - HEADING / 2, "right");
      if (plan.cellHeight >= 10)
        rows.titles.forEach((title, row) => drawTitle(title, x - 6, y + (row + 0.5) * plan.cellHeight, "right"));
    }
    picture.clearRect(0, 0, canvas.width, canvas.height);
    for (let sample = 0; sample < samples; sample++) {
      if (captions) {
        brush.clearRect(0, 0, plan.width, HEADING);
        brush.font = `bold ${FONT} ${style.family}`;
        drawTitle({ text: captions[sample] }, 0, HEADING / 2, "left");
      }
      picture.drawImage(sheet, 0, Math.round(sample * plan.sampleHeight * ratio));
    }
    highlight(highlighted);
  }

  function resize({ width, height }, sheetHeight, ratio) {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    sheet.width = w; // setting a size also clears the canvas
    sheet.height = Math.round(sheetHeight * ratio);
  }

  /** All cells, one colour after the other, then their labels and marks. */
  function drawCells(cells, { cellWidth, cellHeight, cellAt, hasDigits, hasLongLabels }, labelWidth) {
    const border = hasDigits ? 1 : 0;
    const corners = cells.map((_, n) => cellAt(n));
    for (const colour of new Set(cells.map((cell) => cell.colour))) {
      brush.fillStyle = colour;
      cells.forEach((cell, n) => {
        const [x, y] = corners[n];
        if (cell.colour === colour) brush.fillRect(x, y, cellWidth - border, cellHeight - border);
      });
    }
    brush.fillStyle = "#000";
    if (hasDigits) {
      brush.font = `${hasLongLabels && cellWidth <= labelWidth + 5 ? SMALL_FONT : FONT} ${style.family}`;
      brush.textAlign = "center";
      cells.forEach(({ long, short }, n) => {
        const [x, y] = corners[n];
        brush.fillText(hasLongLabels ? long : String(short), x + cellWidth / 2 - 0.5, y + cellHeight / 2);
      });
    }
    const fold = Math.min(7, cellWidth / 2.4, cellHeight / 2.4); // the upper right corner of a wrong cell is folded down
    brush.beginPath();
    cells.forEach(({ wrong }, n) => {
      if (!wrong) return;
      const [x, y] = [corners[n][0] + cellWidth - border, corners[n][1]];
      brush.moveTo(x - fold, y);
      brush.lineTo(x, y);
      brush.lineTo(x, y + fold);
    });
    brush.fill();
  }

  /**
   * A title, on a patch of its colour if it has one.
   *
   * @param {Title} title
   * @param {number} x
   * @param {number} y
   * @param {"left" | "right"} align
   */
  function drawTitle({ text, colour }, x, y, align) {
    if (colour) {
      const width = brush.measureText(text).width + 8;
      brush.fillStyle = colour;
      brush.fillRect(align === "right" ? x - width + 4 : x, y - 7, width, 14);
    }
    brush.fillStyle = colour ? "#000" : style.ink;
    brush.textAlign = align;
    brush.fillText(text, colour && align === "left" ? x + 4 : x, y);
  }

  /** Put a frame around cell n, or around none if n is null. */
  function highlight(n) {
    if (!drawn) return;
    const { tables, R, C, plan } = drawn;
    highlighted = n !== null && n < tables * R * C ? n : null;
    frame.hidden = highlighted === null;
    if (highlighted === null) return;
    const [left, top] = plan.cellAt(highlighted);
    const size = `width:${plan.cellWidth - 1}px;height:${plan.cellHeight - 1}px`;
    frame.style.cssText = `left:${left}px;top:${top}px;${size}`;
  }

  return { node, canvas, measure, draw, highlight };
}
