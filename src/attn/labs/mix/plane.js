// A plane in which points are dragged, or moved with the arrow keys.

import { setAttributes } from "../kit/dom.js";
import { svg } from "../kit/svg.js";
import { fromPicture, pathThrough, roundToTenth, SIZE } from "./geometry.js";
import { REACH } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {[tag: "path" | "circle" | "text", attributes: Record<string, string | number>, text?: string]} Shape */

/** @type {Record<string, Point>} */
const STEPS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
const GRIP = 0.6; // how far from a handle a pointer may take hold of it

/**
 * @param {object} options
 * @param {(n: number) => void} options.onPick handle n was taken hold of
 * @param {(n: number, point: Point) => void} options.onMove handle n was dragged to a point
 * @param {(step: Point) => void} options.onStep an arrow key was pressed
 * @param {boolean} [options.anywhere] whether a click in the plane moves the nearest handle there
 */
export function plane({ onPick, onMove, onStep, anywhere = false }) {
  const node = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "mix-plane", tabindex: 0, role: "application" });
  const across = [-REACH, REACH].map((x) => [x, 0]);
  const up = [-REACH, REACH].map((y) => [0, y]);
  const layer = svg("g");
  node.append(svg("path", { class: "axes", d: pathThrough(across) + pathThrough(up) }), layer);
  /** @type {Point[]} */
  let handles = [];
  /** @type {number | null} */
  let held = null;

  /** @returns {Point} */
  const pointAt = (event) => {
    const box = node.getBoundingClientRect();
    const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return fromPicture([share[0] * SIZE, share[1] * SIZE]);
  };
  const move = (n, [x, y]) => onMove(n, [roundToTenth(x), roundToTenth(y)]);
  const release = () => {
    held = null;
  };

  node.addEventListener("pointerdown", (event) => {
    if (event.button || !handles.length) return;
    const point = pointAt(event);
    const distances = handles.map((handle) => Math.hypot(handle[0] - point[0], handle[1] - point[1]));
    const nearest = distances.indexOf(Math.min(...distances));
    const isOnHandle = distances[nearest] <= GRIP;
    if (!isOnHandle && !(anywhere && event.pointerType === "mouse")) return;
    held = nearest;
    node.setPointerCapture(event.pointerId);
    if (isOnHandle) onPick(nearest);
    else move(nearest, point);
  });
  node.addEventListener("pointermove", (event) => held !== null && move(held, pointAt(event)));
  node.addEventListener("pointerup", release);
  node.addEventListener("pointercancel", release);
  node.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !handles.length || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const times = event.shiftKey ? 5 : 1;
    onStep([step[0] * times, step[1] * times]);
  });

  /**
   * Draw the shapes, first ones below. Elements are reused and only changes are written.
   *
   * @param {{ shapes: Shape[], label: string, handles: Point[] }} drawing handles: the points that can be moved
   */
  function draw({ shapes, label, handles: points }) {
    handles = points;
    setAttributes(node, { "aria-label": label });
    while (layer.children.length > shapes.length) layer.lastChild?.remove();
    shapes.forEach(([tag, attributes, text = ""], n) => {
      const child = elementAt(n, tag);
      for (const name of child.getAttributeNames()) if (!(name in attributes)) child.removeAttribute(name);
      setAttributes(child, attributes);
      if (child.textContent !== text) child.textContent = text;
    });
  }

  // Child n of the layer, replaced or added if it is not of this kind.
  function elementAt(n, tag) {
    const old = layer.children[n];
    if (old?.localName === tag) return old;
    const child = svg(tag);
    if (old) old.replaceWith(child);
    else layer.append(child);
    return child;
  }

  return { node, draw };
}
