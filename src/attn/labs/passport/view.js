// PassportLab: whose numbers does this head hold? The right result and the chosen one, each element with its passport.

import { colourOf } from "../kit/colours.js";
import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { code, nextCalls, stepsTable } from "./calls.js";
import { cellTables } from "./cells.js";
import { coincidences, compute, describeElement, passport, verdict, WAYS, wayOf } from "./model.js";

const SLIDERS = { B: "samples", L: "tokens", H: "heads", D: "channels per head" };
const GIVEN = { split: { name: "x", axes: "B, L, H*D" }, merge: { name: "heads", axes: "B, H, L, D" } };
const KEYS = "Arrow keys walk through a table, page up and down through the tables, home and end through the samples.";
const INVITATION = "Point at a cell, or tap it: the same element lights up in all four pictures.";
const MOST_WRAPPED = 400; // elements: with more of them, the tables would be too tall in two lines

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, announce }) {
  /** @type {import("./model.js").Settings & { colour_by: "head" | "token", pin: number | null }} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {{ result: ArrayLike<number>, right: ArrayLike<number>, counts: import("./model.js").Counts, steps: any[], next: any[] }} */
  let results;
  /** @type {number | null} */
  let hovered = null;
  const name = unique("passport");

  const operation = choice(
    `${name}-operation`,
    "Operation",
    [
      ["split", "split x into heads"],
      ["merge", "merge the heads again"],
    ],
    (value) => set({ operation: value, way: get("way") === "right" ? "right" : wayOf({ operation: value }) }),
  );
  const ways = Object.entries(WAYS).map(([kind, codes]) => {
    /** @type {[string, Node][]} */
    const options = Object.entries(codes).map(([way, text]) => [way, element("span", {}, `${way} `, code(text))]);
    return { kind, ...choice(`${name}-${kind}`, "Way", options, (way) => set({ way })) };
  });
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const colour = choice(
    `${name}-colour`,
    "Colour by",
    [
      ["head", "head"],
      ["token", "token"],
    ],
    (colour_by) => set({ colour_by }),
  );
  const notes = element("p", { class: "notes" });
  const legend = element("p", { class: "hint" });
  const panels = [makePanel("right"), makePanel("chosen")];
  const description = element("p", { class: "pinned" });
  const steps = stepsTable();
  const next = nextCalls();
  const node = element(
    "div",
    { class: "passport" },
    operation.node,
    ...ways.map((one) => one.node),
    colour.node,
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    notes,
    legend,
    element("div", { class: "panels" }, ...panels.map((one) => one.node)),
    description,
    steps.node,
    ...next.nodes,
  );

  /** A result as tables, and below it the memory of what was given. */
  function makePanel(kind) {
    const [title, count, about] = ["title", "verdict", "about"].map((name) => element("p", { class: name }));
    /** @type {[number[], number[]]} */
    const [order, cellOf] = [[], []]; // the place of the element in each cell of the tables, and the cell of each place
    const panel = { kind, title, count, about, order, cellOf };
    const tables = cellTables(
      (n, how) => point(n === null ? null : panel.order[n], how),
      () => panel.cellOf[pinned()] ?? null,
    );
    const memory = cellTables(point, pinned);
    const node = element("section", { class: kind, "aria-label": kind }, title, count, tables.node, about, memory.node);
    return Object.assign(panel, { tables, memory, node });
  }

  /** The place, or null if there is no such element: the sizes may have shrunk. */
  function existing(place) {
    return results && place !== null && place < results.right.length ? place : null;
  }
  function pinned() {
    return existing(get("pin"));
  }

  /** A click pins an element, a second click unpins it, and walking with the keys pins the element that is reached. */
  function point(place, how) {
    if (how === "hover") {
      if (place === hovered) return;
      hovered = place;
      drawHighlight();
      return;
    }
    const pin = how === "click" && place === get("pin") ? null : place;
    set({ pin });
    if (pin !== null) say(describeElement(pin, results, settings));
    hovered = null; // the change of the pin draws the highlight
  }

  function drawTables() {
    const { B, L, H, D, operation, colour_by } = settings;
    const split = operation === "split";
    const key = colour_by === "head" ? "h" : "l"; // of a passport
    const owners = range(B * L * H * D).map((place) => passport(place, settings));
    /** The title of head or token n, in its colour if that is what the colours show. */
    const titleOf = (axis, n) => ({
      text: axis === "h" ? `head ${n}` : `${n}`,
      brief: `${n}`,
      colour: axis === key ? colourOf(n) : null,
    });
    const cell = (takenFor, owner, wrong) => ({
      colour: colourOf(takenFor[key]),
      long: `${owner.l}.${owner.h}.${owner.d}`,
      short: owner[key],
      wrong,
    });
    const common = { perSample: 1, captions: B > 1 ? range(B).map((b) => `sample ${b}`) : null };
    const width = (split ? H : L) * D; // of a row of the memory
    const firstSample = range(owners.length / B);
    for (const panel of panels) {
      const order = Array.from(panel.kind === "right" ? results.right : results.result);
      panel.order = order;
      panel.cellOf = [];
      order.forEach((place, n) => {
        panel.cellOf[place] = n;
      });
      panel.tables.draw({
        ...common,
        ...(split ? { tables: B * H, perSample: H, C: D } : { tables: B, C: H * D }),
        R: L,
        group: D,
        headings: (table) => (split ? [titleOf("h", table % H)] : range(H).map((h) => titleOf("h", h))),
        rows: { axis: "token", titles: range(L).map((l) => titleOf("l", l)) },
        wrap: order.length <= MOST_WRAPPED,
        cells: firstSample.map((n) => cell(owners[order[n]], owners[order[n]], order[n] !== results.right[n])),
        label: `${panel.kind} result. ${KEYS}`,
      });
      panel.memory.draw({
        ...common,
        tables: B,
        R: order.length / B / width,
        C: width,
        group: width,
        headings: () => [],
        rows: { axis: split ? "token" : "head", titles: range(split ? L : H).map((n) => ({ text: `${n}` })) },
        cells: firstSample.map((place) => {
          const takenFor = results.right[panel.cellOf[place]];
          return cell(owners[takenFor], owners[place], takenFor !== place);
        }),
        label: `memory as the ${panel.kind} way reads it. ${KEYS}`,
      });
    }
  }

  /** Highlight the element that is pointed at, or else the pinned one, in all four pictures, and describe it. */
  function drawHighlight() {
    if (!results) return;
    const place = existing(hovered) ?? existing(settings.pin);
    for (const { cellOf, tables, memory } of panels) {
      tables.highlight(place === null ? null : cellOf[place]);
      memory.highlight(place);
    }
    setText(description, place === null ? INVITATION : describeElement(place, results, settings));
  }

  /** @param {string[]} hidingSizes the sentences about sizes that hide the bug */
  function drawWords(hidingSizes) {
    const { operation, colour_by } = settings;
    const { result, counts } = results;
    const given = GIVEN[operation];
    const total = result.length;
    const bad = counts["in place"] < total;
    const lucky = !bad && wayOf(settings) !== "right";
    const said = {
      right: [WAYS[operation].right, `✓ all ${total} elements are in place`],
      chosen: [WAYS[operation][wayOf(settings)], lucky ? `⚠ ${hidingSizes[0]}` : `${bad ? "✗" : "✓"} ${verdict(counts, total)}`],
    };
    notes.replaceChildren(...hidingSizes.slice(lucky ? 1 : 0).flatMap((note) => [element("span", {}, note), " "]));
    for (const { kind, title, count, about, node } of panels) {
      const [way, text] = said[kind];
      title.replaceChildren(element("strong", {}, kind), " ", code(`${given.name}.${way}`));
      setText(count, text);
      setText(about, `Memory of ${given.name}, in order. Colour: the ${colour_by} each number is taken for.`);
      node.classList.toggle("bad", kind === "chosen" && bad);
      node.classList.toggle("lucky", kind === "chosen" && lucky);
    }
    setText(
      legend,
      `Colour: the ${colour_by} an element belongs to. Label: its token.head.channel (in narrow cells, its ${colour_by}). ` +
        "Folded corner: another element belongs here, be it of another head, token or channel.",
    );
    steps.draw(results.steps, `${given.name} (${given.axes})`);
    next.draw(results.next, operation === "split" ? "What can follow the chosen way" : "What the last step might be", total);
  }

  function draw(newSettings, newResults) {
    const way = wayOf(newSettings);
    for (const { tables, memory } of panels) for (const one of [tables, memory]) one.measure();
    operation.update(newSettings.operation);
    for (const one of ways) {
      one.node.hidden = one.kind !== newSettings.operation;
      one.update(way);
    }
    for (const one of sliders) one.update(newSettings[one.axis], limits()[one.axis]);
    colour.update(newSettings.colour_by);
    if (!newResults) return;
    settings = newSettings;
    results = newResults;
    const hidingSizes = coincidences(settings, results.counts);
    drawWords(hidingSizes);
    drawTables();
    drawHighlight();
    announce([`${way}: ${verdict(results.counts, results.result.length)}.`, ...hidingSizes].join(" "));
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "PassportLab: whose numbers does this head hold?",
  compute,
  build,
});
