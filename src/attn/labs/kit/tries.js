// Sentences that act: the link [set H to 1](#try "H=1") in the text sets a lab of the page. The build (book/_ext/attn_tries.py) has
// checked the settings and left a <span>. In JupyterLab it is a link with a title, or in a downloaded notebook a <span> with one. All
// become buttons. Without JavaScript they are text.

import { element } from "./dom.js";

/**
 * The settings that a sentence names: "H=1, causal=true" or, for a lab that is not the nearest one, "MaskLab: rule=causal".
 *
 * @param {string} text
 * @returns {{ lab: string, settings: Record<string, any> }}
 */
export function parseTry(text) {
  const [, lab = "", rest] = /** @type {RegExpMatchArray} */ (text.match(/^\s*(?:(\w+Lab):)?(.*)$/s));
  const pairs = [...rest.matchAll(/(\w+)\s*=\s*((?:\[(?:[^[\]]|\[[^\]]*\])*\]|"[^"]*"|[^,["])*)/g)];
  return { lab, settings: Object.fromEntries(pairs.map(([, name, value]) => [name, readValue(value.trim())])) };
}

/** @param {string} text */
function readValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Make buttons of the sentences that act.
 *
 * @param {ParentNode} scope
 */
export function activateTries(scope) {
  /** @type {NodeListOf<HTMLElement>} */
  const sentences = scope.querySelectorAll('span.attn-try, .jp-RenderedMarkdown a[href$="#try"]');
  for (const one of sentences) one.replaceWith(tryButton(one.textContent ?? "", one.dataset.try ?? one.title));
}

/**
 * A link that is a button: a <button> would break as one block, and leave what follows it alone on a line.
 *
 * @param {string} text
 * @param {string} settings
 */
function tryButton(text, settings) {
  const button = element("a", { class: "attn-try", role: "button", tabindex: 0, onclick: act, onkeydown: press }, text);

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  }

  function act() {
    const { lab, settings: detail } = parseTry(settings);
    const target = nearestLab(button, lab);
    target?.dispatchEvent(new CustomEvent("attn-try", { detail }));
    target?.scrollIntoView({ block: "nearest" });
  }
  return button;
}

/**
 * The lab that a sentence means: the last one above it, or else the first one on the page.
 *
 * @param {HTMLElement} from
 * @param {string} name empty: any lab
 */
function nearestLab(from, name) {
  const all = [...document.querySelectorAll(`.attn-lab-root${name && `[data-name="${name}"]`}`)];
  return all.findLast((lab) => lab.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING) ?? all[0];
}
