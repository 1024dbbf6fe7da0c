// A cell in words: the numbers of map.csv.

import { data, h } from "./dom";
import { degrees, fixed, percent, percentRange, short, whole } from "./format";
import { cellIndex, cellMax, cellMin, isFixed } from "./grid";
import type { Layers } from "./layers";
import type { ReportData } from "./report_data";

type Cells = Pick<ReportData, "facts" | "cells">;

/** Where a cell is: "x 2 to 3 mm, y -8 to -7 mm". */
export function cellPlace(report: Cells, cell: number): string {
  const { axes } = report.facts;
  const { i, j, k } = cellIndex(axes, cell);
  const range = (axis: { min: number; max: number; cells: number }, n: number): string =>
    `${short(cellMin(axis, n))} to ${short(cellMax(axis, n))}`;
  const place = `x ${range(axes.x_mm, i)} mm, y ${range(axes.y_mm, j)} mm`;
  if (isFixed(axes.theta_rad)) return place;
  return `${place}, theta ${range(axes.theta_rad, k)} rad`;
}

export const angleText = (theta: number): string => `${short(theta)} rad (${degrees(theta)})`;

/** Probability, interval and counts; values as in map.csv stand in the data elements. */
export function cellNumbers(report: Cells, cell: number): (Node | string)[] {
  const { row, counts, probability, low, high, trials } = report.cells[cell];
  const outcomes = report.facts.outcomes
    .map((outcome, k) => [outcome, counts[k]] as const)
    .filter(([, count]) => count > 0)
    .flatMap(([outcome, count], n) => [
      n > 0 ? ", " : "",
      `${outcome} `,
      data(count, whole(count), outcome),
    ]);
  return [
    h("strong", {}, data(row.success_probability, percent(probability), "success_probability")),
    " success (95 % interval ",
    data(`${row.wilson_low} ${row.wilson_high}`, percentRange(low, high), "wilson"),
    "); ",
    data(trials, whole(trials), "trials"),
    trials === 1 ? " trial" : " trials",
    outcomes.length > 0 ? ": " : "",
    ...outcomes,
  ];
}

/** What a layer that is not map.csv's says of a cell; nothing for those that are. */
export function layerNumbers(layers: Layers, id: string, cell: number): (Node | string)[] {
  const layer = layers.get(id);
  if (layer.group === "map" || layer.group === "outcome") return [];
  const value = layers.valueAt(layer, cell);
  if (id === "friction") {
    const map = layers.reweighted();
    if (typeof map === "string") return [];
    const [low, high, effective] = [map.cells.low[cell], map.cells.high[cell], map.cells.effective_trials[cell]];
    const known = Number.isNaN(value) ? "" : ` (${percentRange(low, high)})`;
    return [
      "Under these distributions: ",
      h("strong", {}, data(value, percent(value), "reweighted")),
      known,
      "; worth ",
      data(effective, whole(effective), "effective"),
      " trials.",
    ];
  }
  if (id === "expected") {
    const { interval } = layers.expectedAt(layers.centerOf(cell));
    return ["Expected success at the cell's centre: ", h("strong", {}, data(value, percent(value), id)), ` (${percentRange(...interval)}).`];
  }
  const points = layer.scale([]).unit === "points";
  const text = points && !Number.isNaN(value)
    ? `${value > 0 ? "+" : ""}${fixed(100 * value, 1)} points` : percent(value);
  const name = layer.bar[0].toUpperCase() + layer.bar.slice(1);
  return [`${name.replace(", points", "")}: `, h("strong", {}, data(value, text, id)), "."];
}
