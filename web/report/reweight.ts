// The map under other laws of friction, as `graspmap reweight` computes it
// (grasp/decide/reweight/reweighted_map.cpp, grasp/decide/statistics/weighted_sample.cpp).

import { type Law, probabilityRatio, sameLaw } from "./laws";
import type { Trials } from "./trials";

export const LEAST_EFFECTIVE_TRIALS = 10;
export const MOST_PARETO_SHAPE = 0.7;
const Z95 = 1.959963984540054;
const SUCCESS = 0;
const FAILED = 5;

export interface FrictionLaws {
  mu_jaw: Law;
  mu_support: Law;
}

export interface ReweightedCell {
  probability: number; // NaN with too few effective trials
  low: number;
  high: number;
  effective: number;
}

export interface ReweightedMap {
  cells: ReweightedCell[];
  effective: number; // of all trials together
  median: number; // of the cells' effective trials
  paretoShape: number;
}

const kish = (sum: number, squares: number): number => (squares > 0 ? (sum * sum) / squares : 0);

/** Wilson's interval of a weighted mean; exactly 0 and 1 at the ends. */
function wilson(successes: number, trials: number): [number, number] {
  if (!(trials > 0)) return [0, 1];
  const p = successes / trials;
  const z2 = (Z95 * Z95) / trials;
  const center = p + z2 / 2;
  const half = Z95 * Math.sqrt(Math.max(p * (1 - p), 0) / trials + z2 / (4 * trials));
  return [
    successes <= 0 ? 0 : Math.max((center - half) / (1 + z2), 0),
    successes >= trials ? 1 : Math.min((center + half) / (1 + z2), 1),
  ];
}

class WeightedCell {
  weight = 0;
  squares = 0;
  success = 0;
  failed = 0;
  failedSquares = 0;

  add(outcome: number, weight: number): void {
    if (outcome === FAILED) {
      this.failed += weight;
      this.failedSquares += weight * weight;
      return;
    }
    this.weight += weight;
    this.squares += weight * weight;
    if (outcome === SUCCESS) this.success += weight;
  }

  summary(): ReweightedCell {
    const effective = kish(this.weight, this.squares);
    if (effective < LEAST_EFFECTIVE_TRIALS) return { probability: NaN, low: 0, high: 1, effective };
    const all = this.weight + this.failed;
    const trials = kish(all, this.squares + this.failedSquares);
    const successes = (trials * this.success) / all;
    const failed = (trials * this.failed) / all;
    return {
      probability: this.success / this.weight,
      low: wilson(successes, trials)[0],
      high: wilson(Math.min(successes + failed, trials), trials)[1],
      effective,
    };
  }
}

export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** k-hat of weights: Vehtari et al. 2024, Zhang and Stephens 2009; -Infinity without a tail. */
export function paretoTailShape(weights: Float64Array): number {
  const n = weights.length;
  if (n < 25) return -Infinity;
  const tail = Math.ceil(Math.min(0.2 * n, 3 * Math.sqrt(n)));
  const sorted = Float64Array.from(weights).sort().reverse();
  const x: number[] = [];
  for (let k = tail; k > 0; --k) {
    const exceedance = sorted[k - 1] - sorted[tail];
    if (exceedance > 0) x.push(exceedance);
  }
  if (x.length < 5 || x[0] >= x[x.length - 1]) return -Infinity;
  return (x.length * fittedShape(x) + 5) / (x.length + 10);
}

function fittedShape(x: number[]): number {
  const n = x.length;
  const points = 30 + Math.floor(Math.sqrt(n));
  const quartile = x[Math.floor(n / 4 + 0.5) - 1];
  const meanLog = (factor: number) => x.reduce((sum, v) => sum + Math.log1p(factor * v), 0) / n;
  const bs: number[] = [];
  const profile: number[] = [];
  for (let j = 1; j <= points; ++j) {
    const b =
      1 / x[n - 1] + (1 - Math.sqrt(points / (j - 0.5))) / (3 * Math.max(quartile, 1e-300));
    const k = meanLog(-b);
    bs.push(b);
    profile.push(n * (Math.log(-b / k) - k - 1));
  }
  const highest = Math.max(...profile);
  const ws = profile.map((value) => Math.exp(value - highest));
  const sum = ws.reduce((a, b) => a + b, 0);
  return meanLog(-bs.reduce((mean, b, j) => mean + (ws[j] * b) / sum, 0));
}

/** Weighs all trials of the report. */
export function reweight(
  trials: Trials,
  stored: FrictionLaws,
  wanted: FrictionLaws,
): ReweightedMap {
  const drawn = trials.allDrawn();
  const changesJaw = !sameLaw(stored.mu_jaw, wanted.mu_jaw);
  const changesSupport = !sameLaw(stored.mu_support, wanted.mu_support);
  const cells = trials.ofCell.map(() => new WeightedCell());
  const weights = new Float64Array(trials.count);
  for (let row = 0; row < trials.count; ++row) {
    const { cell, muJaw, muSupport } = drawn[row];
    let weight = 1;
    if (changesJaw) weight *= probabilityRatio(stored.mu_jaw, wanted.mu_jaw, muJaw);
    if (changesSupport) {
      weight *= probabilityRatio(stored.mu_support, wanted.mu_support, muSupport);
    }
    weights[row] = weight;
    cells[cell].add(trials.outcome[row], weight);
  }
  const summaries = cells.map((cell) => cell.summary());
  return {
    cells: summaries,
    effective: kish(
      weights.reduce((a, b) => a + b, 0),
      weights.reduce((a, b) => a + b * b, 0),
    ),
    median: median(summaries.map((cell) => cell.effective)),
    paretoShape: paretoTailShape(weights),
  };
}
