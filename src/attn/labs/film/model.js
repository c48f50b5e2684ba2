// The numbers of the film: the recorded layer reads one sentence.

import { readWith } from "../kit/reader.js";

/**
 * Every tensor of the layer, by the names of `attn.steps`.
 *
 * @param {{ _sentence: string }} settings
 */
export function compute({ _sentence }) {
  return readWith(_sentence.split(" "));
}
