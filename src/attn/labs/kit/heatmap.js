// Tables of numbers as facets on a canvas: samples down, heads across, one cell for each number.

import { element } from "./dom.js";
import { magnitude, pixels } from "./scale.js";

const GAP = { across: 10, down: 22 };
const SMALLEST = 2;
const LARGEST = 26;
const LABELLED = 13; // cells of at least this many pixels have room for words beside them
const TALLEST = 330;
const NARROW = 480;
const FEW = 12;

// Where everything goes: rows x columns facets of R x C cells in `width` pixels. words: { rows, columns }, for each row of
// facets the labels of its rows and columns of cells. largest: how wide a cell may be.
export function layout({ rows, columns, R, C, width, words, largest = LARGEST }) {
  const longest = (lists) => Math.max(0, ...lists.flat().map((word) => word.length));
  const long = { rows: longest(words.rows), columns: longest(words.columns) };
  const upright = (cell) => long.columns * 7 > cell; // labels of columns that do not fit across are turned
  const left = (cell) => 18 + (cell >= LABELLED ? 6 + 6.6 * long.rows : 0);
  const top = (cell) => 18 + (cell >= LABELLED ? (upright(cell) ? 6 + 6.2 * long.columns : 14) : 0);
  const wide = (cell) => left(cell) + columns * (C * cell + GAP.across) - GAP.across + 2;
  let cell = largest;
  // On a phone a short sentence keeps its words, and its facets scroll; not where a lab asks for small cells.
  const enough = largest === LARGEST && width < NARROW && Math.max(R, C) <= FEW ? LABELLED : SMALLEST;
  while (cell > enough && (wide(cell) > width || R * cell > TALLEST)) cell--;
  const [x0, y0] = [Math.ceil(left(cell)), Math.ceil(top(cell))];
  const [stepX, stepY] = [C * cell + GAP.across, y0 + R * cell + GAP.down];
  return {
    cell,
    labelled: cell >= LABELLED,
    upright: upright(cell),
    top: y0,
    width: Math.ceil(wide(cell)),
    height: rows * stepY - GAP.down + 2,
    origin: (row, column) => [x0 + column * stepX, y0 + row * stepY],
  };
}

// The cell at (x, y), as [row of facets, column of facets, row, column], or null between them.
export function cellAt({ rows, columns, R, C, plan }, x, y) {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x0, y0] = plan.origin(row, column);
      const [i, j] = [Math.floor((y - y0) / plan.cell), Math.floor((x - x0) / plan.cell)];
      if (i >= 0 && i < R && j >= 0 && j < C) return [row, column, i, j];
    }
  return null;
}

const KEYS = {
  ...{ ArrowUp: [0, 0, -1, 0], ArrowDown: [0, 0, 1, 0], ArrowLeft: [0, 0, 0, -1], ArrowRight: [0, 0, 0, 1] },
  ...{ PageUp: [0, -1, 0, 0], PageDown: [0, 1, 0, 0], Home: [-1, 0, 0, 0], End: [1, 0, 0, 0] },
};

// A heatmap that can be pointed at, tapped, and walked through with the keyboard.
// onPoint(place, kept, how): a place is what `cellAt` gives; kept if it was clicked, or reached with a key, which `how` tells apart.
// pinned(): the place from which the keyboard goes on, or null. It is asked at every key: what was drawn is a frame old.
export function heatmap(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "heatmap" });
  const marks = element("canvas", { class: "marks", "aria-hidden": "true" }); // pointing repaints these alone
  const node = element("div", { class: "facets" }, element("div", { class: "stack" }, canvas, marks));
  const small = document.createElement("canvas");
  const [brush, marker, dots] = [canvas, marks, small].map((one) => one.getContext("2d"));
  let shown = null;
  let hovered = null;
  let marked = false;
  let room = { width: 600, ink: "#000", paper: "#fff", colours: {} };

  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return shown && cellAt(shown, event.clientX - box.left, event.clientY - box.top);
  };
  const hover = (place) => {
    if (String(place) === String(hovered)) return;
    hovered = place;
    onPoint(place, false);
  };
  canvas.addEventListener("pointermove", (event) => event.pointerType === "mouse" && hover(placeOf(event)));
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => onPoint(placeOf(event), true, "click"));
  canvas.addEventListener("keydown", (event) => {
    if (!shown || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const sizes = [shown.rows, shown.columns, shown.R, shown.C];
    const from = pinned()?.map((at, n) => Math.min(at, sizes[n] - 1));
    const to = from?.map((at, n) => Math.max(0, Math.min(sizes[n] - 1, at + KEYS[event.key][n])));
    onPoint(to ?? [0, 0, 0, 0], true, "key");
  });

  // Read how wide the map may be and which colours it has. To be called before anything is changed: afterwards the browser
  // would have to lay out the whole lab to answer. Returns all of it as one text, to see whether anything is different.
  function measure() {
    const style = getComputedStyle(canvas);
    const colours = Object.fromEntries([..."BLSEHGD"].map((axis) => [axis, style.getPropertyValue(`--attn-${axis}`)]));
    const paper = style.getPropertyValue("--lab-paper") || room.paper;
    room = { width: node.clientWidth || room.width, ink: style.color || room.ink, paper, colours };
    return JSON.stringify(room);
  }

  // data: rows * columns facets of R x C numbers, in that order. kind: "weights" or "signed". titles: { rows, columns }, each
  // { axis, names }, or null for an axis that is not there. Returns what the ends of the colours mean.
  function draw({ data, rows, columns, R, C, kind, words, titles, label, largest }) {
    const most = kind === "weights" ? 1 : magnitude(data);
    const plan = layout({ rows, columns, R, C, width: room.width, words, largest });
    shown = { rows, columns, R, C, plan };
    const ratio = globalThis.devicePixelRatio || 1;
    for (const one of [canvas, marks]) resize(one, plan, ratio);
    if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
    const { ink, colours } = room;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, plan.width, plan.height);
    brush.imageSmoothingEnabled = false;
    brush.font = "11px system-ui, sans-serif";
    brush.textBaseline = "middle";

    small.width = C;
    small.height = rows * columns * R;
    dots.putImageData(new ImageData(new Uint8ClampedArray(pixels(data, kind, most).buffer), C, small.height), 0, 0);
    for (let row = 0, facet = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, facet++) {
        const [x, y] = plan.origin(row, column);
        brush.drawImage(small, 0, facet * R, C, R, x, y, C * plan.cell, R * plan.cell);
        brush.strokeStyle = brush.fillStyle = ink;
        brush.globalAlpha = 0.3;
        brush.strokeRect(x - 0.5, y - 0.5, C * plan.cell + 1, R * plan.cell + 1);
        brush.globalAlpha = 1;
        if (plan.cell >= 4) signs(data, facet * R * C, x, y, R, C, plan.cell);
        if (plan.labelled) labels(words, row, column, x, y, plan);
        if (titles.columns) title(titles.columns, column, x + (C * plan.cell) / 2, y - plan.top + 8, C * plan.cell);
        if (titles.rows && column === 0) title(titles.rows, row, 8, y + (R * plan.cell) / 2, R * plan.cell, -Math.PI / 2);
      }

    // "head 2", or only 2 where there is little room, in the colour of its axis.
    function title({ axis, names }, n, x, y, space, turned = 0) {
      brush.save();
      brush.fillStyle = colours[axis] || ink;
      brush.font = "600 11px system-ui, sans-serif";
      brush.textAlign = "center";
      brush.translate(x, y);
      brush.rotate(turned);
      brush.fillText(space < 7 * names[n].length ? String(n) : names[n], 0, 0);
      brush.restore();
    }
    wipe();
    return most;
  }

  function resize(one, { width, height }, ratio) {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (one.width === w && one.height === h) return; // even the same size would cost a new canvas
    one.width = w;
    one.height = h;
    one.style.cssText = `width:${width}px;height:${height}px`;
  }

  // A dot for -Infinity (may not be seen), a cross for NaN.
  function signs(data, from, x, y, R, C, cell) {
    for (let n = 0; n < R * C; n++) {
      const value = data[from + n];
      if (Number.isFinite(value)) continue;
      const [cx, cy] = [x + ((n % C) + 0.5) * cell, y + (Math.floor(n / C) + 0.5) * cell];
      if (Number.isNaN(value)) {
        const r = cell / 4;
        brush.beginPath();
        brush.moveTo(cx - r, cy - r);
        brush.lineTo(cx + r, cy + r);
        brush.moveTo(cx - r, cy + r);
        brush.lineTo(cx + r, cy - r);
        brush.stroke();
      } else {
        const r = Math.max(0.6, cell / 12);
        brush.fillRect(cx - r, cy - r, 2 * r, 2 * r);
      }
    }
  }

  function labels(words, row, column, x, y, plan) {
    if (column === 0) {
      brush.textAlign = "right";
      words.rows[row].forEach((word, i) => brush.fillText(word, x - 5, y + (i + 0.5) * plan.cell));
    }
    brush.textAlign = plan.upright ? "left" : "center";
    words.columns[row].forEach((word, j) => {
      const at = x + (j + 0.5) * plan.cell;
      if (!plan.upright) return brush.fillText(word, at, y - 8);
      brush.save();
      brush.translate(at, y - 5);
      brush.rotate(-Math.PI / 2);
      brush.fillText(word, 0, 0);
      brush.restore();
    });
  }

  // Take all marks away.
  function wipe() {
    if (!marked) return;
    marker.setTransform(1, 0, 0, 1, 0, 0);
    marker.clearRect(0, 0, marks.width, marks.height);
    marked = false;
  }

  // Mark a cell, its row and its column: black on white, so that it shows on every colour.
  function mark(place) {
    if (!shown) return;
    const { rows, columns, R, C, plan } = shown;
    wipe();
    if (!place || place[0] >= rows || place[1] >= columns || place[2] >= R || place[3] >= C) return;
    const [row, column, i, j] = place;
    const [x, y] = plan.origin(row, column);
    const ratio = marks.width / plan.width;
    marked = true;
    marker.setTransform(ratio, 0, 0, ratio, 0, 0);
    const boxes = [
      [x, y + i * plan.cell, C * plan.cell, plan.cell],
      [x + j * plan.cell, y, plan.cell, R * plan.cell],
    ];
    for (const [colour, thickness] of [
      ["#fff", 3],
      ["#000", 1.2],
    ]) {
      marker.strokeStyle = colour;
      marker.lineWidth = thickness;
      for (const box of boxes) marker.strokeRect(...box);
    }
  }

  // Fade every cell but these, which are numbered as the data is; null fades none.
  function spotlight(cells) {
    if (!shown) return;
    const { rows, columns, R, C, plan } = shown;
    wipe();
    if (!cells) return;
    const ratio = marks.width / plan.width;
    marked = true;
    marker.setTransform(ratio, 0, 0, ratio, 0, 0);
    marker.fillStyle = room.paper;
    marker.globalAlpha = 0.55;
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const [x, y] = plan.origin(row, column);
        marker.fillRect(x, y, C * plan.cell, R * plan.cell);
      }
    marker.globalAlpha = 1;
    marker.strokeStyle = "#000";
    for (const n of cells) {
      const facet = Math.floor(n / (R * C));
      const [x0, y0] = plan.origin(Math.floor(facet / columns), facet % columns);
      const [x, y] = [x0 + (n % C) * plan.cell, y0 + (Math.floor(n / C) % R) * plan.cell];
      marker.clearRect(x, y, plan.cell, plan.cell);
      if (plan.cell > 4) marker.strokeRect(x + 0.5, y + 0.5, plan.cell - 1, plan.cell - 1);
    }
  }

  return { node, canvas, measure, draw, mark, spotlight };
}
