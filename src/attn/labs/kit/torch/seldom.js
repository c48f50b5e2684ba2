// Layers of torch.nn that attention seldom has: losses and some activations.

import { NotHere, toNumber } from "../python/values.js";
import { functional } from "./functional.js";
import { get, keep, layer, layerText } from "./layers.js";
import { callMethod } from "./operation.js";

const noCheck = () => {};
for (const [name, function_] of Object.entries({
  Sigmoid: "sigmoid",
  Tanh: "tanh",
  LogSigmoid: "logsigmoid",
  Softsign: "softsign",
})) {
  layer(name, "", noCheck, (_, { input }) => functional(function_, [input]));
}

layer(
  "LeakyReLU",
  "negative_slope any=0.01, inplace any=False",
  (self, given) => keep(self, given),
  (self, { input }) => functional("leaky_relu", [input, get(self, "negative_slope")]),
  (self) => `negative_slope=${layerText(get(self, "negative_slope"))}`,
);
layer(
  "ELU",
  "alpha any=1.0, inplace any=False",
  (self, given) => keep(self, given),
  (self, { input }) => functional("elu", [input, get(self, "alpha")]),
  (self) => `alpha=${layerText(get(self, "alpha"))}`,
);
layer(
  "Flatten",
  "start_dim any=1, end_dim any=-1",
  (self, given) => keep(self, given),
  (self, { input }) => callMethod("flatten", input, self.dict.get("start_dim"), self.dict.get("end_dim")),
  (self) => `start_dim=${self.dict.get("start_dim")}, end_dim=${self.dict.get("end_dim")}`,
);
for (const [name, function_] of Object.entries({
  CrossEntropyLoss: "cross_entropy",
  MSELoss: "mse_loss",
  NLLLoss: "nll_loss",
  L1Loss: "l1_loss",
})) {
  const ignores = ["cross_entropy", "nll_loss"].includes(function_) ? ", ignore_index any=-100" : "";
  layer(
    name,
    `weight any=None, size_average any=None${ignores}, reduce any=None, reduction any='mean', label_smoothing any=0.0`,
    (self, given) => {
      if (given.weight !== null || toNumber(given.label_smoothing) !== 0) throw new NotHere(`nn.${name} with weights or smoothing`);
      keep(self, given);
    },
    (self, { input, target }) =>
      functional(function_, [input, target], {
        reduction: get(self, "reduction"),
        ...(ignores && { ignore_index: get(self, "ignore_index") }),
      }),
    undefined,
    "input any, target any",
  );
}
