// The colours of CacheLab's picture. Numbers are blue and orange, as everywhere; the cache is a box of its own hue.

import { coloursOf, inkOn, mixed } from "../kit/colours.js";

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
    isDark,
    bad: getComputedStyle(bad).color,
  };
}

/** What stays in sight although it is not what the picture is about. @param {Looks} looks */
export const quiet = ({ ink, paper }) => mixed(ink, paper, 0.68);
