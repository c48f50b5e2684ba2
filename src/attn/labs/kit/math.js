// Small mathematics that several labs need.

// 0, 1, ..., n - 1.
export function range(n) {
  return Array.from({ length: n }, (_, i) => i);
}

// The divisors of n, in order.
export function divisors(n) {
  return range(n + 1).filter((d) => d > 0 && n % d === 0);
}
