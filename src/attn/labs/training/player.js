// The button that plays the frames of a recording.

import { element, setText } from "../kit/dom.js";

const TICK = 140; // milliseconds between two frames

/**
 * A button that plays all frames or, for readers who prefer reduced motion, goes to the next one.
 *
 * @param {() => number} currentFrame the frame that the lab is at, which may not be drawn yet
 * @param {(frame: number) => void} onFrame
 */
export function player(currentFrame, onFrame) {
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const node = element("button", { type: "button", onclick: press });
  let drawnFrame = 0;
  let count = 1;
  let expected = 0; // the frame that was played last
  let timer = 0;

  function press() {
    if (timer) stop();
    else advance(currentFrame());
  }

  function advance(from) {
    expected = from + 1 < count ? from + 1 : 0;
    // The next frame follows the one that is drawn by then, so slow drawing delays the frames and skips none.
    if (!reducedMotion.matches) timer = setTimeout(() => (drawnFrame + 1 < count ? advance(drawnFrame) : stop()), TICK);
    drawLabel();
    onFrame(expected);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    drawLabel();
  }

  function drawLabel() {
    setText(node, reducedMotion.matches ? "next frame" : timer ? "pause" : "play");
  }

  /**
   * Take note of the frame that is drawn. If it is not the one that was played, something else has changed it, so playing stops.
   *
   * @param {number} frame
   * @param {number} frames how many there are
   */
  function update(frame, frames) {
    drawnFrame = frame;
    count = frames;
    if (timer && frame !== expected) stop();
    drawLabel();
  }

  return { node, update, stop, isPlaying: () => Boolean(timer) };
}
