// The loss of every step as a curve.

import { element, setAttributes, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { linePath } from "./line.js";

const [WIDTH, HEIGHT] = [300, 100];

/**
 * The curve with the loss of guessing and the present step.
 *
 * @param {(frame: number) => void} onFrame is called when the curve is pointed at
 */
export function lossChart(onFrame) {
  const curve = svg("path", { class: "loss" });
  const [guess, now] = [svg("path", { class: "guess" }), svg("path", { class: "now" })];
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const picture = svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, guess, curve, now);
  const title = element("p");
  const [first, last] = [element("small", {}, "step 0"), element("small")];
  const node = element("div", { class: "training-loss" }, title, picture, element("p", { class: "training-ends" }, first, last));
  /** @type {import("./model.js").Run | null} */
  let drawn = null;

  picture.addEventListener("pointerdown", (event) => {
    if (!drawn) return;
    const { left, width } = picture.getBoundingClientRect();
    const lastFrame = drawn.steps.length - 1;
    onFrame(clamp(Math.round(((event.clientX - left) / width) * lastFrame), 0, lastFrame));
  });

  /**
   * @param {import("./model.js").Run} run
   * @param {number} frame
   * @param {number} loss of this frame's step
   */
  function draw(run, frame, loss) {
    const lastStep = run.losses.length - 1;
    if (drawn !== run) {
      const most = 1.12 * Math.max(run.guess, run.losses[0]);
      setAttributes(curve, { d: linePath(run.losses, WIDTH, HEIGHT, most) });
      setAttributes(guess, { d: `M0 ${(HEIGHT * (1 - run.guess / most)).toFixed(1)}H${WIDTH}` });
      setText(last, `step ${lastStep}`);
      drawn = run;
    }
    const x = ((WIDTH * run.steps[frame]) / Math.max(1, lastStep)).toFixed(1);
    setAttributes(now, { d: `M${x} 0V${HEIGHT}` });
    setText(title, `Loss of the batch at this step ${number(loss, 2)} (guessing, dashed: ${number(run.guess, 2)})`);
  }

  return { node, draw };
}
