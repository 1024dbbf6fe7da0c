// The line at the top: undo, redo, pin, views, export.

import type { Pool } from "../package/src/pool";
import { button } from "../report/controls";
import { h } from "../report/dom";
import { download, png } from "./exports";
import type { Decisions, Shown } from "./run";
import { texts } from "./texts";

const t = texts.bar;

export interface ExportInput {
  pool: Pool;
  shown: () => Shown | null;
  decided: () => Decisions | null;
  picture: () => { svg: SVGSVGElement; bar: SVGSVGElement | null } | null;
  problem: (message: string) => void;
}

export interface TopBarInput {
  undo: () => void;
  redo: () => void;
  open: () => void;
  pin: () => void;
  toggle: (panel: "toml" | "keys") => boolean; // whether it is shown now
  exported: ExportInput;
}

export class TopBar {
  readonly elements: HTMLElement[];
  private readonly name = h("span", { class: "design_name", id: "design-name" });
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly pin: HTMLButtonElement;
  private readonly tools: HTMLElement;
  onBack: (() => void) | null = null;

  constructor(private readonly input: TopBarInput) {
    const named = (id: string, one: HTMLButtonElement): HTMLButtonElement => {
      one.id = id;
      return one;
    };
    this.undo = named("undo", button(t.undo, input.undo, t.undoHint));
    this.redo = named("redo", button(t.redo, input.redo, t.redoHint));
    this.pin = named("pin", button(t.pin, input.pin, t.pinHint));
    const toggle = (panel: "toml" | "keys", name: string, hint: string): HTMLButtonElement => {
      const one = named(
        `show-${panel}`,
        button(name, () => one.setAttribute("aria-pressed", String(input.toggle(panel))), hint),
      );
      one.setAttribute("aria-pressed", "false");
      return one;
    };
    const open = named(
      "new",
      button(t.open, () => (this.onBack ? this.back() : input.open()), t.openHint),
    );
    this.tools = h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": texts.name },
      open,
      this.undo,
      this.redo,
      this.pin,
      toggle("toml", t.toml, t.tomlHint),
      toggle("keys", t.keys, t.keysHint),
      this.exportMenu(),
    );
    this.tools.hidden = true;
    this.elements = [h("span", { class: "brand" }, texts.name), this.name, this.tools];
  }

  private back(): void {
    const { onBack } = this;
    this.onBack = null;
    onBack?.();
  }

  private exportMenu(): HTMLElement {
    const menu = h(
      "details",
      { class: "menu", id: "export" },
      h("summary", {}, t.export),
      h(
        "div",
        { class: "menu_list" },
        ...Object.entries(t.exports).map(([id, name]) => {
          const one = button(name, () => {
            menu.open = false;
            this.export(id).catch((error: Error) => this.input.exported.problem(error.message));
          });
          one.dataset.export = id;
          return one;
        }),
      ),
    );
    document.addEventListener("click", (event) => {
      if (!menu.contains(event.target as Node)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") menu.open = false;
    });
    return menu;
  }

  private async export(id: string): Promise<void> {
    const { pool, shown, decided, picture } = this.input.exported;
    const now = shown();
    const name = this.name.textContent || "graspmap";
    if (id === "toml") return download(`${name}.toml`, await pool.ask<string>("part", "config"), "application/toml");
    if (id === "csv" && now) return download(`${name}_map.csv`, now.csv, "text/csv");
    if (id === "finger") return download(`${name}_finger.dxf`, await pool.ask<string>("part", "finger.dxf"), "image/vnd.dxf");
    if (id === "report") return download(`${name}_summary.txt`, await pool.ask<string>("part", "text"), "text/plain");
    if (id === "png") {
      const { svg, bar } = picture() ?? {};
      if (svg) download(`${name}_map.png`, await png(bar ? [svg, bar] : [svg]), "image/png");
      return;
    }
    const decision = id === "plan" ? decided()?.plan : decided()?.pose;
    if (!decision) throw new Error(texts.answer.later);
    download(`${name}_${id}.txt`, decision.text, "text/plain");
  }

  setHistory(canUndo: boolean, canRedo: boolean, name: string): void {
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    this.name.textContent = name;
  }

  setPinned(is: boolean): void {
    this.pin.textContent = is ? t.unpin : t.pin;
    this.pin.setAttribute("aria-pressed", String(is));
  }

  /** The tools are there while a design is. */
  setWorking(isWorking: boolean, hasDesign: boolean): void {
    this.tools.hidden = !hasDesign;
    for (const one of this.tools.querySelectorAll<HTMLElement>(":scope > :not(#new)")) one.hidden = !isWorking;
    const open = this.tools.querySelector("#new") as HTMLButtonElement;
    open.textContent = isWorking ? t.open : t.back;
    if (isWorking) this.onBack = null;
  }
}
