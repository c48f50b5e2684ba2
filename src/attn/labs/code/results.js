// The results of a program as the kernel sends them: its numbers are bytes.

/** @typedef {import("./program.js").Results} Results */

/**
 * @template {Results & { second: Results | null }} Answer
 * @param {Answer} answer
 * @returns {Answer}
 */
export function decoded(answer) {
  const second = answer.second && { ...answer.second, details: detailsOf(answer.second) };
  return { ...answer, second, details: detailsOf(answer) };
}

/** @param {Results} results */
function detailsOf({ details }) {
  const read = Object.entries(details).map(([id, detail]) => [
    id,
    { ...detail, numbers: numbersIn(detail.numbers, Float32Array), places: numbersIn(detail.places, Int32Array) },
  ]);
  return Object.fromEntries(read);
}

/**
 * @template {Float32Array | Int32Array} Numbers
 * @param {any} bytes
 * @param {new (buffer: ArrayBuffer) => Numbers} Kind
 * @returns {Numbers}
 */
function numbersIn(bytes, Kind) {
  if (!(bytes instanceof DataView)) return bytes;
  return new Kind(/** @type {ArrayBuffer} */ (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
}
