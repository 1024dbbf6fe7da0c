// One moment of a trial as SVG: part, jaws and palm, contacts with forces and friction cones. The
// picture's lengths are px; the frame is the gripper's, or moves with `offset`.

import { s } from "./dom";
import type { Facts } from "./facts";
import { partLines } from "./grasp_outline";
import type { Contact, Frame } from "../package/src/engine";

export interface Window {
  min: [number, number]; // mm
  max: [number, number];
}

const FAR = 4; // how many window sizes jaws reach beyond the picture
const CONE_PX = 32;
const LONGEST_ARROW_PX = 70;

type Polygon = number[]; // x, y, x, y, ...

function path(polygons: Polygon[], px: number): string {
  let d = "";
  for (const polygon of polygons) {
    for (let k = 0; k < polygon.length; k += 2) {
      d += `${k === 0 ? "M" : "L"}${(polygon[k] * px).toFixed(2)},${(-polygon[k + 1] * px).toFixed(2)}`;
    }
    d += "Z";
  }
  return d;
}

function lines(polylines: Polygon[], px: number): string {
  return path(polylines, px).replace(/Z/g, "");
}

/** The window that shows the open gripper and the part in some poses; without an angle, turned by
 * any. */
export function windowOf(facts: Facts, poses: [number, number, number?][]): Window {
  const { radius_mm } = facts.part;
  const half = facts.gripper.opening_mm / 2;
  const min: [number, number] = [-half, -0.35 * radius_mm];
  const max: [number, number] = [half, 0.2 * radius_mm];
  const include = (x: number, y: number): void => {
    min[0] = Math.min(min[0], x);
    min[1] = Math.min(min[1], y);
    max[0] = Math.max(max[0], x);
    max[1] = Math.max(max[1], y);
  };
  for (const [x, y, theta] of poses) {
    if (theta === undefined) {
      include(x - radius_mm, y - radius_mm);
      include(x + radius_mm, y + radius_mm);
    } else {
      for (const [px, py] of partLines(facts, theta).flat()) include(x + px, y + py);
    }
  }
  const margin = 0.05 * Math.max(max[0] - min[0], max[1] - min[1]);
  return {
    min: [min[0] - margin, min[1] - margin],
    max: [max[0] + margin, max[1] + margin],
  };
}

export class SceneView {
  readonly svg: SVGSVGElement;
  private readonly px: number; // per mm
  private readonly ghost: SVGGElement;
  private readonly part: SVGGElement;
  private readonly trace = s("path", { class: "trace" });
  readonly jaws: SVGGElement;
  private readonly table = s("g", {}); // moves below the gripper
  private readonly marks = s("path", { class: "table" });
  private readonly sides: SVGGElement[];
  private readonly contacts = s("g", {});
  private pathPoints: [number, number][] = [];
  private pxPerN = 0;

  constructor(
    private readonly facts: Facts,
    readonly window: Window,
    width: number,
    label: string,
  ) {
    const size = [window.max[0] - window.min[0], window.max[1] - window.min[1]];
    this.px = Math.min(width / size[0], (1.1 * width) / size[1]);
    const [w, hgt] = [size[0] * this.px, size[1] * this.px];
    this.part = this.partShape("part");
    this.ghost = this.partShape("ghost");
    const { gripper } = facts;
    this.sides = [this.finger(gripper.right, 1), this.finger(gripper.left, -1), this.finger(gripper.palm, 0)];
    this.table.append(this.marks, this.finger(gripper.obstacles, 0));
    this.jaws = s("g", { class: "jaws" }, ...this.sides);
    const world = s(
      "g",
      { transform: `translate(${-window.min[0] * this.px},${window.max[1] * this.px})` },
      this.table,
      this.jaws,
      this.ghost,
      this.part,
      this.trace,
      this.contacts,
    );
    this.svg = s(
      "svg",
      { class: "scene", width: w, height: hgt, viewBox: `0 0 ${w} ${hgt}`, role: "img", "aria-label": label },
      s(
        "defs",
        {},
        s(
          "pattern",
          { id: "jaw_hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          s("rect", { width: 6, height: 6, class: "jaw_ground" }),
          s("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "jaw_line" }),
        ),
      ),
      world,
    );
  }

  /** Moves the whole picture: where the gripper's origin lies in it, mm. */
  offset: [number, number] = [0, 0];

  private partShape(name: string): SVGGElement {
    const { part } = this.facts;
    const regions = [...part.pieces.map((piece) => [piece]), ...part.outlines];
    return s(
      "g",
      { class: name },
      ...regions.map((polygons) => s("path", { class: "body", "fill-rule": "evenodd", d: path(polygons, this.px) })),
      s("path", { class: "edge", d: lines(part.boundary, this.px) }),
    );
  }

  /** A finger: an outline, or the quarter-plane below its tip on one side. */
  private finger(outline: Polygon[], sign: number): SVGGElement {
    if (outline.length > 0) {
      return s("g", {}, s("path", { class: "jaw", "fill-rule": "evenodd", d: path(outline, this.px) }));
    }
    if (sign === 0) return s("g", {});
    const size = this.window.max[0] - this.window.min[0] + this.window.max[1] - this.window.min[1];
    const far = FAR * size * this.px;
    return s("g", {}, s("path", { class: "jaw", d: `M0,${far}V0H${sign * far}V${far}Z` }));
  }

  private move(element: SVGElement, x_mm: number, y_mm: number, theta = 0): void {
    const x = (x_mm + this.offset[0]) * this.px;
    const y = -(y_mm + this.offset[1]) * this.px;
    const turn = (-180 * theta) / Math.PI;
    element.setAttribute("transform", `translate(${x.toFixed(2)},${y.toFixed(2)}) rotate(${turn.toFixed(3)})`);
  }

  /** Where the part is at first, and the largest force that will be shown. */
  begin(frames: Frame[]): void {
    const [x, y, theta] = frames[0].part;
    this.move(this.ghost, x, y, theta);
    this.pathPoints = frames.map((frame) => [frame.part[0], frame.part[1]]);
    this.markTable(frames);
    let largest = 0;
    for (const frame of frames) {
      for (const c of frame.contacts) {
        largest = Math.max(largest, Math.hypot(c.normal_force_n, c.friction_force_n));
      }
    }
    this.pxPerN = largest > 0 ? LONGEST_ARROW_PX / largest : 0;
  }

  /** Crosses on the table as far as the picture gets to see it; none below a gripper that rests. */
  private markTable(frames: Frame[]): void {
    const [x0, y0, turn0] = frames[0].gripper;
    const moves = frames.some(({ gripper: [x, y, turn] }) => x !== x0 || y !== y0 || turn !== turn0);
    this.marks.setAttribute("d", "");
    if (!moves) return;
    const { min, max } = this.window;
    const apart = 10 ** Math.floor(Math.log10(Math.max(max[0] - min[0], max[1] - min[1]) / 5));
    const reach = Math.hypot(max[0] - min[0], max[1] - min[1]);
    const of = (k: 0 | 1): [number, number] => {
      const along = frames.map(({ gripper }) => gripper[k]);
      return [Math.floor((Math.min(...along) - reach) / apart), Math.ceil((Math.max(...along) + reach) / apart)];
    };
    const [xs, ys] = [of(0), of(1)];
    let d = "";
    for (let i = xs[0]; i <= xs[1]; ++i) {
      for (let j = ys[0]; j <= ys[1]; ++j) {
        d += `M${(i * apart * this.px).toFixed(1)},${(-j * apart * this.px).toFixed(1)}m-3,0h6m-3,-3v6`;
      }
    }
    this.marks.setAttribute("d", d);
  }

  private place = (x: number, y: number): string =>
    `${((x + this.offset[0]) * this.px).toFixed(2)},${(-(y + this.offset[1]) * this.px).toFixed(2)}`;

  /** Shows a frame; `passed`: how many of the frames are over. */
  show(frame: Frame, passed: number, muJaw: number): void {
    const [x, y, theta] = frame.part;
    this.move(this.part, x, y, theta);
    this.move(this.sides[0], frame.jaws[0], 0);
    this.move(this.sides[1], frame.jaws[1], 0);
    this.move(this.sides[2], 0, 0);
    const [gx, gy, turn] = frame.gripper;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    this.move(this.table, -(cos * gx + sin * gy), sin * gx - cos * gy, -turn);
    const points = [...this.pathPoints.slice(0, passed), [x, y] as [number, number]];
    this.trace.setAttribute("d", "M" + points.map(([a, b]) => this.place(a, b)).join("L"));
    this.contacts.replaceChildren(...frame.contacts.map((c) => this.contact(c, muJaw)));
  }

  /** A contact: the friction cone and the arrow lie where the force comes from, in the jaw. */
  private contact(c: Contact, muJaw: number): SVGGElement {
    const at = this.place(c.x_mm, c.y_mm).split(",").map(Number);
    const group = s("g", {
      class: ["rests", "sticks", "slides"][c.grip] ?? "rests",
      transform: `translate(${at[0]},${at[1]})`,
    });
    const [nx, ny] = [c.normal_x, -c.normal_y]; // px: y down
    if (c.grip > 0) {
      const half = Math.atan(muJaw);
      const ray = (turn: number): string => {
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        return `L${(-CONE_PX * (cos * nx - sin * ny)).toFixed(1)},${(-CONE_PX * (sin * nx + cos * ny)).toFixed(1)}`;
      };
      if (Number.isFinite(half)) group.append(s("path", { class: "cone", d: `M0,0${ray(half)}${ray(-half)}Z` }));
      const fx = c.normal_force_n * c.normal_x - c.friction_force_n * c.normal_y;
      const fy = c.normal_force_n * c.normal_y + c.friction_force_n * c.normal_x;
      const arrow = this.arrow(fx * this.pxPerN, -fy * this.pxPerN);
      if (arrow) group.append(arrow);
    }
    const mark = ["M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z", "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M0,-5L5,0L0,5L-5,0Z"];
    group.append(s("path", { class: "touch", d: mark[c.grip] ?? mark[0] }));
    const force = Math.hypot(c.normal_force_n, c.friction_force_n);
    group.append(s("title", {}, `${["right jaw", "left jaw", "palm", "obstacle"][c.side]}: ${force.toPrecision(3)} N`));
    return group;
  }

  /** An arrow whose tip is at the origin. */
  private arrow(dx: number, dy: number): SVGGElement | null {
    const length = Math.hypot(dx, dy);
    if (length < 2) return null;
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(11, length);
    const [bx, by] = [-head * ux, -head * uy];
    const side = 0.4 * head;
    return s(
      "g",
      {},
      s("line", { class: "shaft", x1: -dx, y1: -dy, x2: bx, y2: by }),
      s("path", {
        class: "head",
        d: `M0,0L${bx - side * uy},${by + side * ux}L${bx + side * uy},${by - side * ux}Z`,
      }),
    );
  }

  /** A pointer's place in the picture's frame, mm. */
  mmOf(event: MouseEvent): [number, number] {
    const box = this.svg.getBoundingClientRect();
    const scale = (this.window.max[0] - this.window.min[0]) / box.width;
    return [
      this.window.min[0] + (event.clientX - box.left) * scale,
      this.window.max[1] - (event.clientY - box.top) * scale,
    ];
  }
}
