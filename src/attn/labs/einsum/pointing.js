// Pointing at numbers of EinsumLab's picture, with a mouse, a finger or the keyboard: the one that is explained is the pin. A click on a
// number of an operand adds 1 to it.

import { readFormula, shapeOf } from "./formula.js";
import { numberAt } from "./layout.js";
import { axesOf, tracePin } from "./pin.js";
import { walk } from "./walk.js";

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {HTMLCanvasElement} canvas
 * @param {object} drawn
 * @param {() => import("./layout.js").Plan | undefined} drawn.plan
 * @param {() => [number, number][]} drawn.fronts
 * @param {() => void} drawn.show
 * @param {() => import("./formula.js").Sizes} drawn.sizes
 * @param {(pin: number[]) => void} drawn.nudge add 1 to this number of an operand
 */
export function pointing({ root, get, set }, canvas, { plan, fronts, show, sizes, nudge }) {
  /** @type {number[] | null} */
  let hovered = null;
  /** @type {{ pin: number[], shape: string | null } | null} */
  let lastPin = null;

  /** The number under the pointer, as [side, number]. @param {MouseEvent} event */
  function under(event) {
    const box = canvas.getBoundingClientRect();
    for (const [side, one] of (plan()?.places ?? []).entries()) {
      const n = one && numberAt(one, fronts()[side], event.clientX - box.left, event.clientY - box.top);
      if (n !== null) return [side, n];
    }
    return null;
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(under(event));
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    const pin = under(event);
    hovered = null;
    if (pin && pin[0] < 2) nudge(pin);
    else keepPin(String(pin) === String(get("pin")) ? null : pin);
  });
  canvas.addEventListener("keydown", press);

  /** @param {number[] | null} pin */
  function hover(pin) {
    if (String(pin) === String(hovered) || root.hasAttribute("data-moving")) return;
    hovered = pin;
    if (plan()) show();
  }

  /** @param {number[] | null} pin */
  function keepPin(pin) {
    lastPin = null;
    set(pin ? { pin, step: null } : { pin });
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") keepPin(null);
    else {
      const pin = walk(readFormula(get("formula")), sizes(), get("pin"), event.key);
      if (!pin) return;
      hovered = null;
      keepPin(pin);
    }
    event.preventDefault();
  }

  return {
    get hovered() {
      return hovered;
    },
    /** Forget what was pointed at. */
    clear() {
      hovered = lastPin = null;
    },
    /** Forget a hovered number that this formula does not have. @param {import("./formula.js").Formula} formula @param {import("./formula.js").Sizes} settings */
    draw(formula, settings) {
      if (!tracePin(formula, settings, hovered)) hovered = null;
    },
    /**
     * The pin in another formula. It stays where its tensor has the same shape, and comes back with such a formula while the reader types.
     *
     * @param {string} text
     */
    pinFor(text) {
      const shapeIn = (/** @type {string} */ one, /** @type {number} */ side) => {
        const axes = axesOf(readFormula(one))[side];
        return axes === null ? null : String(shapeOf(axes, sizes()));
      };
      const pin = get("pin");
      if (pin) lastPin = { pin, shape: shapeIn(get("formula"), pin[0]) };
      return lastPin && shapeIn(text, lastPin.pin[0]) === lastPin.shape ? lastPin.pin : null;
    },
  };
}
