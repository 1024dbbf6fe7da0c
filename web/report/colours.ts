// The colours of the figures that graspmap draws: viridis for probabilities, ColorBrewer's RdBu for
// differences, YlGnBu for numbers from zero on; Okabe and Ito's colours and marks for outcomes.

const VIRIDIS = "440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725".split(" ");
const FROM_ZERO = "ffffd9 edf8b1 c7e9b4 7fcdbb 41b6c4 1d91c0 225ea8 253494 081d58".split(" ");
const DIFFERENCE =
  "053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f".split(" ");

export interface Scale {
  low: number;
  high: number;
  stops: string[];
  unit: "percent" | "points" | "number" | "class";
}

// Okabe and Ito's colours for colour-blind eyes, after white; grey at last.
const CLASSES = "ffffff e69f00 56b4e9 009e73 cc79a7 0072b2 d55e00 999999".split(" ");
export const MOST_CLASSES = CLASSES.length;

/** Values are numbers of classes, from 0. */
export const classScale: Scale = { low: 0, high: MOST_CLASSES - 1, stops: CLASSES, unit: "class" };

export const probabilityScale: Scale = { low: 0, high: 1, stops: VIRIDIS, unit: "percent" };

export function differenceScale(values: Iterable<number>): Scale {
  let largest = 0.01;
  for (const value of values) if (Math.abs(value) > largest) largest = Math.abs(value);
  return { low: -largest, high: largest, stops: DIFFERENCE, unit: "points" };
}

export function fromZeroScale(values: Iterable<number>): Scale {
  let largest = 1;
  for (const value of values) if (value > largest) largest = value;
  return { low: 0, high: largest, stops: FROM_ZERO, unit: "number" };
}

const channels = (stop: string): number[] =>
  [0, 2, 4].map((k) => parseInt(stop.slice(k, k + 2), 16));

/** Red, green and blue, 0 to 255. */
export function rgb(scale: Scale, value: number): number[] {
  const place = Math.min(Math.max((value - scale.low) / (scale.high - scale.low), 0), 1);
  const at = place * (scale.stops.length - 1);
  const k = Math.min(Math.floor(at), scale.stops.length - 2);
  const a = channels(scale.stops[k]);
  const b = channels(scale.stops[k + 1]);
  return a.map((c, n) => Math.round(c + (b[n] - c) * (at - k)));
}

export const colour = (scale: Scale, value: number): string => `rgb(${rgb(scale, value).join(",")})`;

/** A mark for each outcome, about the origin, within 4 px: shapes differ as well as colours. */
export const OUTCOME_MARKS = [
  "M-3.4,0a3.4,3.4 0 1,0 6.8,0a3.4,3.4 0 1,0 -6.8,0z", // disc
  "M0,-4L3.8,3H-3.8z", // triangle
  "M-3,-3H3V3H-3z", // square
  "M0,-4.2L4.2,0L0,4.2L-4.2,0z", // diamond
  "M-3.6,-3.6L3.6,3.6M3.6,-3.6L-3.6,3.6", // cross
  "M0,-4V4M-4,0H4", // plus
];
