// map.csv as the page uses it: counts and texts of each cell.

import { parseCsv } from "./csv";

export interface MapCell {
  row: Record<string, string>; // as in map.csv
  trials: number;
  counts: number[]; // by outcome
  probability: number; // NaN without valid trials
  low: number; // Wilson 95 %
  high: number;
}

export function readMap(csv: string, outcomes: string[]): MapCell[] {
  return parseCsv(csv).map((row) => ({
    row,
    trials: Number(row.trials),
    counts: outcomes.map((outcome) => Number(row[outcome])),
    probability: Number(row.success_probability), // "nan" becomes NaN
    low: Number(row.wilson_low),
    high: Number(row.wilson_high),
  }));
}

/** The share of all trials of a cell that end with an outcome; NaN without trials. */
export const shareOf = (cell: MapCell, outcome: number): number =>
  cell.trials > 0 ? cell.counts[outcome] / cell.trials : NaN;
