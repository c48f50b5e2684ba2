// How RolesLab's picture is drawn: a canvas whose unit is the CSS pixel.

import { penFor } from "../kit/canvas.js";
import { coloursOf, inkOn, mixed, ramp } from "../kit/colours.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { magnitude, shade } from "../kit/scale.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Box} Box */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {{ place: number, old: string, keys: number, values: number, out: number[] }} Alike */
/** @typedef {{ colours: Record<string, string>, key: string, other: string, sheet: string, line: string, quiet: string, good: string, bad: string }} Look */

const FAMILY = "system-ui, sans-serif";
export const WORD_FONT = `600 15px ${FAMILY}`;
export const NARROW_WORD_FONT = `600 12px ${FAMILY}`;
const SCORES = 6; // the colours of all scores are on one scale: from here on they are darkest
const OLD = 14; // how wide the output with the replaced word is, beside the new one
const WRITTEN = { w: 30, h: 12 }; // a cell of at least this size has room for its number
/** @type {(isNarrow: boolean) => string} */
const numbersFont = (isNarrow) => `${isNarrow ? 12 : 13}px ${FAMILY}`;
/** What queries and keys are called, and what the values are called. */
export const LETTERS = {
  x: ["x", "x", "x"],
  one: ["xW", "xW", "xW"],
  three: ["q", "k", "v"],
  table: ["", "", "v"],
};

/**
 * @param {Element} root
 * @returns {Look}
 */
export function lookOf(root) {
  const colours = coloursOf(root);
  const { ink, paper } = colours;
  const keys = ramp(colours.S, paper); // the one with the largest weight, and the others
  const pale = inkOn(paper) === "#fff" && mixed(colours.S, ink, 0.5); // in the dark S is yellow, which darkens to olive
  return {
    ...{
      colours,
      key: pale || keys(0.45),
      other: pale ? mixed(pale, paper, 0.45) : keys(0.85),
      sheet: mixed(ink, paper, 0.09),
      line: mixed(ink, paper, 0.45),
    },
    ...{ quiet: mixed(ink, paper, 0.72), good: mixed("#159447", ink, 0.75), bad: mixed("#d6304a", ink, 0.75) },
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Plan} plan
 * @param {Scene} scene
 * @param {Look} look
 * @param {object} about
 * @param {import("./model.js").From} about.source
 * @param {string} about.question of the head
 * @param {number | null} about.asked the word that the reader compares with
 * @param {string} about.message
 * @param {number} about.row
 * @param {number} about.rows
 * @param {Alike | null} about.alike the word that was replaced, and its cosines with the one in its place
 */
export function paint(canvas, plan, scene, look, { source, question, asked, message, row, rows, alike }) {
  const pen = penFor(canvas, plan.width, plan.height);
  const { colours, quiet } = look;
  const isTable = source === "table";
  const [q, k, v] = LETTERS[source];
  const asker = scene.words.find(({ id }) => id === scene.asker)?.text ?? "";
  const most = {
    pairs: magnitude([...scene.queries, ...scene.keys].flatMap(({ values }) => values)),
    values: magnitude(scene.values.flatMap(({ values }) => values)),
  };
  const labels = labelsOf(plan, { isTable, q, k, v, row, rows, asker, keys: scene.keys, alike });
  for (const { text, axis, x, y, align, strong, alpha = 1 } of labels) {
    pen.globalAlpha = alpha;
    pen.font = strong ? `700 12px ${FAMILY}` : numbersFont(plan.isNarrow);
    pen.textAlign = align ?? "right";
    pen.fillStyle = axis ? colours[axis] : strong ? colours.ink : quiet;
    pen.fillText(text, x, y);
  }
  pen.globalAlpha = 1;
  const largest = Math.max(...scene.segments.map(({ weight }) => weight));
  const part = (/** @type {number} */ weight) => (weight === largest ? look.key : look.other);
  for (const one of scene.segments) paintFunnel(pen, plan, one, isTable, mixed(part(one.weight), colours.paper, 0.5));
  pen.font = numbersFont(plan.isNarrow);
  for (const { value, box } of scene.cells) {
    const isChosen = scene.frame !== null && Math.abs(box.y - scene.frame.y) < 1;
    paintCell(pen, box, value, "weights", 1, { faded: isChosen ? null : look.sheet, written: true, look });
  }
  pen.font = `12px ${FAMILY}`;
  for (const one of scene.keys) paintStrip(pen, one, most.pairs, look, colours.S);
  for (const one of scene.queries) paintStrip(pen, one, most.pairs, look, colours.L);
  if (scene.visitor) paintStrip(pen, scene.visitor, most.pairs, look, colours.L);
  for (const { value, box } of scene.products) {
    pen.globalAlpha = 0.6; // what they are made of can be read below them
    paintCell(pen, box, value, "signed", SCORES, { written: false, look });
    pen.globalAlpha = 1;
  }
  pen.font = plan.isNarrow ? numbersFont(true) : `600 15px ${FAMILY}`;
  const best = Math.max(...scene.scores.map(({ value }) => value));
  for (const { value, box, alpha, said } of scene.scores) {
    pen.globalAlpha = alpha;
    const faded = value < best ? look.sheet : null; // the largest is the loudest, however negative the others are
    paintCell(pen, box, value, "signed", SCORES, { written: true, said, digits: 2, faded, look });
    pen.globalAlpha = 1;
  }
  pen.font = numbersFont(plan.isNarrow);
  if (scene.frame) ring(pen, scene.frame, look);
  paintBar(pen, plan, scene, part, look, isTable ? `no row ${row}: the matrix ends at ${rows - 1}` : "");
  pen.font = numbersFont(plan.isNarrow);
  for (const { value, box } of scene.falling) paintCell(pen, box, value, "weights", 1, { written: true, look });
  // Values are pale as long as they are the same vectors as the queries: then what counts is who finds whom.
  const valued = (/** @type {import("./scene.js").Strip} */ one) =>
    paintStrip(pen, v === "v" ? one : { ...one, alpha: 0.35 * one.alpha, said: 0 }, most.values, look, null);
  scene.values.forEach(valued);
  scene.blended.forEach(valued);
  paintOut(pen, plan, scene, valued, look, message, alike);
  for (const one of scene.words) paintWord(pen, one, plan, scene, question, asked, look); // over what they pass
}

/**
 * The names of what is drawn.
 *
 * @param {Plan} plan
 * @param {{ isTable: boolean, q: string, k: string, v: string, row: number, rows: number, asker: string, keys: Scene["keys"],
 *   alike: Alike | null }} names
 * @returns {{ text: string, axis?: string, x: number, y: number, align?: CanvasTextAlign, strong?: boolean, alpha?: number }[]}
 */
function labelsOf(
  { isNarrow, columns, names, pairs, scores, table, bar, values, out, gutter, width },
  { isTable, q, k, v, row, rows, asker, keys, alike },
) {
  const x = gutter - 10;
  const below = values.y + values.h + 10;
  // What a new word keeps of the old one says what its key and its value are for.
  const [keySign, valueSign] = [alike && alike.keys > 0.95 ? "like" : "unlike", alike && alike.values < 0.5 ? "unlike" : "like"];
  /** @type {(letter: string, sign: string) => string} */
  const compared = (letter, sign) => `${letter} ${sign} ${!alike || alike.old.length > 6 ? "before" : alike.old}`;
  /** @type {{ text: string, axis?: string, x: number, y: number, align?: CanvasTextAlign, strong?: boolean, alpha?: number }[]} */
  const labels = [{ text: "output", x: out.x + out.w / 2, y: below, align: "center" }];
  if (!isTable)
    keys.forEach(({ box: { x, w }, said = 1 }, place) => {
      const at = { y: names.y + 8, align: /** @type {const} */ ("center"), alpha: said }; // what flies leaves no letter behind
      const apart = alike ? Math.abs(place - alike.place) : 9;
      if (!apart && !isNarrow)
        labels.push({ ...at, text: compared(k, keySign), strong: true, x: Math.min(width - 36, Math.max(36, x + w / 2)) });
      else if (v === "v" || place === row) labels.push({ ...at, text: k, axis: "S", x: x + w / 2 });
      if (place === row) labels.push({ ...at, text: q, axis: "L", x: x - w / 2 - 2 });
    });
  else {
    const numbers = range(rows);
    for (const n of numbers) labels.push({ text: `${n}`, x: columns[n].x + columns[n].w / 2, y: names.y + 8, align: "center" });
    const middle = (/** @type {number} */ n) => table.y + ((n + 0.5) * table.h) / rows;
    if (!isNarrow) for (const n of numbers) labels.push({ text: `${n === row ? "row " : ""}${n}`, x, y: middle(n) });
  }
  if (isNarrow) {
    const what = isTable ? `row ${row} of the stored matrix` : `scores: ${q} of ${asker} · each ${k} ÷ √${q === "x" ? "E" : "D"}`;
    labels.push({ text: what, x: 1, y: scores.y + scores.h + 8, align: "left" });
    labels.push({ text: "weights", x: width - 1, y: bar.y + bar.h / 2 });
    if (alike) {
      labels.push({ text: compared(v, valueSign), x: out.x - 8, y: below, strong: true });
    }
    labels.push({ text: alike ? `values (${v})` : `values (${v}), as wide as their weights`, x: 1, y: below, align: "left" });
    return labels;
  }
  if (isTable) {
    labels.push({ text: "stored matrix", x, y: names.y + 8 });
  } else {
    labels.push({ text: `${q} of ${asker}`, axis: "L", x: x - 8, y: pairs.y + pairs.h / 2 - 8 });
    labels.push({ text: `${k} of each`, axis: "S", x: x - 8, y: pairs.y + pairs.h / 2 + 8 });
    if (q === "xW") labels.push({ text: "W is W_Q", x: x - 8, y: pairs.y + pairs.h / 2 + 24 });
    labels.push({ text: `${q} · ${k} ÷ √${q === "x" ? "E" : "D"}`, x, y: scores.y + scores.h / 2 });
  }
  labels.push({ text: "weights", x, y: bar.y + bar.h / 2 });
  labels.push({ text: `values (${v})`, x, y: values.y + values.h / 2 - (alike ? 8 : 0) });
  if (alike) {
    labels.push({ text: compared(v, valueSign), x, y: values.y + values.h / 2 + 10, strong: true });
  }
  if (v === "v") labels.push({ text: "each value is as wide as its weight", x: gutter, y: below, align: "left" });
  return labels;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ id: number, text: string, box: Box }} word
 * @param {Plan} plan
 * @param {Scene} scene
 * @param {string} question
 * @param {number | null} asked
 * @param {Look} look
 */
function paintWord(pen, { id, text, box }, plan, { asker, answer }, question, asked, { colours, sheet, line, good }) {
  const isAsker = id === asker;
  const inner = { x: box.x + 1.5, y: box.y + 1.5, w: box.w - 3, h: box.h - 3 };
  pen.fillStyle = isAsker ? colours.L : sheet;
  pen.beginPath();
  pen.roundRect(inner.x, inner.y, inner.w, inner.h, 6);
  pen.fill();
  pen.strokeStyle = id === asked ? colours.S : line;
  pen.lineWidth = id === asked ? 2 : 1;
  if (!isAsker || id === asked) pen.stroke();
  if (isAsker) {
    pen.beginPath();
    pen.moveTo(box.x + box.w / 2 - 6, inner.y + inner.h);
    pen.lineTo(box.x + box.w / 2 + 6, inner.y + inner.h);
    pen.lineTo(box.x + box.w / 2, inner.y + inner.h + 6);
    pen.fill();
  }
  pen.textAlign = "center";
  // The first that is to be seen: which word asks what, and which one answers.
  const role = id === answer ? "answer" : isAsker && answer !== null ? `${plan.isNarrow ? "" : "asks "}${question}` : "";
  pen.font = `11px ${FAMILY}`;
  pen.fillStyle = isAsker ? inkOn(colours.L) : good;
  pen.fillText(role, box.x + box.w / 2, box.y + box.h - 9);
  pen.font = plan.isNarrow ? NARROW_WORD_FONT : WORD_FONT;
  pen.fillStyle = isAsker ? inkOn(colours.L) : colours.ink;
  pen.fillText(text, box.x + box.w / 2, box.y + box.h / 2 - (role ? 6 : 0));
}

/**
 * From a score to its part of the bar.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Plan} plan
 * @param {Scene["segments"][number]} segment
 * @param {boolean} isTable
 * @param {string} colour
 */
function paintFunnel(pen, { scores, bar, isNarrow }, { box, above, funnel }, isTable, colour) {
  const top = scores.y + scores.h + (isNarrow ? 15 : 2);
  const [y, middle] = [bar.y - 1, (top + bar.y) / 2];
  const inset = isTable ? 1 : 4;
  const [left, right] = [above.x + inset, above.x + above.w - inset];
  pen.fillStyle = colour;
  pen.globalAlpha = funnel;
  pen.beginPath();
  pen.moveTo(left, top);
  pen.bezierCurveTo(left, middle, box.x, middle, box.x, y);
  pen.lineTo(box.x + box.w, y);
  pen.bezierCurveTo(box.x + box.w, middle, right, middle, right, top);
  pen.fill();
  pen.globalAlpha = 1;
}

/**
 * The bar of length 1. Without a row in the table it stays empty, and says why.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Plan} plan
 * @param {Scene} scene
 * @param {(weight: number) => string} part its colour
 * @param {Look} look
 * @param {string} missing
 */
function paintBar(pen, { bar, isNarrow }, { segments }, part, { line, bad }, missing) {
  pen.textAlign = "center";
  for (const { text, weight, box, alpha, said } of segments) {
    if (box.w <= 0) continue;
    pen.globalAlpha = alpha;
    const tint = part(weight);
    pen.fillStyle = tint;
    pen.fillRect(box.x, box.y, Math.max(box.w - 0.5, 0.5), box.h);
    pen.fillStyle = inkOn(tint);
    pen.font = isNarrow ? numbersFont(true) : `600 15px ${FAMILY}`;
    const full = `${text} ${number(weight, 2)}`;
    const short = number(weight, 2);
    const hasRoom = () => pen.measureText(shown).width < box.w - 4;
    let shown = full;
    if (!hasRoom()) [pen.font, shown] = [`12px ${FAMILY}`, short];
    pen.globalAlpha = said;
    if (hasRoom()) pen.fillText(shown, box.x + box.w / 2, box.y + box.h / 2 + 0.5);
    pen.globalAlpha = 1;
  }
  pen.strokeStyle = line;
  pen.lineWidth = 1;
  pen.strokeRect(bar.x + 0.5, bar.y + 0.5, bar.w - 1, bar.h - 1);
  if (segments.length) return;
  pen.font = numbersFont(isNarrow);
  pen.fillStyle = bad;
  pen.fillText(missing, bar.x + bar.w / 2, bar.y + bar.h / 2);
}

/**
 * The weighted sum, below its name.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Plan} plan
 * @param {Scene} scene
 * @param {(strip: import("./scene.js").Strip) => void} valued
 * @param {Look} look
 * @param {string} message
 * @param {Alike | null} alike
 */
function paintOut(pen, { bar, out: place, isNarrow }, { out, segments }, valued, look, message, alike) {
  const middle = place.y + place.h / 2;
  if (segments.length) {
    pen.font = `16px ${FAMILY}`;
    pen.textAlign = "center";
    pen.fillStyle = look.quiet;
    pen.fillText("=", (bar.x + bar.w + place.x) / 2, middle);
  }
  pen.globalAlpha = out.alpha;
  pen.font = numbersFont(isNarrow);
  if (out.values) {
    const [{ box }, w] = [out, alike ? OLD : 0];
    if (alike) valued({ id: 0, values: alike.out, box: { ...box, w }, alpha: 0.4, said: 0 }); // pale, to compare with
    valued({ id: 0, values: out.values, box: { ...box, x: box.x + w, w: box.w - w }, alpha: out.alpha });
  } else if (message) {
    pen.textAlign = "center";
    pen.fillStyle = look.bad;
    pen.fillText("error", place.x + place.w / 2, middle);
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = look.line;
  pen.lineWidth = 1;
  pen.strokeRect(place.x + 0.5, place.y + 0.5, place.w - 1, place.h - 1);
}

/**
 * Numbers below each other, with a line in the colour of their axis.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./scene.js").Strip} strip
 * @param {number} most
 * @param {Look} look
 * @param {string | null} edge
 */
function paintStrip(pen, { values, box, alpha, said = 1 }, most, look, edge) {
  if (box.w <= 0) return;
  pen.globalAlpha = alpha;
  const h = box.h / values.length;
  values.forEach((value, d) => {
    paintCell(pen, { ...box, y: box.y + d * h, h }, value, "signed", most, { written: said > 0, said, digits: 1, look });
  });
  if (edge) {
    pen.strokeStyle = edge;
    pen.lineWidth = 1.5;
    pen.strokeRect(box.x, box.y, box.w, box.h);
  }
  pen.globalAlpha = 1;
}

/**
 * One number as a colour, and as a text where there is room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {number} value
 * @param {import("../kit/scale.js").Scale} scale
 * @param {number} most
 * @param {{ written: boolean, look: Look, digits?: number, faded?: string | null, said?: number }} how `said`: how visible the text is
 */
function paintCell(pen, { x, y, w, h }, value, scale, most, { written, look, digits = 2, faded = null, said = 1 }) {
  const weight = mixed(look.key, look.colours.paper, 0.06 + 0.94 * value);
  const colour = scale === "weights" ? { paper: weight, ink: inkOn(weight) } : shade(value, scale, most);
  if (!colour) return;
  const fill = faded ? mixed(colour.paper, faded, 0.35) : colour.paper;
  pen.fillStyle = fill;
  const seam = Math.min(w, h) > 5 ? 0.5 : 0;
  pen.fillRect(x, y, w - (w > 3 ? seam : 0), h - seam);
  if (!written || w < WRITTEN.w || h < WRITTEN.h) return;
  const alpha = pen.globalAlpha;
  pen.globalAlpha *= said;
  pen.textAlign = "center";
  pen.fillStyle = faded ? look.colours.ink : colour.ink;
  pen.fillText(scale === "weights" && value === 0 ? "0" : signless(value, digits), x + w / 2, y + h / 2 + 0.5);
  pen.globalAlpha = alpha;
}

/**
 * A number in a cell. One that is rounded to zero has no sign.
 *
 * @param {number} value
 * @param {number} digits
 */
export const signless = (value, digits) => number(value, digits).replace(/^−(?=[0.]+$)/, "");

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {Look} look
 */
function ring(pen, { x, y, w, h }, { colours }) {
  pen.strokeStyle = colours.L;
  pen.lineWidth = 2;
  pen.strokeRect(x - 1, y, w + 2, h);
}
