// Numbers for people.

export const percent = (p: number): string => (Number.isNaN(p) ? "unknown" : `${(100 * p).toFixed(1)} %`);

/** "97.8 to 99.9 %". */
export const percentRange = (low: number, high: number): string =>
  `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;

/** With at most `digits` digits after the point, and no more than are needed. */
export function short(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return "unknown";
  const text = x.toFixed(digits);
  const trimmed = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return trimmed === "-0" ? "0" : trimmed;
}

/** With so many significant digits. */
export function significant(x: number, digits = 3): string {
  return Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : "unknown";
}

/** 100800 as "100,800". */
export const whole = (n: number): string => Math.round(n).toLocaleString("en-US");

export const degrees = (rad: number): string => `${short((180 * rad) / Math.PI, 1)}\u00b0`;
