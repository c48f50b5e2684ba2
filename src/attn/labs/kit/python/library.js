// The modules of Python's own library that the page has; more.js adds those that few programs need.
import { MATH } from "./math.js";

/** @type {Record<string, import("./values.js").Namespace>} */
export const MODULES = { math: MATH };
