// A program in a link: compressed where the browser can do it, in letters that an address may have.

export const MARK = "~"; // of a compressed program
export const PLAIN = "~~"; // of a program that begins with the mark itself

/**
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function pack(text) {
  const plain = text.startsWith(MARK) ? PLAIN + text : text;
  if (typeof CompressionStream === "undefined") return plain;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const packed = MARK + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return packed.length < encodeURIComponent(plain).length ? packed : plain;
}
