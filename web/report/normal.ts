// The normal distribution to about the last digit of a double.

const TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);

/** erf by its series with positive terms (Abramowitz and Stegun 7.1.6), for 0 <= x <= 2. */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > 1e-17 * sum; ++n) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return TWO_OVER_SQRT_PI * Math.exp(-x * x) * sum;
}

/** erfc by its continued fraction (Abramowitz and Stegun 7.1.14), for x >= 2, from its end. */
function erfcFraction(x: number): number {
  const terms = Math.ceil(20 + 500 / (x * x));
  let rest = x;
  for (let k = terms; k > 0; --k) rest = x + k / 2 / rest;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * rest);
}

export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  return x < 2 ? 1 - erfSeries(x) : erfcFraction(x);
}

export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  return x < 2 ? erfSeries(x) : 1 - erfcFraction(x);
}

/** The standard normal's distribution function; relatively exact for z << 0. */
export const lowerTail = (z: number): number => 0.5 * erfc(-z / Math.SQRT2);

export const standardDensity = (z: number): number =>
  Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);

/** The z with lowerTail(z) = p, 0 < p < 1: Abramowitz and Stegun 26.2.23, mended by Halley's steps. */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(p));
  let z = -(
    t -
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  );
  for (let k = 0; k < 3; ++k) {
    const step = (lowerTail(z) - p) / standardDensity(z);
    z -= step / (1 + (z * step) / 2);
  }
  return z;
}
