// The trials of a report: how each ended.

import type { Range } from "../package/src/engine";
import type { Facts, PackedColumn } from "./facts";
import { cellCount } from "./grid";

const UNKNOWN = 65535;
const LARGEST = 65534;

export interface TrialEnd {
  part: [number, number, number]; // mm, mm, rad
  jaws: [number, number]; // right, left, mm
  time_s: number;
}

function readRanges(bytes: DataView, ranges: number): Range[] {
  return Array.from({ length: ranges }, (_, r) => [bytes.getFloat64(16 * r, true), bytes.getFloat64(16 * r + 8, true)]);
}

/** The indices of the trials of ranges. */
function indicesOf(ranges: Range[], trials: number): Float64Array {
  const indices = new Float64Array(trials);
  let row = 0;
  for (const [first, end] of ranges) {
    for (let index = first; index < end; ++index) indices[row++] = index;
  }
  return indices;
}

function readColumn(bytes: Uint8Array, at: number, trials: number, column: PackedColumn) {
  const values = new Float64Array(trials);
  for (let row = 0; row < trials; ++row) {
    const word = bytes[at + row] * 256 + bytes[at + trials + row];
    values[row] = word === UNKNOWN ? NaN : column.low + ((column.high - column.low) * word) / LARGEST;
  }
  return values;
}

export class Trials {
  readonly count: number;
  readonly ranges: Range[];
  readonly index: Float64Array;
  readonly outcome: Uint8Array;
  /** The rows of each cell, in the order of the index. */
  readonly ofCell: number[][];
  private readonly columns: Record<string, Float64Array> = {};

  constructor(bytes: Uint8Array, facts: Facts) {
    const { trials, ranges, columns } = facts.trial_table;
    this.count = trials;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.ranges = readRanges(view, ranges);
    this.index = indicesOf(this.ranges, trials);
    let at = 16 * ranges;
    this.outcome = bytes.slice(at, at + trials);
    at += trials;
    for (const column of columns) {
      this.columns[column.name] = readColumn(bytes, at, trials, column);
      at += 2 * trials;
    }
    const cells = cellCount(facts.axes);
    this.ofCell = Array.from({ length: cells }, () => []);
    this.index.forEach((index, row) => this.ofCell[index % cells].push(row));
  }

  /** The row of a trial; -1 when it is not in the report. */
  rowOf(index: number): number {
    return this.index.indexOf(index);
  }

  end(row: number): TrialEnd {
    const c = this.columns;
    return {
      part: [c.part_x_mm[row], c.part_y_mm[row], c.part_theta_rad[row]],
      jaws: [c.jaw_right_x_mm[row], c.jaw_left_x_mm[row]],
      time_s: c.end_time_s[row],
    };
  }
}
