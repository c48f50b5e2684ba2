// "Open as code": the PyTorch program for what a lab shows now. On a page it is a link to the page where programs run, in Jupyter a cell
// with CodeLab.

import { cellOf } from "./cell.js";
import { element } from "./dom.js";
import { pack } from "./pack.js";
import { copyButton } from "./share.js";

const LABEL = "open as code";

/**
 * The buttons for a lab's `actions`; none on a page outside the book.
 *
 * @param {import("./host.js").Tools} tools
 * @param {(settings: any) => string} codeOf the program for these settings
 * @returns {HTMLElement[]}
 */
export function openAsCode({ get, say }, codeOf) {
  const program = () => codeOf(Object.fromEntries(get("_schema").state.map((/** @type {string} */ name) => [name, get(name)])));
  if (get("_backend")) {
    const { button, field } = copyButton("a cell with this code", () => cellOf("CodeLab", { code: program() }), say);
    button.textContent = LABEL;
    button.title = "copies a cell with CodeLab";
    return [button, field];
  }
  const page = globalThis.attnPrograms; // the address of the lab that runs programs: see book/_ext/attn_labs.py
  return page ? [linkTo(page, program)] : [];
}

/**
 * A link that carries the program of the moment when it is followed or copied.
 *
 * @param {string} page
 * @param {() => string} program
 */
function linkTo(page, program) {
  const link = element("a", { class: "as-code", target: "_blank", rel: "noopener" }, LABEL);
  let current = "";

  function refresh() {
    const code = program();
    if (code === current) return;
    current = code;
    const address = (/** @type {string} */ text) => `${page}?code=${encodeURIComponent(text)}`;
    link.href = address(code); // a click need not wait until the program is compressed
    pack(code).then((packed) => {
      if (code === current) link.href = address(packed);
    });
  }
  for (const event of ["pointerenter", "pointerdown", "focus", "click"]) link.addEventListener(event, refresh);
  link.href = page;
  return link;
}
