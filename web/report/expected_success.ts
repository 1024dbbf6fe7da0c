// The success of a placement under a normal positioning error, as `graspmap plan` estimates it:
// stratified by cell, with the error's mass in each, and its trials weighed by the error's density
// (grasp/decide/plan/expected_success.cpp).

import { type Axes, type Axis, cellCenter, cellIndex, cellMax, cellMin, contains,
  isFixed, nearestCell } from "./grid";
import { erf } from "./normal";
import type { MapCell } from "./success_map";
import type { Trials } from "./trials";

const LEAST_MASS = 1e-12;
const LEAST_EFFECTIVE = 5;
const SUCCESS = 0;
const FAILED = 5;

/** The masses of consecutive cells along an axis. */
interface AxisMasses {
  first: number;
  mass: number[];
}

function axisMasses(axis: Axis, sigma: number, nominal: number): AxisMasses {
  if (isFixed(axis)) return { first: 0, mass: [1] };
  if (sigma === 0) {
    return contains(axis, nominal)
      ? { first: nearestCell(axis, nominal), mass: [1] }
      : { first: 0, mass: [] };
  }
  const scale = 1 / (sigma * Math.SQRT2);
  const below = (x: number): number => erf((x - nominal) * scale);
  const result: AxisMasses = { first: 0, mass: [] };
  for (let i = 0; i < axis.cells; ++i) {
    const mass = (below(cellMax(axis, i)) - below(cellMin(axis, i))) / 2;
    if (mass < LEAST_MASS) {
      if (result.mass.length > 0) break;
      continue;
    }
    if (result.mass.length === 0) result.first = i;
    result.mass.push(mass);
  }
  return result;
}

/** The trials of a cell whose outcomes differ. */
interface MixedCell {
  at: [Float64Array, Float64Array, Float64Array];
  kind: Uint8Array; // 1 success, 0 not, 2 failed
}

/** Relative weights of a cell's trials along one axis: the density over its largest in the cell. */
function axisWeights(axis: Axis, sigma: number, nominal: number, i: number, at: Float64Array) {
  const weights = new Float64Array(at.length).fill(1);
  if (isFixed(axis) || sigma === 0) return weights;
  const nearest = Math.min(Math.max(nominal, cellMin(axis, i)), cellMax(axis, i)) - nominal;
  for (let t = 0; t < at.length; ++t) {
    const offset = at[t] - nominal;
    weights[t] = Math.exp((nearest * nearest - offset * offset) / (2 * sigma * sigma));
  }
  return weights;
}

/** A run's trials, ready to be asked. */
export class SuccessField {
  private readonly mixed: (MixedCell | null)[];

  constructor(
    private readonly axes: Axes,
    private readonly cells: MapCell[],
    trials: Trials,
  ) {
    const drawn = trials.allDrawn();
    this.mixed = cells.map((cell, number) => {
      const successes = cell.counts[SUCCESS];
      const pure = cell.counts[FAILED] === 0 && (successes === 0 || successes === cell.trials);
      if (pure || successes === 0) return null;
      const rows = trials.ofCell[number];
      const coordinate = (k: number) => Float64Array.from(rows, (row) => drawn[row].intended[k]);
      const kindOf = (row: number) =>
        trials.outcome[row] === SUCCESS ? 1 : trials.outcome[row] === FAILED ? 2 : 0;
      return {
        at: [coordinate(0), coordinate(1), coordinate(2)],
        kind: Uint8Array.from(rows, kindOf),
      };
    });
  }

  /** P at every (x, y), x fastest, at one angle; the errors are independent, 0: exact. */
  probabilities(sigma: number[], xs: number[], ys: number[], theta: number): Float64Array {
    const { x_mm, y_mm, theta_rad } = this.axes;
    const result = new Float64Array(xs.length * ys.length);
    const inX = xs.map((x) => axisMasses(x_mm, sigma[0], x));
    const inY = ys.map((y) => axisMasses(y_mm, sigma[1], y));
    const inTheta = axisMasses(theta_rad, sigma[2], theta);
    this.cells.forEach((cell, number) => {
      if (cell.counts[SUCCESS] === 0) return;
      const { i, j, k } = cellIndex(this.axes, number);
      const massTheta = inTheta.mass[k - inTheta.first] ?? 0;
      if (massTheta === 0) return;
      const mean = this.meanOfCell(number, sigma, xs, ys, theta);
      ys.forEach((_, row) => {
        const massY = (inY[row].mass[j - inY[row].first] ?? 0) * massTheta;
        if (massY === 0) return;
        xs.forEach((__, column) => {
          const mass = (inX[column].mass[i - inX[column].first] ?? 0) * massY;
          if (mass > 0) result[row * xs.length + column] += mass * mean(column, row);
        });
      });
    });
    return result;
  }

  /** P at one placement. */
  probability(sigma: number[], at: number[]): number {
    return this.probabilities(sigma, [at[0]], [at[1]], at[2])[0];
  }

  /** P at the centres of a slice's cells. */
  ofCenters(sigma: number[], slice: number): Float64Array {
    const { x_mm, y_mm, theta_rad } = this.axes;
    const centers = (axis: Axis) =>
      Array.from({ length: axis.cells }, (_, i) => cellCenter(axis, i));
    return this.probabilities(sigma, centers(x_mm), centers(y_mm), cellCenter(theta_rad, slice));
  }

  /** The weighted mean of success in a cell for the nominal placement (xs[column], ys[row]). */
  private meanOfCell(number: number, sigma: number[], xs: number[], ys: number[], theta: number) {
    const cell = this.mixed[number];
    if (!cell || cell.kind.length === 0) return () => this.cells[number].probability;
    const { x_mm, y_mm, theta_rad } = this.axes;
    const { i, j, k } = cellIndex(this.axes, number);
    const weightsTheta = axisWeights(theta_rad, sigma[2], theta, k, cell.at[2]);
    const cache = <T>(make: (n: number) => T) => {
      const known: T[] = [];
      return (n: number): T => (known[n] ??= make(n));
    };
    const ofColumn = cache((n) => axisWeights(x_mm, sigma[0], xs[n], i, cell.at[0]));
    const ofRow = cache((n) => {
      const weights = axisWeights(y_mm, sigma[1], ys[n], j, cell.at[1]);
      return weights.map((w, t) => w * weightsTheta[t]);
    });
    return (column: number, row: number) => weightedMean(cell.kind, ofColumn(column), ofRow(row));
  }
}

/** Successes over trials that did not fail, weighed; few effective trials: all alike. */
function weightedMean(kind: Uint8Array, a: Float64Array, b: Float64Array): number {
  const sums = [0, 0, 0];
  let squares = 0;
  for (let t = 0; t < kind.length; ++t) {
    const weight = a[t] * b[t];
    sums[kind[t]] += weight;
    squares += weight * weight;
  }
  const all = sums[0] + sums[1] + sums[2];
  if (!(all * all >= LEAST_EFFECTIVE * squares) || all === 0) {
    sums.fill(0);
    kind.forEach((k) => (sums[k] += 1));
  }
  const valid = sums[0] + sums[1];
  return valid > 0 ? sums[1] / valid : 0;
}

