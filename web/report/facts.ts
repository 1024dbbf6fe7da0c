// What the part "run" of a report holds (run_facts_json, grasp/show/report/page_data.hpp).

import type { Axes } from "./grid";

export interface PackedColumn {
  name: string;
  low: number;
  high: number;
  rounded_by_at_most: number;
}

/** The distribution of a friction. */
export interface Distribution {
  kind: string; // "fixed", "uniform", "normal", ...
  mean?: number; // what a kind has
  sigma?: number;
  min?: number | null; // null: no bound
  max?: number | null;
  median: number;
  is_correlated: boolean;
}

export interface Facts {
  graspmap_version: string;
  git_commit: string;
  name: string;
  title: string; // the name, and the folder where that has another
  run: string;
  program: string;
  run_again: string;
  complete: boolean;
  adaptive: boolean;
  digest: string;
  seed: string; // it may have 64 bits
  axes: Axes;
  laws: Record<"mu_jaw" | "mu_support", Distribution>;
  has_placement_noise: boolean;
  one_friction: boolean; // all contacts of a trial have its mu_jaw: else cones are not drawn
  uncertain: string[]; // keys of numbers that differ from trial to trial besides
  outcomes: string[];
  sweet_spot: {
    found: boolean;
    half_width_mm: number;
    x_mm: number;
    y_mm: number;
    theta_rad: number;
    cell_theta: number;
    lowest_probability: number;
    wilson_95: [number, number];
  };
  plateau_probability: number;
  sessions: {
    version: string;
    git_commit: string;
    host: string;
    started_utc: string;
    processes: number;
    threads: number;
    trials: number;
    wall_s: number;
  }[];
  trial_table: { stored: number; trials: number; ranges: number; columns: PackedColumn[] };
  part: { pieces: number[][]; outlines: number[][][]; boundary: number[][]; radius_mm: number };
  gripper: {
    opening_mm: number;
    closing_force_n: number;
    closing_speed_mm_s: number;
    right: number[][];
    left: number[][];
    palm: number[][];
    obstacles: number[][]; // on the table
    table: "gripper" | "part"; // whose frame the table's is at the start
  };
}
