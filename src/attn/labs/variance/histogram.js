// A histogram of numbers around 0 under the normal curve that they should follow, as SVG paths.

// numbers: between -half and half they are drawn; the share that is not is `outside`. variance: of the curve. The taller of the
// two, curve or bars, fills the height.
export function histogramOf(numbers, { variance, half, wide, tall }) {
  const spread = Math.sqrt(variance);
  const { step, edge } = binsOf(numbers, spread / 4);
  const first = edge + step * Math.floor((-half - edge) / step);
  const counts = new Float64Array(Math.ceil((half - first) / step));
  let outside = 0;
  for (const value of numbers) {
    if (Math.abs(value) > half) outside++;
    else counts[Math.min(counts.length - 1, Math.floor((value - first) / step))]++;
  }
  const density = counts.map((count) => count / numbers.length / step);
  const curve = (x) => Math.exp(-(x * x) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
  const highest = 1.06 * Math.max(curve(0), ...density);
  const [x, y] = [(value) => (wide * (0.5 + value / half / 2)).toFixed(1), (value) => (tall * (1 - value / highest)).toFixed(1)];
  let bars = `M0 ${tall}`;
  density.forEach((value, n) => {
    if (!value && !density[n - 1]) return;
    const left = Math.max(-half, first + n * step);
    bars += `H${x(left)}V${y(value)}`;
  });
  const points = [];
  const reach = Math.min(half, 4.5 * spread); // beyond, the curve lies on the axis
  for (let n = 0; n <= 90; n++) {
    const value = reach * (n / 45 - 1);
    points.push(`${x(value)} ${y(curve(value))}`);
  }
  return { bars: `${bars}H${wide}V${tall}z`, curve: `M${points.join("L")}`, outside: outside / numbers.length };
}

// The width of the bins and one of their edges: `wanted` wide and one of them centred at 0. Numbers that are all at equal
// distances, as sums of coins are, get bins of whole distances, with edges between the numbers.
function binsOf(numbers, wanted) {
  const different = [...new Set(Array.from(numbers, (value) => Math.round(value * 1e4) / 1e4))].sort((a, b) => a - b);
  const gaps = different.slice(1).map((value, n) => value - different[n]);
  const gap = different.length < 200 ? Math.min(...gaps) : 0; // Infinity if there is but one number
  if (!gap || !Number.isFinite(gap)) return { step: wanted, edge: -wanted / 2 };
  if (gaps.some((one) => Math.abs(one / gap - Math.round(one / gap)) > 0.02)) return { step: wanted, edge: -wanted / 2 };
  const step = gap * Math.max(1, Math.round(wanted / gap));
  const between = different[0] - gap / 2;
  return { step, edge: between + gap * Math.round((-step / 2 - between) / gap) };
}

// Round numbers between -half and half, about two on each side.
export function ticksOf(half) {
  const power = 10 ** Math.floor(Math.log10(half / 2));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => 2 * size <= half);
  const count = Math.floor(half / step + 1e-9);
  return Array.from({ length: 2 * count + 1 }, (_, n) => (n - count) * step);
}
