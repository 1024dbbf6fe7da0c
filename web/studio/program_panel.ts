// The phases of a program as a strip: reorder, change, add, take away.

import { h } from "../report/dom";
import { short } from "../report/format";
import { keepFocus } from "./focus";
import { texts } from "./texts";
import { tomlText, type Value } from "./toml";

type Phase = Record<string, any>;

const t = texts.program;

/** What a new phase has, and the numbers that can be changed. */
const KINDS: Record<
  string,
  { first: Phase; numbers: { key: string; index?: number; label: string; unit: string; scale?: number }[] }
> = {
  close: { first: { do: "close" }, numbers: [] },
  open: { first: { do: "open" }, numbers: [] },
  move: {
    first: { do: "move", by_mm: [0, 10], speed_mm_s: 50 },
    numbers: [
      { key: "by_mm", index: 0, label: "x", unit: "mm" },
      { key: "by_mm", index: 1, label: "y", unit: "mm" },
      { key: "speed_mm_s", label: t.speed, unit: "mm/s" },
    ],
  },
  turn: {
    first: { do: "turn", by_rad: 0.5, speed_rad_s: 2 },
    numbers: [
      { key: "by_rad", label: t.by, unit: "\u00b0", scale: 180 / Math.PI },
      { key: "speed_rad_s", label: t.speed, unit: "\u00b0/s", scale: 180 / Math.PI },
    ],
  },
  wait: { first: { do: "wait", time_s: 0.1 }, numbers: [{ key: "time_s", label: t.time, unit: "s" }] },
};

export class ProgramPanel {
  readonly element = h("div", { class: "program" });
  private phases: Phase[] = [];
  private shown = "";

  constructor(private readonly change: (key: string, value: string) => void) {}

  show(document: Record<string, any>): void {
    const text = JSON.stringify(document.program ?? null);
    if (text === this.shown) return;
    this.shown = text;
    this.phases = JSON.parse(text) ?? [{ do: "close" }];
    keepFocus(this.element, () => this.draw());
  }

  private tell(phases: Phase[]): void {
    const isPlain = phases.length === 1 && phases[0].do === "close" && phases[0].timeout_s === undefined;
    this.change("program", isPlain ? "" : tomlText(phases as Value));
  }

  private move(from: number, to: number): void {
    if (to < 0 || to >= this.phases.length || from === to) return;
    const phases = [...this.phases];
    phases.splice(to, 0, ...phases.splice(from, 1));
    this.tell(phases);
  }

  private draw(): void {
    const add: HTMLSelectElement = h(
      "select",
      {
        "aria-label": t.add,
        "data-name": "program.add",
        change: () => {
          if (add.value) this.tell([...this.phases, KINDS[add.value].first]);
        },
      },
      h("option", { value: "" }, t.add),
      ...Object.keys(KINDS).map((kind) => h("option", { value: kind }, t.kinds[kind])),
    );
    this.element.replaceChildren(
      h("p", { class: "hint" }, t.hint),
      h("ol", { class: "strip" }, ...this.phases.map((phase, k) => this.phase(phase, k))),
      add,
    );
  }

  private phase(phase: Phase, k: number): HTMLElement {
    const tool = (name: string, title: string, may: boolean, clicked: () => void) =>
      h(
        "button",
        { type: "button", class: "small", title, "aria-label": `${title}: ${k + 1}`, disabled: !may, click: clicked },
        name,
      );
    const many = this.phases.length > 1;
    const item = h(
      "li",
      { draggable: many ? "true" : "false", "data-phase": phase.do },
      h(
        "div",
        { class: "phase_head" },
        h("strong", {}, `${k + 1} ${t.kinds[phase.do] ?? phase.do}`),
        h(
          "span",
          {},
          tool("\u2191", t.earlier, k > 0, () => this.move(k, k - 1)),
          tool("\u2193", t.later, k + 1 < this.phases.length, () => this.move(k, k + 1)),
          tool("\u00d7", t.remove, many, () => this.tell(this.phases.filter((_, n) => n !== k))),
        ),
      ),
      h("div", { class: "phase_numbers" }, ...this.numbers(phase, k)),
    );
    item.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", `phase ${k}`));
    item.addEventListener("dragover", (event) => event.preventDefault());
    item.addEventListener("drop", (event) => {
      const from = /^phase (\d+)$/.exec(event.dataTransfer?.getData("text/plain") ?? "");
      if (!from) return;
      event.preventDefault();
      event.stopPropagation();
      this.move(Number(from[1]), k);
    });
    return item;
  }

  private numbers(phase: Phase, k: number): HTMLElement[] {
    return (KINDS[phase.do]?.numbers ?? [])
      .filter(({ key }) => phase[key] !== undefined)
      .map(({ key, index, label, unit, scale = 1 }) => {
        const now = index === undefined ? phase[key] : phase[key][index];
        const input: HTMLInputElement = h("input", {
          type: "number",
          step: "any",
          value: short(now * scale),
          "aria-label": `${t.kinds[phase.do]} ${k + 1}, ${label}`,
          change: () => {
            const value = Number(input.value) / scale;
            if (input.value === "" || !Number.isFinite(value)) return;
            const next =
              index === undefined ? value : phase[key].map((one: number, n: number) => (n === index ? value : one));
            this.tell(this.phases.map((one, n) => (n === k ? { ...one, [key]: next } : one)));
          },
        });
        return h("label", {}, `${label} `, input, ` ${unit}`);
      });
  }
}
