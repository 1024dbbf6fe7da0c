// What the map can show: a value for each cell.

import { classScale, differenceScale, fromZeroScale, probabilityScale, type Scale } from "./colours";
import { parseCsv } from "./csv";
import { SuccessField } from "./expected_success";
import { type Axis, cellCenter, cellNumber, nearestCell } from "./grid";
import { reasonClasses } from "./reasons";
import type { ReportData } from "./report_data";
import { type FrictionLaws, reweight, type ReweightedMap } from "./reweight";
import { shareOf } from "./success_map";

export interface Layer {
  id: string;
  name: string; // of its button
  bar: string; // of its colours
  group: "map" | "outcome" | "what if" | "other";
  /** One for each cell of the whole map, x fastest. */
  values: () => ArrayLike<number>;
  scale: (values: number[]) => Scale;
  marksPlateau: boolean;
}

const probability = () => probabilityScale;

/** The cells whose middles lie in a range; if none, the one that holds its middle. */
function cellsWithin(axis: Axis, low: number, high: number): number[] {
  const cells = Array.from({ length: axis.cells }, (_, i) => i).filter(
    (i) => cellCenter(axis, i) > low && cellCenter(axis, i) < high,
  );
  return cells.length > 0 ? cells : [nearestCell(axis, (low + high) / 2)];
}

/** The layers of a report, and what their sliders set. */
export class Layers {
  readonly list: Layer[] = [];
  sigma = [1, 1, 0]; // mm, mm, rad
  laws: FrictionLaws;
  private readonly field: () => SuccessField;
  private expectedFor = "";
  private expectedValues = new Float64Array();
  private weighedFor = "";
  private weighed: ReweightedMap | null = null;

  constructor(private readonly data: ReportData) {
    const { facts, cells, trials } = data;
    this.laws = { mu_jaw: { ...facts.laws.mu_jaw }, mu_support: { ...facts.laws.mu_support } };
    let field: SuccessField | null = null;
    this.field = () => (field ??= new SuccessField(facts.axes, cells, trials));
    this.addStored();
    this.add("expected", "Positioning error", "expected success at the cell's centre", "what if",
      () => this.expected());
    const varies = facts.laws.mu_jaw.kind !== "fixed" || facts.laws.mu_support.kind !== "fixed";
    if (varies && facts.laws_are_known) {
      this.add("friction", "Other friction", "success under these laws", "what if",
        () => this.reweighted().cells.map((cell) => cell.probability));
    }
    this.addComparisons();
  }

  private add(id: string, name: string, bar: string, group: Layer["group"],
    values: Layer["values"], scale: Layer["scale"] = probability): void {
    this.list.push({ id, name, bar, group, values, scale, marksPlateau: scale === probability &&
      group !== "outcome" });
  }

  private addStored(): void {
    const { facts, cells } = this.data;
    this.add("success", "Success", "success probability", "map",
      () => cells.map((cell) => cell.probability));
    facts.outcomes.forEach((outcome, k) => {
      if (k === 0 || !cells.some((cell) => cell.counts[k] > 0)) return;
      const name = outcome[0].toUpperCase() + outcome.slice(1);
      this.add(outcome, name, `share of trials that end ${outcome}`, "outcome",
        () => cells.map((cell) => shareOf(cell, k)));
    });
    const { reasons } = this.data;
    if (reasons && reasons.reasons.length > 0) {
      const classes = reasonClasses(this.data, reasons);
      this.add("reasons", "Reasons", "why grasps are no success: the most frequent reason", "outcome",
        () => classes, () => classScale);
    }
    const counts = cells.map((cell) => cell.trials);
    if (Math.max(...counts) - Math.min(...counts) > 1) {
      this.add("trials", "Trials", "trials", "outcome", () => counts, fromZeroScale);
    }
  }

  private addComparisons(): void {
    const experiment = this.columns("compare_cells", ["experiment_probability", "difference"]);
    if (experiment) {
      this.add("experiment", "Experiment", "observed share of successes", "other",
        () => experiment[0]);
      this.add("experiment_minus", "Experiment \u2212 run", "experiment minus run, points", "other",
        () => experiment[1], differenceScale);
    }
    const other = this.columns("difference_cells", ["probability_b", "b_minus_a"]);
    if (other) {
      this.add("second", "Second run", "success probability of the second run", "other",
        () => other[0]);
      this.add("second_minus", "Second \u2212 first", "second run minus first, points", "other",
        () => other[1], differenceScale);
    }
  }

  /** Columns of a table of rectangles, put into the cells whose middles they hold. */
  private columns(part: string, names: string[]): Float64Array[] | null {
    const text = this.data.texts[part];
    if (!text) return null;
    const { axes } = this.data.facts;
    const result = names.map(() => new Float64Array(this.data.cells.length).fill(NaN));
    for (const row of parseCsv(text)) {
      const k = Number(row.cell_theta ?? this.experimentSlice());
      const is = cellsWithin(axes.x_mm, Number(row.x_min_mm), Number(row.x_max_mm));
      const js = cellsWithin(axes.y_mm, Number(row.y_min_mm), Number(row.y_max_mm));
      for (const i of is) {
        for (const j of js) {
          names.forEach((name, c) => (result[c][cellNumber(axes, i, j, k)] = Number(row[name])));
        }
      }
    }
    return result;
  }

  private experimentSlice(): number {
    const theta = this.data.tables.compare?.theta_rad;
    return theta === undefined ? 0 : nearestCell(this.data.facts.axes.theta_rad, theta);
  }

  get(id: string): Layer {
    return this.list.find((layer) => layer.id === id) ?? this.list[0];
  }

  /** The expected success of all cells' centres under the error that is set. */
  private expected(): Float64Array {
    const key = this.sigma.join();
    if (key !== this.expectedFor) {
      const { axes } = this.data.facts;
      const values = new Float64Array(this.data.cells.length);
      for (let k = 0; k < axes.theta_rad.cells; ++k) {
        values.set(this.field().ofCenters(this.sigma, k), cellNumber(axes, 0, 0, k));
      }
      this.expectedFor = key;
      this.expectedValues = values;
    }
    return this.expectedValues;
  }

  /** The expected success of one placement. */
  expectedAt(at: number[]): number {
    return this.field().probability(this.sigma, at);
  }

  reweighted(): ReweightedMap {
    const key = JSON.stringify(this.laws);
    if (key !== this.weighedFor || !this.weighed) {
      const { laws } = this.data.facts;
      this.weighedFor = key;
      this.weighed = reweight(this.data.trials, laws, this.laws);
    }
    return this.weighed;
  }

  /** The placement of the best cell centre under the error. */
  bestExpected(): { at: number[]; p: number } {
    const { axes } = this.data.facts;
    const values = this.expected();
    let best = 0;
    values.forEach((value, n) => {
      if (value > values[best]) best = n;
    });
    const nx = axes.x_mm.cells;
    const row = Math.floor(best / nx);
    return {
      at: [
        cellCenter(axes.x_mm, best % nx),
        cellCenter(axes.y_mm, row % axes.y_mm.cells),
        cellCenter(axes.theta_rad, Math.floor(row / axes.y_mm.cells)),
      ],
      p: values[best],
    };
  }
}
