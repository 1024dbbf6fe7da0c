// Laws of random inputs, as grasp/base/probability/distribution.cpp.

import { lowerTail, normalQuantile, standardDensity } from "./normal";

export interface Law {
  kind: "fixed" | "uniform" | "normal" | "truncated_normal";
  mean: number;
  sigma: number;
  min: number | null; // null: no bound
  max: number | null;
}

const low = (law: Law): number => law.min ?? -Infinity;
const high = (law: Law): number => law.max ?? Infinity;
const standardised = (law: Law, x: number): number => (x - law.mean) / law.sigma;

/** P(a < Z < b) of a standard normal, from the tail in which it keeps its precision. */
function between(a: number, b: number): number {
  return a + b > 0 ? lowerTail(-a) - lowerTail(-b) : lowerTail(b) - lowerTail(a);
}

function truncatedQuantile(a: number, b: number, u: number): number {
  if (a + b > 0) return -truncatedQuantile(-b, -a, 1 - u);
  const pa = lowerTail(a);
  const pb = lowerTail(b);
  const p = pa + u * (pb - pa);
  if (p > 0.5) return -normalQuantile(lowerTail(-b) + (1 - u) * (pb - pa));
  return normalQuantile(p);
}

function unclamped(law: Law, u: number): number {
  switch (law.kind) {
    case "fixed":
      return law.mean;
    case "uniform":
      return low(law) + u * (high(law) - low(law));
    case "normal":
      return law.mean + law.sigma * normalQuantile(u);
    case "truncated_normal":
      return (
        law.mean +
        law.sigma * truncatedQuantile(standardised(law, low(law)), standardised(law, high(law)), u)
      );
  }
}

/** The draw that belongs to u in (0, 1). */
export const quantile = (law: Law, u: number): number =>
  Math.min(Math.max(unclamped(law, u), low(law)), high(law));

/** The density at x of what is not an atom. */
export function density(law: Law, x: number): number {
  if (x < low(law) || x > high(law) || law.kind === "fixed") return 0;
  if (law.kind === "uniform") return 1 / (high(law) - low(law));
  const normal = standardDensity(standardised(law, x)) / law.sigma;
  if (law.kind === "normal") return normal;
  return normal / between(standardised(law, low(law)), standardised(law, high(law)));
}

/** The probability that a draw is exactly x. */
export function atom(law: Law, x: number): number {
  if (law.kind === "fixed") return x === law.mean ? 1 : 0;
  if (law.kind !== "normal") return 0;
  if (x === law.min) return lowerTail(standardised(law, x));
  if (x === law.max) return lowerTail(-standardised(law, x));
  return 0;
}

/** How much likelier x is under `wanted` than under `stored`, which covers it. */
export function probabilityRatio(stored: Law, wanted: Law, x: number): number {
  const storedAtom = atom(stored, x);
  if (storedAtom > 0) return atom(wanted, x) / storedAtom;
  return density(wanted, x) / density(stored, x);
}

export const sameLaw = (a: Law, b: Law): boolean =>
  a.kind === b.kind &&
  a.mean === b.mean &&
  a.sigma === b.sigma &&
  a.min === b.min &&
  a.max === b.max;
