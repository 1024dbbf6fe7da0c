// A map of cells as SVG: colours, axes, the plateau's border, the sweet spot, the chosen cell.

import { type Axes, cellCenter, cellMax, cellMin } from "./grid";
import { colour, type Scale } from "./colours";
import { s } from "./dom";
import type { Facts } from "./facts";
import { fingersPath, mapWindow, partPath, type Window } from "./grasp_outline";
import { short } from "./format";
import { ticks } from "./axis_ticks";

export interface HeatMapInput {
  axes: Axes;
  values: ArrayLike<number>; // of one slice, x fastest; NaN: unknown
  scale: Scale;
  inPlateau: ((n: number) => boolean) | null;
  spot: { x_mm: number; y_mm: number; half_width_mm: number } | null;
  asGood?: { x_mm: [number, number]; y_mm: [number, number] } | null; // placements like the spot, a rectangle
  facts: Facts; // part and fingers
  theta: number; // of the part
  width: number; // px available
  shown?: Window; // else the part and the fingers too
  mostHeight?: number; // px of the map
  label: string;
}

const MARGIN = { left: 46, right: 8, top: 8, bottom: 42 };
const MOST_HEIGHT = 620;

/** Where the map lies in its picture. */
export interface HeatMapFrame {
  width: number;
  height: number;
  x: (mm: number) => number;
  y: (mm: number) => number;
  cellAt: (px: number, py: number) => number; // in the slice; -1 outside
  shown: Window;
}

export function heatMapFrame(axes: Axes, shown: Window, width: number, mostHeight = MOST_HEIGHT): HeatMapFrame {
  const { x_mm, y_mm } = axes;
  const wide = width - MARGIN.left - MARGIN.right;
  const aspect = (shown.y[1] - shown.y[0]) / (shown.x[1] - shown.x[0]);
  const high = Math.min(Math.max(wide * aspect, wide * 0.35), mostHeight);
  // A millimetre is as long in y as in x, unless the map would be a thread.
  const mapWidth = Math.max(Math.min(wide, high / aspect), wide * 0.45);
  const x = (mm: number) => MARGIN.left + ((mm - shown.x[0]) / (shown.x[1] - shown.x[0])) * mapWidth;
  const y = (mm: number) => MARGIN.top + ((shown.y[1] - mm) / (shown.y[1] - shown.y[0])) * high;
  const cellAt = (px: number, py: number): number => {
    const i = Math.floor(((px - x(x_mm.min)) / (x(x_mm.max) - x(x_mm.min))) * x_mm.cells);
    const j = Math.floor(((y(y_mm.min) - py) / (y(y_mm.min) - y(y_mm.max))) * y_mm.cells);
    const inside = i >= 0 && i < x_mm.cells && j >= 0 && j < y_mm.cells;
    return inside ? j * x_mm.cells + i : -1;
  };
  return {
    width: MARGIN.left + mapWidth + MARGIN.right,
    height: MARGIN.top + high + MARGIN.bottom,
    x,
    y,
    cellAt,
    shown,
  };
}

function drawCells(input: HeatMapInput, frame: HeatMapFrame): SVGGElement {
  const { x_mm, y_mm } = input.axes;
  const group = s("g", { class: "cells", "shape-rendering": "crispEdges" });
  for (let n = 0; n < x_mm.cells * y_mm.cells; ++n) {
    const i = n % x_mm.cells;
    const j = Math.floor(n / x_mm.cells);
    const left = frame.x(cellMin(x_mm, i));
    const top = frame.y(cellMax(y_mm, j));
    const value = input.values[n];
    const fill = Number.isNaN(value) ? "url(#unknown)" : colour(input.scale, value);
    group.append(
      s("rect", {
        x: left.toFixed(2),
        y: top.toFixed(2),
        width: (frame.x(cellMax(x_mm, i)) - left + 0.4).toFixed(2),
        height: (frame.y(cellMin(y_mm, j)) - top + 0.4).toFixed(2),
        fill,
      }),
    );
  }
  return group;
}

/** The border of the cells for which `isIn` holds, as a path. */
export function borderPath(axes: Axes, frame: HeatMapFrame, isIn: (n: number) => boolean): string {
  const { x_mm, y_mm } = axes;
  const inside = (i: number, j: number): boolean =>
    i >= 0 && j >= 0 && i < x_mm.cells && j < y_mm.cells && isIn(j * x_mm.cells + i);
  let path = "";
  for (let j = 0; j <= y_mm.cells; ++j) {
    for (let i = 0; i <= x_mm.cells; ++i) {
      const x = frame.x(cellMin(x_mm, i)).toFixed(1);
      const y = frame.y(cellMin(y_mm, j)).toFixed(1);
      if (j < y_mm.cells && inside(i, j) !== inside(i - 1, j)) {
        path += `M${x},${y}V${frame.y(cellMin(y_mm, j + 1)).toFixed(1)}`;
      }
      if (i < x_mm.cells && inside(i, j) !== inside(i, j - 1)) {
        path += `M${x},${y}H${frame.x(cellMin(x_mm, i + 1)).toFixed(1)}`;
      }
    }
  }
  return path;
}

function drawAxes(frame: HeatMapFrame): SVGGElement {
  const [xMin, xMax] = frame.shown.x;
  const [yMin, yMax] = frame.shown.y;
  const bottom = frame.y(yMin);
  const left = frame.x(xMin);
  const right = frame.x(xMax);
  const group = s("g", { class: "axis" });
  for (const x of ticks(xMin, xMax, (right - left) / 60)) {
    group.append(
      s("line", { x1: frame.x(x), x2: frame.x(x), y1: bottom, y2: bottom + 5 }),
      s("text", { x: frame.x(x), y: bottom + 18, "text-anchor": "middle" }, short(x)),
    );
  }
  for (const y of ticks(yMin, yMax, (bottom - frame.y(yMax)) / 50)) {
    group.append(
      s("line", { x1: left - 5, x2: left, y1: frame.y(y), y2: frame.y(y) }),
      s("text", { x: left - 8, y: frame.y(y) + 4, "text-anchor": "end" }, short(y)),
    );
  }
  const middle = (frame.y(yMax) + bottom) / 2;
  group.append(
    s("text", { x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" }, "placement x (mm)"),
    s(
      "text",
      { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` },
      "placement y (mm)",
    ),
  );
  return group;
}

function drawSpot(input: HeatMapInput, frame: HeatMapFrame): SVGGElement | null {
  const { spot } = input;
  if (!spot) return null;
  const half = spot.half_width_mm;
  const left = frame.x(spot.x_mm - half);
  const top = frame.y(spot.y_mm + half);
  const square = {
    x: left,
    y: top,
    width: frame.x(spot.x_mm + half) - left,
    height: frame.y(spot.y_mm - half) - top,
  };
  const dot = { cx: frame.x(spot.x_mm), cy: frame.y(spot.y_mm), r: 5 };
  return s(
    "g",
    { class: "spot" },
    s("rect", { ...square, class: "halo" }),
    s("rect", { ...square, class: "square" }),
    s("circle", dot),
  );
}

function drawAsGood(input: HeatMapInput, frame: HeatMapFrame): SVGGElement | null {
  if (!input.asGood) return null;
  const { x_mm, y_mm } = input.asGood;
  const [x, y] = [frame.x(x_mm[0]), frame.y(y_mm[1])];
  const box = { x, y, width: frame.x(x_mm[1]) - x, height: frame.y(y_mm[0]) - y };
  return s("g", { class: "spot" }, s("rect", { ...box, class: "halo" }), s("rect", { ...box, class: "square" }));
}

/** The marks that move: the chosen cell, and where the live gripper is. */
export class HeatMap {
  readonly svg: SVGSVGElement;
  readonly frame: HeatMapFrame;
  private readonly cursor = s("rect", { class: "cursor", visibility: "hidden" });
  private readonly pointer = s("rect", { class: "cursor light", visibility: "hidden" });
  private readonly fingers = s("path", { class: "outline fingers" });
  private readonly gripper = s("path", { class: "gripper_mark", visibility: "hidden" });

  constructor(private readonly input: HeatMapInput) {
    const frame = (this.frame = heatMapFrame(input.axes, input.shown ?? mapWindow(input.facts), input.width, input.mostHeight));
    this.svg = s(
      "svg",
      {
        class: "heat",
        width: frame.width,
        height: frame.height,
        viewBox: `0 0 ${frame.width} ${frame.height}`,
        role: "img",
        "aria-label": input.label,
      },
      s(
        "defs",
        {},
        s(
          "pattern",
          { id: "unknown", width: 6, height: 6, patternUnits: "userSpaceOnUse" },
          s("path", { d: "M0,6L6,0", class: "hatch" }),
        ),
      ),
      drawCells(input, frame),
      this.drawGrasp(),
    );
    if (input.inPlateau) {
      const d = borderPath(input.axes, frame, input.inPlateau);
      this.svg.append(s("path", { class: "plateau halo", d }), s("path", { class: "plateau", d }));
    }
    for (const mark of [drawAsGood(input, frame), drawSpot(input, frame)]) if (mark) this.svg.append(mark);
    this.svg.append(drawAxes(frame), this.pointer, this.cursor, this.gripper);
  }

  /** The frame, and the part's outline over the cells; fingers come with `showFingers`. */
  private drawGrasp(): SVGGElement {
    const { frame, input } = this;
    const box = { x: frame.x(frame.shown.x[0]), y: frame.y(frame.shown.y[1]) };
    const size = { width: frame.x(frame.shown.x[1]) - box.x, height: frame.y(frame.shown.y[0]) - box.y };
    const d = partPath(input.facts, input.theta, frame);
    return s("g", { "clip-path": "url(#shown)" },
      s("clipPath", { id: "shown" }, s("rect", { ...box, ...size })),
      s("path", { class: "outline halo", d }), s("path", { class: "outline part", d }),
      this.fingers, s("rect", { class: "frame", ...this.cellsBox() }), s("rect", { class: "frame", ...box, ...size }));
  }

  /** The rectangle of all cells. */
  private cellsBox(): { x: number; y: number; width: number; height: number } {
    const { x_mm, y_mm } = this.input.axes;
    const [x, y] = [this.frame.x(x_mm.min), this.frame.y(y_mm.max)];
    return { x, y, width: this.frame.x(x_mm.max) - x, height: this.frame.y(y_mm.min) - y };
  }

  /** Draws the open fingers at a placement; null: none. */
  showFingers(at: [number, number] | null): void {
    const { facts } = this.input;
    this.fingers.setAttribute("d", at ? fingersPath(facts, at, this.frame.shown, this.frame) : "");
  }

  private place(mark: SVGRectElement, cell: number): void {
    mark.setAttribute("visibility", cell < 0 ? "hidden" : "visible");
    if (cell < 0) return;
    const { x_mm, y_mm } = this.input.axes;
    const i = cell % x_mm.cells;
    const j = Math.floor(cell / x_mm.cells);
    const left = this.frame.x(cellMin(x_mm, i));
    const top = this.frame.y(cellMax(y_mm, j));
    mark.setAttribute("x", String(left));
    mark.setAttribute("y", String(top));
    mark.setAttribute("width", String(this.frame.x(cellMax(x_mm, i)) - left));
    mark.setAttribute("height", String(this.frame.y(cellMin(y_mm, j)) - top));
  }

  /** Cells of the slice; -1: none. */
  mark(cell: number, hover: number): void {
    this.place(this.cursor, cell);
    this.place(this.pointer, hover === cell ? -1 : hover);
  }

  markGripper(at: [number, number] | null): void {
    this.gripper.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    const x = this.frame.x(at[0]).toFixed(1);
    const y = this.frame.y(at[1]).toFixed(1);
    this.gripper.setAttribute("d", `M${x},${y}m-8,0h16m-8,-8v16`);
  }

  private pxOf(event: MouseEvent): [number, number] {
    const box = this.svg.getBoundingClientRect();
    const scale = this.frame.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** The cell of the slice at a pointer's place. */
  cellOf(event: MouseEvent): number {
    return this.frame.cellAt(...this.pxOf(event));
  }

  /** The placement at a pointer's place. */
  mmOf(event: MouseEvent): [number, number] {
    const { x, y } = this.frame;
    const [px, py] = this.pxOf(event);
    return [(px - x(0)) / (x(1) - x(0)), (py - y(0)) / (y(1) - y(0))];
  }
}

export const centerOf = (axes: Axes, n: number): [number, number] => [
  cellCenter(axes.x_mm, n % axes.x_mm.cells),
  cellCenter(axes.y_mm, Math.floor(n / axes.x_mm.cells)),
];
