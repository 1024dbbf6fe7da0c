// The present map against a pinned one, cell by cell.

import type { Axes } from "../report/grid";
import { cellCenter, cellCount, cellIndex, cellNumber, contains, nearestCell } from "../report/grid";
import type { MapCell } from "../report/success_map";

export interface Pinned {
  axes: Axes;
  cells: MapCell[];
  label: string;
}

export interface Difference {
  values: number[]; // of each present cell, present minus pinned; NaN where one of them is unknown
  compared: number; // cells
  mean: number;
  halfWidth: number; // of the mean's 95 % interval, taking cells as independent
  better: number; // cells whose difference is beyond twice its standard error
  worse: number;
}

/** The pinned cell that has the middle of a present one; -1: none. */
function partner(axes: Axes, pinned: Axes, cell: number): number {
  const { i, j, k } = cellIndex(axes, cell);
  const at = {
    x_mm: cellCenter(axes.x_mm, i),
    y_mm: cellCenter(axes.y_mm, j),
    theta_rad: cellCenter(axes.theta_rad, k),
  };
  if (!contains(pinned.x_mm, at.x_mm) || !contains(pinned.y_mm, at.y_mm)) return -1;
  if (pinned.theta_rad.cells > 1 && !contains(pinned.theta_rad, at.theta_rad)) return -1;
  return cellNumber(
    pinned,
    nearestCell(pinned.x_mm, at.x_mm),
    nearestCell(pinned.y_mm, at.y_mm),
    nearestCell(pinned.theta_rad, at.theta_rad),
  );
}

/** Trials and successes by Agresti and Coull: a cell without failures has a variance too. */
function variance(cell: MapCell): number {
  const n = cell.trials + 4;
  const p = (cell.counts[0] + 2) / n;
  return (p * (1 - p)) / n;
}

export function difference(axes: Axes, cells: MapCell[], pinned: Pinned): Difference {
  const result: Difference = { values: [], compared: 0, mean: 0, halfWidth: 0, better: 0, worse: 0 };
  let sum = 0;
  let variances = 0;
  for (let cell = 0; cell < cellCount(axes); ++cell) {
    const other = pinned.cells[partner(axes, pinned.axes, cell)];
    const value = other && cells[cell] ? cells[cell].probability - other.probability : NaN;
    result.values.push(value);
    if (Number.isNaN(value)) continue;
    const spread = variance(cells[cell]) + variance(other);
    ++result.compared;
    sum += value;
    variances += spread;
    if (value > 2 * Math.sqrt(spread)) ++result.better;
    if (value < -2 * Math.sqrt(spread)) ++result.worse;
  }
  if (result.compared > 0) {
    result.mean = sum / result.compared;
    result.halfWidth = (1.96 * Math.sqrt(variances)) / result.compared;
  }
  return result;
}
