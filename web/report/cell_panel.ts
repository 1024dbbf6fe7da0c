// The trials of a cell, as dots and as a list.

import { cellNumbers, cellPlace } from "./cell_text";
import { choice } from "./controls";
import { OUTCOME_MARKS } from "./colours";
import { h, s } from "./dom";
import { short, whole } from "./format";
import { cellIndex, cellMax, cellMin } from "./grid";
import type { Drawn } from "../package/src/engine";
import { reasonTable } from "./reasons";
import type { ReportData } from "./report_data";
import type { Simulator } from "./simulator";
import type { Store } from "./state";
import { ticks } from "./axis_ticks";

const MOST_DOTS = 1500;
const ROWS_AT_ONCE = 60;
const SIZE = { width: 300, height: 250, left: 44, right: 10, top: 10, bottom: 36 };

interface Span {
  low: number;
  high: number;
  name: string;
}

interface Column {
  name: string;
  of: (drawn: Drawn) => number;
}

const DRAWN_COLUMNS: Column[] = [
  { name: "x", of: (drawn) => drawn.x_mm },
  { name: "y", of: (drawn) => drawn.y_mm },
  { name: "theta", of: (drawn) => drawn.theta_rad },
  { name: "jaws", of: (drawn) => drawn.mu_jaw },
  { name: "table", of: (drawn) => drawn.mu_support },
];

export class CellPanel {
  readonly element = h("div", { class: "panel cell_panel" });
  private axes: "placement" | "friction" = "placement";
  private rowsShown = ROWS_AT_ONCE;
  private only = -1; // the outcome that is listed; -1: all

  constructor(
    private readonly report: ReportData,
    private readonly store: Store,
    private readonly simulator: Simulator,
  ) {
    store.on(["cell"], () => {
      this.rowsShown = ROWS_AT_ONCE;
      this.only = -1;
      this.draw();
    });
    store.on(["trial"], ({ trial }) => this.markTrial(trial));
  }

  private rows(): number[] {
    const all = this.report.trials.ofCell[this.store.state.cell] ?? [];
    return this.only < 0 ? all : all.filter((row) => this.report.trials.outcome[row] === this.only);
  }

  private draw(): void {
    const { cell, trial } = this.store.state;
    if (cell < 0) {
      this.element.replaceChildren(
        h("h3", {}, "A cell"),
        h("p", { class: "hint to_do" }, "Click a cell of the map, or choose one with the arrow keys: its trials come here."),
      );
      const ofRun = this.reasons(null);
      if (ofRun) this.element.append(ofRun);
      return;
    }
    const inPage = this.report.trials.ofCell[cell].length;
    const stored = this.report.cells[cell].trials;
    this.element.replaceChildren(
      h("h3", {}, `Cell ${cellPlace(this.report, cell)}`),
      h("p", {}, ...cellNumbers(this.report, cell), "."),
      ...(inPage < stored
        ? [h("p", { class: "notice" }, `${whole(inPage)} of ${whole(stored)} trials are in this page, the first ones of the cell.`)]
        : []),
    );
    const reasons = this.reasons(cell);
    if (reasons) this.element.append(reasons);
    if (inPage === 0) return;
    this.element.append(this.filter());
    if (this.simulator.works) this.element.append(this.axisChoice(), this.dots());
    this.element.append(this.list());
    this.markTrial(trial);
  }

  /** Why grasps of a cell, or of the run, are no success. */
  private reasons(cell: number | null): HTMLElement | null {
    const { reasons } = this.report;
    if (!reasons) return null;
    const of = cell === null ? "the run" : "this cell";
    return reasonTable(reasons, cell === null ? reasons.share : reasons.cells[cell],
      `Why grasps of ${of} are no success (share of those; one may have several reasons)`);
  }

  private redraw(): void {
    this.draw();
  }

  /** The outcomes of these trials, to list one of them only. */
  private filter(): HTMLElement {
    const { outcomes } = this.report.facts;
    const counts = outcomes.map(() => 0);
    for (const row of this.report.trials.ofCell[this.store.state.cell]) {
      counts[this.report.trials.outcome[row]] += 1;
    }
    const button = (outcome: number, name: string, count: number): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          class: "outcome",
          "aria-pressed": String(this.only === outcome),
          click: () => {
            this.only = outcome;
            this.rowsShown = ROWS_AT_ONCE;
            this.redraw();
          },
        },
        outcome < 0 ? null : outcomeMark(outcome),
        `${name} ${whole(count)}`,
      );
    const all = counts.reduce((a, b) => a + b, 0);
    const parts = outcomes
      .map((name, k) => (counts[k] > 0 ? button(k, name, counts[k]) : null))
      .filter((part) => part !== null) as HTMLElement[];
    if (parts.length > 1) parts.unshift(button(-1, "all", all));
    return h("div", { class: "choice", role: "group", "aria-label": "Outcomes" }, ...parts);
  }

  private axisChoice(): HTMLElement {
    return choice(
      "Axes of the dots",
      [{ id: "placement", name: "by placement" }, { id: "friction", name: "by friction" }],
      this.axes,
      (id) => {
        this.axes = id as CellPanel["axes"];
        this.redraw();
      },
    ).element;
  }

  private spans(rows: number[]): [Span, Span] {
    const { axes } = this.report.facts;
    if (this.axes === "placement") {
      const { i, j } = cellIndex(axes, this.store.state.cell);
      return [
        { low: cellMin(axes.x_mm, i), high: cellMax(axes.x_mm, i), name: "intended x (mm)" },
        { low: cellMin(axes.y_mm, j), high: cellMax(axes.y_mm, j), name: "intended y (mm)" },
      ];
    }
    const drawn = this.drawn(rows);
    const span = (values: number[], name: string): Span => {
      const low = Math.min(...values);
      const high = Math.max(...values);
      const room = Math.max((high - low) * 0.04, 1e-3);
      return { low: low - room, high: high + room, name };
    };
    return [
      span(drawn.map((d) => d.mu_jaw), "friction at the jaws"),
      span(drawn.map((d) => d.mu_support), "friction on the table"),
    ];
  }

  private dots(): SVGSVGElement {
    const rows = this.rows().slice(0, MOST_DOTS);
    const [across, up] = this.spans(rows);
    const { width, height, left, right, top, bottom } = SIZE;
    const x = (v: number) => left + ((v - across.low) / (across.high - across.low)) * (width - left - right);
    const y = (v: number) => height - bottom - ((v - up.low) / (up.high - up.low)) * (height - top - bottom);
    const svg = s("svg", {
      class: "dots",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `${rows.length} trials of the cell, ${across.name} and ${up.name}; the list below has the same`,
      click: (event) => this.pick(event as MouseEvent),
    });
    svg.append(s("rect", { class: "frame", x: left, y: top, width: width - left - right, height: height - top - bottom }));
    for (const v of ticks(across.low, across.high, 4)) {
      svg.append(s("text", { x: x(v), y: height - bottom + 15, "text-anchor": "middle" }, short(v)));
    }
    for (const v of ticks(up.low, up.high, 4)) {
      svg.append(s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, short(v)));
    }
    const middle = (top + height - bottom) / 2;
    svg.append(
      s("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, across.name),
      s("text", { x: 11, y: middle, "text-anchor": "middle", transform: `rotate(-90 11 ${middle})` }, up.name),
    );
    const drawn = this.drawn(rows);
    for (const [k, row] of rows.entries()) {
      const { intended, mu_jaw, mu_support } = drawn[k];
      const at = this.axes === "placement" ? intended : [mu_jaw, mu_support];
      const outcome = this.report.trials.outcome[row];
      svg.append(
        s("path", {
          class: `mark outcome_${outcome}`,
          d: OUTCOME_MARKS[outcome],
          transform: `translate(${x(at[0]).toFixed(1)},${y(at[1]).toFixed(1)})`,
          "data-row": row,
        }),
      );
    }
    return svg;
  }

  /** The dot nearest to a click, within 12 px. */
  private pick(event: MouseEvent): void {
    let best = -1;
    let nearest = 12;
    for (const mark of this.element.querySelectorAll<SVGPathElement>(".dots .mark")) {
      const box = mark.getBoundingClientRect();
      const distance = Math.hypot(
        event.clientX - box.x - box.width / 2,
        event.clientY - box.y - box.height / 2,
      );
      if (distance < nearest) {
        nearest = distance;
        best = Number(mark.dataset.row);
      }
    }
    if (best >= 0) this.store.set({ trial: best });
  }

  /** What was drawn for trials; nothing where the page does not know it. */
  private drawn(rows: number[]): Drawn[] {
    const drawn = rows.map((row) => this.simulator.drawn(this.report.trials.index[row]));
    return drawn.filter((one): one is Drawn => one !== null);
  }

  /** The columns of what was drawn; the angle's where it differs. */
  private columns(drawn: Drawn[]): Column[] {
    if (drawn.length === 0) return [];
    return DRAWN_COLUMNS.filter(({ name, of }) => name !== "theta" || drawn.some((one) => of(one) !== of(drawn[0])));
  }

  private list(): HTMLElement {
    const rows = this.rows();
    const columns = this.columns(this.drawn(rows));
    const names = ["trial", "outcome", ...columns.map(({ name }) => name)];
    const body = h("tbody", {});
    for (const row of rows.slice(0, this.rowsShown)) body.append(this.listRow(row, columns));
    const what = columns.length > 0 ? ": placement with noise (mm, rad), friction at jaws and table" : "";
    const table = h(
      "table",
      { class: "trials" },
      h("caption", {}, `Trials${what}`),
      h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, h("span", {}, name))))),
      body,
    );
    const box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Trials of the cell" }, table);
    if (rows.length > this.rowsShown) {
      const more = h("button", { type: "button", click: () => {
        const from = this.rowsShown;
        this.rowsShown += 5 * ROWS_AT_ONCE;
        for (const row of rows.slice(from, this.rowsShown)) body.append(this.listRow(row, columns));
        if (this.rowsShown >= rows.length) more.remove();
      } }, "More");
      box.append(more);
    }
    return box;
  }

  private listRow(row: number, columns: Column[]): HTMLTableRowElement {
    const { trials, facts } = this.report;
    const outcome = trials.outcome[row];
    const open = () => this.store.set({ trial: row });
    const [drawn] = this.drawn([row]);
    const film = this.report.films?.has(trials.index[row]) ? "filmed" : "";
    return h(
      "tr",
      { "data-row": row, class: film, click: open },
      h("td", {}, h("button", { type: "button", class: "link" }, String(trials.index[row]))),
      h("td", {}, outcomeMark(outcome), h("span", {}, facts.outcomes[outcome])),
      ...columns.map(({ of }) => h("td", {}, short(of(drawn)))),
    );
  }

  private markTrial(trial: number): void {
    for (const marked of this.element.querySelectorAll(".chosen")) marked.classList.remove("chosen");
    if (trial < 0) return;
    const of = this.element.querySelectorAll(`[data-row="${trial}"]`);
    for (const element of of) element.classList.add("chosen");
    const mark = this.element.querySelector(`.dots [data-row="${trial}"]`);
    if (mark) mark.parentNode?.append(mark);
  }
}

/** The mark of an outcome, beside its word. */
export function outcomeMark(outcome: number): SVGSVGElement {
  return s(
    "svg",
    { class: "outcome_mark", viewBox: "-6 -6 12 12", width: 12, height: 12, "aria-hidden": "true" },
    s("path", { class: `mark outcome_${outcome}`, d: OUTCOME_MARKS[outcome] }),
  );
}
