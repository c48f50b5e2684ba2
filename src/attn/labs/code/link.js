// A program in a link: see kit/pack.js.

import { MARK, PLAIN, pack } from "../kit/pack.js";

const LONGEST = 60_000; // letters of a program; what unpacks to more is refused

/**
 * The program that `pack` has packed. Throws an Error with a sentence for the reader if the text is damaged or too long.
 *
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function unpack(text) {
  if (text.startsWith(PLAIN)) return checked(text.slice(PLAIN.length));
  if (!text.startsWith(MARK)) return checked(text);
  if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot read the program in this link.");
  try {
    const letters = atob(text.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (one) => one.charCodeAt(0));
    return checked(await readText(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))));
  } catch (error) {
    if (error instanceof TooLong) throw error;
    throw new Error("The program in this link is damaged, so the page shows its own.");
  }
}

class TooLong extends Error {}

/** @param {string} text */
function checked(text) {
  if (text.length > LONGEST) throw new TooLong("The program in this link is too long, so the page shows its own.");
  return text;
}

/**
 * The text of a stream, read piece by piece: a short link can unpack to more than the memory holds.
 *
 * @param {ReadableStream<Uint8Array>} stream
 */
async function readText(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text = checked(text + decoder.decode(value, { stream: true }));
  }
}

/**
 * How a lab with programs writes its settings in a link, and reads them.
 *
 * @param {readonly string[]} names of the settings that are programs
 */
export function packing(names) {
  /** @param {(text: string) => Promise<string>} change */
  const each = (change) => async (/** @type {Record<string, any>} */ settings) => {
    const changed = Object.entries(settings).map(async ([name, value]) => [
      name,
      names.includes(name) ? await change(value) : value,
    ]);
    return Object.fromEntries(await Promise.all(changed));
  };
  return { write: each(pack), read: each(unpack) };
}
