// EinsumLab's canvas: draws what scene.js says where layout.js says.

import { penFor, write } from "../kit/canvas.js";
import { clamp } from "../kit/math.js";
import { differencesAt } from "./differences.js";
import { paintEdges } from "./edges.js";
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
  paintLane(pen, picture, scene);
  for (const { box, text, alpha } of differencesAt(picture, scene, bump)) {
    pen.globalAlpha = alpha;
    paintDifference(pen, picture, box, text);
  }
  pen.globalAlpha = 1;
}

/** By how much a result changes: a label, and no number of the matrix. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./layout.js").Box} box @param {string} text */
function paintDifference(pen, { look }, { x, y, w, h }, text) {
  const wide = clamp(w, 22, 36) - 3;
  pen.beginPath();
  pen.roundRect(x + (w - wide) / 2, y + 1.5, wide, h - 3, 5);
  pen.fillStyle = look.paper;
  pen.fill();
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.stroke();
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour: look.ink, weight: 700, size: w > 30 ? 13 : 11, align: "center" });
}
