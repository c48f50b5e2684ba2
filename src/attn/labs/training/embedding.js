// The rows of the embedding as points, and how far the chosen one moves from frame to frame.

import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { linePath } from "./line.js";

const SIDE = 200; // of the picture of the points
const [WIDTH, HEIGHT] = [300, 100]; // of the curve of the strides

/** @param {(word: number) => void} onWord is called when a row is chosen */
export function embeddingChart(onWord) {
  const select = element("select", { onchange: () => onWord(Number(select.value)) });
  const label = element("label", { class: "switch" }, element("span", {}, "Row of the embedding"), select);
  const path = svg("path", { class: "way" });
  const points = svg("g");
  const picture = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" }, path, points);
  const strides = svg("path");
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const curve = svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true", class: "pace" }, strides);
  const distance = element("p");
  const note = element("small", {}, "All rows, seen along the two directions in which they move most.");
  const node = element("div", { class: "training-rows" }, label, curve, distance, picture, note);
  /** @type {import("./model.js").Run | null} */
  let drawn = null;

  /**
   * @param {import("./model.js").Run} run
   * @param {{ frame: number, word: number }} settings
   * @param {Pick<ReturnType<typeof import("./model.js").compute>, "dots" | "path" | "strides" | "moved">} results
   */
  function draw(run, { frame, word }, results) {
    if (drawn !== run) {
      select.replaceChildren(...run.words.map((text, n) => element("option", { value: n }, text)));
      points.replaceChildren(...run.words.map((text) => svg("text", {}, text)));
      drawn = run;
    }
    select.value = String(word);
    const scaled = (value) => (SIDE / 2 + (value / run.reach[0]) * (SIDE / 2 - 8)).toFixed(1);
    const place = (pairs, n) => `${scaled(pairs[2 * n])} ${scaled(-pairs[2 * n + 1])}`; // y points down in SVG
    [...points.children].forEach((point, n) => {
      setAttributes(point, { transform: `translate(${place(results.dots, n)})`, class: n === word ? "chosen" : "" });
    });
    const upToNow = range(frame + 1);
    setAttributes(path, { d: `M${upToNow.map((n) => place(results.path, n)).join("L")}` });
    // Stride 0 leads to the first frame, before which there is nothing, so the curve begins at stride 1.
    const width = (WIDTH * frame) / Math.max(1, results.strides.length - 1);
    const d = linePath(results.strides.slice(0, frame + 1), width, HEIGHT, run.reach[1]).replace(/^M[^L]*L/, "M");
    setAttributes(strides, { d: frame ? d : "" });
    setText(
      distance,
      `“${run.words[word]}” has moved ${number(results.strides[frame], 2)} since the last frame (above), ` +
        `${number(results.moved, 2)} in all.`,
    );
  }

  return { node, draw };
}
