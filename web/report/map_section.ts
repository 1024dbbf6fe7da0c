// The map with its layers: hover or arrow to a cell, click or Enter to open its trials.

import { angleText, cellNumbers, cellPlace, layerNumbers } from "./cell_text";
import { choice, slider } from "./controls";
import { colourBar } from "./colour_bar";
import { byId, h, onWidth } from "./dom";
import { cellCenter, cellIndex, cellNumber } from "./grid";
import { centerOf, HeatMap } from "./heat_map";
import { Histogram } from "./histogram";
import { errorControls, frictionControls } from "./layer_controls";
import type { Layers } from "./layers";
import { reasonLegend } from "./reasons";
import type { ReportData } from "./report_data";
import type { Store } from "./state";

export class MapSection {
  private readonly plot = h("div", {
    class: "plot",
    tabindex: 0,
    role: "application",
    "aria-label": "Map of the placements. Arrow keys move to a cell, Enter plays its first trial.",
    "aria-describedby": "readout",
  });
  private readonly bar = h("div", { class: "bar_place" });
  private readonly readout = h("p", { id: "readout", class: "readout", "aria-live": "polite" });
  private readonly whatIf = h("div", {});
  private map: HeatMap | null = null;
  private isThreeD = false;
  private gripper: [number, number] | null = null;
  /** What Enter on a cell does besides choosing it. */
  onEnter: (cell: number) => void = () => undefined;

  constructor(
    private readonly report: ReportData,
    private readonly layers: Layers,
    private readonly store: Store,
  ) {}

  /** Builds the section's left half. */
  build(): HTMLElement {
    const { facts } = this.report;
    const layerButtons = choice(
      "What the map shows",
      this.layers.list.map(({ id, name }) => ({ id, name })),
      this.store.state.layer,
      (layer) => this.store.set({ layer }),
    );
    const views = choice("View", [{ id: "flat", name: "Map" }, { id: "bars", name: "3-D" }], "flat",
      (id) => {
        this.isThreeD = id === "bars";
        this.draw();
      });
    views.element.classList.add("views");
    const head = h("div", { class: "toolbar" }, layerButtons.element, views.element);
    const parts: (Node | null)[] = [head, this.whatIf];
    if (facts.axes.theta_rad.cells > 1) parts.push(this.sliceSlider());
    parts.push(this.plot, this.bar, this.readout, this.legend());
    this.listen();
    this.store.on(["layer"], () => this.showControls());
    this.store.on(["layer", "slice"], () => this.draw());
    this.store.on(["cell", "hover", "layer", "slice"], () => this.tell());
    return h("div", { class: "map_pane" }, ...parts);
  }

  private legend(): HTMLElement {
    const { sweet_spot, plateau_probability } = this.report.facts;
    const words = [`Thin border: cells of ${100 * plateau_probability} % or more.`];
    if (sweet_spot.found) {
      const square = `Dot: the sweet spot, with its square of \u00b1${sweet_spot.half_width_mm} mm.`;
      words.push(sweet_spot.half_width_mm > 0 ? square : "Dot: where to put the gripper.");
    }
    words.push("Lines: the part, and the open fingers at the cell that you point at, or the answer.",
      "Hatched: nothing known.");
    return h("p", { class: "hint" }, words.join(" "));
  }

  private sliceSlider(): HTMLElement {
    const { theta_rad } = this.report.facts.axes;
    const control = slider({ label: "angle of the part", name: "slice", min: 0,
      max: theta_rad.cells - 1, step: 1, value: this.store.state.slice,
      text: (k) => angleText(cellCenter(theta_rad, k)),
      changed: (slice) => {
        const { cell } = this.store.state;
        const { axes } = this.report.facts;
        const perSlice = axes.x_mm.cells * axes.y_mm.cells;
        this.store.set({ slice, hover: -1, cell: cell < 0 ? -1 : slice * perSlice + (cell % perSlice) });
      } });
    this.store.on(["slice"], ({ slice }) => control.set(slice));
    return h("div", { class: "controls" }, control.element);
  }

  private showControls(): void {
    const { layer } = this.store.state;
    const changed = () => {
      this.draw();
      this.tell();
    };
    this.whatIf.replaceChildren();
    if (layer === "expected") this.whatIf.append(errorControls(this.report, this.layers, changed));
    if (layer === "friction") this.whatIf.append(frictionControls(this.report, this.layers, changed));
  }

  private cellsPerSlice(): number {
    const { axes } = this.report.facts;
    return axes.x_mm.cells * axes.y_mm.cells;
  }

  draw(): void {
    const { facts } = this.report;
    const { layer: id, slice } = this.store.state;
    const layer = this.layers.get(id);
    const all = Array.from(layer.values(slice));
    const first = slice * this.cellsPerSlice();
    const values = all.slice(first, first + this.cellsPerSlice());
    const scale = layer.scale(all);
    const width = Math.max(Math.min(this.plot.clientWidth || 560, 640), 240);
    const label = `${layer.bar} over the placement`;
    const { reasons } = this.report;
    this.bar.replaceChildren(scale.unit === "class" && reasons ? reasonLegend(reasons)
      : colourBar(scale, layer.bar, width));
    if (this.isThreeD) {
      this.map = null;
      this.plot.replaceChildren(new Histogram(facts.axes, values, scale, width, label).canvas);
      return;
    }
    const spot = facts.sweet_spot;
    const shows = layer.marksPlateau;
    this.map = new HeatMap({
      axes: facts.axes,
      values,
      scale,
      inPlateau: shows ? (n) => values[n] >= facts.plateau_probability : null,
      spot: id === "success" && spot.found && spot.cell_theta === slice ? spot : null,
      facts,
      theta: cellCenter(facts.axes.theta_rad, slice),
      width,
      label,
    });
    this.plot.replaceChildren(this.map.svg);
    this.mark();
  }

  private mark(): void {
    const { cell, hover } = this.store.state;
    const inSlice = (n: number) => (n < 0 ? -1 : n % this.cellsPerSlice());
    this.map?.mark(inSlice(cell), inSlice(hover));
    const shown = inSlice(hover >= 0 ? hover : cell);
    const { axes, sweet_spot: spot } = this.report.facts;
    this.map?.showFingers(shown >= 0 ? centerOf(axes, shown)
      : spot.found ? [spot.x_mm, spot.y_mm] : null);
    this.map?.markGripper(this.gripper);
  }

  /** Shows where the live gripper is. */
  showGripper(at: [number, number] | null): void {
    this.gripper = at;
    this.map?.markGripper(at);
  }

  private tell(): void {
    this.mark();
    const { cell, hover, layer } = this.store.state;
    const shown = hover >= 0 ? hover : cell;
    if (shown < 0) {
      this.readout.replaceChildren(h("span", { class: "to_do" }, "Point at a cell, or move with the arrow keys."));
      return;
    }
    this.readout.setAttribute("data-cell", String(shown));
    this.readout.replaceChildren(
      h("span", { class: "place" }, `${cellPlace(this.report, shown)}: `),
      ...cellNumbers(this.report, shown),
      ". ",
      ...layerNumbers(this.layers, layer, shown),
    );
  }

  private listen(): void {
    const cellAt = (event: MouseEvent): number => {
      const n = this.map?.cellOf(event) ?? -1;
      return n < 0 ? -1 : this.store.state.slice * this.cellsPerSlice() + n;
    };
    this.plot.addEventListener("pointermove", (event) => this.store.set({ hover: cellAt(event) }));
    this.plot.addEventListener("pointerleave", () => this.store.set({ hover: -1 }));
    this.plot.addEventListener("click", (event) => {
      const cell = cellAt(event);
      if (cell >= 0) this.store.set({ cell, trial: -1 });
    });
    this.plot.addEventListener("keydown", (event) => this.key(event));
    onWidth(this.plot, () => this.draw());
  }

  private key(event: KeyboardEvent): void {
    if (this.isThreeD) return;
    const { axes } = this.report.facts;
    const { cell, slice } = this.store.state;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (cell >= 0) this.onEnter(cell);
      return;
    }
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const from = cell >= 0 ? cellIndex(axes, cell) : this.start(slice);
    const move = (n: number, by: number, cells: number) => Math.min(Math.max(n + by, 0), cells - 1);
    const i = cell >= 0 ? move(from.i, step[0], axes.x_mm.cells) : from.i;
    const j = cell >= 0 ? move(from.j, step[1], axes.y_mm.cells) : from.j;
    this.store.set({ cell: cellNumber(axes, i, j, slice), hover: -1, trial: -1 });
  }

  private start(slice: number) {
    const { axes } = this.report.facts;
    return { i: Math.floor(axes.x_mm.cells / 2), j: Math.floor(axes.y_mm.cells / 2), k: slice };
  }
}

export function showMapSection(left: HTMLElement, right: HTMLElement): void {
  const section = byId("map-section");
  section.replaceChildren(
    h("h2", { id: "map-title" }, "Where the grasp succeeds"),
    h("div", { class: "columns" }, left, right),
  );
  section.hidden = false;
}
