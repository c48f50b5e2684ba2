// EinsumLab's canvas: draws what scene.js says where layout.js says.

import { penFor, write } from "../kit/canvas.js";
import { differencesAt } from "./differences.js";
import { paintEdges, paintLegend } from "./edges.js";
import { fill } from "./ink.js";
import { paintLane } from "./lane.js";
import { paintSheet } from "./sheet.js";

/** @typedef {import("./ink.js").Picture} Picture */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {import("./scene.js").Scene} scene
 * @param {number} bump how much of the move of a nudged number has passed
 */
export function paint(canvas, picture, scene, bump) {
  const { plan } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  plan.places.forEach((place, side) => {
    if (!place) return;
    paintSheet(pen, picture, scene, place, side, bump);
    paintEdges(pen, picture, scene, place, side);
  });
  paintLegend(pen, picture);
  paintLane(pen, picture, scene);
  for (const { box, text, alpha } of differencesAt(picture, scene, bump)) {
    pen.globalAlpha = alpha;
    paintDifference(pen, picture, box, text);
  }
  pen.globalAlpha = 1;
}

/** By how much a result changes, on paper: it has no colour, because it is not the result. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./layout.js").Box} box @param {string} text */
function paintDifference(pen, { look }, { x, y, w, h }, text) {
  fill(pen, { x, y, w, h }, [look.paper]);
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour: look.ink, weight: 700, size: w > 30 ? 13 : 11, align: "center" });
}
