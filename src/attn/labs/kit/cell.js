// A cell for Jupyter that opens the same lab there, with the program as a text of several lines.

import { asCode } from "./share.js";

/**
 * @param {string} lab the name of its class
 * @param {Record<string, string>} programs by the names of the settings
 * @param {Record<string, any>} [others] further settings
 */
export function cellOf(lab, programs, others = {}) {
  const own = Object.entries(programs).map(([name, text]) => `${name}=${literal(text)}`);
  return `from attn.labs import ${lab}\n\n${asCode(lab, others, own)}\n`;
}

/**
 * A text as Python writes it between three quotes, its lines as they are.
 *
 * @param {string} text
 */
function literal(text) {
  const written = text
    .replaceAll("\\", "\\\\")
    .replace(/"(?=""|$)/g, '\\"')
    .replace(/(?![\n\t])\p{Cc}|\p{Cs}/gu, escaped);
  return `"""\\\n${written}"""`;
}

/** @param {string} char */
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
