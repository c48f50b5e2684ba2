// The tables of q, k, v, weights and heads, for one head, and the table of the rows of the output.

import { element, letters, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { differenceText, isStale, TOLERANCE } from "./explain.js";
import { firstNewRow, visibleCount, wordsSoFar } from "./run.js";

/** @typedef {import("./run.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./explain.js").TensorName} TensorName */
/** @typedef {{ state: State, results: Results, h: number }} Shown the state, its results and the head that is drawn */

const AXES = { q: "B H L D", k: "B G S D", v: "B G S D", weights: "B H L S", heads: "B H L D" };
const isCached = (tensor) => tensor === "k" || tensor === "v";
const columnsOf = (tensor, { S, D }) => (tensor === "weights" ? S : D);
const sharedHead = (h, { H, G }) => Math.floor((h * G) / H);

/**
 * The numbers of one head of a tensor, (S, columns).
 *
 * @param {TensorName} tensor
 * @param {Shown} shown
 * @returns {Float32Array}
 */
function ofHead(tensor, { state, results, h }) {
  const size = state.S * columnsOf(tensor, state);
  const head = isCached(tensor) ? sharedHead(h, state) : h;
  return results[tensor].subarray(head * size, (head + 1) * size);
}

/**
 * The number in row i and column j, or null if the tensor does not have that cell.
 *
 * @param {{ tensor: TensorName, i: number, j: number }} cell
 * @param {Shown} shown
 */
export function valueAt({ tensor, i, j }, shown) {
  const columns = columnsOf(tensor, shown.state);
  return i < shown.state.S && j < columns ? ofHead(tensor, shown)[i * columns + j] : null;
}

/**
 * The table of one tensor.
 *
 * @param {TensorName} tensor
 * @param {(n: number | null, how: string) => void} onPoint
 */
export function tensorTable(tensor, onPoint) {
  const shape = element("span", { class: "numbers" });
  const drawnPart = element("span");
  const cells = matrix(onPoint);
  const title = element(
    "p",
    { class: "title" },
    element("strong", {}, tensor),
    " ",
    letters(AXES[tensor]),
    " = ",
    shape,
    drawnPart,
  );
  const node = element("section", { "data-tensor": tensor }, title, cells.node);

  /** @param {Shown} shown */
  function draw(shown) {
    const { state, results, h } = shown;
    const { S, H, G, D } = state;
    const start = firstNewRow(state);
    const sizes = { B: 1, H, G, S, D, L: S - start };
    const C = columnsOf(tensor, state);
    const isUnseen = (n) => tensor === "weights" && n % C >= visibleCount(Math.floor(n / C), state);
    const looks = (n) => {
      const i = Math.floor(n / C);
      const origin = isUnseen(n) ? "faint" : i >= start ? "now" : isCached(tensor) ? "kept" : "discarded";
      const overwritten = tensor === state.overwrite && i === state.at && "overwritten";
      return [origin, overwritten, isStale(tensor, i, results) && "stale"].filter(Boolean).join(" ");
    };
    const owner = isCached(tensor) ? `key/value head ${sharedHead(h, state)}` : `head ${h}`;
    const across = tensor === "weights" ? ", words looked at across" : "";
    setText(
      shape,
      `(${AXES[tensor]
        .split(" ")
        .map((axis) => sizes[axis])
        .join(", ")})`,
    );
    setText(drawnPart, isCached(tensor) || !start ? "" : ", last row");
    cells.draw({
      data: ofHead(tensor, shown),
      R: S,
      C,
      kind: "plain",
      titles: {
        rows: wordsSoFar(state).map((word, i) => `${i} ${word}`),
        columns: tensor === "weights" ? range(S).map(String) : null,
      },
      looks,
      label: `${tensor} of ${owner}: ${S} words down${across}. Arrow keys walk.`,
      text: (value, n) => (isUnseen(n) ? "" : rounded(value, tensor === "weights" ? 2 : 1)),
    });
  }

  return { node, draw };
}

/** For each row of the output: by how much overwriting would move it, and by how much a full pass differs. */
export function outputTable() {
  const cells = matrix(() => {});
  const title = element("p", { class: "title" }, element("strong", {}, "rows of the output"));
  const node = element("section", { class: "output-rows" }, title, cells.node);

  /** @param {Shown} shown */
  function draw({ state, results: { moved, gap } }) {
    const start = firstNewRow(state);
    const look = (n) => {
      const [i, isGap] = [Math.floor(n / 2), n % 2 === 1];
      if ((isGap ? gap : moved)[i] <= TOLERANCE) return "";
      if (isGap) return "stale";
      return i < start ? "would" : "moves";
    };
    cells.draw({
      data: range(state.S).flatMap((i) => [moved[i], gap[i]]),
      R: state.S,
      C: 2,
      kind: "plain",
      text: differenceText,
      titles: {
        rows: range(state.S).map((i) => (i < start ? `${i}` : `new ${i}`)),
        columns: ["would move, if computed again", "full pass differs"],
      },
      looks: look,
      label:
        "for each row of the output: by how much it would move if it were computed again with what is overwritten; and by how much a full pass differs without the overwriting",
    });
  }

  return { node, draw };
}

/** @param {Shown} shown */
export function drawnHead({ state, h }) {
  return `Drawn: layer ${state.layer}, head ${h}, which reads key/value head ${sharedHead(h, state)}.`;
}

// A rounded number without the sign of a zero: 0.0, not −0.0.
function rounded(value, digits) {
  return number(Math.round(value * 10 ** digits) / 10 ** digits + 0, digits);
}
