// The cells of a map: x fastest, then y, then theta.

export interface Axis {
  min: number;
  max: number;
  cells: number;
}

export interface Axes {
  x_mm: Axis;
  y_mm: Axis;
  theta_rad: Axis;
}

export const isFixed = (axis: Axis): boolean => axis.min === axis.max;
export const cellSize = (axis: Axis): number => (axis.max - axis.min) / axis.cells;
export const cellMin = (axis: Axis, i: number): number => axis.min + i * cellSize(axis);
export const cellMax = (axis: Axis, i: number): number =>
  i + 1 === axis.cells ? axis.max : cellMin(axis, i + 1);
export const cellCenter = (axis: Axis, i: number): number => axis.min + (i + 0.5) * cellSize(axis);
export const contains = (axis: Axis, value: number): boolean =>
  value >= axis.min && value <= axis.max;

/** The cell that holds a value, outside of the axis the nearest one. */
export function nearestCell(axis: Axis, value: number): number {
  if (axis.cells === 1) return 0;
  const place = (value - axis.min) / cellSize(axis);
  return Math.floor(Math.min(Math.max(place, 0), axis.cells - 1));
}

export const cellCount = (axes: Axes): number =>
  axes.x_mm.cells * axes.y_mm.cells * axes.theta_rad.cells;

export const cellNumber = (axes: Axes, i: number, j: number, k: number): number =>
  (k * axes.y_mm.cells + j) * axes.x_mm.cells + i;

export interface CellIndex {
  i: number;
  j: number;
  k: number;
}

export function cellIndex(axes: Axes, cell: number): CellIndex {
  const row = Math.floor(cell / axes.x_mm.cells);
  return {
    i: cell % axes.x_mm.cells,
    j: row % axes.y_mm.cells,
    k: Math.floor(row / axes.y_mm.cells),
  };
}
