// What the map can show: a value for each cell.

import { classScale, differenceScale, fromZeroScale, probabilityScale, type Scale } from "./colours";
import { parseCsv } from "./csv";
import type { Distribution } from "./facts";
import { type Axis, cellCenter, cellIndex, cellNumber, nearestCell } from "./grid";
import type { BestPlacement, Options, Pose, Reweighted, Success } from "../package/src/engine";
import { reasonClasses } from "./reasons";
import type { ReportData } from "./report_data";
import type { Simulator } from "./simulator";
import { shareOf } from "./success_map";

export interface Layer {
  id: string;
  name: string; // of its button
  bar: string; // of its colours
  group: "map" | "outcome" | "what if" | "other";
  /** One for each cell of the whole map, x fastest; some layers know them of the slice only. */
  values: (slice: number) => ArrayLike<number>;
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

/** The two numbers of a friction's distribution that sliders change; none of one that they cannot. */
export function changeable(distribution: Distribution): ("min" | "max" | "mean" | "sigma")[] {
  const { kind, is_correlated } = distribution;
  if (is_correlated) return [];
  if (kind === "uniform") return ["min", "max"];
  return kind === "normal" || kind === "truncated_normal" ? ["mean", "sigma"] : [];
}

/** The layers of a report, and what their sliders set. */
export class Layers {
  readonly list: Layer[] = [];
  sigma: Pose = [1, 1, 0]; // mm, mm, rad
  /** Changes of the distributions of friction, by the keys of a configuration: {"friction.jaw.max": 0.2}. */
  laws: Options = {};
  private expectedFor = "";
  private expectedValues = new Float64Array();
  private weighedFor = "";
  private weighed: Reweighted | string = "";

  constructor(
    private readonly data: ReportData,
    private readonly simulator: Simulator,
  ) {
    this.addStored();
    if (simulator.works) this.addWhatIf();
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

  private addWhatIf(): void {
    const { laws } = this.data.facts;
    this.add("expected", "Positioning error", "expected success at the cell's centre", "what if",
      (slice) => this.expected(slice));
    if (Object.values(laws).some((one) => changeable(one).length > 0)) {
      this.add("friction", "Other friction", "success under these distributions", "what if",
        () => {
          const map = this.reweighted();
          return typeof map === "string" ? this.data.cells.map(() => NaN) : map.cells.success_probability;
        });
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

  /** What a layer has in a cell. */
  valueAt(layer: Layer, cell: number): number {
    return layer.values(cellIndex(this.data.facts.axes, cell).k)[cell];
  }

  /** The middle of a cell. */
  centerOf(cell: number): Pose {
    const { axes } = this.data.facts;
    const { i, j, k } = cellIndex(axes, cell);
    return [cellCenter(axes.x_mm, i), cellCenter(axes.y_mm, j), cellCenter(axes.theta_rad, k)];
  }

  get(id: string): Layer {
    return this.list.find((layer) => layer.id === id) ?? this.list[0];
  }

  /** The expected success at the centres of a slice's cells under the error that is set. */
  private expected(slice: number): Float64Array {
    const { axes } = this.data.facts;
    const key = this.sigma.join();
    if (key !== this.expectedFor) {
      this.expectedFor = key;
      this.expectedValues = new Float64Array(this.data.cells.length).fill(NaN);
    }
    const first = cellNumber(axes, 0, 0, slice);
    if (Number.isNaN(this.expectedValues[first])) {
      this.expectedValues.set(this.simulator.run.expected(this.sigma, slice), first);
    }
    return this.expectedValues;
  }

  /** The expected success of one placement. */
  expectedAt(at: Pose): Success {
    return this.simulator.run.expectedAt(this.sigma, at);
  }

  /** The best placement under the error. */
  bestExpected(): BestPlacement | null {
    return this.simulator.run.bestPlacement(this.sigma);
  }

  /** The map under the distributions that are set; a text where the run does not cover them. */
  reweighted(): Reweighted | string {
    const key = JSON.stringify(this.laws);
    if (key !== this.weighedFor) {
      this.weighedFor = key;
      try {
        this.weighed = this.simulator.run.reweight(this.laws);
      } catch (error) {
        this.weighed = (error as Error).message;
      }
    }
    return this.weighed;
  }
}
