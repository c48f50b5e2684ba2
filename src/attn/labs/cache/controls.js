// CacheLab's controls: how many words there are, and behind "more" what is changed, the sizes, the mask and the layer.

import { choice, slider, toggle, unique } from "../kit/dom.js";
import { divisors, divisorUpTo } from "../kit/math.js";

/**
 * @param {import("../kit/host.js").Tools} tools
 * @param {(changes: { overwrite: string }) => void} overwriteAt
 */
export function controlsOf({ limits, get, set }, overwriteAt) {
  const soFar = slider("S", "words so far", (S) => set({ S, at: Math.min(get("at"), S - 1) }));
  const groups = slider("G", "key/value heads", (n) => set({ G: divisors(get("H"))[n - 1] }));
  const overwrite = choice(
    unique("overwrite"),
    "change",
    [
      ["nothing", "none"],
      ["q", "query"],
      ["k", "key"],
      ["v", "value"],
    ],
    (value) => overwriteAt({ overwrite: value }),
  );
  const at = slider(null, "of word", (n) => set({ at: n }));
  const prompt = slider(null, "words of the prompt", (P) => set({ P, S: Math.max(P, get("S")) }));
  const heads = slider("H", "query heads", (H) => set({ H, G: divisorUpTo(H, get("G")) }));
  const width = slider("D", "numbers per head", (D) => set({ D }));
  const causal = toggle("hide later words (causal)", (on) => set({ causal: on }));
  /** @type {[number, string][]} */
  const layers = [1, 2].map((n) => [n, String(n)]);
  const layer = choice(unique("layer"), "layer", layers, (n) => set({ layer: n }));

  /** @param {import("./run.js").State} now */
  function update(now) {
    const possible = divisors(now.H);
    soFar.update(now.S, [now.P, limits().S[1]]);
    groups.update(possible.indexOf(now.G) + 1, [1, possible.length], String(now.G));
    overwrite.update(now.overwrite);
    at.update(now.at, [0, now.S - 1]);
    at.input.disabled ||= now.overwrite === "nothing";
    prompt.update(now.P, limits().P);
    heads.update(now.H, limits().H);
    width.update(now.D, limits().D);
    causal.update(now.causal);
    layer.update(now.layer);
  }

  return {
    first: { S: soFar.node },
    more: {
      ...{ overwrite: overwrite.node, at: at.node, G: groups.node, P: prompt.node, H: heads.node, D: width.node },
      ...{ causal: causal.node, layer: layer.node },
    },
    update,
  };
}
