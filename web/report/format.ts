// Numbers for people.

/** With so many digits after the point; what rounds to 0 has no sign. */
export const fixed = (x: number, digits: number): string => x.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "");

export const percent = (p: number): string => (Number.isNaN(p) ? "unknown" : `${fixed(100 * p, 1)} %`);

/** "97.8 to 99.9 %". */
export const percentRange = (low: number, high: number): string =>
  `${fixed(100 * low, 1)} to ${fixed(100 * high, 1)} %`;

/** With at most `digits` digits after the point, and no more than are needed. */
export function short(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return "unknown";
  const text = fixed(x, digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** With so many significant digits; what is less than `least` is rounding, and 0. */
export function significant(x: number, digits = 3, least = 1e-9): string {
  if (!Number.isFinite(x)) return "unknown";
  return Math.abs(x) < least ? "0" : String(Number(x.toPrecision(digits)));
}

/** 100800 as "100,800". */
export const whole = (n: number): string => Math.round(n).toLocaleString("en-US");

export const degrees = (rad: number): string => `${short((180 * rad) / Math.PI, 1)}\u00b0`;
