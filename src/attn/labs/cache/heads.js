// The heads in CacheLab's picture: tabs of query heads, wired to the tabs of the key/value heads that they read; a sheet of the cache for
// each key/value head; and the size of the cache, a block for each word and head.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { byteCount } from "../kit/format.js";
import { mix, soft, swing } from "../kit/time.js";
import { STEP, tabOf } from "./layout.js";
import { quiet } from "./looks.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const BESIDE = 116; // pixels of the text beside the blocks

const sharedBy = (h, H, G) => Math.floor((h * G) / H);

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintSheets(pen, { plan, looks }, { caches: { from, to, n } }) {
  const { x, y, w, h } = plan.sheet;
  for (let g = plan.hasHeads ? Math.max(from, to) - 1 : 0; g >= 0; g--) {
    const there = g < to ? (g < from ? 1 : soft(n)) : 1 - soft(n);
    if (there <= 0) continue;
    const by = STEP * g * there;
    pen.globalAlpha = g ? there : 1;
    pen.fillStyle = mixed(looks.cache, looks.paper, g ? 0.14 : 0.07);
    pen.fillRect(x + by, y + by, w, h);
    pen.strokeStyle = looks.cache;
    pen.lineWidth = g ? 1 : 2;
    pen.strokeRect(x + by, y + by, w, h);
  }
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintHeads(pen, { plan, looks, state: { H }, head }, { caches: { from, to, n } }) {
  const { tabs } = plan;
  if (!tabs) return;
  const go = swing(n);
  const G = n < 0.5 ? from : to;
  const front = sharedBy(head, H, to);
  const strength = 0.3 + 0.7 * Math.max(from < H ? 1 - go : 0, to < H ? go : 0); // while each head has its own, the wires tell nothing
  const hue = mixed(looks.axes.H, looks.paper, strength);
  for (let g = 0; g < Math.max(from, to); g++) {
    const there = g < to ? (g < from ? 1 : go) : 1 - go;
    if (there <= 0) continue;
    const merged = g < to ? g : sharedBy(sharedFirst(g, H, from), H, to);
    const [a, b] = [tabOf(plan, "k", g), tabOf(plan, "k", merged)];
    const box = { ...a, x: mix(a.x, b.x, go) };
    const fill = g === front ? looks.cache : mixed(looks.cache, looks.paper, 0.3);
    tab(pen, box, fill, g < to || go <= 0 ? String(g) : "", there, looks.cache); // of tabs that lie on each other one has a number
  }
  for (let h = 0; h < H; h++) {
    const start = tabOf(plan, "q", h);
    const [a, b] = [from, to].map((count) => tabOf(plan, "k", sharedBy(h, H, count)));
    const isFront = h === head;
    const end = mix(a.x, b.x, go) + a.w / 2;
    const [top, low] = [start.y + start.h, a.y];
    const lane = mix(top, low, (H - h) / (H + 1)); // a wire that begins further left runs lower, so that none crosses another
    const x = start.x + start.w / 2;
    pen.globalAlpha = 1;
    pen.strokeStyle = isFront ? hue : mixed(hue, looks.paper, 0.4);
    pen.lineWidth = isFront ? 2.5 : 1.5;
    pen.beginPath();
    pen.moveTo(x, top);
    pen.arcTo(x, lane, end, lane, 5);
    pen.arcTo(end, lane, end, low, 5);
    pen.lineTo(end, low);
    pen.stroke();
  }
  for (let h = 0; h < H; h++) {
    const fill = h === head ? hue : mixed(hue, looks.paper, 0.2);
    tab(pen, tabOf(plan, "q", h), fill, String(h), 1, mixed(hue, looks.paper, h === head ? 1 : 0.4));
  }
  const { x, y, h } = tabOf(plan, "q", H - 1);
  let at = x + tabs.w + 8;
  at += write(pen, "H", at, y + h / 2, { colour: looks.axes.H, weight: 700 });
  write(pen, ` = ${H} query head${H > 1 ? "s" : ""}`, at, y + h / 2, { colour: looks.ink });
  const beside = tabOf(plan, "k", 0);
  pen.globalAlpha = settledOf(n);
  write(pen, "cache", beside.x + mix(from, to, go) * (beside.w + tabs.gap) + 5, beside.y + h / 2, {
    colour: looks.ink,
    weight: 700,
    size: 13,
  });
  const text = ` = ${G} key/value head${G > 1 ? "s" : ""}`;
  pen.font = `400 12px ${FONT}`;
  const left = plan.narrow ? tabs.k.x - 8 - pen.measureText(text).width : beside.x + mix(from, to, go) * (beside.w + tabs.gap) + 64;
  write(pen, text, left, tabs.k.y + h / 2, { colour: looks.ink });
  write(pen, "G", left, tabs.k.y + h / 2, { colour: looks.axes.G, weight: 700, align: "right" });
  pen.globalAlpha = 1;
}

/** How visible a count is while heads merge: in between none is true. @param {number} n */
const settledOf = (n) => Math.max(0, 1 - 8 * n, 8 * n - 7);

// The first query head that reads key/value head g.
const sharedFirst = (g, H, G) => Math.ceil((g * H) / G);

function tab(pen, { x, y, w, h }, fill, text, alpha, frame) {
  pen.globalAlpha = alpha;
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(x, y, w, h, [4, 4, 0, 0]);
  pen.fill();
  if (frame) {
    pen.strokeStyle = frame;
    pen.lineWidth = 2;
    pen.stroke();
  }
  write(pen, text, x + w / 2, y + h / 2 + 1, { colour: inkOn(fill), align: "center", weight: 600 });
  pen.globalAlpha = 1;
}

/**
 * The size of the cache: a column of blocks for each word, a row for each key/value head. A block is a key and a value.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintBlocks(pen, { plan, looks, state: { S, H, G }, results: { costs } }, { caches: { from, to, n, column } }) {
  const { unit, foot } = plan;
  // On a phone the text beside the blocks takes its room from the left.
  const x = plan.narrow ? Math.min(plan.sheet.x, plan.width - BESIDE - plan.slots * unit) : plan.sheet.x;
  for (let g = 0; plan.hasHeads && g < H; g++)
    for (let i = 0; i < plan.slots; i++) {
      const there = (g < Math.min(from, to) ? 1 : g < to ? n : g < from ? 1 - soft(n) : 0) * (i < S - 1 ? 1 : i < S ? column : 0);
      const [a, b] = [x + i * unit, foot + g * unit];
      pen.globalAlpha = 0.35;
      pen.strokeStyle = looks.cache;
      pen.lineWidth = 1;
      pen.strokeRect(a + 0.5, b + 0.5, unit - 3, unit - 3);
      pen.globalAlpha = there;
      pen.fillStyle = looks.cache;
      pen.fillRect(a, b, unit - 2, unit - 2);
    }
  pen.globalAlpha = 1;
  const at = x + (plan.hasHeads ? plan.slots * unit + 6 : 0);
  const size = (heads) => byteCount((((costs.kept * heads) / G) * (column < 0.5 ? S - 1 : S)) / S); // a word that arrives counts when it is in the cache
  const kept = size(n < 0.5 ? from : to);
  const not = G < H && n === 1 ? `not ${size(H)}` : "";
  const { ink } = looks;
  pen.globalAlpha = settledOf(n);
  if (plan.narrow) {
    write(pen, `cache: ${kept}`, at, foot + 4, { colour: ink, weight: 700, size: 11 });
    return write(pen, not, at, foot + 17, { colour: quiet(looks), size: 11 });
  }
  const total = `cache of this layer: ${kept}${not && `, ${not}`}`;
  pen.font = `700 15px ${FONT}`;
  const large = pen.measureText(total).width < plan.width - at;
  write(pen, total, at, foot + 16, { colour: ink, weight: 700, size: large ? 15 : 13 });
}
