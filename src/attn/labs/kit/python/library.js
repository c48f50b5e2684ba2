// The modules of Python's own library that the page has.
import { COLLECTIONS, JAXTYPING, TYPING } from "./collections.js";
import { DATACLASSES } from "./dataclasses.js";
import { FUNCTOOLS, OPERATOR } from "./functions.js";
import { ITERTOOLS } from "./itertools.js";
import { MATH } from "./math.js";
import { ABC, CONTEXTLIB, COPY, HTML, RANDOM, RE, WARNINGS } from "./small.js";

/** @type {Record<string, import("./values.js").Namespace>} */
export const MODULES = {
  abc: ABC,
  collections: COLLECTIONS,
  "collections.abc": TYPING,
  contextlib: CONTEXTLIB,
  copy: COPY,
  dataclasses: DATACLASSES,
  functools: FUNCTOOLS,
  html: HTML,
  itertools: ITERTOOLS,
  jaxtyping: JAXTYPING,
  math: MATH,
  operator: OPERATOR,
  random: RANDOM,
  re: RE,
  typing: TYPING,
  warnings: WARNINGS,
};
