// The live map: success, the difference to a pinned design, or the main reason of failure; cells by pointer or keys.

import { cellNumbers, cellPlace } from "../report/cell_text";
import { colourBar } from "../report/colour_bar";
import { choice, slider } from "../report/controls";
import { h, onWidth } from "../report/dom";
import { degrees, short } from "../report/format";
import { cellCenter, cellIndex, cellNumber, isFixed } from "../report/grid";
import { centerOf, HeatMap } from "../report/heat_map";
import { type Reasons, reasonLegend, reasonTable } from "../report/reasons";
import { layerValues } from "./map_layers";
import type { Shown } from "./run";
import { texts } from "./texts";

const t = texts.map;
const MOST_WIDTH = 900;

/** What the plan says of the best placement. */
export interface Best {
  x_mm: number;
  y_mm: number;
  half_width_mm?: number;
  asGood: { x_mm: [number, number]; y_mm: [number, number] } | null;
}

export class MapPanel {
  readonly element = h("section", { class: "map_panel", "aria-label": t.title });
  private readonly plot = h("div", {
    class: "plot",
    id: "map",
    tabindex: 0,
    role: "application",
    "aria-label": t.keys,
    "aria-describedby": "readout",
  });
  private readonly bar = h("div", { class: "bar_place" });
  private readonly readout = h("p", { id: "readout", class: "readout", "aria-live": "polite" });
  private readonly statement = h("p", { class: "answer", id: "difference", "aria-live": "polite" });
  private readonly slice = h("div", {});
  private readonly layers = choice(
    t.layers,
    [
      { id: "success", name: t.success },
      { id: "difference", name: t.difference },
      { id: "reasons", name: t.reasons },
    ],
    "success",
    (id) => this.setLayer(id),
  );
  private readonly views = choice(
    t.views,
    [
      { id: "cells", name: t.viewCells },
      { id: "part", name: t.viewPart },
    ],
    "cells",
    (id) => {
      this.showsPart = id === "part";
      this.draw();
    },
  );
  private showsPart = false;
  private map: HeatMap | null = null;
  private shown: Shown | null = null;
  private best: Best | null = null;
  private reasons: Reasons | null = null;
  private pinned = ""; // the name of the pinned design; "": none
  private layer = "success";
  private sliceNow = 0;
  private cell = -1; // in the slice
  private hover = -1;
  /** A place is pointed at, or a cell chosen. */
  onPoint: (at: [number, number], theta: number) => void = () => undefined;
  onChoose: (cell: number) => void = () => undefined;
  /** Reasons are asked for when they are looked at. */
  onReasons: () => void = () => undefined;

  constructor() {
    this.element.append(
      h("div", { class: "toolbar" }, this.layers.element, this.views.element),
      this.slice,
      this.plot,
      this.bar,
      this.statement,
      this.readout,
    );
    this.listen();
    this.mayShow("difference", false);
    onWidth(this.plot, () => this.draw());
  }

  private mayShow(layer: string, may: boolean): void {
    const button = this.layers.element.querySelector<HTMLButtonElement>(`[data-choice="${layer}"]`);
    if (button) button.disabled = !may;
  }

  private setLayer(id: string): void {
    this.layer = id;
    this.layers.set(id);
    if (id === "reasons" && !this.reasons) this.onReasons();
    this.draw();
  }

  pin(label: string): void {
    this.pinned = label;
    this.mayShow("difference", this.isPinned);
    this.setLayer(this.isPinned ? "difference" : "success");
  }

  get isPinned(): boolean {
    return this.pinned !== "";
  }

  /** The middle of a cell, of any slice. */
  centreOf(cell: number): [number, number] {
    return centerOf(this.shown!.facts.axes, cell % this.perSlice);
  }

  /** A map by now; the marks of an older one go. */
  show(shown: Shown): void {
    const isOther = this.shown?.facts !== shown.facts;
    this.shown = shown;
    if (isOther) {
      this.best = null;
      this.reasons = null;
      const { theta_rad } = shown.facts.axes;
      this.sliceNow = Math.min(this.sliceNow, theta_rad.cells - 1);
      if (this.cell >= this.perSlice) this.cell = -1;
      this.buildSlice();
      if (this.layer === "reasons") this.setLayer("success");
    }
    this.draw();
  }

  showBest(best: Best | null): void {
    this.best = best;
    this.draw();
  }

  showReasons(reasons: Reasons | null): void {
    this.reasons = reasons;
    this.draw();
  }

  private get perSlice(): number {
    const axes = this.shown?.facts.axes;
    return axes ? axes.x_mm.cells * axes.y_mm.cells : 0;
  }

  get theta(): number {
    return this.shown ? cellCenter(this.shown.facts.axes.theta_rad, this.sliceNow) : 0;
  }

  private buildSlice(): void {
    const { theta_rad } = this.shown!.facts.axes;
    if (theta_rad.cells === 1) return this.slice.replaceChildren();
    this.slice.replaceChildren(
      slider({
        label: t.slice,
        name: "slice",
        min: 0,
        max: theta_rad.cells - 1,
        step: 1,
        value: this.sliceNow,
        text: (k) => degrees(cellCenter(theta_rad, k)),
        changed: (k) => {
          this.sliceNow = k;
          this.draw();
        },
      }).element,
    );
  }

  draw(): void {
    if (!this.shown || this.plot.clientWidth < 40) return;
    const { facts } = this.shown;
    const { values, scale, name } = layerValues(this.layer, this.shown, this.reasons);
    const first = this.sliceNow * this.perSlice;
    const inSlice = values.slice(first, first + this.perSlice);
    const width = Math.max(Math.min(this.plot.clientWidth, MOST_WIDTH), 240);
    const { x_mm, y_mm } = facts.axes;
    // The cells and a margin, whatever the answer is: pictures do not jump.
    const margin = 0.3 * Math.min(x_mm.max - x_mm.min, y_mm.max - y_mm.min);
    const around = ({ min, max }: { min: number; max: number }): [number, number] => [min - margin, max + margin];
    this.map = new HeatMap({
      axes: facts.axes,
      values: inSlice,
      scale,
      theta: this.theta,
      width,
      facts: {
        ...facts,
        sweet_spot: {
          ...facts.sweet_spot,
          found: true,
          x_mm: (x_mm.min + x_mm.max) / 2,
          y_mm: (y_mm.min + y_mm.max) / 2,
        },
      },
      shown: this.showsPart ? undefined : { x: around(x_mm), y: around(y_mm) },
      inPlateau: this.layer === "success" ? (n) => inSlice[n] >= facts.plateau_probability : null,
      spot:
        this.best && this.layer !== "reasons"
          ? { x_mm: this.best.x_mm, y_mm: this.best.y_mm, half_width_mm: this.best.half_width_mm ?? 0 }
          : null,
      asGood: this.layer === "success" ? (this.best?.asGood ?? null) : null,
      mostHeight: Math.min(Math.max(innerHeight - 400, 360), 900),
      label: t.label(name),
    });
    this.plot.replaceChildren(this.map.svg);
    this.bar.replaceChildren(
      scale.unit === "class" && this.reasons ? reasonLegend(this.reasons) : colourBar(scale, name, width),
    );
    const { difference } = this.shown;
    const isCompared = this.layer === "difference" && this.isPinned && difference !== null;
    this.statement.textContent = isCompared ? t.statement(difference, this.pinned) : "";
    this.mark();
  }

  private mark(): void {
    const at = this.hover >= 0 ? this.hover : this.cell;
    this.map?.mark(this.cell, this.hover);
    if (!this.shown) return;
    const { axes } = this.shown.facts;
    this.map?.showFingers(at >= 0 ? centerOf(axes, at) : this.best ? [this.best.x_mm, this.best.y_mm] : null);
    this.tell(at);
  }

  private tell(inSlice: number): void {
    const cell = inSlice < 0 ? -1 : this.sliceNow * this.perSlice + inSlice;
    if (!this.shown || cell < 0 || !this.shown.cells[cell]) {
      this.readout.textContent = t.pointAtCell;
      return;
    }
    const table =
      this.layer === "reasons" && this.reasons
        ? reasonTable(this.reasons, this.reasons.cells[cell] ?? [], t.reasonsOf)
        : null;
    this.readout.dataset.cell = String(cell);
    this.readout.replaceChildren(
      h("span", { class: "place" }, `${cellPlace(this.shown, cell)}: `),
      ...cellNumbers(this.shown, cell),
      ".",
      table ?? "",
    );
  }

  private listen(): void {
    this.plot.addEventListener("pointermove", (event) => {
      const cell = this.map?.cellOf(event) ?? -1;
      if (cell < 0) return this.leave();
      this.hover = cell;
      this.mark();
      if (this.map) this.onPoint(this.map.mmOf(event), this.theta);
    });
    this.plot.addEventListener("pointerleave", () => this.leave());
    this.plot.addEventListener("click", (event) => {
      const cell = this.map?.cellOf(event) ?? -1;
      if (cell >= 0) this.choose(cell);
    });
    this.plot.addEventListener("keydown", (event) => this.key(event));
  }

  private leave(): void {
    if (this.hover < 0) return;
    this.hover = -1;
    this.mark();
  }

  private choose(cell: number): void {
    this.cell = cell;
    this.hover = -1;
    this.mark();
    this.onChoose(this.sliceNow * this.perSlice + cell);
  }

  private key(event: KeyboardEvent): void {
    if (!this.shown) return;
    const { axes } = this.shown.facts;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    if ((event.key === "Enter" || event.key === " ") && this.cell >= 0) {
      event.preventDefault();
      return this.choose(this.cell);
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const middle = cellNumber(axes, Math.floor(axes.x_mm.cells / 2), Math.floor(axes.y_mm.cells / 2), 0);
    const { i, j } = cellIndex(axes, this.cell >= 0 ? this.cell : middle);
    const move = (n: number, by: number, cells: number): number => Math.min(Math.max(n + by, 0), cells - 1);
    const by = this.cell >= 0 ? step : [0, 0];
    this.cell = cellNumber(axes, move(i, by[0], axes.x_mm.cells), move(j, by[1], axes.y_mm.cells), 0);
    this.hover = -1;
    this.mark();
    this.onPoint(centerOf(axes, this.cell), this.theta);
  }

  /** The picture, for a file. */
  get picture(): { svg: SVGSVGElement; bar: SVGSVGElement | null } | null {
    return this.map && { svg: this.map.svg, bar: this.bar.querySelector("svg") };
  }

  /** "x 5.9 mm, y -21.7 mm", and the angle where the map has several. */
  placeText(at: [number, number], theta: number): string {
    const angle = this.shown && !isFixed(this.shown.facts.axes.theta_rad) ? `, ${degrees(theta)}` : "";
    return `x ${short(at[0], 2)} mm, y ${short(at[1], 2)} mm${angle}`;
  }
}
