// Labels of points: each stands beside its point where it covers no other label and no point.

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./sheet.js").Plan} Plan */
/** @typedef {import("./sheet.js").Shape} Shape */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

/**
 * @typedef {object} Label
 * @property {string} text
 * @property {Point} at the place that it belongs to
 * @property {Point} away the direction in which it would best stand
 * @property {number} gap how far from its place
 * @property {string} [kind]
 * @property {boolean} [optional] left out where there is no free place
 * @property {boolean} [isFixed] stands on its side of the place, however close
 * @property {boolean} [isClose] stands beside its place on any side, even where it covers something
 * @property {{ at: Point, r: number }[]} [clear] what this label, and no other, stays off: lines
 * @property {boolean} [roams] an optional label that may stand further away
 */

const HEIGHT = 16;
const LETTER = 7.7; // pixels of a letter, at most, on average
// Where a label may stand: eighths of a turn away from the best direction, and pixels further away; the best places come first.
const COST = [0, 10, 26, 40, 50]; // of so many eighths, in pixels
const PLACES = [0, 1, -1, 2, -2, 3, -3, 4]
  .flatMap((turn) => [0, 8, 16, 28, 44].map((more) => ({ turn, more, cost: COST[Math.abs(turn)] + 1.4 * more })))
  .sort((a, b) => a.cost - b.cost);

/** @param {string} text */
const widthOf = (text) => LETTER * text.length + 2;

/**
 * @param {Plan} plan
 * @param {Label[]} labels the first ones choose first
 * @param {{ at: Point, r: number }[]} points
 * @returns {Shape[]}
 */
export function labelled({ width, height }, labels, points) {
  /** @type {Box[]} */
  const taken = points.map(boxAround);
  return labels.flatMap(
    ({ text, at, away, gap, kind = "", optional = false, roams = false, isFixed = false, isClose = false, clear = [] }) => {
      const best = Math.round((Math.atan2(away[1], away[0]) * 4) / Math.PI);
      const half = [widthOf(text) / 2, HEIGHT / 2];
      const boxes = PLACES.filter(({ more, turn }) =>
        isFixed ? Math.abs(turn) < 2 && more <= 16 : isClose ? more <= 8 : !optional || roams || more <= 8,
      ).map(({ turn, more }) => {
        const angle = ((best + turn) * Math.PI) / 4;
        const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
        const x = clampTo(at[0] + Math.round(ux) * half[0] + ux * (gap + more), half[0] + 1, width - half[0] - 1);
        const y = clampTo(at[1] + Math.round(uy) * half[1] + uy * (gap + more), half[1] + 1, height - half[1] - 1);
        return /** @type {Box} */ ([x - half[0], y - half[1], x + half[0], y + half[1]]);
      });
      const others = [...taken, ...clear.map(boxAround)];
      const covered = boxes.map((box) => others.reduce((sum, other) => sum + common(box, other), 0));
      const least = Math.min(...covered);
      if (optional && least > 0) return [];
      const box = boxes[covered.indexOf(least)];
      taken.push(box);
      const attributes = { x: ((box[0] + box[2]) / 2).toFixed(1), y: (box[3] - 3.5).toFixed(1), class: kind };
      return [/** @type {Shape} */ (["text", attributes, text])];
    },
  );
}

/** @type {(point: { at: Point, r: number }) => Box} */
const boxAround = ({ at: [x, y], r }) => [x - r, y - r, x + r, y + r];

/** @type {(x: number, least: number, most: number) => number} */
const clampTo = (x, least, most) => Math.max(least, Math.min(most, x));

/** The area that two boxes have in common. @type {(a: Box, b: Box) => number} */
function common(a, b) {
  const [w, h] = [Math.min(a[2], b[2]) - Math.max(a[0], b[0]), Math.min(a[3], b[3]) - Math.max(a[1], b[1])];
  return w > 0 && h > 0 ? w * h : 0;
}
