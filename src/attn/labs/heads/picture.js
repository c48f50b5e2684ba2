// What HeadsLab draws: the table, the arrows and the answers of one word's y, or the merge.

import { penFor } from "../kit/canvas.js";
import { coloursOf, mixed, tints } from "../kit/colours.js";
import { element } from "../kit/dom.js";
import { clamp, range } from "../kit/math.js";
import { progress, swing } from "../kit/time.js";
import { answerBoxes } from "./answers.js";
import { paintArrows } from "./arrows.js";
import { mergeOf, tableOf, tablePlace } from "./layout.js";
import { paintMerge } from "./merge.js";
import { sourceOf } from "./model.js";
import { headTints } from "./pen.js";
import { flatBetween, flatten, frameOf, orderOf, sharesOf } from "./plane.js";
import { repliesOf } from "./replies.js";
import { sceneOf } from "./scene.js";
import { paintTable } from "./table.js";
import { partOf } from "./words.js";

/** @typedef {{ state: import("./view.js").State, results: import("./model.js").Results, words: string[] }} Drawn */
/** @typedef {import("./scene.js").Parts & { order: number[], word: number, flat: import("./arrows.js").Drawn }} Sum of one word's y */

/**
 * @typedef {object} Moment
 * @property {"sum" | "merge"} part
 * @property {Sum} now
 * @property {Sum | null} before where the move comes from
 * @property {import("./scene.js").Kind | "merge"} kind of the move
 * @property {number} t how much of it has passed
 * @property {number[]} at the word and the number of y, or the row of concat and its piece
 * @property {boolean} isOpen whether one number of y is written out
 * @property {number | null} block the head that is taken apart into rows of W_O
 * @property {boolean} marked whether the piece was chosen by the reader
 */

/**
 * @param {HTMLElement} root
 * @param {Record<string, boolean>} wanted parts
 */
export function headsPicture(root, wanted) {
  const drawing = { tabindex: 0, role: "application" };
  const table = element("canvas", { ...drawing, "aria-roledescription": "sum over heads" });
  const pieces = element("canvas", { ...drawing, "aria-roledescription": "merge of heads" });
  const arrows = element("canvas", { role: "img", hidden: !wanted.arrows });
  const answers = answerBoxes();
  const board = element("div", { class: "board" }, table);
  const front = element("div", { class: "front" }, arrows, answers.node);
  const verdicts = ["good", "bad"].map((one) => element("i", { class: one, hidden: true }));
  const nodes = [front, board, pieces, ...verdicts];
  /** @type {ReturnType<typeof paintArrows>} */
  let arrowAt = () => null;
  /** @type {{ plan: import("./layout.js").Plan, E: number } | null} as it is drawn */
  let shown = null;
  const roomFor = () => Math.max(240, board.parentElement?.clientWidth || 346);

  /** @param {Drawn} drawn @returns {import("./pen.js").Look} */
  function lookOf({ state: { H, L } }) {
    const axes = coloursOf(root);
    const [good, bad] = verdicts.map((one) => getComputedStyle(one).color);
    return {
      ...{ axes, good, bad, heads: headTints(axes.H, H, axes.paper), words: tints(axes.L, axes.paper, L) },
      ...{ quiet: mixed(axes.ink, axes.paper, 0.72), faint: mixed(axes.ink, axes.paper, 0.4) },
    };
  }

  /**
   * The room for the arrows: beside the answers, or above them.
   *
   * @param {Drawn} drawn
   */
  function arrowRoom({ state: { H, E }, results }) {
    const width = roomFor();
    const { height, roomy } = tableOf({ width, H, E });
    const hasAnswers = wanted.answers && results.trained;
    const wide = roomy && hasAnswers ? width - (width < 860 ? 230 : 350) : width;
    const tall = clamp((width >= 860 ? 424 : roomy ? 417 : 366) - (wanted.sum ? height : 0), 116, 250);
    const all = !wanted.sum || !wanted.arrows ? 0 : tall + height + (roomy || !hasAnswers ? 8 : 105); // of arrows, answers and table
    return { width: wide, height: tall, edge: { x: 71, y: H > 8 ? 22 : 27 }, all };
  }

  /** The table, in the place of the arrows, too, if a head is taken apart. @param {Drawn} drawn @param {number | null} block @param {number} open @param {number} column */
  function planOf(drawn, block, open, column) {
    const { H, E } = drawn.state;
    return tableOf({ width: roomFor(), H, E, block, open, column, room: arrowRoom(drawn).all });
  }

  /**
   * What is drawn of the y of word i.
   *
   * @param {Drawn} drawn
   * @param {number} i
   * @returns {Sum}
   */
  function sumOf(drawn, i) {
    const { state, results } = drawn;
    const { H, L, E, off } = state;
    const vectors = range(H).map((h) => Array.from(results.whole.subarray((h * L + i) * E, (h * L + i) * E + E)));
    const on = range(H).map((h) => !off.includes(sourceOf(state, i, (h * E) / H)[0]));
    const flat = flatten(vectors);
    const missing = range(H).filter((h) => !on[h]);
    const order = orderOf(flat.points);
    return { vectors, on, order, word: i, flat: { ...flat, frame: frameOf(flat.points, missing, arrowRoom(drawn), order) } };
  }

  /**
   * The same with all heads on.
   *
   * @param {Drawn} drawn
   * @param {Sum} now
   * @returns {Sum}
   */
  function withAll(drawn, now) {
    const frame = frameOf(now.flat.points, [], arrowRoom(drawn), now.order);
    return { ...now, on: now.on.map(() => true), flat: { ...now.flat, frame } };
  }

  /** @param {Drawn} drawn @param {Moment} moment */
  function draw(drawn, moment) {
    const { part, block } = moment;
    board.hidden = part !== "sum" || !wanted.sum;
    const isCovered = wanted.sum && block !== null; // the arrows leave while the rows of W_O unfold in their place
    front.hidden = part !== "sum" || (isCovered && moment.t >= 1) || !(wanted.arrows || (wanted.answers && drawn.results.trained));
    front.classList.toggle("leaves", isCovered);
    if (isCovered) front.style.opacity = String(1 - progress(moment.t, 0, 0.12));
    else front.removeAttribute("style");
    pieces.hidden = part !== "merge";
    if (part === "merge") drawPieces(drawn, moment);
    else drawSum(drawn, moment);
  }

  /** @param {Drawn} drawn @param {Moment} moment */
  function drawSum(drawn, { isOpen, now, before, kind, t, at: [i, e], block }) {
    const { state, results, words } = drawn;
    const look = lookOf(drawn);
    const scene = sceneOf(now, before, kind === "merge" ? "rest" : kind, t);
    const labels = range(state.H).map((h) => partOf(state, results.trained, words, i, h));
    if (wanted.sum) drawTable(drawn, { look, scene, labels, isOpen, i, e, block });
    if (wanted.arrows) {
      const room = arrowRoom(drawn);
      const moves = (kind === "change" || kind === "off") && t < 1;
      const flat = moves && before?.vectors.length === state.H ? flatBetween(before.flat, now.flat, swing(t)) : now.flat;
      const pen = penFor(arrows, room.width, room.height);
      arrowAt = paintArrows(pen, { room, look, labels, shares: sharesOf(now.flat), order: now.order }, flat, scene);
    }
    answers.node.hidden = !wanted.answers || !results.trained;
    const { y, isEmpty } = before?.word === now.word ? scene : sceneOf(now, null, "rest", 1);
    if (!answers.node.hidden) answers.draw(words[i], repliesOf(y, words, i), isEmpty, look.heads, look.axes.ink);
  }

  /**
   * @param {Drawn} drawn
   * @param {object} what
   * @param {import("./pen.js").Look} what.look
   * @param {import("./scene.js").Scene} what.scene
   * @param {ReturnType<typeof partOf>[]} what.labels
   * @param {boolean} what.isOpen
   * @param {number} what.i
   * @param {number} what.e
   * @param {number | null} what.block
   */
  function drawTable(drawn, { look, scene, labels, isOpen, i, e, block }) {
    const { state, results, words } = drawn;
    const { H, E } = state;
    const D = E / H;
    const column = isOpen ? e : -1;
    const plan = planOf(drawn, block, scene.open, column);
    shown = { plan, E };
    /** @param {number} h */
    const rowsOf = (h) => ({
      h,
      factors: range(D).map((d) => results.concat[i * E + h * D + d]),
      rows: range(D).map((d) => Array.from(results.W_O.subarray((h * D + d) * E, (h * D + d + 1) * E))),
    });
    const picture = {
      ...{ plan, look, E, word: words[i], labels, column },
      on: scene.amounts.map((amount) => amount > 0.5),
      block: block === null ? null : rowsOf(block),
    };
    paintTable(penFor(table, plan.width, plan.height), picture, scene);
  }

  /** @param {Drawn} drawn @param {Moment} moment */
  function drawPieces(drawn, { kind, t, at: [row, slot], marked }) {
    const { state, results, words } = drawn;
    const { H, L, E } = state;
    const plan = mergeOf({ width: roomFor(), H, L, E });
    const names = range(H).map((h) => partOf({ ...state, merge: "right" }, results.trained, words, 0, h).text);
    const at = /** @type {[number, number]} */ ([Math.min(row, L - 1), Math.min(slot, H - 1)]);
    const picture = { plan, state, look: lookOf(drawn), words, names, at, marked: marked || H > 4 };
    paintMerge(penFor(pieces, plan.width, plan.height), picture, kind === "merge" ? t : 1);
  }

  /** The row whose arrow, or its name, is at a point of the arrows. @param {MouseEvent} event */
  const pointedAt = ({ offsetX, offsetY }) => arrowAt([offsetX, offsetY]);

  /** The row and the column of the table at a point of it. @param {number} x @param {number} y */
  const tableAt = (x, y) => shown && tablePlace(shown.plan, shown.E, x, y);

  return { nodes, table, pieces, arrows, roomFor, tableAt, sumOf, withAll, draw, pointedAt };
}
