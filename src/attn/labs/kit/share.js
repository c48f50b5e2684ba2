// A reader's settings as a link to the page, or as the Python that makes the lab.

import { element } from "./dom.js";

/**
 * The Python that makes a lab with these settings: ShapeLab(B=2, L=9, causal=True).
 *
 * @param {string} name
 * @param {Record<string, any>} settings
 * @param {string[]} [positional] arguments before the settings, as Python
 */
export function asCode(name, settings, positional = []) {
  /**
   * @param {any} value
   * @returns {string}
   */
  const literal = (value) => {
    if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
    return value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
  };
  return `${name}(${[...positional, ...Object.entries(settings).map(([key, value]) => `${key}=${literal(value)}`)].join(", ")})`;
}

/**
 * A button that copies a text, and the field that shows the text where the clipboard is closed, so that it can be copied by hand.
 *
 * @param {string} what "link" or "code"
 * @param {() => string | Promise<string>} text
 * @param {(sentence: string) => void} say
 */
export function copyButton(what, text, say) {
  const button = element("button", { type: "button", onclick: copy }, `copy ${what}`);
  const field = element("textarea", { class: "shared", readonly: true, "aria-label": what, hidden: true });

  async function copy() {
    const copied = await text();
    try {
      await navigator.clipboard.writeText(copied);
      button.dataset.done = "copied";
      setTimeout(() => delete button.dataset.done, 1500);
      say("copied");
    } catch {
      field.value = copied;
      field.hidden = false;
      field.focus();
      field.select();
    }
  }
  return { button, field };
}
