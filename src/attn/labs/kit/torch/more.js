// The rest of torch for the page: what few programs call, and the names of what it lacks.

import { rest } from "../python/rest.js";
import "./arranging.js";
import "./attention.js";
import "./blending.js";
import { containers } from "./containers.js";
import "./drawing.js";
import "./encoder.js";
import "./equations.js";
import "./initialise.js";
import { nn } from "./layers.js";
import "./losses.js";
import { multiheadAttention } from "./multihead.js";
import { isName } from "./names.js";
import "./options.js";
import "./scattering.js";
import "./seldom.js";
import "./state.js";
import "./statistics.js";
import "./uncommon.js";
import "./windows.js";
import { addLayers } from "./torch.js";

addLayers({ ...nn, ...containers, MultiheadAttention: multiheadAttention });
rest.hasName = isName;
