// Attention on flat Float32Arrays. Every function names the shapes of its tensors, which are contiguous.

/**
 * y (N, O) = factor * x (N, I) @ weight.T, with the weight stored as in nn.Linear: row o begins at o * width, and its first I numbers
 * are used. Computes two rows by four columns at a time, so that each number that is fetched is used more than once; at the edges some
 * are computed twice.
 *
 * @param {Float32Array} x
 * @param {Float32Array} weight
 * @param {number} N
 * @param {number} I
 * @param {number} O
 * @param {number} [width]
 * @param {number} [factor]
 */
export function linear(x, weight, N, I, O, width = I, factor = 1) {
  const y = new Float32Array(N * O);
  for (let n = 0; n < N; n += 2) {
    const m = Math.min(n + 1, N - 1);
    const a = n * I,
      b = m * I;
    for (let o = 0; o < O; o += 4) {
      const o1 = Math.min(o + 1, O - 1),
        o2 = Math.min(o + 2, O - 1),
        o3 = Math.min(o + 3, O - 1);
      const r0 = o * width,
        r1 = o1 * width,
        r2 = o2 * width,
        r3 = o3 * width;
      let a0 = 0,
        a1 = 0,
        a2 = 0,
        a3 = 0,
        b0 = 0,
        b1 = 0,
        b2 = 0,
        b3 = 0;
      for (let i = 0; i < I; i++) {
        const p = x[a + i],
          q = x[b + i]; // no arrays in here: not every browser optimizes them away
        const w0 = weight[r0 + i],
          w1 = weight[r1 + i],
          w2 = weight[r2 + i],
          w3 = weight[r3 + i];
        a0 += p * w0;
        a1 += p * w1;
        a2 += p * w2;
        a3 += p * w3;
        b0 += q * w0;
        b1 += q * w1;
        b2 += q * w2;
        b3 += q * w3;
      }
      const at = n * O,
        bt = m * O;
      y[at + o] = factor * a0;
      y[at + o1] = factor * a1;
      y[at + o2] = factor * a2;
      y[at + o3] = factor * a3;
      y[bt + o] = factor * b0;
      y[bt + o1] = factor * b1;
      y[bt + o2] = factor * b2;
      y[bt + o3] = factor * b3;
    }
  }
  return y;
}

/**
 * (B, L, H*D) -> (B, H, L, D)
 *
 * @param {Float32Array} x
 * @param {number} B
 * @param {number} L
 * @param {number} H
 * @param {number} D
 */
export function splitHeads(x, B, L, H, D) {
  const out = new Float32Array(x.length);
  for (let b = 0, at = 0; b < B; b++)
    for (let h = 0; h < H; h++)
      for (let i = 0; i < L; i++) {
        const from = ((b * L + i) * H + h) * D;
        for (let d = 0; d < D; d++) out[at++] = x[from + d];
      }
  return out;
}

/**
 * (B, H, L, D) -> (B, L, H*D)
 *
 * @param {Float32Array} x
 * @param {number} B
 * @param {number} H
 * @param {number} L
 * @param {number} D
 */
export function mergeHeads(x, B, H, L, D) {
  const out = new Float32Array(x.length);
  for (let b = 0, at = 0; b < B; b++)
    for (let i = 0; i < L; i++)
      for (let h = 0; h < H; h++) {
        const from = ((b * H + h) * L + i) * D;
        for (let d = 0; d < D; d++) out[at++] = x[from + d];
      }
  return out;
}

/**
 * q (B, H, L, D), k (B, G, S, D) -> scores (B, H, L, S). Query head h reads key head floor(h / (H / G)).
 *
 * @param {Float32Array} q
 * @param {Float32Array} k
 * @param {number} B
 * @param {number} H
 * @param {number} G
 * @param {number} L
 * @param {number} S
 * @param {number} D
 */
export function attentionScores(q, k, B, H, G, L, S, D) {
  const out = new Float32Array(B * H * L * S);
  for (let b = 0, at = 0; b < B; b++)
    for (let h = 0; h < H; h++) {
      const keys = (b * G + Math.floor((h * G) / H)) * S * D;
      for (let i = 0; i < L; i++) {
        const query = ((b * H + h) * L + i) * D;
        for (let j = 0; j < S; j++) {
          let sum = 0;
          for (let d = 0; d < D; d++) sum += q[query + d] * k[keys + j * D + d];
          out[at++] = sum;
        }
      }
    }
  return out;
}

/**
 * @param {Float32Array} x
 * @param {number} factor
 */
export function multiply(x, factor) {
  return x.map((value) => value * factor);
}

/**
 * Scores (..., L, S) with -Infinity where query i, at position S - L + i, would attend to a later key.
 *
 * @param {Float32Array} scores
 * @param {number} L
 * @param {number} S
 */
export function maskFuture(scores, L, S) {
  return scores.map((score, at) => (at % S > S - L + (Math.floor(at / S) % L) ? -Infinity : score));
}

/**
 * Softmax over each row of S scores, written into `out`. A row that is -Infinity throughout becomes zero.
 *
 * @template {Float32Array | Float64Array} [Numbers=Float32Array]
 * @param {ArrayLike<number>} scores
 * @param {number} [S]
 * @param {Numbers} [out] zeros; float32 if it is missing
 * @returns {Numbers}
 */
export function softmax(scores, S = scores.length, out = /** @type {Numbers} */ (new Float32Array(scores.length))) {
  for (let row = 0; row < scores.length; row += S) {
    let highest = -Infinity;
    for (let j = 0; j < S; j++) highest = Math.max(highest, scores[row + j]);
    if (highest === -Infinity) continue;
    let sum = 0;
    for (let j = 0; j < S; j++) {
      const power = Math.exp(scores[row + j] - highest);
      out[row + j] = power;
      sum += power;
    }
    for (let j = 0; j < S; j++) out[row + j] /= sum;
  }
  return out;
}

/**
 * weights (B, H, L, S), v (B, G, S, D) -> heads (B, H, L, D)
 *
 * @param {Float32Array} weights
 * @param {Float32Array} v
 * @param {number} B
 * @param {number} H
 * @param {number} G
 * @param {number} L
 * @param {number} S
 * @param {number} D
 */
export function weightedSum(weights, v, B, H, G, L, S, D) {
  const out = new Float32Array(B * H * L * D);
  for (let b = 0; b < B; b++)
    for (let h = 0; h < H; h++) {
      const values = (b * G + Math.floor((h * G) / H)) * S * D;
      for (let i = 0; i < L; i++) {
        const row = (b * H + h) * L + i;
        for (let j = 0; j < S; j++) {
          const weight = weights[row * S + j];
          for (let d = 0; d < D; d++) out[row * D + d] += weight * v[values + j * D + d];
        }
      }
    }
  return out;
}
