// Tables of small labelled cells on a canvas, in flat order: table after table, line after line. Each can be pointed at, tapped,
// and walked through with the keyboard.

import { element } from "../kit/dom.js";

const SHORT = 9; // the least width of a cell that holds a digit
const GAP = { group: 5, table: 10, below: 8, sample: 6 };
const LINE = 17; // height of a heading
const SMALL = 9.5; // of the letters in a cell

// Where everything goes in `width` pixels. Each sample has `perSample` tables of R x C cells, in groups of columns. They stand
// in two rows where that makes room for long labels, `wide` pixels, if `wrap`.
export function plan({ tables, perSample, R, C, group, width, left, captioned, wrap, wide }) {
  const gaps = (across) => across * (C / group - 1) * GAP.group + (across - 1) * GAP.table;
  const room = (across) => Math.floor((width - left - gaps(across) - 2) / (across * C));
  const half = Math.ceil(perSample / 2);
  const across = wrap && room(perSample) < wide && room(half) >= wide ? half : perSample;
  const cell = Math.max(3, Math.min(38, room(across)));
  const tall = cell < SHORT ? Math.max(4, cell) : cell < wide ? 16 : 20;
  const tableWidth = C * cell + (C / group - 1) * GAP.group;
  const rows = Math.ceil(perSample / across);
  const tableHeight = LINE + R * tall + GAP.below;
  const sampleHeight = (captioned ? LINE : 0) + rows * tableHeight + GAP.sample;
  const corner = (table) => {
    const [sample, nth] = [Math.floor(table / perSample), table % perSample];
    const [row, column] = [Math.floor(nth / across), nth % across];
    const y = sample * sampleHeight + (captioned ? LINE : 0) + row * tableHeight + LINE;
    return [left + column * (tableWidth + GAP.table), y, column];
  };
  return {
    cell,
    tall,
    across,
    corner,
    width: left + across * tableWidth + (across - 1) * GAP.table + 2,
    height: (tables / perSample) * sampleHeight - GAP.sample,
    long: cell >= wide,
    place(n) {
      const [x, y] = corner(Math.floor(n / (R * C)));
      const [row, column] = [Math.floor(n / C) % R, n % C];
      return [x + column * cell + Math.floor(column / group) * GAP.group, y + row * tall];
    },
  };
}

const KEYS = {
  ArrowUp: { row: -1 },
  ArrowDown: { row: 1 },
  ArrowLeft: { column: -1 },
  ArrowRight: { column: 1 },
  PageUp: { table: -1 },
  PageDown: { table: 1 },
  Home: { sample: -1 },
  End: { sample: 1 },
};

// The cell that a key leads to from cell n; it stays inside its table, and page keys stay inside the sample.
export function moved(n, key, { tables, perSample, R, C }) {
  const inside = (at, size) => Math.max(0, Math.min(size - 1, at));
  const { row = 0, column = 0, table = 0, sample = 0 } = KEYS[key];
  const at = Math.floor(n / (R * C));
  const first = inside(Math.floor(at / perSample) + sample, tables / perSample) * perSample;
  const to = first + inside((at % perSample) + table, perSample);
  return (to * R + inside((Math.floor(n / C) % R) + row, R)) * C + inside((n % C) + column, C);
}

// onPoint(cell, how): the number of a cell, or null; how: it was reached by "hover", "click" or "key".
// pinned(): the cell from which the keyboard goes on, or null. It is asked at every key: what was drawn is a frame old.
export function cellTables(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application" });
  const mark = element("span", { hidden: true });
  const stack = element("div", { class: "stack" }, canvas, element("div", { class: "marks" }, mark));
  const node = element("div", { class: "scroll" }, stack);
  // One sample is drawn here, and copied from here: copied pixels cost less than letters. It is no part of the page: on a canvas that
  // is, every new font makes the browser lay out the page.
  const sheet = element("canvas");
  const [picture, brush] = [canvas, sheet].map((one) => one.getContext("2d"));
  let shown = null; // what was drawn, and how
  let lit = null;
  let room = { width: 340, family: "sans-serif", ink: "#000" };

  function cellAt(event) {
    if (!shown) return null;
    const {
      tables,
      R,
      C,
      laid: { place, cell, tall },
    } = shown;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    for (let n = 0; n < tables * R * C; n++) {
      const [left, top] = place(n);
      if (x >= left && x < left + cell && y >= top && y < top + tall) return n;
    }
    return null;
  }
  canvas.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onPoint(cellAt(event), "hover"));
  canvas.addEventListener("pointerleave", () => onPoint(null, "hover"));
  canvas.addEventListener("click", (event) => onPoint(cellAt(event), "click"));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") onPoint(null, "key");
    if (!shown || !KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const from = pinned();
    onPoint(from === null ? 0 : moved(from, event.key, shown), "key");
  });

  // A word, on a patch of its colour if it has one.
  function title({ text, colour }, x, y, ink, align) {
    if (colour) {
      const wide = brush.measureText(text).width + 8;
      brush.fillStyle = colour;
      brush.fillRect(align === "right" ? x - wide + 4 : x, y - 7, wide, 14);
    }
    brush.fillStyle = colour ? "#000" : ink;
    brush.textAlign = align;
    brush.fillText(text, colour && align === "left" ? x + 4 : x, y);
  }

  // Read how wide the tables may be, and their font and ink. To be called before anything is changed: afterwards the browser would
  // have to lay out the whole lab to answer.
  function measure() {
    const style = getComputedStyle(canvas);
    room = { width: (node.clientWidth || 346) - 6, family: style.fontFamily, ink: style.color };
  }

  // tables, perSample, R, C, group, wrap: see `plan`. cells: { colour, long, short, wrong } each, those of the first sample: the others
  // look alike. headings(table): a title for each group of columns; lines: a title for each line, and what they count; captions: a
  // name for each sample, or null.
  function draw({ cells, headings, lines, captions, label, ...shape }) {
    const { tables, perSample, group } = shape;
    const { width: most, family, ink } = room;
    brush.font = `11px ${family}`;
    const names = [lines.what, ...lines.titles.map(({ text }) => text)];
    const left = 12 + Math.max(...names.map((name) => brush.measureText(name).width));
    brush.font = `${SMALL}px ${family}`;
    const wide = Math.ceil(brush.measureText("0.0.0").width) + 4;
    const laid = plan({ ...shape, left, captioned: captions !== null, width: most, wide });
    shown = { ...shape, laid };
    const ratio = globalThis.devicePixelRatio || 1;
    const samples = tables / perSample;
    const sampleHeight = samples > 1 ? laid.corner(perSample)[1] - laid.corner(0)[1] : laid.height;
    const [width, height] = [laid.width, laid.height].map((size) => Math.round(size * ratio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    canvas.style.width = `${laid.width}px`;
    canvas.style.height = `${laid.height}px`;
    canvas.setAttribute("aria-label", label);
    [sheet.width, sheet.height] = [width, Math.round(sampleHeight * ratio)]; // which wipes it
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.textBaseline = "middle";
    paint(cells, laid, wide);
    const step = group * laid.cell + GAP.group;
    for (let table = 0; table < perSample; table++) {
      const [x, y, column] = laid.corner(table);
      brush.font = `11px ${family}`;
      headings(table).forEach(({ text, brief, colour }, g) => {
        title({ text: step < 55 ? brief : text, colour }, x + g * step, y - LINE / 2, ink, "left");
      });
      if (column > 0) continue;
      title({ text: lines.what }, x - 6, y - LINE / 2, ink, "right");
      if (laid.tall >= 10) lines.titles.forEach((one, row) => title(one, x - 6, y + (row + 0.5) * laid.tall, ink, "right"));
    }
    picture.clearRect(0, 0, width, height);
    for (let sample = 0; sample < samples; sample++) {
      if (captions) {
        brush.clearRect(0, 0, laid.width, LINE);
        brush.font = `bold 11px ${family}`;
        title({ text: captions[sample] }, 0, LINE / 2, ink, "left");
      }
      picture.drawImage(sheet, 0, Math.round(sample * sampleHeight * ratio));
    }
    light(lit);
  }

  // All cells: one colour after the other, then what is written on them.
  function paint(cells, { cell, tall, place, long }, wide) {
    const border = cell < SHORT ? 0 : 1;
    const places = cells.map((_, n) => place(n));
    for (const colour of new Set(cells.map((one) => one.colour))) {
      brush.fillStyle = colour;
      cells.forEach((one, n) => one.colour === colour && brush.fillRect(...places[n], cell - border, tall - border));
    }
    brush.fillStyle = "#000";
    brush.font = `${long && cell <= wide + 5 ? SMALL : 11}px ${room.family}`;
    brush.textAlign = "center";
    const write = (text, [x, y]) => brush.fillText(text, x + cell / 2 - 0.5, y + tall / 2);
    if (cell >= SHORT) cells.forEach((one, n) => write(long ? one.long : one.short, places[n]));
    // The sign of a wrong place: the upper right corner is folded down.
    const size = Math.min(7, cell / 2.4, tall / 2.4);
    brush.beginPath();
    cells.forEach(({ wrong }, n) => {
      if (!wrong) return;
      const [x, y] = [places[n][0] + cell - border, places[n][1]];
      brush.moveTo(x - size, y);
      brush.lineTo(x, y);
      brush.lineTo(x, y + size);
    });
    brush.fill();
  }

  // Put a frame around a cell, or around none.
  function light(n) {
    lit = n !== null && n < shown.tables * shown.R * shown.C ? n : null;
    mark.hidden = lit === null;
    if (lit === null) return;
    const { place, cell, tall } = shown.laid;
    const [x, y] = place(lit);
    Object.assign(mark.style, { left: `${x}px`, top: `${y}px`, width: `${cell - 1}px`, height: `${tall - 1}px` });
  }

  return { node, canvas, measure, draw, light };
}
