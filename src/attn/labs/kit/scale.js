// From a number to a colour: weights on a scale from 0 to 1, signed numbers on a scale from -most to most.

import { clamp, range } from "./math.js";

/** @typedef {"weights" | "signed"} Scale */

// Viridis (Smith and van der Walt, CC0), and a scale from blue through white to orange, at equal steps: attn.plots has the same ones.
const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const SIGNED = ["#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fee0b6", "#fdb863", "#e08214", "#b35806"];

// For marks that have only a sign.
export const NEGATIVE = SIGNED[1];
export const POSITIVE = SIGNED[7];

/**
 * 256 pixels between these colours.
 *
 * @param {string[]} colours
 */
function table(colours) {
  const stops = colours.map((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
  return Uint32Array.from(range(256), (n) => {
    const place = (n / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const [r, g, b] = stops[low].map((from, channel) => Math.round(from + (place - low) * (stops[low + 1][channel] - from)));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
}

const TABLES = { weights: table(VIRIDIS), signed: table(SIGNED) };
const SHADES = { weights: Array.from(TABLES.weights, shadeOf), signed: Array.from(TABLES.signed, shadeOf) };
const TRANSPARENT = 0; // -Infinity and NaN have signs instead of colours

/**
 * The index of a number in the table of 256 colours.
 *
 * @param {number} value
 * @param {Scale} scale
 * @param {number} most
 */
function indexOf(value, scale, most) {
  const share = scale === "weights" ? value : (value / most + 1) / 2;
  return clamp(Math.round(share * 255), 0, 255);
}

/**
 * A 32-bit pixel for each number.
 *
 * @param {ArrayLike<number>} data
 * @param {Scale} scale
 * @param {number} most
 */
export function pixels(data, scale, most) {
  const colours = TABLES[scale];
  const out = new Uint32Array(data.length);
  for (let n = 0; n < data.length; n++) out[n] = Number.isFinite(data[n]) ? colours[indexOf(data[n], scale, most)] : TRANSPARENT;
  return out;
}

/**
 * The largest finite magnitude, 1 if there is none.
 *
 * @param {Iterable<number>} data
 */
export function magnitude(data) {
  let most = 0;
  for (const value of data) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most || 1;
}

/**
 * The colour of a cell, and a colour of text that can be read on it; null if the number has a sign instead of a colour.
 *
 * @param {number} value
 * @param {Scale} scale
 * @param {number} most
 */
export function shade(value, scale, most) {
  return Number.isFinite(value) ? SHADES[scale][indexOf(value, scale, most)] : null;
}

/** @param {number} pixel */
function shadeOf(pixel) {
  const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  return { paper: `rgb(${r}, ${g}, ${b})`, ink: luminance(r, g, b) > 0.18 ? "#000" : "#fff" };
}

/**
 * Relative luminance (WCAG 2.2). Black text is easier to read than white text above 0.18.
 *
 * @param {number[]} channels
 */
function luminance(...channels) {
  const [r, g, b] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
