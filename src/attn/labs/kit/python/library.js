// The modules of Python's own library that the page has; more.js adds those that few programs need.
import { FUNCTOOLS, OPERATOR } from "./functions.js";
import { MATH } from "./math.js";

/** @type {Record<string, import("./values.js").Namespace>} */
export const MODULES = { functools: FUNCTOOLS, math: MATH, operator: OPERATOR };
