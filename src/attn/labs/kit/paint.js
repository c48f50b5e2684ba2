// What a heatmap writes on its canvas besides the colours: titles, labels, and signs for numbers without a colour.

/** @typedef {{ axis: string, names: string[] }} Titles the names along an axis of facets: "head 0", "head 1" */

/**
 * "head 2", or only 2 where there is little room, in the colour of its axis.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {string} name
 * @param {object} spot
 * @param {number} spot.n the number that is written where the name is too long
 * @param {number} spot.x
 * @param {number} spot.y
 * @param {number} spot.space in pixels
 * @param {string} spot.colour
 * @param {number} [spot.angle]
 */
export function paintTitle(brush, name, { n, x, y, space, colour, angle = 0 }) {
  brush.save();
  brush.fillStyle = colour;
  brush.font = "600 11px system-ui, sans-serif";
  brush.textAlign = "center";
  brush.translate(x, y);
  brush.rotate(angle);
  brush.fillText(space < 7 * name.length ? String(n) : name, 0, 0);
  brush.restore();
}

/**
 * The words beside the rows, and above the columns, of the facet that begins at (x, y).
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {{ rows: string[], columns: string[] }} words
 * @param {number} x
 * @param {number} y
 * @param {import("./facets.js").Plan} plan
 */
export function paintLabels(brush, words, x, y, plan) {
  brush.textAlign = "right";
  words.rows.forEach((word, i) => {
    brush.fillText(word, x - 5, y + (i + 0.5) * plan.cell);
  });
  brush.textAlign = plan.upright ? "left" : "center";
  words.columns.forEach((word, j) => {
    const at = x + (j + 0.5) * plan.cell;
    if (!plan.upright) {
      brush.fillText(word, at, y - 8);
      return;
    }
    brush.save();
    brush.translate(at, y - 5);
    brush.rotate(-Math.PI / 2);
    brush.fillText(word, 0, 0);
    brush.restore();
  });
}

/**
 * A dot for -Infinity (may not be attended to) and a cross for NaN, on the facet that begins at (x, y).
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {ArrayLike<number>} data of the facet
 * @param {number} C
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 */
export function paintSigns(brush, data, C, x, y, cell) {
  for (let n = 0; n < data.length; n++) {
    if (Number.isFinite(data[n])) continue;
    const [cx, cy] = [x + ((n % C) + 0.5) * cell, y + (Math.floor(n / C) + 0.5) * cell];
    if (Number.isNaN(data[n])) {
      const r = cell / 4;
      brush.beginPath();
      brush.moveTo(cx - r, cy - r);
      brush.lineTo(cx + r, cy + r);
      brush.moveTo(cx - r, cy + r);
      brush.lineTo(cx + r, cy - r);
      brush.stroke();
    } else {
      const r = Math.max(0.6, cell / 12);
      brush.fillRect(cx - r, cy - r, 2 * r, 2 * r);
    }
  }
}
