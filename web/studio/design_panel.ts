// The design search: which numbers may change, how far, and what comes of it.

import type { Decision } from "../package/src/engine";
import type { Pool } from "../package/src/pool";
import { button } from "../report/controls";
import { h } from "../report/dom";
import { short } from "../report/format";
import { FINGER_FIELDS, GRIPPER_FIELDS, type NumberField } from "./fields";
import { download } from "./exports";
import { texts } from "./texts";
import { tomlText, valueAt } from "./toml";

const t = texts.design;
const EFFORTS: Record<string, Record<string, number>> = {
  quick: { designs: 16, generations: 2, "most-trials": 128, trials: 500 },
  usual: { designs: 32, generations: 3, "most-trials": 512, trials: 2000 },
  thorough: { designs: 128, generations: 4, "most-trials": 1024, trials: 4000 },
};

interface Row {
  field: NumberField;
  box: HTMLInputElement;
  low: HTMLInputElement;
  high: HTMLInputElement;
}

export class DesignPanel {
  readonly element = h("section", { class: "panel design", "aria-label": t.title });
  private readonly table = h("div", {});
  private readonly log = h("p", { class: "hint", id: "design-log", "aria-live": "polite" });
  private readonly result = h("div", {});
  private readonly effort = h(
    "select",
    { "aria-label": t.effort },
    ...Object.keys(EFFORTS).map((id) => h("option", { value: id }, t.efforts[id])),
  );
  private readonly startButton = button(t.improve, () => void this.search());
  private readonly stopButton = button(t.stop, () => this.abort?.abort());
  private rows: Row[] = [];
  private keys = "";
  private abort: AbortController | null = null;

  /** `present`: the configuration as it is; `use`: takes the best design. */
  constructor(
    private readonly pool: Pool,
    private readonly present: () => { toml: string; changes: string[] },
    private readonly use: (changes: [string, string][]) => void,
  ) {
    this.startButton.id = "improve";
    this.stopButton.hidden = true;
    this.element.append(
      h(
        "details",
        {},
        h("summary", {}, t.title),
        h("p", { class: "hint" }, t.hint),
        this.table,
        h("div", { class: "choice" }, this.effort, this.startButton, this.stopButton),
        this.log,
        this.result,
      ),
    );
  }

  /** The numbers that the design has now. */
  show(document: Record<string, any>): void {
    const fields = [...GRIPPER_FIELDS, ...FINGER_FIELDS].filter(
      ({ key }) => typeof valueAt(document, key) === "number",
    );
    const keys = fields.map(({ key }) => key).join();
    if (keys === this.keys) return;
    this.keys = keys;
    this.rows = fields.map((field) => this.row(field, valueAt(document, field.key) * (field.scale ?? 1)));
    this.table.replaceChildren(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...[t.may, t.from, t.to].map((name) => h("th", { scope: "col" }, name)))),
        h(
          "tbody",
          {},
          ...this.rows.map(({ field, box, low, high }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, h("label", {}, box, ` ${field.label}`)),
              h("td", {}, low),
              h("td", {}, high, ` ${field.unit}`),
            ),
          ),
        ),
      ),
    );
  }

  private row(field: NumberField, value: number): Row {
    const end = (text: string, label: string) =>
      h("input", { type: "number", step: "any", value: text, "aria-label": `${field.label}, ${label}` });
    // From half to twice, as far as the slider goes.
    const spread = Math.max(Math.abs(value), 2 * field.step);
    const low = Math.max(value - spread / 2, Math.min(field.min, value));
    const high = Math.min(value + spread, Math.max(field.max, value));
    return {
      field,
      box: h("input", { type: "checkbox", "data-vary": field.key }),
      low: end(short(low), t.from),
      high: end(short(high), t.to),
    };
  }

  /** The table [design] of what is ticked. */
  private space(): string | null {
    const variable = this.rows
      .filter(({ box }) => box.checked)
      .map(({ field, low, high }) => {
        const scale = field.scale ?? 1;
        return { key: field.key, min: Number(low.value) / scale, max: Number(high.value) / scale };
      });
    return variable.length > 0 ? tomlText({ variable }) : null;
  }

  private async search(): Promise<void> {
    const space = this.space();
    this.result.replaceChildren();
    if (!space) {
      this.log.textContent = t.tickOne;
      return;
    }
    this.abort = new AbortController();
    this.startButton.disabled = true;
    this.stopButton.hidden = false;
    this.log.textContent = t.begins;
    try {
      const { toml, changes } = this.present();
      const others = changes.filter((line) => !/^design[.=]/.test(line));
      const decision = await this.pool.search("design", toml, EFFORTS[this.effort.value], {
        changes: [...others, `design=${space}`],
        signal: this.abort.signal,
        onLine: (line) => (this.log.textContent = line),
      });
      this.tell(decision);
    } catch (error) {
      this.log.textContent = (error as Error).name === "AbortError" ? t.stopped : (error as Error).message;
    } finally {
      this.startButton.disabled = false;
      this.stopButton.hidden = true;
    }
  }

  private tell({ text, files }: Decision): void {
    const { designs } = JSON.parse(files["design.json"]) as { designs: { words: string; set: string[] }[] };
    const best = designs[0];
    const pairs = (best?.set ?? []).map((line): [string, string] => [
      line.slice(0, line.indexOf("=")),
      line.slice(line.indexOf("=") + 1),
    ]);
    this.log.textContent = t.found(best?.words ?? "");
    const drawings = Object.keys(files).filter((name) => /\.(dxf|svg|toml)$/.test(name));
    this.result.replaceChildren(
      h(
        "div",
        { class: "choice" },
        button(t.use, () => this.use(pairs)),
        ...drawings.map((name) => button(name, () => download(name, files[name], "text/plain"))),
      ),
      h("pre", { id: "design-text", tabindex: 0 }, text),
    );
  }
}
