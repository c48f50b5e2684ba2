// The rest of CodeLab, in a script of its own: what few programs need, and what errors mean.

import "../kit/python/more.js";
import { rest } from "../kit/python/rest.js";
import "../kit/torch/more.js";
import { explain } from "./explain.js";
import { hintOf } from "./hint.js";
import { verdictOf } from "./verdict.js";

Object.assign(rest, { explain, hintOf, verdictOf, isHere: true });
