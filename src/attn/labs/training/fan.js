// Many lines in one picture. To draw them takes longer than a frame, so they are drawn once; a frame shows the part that is past.

import { penFor } from "../kit/canvas.js";
import { element } from "../kit/dom.js";

const PALE = 0.13; // what comes later

/** @type {WeakMap<object, { key: string, sheet: HTMLCanvasElement }>} */
const drawn = new WeakMap();

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {object} fan
 * @param {import("./curves.js").Panel["lines"]} fan.lines
 * @param {(line: number) => string} fan.colourOf
 * @param {(step: number) => number} fan.toX
 * @param {(value: number) => number} fan.toY
 * @param {number} fan.thick
 * @param {number} fan.width of the picture
 * @param {number} fan.height
 * @param {number} fan.now where the past ends
 */
export function paintFan(pen, { lines, colourOf, toX, toY, thick, width, height, now }) {
  const { a: ratio } = pen.getTransform();
  const owner = lines[0].values;
  const key = String([width, height, ratio, thick, toX(0), toX(1), toY(0), toY(1)]);
  let known = drawn.get(owner);
  if (known?.key !== key) {
    const sheet = known?.sheet ?? element("canvas", {});
    const brush = penFor(sheet, width, height);
    brush.lineWidth = thick;
    lines.forEach(({ values, steps }, n) => {
      brush.strokeStyle = colourOf(n);
      brush.beginPath();
      for (let at = 0; at < steps.length; at++) brush.lineTo(toX(steps[at]), toY(values[at]));
      brush.stroke();
    });
    known = { key, sheet };
    drawn.set(owner, known);
  }
  const { sheet } = known;
  const whole = /** @type {const} */ ([0, 0, sheet.width / ratio, sheet.height / ratio]);
  pen.save();
  pen.globalAlpha = PALE;
  pen.drawImage(sheet, ...whole);
  pen.globalAlpha = 1;
  pen.beginPath();
  pen.rect(0, 0, now, height);
  pen.clip();
  pen.drawImage(sheet, ...whole);
  pen.restore();
}
