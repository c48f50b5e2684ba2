// FilmLab: multi-head attention as a film that can be played, stepped and pointed at.

import { element, setAttributes, setText, sharpness } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { setMoving } from "../kit/moving.js";
import { player, playInSight } from "../kit/player.js";
import { playerBar } from "../kit/player-bar.js";
import { shapeInWords } from "./letters.js";
import { compute } from "./model.js";
import { numbersOf } from "./numbers.js";
import { penOn, written } from "./pen.js";
import { placesFor } from "./places.js";
import { drawAll } from "./scenes.js";
import { stageWith } from "./stage.js";
import { CHAPTERS, current, END, PACE, PARTS, STOPS } from "./timeline.js";
import { tracksOn } from "./tracks.js";
import { captionAt } from "./words.js";

/** @param {import("../kit/host.js").Tools} tools */
function build({ root, set, say }) {
  const canvas = element("canvas", { role: "application", "aria-roledescription": "film", class: "film-canvas", tabindex: 0 });
  const pen = penOn(canvas);
  const caption = element("span", { class: "sentence" });
  const link = element("a", { class: "film-link", hidden: true });
  const film = player({ end: END, stops: STOPS, pace: PACE, draw });
  /** @type {ReturnType<typeof numbersOf> | null} */
  let numbers = null;
  /** @type {import("./stage.js").Stage | null} */
  let stage = null;
  /** @type {ReturnType<typeof tracksOn> | null} */
  let tracks = null;
  /** @type {{ x: number, y: number } | null} where the reader points */
  let pointed = null;
  let pointedAt = -1; // the time of the picture that the reader points at
  let kept = 0; // the time that the settings have

  const describe = (/** @type {number} */ t) => {
    const part = PARTS.findLastIndex(([, from]) => t >= from);
    const shape = numbers ? shapeInWords(t, numbers.sizes) : "";
    return `Part ${part + 1} of ${PARTS.length}, ${PARTS[part][0]}. ${numbers ? captionAt(t, numbers) : ""} ${shape}`;
  };
  const bar = playerBar(film, { parts: PARTS, label: "time in the film", describe });
  const picture = element("div", { class: "picture" }, canvas);
  const node = element("div", { class: "film" }, picture, element("p", { class: "film-caption" }, caption, " ", link), bar.node);

  /** @param {number} t */
  function draw(t) {
    if (!stage || !tracks || !numbers) return;
    drawAll(stage, tracks, t);
    if (t !== pointedAt || film.playing) pointed = null;
    if (pointed) tip(pointed);
    setText(caption, captionAt(t, numbers));
    if (!film.playing) setAttributes(canvas, { "aria-label": describe(t) });
    const [, chapter] = current(CHAPTERS, t) ?? CHAPTERS[0];
    const home = document.documentElement.dataset.content_root; // only the book has chapters
    link.hidden = home === undefined;
    if (home === undefined) return;
    setText(link, `chapter ${Number.parseInt(chapter, 10)}`);
    link.setAttribute("href", `${home}chapters/${chapter}.html`);
  }

  /** Keep the time in the settings when the film rests, but not sixty times a second. */
  function keep() {
    setMoving(root, film, film.playing);
    if (film.playing) return;
    const t = Math.round(film.time * 100) / 100;
    if (t === kept) return;
    kept = t;
    set({ time: t });
  }

  function tip({ x, y }) {
    const cell = pen.cellAt(x, y);
    if (!cell || !stage || !numbers) return;
    const { name, index } = cell;
    const text = `${name}[${index.join(", ")}] = ${written(numbers.value(name, ...index))}`;
    const { G } = stage;
    stage.outline(cell.x, cell.y, cell.w, cell.h, 1);
    const wide = pen.widthOf(text, 14, { weight: 600, mono: true }) + 20;
    const left = Math.max(2, Math.min(G.width - wide - 2, cell.x + cell.w / 2 - wide / 2));
    const top = cell.y < 40 ? cell.y + cell.h + 8 : cell.y - 38;
    pen.box(left, top, wide, 28, 6, "ink", 1);
    pen.text(text, left + wide / 2, top + 14.5, 14, "paper", 1, { weight: 600, mono: true });
    say(text);
  }
  /** @param {{ x: number, y: number } | null} place */
  function point(place) {
    pointed = place;
    pointedAt = film.seen;
    if (!film.playing) draw(film.seen);
  }
  /** @param {MouseEvent} event */
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const cellAt = (/** @type {typeof pointed} */ place) => place && pen.cellAt(place.x, place.y);
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || film.playing) return;
    const place = placeOf(event);
    if (cellAt(place) !== cellAt(pointed)) point(place); // most moves stay in a cell, or between the cells
  });
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && pointed) point(null);
  });
  canvas.addEventListener("click", (event) => {
    film.takeOver();
    film.pause();
    point(placeOf(event));
  });
  /** @type {Record<string, [number, number]>} */
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const direction = event.shiftKey ? directions[event.key] : undefined;
    if (!direction) {
      bar.onKey(event);
      return;
    }
    event.preventDefault();
    film.takeOver();
    film.pause();
    const to = pen.neighbour(pointed && pen.cellAt(pointed.x, pointed.y), ...direction);
    if (to) point({ x: to.x + to.w / 2, y: to.y + to.h / 2 });
  });
  film.watch(keep);
  root.addEventListener("pointerdown", () => film.takeOver());
  root.addEventListener("click", keep, true); // before a link is copied

  let fitted = "";
  /** Fit the canvas to the lab, and read the colours of the theme. */
  function fit() {
    if (!numbers) return;
    const width = Math.max(320, Math.floor(picture.clientWidth || 0));
    const ratio = sharpness();
    const places = placesFor(width, numbers.hero.h);
    if (fitted !== `${width} ${ratio}`) {
      fitted = `${width} ${ratio}`;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(places.height * ratio);
      canvas.style.height = `${places.height}px`;
      pointed = null;
    }
    pen.readTheme();
    stage = stageWith(pen, places, numbers);
    tracks = tracksOn(places);
  }

  return {
    node,
    draw(settings, results) {
      if (!results) return;
      numbers ??= numbersOf(results, settings._sentence.split(" "));
      fit();
      const first = kept === 0 && film.time === 0;
      if (settings.time !== kept) {
        kept = settings.time;
        film.seek(settings.time);
        film.takeOver();
      } else draw(film.seen);
      if (first) playInSight(film, canvas);
    },
    restart() {
      film.takeOver();
      film.pause();
    },
  };
}

export const lab = makeLab({ title: "Multi-head attention as a film", compute, build });
