// A histogram of numbers around 0 under the normal curve that they should follow, as SVG paths.

/**
 * The paths of the bars and of the curve in a picture of `width` x `height`, and the share of the numbers outside of it. The taller of
 * bars and curve fills the height.
 *
 * @param {ArrayLike<number>} numbers
 * @param {{ variance: number, reach: number, width: number, height: number }} options `variance` of the curve; the picture shows the
 *   numbers from -reach to reach
 */
export function histogramOf(numbers, { variance, reach, width, height }) {
  const std = Math.sqrt(variance);
  const { step, edge } = binsOf(numbers, std / 4);
  const first = edge + step * Math.floor((-reach - edge) / step);
  const counts = new Float64Array(Math.ceil((reach - first) / step));
  let outside = 0;
  for (let n = 0; n < numbers.length; n++) {
    if (Math.abs(numbers[n]) > reach) outside++;
    else counts[Math.min(counts.length - 1, Math.floor((numbers[n] - first) / step))]++;
  }
  const density = counts.map((count) => count / numbers.length / step);
  const normal = (x) => Math.exp(-(x * x) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
  const highest = 1.06 * Math.max(normal(0), ...density);
  const x = (value) => (width * (0.5 + value / reach / 2)).toFixed(1);
  const y = (value) => (height * (1 - value / highest)).toFixed(1);
  let bars = `M0 ${height}`;
  density.forEach((value, n) => {
    if (!value && !density[n - 1]) return;
    const left = Math.max(-reach, first + n * step);
    bars += `H${x(left)}V${y(value)}`;
  });
  const points = [];
  const end = Math.min(reach, 4.5 * std); // beyond it the curve lies on the axis
  for (let n = 0; n <= 90; n++) {
    const value = end * (n / 45 - 1);
    points.push(`${x(value)} ${y(normal(value))}`);
  }
  return { bars: `${bars}H${width}V${height}z`, curve: `M${points.join("L")}`, outside: outside / numbers.length };
}

/**
 * The width of the bins and one of their edges. Bins are `wanted` wide, and one of them is centred at 0. If all numbers are multiples
 * of one gap, as sums of coins are, a bin is a whole number of gaps wide, with its edges between the numbers.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} wanted
 */
function binsOf(numbers, wanted) {
  const simple = { step: wanted, edge: -wanted / 2 };
  const different = [...new Set(Array.from(numbers, (value) => Math.round(value * 1e4) / 1e4))].sort((a, b) => a - b);
  if (different.length < 2 || different.length >= 200) return simple;
  const gaps = different.slice(1).map((value, n) => value - different[n]);
  const gap = Math.min(...gaps);
  if (gaps.some((one) => Math.abs(one / gap - Math.round(one / gap)) > 0.02)) return simple;
  const step = gap * Math.max(1, Math.round(wanted / gap));
  const between = different[0] - gap / 2;
  return { step, edge: between + gap * Math.round((-step / 2 - between) / gap) };
}

/**
 * Round numbers between -reach and reach, at least two on each side of 0.
 *
 * @param {number} reach
 */
export function ticksOf(reach) {
  const power = 10 ** Math.floor(Math.log10(reach / 2));
  const step = power * (10 * power <= reach ? 5 : 4 * power <= reach ? 2 : 1);
  const count = Math.floor(reach / step + 1e-9);
  return Array.from({ length: 2 * count + 1 }, (_, n) => (n - count) * step);
}
