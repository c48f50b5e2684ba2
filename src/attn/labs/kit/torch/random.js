// The random numbers that torch draws on a CPU: mt19937, and how torch makes floats and normal numbers of it. The same seed gives
// the same numbers here and there, up to the last digits of logarithms and cosines.

import { float64 } from "./dtype.js";
import { spend } from "./tensor.js";

/** @typedef {import("./dtype.js").DType} DType */

export class Generator {
  constructor(seed = 0) {
    this.state = new Uint32Array(624);
    this.at = 624;
    this.seed(seed);
  }

  /** @param {number} seed */
  seed(seed) {
    const { state } = this;
    state[0] = Number(BigInt.asUintN(32, BigInt(seed)));
    for (let n = 1; n < 624; n++) state[n] = Math.imul(1812433253, state[n - 1] ^ (state[n - 1] >>> 30)) + n;
    this.at = 624;
    /** @type {number | null} the second of a pair of normal numbers */
    this.spare = null;
    this.initial = seed;
  }

  /** The next whole number of 32 bits. */
  next() {
    if (this.at === 624) this.#twist();
    let y = this.state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  #twist() {
    const { state } = this;
    for (let n = 0; n < 624; n++) {
      const y = (state[n] & 0x80000000) | (state[(n + 1) % 624] & 0x7fffffff);
      state[n] = state[(n + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }

  /** In [0, 1), of 53 bits. */
  double() {
    const high = this.next();
    return ((high & 0x1fffff) * 2 ** 32 + this.next()) / 2 ** 53;
  }

  /**
   * In [0, 1), of as many bits as the dtype has.
   *
   * @param {DType} dtype
   */
  unit(dtype) {
    if (dtype === float64) return this.double();
    return (this.next() & 0xffffff) / 2 ** 24;
  }

  normal() {
    if (this.spare !== null) {
      const { spare } = this;
      this.spare = null;
      return spare;
    }
    const [u, v] = [this.double(), this.double()];
    const radius = Math.sqrt(-2 * Math.log1p(-v));
    this.spare = radius * Math.sin(2 * Math.PI * u);
    return radius * Math.cos(2 * Math.PI * u);
  }

  /**
   * Normal numbers as randn draws them: few one by one, 16 and more in groups of 16, of which 8 give radii and 8 angles.
   *
   * @param {number} count
   * @param {DType} dtype
   */
  normals(count, dtype) {
    spend(50 * count);
    const numbers = new Float64Array(count);
    if (count < 16) return numbers.map(() => this.normal());
    for (let n = 0; n < count; n++) numbers[n] = this.unit(dtype);
    const turn = (/** @type {number} */ from) => {
      for (let n = from; n < from + 8; n++) {
        const inside = dtype === float64 ? 1 - numbers[n] : Math.fround(1 - numbers[n]);
        const radius = Math.sqrt(-2 * Math.log(inside));
        const angle = 2 * Math.PI * numbers[n + 8];
        numbers[n] = radius * Math.cos(angle);
        numbers[n + 8] = radius * Math.sin(angle);
      }
    };
    for (let from = 0; from + 16 <= count; from += 16) turn(from);
    if (count % 16) {
      for (let n = count - 16; n < count; n++) numbers[n] = this.unit(dtype);
      turn(count - 16);
    }
    return numbers;
  }

  /**
   * @param {number} count
   * @param {number} from
   * @param {number} to
   * @param {DType} dtype
   */
  uniforms(count, from, to, dtype) {
    const width = dtype === float64 ? to - from : Math.fround(Math.fround(to) - Math.fround(from));
    spend(15 * count);
    const numbers = new Float64Array(count);
    for (let n = 0; n < count; n++) numbers[n] = this.unit(dtype) * width + from;
    return numbers;
  }

  // Comes with the second script.
  /**
   * @param {number} count
   * @param {number} low
   * @param {number} high
   */
  integers(count, low, high) {
    spend(50 * count);
    const range = high - low;
    const wide = range >= 2 ** 28;
    const draw = () =>
      wide ? Number((BigInt(this.next()) * 2n ** 32n + BigInt(this.next())) % BigInt(range)) : this.next() % range;
    return new Float64Array(count).map(() => low + draw());
  }

  // Comes with the second script.
  /** @param {number} count */
  permutation(count) {
    spend(80 * count);
    const order = Float64Array.from({ length: count }, (_, n) => n);
    for (let n = 0; n < count - 1; n++) {
      const other = n + (this.next() % (count - n));
      [order[n], order[other]] = [order[other], order[n]];
    }
    return order;
  }
}
