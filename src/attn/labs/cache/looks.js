// The colours of CacheLab's picture. What is in the cache has a hue of its own; what was computed for the newest word is grey.

import { coloursOf, inkOn, mixed, tints } from "../kit/colours.js";

/** @typedef {ReturnType<typeof looksOf>} Looks */

/** @param {Element} root @param {Element} bad an element in the colour of a wrong result */
export function looksOf(root, bad) {
  const axes = coloursOf(root);
  const isDark = inkOn(axes.paper) === "#fff";
  const cache = isDark ? "#35b6c4" : "#12859a";
  return {
    axes,
    paper: axes.paper,
    ink: axes.ink,
    cache,
    slice: mixed(axes.ink, cache, 0.3), // of a value that moves: strong, since it is thin
    isDark,
    bad: getComputedStyle(bad).color,
    heads: tints(axes.H, axes.paper),
  };
}

/**
 * The fill of a cell: the larger the number, the stronger its hue.
 *
 * @param {Looks} looks
 * @param {string} hue
 * @param {number} value
 * @param {number} most
 */
export function fillOf({ paper }, hue, value, most) {
  const share = Math.max(-1, Math.min(1, value / most));
  return mixed(hue, paper, 0.36 + 0.26 * share);
}

/** The hue of what is new. @param {Looks} looks */
export const nowHue = ({ ink, paper }) => mixed(ink, paper, 0.75);

/** What stays in sight although it is not what the picture is about. @param {Looks} looks */
export const quiet = ({ ink, paper }) => mixed(ink, paper, 0.68);
