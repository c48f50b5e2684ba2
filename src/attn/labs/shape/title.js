// The line above the chosen tensor: its name, its axes and its shape; which sentence is drawn; and the scale of its colours.

import { element, letters } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { axesOf, shapeNow, written } from "./stages.js";

export function title() {
  const node = element("p", { class: "about" });
  let titled = "";

  /**
   * @param {string} name
   * @param {number} b the sentence
   * @param {import("./view.js").State} state
   * @param {import("./images.js").Image | null} image
   */
  function show(name, b, state, image) {
    const axes = axesOf(name, state);
    const shape = shapeNow(name, state);
    const scale = !image || state.colour === "origin" ? "" : image.kind === "weights" ? "0 to 1" : `±${number(image.most, 1)}`;
    const now = [name, axes, shape, b, state.B, scale].join();
    if (now === titled) return;
    titled = now;
    node.replaceChildren(
      element("span", {}, element("strong", {}, written(name)), " ", letters(axes), ` = (${shape.join(", ")})`),
      element("span", { class: "which" }, state.B > 1 ? `sentence ${b}` : ""),
      scale ? element("span", { class: `scale ${image?.kind}` }, scale) : "",
    );
  }
  return { node, show };
}
