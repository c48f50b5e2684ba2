// From a number to a colour: weights on 0 to 1, signed numbers on -most to most.

// Viridis (Smith and van der Walt, CC0) and a blue-white-red scale, at equal steps.
const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const SIGNED = ["#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b"];

function table(colours) {
  const stops = colours.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return Uint32Array.from({ length: 256 }, (_, n) => {
    const place = (n / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const [r, g, b] = stops[low].map((from, channel) => Math.round(from + (place - low) * (stops[low + 1][channel] - from)));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
}

const TABLES = { weights: table(VIRIDIS), signed: table(SIGNED) };
const SHADES = { weights: Array.from(TABLES.weights, shadeOf), signed: Array.from(TABLES.signed, shadeOf) };
const NO_COLOUR = 0; // transparent: -Infinity and NaN have signs instead of colours

// Where in the table a number is: weights on 0 to 1, signed numbers on -most to most.
function step(value, kind, most) {
  const share = kind === "weights" ? value : (value / most + 1) / 2;
  return Math.max(0, Math.min(255, Math.round(share * 255)));
}

// One 32-bit pixel for each number.
export function pixels(data, kind, most) {
  const colours = TABLES[kind];
  const out = new Uint32Array(data.length);
  for (let n = 0; n < data.length; n++) out[n] = Number.isFinite(data[n]) ? colours[step(data[n], kind, most)] : NO_COLOUR;
  return out;
}

// The largest finite magnitude, 1 if there is none.
export function magnitude(data) {
  let most = 0;
  for (const value of data) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most || 1;
}

// One number as the colour of a cell, and the ink that can be read on it; null for what has a sign instead of a colour.
export function shade(value, kind, most) {
  return Number.isFinite(value) ? SHADES[kind][step(value, kind, most)] : null;
}

function shadeOf(pixel) {
  const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  return { paper: `rgb(${r}, ${g}, ${b})`, ink: luminance(r, g, b) > 0.18 ? "#000" : "#fff" };
}

// Relative luminance (WCAG 2.2): above 0.18 black is easier to read than white.
function luminance(...channels) {
  const [r, g, b] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
