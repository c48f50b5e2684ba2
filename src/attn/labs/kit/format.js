// How the labs write numbers.

// A size in bytes, readable: 480 bytes, 7.5 KiB. (Never "480 B": B is the batch.)
export function byteCount(count) {
  if (count < 1024) return `${count} bytes`;
  const power = Math.min(Math.floor(Math.log2(count) / 10), 3);
  return `${(count / 1024 ** power).toFixed(1)} ${"KMG"[power - 1]}iB`;
}

// A number as the labs write it: minus signs as wide as plus signs, infinity as its sign.
export function number(value, digits = 4) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  return value.toFixed(digits).replace("-", "−");
}
