// The 3-D histogram: a bar on each cell, turned with the mouse or the arrow keys.

import { type Axes, cellMax, cellMin } from "./grid";
import { rgb, type Scale } from "./colours";
import { h } from "./dom";
import { short } from "./format";
import { ticks } from "./axis_ticks";

type Point = [number, number, number];

const BRIGHTNESS = { top: 1, x: 0.62, y: 0.8 };

export class Histogram {
  readonly canvas: HTMLCanvasElement;
  private turn = (210 * Math.PI) / 180; // about the vertical
  private tilt = (38 * Math.PI) / 180; // of the view above the floor
  private drag: { x: number; y: number } | null = null;

  constructor(
    private readonly axes: Axes,
    private readonly values: ArrayLike<number>,
    private readonly scale: Scale,
    private readonly width: number,
    label: string,
  ) {
    this.canvas = h("canvas", {
      class: "histogram",
      tabindex: 0,
      role: "img",
      "aria-label": `${label}, as a histogram; the arrow keys turn it`,
      pointerdown: (event) => this.begin(event as PointerEvent),
      pointermove: (event) => this.move(event as PointerEvent),
      pointerup: () => (this.drag = null),
      pointercancel: () => (this.drag = null),
      keydown: (event) => this.key(event as KeyboardEvent),
    });
    this.draw();
  }

  private begin(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.clientX, y: event.clientY };
  }

  private move(event: PointerEvent): void {
    if (!this.drag) return;
    this.rotate((event.clientX - this.drag.x) * 0.01, (event.clientY - this.drag.y) * 0.008);
    this.drag = { x: event.clientX, y: event.clientY };
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] };
    const turn = step[event.key as keyof typeof step];
    if (!turn) return;
    event.preventDefault();
    this.rotate(turn[0], turn[1]);
  }

  private rotate(turn: number, tilt: number): void {
    this.turn += turn;
    this.tilt = Math.min(Math.max(this.tilt + tilt, 0.08), 1.5);
    this.draw();
  }

  /** The view's axes: x to the right, y down, both in px; depth towards the eye. */
  private project(height: number) {
    const { x_mm, y_mm } = this.axes;
    const size = Math.max(x_mm.max - x_mm.min, y_mm.max - y_mm.min);
    const px = (0.62 * this.width) / size;
    const centre = [(x_mm.min + x_mm.max) / 2, (y_mm.min + y_mm.max) / 2];
    const [c, d] = [Math.cos(this.turn), Math.sin(this.turn)];
    const [ct, st] = [Math.cos(this.tilt), Math.sin(this.tilt)];
    return ([x, y, z]: Point): Point => {
      const u = (x - centre[0]) * px;
      const v = (y - centre[1]) * px;
      const across = c * u - d * v;
      const away = d * u + c * v;
      const up = z * 0.42 * this.width;
      return [
        this.width / 2 + across,
        height * 0.66 - away * st - up * ct,
        -away * ct + up * st,
      ];
    };
  }

  draw(): void {
    const height = Math.round(this.width * 0.8);
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = this.width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const project = this.project(height);
    this.drawFloor(pen, project);
    for (const cell of this.fromFarToNear(project)) this.drawBar(pen, project, cell);
  }

  private fromFarToNear(project: (p: Point) => Point): number[] {
    const { x_mm, y_mm } = this.axes;
    const cells = Array.from({ length: x_mm.cells * y_mm.cells }, (_, n) => n);
    const depth = cells.map((n) => {
      const [i, j] = [n % x_mm.cells, Math.floor(n / x_mm.cells)];
      return project([cellMin(x_mm, i), cellMin(y_mm, j), 0])[2];
    });
    return cells.sort((a, b) => depth[a] - depth[b]);
  }

  private drawBar(pen: CanvasRenderingContext2D, project: (p: Point) => Point, n: number): void {
    const { x_mm, y_mm } = this.axes;
    const [i, j] = [n % x_mm.cells, Math.floor(n / x_mm.cells)];
    const value = this.values[n];
    const z = (value - Math.min(this.scale.low, 0)) / (this.scale.high - Math.min(this.scale.low, 0));
    if (!(z > 0.002)) return;
    const [x0, x1] = [cellMin(x_mm, i), cellMax(x_mm, i)];
    const [y0, y1] = [cellMin(y_mm, j), cellMax(y_mm, j)];
    const colours = rgb(this.scale, value);
    const face = (points: Point[], light: number): void => {
      pen.fillStyle = `rgb(${colours.map((c) => Math.round(c * light)).join(",")})`;
      pen.strokeStyle = "rgba(0,0,0,0.45)";
      pen.lineWidth = 0.6;
      pen.beginPath();
      points.map(project).forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.fill();
      pen.stroke();
    };
    // Of the sides the two that face the eye are seen.
    const nearX = Math.sin(this.turn) > 0 ? x0 : x1;
    const nearY = Math.cos(this.turn) > 0 ? y0 : y1;
    face([[nearX, y0, 0], [nearX, y1, 0], [nearX, y1, z], [nearX, y0, z]], BRIGHTNESS.x);
    face([[x0, nearY, 0], [x1, nearY, 0], [x1, nearY, z], [x0, nearY, z]], BRIGHTNESS.y);
    face([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], BRIGHTNESS.top);
  }

  private drawFloor(pen: CanvasRenderingContext2D, project: (p: Point) => Point): void {
    const { x_mm, y_mm } = this.axes;
    const ink = getComputedStyle(document.documentElement);
    pen.strokeStyle = ink.getPropertyValue("--line");
    pen.fillStyle = ink.getPropertyValue("--soft");
    pen.font = "12px system-ui, sans-serif";
    pen.lineWidth = 1;
    const line = (a: Point, b: Point): void => {
      const [p, q] = [project(a), project(b)];
      pen.beginPath();
      pen.moveTo(p[0], p[1]);
      pen.lineTo(q[0], q[1]);
      pen.stroke();
    };
    const nearX = Math.sin(this.turn) > 0 ? x_mm.min : x_mm.max;
    const nearY = Math.cos(this.turn) > 0 ? y_mm.min : y_mm.max;
    const outX = (nearX === x_mm.min ? -1 : 1) * 0.05 * (x_mm.max - x_mm.min);
    const outY = (nearY === y_mm.min ? -1 : 1) * 0.05 * (y_mm.max - y_mm.min);
    for (const [a, b] of [[x_mm.min, y_mm.min], [x_mm.max, y_mm.max]]) {
      line([a, y_mm.min, 0], [a, y_mm.max, 0]);
      line([x_mm.min, b, 0], [x_mm.max, b, 0]);
    }
    const write = (text: string, at: Point): void => {
      const [x, y] = project(at);
      pen.textAlign = x < this.width / 2 - 2 ? "right" : "left";
      pen.fillText(text, x, y + 10);
    };
    for (const x of ticks(x_mm.min, x_mm.max, 4)) write(short(x), [x, nearY + outY, 0]);
    for (const y of ticks(y_mm.min, y_mm.max, 4)) write(short(y), [nearX + outX, y, 0]);
    write("x (mm)", [(x_mm.min + x_mm.max) / 2, nearY + 3.2 * outY, 0]);
    write("y (mm)", [nearX + 3.2 * outX, (y_mm.min + y_mm.max) / 2, 0]);
  }
}
