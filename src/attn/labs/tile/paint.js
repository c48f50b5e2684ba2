// TileLab's canvas.

import { FONT, penFor, write } from "../kit/canvas.js";
import { coloursOf, mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { magnitude } from "../kit/scale.js";
import { fall, progress, soft } from "../kit/time.js";
import { frame, ghost, hatch, number, outline, plain, WRITTEN } from "./cells.js";
import { paintBox, paintCopies, paintCount } from "./fast.js";
import { cellOf, partOf } from "./layout.js";
import { EMPTY, GONE, isKept } from "./model.js";
import { between, litAfter, numberBetween, runBetween, saidBetween, scoreBetween } from "./scene.js";
import { isUndivided, scoresTitle } from "./words.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./model.js").Moment} Moment */

/**
 * @typedef {object} Picture what does not depend on the time
 * @property {Plan} plan
 * @property {import("./model.js").Settings} settings
 * @property {{ q: Float32Array, k: Float32Array, v: Float32Array }} operands
 * @property {{ queries: string[], keys: string[] }} words
 * @property {Record<string, string>} look colours of the axes, paper and ink
 * @property {boolean} [isQuick] whether the steps pass too quickly for titles that change with them
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part how much of the step from one to the other has passed
 * @param {number[] | null} wrong rows of the output; null before the end
 * @param {{ before: Moment, after: Moment, strayed: number[] } | null} [right] the same steps without a mistake, and the rows that differ from them
 * @param {import("./scene.js").Sum & { most: number, should: import("./scene.js").Sum | null } | null} [sum] of one row; most: the longest that is drawn; should: the same sum without a mistake
 */
export function paint(canvas, picture, before, after, part, wrong, right = null, sum = null) {
  const { plan, settings, operands } = picture;
  const { L, S, D, method } = settings;
  const pen = penFor(canvas, plan.width, plan.height);
  const [were, are] = [litAfter(settings, before.step), litAfter(settings, after.step)];
  /** @param {string} name @param {number} i @param {number} j how much of it is in fast memory */
  const strengthOf = (name, i, j) => {
    const isIn = (/** @type {import("./scene.js").Lit[]} */ all) =>
      all.some((one) => one.name === name && i >= one.rows[0] && i < one.rows[1] && j >= one.columns[0] && j < one.columns[1]);
    const lit = (isIn(were) ? 1 - soft(part) : 0) + (isIn(are) ? soft(part) : 0);
    return wrong && name === "out" ? 1 : lit;
  };
  const now = wrong || part >= 0.5 ? after : before;
  paintWords(pen, picture, now);
  paintBox(pen, picture, now);
  /** Whether nothing is added up yet. @type {(before: Moment, after: Moment, i: number) => boolean} */
  const isNothing = (before, after, i) => (part < 0.5 ? before : after).out.subarray(i * D, (i + 1) * D).every((one) => !one);
  const isWritten = plan.w >= WRITTEN;
  const most = magnitude([...operands.q, ...operands.k, ...operands.v]);
  /** @type {(block: import("./layout.js").Block, i: number, j: number, value: number) => void} */
  const input = (block, i, j, value) => number(pen, picture.look, cellOf(plan, block, i, j), value, "signed", most, { isWritten });
  for (let d = 0; d < D; d++) {
    for (let i = 0; i < L; i++) input(plan.q, i, d, operands.q[i * D + d]);
    for (let j = 0; j < S; j++) {
      input(plan.k, d, j, operands.k[j * D + d]);
      input(plan.v, d, j, operands.v[j * D + d]);
    }
  }
  paintGrid(pen, picture);
  for (let i = 0; i < L; i++) {
    const run = runBetween(settings, before, after, i, part);
    const isDone = i < (part >= 1 ? after : before).written;
    if (method === "fused")
      for (const [n, name] of /** @type {const} */ ([
        [0, "top"],
        [1, "total"],
      ])) {
        const isKnown = after.top[i] > Number.NEGATIVE_INFINITY || after.total[i] > 0 || strengthOf("run", i, n) > 0;
        const isAhead = name === "total" && !run.total && Number.isFinite(run.top); // its maximum is known first
        const value = isKnown && !isDone && !isAhead ? run[name] : null;
        const box = cellOf(plan, plan[name], i, 0);
        plain(pen, picture.look, box, value, strengthOf("run", i, n));
        if (isDone) ghost(pen, picture.look, box, 1);
      }
    for (let d = 0; d < D; d++) {
      const [from, to] = [before.out[i * D + d], after.out[i * D + d]];
      const strength = strengthOf("out", i, d);
      const isEmpty = !isDone && (strength <= 0 || isNothing(before, after, i));
      /** @type {(block: import("./layout.js").Block, from: number, to: number, isNone: boolean) => void} */
      const output = (block, from, to, isNone) => {
        const how = { isWritten, said: saidBetween(from, to, part, after.step) };
        const value = isNone ? null : numberBetween(from, to, part);
        number(pen, picture.look, cellOf(plan, block, i, d), value, "signed", most, how);
      };
      output(plan.out, from, to, isEmpty);
      if (!right) continue;
      const [was, is] = [right.before.out, right.after.out].map((all) => all.subarray(i * D, (i + 1) * D));
      output(plan.should, was[d], is[d], isEmpty || isNothing(right.before, right.after, i));
    }
  }
  if (wrong) {
    frame(pen, partOf(plan, plan.out, [0, L], [0, D]), wrong.length < L ? picture.look.good : picture.look.bad);
    for (const i of right ? wrong : []) cross(pen, picture, i);
    if (!right && wrong.length < L) for (const i of wrong) frame(pen, partOf(plan, plan.out, [i, i + 1], [0, D]), picture.look.bad);
  }
  if (after.states.every((one) => one === EMPTY)) sayOver(pen, picture, plan.scores, [`${L} × ${S} = ${L * S} scores`, ""]);
  if (method === "stored" && !after.written && after.step?.kind !== "mix") sayOver(pen, picture, plan.out, waitingFor(L * S));
  if (sum && plan.sum) paintSum(pen, picture, sum);
  for (const one of part < 0.5 ? were : are) frameLit(pen, picture, one);
  paintCopies(pen, picture, before, after, part, most);
  paintScores(pen, picture, before, after, part, strengthOf);
  if (method === "fused") paintCount(pen, picture, now);
  if (!wrong) for (const i of right?.strayed ?? []) cross(pen, picture, i);
}

/** A row of the output that is wrong. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} i */
function cross(pen, { plan, settings, look }, i) {
  frame(pen, partOf(plan, plan.out, [i, i + 1], [0, settings.D]), look.bad);
  const x = (plan.out.x + settings.D * plan.w + plan.should.x) / 2;
  write(pen, "✗", x, plan.out.y + (i + 0.5) * plan.h, { colour: look.bad, size: 13, weight: 700, align: "center" });
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./scene.js").Lit} lit */
function frameLit(pen, { plan, look }, { name, rows, columns }) {
  const block = name === "run" ? { ...plan.top, columns: 2 } : plan[name];
  frame(pen, partOf(plan, block, rows, columns), name === "scores" ? look.live : look.ink);
}

/** Where scores can be, and the tiles. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintGrid(pen, { plan, settings, look }) {
  const { L, S, tile } = settings;
  const { x, y, w, h } = partOf(plan, plan.scores, [0, L], [0, S]);
  outline(pen, look, { x: x - 1, y: y - 1, w: w + 2, h: h + 2 }, 0.3);
  pen.globalAlpha = 0.3;
  pen.fillStyle = look.ink;
  for (let j = tile; j < S; j += tile) pen.fillRect(x + j * plan.w - 0.5, y, 1, h);
  for (let i = tile; i < L; i += tile) pen.fillRect(x, y + i * plan.h - 0.5, w, 1);
  pen.globalAlpha = 1;
}

/**
 * The scores: tile by tile they are in fast memory alone; stored, they go from there to slow memory.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @param {(name: string, i: number, j: number) => number} strengthOf
 */
function paintScores(pen, picture, before, after, part, strengthOf) {
  const { plan, settings, look } = picture;
  const { L, S, tile, method } = settings;
  const most = 3;
  for (let at = 0; at < L * S; at++) {
    const [i, j] = [Math.floor(at / S), at % S];
    const place = cellOf(plan, plan.scores, i, j);
    const strength = strengthOf("scores", i, j);
    const { value, kind, alpha, leave } = scoreBetween(at, before, after, part, strength > 0);
    if (kind === "empty" || kind === "gone" || kind === "skipped") {
      if (!isKept(settings, i, j)) hatch(pen, look, place);
      if (kind === "skipped") continue;
    }
    if (leave > 0 || kind === "gone") ghost(pen, look, place, leave > 0 ? soft(leave) : 1);
    if (kind === "empty" || kind === "gone") continue;
    const [scale, end] = kind === "weight" ? /** @type {const} */ (["weights", 1]) : /** @type {const} */ (["signed", most]);
    const slot = cellOf(plan.slots.scores, plan.slots.scores, i % tile, j % tile);
    const isNew = before.states[at] === EMPTY;
    const box = method === "fused" ? slot : isNew ? between(slot, place, progress(part, 0.7, 1, soft)) : place;
    const [dx, dy] = [box.w, box.h].map((size) => 0.45 * size * fall(leave)); // it shrinks, and leaves its outline
    const moved = { x: box.x + dx, y: box.y + dy, w: box.w - 2 * dx, h: box.h - 2 * dy };
    number(pen, look, moved, value, scale, end, { alpha, isWritten: leave < 0.15 && box.w >= WRITTEN });
    if (!isKept(settings, i, j)) hatch(pen, look, moved);
  }
}

/** Over the output, until its first row begins. @param {number} count */
const waitingFor = (count) => [`waits for all ${count} scores`, `waits for all ${count}`, "waits for all", ""];

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./layout.js").Block} block @param {string[]} texts */
function sayOver(pen, { plan, look }, block, texts) {
  const { x, y, w, h } = partOf(plan, block, [0, block.rows], [0, block.columns]);
  const size = 13;
  pen.font = `400 ${size}px ${FONT}`;
  const text = texts.find((one) => pen.measureText(one).width + 12 <= w) ?? texts[texts.length - 1];
  if (!text) return;
  const wide = pen.measureText(text).width + 12;
  const box = { x: x + (w - wide) / 2, y: y + h / 2 - size, w: wide, h: 2 * size };
  pen.fillStyle = look.paper;
  pen.fillRect(box.x, box.y, box.w, box.h);
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour: look.quiet, size, align: "center" });
}

/**
 * The sum of one row as a bar of its terms, with a ghost of what it was before its maximum rose; or below it what it should be.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./scene.js").Sum & { most: number, should: import("./scene.js").Sum | null }} sum
 */
function paintSum(pen, { plan, words, look }, { row, terms, fresh, was, rise, most, should: other }) {
  const { x, y, w } = /** @type {NonNullable<Plan["sum"]>} */ (plan.sum);
  const size = plan.roomy ? 13 : 12;
  const bar = { y: y + 20, h: 18 };
  const room = w - (plan.roomy ? 44 : 30);
  const [total, should] = [terms, other?.terms ?? terms].map((all) => all.reduce((sum, term) => sum + term, 0));
  if (!total && !rise) return;
  write(pen, `${plan.roomy ? "the total of " : "total of "}`, x, y + 8, { colour: look.ink, size, weight: 700 });
  pen.font = `700 ${size}px ${FONT}`;
  const after = pen.measureText(plan.roomy ? "the total of " : "total of ").width;
  write(pen, `“${words.queries[row]}”`, x + after, y + 8, { colour: look.L, size, weight: 700 });
  pen.fillStyle = mixed(look.ink, look.paper, 0.05);
  pen.fillRect(x, bar.y, room, bar.h);
  let at = x;
  for (const [j, term] of terms.entries()) {
    const wide = (term / most) * room;
    const isNew = fresh !== null && j >= fresh[0];
    pen.fillStyle = mixed(look.S, look.paper, isNew ? 0.44 : 0.24);
    pen.fillRect(at, bar.y, Math.max(0, wide - 1), bar.h);
    pen.font = `400 12px ${FONT}`;
    if (pen.measureText(words.keys[j]).width + 6 < wide)
      write(pen, words.keys[j], at + wide / 2, bar.y + bar.h / 2 + 0.5, { colour: look.ink, size: 12, align: "center" });
    at += wide;
  }
  const ghost = was ?? 0;
  if (ghost) {
    pen.strokeStyle = look.quiet;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.strokeRect(x, bar.y - 2, (ghost / most) * room, bar.h + 4);
    pen.setLineDash([]);
  }
  const isWrong = Math.abs(should - total) > 0.01;
  if (isWrong) frame(pen, { x, y: bar.y, w: (total / most) * room, h: bar.h }, look.bad);
  const end = x + (Math.max(total, ghost) / most) * room;
  if (total)
    write(pen, spelled(total, 1), end + 7, bar.y + bar.h / 2 + 0.5, {
      colour: isWrong ? look.bad : look.ink,
      size: 14,
      weight: 700,
    });
  const below = bar.y + bar.h + 13;
  const how = { colour: look.ink, size: plan.roomy ? 15 : 13, weight: 700 };
  if (isWrong) {
    const wide = (should / most) * room;
    pen.fillStyle = look.ink;
    pen.fillRect(x, below - 3, wide, 5);
    write(pen, `should be ${spelled(should, 1)}`, x + wide + 7, below, { colour: look.ink, size });
  } else if (rise) {
    const [low, high, factor] = [spelled(rise.from, 1), spelled(rise.to, 1), spelled(rise.factor, 2)];
    if (plan.roomy) write(pen, `max ${low} → ${high}: earlier terms × ${factor}`, x, below, how);
    else {
      write(pen, `max ${low} → ${high}`, x, below, how);
      write(pen, `earlier × ${factor}`, x, below + 16, how);
    }
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Moment} moment */
function paintWords(pen, { plan, settings, words, look, isQuick = false }, moment) {
  const { L, S, D, method } = settings;
  const size = plan.roomy ? 13 : 12;
  /** @param {string} what @param {string} axes @param {number} x @param {number} y @param {CanvasTextAlign} [align] */
  const title = (what, axes, x, y, align = "left") => {
    const pieces = [[`${what} `, look.ink], ...[...axes].flatMap((one, n) => [...(n ? [["×", look.ink]] : []), [one, look[one]]])];
    pen.font = `700 ${size}px ${FONT}`;
    const wide = pieces.reduce((sum, [text]) => sum + pen.measureText(text).width, 0);
    let at = align === "right" ? x - wide : align === "center" ? x - wide / 2 : x;
    for (const [text, colour] of pieces) at += write(pen, text, at, y, { colour, size, weight: 700 });
    return at;
  };
  const bar = (/** @type {string} */ axis, /** @type {Box} */ { x, y, w, h }) => {
    pen.fillStyle = look[axis];
    pen.fillRect(x, y, w, h);
  };
  const high = L * plan.h;
  bar("L", { x: plan.q.x - 4, y: plan.q.y, w: 3, h: high });
  bar("S", { x: plan.k.x, y: plan.k.y - 4, w: S * plan.w, h: 3 });
  title("q", "LD", plan.q.x, plan.q.y - 9);
  title("kᵀ", "DS", plan.k.x - 8, plan.k.y + D * plan.h - 8, "right"); // what is counted stands above
  title("vᵀ", "DS", plan.v.x - 8, plan.v.y + 8, "right");
  const name = method === "fused" ? "scores" : scoresTitle(method, moment, isQuick);
  const at = title((name.length + 4) * 0.57 * size < S * plan.w ? name : "scores", "LS", plan.scores.x, plan.scores.y - 9);
  const mark = settings.causal || settings.hidden ? "hatched: masked" : moment.states.includes(GONE) ? "dashed: gone" : "";
  if (at + (mark.length + 2) * 0.57 * size < plan.scores.x + S * plan.w)
    write(pen, mark, at + 8, plan.scores.y - 9, { colour: look.quiet, size });
  range(L).forEach((i) => {
    const y = plan.q.y + (i + 0.5) * plan.h;
    write(pen, words.queries[i], plan.q.x - 7, y, { colour: look.L, size, align: "right" });
    if (!plan.roomy)
      write(pen, words.queries[i], plan.top.x - 7, plan.top.y + (i + 0.5) * plan.h, { colour: look.L, align: "right" });
  });
  range(S).forEach((j) => {
    const [x, y] = [plan.k.x + (j + 0.5) * plan.w, plan.k.y - 8];
    if (plan.isUpright) {
      pen.save();
      pen.translate(x, y);
      pen.rotate(-Math.PI / 2);
      write(pen, words.keys[j], 0, 0, { colour: look.S });
      pen.restore();
    } else write(pen, words.keys[j], x, y - 3, { colour: look.S, size: plan.isSmall ? 11 : size, align: "center" });
  });
  bar("L", { x: plan.out.x - 4, y: plan.out.y, w: 3, h: high });
  if (plan.should.columns) title(D * plan.w > 80 ? "should be" : "right", "", plan.should.x, plan.should.y - 9);
  const isSum = method === "fused" && (isQuick || isUndivided(moment, D));
  const beside = plan.should.columns ? plan.should : plan.roomy ? null : plan.sum;
  const end = title(plan.roomy || D > 2 ? "output" : "out", "LD", plan.out.x, plan.out.y - 9) + 8;
  // Until a row is divided, what looks too large is a sum.
  const note = method !== "fused" ? "" : isSum ? "sum so far" : moment.written ? "divided by total" : "";
  if (end + note.length * 0.57 * size < (beside?.x ?? plan.width))
    write(pen, note, end, plan.out.y - 9, { colour: look.ink, size });
  if (method === "fused") {
    const x = plan.top.x + plan.w;
    const [isWide, isTight] = [plan.w >= 24, plan.w < 32];
    const small = plan.isSmall || isTight ? 11 : size;
    const how = { colour: look.ink, size: small, weight: 700, align: /** @type {CanvasTextAlign} */ ("center") };
    write(pen, isWide ? "max" : "m", x - plan.w / 2 - (isTight ? 7 : 0), plan.top.y - 9, how);
    write(pen, isWide ? "total" : "Σ", x + plan.w / 2 - (isTight ? 1 : 0), plan.top.y - 9, how);
  }
}

/**
 * The colours of the page.
 *
 * @param {Element} root
 * @param {Element} good an element in the colour of a good verdict
 * @param {Element} bad
 */
export const lookOf = (root, good, bad) => ({
  ...coloursOf(root),
  ...{ good: getComputedStyle(good).color, bad: getComputedStyle(bad).color },
  live: getComputedStyle(root).getPropertyValue("--lab-accent").trim(),
  quiet: mixed(coloursOf(root).ink, coloursOf(root).paper, 0.68),
});
