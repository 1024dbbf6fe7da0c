// The part as it lies before the grasp, with the open fingers: its named elements can be clicked.

import { h, onWidth, s } from "../report/dom";
import type { Facts } from "../report/facts";
import { short } from "../report/format";
import { fingersPath, partLines, partRegions } from "../report/grasp_outline";
import type { Change } from "./field_controls";
import { fingerHandles } from "./finger_handles";
import { type Element, partElements, type Point } from "./elements";
import { texts } from "./texts";

export interface PictureInput {
  document: Record<string, any>;
  facts: Facts;
  theta: number;
  at: Point; // of the gripper
  left: string[]; // what the fingers must touch
  right: string[];
}

const MOST_LABELS = 14;

export class PartPicture {
  readonly element = h("div", { class: "part_picture" });
  private input: PictureInput | null = null;
  /** An element was clicked; `facesRight`: its outside looks along x. */
  onPick: (name: string, facesRight: boolean) => void = () => undefined;

  constructor(
    private readonly change: Change,
    private readonly ended: () => void,
  ) {
    onWidth(this.element, () => this.draw());
  }

  show(input: PictureInput): void {
    this.input = input;
    this.draw();
  }

  private draw(): void {
    const { input } = this;
    const width = this.element.clientWidth;
    if (!input || width < 40) return;
    const { facts, theta, at } = input;
    const points = partLines(facts, theta).flat();
    const half = facts.gripper.opening_mm / 2;
    const pad = 0.12 * facts.gripper.opening_mm + 2;
    const span = (c: 0 | 1, more: number[]): [number, number] => {
      const all = [...points.map((point) => point[c]), ...more];
      return [Math.min(...all), Math.max(...all)];
    };
    let [x0, x1] = span(0, [at[0] - half - pad, at[0] + half + pad]);
    let [y0, y1] = span(1, [at[1]]);
    const margin = 0.1 * Math.max(x1 - x0, y1 - y0); // for names; below for the scale too
    [x0, x1, y0, y1] = [x0 - margin, x1 + margin, y0 - 1.8 * margin, y1 + margin];
    const height = Math.min(Math.max(((y1 - y0) / (x1 - x0)) * width, 120), 300);
    const px = Math.min(width / (x1 - x0), height / (y1 - y0));
    const left = (width - px * (x1 - x0)) / 2;
    const to = { x: (mm: number) => left + (mm - x0) * px, y: (mm: number) => (y1 - mm) * px };
    const shown = { x: [x0 - left / px, x1 + left / px] as Point, y: [y0, y1] as Point };
    const d = (lines: Point[][], end: string): string =>
      lines
        .map((line) => "M" + line.map(([x, y]) => `${to.x(x).toFixed(1)},${to.y(y).toFixed(1)}`).join("L") + end)
        .join("");
    this.element.replaceChildren(
      s(
        "svg",
        { class: "scene", width, height: px * (y1 - y0), role: "group", "aria-label": texts.part.picture },
        s("path", { class: "open_fingers", d: fingersPath(facts, at, shown, to) }),
        ...partRegions(facts, theta).map((region) =>
          s("path", { class: "body", "fill-rule": "evenodd", d: d(region, "Z") }),
        ),
        s("path", { class: "edge", d: d(partLines(facts, theta), "") }),
        ...this.elements(input, to, d),
        ...fingerHandles(
          input.document,
          ([x, y]) => [to.x(at[0] + half + x), to.y(at[1] + y)],
          px,
          this.change,
          this.ended,
        ),
        this.scaleBar(px, height),
      ),
    );
  }

  private elements(
    input: PictureInput,
    to: { x: (mm: number) => number; y: (mm: number) => number },
    d: (lines: Point[][], end: string) => string,
  ): SVGElement[] {
    const [c, sn] = [Math.cos(input.theta), Math.sin(input.theta)];
    const turn = ([x, y]: Point): Point => [c * x - sn * y, sn * x + c * y];
    const named = partElements(input.document).filter(({ name }) => name !== "");
    const labelled = new Set<string>();
    return named.flatMap(({ name, line, normal }: Element) => {
      const turned = line.map(turn);
      const facesRight = turn(normal)[0] > 0;
      const [isLeft, isRight] = [input.left.includes(name), input.right.includes(name)];
      const held = [isLeft ? "by_left" : "", isRight ? "by_right" : ""].join(" ").trim();
      const path = s(
        "path",
        { class: `pick ${held}`, d: d([turned], ""), "data-element": name },
        s("title", {}, texts.part.element(name, isLeft, isRight)),
      );
      path.addEventListener("click", () => this.onPick(name, facesRight));
      if (labelled.has(name) || labelled.size >= MOST_LABELS) return [path];
      labelled.add(name);
      const [x, y] = turned[Math.floor(turned.length / 2)];
      const [x2, y2] = turned[Math.floor((turned.length - 1) / 2)];
      const out = turn(normal);
      const label = s(
        "text",
        {
          class: `label ${held}`,
          x: to.x((x + x2) / 2) + 7 * out[0],
          y: to.y((y + y2) / 2) - 9 * out[1] + 4,
          "text-anchor": out[0] > 0.5 ? "start" : out[0] < -0.5 ? "end" : "middle",
        },
        name,
      );
      return [path, label];
    });
  }

  private scaleBar(px: number, height: number): SVGElement {
    const step = 10 ** Math.floor(Math.log10(80 / px));
    const mm = [5, 2, 1].map((m) => m * step).find((length) => length * px <= 80) ?? step;
    const y = Math.min(height - 6, height);
    return s(
      "g",
      { class: "scale_bar" },
      s("path", { d: `M6,${y - 4}v4H${6 + mm * px}v-4` }),
      s("text", { x: 6 + mm * px + 5, y }, `${short(mm)} mm`),
    );
  }
}
