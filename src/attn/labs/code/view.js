// CodeLab: the reader types PyTorch. Beside each line stands what it makes, and the tensor of the line under the cursor is drawn large.

import { element } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { stage } from "../kit/stage.js";
import { transition } from "../kit/transition.js";
import { editor } from "./editor.js";
import { large } from "./large.js";
import { rows } from "./rows.js";
import { aboutRow, failureNode, spokenLine } from "./words.js";

/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {import("./sheets.js").Detail} Detail */
/** @typedef {Analysis & { details: Record<number, Detail> }} Results */

/** @param {import("../kit/host.js").Tools} tools */
function build(tools) {
  const { root, set, say } = tools;
  root.dataset.lmSuppressShortcuts = "true"; // in JupyterLab the keys belong to the editor while it has the focus
  /** @type {Results | null} */
  let results = null;
  let code = "";
  /** @type {{ line: number, id: number | null }} the tensor that is drawn large */
  let chosen = { line: 0, id: null };
  let pointed = "";

  const place = large({
    start: () => move.start(),
    onPoint(sentence) {
      pointed = sentence;
      tell();
    },
  });
  const move = transition(root, (passed) => place.paint(passed), 900);
  const text = editor({ label: "Python", onChange: (typed) => set({ code: typed }), onLine: choose });
  const beside = rows((line, id) => choose(line, id));
  const problem = element("div", { class: "problems" });
  const board = stage(tools, {
    picture: [element("div", { class: "program" }, text.node, beside.node), problem, place.node],
    controls: {},
  });
  board.node.classList.add("code");

  /**
   * Draw the tensor of a line: its last one, or the one that was chosen.
   *
   * @param {number} line
   * @param {number} [id]
   */
  function choose(line, id) {
    const found = results?.lines.find((one) => one.line === line);
    const row = found?.rows.find((one) => one.id === id) ?? found?.rows.at(-1);
    if (results) say(spokenLine(results, line));
    if (!row) return;
    chosen = { line, id: row.id };
    show();
  }

  function show() {
    if (!results) return;
    beside.draw(code.split("\n").length, results, chosen);
    place.show(chosen.id === null ? null : (results.details[chosen.id] ?? null));
    tell();
  }

  function tell() {
    const found = results?.lines.find((one) => one.line === chosen.line);
    const row = found?.rows.find((one) => one.id === chosen.id);
    if (pointed) board.tell(pointed);
    else if (row) board.tell(...aboutRow(row, chosen.line));
    else board.tell("");
  }

  /**
   * @param {{ code: string }} settings
   * @param {Results | null} found
   */
  function draw(settings, found) {
    code = settings.code;
    board.update();
    const failures = found ? [...(found.failure ? [found.failure] : []), ...found.syntax] : [];
    text.draw(
      code,
      failures.map((one) => one.line),
    );
    if (!found) return;
    results = found;
    problem.replaceChildren(...failures.slice(0, 1).map(failureNode));
    const stillThere = found.lines.some(({ line, rows: made }) => line === chosen.line && made.some(({ id }) => id === chosen.id));
    const own = found.lines.find(({ line }) => line === text.line)?.rows.at(-1);
    const last = found.lines.findLast(({ rows: made }) => made.length);
    if (own) chosen = { line: text.line, id: own.id };
    else if (!stillThere) chosen = { line: last?.line ?? 0, id: last?.rows.at(-1)?.id ?? null };
    show();
  }

  return { node: board.node, draw, restart: () => move.finish() };
}

/**
 * CodeLab, with what runs the reader's code where there is no kernel.
 *
 * @param {((settings: any) => Promise<any>) | undefined} [ask]
 */
export const makeCodeLab = (ask) =>
  makeLab({ title: "CodeLab: what does each line of your code make?", compute: () => null, ask, build });

export const lab = makeCodeLab();
