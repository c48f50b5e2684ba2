// The rest of Python for the page: modules that few programs import, and the names of those that it does not have.
import { COLLECTIONS, JAXTYPING, TYPING } from "./collections.js";
import { DATACLASSES } from "./dataclasses.js";
import { FUNCTOOLS, OPERATOR } from "./functions.js";
import { ITERTOOLS } from "./itertools.js";
import { MODULES } from "./library.js";
import "./mathematics.js";
import "./rarely.js";
import { rest } from "./rest.js";
import { ABC, CONTEXTLIB, COPY, HTML, RANDOM, RE, TYPES, WARNINGS } from "./small.js";

/** Modules that a reader's Python has, by itself or beside torch, and the page does not. */
const NOT_ON_THE_PAGE = new Set(
  "argparse array ast asyncio base64 bisect builtins calendar cmath concurrent csv ctypes datetime decimal difflib einops enum fractions gc glob gzip hashlib heapq http importlib inspect io ipaddress json keyword logging matplotlib multiprocessing numbers numpy os pandas pathlib pickle platform pprint queue sched scipy secrets shutil signal sklearn socket sqlite3 statistics string struct subprocess sys tempfile textwrap threading time timeit tiktoken torchvision torchaudio torchtext tokenize tqdm traceback transformers unicodedata unittest urllib uuid weakref xformers flash_attn zlib".split(
    " ",
  ),
);

Object.assign(MODULES, {
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
  operator: OPERATOR,
  random: RANDOM,
  re: RE,
  types: TYPES,
  typing: TYPING,
  warnings: WARNINGS,
});
rest.hasModule = (name) => NOT_ON_THE_PAGE.has(name);
