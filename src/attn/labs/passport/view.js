// PassportLab: whose numbers does this head hold? The right result and the chosen one, each element with its passport.

import { colourOf } from "../kit/colours.js";
import { choice, element, letter, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { cellTables } from "./cells.js";
import { compute, hiding, passport, story, verdict, WAYS, wayOf } from "./model.js";

const SLIDERS = { B: "samples", L: "tokens", H: "heads", D: "channels per head" };
const GIVEN = { split: ["x", "B, L, H*D"], merge: ["heads", "B, H, L, D"] };
const KEYS = "Arrow keys walk through a table, page up and down through the tables, home and end through the samples.";

// Code in which the axis letters have their colours.
function code(text) {
  return element("code", {}, ...text.split(/\b([BLHD])\b/).map((part, n) => (n % 2 ? letter(part) : part)));
}

function build({ limits, get, set, say }) {
  let last = null; // what was drawn: { state, results }, and of each panel its order
  let hovered = null;
  let announced = null;
  const name = unique("passport");

  const operations = [
    ["split", "split x into heads"],
    ["merge", "merge the heads again"],
  ];
  const operation = choice(`${name}-operation`, "Operation", operations, (value) =>
    set({ operation: value, way: get("way") === "right" ? "right" : wayOf({ operation: value }) }),
  );
  const ways = Object.entries(WAYS).map(([kind, codes]) => {
    const options = Object.entries(codes).map(([way, text]) => [way, element("span", {}, `${way} `, code(text))]);
    return { kind, ...choice(`${name}-${kind}`, "Way", options, (way) => set({ way })) };
  });
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => {
    return { axis, ...slider(axis, meaning, (size) => set({ [axis]: size })) };
  });
  const colours = [
    ["head", "head"],
    ["token", "token"],
  ];
  const colour = choice(`${name}-colour`, "Colour by", colours, (value) => set({ colour_by: value }));
  const notes = element("p", { class: "notes" });
  const legend = element("p", { class: "hint" });
  const panels = ["right", "chosen"].map(panel);
  const told = element("p", { class: "pinned" });
  const steps = element("tbody");
  const titles = ["step", "shape", "strides", "contiguous", "memory"].map((title) => element("th", { scope: "col" }, title));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...titles)), steps);
  const nextTitle = element("p");
  const next = element("dl", { class: "next" });
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
    told,
    element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "strides" }, table),
    nextTitle,
    next,
  );

  function panel(kind) {
    const [title, count, about] = ["title", "verdict", "about"].map((name) => element("p", { class: name }));
    const tables = cellTables(
      (n, how) => point(n === null ? null : last[kind].order[n], how),
      () => last[kind].at[pinned()] ?? null,
    );
    const strip = cellTables(point, pinned);
    const node = element("section", { class: kind, "aria-label": kind }, title, count, tables.node, about, strip.node);
    return { kind, title, count, about, tables, strip, node };
  }

  // An element, or null if there is none: sizes may have shrunk since.
  function inside(place) {
    return place in last.right.order ? place : null;
  }

  function pinned() {
    return inside(get("pin"));
  }

  // A second click on what is pinned lets it go; walking with the keys pins what is reached.
  function point(place, how) {
    if (how !== "hover") {
      const pin = how === "click" && place === get("pin") ? null : place;
      set({ pin });
      if (pin !== null) say(story(pin, last.results, last.state));
      hovered = null; // what is pinned is drawn with the change of the pin
    } else if (place !== hovered) {
      hovered = place;
      light();
    }
  }

  function drawCells(state, results) {
    const { B, L, H, D } = state;
    const split = state.operation === "split";
    const key = state.colour_by === "head" ? "h" : "l";
    const chip = (axis, n) => ({ text: `${axis === "h" ? "head " : ""}${n}`, brief: `${n}`, colour: axis === key && colourOf(n) });
    const cell = (as, who, wrong) => ({ colour: colourOf(as[key]), long: `${who.l}.${who.h}.${who.d}`, short: who[key], wrong });
    const owners = range(B * L * H * D).map((place) => passport(place, state));
    const common = { tables: B, perSample: 1, captions: B > 1 ? range(B).map((b) => `sample ${b}`) : null };
    const tokens = { what: "token", titles: range(L).map((l) => chip("l", l)) };
    const heads = (table) => (split ? [chip("h", table % H)] : range(H).map((h) => chip("h", h)));
    const lines = { what: split ? "token" : "head", titles: range(split ? L : H).map((n) => ({ text: `${n}`, colour: null })) };
    const line = (split ? H : L) * D;
    last = { state, results };
    const firstSample = range(owners.length / B);
    for (const { kind, tables, strip } of panels) {
      const order = Array.from(kind === "right" ? results.right : results.result);
      const at = [];
      order.forEach((place, n) => (at[place] = n));
      const shape = split ? { tables: B * H, perSample: H, C: D } : { C: H * D };
      last[kind] = { order, at };
      tables.draw({
        ...common,
        R: L,
        group: D,
        ...shape,
        headings: heads,
        lines: tokens,
        wrap: order.length <= 400,
        cells: firstSample.map((n) => cell(owners[order[n]], owners[order[n]], order[n] !== results.right[n])),
        label: `${kind} result. ${KEYS}`,
      });
      strip.draw({
        ...common,
        R: order.length / B / line,
        C: line,
        group: line,
        headings: () => [],
        lines,
        cells: firstSample.map((place) =>
          cell(owners[results.right[at[place]]], owners[place], results.right[at[place]] !== place),
        ),
        label: `memory as the ${kind} way reads it. ${KEYS}`,
      });
    }
  }

  // Light up one element, the pinned one or the one that is pointed at, in all four pictures, and tell its story.
  function light() {
    const { state, results } = last;
    const lit = inside(hovered) ?? inside(state.pin);
    for (const { kind, tables, strip } of panels) {
      tables.light(lit === null ? null : last[kind].at[lit]);
      strip.light(lit);
    }
    const invitation = "Point at a cell, or tap it: the same element lights up in all four pictures.";
    setText(told, lit === null ? invitation : story(lit, results, state));
  }

  // found: the sentences about sizes behind which the bug hides.
  function drawWords(state, { result, counts, steps: made, next: tried }, found) {
    const [given, axes] = GIVEN[state.operation];
    const codes = WAYS[state.operation];
    const total = result.length;
    const bad = counts["in place"] < total;
    const lucky = !bad && wayOf(state) !== "right";
    const said = {
      right: [codes.right, `✓ all ${total} elements are in place`],
      chosen: [codes[wayOf(state)], lucky ? `⚠ ${found[0]}` : `${bad ? "✗" : "✓"} ${verdict(counts, total)}`],
    };
    notes.replaceChildren(...found.slice(lucky ? 1 : 0).flatMap((note) => [element("span", {}, note), " "]));
    for (const { kind, title, count, about, node } of panels) {
      title.replaceChildren(element("strong", {}, kind), " ", code(`${given}.${said[kind][0]}`));
      setText(count, said[kind][1]);
      setText(about, `Memory of ${given}, in order. Colour: the ${state.colour_by} each number is taken for.`);
      node.classList.toggle("bad", kind === "chosen" && bad);
      node.classList.toggle("lucky", kind === "chosen" && lucky);
    }
    const rows = made.map(({ call, shape, strides, contiguous, memory }) => {
      const step = code(call ? `.${call}` : `${given} (${axes})`);
      return [step, `(${shape.join(", ")})`, `(${strides.join(", ")})`, contiguous ? "yes" : "no", memory || "–"];
    });
    steps.replaceChildren(...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)))));
    const by = state.colour_by;
    const label = `token.head.channel (in narrow cells, its ${by})`;
    setText(
      legend,
      `Colour: the ${by} an element belongs to. Label: its ${label}. Folded corner: another element belongs here, be it of another head, token or channel.`,
    );
    setText(nextTitle, state.operation === "split" ? "What can follow the chosen way" : "What the last step might be");
    next.replaceChildren(
      ...tried.flatMap(({ call, does, message }) => {
        const kept = call === "contiguous()" ? "nothing to do: it is contiguous" : "a view: nothing is copied";
        const words = { view: kept, copy: `a copy of ${total} numbers`, error: `RuntimeError: ${message}` };
        return [element("dt", {}, code(`.${call}`)), element("dd", { class: does }, words[does])];
      }),
    );
  }

  function draw(state, results) {
    const way = wayOf(state);
    for (const { tables, strip } of panels) for (const one of [tables, strip]) one.measure();
    operation.update(state.operation);
    for (const one of ways) {
      one.node.hidden = one.kind !== state.operation;
      one.update(way);
    }
    sliders.forEach((one) => one.update(state[one.axis], limits()[one.axis]));
    colour.update(state.colour_by);
    if (!results) return;
    const found = hiding(state, results.counts);
    drawWords(state, results, found);
    drawCells(state, results);
    light();
    const spoken = [`${way}: ${verdict(results.counts, results.result.length)}.`, ...found].join(" ");
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "PassportLab: whose numbers does this head hold?",
  compute,
  build,
});
