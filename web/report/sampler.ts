// What was drawn for a trial follows from seed and index, as in grasp/sweep/trials/trial_sampler.cpp.

import { sobolCoordinate } from "./even_points";
import type { Facts } from "./facts";
import { type Axis, cellIndex, cellCount, cellMin, isFixed } from "./grid";
import { type Law, quantile } from "./laws";
import { type Key, keyOfSeed, uniformOpen } from "./philox";

/** The number of each random input, for good. */
const DRAW = { x: 0, y: 1, muJaw: 2, muSupport: 3, noiseX: 4, noiseY: 5, noiseTheta: 6, theta: 7 };
type Input = keyof typeof DRAW;

const NETS_PER_CELL = 2;

/** The inputs that vary, in the order of the dimensions of Sobol points. */
function dimensionsOf({ axes, laws }: Facts): Input[] {
  const varies: [Input, boolean][] = [
    ["x", true],
    ["y", true],
    ["theta", !isFixed(axes.theta_rad)],
    ["muJaw", laws.mu_jaw.kind !== "fixed"],
    ["muSupport", laws.mu_support.kind !== "fixed"],
    ["noiseX", laws.noise_x_mm.kind !== "fixed"],
    ["noiseY", laws.noise_y_mm.kind !== "fixed"],
    ["noiseTheta", laws.noise_theta_rad.kind !== "fixed"],
  ];
  return varies.filter(([, does]) => does).map(([input]) => input);
}

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
  private readonly key: Key;
  private readonly cells: number;
  private readonly dimensions: Input[];

  constructor(private readonly facts: Facts) {
    this.key = keyOfSeed(facts.seed);
    this.cells = cellCount(facts.axes);
    this.dimensions = dimensionsOf(facts);
  }

  private uniform(index: number, input: Input): number {
    const dimension = this.dimensions.indexOf(input);
    if (this.facts.points === "independent" || dimension < 0) return uniformOpen(this.key, index, DRAW[input]);
    const inCell = Math.floor(index / this.cells);
    const sequence = (index % this.cells) * NETS_PER_CELL + (inCell % NETS_PER_CELL);
    const number = Math.floor(inCell / NETS_PER_CELL);
    return sobolCoordinate(this.key, sequence, number, dimension, this.facts.sobol_directions[dimension]);
  }

  private from(law: Law, index: number, input: Input): number {
    return law.kind === "fixed" ? law.mean : quantile(law, this.uniform(index, input));
  }

  /** Trial `index` of the run. */
  trial(index: number): Drawn {
    const { axes, laws } = this.facts;
    const cell = index % this.cells;
    const { i, j, k } = cellIndex(axes, cell);
    const theta = isFixed(axes.theta_rad)
      ? axes.theta_rad.min
      : pointInCell(axes.theta_rad, k, this.uniform(index, "theta"));
    const intended: [number, number, number] = [
      pointInCell(axes.x_mm, i, this.uniform(index, "x")),
      pointInCell(axes.y_mm, j, this.uniform(index, "y")),
      theta,
    ];
    if (!this.facts.laws_are_known) return { cell, intended, placement: intended, muJaw: NaN, muSupport: NaN };
    return {
      cell,
      intended,
      placement: [
        intended[0] + this.from(laws.noise_x_mm, index, "noiseX"),
        intended[1] + this.from(laws.noise_y_mm, index, "noiseY"),
        intended[2] + this.from(laws.noise_theta_rad, index, "noiseTheta"),
      ],
      muJaw: this.from(laws.mu_jaw, index, "muJaw"),
      muSupport: this.from(laws.mu_support, index, "muSupport"),
    };
  }
}
