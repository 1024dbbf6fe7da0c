// What was drawn for a trial follows from seed and index, as in grasp/sweep/trials/trial_sampler.cpp.

import type { Facts } from "./facts";
import { type Axis, cellIndex, cellCount, cellMin, isFixed } from "./grid";
import { type Law, quantile } from "./laws";
import { keyOfSeed, uniformOpen } from "./philox";

/** The number of each random input, for good. */
const DRAW = { x: 0, y: 1, muJaw: 2, muSupport: 3, noiseX: 4, noiseY: 5, noiseTheta: 6, theta: 7 };

export interface Drawn {
  cell: number;
  intended: [number, number, number]; // without the noise: mm, mm, rad
  placement: [number, number, number]; // with it
  muJaw: number; // NaN when the page does not know
  muSupport: number;
}

const pointInCell = (axis: Axis, i: number, u: number): number =>
  cellMin(axis, i) + u * (cellMin(axis, i + 1) - cellMin(axis, i));

/** Draws the trials of a run again. */
export class Sampler {
  private readonly key: [number, number];
  private readonly cells: number;

  constructor(private readonly facts: Facts) {
    this.key = keyOfSeed(facts.seed);
    this.cells = cellCount(facts.axes);
  }

  private uniform(index: number, draw: number): number {
    return uniformOpen(this.key, index, draw);
  }

  private from(law: Law, index: number, draw: number): number {
    return law.kind === "fixed" ? law.mean : quantile(law, this.uniform(index, draw));
  }

  /** Trial `index` of the run. */
  trial(index: number): Drawn {
    const { axes, laws } = this.facts;
    const cell = index % this.cells;
    const { i, j, k } = cellIndex(axes, cell);
    const theta = isFixed(axes.theta_rad)
      ? axes.theta_rad.min
      : pointInCell(axes.theta_rad, k, this.uniform(index, DRAW.theta));
    const intended: [number, number, number] = [
      pointInCell(axes.x_mm, i, this.uniform(index, DRAW.x)),
      pointInCell(axes.y_mm, j, this.uniform(index, DRAW.y)),
      theta,
    ];
    if (!this.facts.laws_are_known) return { cell, intended, placement: intended, muJaw: NaN, muSupport: NaN };
    return {
      cell,
      intended,
      placement: [
        intended[0] + this.from(laws.noise_x_mm, index, DRAW.noiseX),
        intended[1] + this.from(laws.noise_y_mm, index, DRAW.noiseY),
        intended[2] + this.from(laws.noise_theta_rad, index, DRAW.noiseTheta),
      ],
      muJaw: this.from(laws.mu_jaw, index, DRAW.muJaw),
      muSupport: this.from(laws.mu_support, index, DRAW.muSupport),
    };
  }
}
