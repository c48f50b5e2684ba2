// A plane in which points are dragged, or moved with the arrow keys: -4 to 4 both ways, the second coordinate upwards.

import { unique } from "../kit/dom.js";
import { REACH } from "./model.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 320;
const UNIT = SIZE / (2 * REACH + 1.2);
const STEPS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

// Where a point of the plane lies in the picture, and the other way round, on the grid of tenths inside the limits.
export const place = ([x, y]) => [SIZE / 2 + x * UNIT, SIZE / 2 - y * UNIT];
export const tenth = (x) => Math.max(-REACH, Math.min(REACH, Math.round(10 * x) / 10)) + 0;

const spell = (points) =>
  points.map((point) =>
    place(point)
      .map((x) => x.toFixed(1))
      .join(" "),
  );
export const line = (points) => (points.length ? `M${spell(points).join("L")}` : "M0 0");

// Handles are the points that can be moved. onPick(n): handle n was taken; onMove(n, point): it was dragged to a point; onStep([x, y]):
// a key asks for a step, of whichever handle it is for. `anywhere`: a click takes the nearest handle there.
export function plane({ onPick, onMove, onStep, anywhere = false }) {
  const clip = unique("mix-plane");
  const svg = made("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "mix-plane", tabindex: 0, role: "application", id: clip });
  const axes = made("path", {
    class: "axes",
    d:
      line([
        [-REACH, 0],
        [REACH, 0],
      ]) +
      line([
        [0, -REACH],
        [0, REACH],
      ]),
  });
  const layer = made("g");
  svg.append(axes, layer);
  let handles = []; // as they are drawn: what a pointer can take hold of
  let held = null;

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((share) => share * SIZE);
    return [(x - SIZE / 2) / UNIT, (SIZE / 2 - y) / UNIT];
  };
  const move = (n, [x, y]) => onMove(n, [tenth(x), tenth(y)]);

  svg.addEventListener("pointerdown", (event) => {
    if (event.button || !handles.length) return;
    const point = at(event);
    const far = handles.map((handle) => Math.hypot(handle[0] - point[0], handle[1] - point[1]));
    const n = far.indexOf(Math.min(...far));
    if (far[n] > 0.6 && !(anywhere && event.pointerType === "mouse")) return;
    held = n;
    svg.setPointerCapture(event.pointerId);
    if (far[n] > 0.6) move(n, point);
    else onPick(n);
  });
  svg.addEventListener("pointermove", (event) => held !== null && move(held, at(event)));
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (held = null));
  svg.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !handles.length || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onStep(step.map((x) => x * (event.shiftKey ? 5 : 1)));
  });

  // shapes: [tag, { attributes }, text], in the order in which they are painted. What is as it was is not touched.
  function draw({ shapes, label, handles: points }) {
    handles = points;
    change(svg, { "aria-label": label });
    while (layer.children.length > shapes.length) layer.lastChild.remove();
    shapes.forEach(([tag, attributes, text = ""], i) => {
      let node = layer.children[i];
      if (node?.localName !== tag) {
        const fresh = made(tag);
        node ? node.replaceWith(fresh) : layer.append(fresh);
        node = fresh;
      }
      for (const name of node.getAttributeNames()) if (!(name in attributes)) node.removeAttribute(name);
      change(node, attributes);
      if (node.textContent !== text) node.textContent = text;
    });
  }

  return { node: svg, draw };
}

function made(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  change(node, attributes);
  return node;
}

function change(node, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}
