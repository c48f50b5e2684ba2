// Save what a lab shows as a PNG, with its title above and, below, the link or the code that leads back to it.

import { background } from "./colours.js";
import { context2d, element, sharpness } from "./dom.js";

const MARGIN = 24;
const DENSITY = 2; // pixels for each CSS pixel
const LONGEST_MOVE = 2000; // milliseconds: after a move the picture is saved at rest, but a film does not have to end first

// Comes with the second script.
/**
 * Save the picture of a lab: that of its stage, or all of it if it has none. The browser asks where, or puts it with the downloads.
 *
 * @param {HTMLElement} root
 * @param {string} title
 * @param {string} address
 * @param {() => void} draw draws the lab again, as it is
 */
export async function savePicture(root, title, address, draw) {
  const latest = performance.now() + LONGEST_MOVE;
  while (root.hasAttribute("data-moving") && performance.now() < latest) await new Promise(requestAnimationFrame);
  const name = `${root.dataset.name ?? "picture"}.png`;
  const url = URL.createObjectURL(await pictureOf(root, title, address, draw));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * @param {HTMLElement} root
 * @param {string} title
 * @param {string} address
 * @param {() => void} draw
 * @returns {Promise<Blob>}
 */
async function pictureOf(root, title, address, draw) {
  const shown = /** @type {HTMLElement} */ (root.querySelector(".picture") ?? root.children[1]);
  const question = root.querySelector(".question")?.textContent || title;
  const sentence = root.querySelector(".sentence")?.textContent ?? "";
  const { width, height } = shown.getBoundingClientRect();
  const paper = background(root);
  const ink = getComputedStyle(root).color;
  sharpness.least = DENSITY;
  draw();
  const image = imageOf(shown, width, height);
  sharpness.least = 1;
  draw();
  await image.decode();
  const canvas = element("canvas");
  const pen = context2d(canvas);
  const wide = Math.max(width, 480);
  /** @type {[string, number, number][]} text, size in pixels, how strong */
  const texts = [
    [question, 20, 1],
    [sentence, 15, 1],
    [address, 12, 0.7],
  ];
  const [above, below] = [texts.slice(0, 1), texts.slice(1)].map((some) =>
    some.flatMap(([text, size, strength]) =>
      brokenInto(pen, text, size, wide).map((line) => /** @type {const} */ ([line, size, strength])),
    ),
  );
  const heightOf = (/** @type {readonly (readonly [string, number, number])[]} */ lines) =>
    lines.reduce((sum, [, size]) => sum + 1.4 * size, 0);
  canvas.width = DENSITY * (wide + 2 * MARGIN);
  canvas.height = DENSITY * (height + heightOf(above) + heightOf(below) + 4 * MARGIN);
  pen.scale(DENSITY, DENSITY);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  let y = MARGIN;
  /** @param {readonly (readonly [string, number, number])[]} lines */
  const write = (lines) => {
    pen.fillStyle = ink;
    pen.textBaseline = "top";
    for (const [line, size, strength] of lines) {
      pen.globalAlpha = strength;
      pen.font = fontOf(size);
      pen.fillText(line, MARGIN, y);
      y += 1.4 * size;
    }
    pen.globalAlpha = 1;
  };
  write(above);
  pen.drawImage(image, MARGIN, y + MARGIN, width, height);
  y += height + 2 * MARGIN;
  write(below);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture is empty.")))));
}

/** @param {number} size */
const fontOf = (size) => `${size >= 20 ? "600 " : ""}${size}px system-ui, sans-serif`;

/**
 * A text in lines that are no wider than this. A word that is wider than a line is cut.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} size
 * @param {number} width
 */
function brokenInto(pen, text, size, width) {
  pen.font = fontOf(size);
  const fits = (/** @type {string} */ line) => pen.measureText(line).width <= width;
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
    while (!fits(lines[lines.length - 1])) {
      const whole = lines[lines.length - 1];
      const cut = Array.from(whole, (_, n) => n).findLast((n) => n > 0 && fits(whole.slice(0, n))) ?? 1;
      lines.splice(-1, 1, whole.slice(0, cut), whole.slice(cut));
    }
  }
  return lines;
}

/**
 * An element as an image: a copy in which every style is written out and every canvas is a picture of itself, drawn by the browser.
 *
 * @param {HTMLElement} node
 * @param {number} width
 * @param {number} height
 */
function imageOf(node, width, height) {
  const copy = /** @type {HTMLElement} */ (copied(node));
  copy.style.margin = "0";
  copy.setAttribute("xmlns", "http://www.w3.org/1999/xhtml");
  const html = new XMLSerializer().serializeToString(copy);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${html}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return image;
}

/**
 * @param {Element} node
 * @returns {Element}
 */
function copied(node) {
  if (node instanceof HTMLCanvasElement && node.width && node.height) {
    const picture = element("img", { src: node.toDataURL() });
    return withStyleOf(node, picture);
  }
  const copy = withStyleOf(node, /** @type {HTMLElement} */ (node.cloneNode(false)));
  if (node instanceof HTMLInputElement) copy.setAttribute("value", node.value); // a slider stands where the reader has put it
  for (const child of node.childNodes) {
    if (child instanceof Element) copy.append(copied(child));
    else if (child instanceof Text) copy.append(child.data);
  }
  return copy;
}

/**
 * @param {Element} node
 * @param {Element} copy
 */
function withStyleOf(node, copy) {
  const style = getComputedStyle(node);
  const rules = [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
  copy.setAttribute("style", rules);
  return copy;
}
