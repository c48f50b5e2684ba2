// A matrix product as one draws it on paper: the left factor below, the right factor above, the result where they cross. In the
// empty corner every column of the left factor is led to its row of the right one; what finds no partner ends in red.

import { element, letter, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { matrix } from "../kit/matrix.js";

const HEAD = 30; // pixels for the names of rows
const TITLE = 20; // and for those of columns
const PAD = 3; // of a matrix
const STUB = 14;
const SVG = "http://www.w3.org/2000/svg";

// Where columns and rows have their middle, in the corner: cells of `cell` by `tall` pixels.
export function plan(width, { N, M, C }) {
  const cell = Math.max(14, Math.min(34, Math.floor((width - HEAD - 4 * PAD - 2) / (N + C)) - 1));
  const tall = Math.max(19, Math.min(25, cell));
  return {
    cell,
    tall,
    wide: HEAD + 1 + N * (cell + 1) + 2 * PAD - 1,
    high: TITLE + 1 + M * (tall + 1) + 2 * PAD - 1,
    x: (d) => PAD + HEAD + 1 + d * (cell + 1) + cell / 2,
    y: (d) => PAD + TITLE + 1 + d * (tall + 1) + tall / 2,
  };
}

const NAMES = { L: "q", S: "k", H: "h" }; // in front of an index; a number of a query or key has none

// The lines of the corner: { axis, d: path, look, name, at }, from column n of the left factor up, and on to row n of the right one.
export function joints({ N, M, axes: [left, right], summed }, { wide, high, x, y }) {
  const paired = Math.min(N, M);
  const lines = [];
  for (let n = 0; n < Math.max(N, M); n++) {
    const look = n >= paired ? "lonely" : summed === null ? "" : n === summed - 1 ? "here" : n < summed ? "" : "later";
    const end = n < paired ? y(n) : high - STUB;
    const name = (axis) => `${NAMES[axis] ?? ""}${n}`;
    if (n < N) lines.push({ axis: left, look, d: `M${x(n)} ${high}V${end}`, name: name(left), at: [x(n) + 3, high - 3] });
    if (n < M) {
      const d = `M${n < paired ? x(n) : wide - STUB} ${y(n)}H${wide}`;
      lines.push({ axis: right, look, d, name: name(right), at: [wide - 3, y(n) - 3], end: true });
    }
  }
  return lines;
}

function change(node, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// onPoint(which, n, how): which of "left", "right", "result" was pointed at; n and how as matrix has them.
export function board(onPoint) {
  const factors = Object.fromEntries(
    ["left", "right", "result"].map((which) => [which, matrix((n, how) => onPoint(which, n, how))]),
  );
  const corner = document.createElementNS(SVG, "svg");
  change(corner, { class: "corner", "aria-hidden": "true" });
  const hole = element("p", { class: "hole", hidden: true }, "no result");
  const names = Object.fromEntries(["left", "right", "result"].map((which) => [which, element("p", { class: `name ${which}` })]));
  const grid = element(
    "div",
    { class: "board" },
    names.right,
    corner,
    factors.right.node,
    factors.left.node,
    element("div", {}, factors.result.node, hole),
    names.left,
    names.result,
  );
  const node = element("div", { class: "scroll" }, grid);

  const caption = (which, text, axes) =>
    names[which].replaceChildren(
      element("b", {}, text),
      " ",
      ...axes.flatMap((axis, n) => (n ? [" × ", letter(axis)] : [letter(axis)])),
    );

  function drawCorner(lines, { wide, high }) {
    change(corner, { width: wide, height: high });
    while (corner.children.length > lines.length) corner.lastChild.remove();
    while (corner.children.length < lines.length) {
      const group = document.createElementNS(SVG, "g");
      group.append(document.createElementNS(SVG, "path"), document.createElementNS(SVG, "text"));
      corner.append(group);
    }
    lines.forEach(({ axis, d, look, name, at: [x, y], end = false }, n) => {
      const [line, text] = corner.children[n].children;
      change(corner.children[n], { class: look, "data-axis": axis });
      change(line, { d });
      change(text, { x, y, "text-anchor": end ? "end" : "start" });
      setText(text, name);
    });
  }

  // left, right, result: { data, R, C, axes, text (its name) }; result.data is null where there is none. rows, columns: names.
  // at: the (row, column) of the result that is lit, or null; summed: how many of its products are added, null for all.
  function draw({ left, right, result, rows, columns, at, summed, width }) {
    const [N, M] = [left.C, right.R];
    const laid = plan(width, { N, M, C: right.C });
    grid.style.setProperty("--cell", `${laid.cell}px`);
    grid.style.setProperty("--tall", `${laid.tall}px`);
    grid.style.setProperty("--head", `${HEAD}px`);
    const common = { digits: 0, text: (value) => number(value, 0) };
    const done = summed ?? N;
    const reached = (d) => (summed !== null && d === done - 1 ? "here" : d < done ? "lit" : "");
    const refused = result.data === null;
    const lonely = (d) => (refused && d >= Math.min(N, M) ? "bad" : "");
    factors.left.draw({
      ...left,
      ...common,
      most: 3,
      titles: { rows },
      label: `${left.text}, the left factor`,
      active: at && at[0] * N,
      looks: (n) => (at && Math.floor(n / N) === at[0] ? reached(n % N) : lonely(n % N)),
    });
    factors.right.draw({
      ...right,
      ...common,
      most: 3,
      titles: { columns },
      label: `${right.text}, the right factor`,
      active: at && at[1],
      looks: (n) => (at && n % right.C === at[1] ? reached(Math.floor(n / right.C)) : lonely(Math.floor(n / right.C))),
    });
    factors.result.node.hidden = refused;
    hole.hidden = !refused;
    if (!refused) {
      const place = at && at[0] * right.C + at[1];
      factors.result.draw({
        ...result,
        ...common,
        R: left.R,
        C: right.C,
        label: "the result; arrow keys walk through it",
        active: place,
        looks: (n) => (n === place ? "here" : ""),
      });
    }
    caption("left", left.text, left.axes);
    caption("right", right.text, right.axes);
    caption("result", result.text, refused ? [] : result.axes);
    drawCorner(joints({ N, M, axes: [left.axes[1], right.axes[0]], summed: at ? summed : null }, laid), laid);
  }

  return { node, draw };
}
