// Colours for indices (Paul Tol's "light" scheme): distinct to every kind of eye, and black text is readable on all of them. These
// are the INDEX_COLOURS of attn.plots; style sheets have them as --lab-colour-0 to --lab-colour-8.

export const COLOURS = ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#dddddd", "#aaaa00"];

/**
 * The colour of index n. The colours repeat after the last one.
 *
 * @param {number} n
 */
export function colourOf(n) {
  return COLOURS[n % COLOURS.length];
}

/** Neighbours differ most: this order of twelve steps never puts two that are close beside each other. */
const STEPS = [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11];

const PLACES = Array.from({ length: 57 }, (_, n) => n / 56); // on the ramp, where tints are few
const LEAST_CONTRAST = 5; // the least contrast of a text on one of few tints

/**
 * Tints of an axis colour, for what lies along that axis: heads are tints of H's colour, words of L's. They repeat after the last one;
 * a number stands beside or on each, because twelve tints of one colour cannot be told apart by colour alone. A caller that needs
 * fewer gives their number: they are then as far apart as possible, and text is readable on each.
 *
 * @param {string} colour of the axis, as #rrggbb
 * @param {string} paper the background, as #rrggbb or rgb(r, g, b)
 * @param {number} [count] how many are needed
 * @returns {string[]}
 */
export function tints(colour, paper, count = STEPS.length) {
  const tint = ramp(colour, paper);
  if (count >= STEPS.length) return STEPS.map((step) => tint(step / 11));
  const readable = PLACES.map(tint).filter((one) => contrast(one, inkOn(one)) >= LEAST_CONTRAST);
  const lightness = readable.map((one) => Math.log(relativeLuminance(one) + 0.05));
  const [from, to] = [lightness[0], lightness[lightness.length - 1]];
  const half = Math.floor(count / 2);
  return Array.from({ length: count }, (_, n) => {
    const step = n % 2 ? (n - 1) / 2 : half + n / 2; // from one half of the ramp to the other, so that neighbours differ
    const share = count > 1 ? step / (count - 1) : 0.5;
    const off = lightness.map((one) => Math.abs(one - from - (to - from) * share));
    return readable[off.indexOf(Math.min(...off))];
  });
}

/**
 * The family of a colour, from strong (0) to nearly the paper (1): none is nearly black on light paper, none nearly as dark as dark
 * paper. What is lighter has a hue nearer to yellow, as in daylight, and pale ones are weaker.
 *
 * @param {string} colour as #rrggbb
 * @param {string} paper
 * @returns {(place: number) => string}
 */
export function ramp(colour, paper) {
  const [from, to] = inkOn(paper) === "#000" ? [0.42, 0.94] : [0.92, 0.42];
  const [r, g, b] = channels(colour).map((value) => value / 255);
  return (place) => {
    const light = from + (to - from) * place;
    const turn = ((light - 0.5) * (r - g)) / (r + g + 0.01); // none at yellow and at grey
    const turned = [r + turn * (b - g), g + turn * (r - b), b + turn * (g - r)]; // about the axis of greys
    const hue = turned.map((value) => value - luma(turned));
    const kept = Math.min(1.02, 1.9 - 1.5 * light, ...hue.map((value) => (value > 0 ? 1 - light : light) / Math.abs(value)));
    return `rgb(${hue.map((value) => Math.round(255 * (light + value * kept))).join(", ")})`;
  };
}

/** @param {number[]} rgb */
const luma = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/**
 * A colour laid on another one.
 *
 * @param {string} colour as #rrggbb or rgb(r, g, b)
 * @param {string} ground
 * @param {number} strength from 0, the ground alone, to 1, the colour alone
 */
export function mixed(colour, ground, strength) {
  const [over, under] = [colour, ground].map(channels);
  return `rgb(${over.map((value, n) => Math.round(under[n] + (value - under[n]) * strength)).join(", ")})`;
}

/**
 * Black or white, whichever is easier to read on this colour.
 *
 * @param {string} colour as #rrggbb or rgb(r, g, b)
 */
export function inkOn(colour) {
  return relativeLuminance(colour) > 0.179 ? "#000" : "#fff"; // where black and white have the same contrast (WCAG 2)
}

/**
 * The contrast of two colours, 1 to 21 (WCAG 2).
 *
 * @param {string} one as #rrggbb or rgb(r, g, b)
 * @param {string} other
 */
export function contrast(one, other) {
  const [low, high] = [relativeLuminance(one), relativeLuminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} colour */
function relativeLuminance(colour) {
  return luma(
    channels(colour).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)),
  );
}

/**
 * What lies over things that are not selected, half transparent. On dark paper it is lighter than the paper, so that colours below it
 * become grey and not black.
 *
 * @param {string} paper as #rrggbb or rgb(r, g, b)
 */
export function veilOn(paper) {
  return inkOn(paper) === "#000" ? paper : mixed("#fff", paper, 0.3);
}

/**
 * The axis colours and the background of the page, for what is drawn on a canvas.
 *
 * @param {Element} node
 * @returns {Record<string, string>} B, H, L, S, D, E, G, paper and ink
 */
export function coloursOf(node) {
  const style = getComputedStyle(node);
  const axes = [..."BHLSDEG"].map((axis) => [axis, style.getPropertyValue(`--attn-${axis}`).trim()]);
  return { ...Object.fromEntries(axes), paper: background(node), ink: style.color };
}

/**
 * The colour behind an element: that of the nearest ancestor that has one.
 *
 * @param {Element | null} node
 * @returns {string}
 */
export function background(node) {
  if (!node) return "#ffffff";
  const colour = getComputedStyle(node).backgroundColor;
  return /^rgba\(.*, 0\)$|^transparent$/.test(colour) ? background(node.parentElement) : colour;
}

/**
 * @param {string} colour
 * @returns {number[]} red, green and blue, 0 to 255
 */
export function channels(colour) {
  const hex = colour.match(/^#(\w\w?)(\w\w?)(\w\w?)$/); // #rgb or #rrggbb
  if (hex) return hex.slice(1).map((part) => Number.parseInt(part.padStart(2, part), 16));
  return (colour.match(/[\d.]+/g) ?? ["128", "128", "128"]).slice(0, 3).map(Number);
}
