// PassportLab's picture, on one canvas: the row of memory, the tables of the right and of the chosen way below it, and the numbers that
// fly from the row into the tables.

import { penFor } from "../kit/canvas.js";
import { coloursOf, contrast, mixed, tints } from "../kit/colours.js";
import { context2d, element, setAttributes } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { fly } from "../kit/moves.js";
import { blocksOf, flightOf, layout, nextCell, rowHeight, rowLayout } from "./layout.js";
import { mistakes } from "./model.js";
import { boxIn, paintCell, paintEdges, paintLabels, paintNames, paintRow } from "./painting.js";

/** @typedef {import("./painting.js").Settings} Settings */
/** @typedef {import("./painting.js").Panel} Panel */
/** @typedef {import("./painting.js").Space} Space */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {"right" | "chosen"} Kind */
/**
 * @typedef {object} Options
 * @property {Settings} settings
 * @property {Results} results
 * @property {{ memory: boolean, heads: boolean, cut: boolean, grip: boolean }} shown
 * @property {{ memory: number } & Record<Kind, number>} widths
 * @property {Record<Kind, Space>} spaces
 * @property {boolean} empty whether the tables are empty still
 * @property {string} label
 */

const FONT = "12px";

/**
 * What black is hard to read on gets dark enough for white, and what fades on white gets more of its colour.
 *
 * @param {string} tint
 * @param {string} colour
 */
const deepened = (tint, colour) =>
  contrast(tint, "#000") < 7.5 ? mixed(tint, "#000", 0.78) : contrast(tint, "#fff") < 1.4 ? mixed(colour, tint, 0.22) : tint;

/**
 * @param {(place: number | null, how: "hover" | "click" | "key") => void} onPoint
 * @param {() => number | null} pinned the place from which the keyboard continues: the drawing may be one frame old
 */
export function makeBoard(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application" });
  const frames = range(3).map(() => element("span", { hidden: true }));
  const marks = element("div", { class: "marks" }, ...frames);
  const pen = context2d(canvas);
  /** @type {ReturnType<typeof arrange> | null} */
  let drawn = null;
  /** @type {[width: number, height: number]} */
  let size = [0, 0];

  canvas.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onPoint(placeUnder(event), "hover"));
  canvas.addEventListener("pointerleave", () => onPoint(null, "hover"));
  canvas.addEventListener("click", (event) => onPoint(placeUnder(event), "click"));
  canvas.addEventListener("keydown", (event) => {
    if (!drawn || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") return onPoint(null, "key");
    const { shape, order, settings } = drawn;
    const from = pinned();
    const total = order.length * settings.B;
    const inSentence = from === null ? 0 : from % order.length;
    const start = from === null ? 0 : order.indexOf(inSentence) + from - inSentence;
    const to = nextCell(start, event.key, { ...shape, tables: shape.tables * settings.B, perSample: shape.tables });
    if (to === null) return;
    event.preventDefault();
    const at = from === null ? 0 : Math.min(to, total - 1);
    onPoint(order[at % order.length] + at - (at % order.length), "key");
  });

  /** @param {PointerEvent | MouseEvent} event */
  function placeUnder(event) {
    if (!drawn) return null;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const inside = ({ x: left, y: top, w, h }) => x >= left && x < left + w && y >= top && y < top + h;
    const { row, count, panels, first } = drawn;
    const inRow = row ? range(count).find((place) => inside(row.cellAt(place))) : undefined;
    if (inRow !== undefined) return first + inRow;
    for (const panel of Object.values(panels)) {
      const n = panel.places.findIndex((_, n) => inside(boxIn(panel, n)));
      if (n >= 0) return first + panel.places[n];
    }
    return null;
  }

  /** @param {string} text */
  const widthOf = (text) => pen.measureText(text).width;

  /**
   * Where everything is.
   *
   * @param {Options} options
   */
  function arrange({ settings, results, shown, widths, spaces, empty }) {
    const { L, H, D, operation } = settings;
    const count = L * H * D;
    const split = operation === "split";
    const shape = split ? { tables: H, R: L, C: D } : { tables: 1, R: L, C: H * D };
    pen.font = `${FONT} ${getComputedStyle(canvas).fontFamily}`;
    const left = Math.ceil(widthOf("word")) + 7;
    const least = Math.ceil(widthOf("0")) + 4;
    const row = shown.memory ? rowLayout(count, widths.memory) : null;
    const wrong = mistakes(results, settings);
    const [right, chosen] = [results.right, results.result].map((places) => Array.from(places).slice(0, count));
    /** @param {Kind} kind @returns {Panel} */
    const panel = (kind) => ({
      places: empty ? [] : { right, chosen }[kind],
      wrong: kind === "right" ? [] : wrong.slice(0, count),
      blocks: blocksOf({ right, chosen }[kind], D),
      plan: layout({ ...shape, rows: shown.grip ? 6 : 0, group: D, width: widths[kind], left, least }),
      space: spaces[kind],
    });
    const panels = /** @type {Record<Kind, Panel>} */ (shown.heads ? { right: panel("right"), chosen: panel("chosen") } : {});
    const first = settings.pin === null ? 0 : count * Math.min(settings.B - 1, Math.floor(settings.pin / count));
    const order = chosen.length ? chosen : right;
    return { settings, shown, shape, count, row, panels, first, order };
  }

  /**
   * How tall the row and the tables will be.
   *
   * @param {Options} options
   */
  function measure(options) {
    const { panels, row } = arrange(options);
    return {
      memory: row ? rowHeight(options.shown) : 0,
      right: panels.right?.plan.height ?? 0,
      chosen: panels.chosen?.plan.height ?? 0,
      pitch: row?.pitch ?? 1,
      edge: row?.edge ?? 1,
    };
  }

  /**
   * Take new contents, to be painted by `paint`.
   *
   * @param {Options} options
   * @param {{ width: number, height: number }} size of the canvas
   */
  function take(options, { width, height }) {
    drawn = arrange(options);
    size = [width, height];
    setAttributes(canvas, { "aria-label": options.label });
    highlight(null);
  }

  /**
   * Paint the picture. The numbers of the panels in `moving` are on their way from the row, panel after panel: how much of that has
   * passed is `passed`.
   *
   * @param {number} passed
   * @param {readonly Kind[]} moving
   */
  function paint(passed, moving) {
    if (!drawn) return;
    const { settings, row, count } = drawn;
    const panels = /** @type {[Kind, Panel][]} */ (Object.entries(drawn.panels));
    penFor(canvas, ...size);
    const colours = coloursOf(canvas);
    const [heads, words] = /** @type {const} */ (["H", "L"]).map(
      (axis) => tints(colours[axis], "#fff", settings[axis]).map((tint) => deepened(tint, colours[axis])), // the same by day and by night
    );
    const context = { ...drawn, pen, colours, heads, words, byHead: settings.colour === "head" };
    pen.font = `${FONT} ${getComputedStyle(canvas).fontFamily}`;
    for (const [, panel] of panels) paintEdges(context, panel);
    const cells = panels.flatMap(([kind, panel]) => {
      const turn = moving.indexOf(kind);
      const flies = row && turn >= 0;
      return panel.places.map((place, n) => {
        const to = boxIn(panel, n);
        const flown = flies ? flightOf(passed * moving.length - turn, panel.blocks[n], count) : 1;
        const wrong = flown === 1 ? (panel.wrong[n] ?? "") : "";
        return { place, box: flies ? fly(row.cellAt(place), to, flown) : to, flown, wrong };
      });
    });
    /** @param {typeof cells} some */
    const paintAll = (some) => {
      for (const { place, box } of some) paintCell(context, place, box);
      paintLabels(context, some);
    };
    paintAll(cells.filter(({ flown }) => flown === 1));
    if (row) paintRow(context, row);
    for (const [, panel] of panels) paintNames(context, panel);
    paintAll(cells.filter(({ flown }) => flown > 0 && flown < 1)); // what flies is above everything
  }

  /**
   * Put a frame around the number of this place, wherever it is drawn, or around none.
   *
   * @param {number | null} place
   */
  function highlight(place) {
    if (!drawn) return;
    const { row, panels, count } = drawn;
    const at = place === null ? null : place % count;
    const boxOf = (/** @type {Panel | undefined} */ panel) => {
      const n = panel && at !== null ? panel.places.indexOf(at) : -1;
      return panel && n >= 0 ? boxIn(panel, n) : null;
    };
    [at !== null && row ? row.cellAt(at) : null, boxOf(panels.right), boxOf(panels.chosen)].forEach((box, n) => {
      frames[n].hidden = !box;
      if (box) frames[n].style.cssText = `left:${box.x}px;top:${box.y}px;width:${box.w - 1}px;height:${box.h - 1}px`;
    });
  }

  return { nodes: [canvas, marks], measure, take, paint, highlight };
}
