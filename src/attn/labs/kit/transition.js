// A move from one picture to the next. The picture is a function of how much of the move has passed, from 0 to 1. Readers who prefer
// reduced motion see its end at once.

import { setMoving } from "./moving.js";

const reduced = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Whether the reader prefers pictures that do not move. */
export const prefersStills = () => Boolean(reduced?.matches);

/**
 * @typedef {object} Transition
 * @property {() => void} start move from the beginning
 * @property {() => void} finish jump to the end, if it is moving
 * @property {() => void} stop for the cleanup: draw no more
 * @property {() => number} passed how much of the move has passed: 1 at rest
 */

/**
 * A move that is drawn frame by frame.
 *
 * @param {HTMLElement} root of the lab
 * @param {(passed: number) => void} draw draws the picture, from 0 (as before) to 1 (at rest)
 * @param {number} [milliseconds]
 * @returns {Transition}
 */
export function transition(root, draw, milliseconds = 800) {
  let passed = 1;
  let frame = 0;
  let began = 0;

  const mover = {};

  function end() {
    cancelAnimationFrame(frame);
    frame = 0;
    passed = 1;
    setMoving(root, mover, false);
  }

  /** @param {number} now */
  function tick(now) {
    began ||= now;
    if (now - began >= milliseconds || prefersStills()) end();
    else {
      passed = Math.max(0, (now - began) / milliseconds);
      frame = requestAnimationFrame(tick);
    }
    draw(passed);
  }

  return {
    start() {
      if (prefersStills()) {
        end();
        return draw(1);
      }
      cancelAnimationFrame(frame);
      [began, passed] = [0, 0];
      setMoving(root, mover, true);
      frame = requestAnimationFrame(tick);
      draw(0);
    },
    finish() {
      if (!frame) return;
      end();
      draw(1);
    },
    stop: end,
    passed: () => passed,
  };
}
