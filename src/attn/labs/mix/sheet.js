// A sheet of SVG whose unit is the CSS pixel, drawn as a list of shapes; and where the points of the plane are on it.

import { setAttributes } from "../kit/dom.js";
import { clamp } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { mix, swing } from "../kit/time.js";
import { REACH } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {readonly [tag: "path" | "text", attributes: Record<string, string | number>, text?: string]} Shape */
/** @typedef {{ centre: Point, size: Point }} Room the part of the plane that a sheet shows at least */
/** @typedef {{ width: number, height: number, unit: number, centre: Point }} Plan the size of a sheet, how many pixels one unit of the plane has, and which point is in the middle */

/** @type {Room} all that can be set */
export const WIDE = { centre: [0, 0], size: [2 * REACH + 1, 2 * REACH + 1] };
/** @type {Room} the first three values, as large as a sheet lets them be */
export const NEAR = { centre: [0, -0.76], size: [5.2, 4.8] };
/** @type {(point: Point) => boolean} whether a point can be seen well in the nearer room */
const isNear = ([x, y]) => Math.abs(x) <= 2.4 && y <= 1.5 && y >= -2.8;

/**
 * The room for these points. There are only two, so that the scale is still while points move.
 *
 * @param {Point[]} points
 */
export const roomFor = (points) => (points.every(isNear) ? NEAR : WIDE);

/** @type {(from: Room, to: Room, t: number) => Room} */
export function between(from, to, t) {
  /** @type {(name: keyof Room) => Point} */
  const each = (name) => [mix(from[name][0], to[name][0], swing(t)), mix(from[name][1], to[name][1], swing(t))];
  return { centre: each("centre"), size: each("size") };
}

const STEPS = /** @type {Record<string, Point>} */ ({
  ...{ ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] },
});

/**
 * A sheet as large as its place on the page.
 *
 * @param {string} kind
 */
export function sheet(kind) {
  let room = WIDE;
  const node = svg("svg", { class: `mix-sheet ${kind}`, tabindex: 0, role: "application" });

  /**
   * Draw the shapes, first ones below. Elements are reused and only changes are written.
   *
   * @param {Plan} plan
   * @param {Shape[]} shapes
   * @param {string} label
   */
  function draw({ width, height }, shapes, label) {
    setAttributes(node, { viewBox: `0 0 ${width} ${height}`, "aria-label": label });
    while (node.children.length > shapes.length) node.lastChild?.remove();
    shapes.forEach(([tag, attributes, text = ""], n) => {
      const child = elementAt(n, tag);
      for (const name of child.getAttributeNames()) if (!(name in attributes)) child.removeAttribute(name);
      setAttributes(child, attributes);
      if (child.textContent !== text) child.textContent = text;
    });
  }

  /** Child n of the sheet, replaced or added if it is not of this kind. @type {(n: number, tag: "path" | "text") => Element} */
  function elementAt(n, tag) {
    const old = node.children[n];
    if (old?.localName === tag) return old;
    const child = svg(tag);
    if (old) old.replaceWith(child);
    else node.append(child);
    return child;
  }

  return {
    node,
    draw,
    /** @param {Room} next */
    show(next) {
      room = next;
    },
    /** @returns {Plan} */
    plan() {
      const box = node.getBoundingClientRect();
      const [width, height] = [Math.round(box.width) || 240, Math.round(box.height) || 240];
      return { width, height, unit: Math.min(width / room.size[0], height / room.size[1]), centre: room.centre };
    },
    /** Where the pointer is, in pixels of the sheet. @type {(event: PointerEvent) => Point} */
    pointer(event) {
      const box = node.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    },
  };
}

/**
 * The place of a point on the sheet. The second coordinate points upwards.
 *
 * @param {Plan} plan
 * @param {ArrayLike<number>} point
 * @returns {Point}
 */
export const toPlace = ({ width, height, unit, centre: [x, y] }, point) => [
  width / 2 + (point[0] - x) * unit,
  height / 2 - (point[1] - y) * unit,
];

/**
 * The point at a place: coordinates in tenths, inside the limits, never -0.
 *
 * @param {Plan} plan
 * @param {Point} place
 * @returns {Point}
 */
export const toPoint = ({ width, height, unit, centre }, [x, y]) => [
  toTenth((x - width / 2) / unit + centre[0]),
  toTenth((height / 2 - y) / unit + centre[1]),
];

/** @param {number} x */
export const toTenth = (x) => clamp(Math.round(10 * x) / 10, -REACH, REACH) + 0;

/** @param {number} x */
const short = (x) => String(Math.round(10 * x) / 10 + 0);

/**
 * The `d` of a path through these places.
 *
 * @param {Point[]} places
 */
export const line = (places) => `M${places.map((place) => place.map(short).join(" ")).join("L")}`;

/**
 * The `d` of a circle.
 *
 * @param {Point} place
 * @param {number} r
 */
export const circle = ([x, y], r) => `M${short(x - r)} ${short(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/**
 * The `d` of an arrow from one place to another, or so far before it. A short one is thin.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} thickness of its line
 * @param {number} [before]
 */
export function arrow(from, to, thickness, before = 0) {
  const all = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const length = all - before;
  if (length < 0.5) return "";
  const [ux, uy] = [(to[0] - from[0]) / all, (to[1] - from[1]) / all];
  const thin = Math.min(thickness, length / 5);
  const neck = length - 3 * thin;
  /** @type {(along: number, aside: number) => Point} */
  const at = (along, aside) => [from[0] + ux * along - uy * aside, from[1] + uy * along + ux * aside];
  const [half, wing] = [thin / 2, 1.5 * thin];
  const outline = [at(0, half), at(neck, half), at(neck, wing), at(length, 0), at(neck, -wing), at(neck, -half), at(0, -half)];
  return `${line(outline)}Z`;
}

/**
 * Let a reader move points of a plane: drag them, or move the chosen one with the arrow keys, five times as far with Shift; Page Up
 * and Page Down choose another.
 *
 * @param {ReturnType<typeof sheet>} surface
 * @param {object} options
 * @param {() => { n: number, point: Point }[]} options.handles the points that can be moved, as they are set now
 * @param {(n: number) => void} options.onPick
 * @param {(n: number, point: Point) => void} options.onMove
 * @param {() => number} options.chosen which one the keys move
 * @param {boolean} [options.anywhere] whether a click of the mouse brings the nearest point there
 */
export function dragging(surface, { handles, onPick, onMove, chosen, anywhere = false }) {
  const { node } = surface;
  /** @type {number | null} */
  let held = null;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const plan = surface.plan();
    const place = surface.pointer(event);
    const all = handles().map(({ n, point }) => {
      const [x, y] = toPlace(plan, point);
      return { n, far: Math.hypot(x - place[0], y - place[1]) };
    });
    if (!all.length) return;
    const nearest = all.reduce((best, one) => (one.far < best.far ? one : best));
    const isOn = nearest.far <= (event.pointerType === "mouse" ? 16 : 24);
    if (!isOn && !(anywhere && event.pointerType === "mouse")) return;
    held = nearest.n;
    node.setPointerCapture(event.pointerId);
    if (isOn) onPick(held);
    else onMove(held, toPoint(plan, place));
  });
  node.addEventListener("pointermove", (event) => {
    if (held !== null) onMove(held, toPoint(surface.plan(), surface.pointer(event)));
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
    node.addEventListener(end, () => {
      held = null;
    });
  node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = handles();
    const at = Math.max(
      0,
      all.findIndex(({ n }) => n === chosen()),
    );
    const step = STEPS[event.key];
    const turn = { PageUp: -1, PageDown: 1 }[event.key];
    if (turn) onPick(all[clamp(at + turn, 0, all.length - 1)].n);
    else if (step) {
      const { n, point } = all[at];
      const times = event.shiftKey ? 5 : 1;
      onMove(n, /** @type {Point} */ (point.map((x, d) => toTenth(x + times * step[d]))));
    } else return;
    event.preventDefault();
  });
}
