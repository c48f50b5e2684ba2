// What ShapeLab shows, as a program: the same tensors, by the same names.

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/**
 * @param {Pick<LayerState, "B" | "H" | "L" | "S" | "D" | "G" | "scale" | "causal">} state
 */
export function codeOf({ B, H, L, S, D, G, scale, causal }) {
  const isCross = S !== null;
  const isShared = G !== null && G !== H;
  const [keys, shared] = [isCross ? "S" : "L", isShared ? "G" : "H"];
  const sizes = { B, L, ...(isCross && { S }), H, ...(isShared && { G }), D };
  const input = isCross ? "context" : "x";
  const width = (/** @type {string} */ heads) => (heads === "H" ? "E" : `${heads} * D`);
  const copied = isShared ? ".repeat_interleave(H // G, dim=1)" : "";
  const isEmpty = causal && (S ?? L) < L; // the first words see nothing
  const last = causal ? "masked" : scale ? "scaled" : "scores";
  const lines = [
    "import math",
    "import torch",
    "from torch import nn",
    "",
    `${Object.keys(sizes).join(", ")} = ${Object.values(sizes).join(", ")}`,
    "E = H * D",
    "x = torch.randn(B, L, E)  # drawn anew: the lab has other numbers in the same shapes",
    ...(isCross ? ["context = torch.randn(B, S, E)"] : []),
    "W_Q = nn.Linear(E, E, bias=False)",
    ...["W_K", "W_V"].map((name) => `${name} = nn.Linear(E, ${width(shared)}, bias=False)`),
    "W_O = nn.Linear(E, E, bias=False)",
    "",
    "q_flat = W_Q(x)",
    ...["k", "v"].map((name) => `${name}_flat = W_${name.toUpperCase()}(${input})`),
    "q = q_flat.view(B, L, H, D).transpose(1, 2)",
    ...["k", "v"].map((name) => `${name} = ${name}_flat.view(B, ${keys}, ${shared}, D).transpose(1, 2)`),
    `scores = q @ k${copied}.mT`,
    ...(scale ? ["scaled = scores / math.sqrt(D)"] : []),
    ...(causal ? [maskOf(isCross), `masked = ${scale ? "scaled" : "scores"}.masked_fill(~past, -math.inf)`] : []),
    `weights = ${last}.softmax(-1)${isEmpty ? ".nan_to_num(0)  # zeros for a word that sees nothing" : ""}`,
    `heads = weights @ v${copied}`,
    "concat = heads.transpose(1, 2).reshape(B, L, E)",
    "y = W_O(concat)",
  ];
  return `${lines.join("\n")}\n`;
}

/** @param {boolean} isCross */
const maskOf = (isCross) =>
  isCross ? "past = torch.ones(L, S, dtype=torch.bool).tril(S - L)" : "past = torch.ones(L, L, dtype=torch.bool).tril()";
