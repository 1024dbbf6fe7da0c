// Round numbers along an axis.

/** About `count` round numbers from low to high. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [];
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((x) => x >= rough * 0.999) ?? rough;
  const result: number[] = [];
  const first = Math.ceil(low / step - 1e-9);
  const most = 1 + Math.floor((high - low) / step); // far from 0, first + 1 === first
  for (let i = 0; i <= most && (first + i) * step <= high + 1e-9 * step; ++i) {
    result.push(Number(((first + i) * step).toPrecision(12)));
  }
  return result;
}
