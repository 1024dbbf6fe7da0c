// Round numbers along an axis.

/** About `count` round numbers from low to high. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [];
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((x) => x >= rough * 0.999) ?? rough;
  const result: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) {
    result.push(Number((n * step).toPrecision(12)));
  }
  return result;
}
