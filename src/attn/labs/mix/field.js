// The ground of the plane of queries: at each place the colours of the words, mixed as a query there would mix their values.

import { channels } from "../kit/colours.js";
import { element } from "../kit/dom.js";
import { weightsAt } from "./model.js";

const CELL = 8; // pixels of the sheet that have one colour: the browser smooths them

/** A canvas that lies below the sheet of queries. */
export function ground() {
  const node = element("canvas", { class: "mix-ground", "aria-hidden": "true" });
  let drawn = "";

  /**
   * @param {import("./sheet.js").Plan} plan
   * @param {Pick<import("./between.js").Frame, "values" | "temperature">} frame
   * @param {string[]} tints
   */
  function draw(plan, { values, temperature }, tints) {
    const [wide, high] = [plan.width, plan.height].map((one) => Math.ceil(one / CELL));
    const key = JSON.stringify([plan, values.length, temperature, tints]);
    if (key === drawn) return;
    drawn = key;
    [node.width, node.height] = [wide, high];
    const pen = /** @type {CanvasRenderingContext2D} */ (node.getContext("2d"));
    const image = pen.createImageData(wide, high);
    const colours = tints.slice(0, values.length).map(channels);
    for (let n = 0; n < wide * high; n++) {
      const x = ((n % wide) + 0.5) * (plan.width / wide) - plan.width / 2;
      const y = plan.height / 2 - (Math.floor(n / wide) + 0.5) * (plan.height / high);
      const weights = weightsAt(temperature, [x / plan.unit, y / plan.unit], values.length);
      for (let at = 0; at < 3; at++) image.data[4 * n + at] = weights.reduce((sum, weight, s) => sum + weight * colours[s][at], 0);
      image.data[4 * n + 3] = 255;
    }
    pen.putImageData(image, 0, 0);
  }

  return { node, draw };
}
