// Part and open fingers on the map, to scale: placements are seen from the part.

import type { Facts } from "./facts";

export interface Window {
  x: [number, number];
  y: [number, number];
}

type ToPx = { x: (mm: number) => number; y: (mm: number) => number };
type Point = [number, number];

const pointsOf = (numbers: number[]): Point[] =>
  Array.from({ length: numbers.length / 2 }, (_, k) => [numbers[2 * k], numbers[2 * k + 1]]);

function turned(line: number[], theta: number): Point[] {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return pointsOf(line).map(([x, y]): Point => [c * x - s * y, s * x + c * y]);
}

/** The part's boundary, turned about its origin. */
export const partLines = (facts: Facts, theta: number): Point[][] =>
  facts.part.boundary.map((line) => turned(line, theta));

/** What the part covers, turned about its origin: regions, each a polygon and its holes. */
export const partRegions = (facts: Facts, theta: number): Point[][][] =>
  [...facts.part.pieces.map((piece) => [piece]), ...facts.part.outlines].map((region) =>
    region.map((polygon) => turned(polygon, theta)));

/** What the map shows: its cells, the part, and some of fingers at the sweet spot, but 1.5
 * times the longer side of the cells around them at most. */
export function mapWindow(facts: Facts): Window {
  const { x_mm, y_mm, theta_rad } = facts.axes;
  const { sweet_spot: spot, gripper } = facts;
  const points: Point[] = [];
  for (let k = 0; k < theta_rad.cells; ++k) {
    const theta = theta_rad.min + ((k + 0.5) * (theta_rad.max - theta_rad.min)) / theta_rad.cells;
    points.push(...partLines(facts, theta).flat());
  }
  const half = 0.65 * gripper.opening_mm;
  if (spot.found) points.push([spot.x_mm - half, spot.y_mm], [spot.x_mm + half, spot.y_mm]);
  const reach = 1.5 * Math.max(x_mm.max - x_mm.min, y_mm.max - y_mm.min);
  const span = (axis: { min: number; max: number }, c: 0 | 1): [number, number] => {
    const all = points.map((point) => point[c]);
    const low = all.reduce((a, b) => Math.min(a, b), axis.min);
    const high = all.reduce((a, b) => Math.max(a, b), axis.max);
    return [Math.max(low, axis.min - reach), Math.min(high, axis.max + reach)];
  };
  return { x: span(x_mm, 0), y: span(y_mm, 1) };
}

const path = (lines: Point[][], px: ToPx): string =>
  lines.map((line) => line.map(([x, y], k) =>
    `${k === 0 ? "M" : "L"}${px.x(x).toFixed(1)},${px.y(y).toFixed(1)}`).join("")).join("");

export const partPath = (facts: Facts, theta: number, px: ToPx): string =>
  path(partLines(facts, theta), px);

/** The open fingers at a placement. Without an outline a finger is a quarter-plane below its tip. */
export function fingersPath(facts: Facts, at: Point, shown: Window, px: ToPx): string {
  const lines: Point[][] = [];
  for (const [polygons, sign, end] of [[facts.gripper.right, 1, shown.x[1]], [facts.gripper.left, -1, shown.x[0]]] as
    [number[][], number, number][]) {
    const corner: Point = [at[0] + (sign * facts.gripper.opening_mm) / 2, at[1]];
    if (polygons.length === 0) lines.push([[corner[0], shown.y[0]], corner, [end, corner[1]]]);
    for (const polygon of polygons) {
      const points = pointsOf(polygon).map(([x, y]): Point => [x + corner[0], y + corner[1]]);
      lines.push([...points, points[0]]);
    }
  }
  return path(lines, px);
}
