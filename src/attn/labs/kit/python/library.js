// The modules of Python's own library that the page has.
import { MATH } from "./math.js";

/** @type {Record<string, import("./values.js").Namespace>} */
export const MODULES = { math: MATH };
