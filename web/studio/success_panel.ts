// What a success is: the elements that fingers must touch, a window of the pose in hand, at rest or not.

import { h } from "../report/dom";
import { short } from "../report/format";
import { partNames } from "./elements";
import { keepFocus } from "./focus";
import { texts } from "./texts";
import { tomlText, type Value } from "./toml";

type Rule = Record<string, any>;
type Side = "left" | "right";

const t = texts.success;
const WINDOWS: { key: string; label: string; unit: string; scale: number; half: number }[] = [
  { key: "x_mm", label: t.x, unit: "mm", scale: 1, half: 2 },
  { key: "y_mm", label: t.y, unit: "mm", scale: 1, half: 2 },
  { key: "theta_rad", label: t.angle, unit: "\u00b0", scale: 180 / Math.PI, half: 0.05 },
];

/** Keys that have no meaning without others are left out. */
function ruleText(rule: Rule): Value {
  const entries = Object.entries(rule).filter(([key, value]) => {
    if (value === null || value === undefined) return false;
    if (Array.isArray(value) && value.length === 0) return false;
    return !(key === "theta_period_rad" && rule.theta_rad === undefined);
  });
  return Object.fromEntries(entries) as Value;
}

export class SuccessPanel {
  readonly element = h("div", { class: "success_panel" });
  private rules: Rule[] = [];
  private chosen = 0;
  private names: string[] = [];
  private shownText = "";

  constructor(private readonly change: (key: string, value: string) => void) {}

  show(document: Record<string, any>, words: string[]): void {
    this.rules = structuredCloneOf(document.success ?? []);
    this.chosen = Math.min(this.chosen, Math.max(this.rules.length - 1, 0));
    this.names = partNames(document);
    const text = JSON.stringify([document.success, this.names]);
    if (text === this.shownText) return;
    this.shownText = text;
    keepFocus(this.element, () => this.draw(words));
  }

  get rule(): Rule {
    return this.rules[this.chosen] ?? {};
  }

  touched(side: Side): string[] {
    return (this.rule[side] as string[] | undefined) ?? [];
  }

  private tell(): void {
    this.change("success", tomlText(this.rules.map(ruleText)));
  }

  private set(key: string, value: Value | undefined): void {
    const rule = this.rules[this.chosen];
    if (!rule) return;
    if (value === undefined) delete rule[key];
    else rule[key] = value;
    this.tell();
  }

  /** A click on an element: the finger that it faces must touch it, or no longer. */
  pick(name: string, facesRight: boolean): void {
    const side: Side = facesRight ? "right" : "left";
    const other: Side = facesRight ? "left" : "right";
    if (this.touched(other).includes(name)) this.toggle(other, name);
    else this.toggle(side, name);
  }

  private toggle(side: Side, name: string): void {
    const touched = this.touched(side);
    this.set(side, touched.includes(name) ? touched.filter((one) => one !== name) : [...touched, name]);
  }

  private draw(words: string[]): void {
    this.element.replaceChildren(
      h("p", { class: "words" }, words.join(" ")),
      ...(this.rules.length > 1 ? [this.tabs(words)] : []),
      this.touchTable(),
      h("h4", {}, t.window),
      ...WINDOWS.map((window) => this.windowRow(window)),
      this.restBox(),
    );
  }

  private tabs(words: string[]): HTMLElement {
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": t.rules },
      ...this.rules.map((_, k) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(k === this.chosen),
            click: () => {
              this.chosen = k;
              this.draw(words);
            },
          },
          t.rule(k + 1),
        ),
      ),
    );
  }

  private touchTable(): HTMLElement {
    if (this.names.length === 0) return h("p", { class: "hint" }, t.noNames);
    const box = (side: Side, name: string): HTMLElement => {
      const input = h("input", {
        type: "checkbox",
        "data-touch": `${side}:${name}`,
        "aria-label": t.touch(side, name),
        change: () => this.toggle(side, name),
      });
      input.checked = this.touched(side).includes(name);
      return h("td", {}, input);
    };
    return h(
      "table",
      { class: "touches" },
      h("caption", {}, t.touchCaption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t.element),
          h("th", { scope: "col" }, t.left),
          h("th", { scope: "col" }, t.right),
        ),
      ),
      h(
        "tbody",
        {},
        ...this.names.map((name) =>
          h("tr", {}, h("th", { scope: "row" }, name), box("left", name), box("right", name)),
        ),
      ),
    );
  }

  private windowRow({ key, label, unit, scale, half }: (typeof WINDOWS)[number]): HTMLElement {
    const range = this.rule[key] as [number, number] | undefined;
    const number = (end: 0 | 1): HTMLInputElement => {
      const input: HTMLInputElement = h("input", {
        type: "number",
        step: "any",
        "data-window": `${key}:${end}`,
        "aria-label": t.end(label, end),
        disabled: !range,
        change: () => {
          const value = Number(input.value) / scale;
          const now = this.rule[key] as [number, number] | undefined;
          if (!now || input.value === "" || !Number.isFinite(value)) return;
          this.set(key, end === 0 ? [value, now[1]] : [now[0], value]);
        },
      });
      if (range) input.value = short(range[end] * scale, 2);
      return input;
    };
    const box: HTMLInputElement = h("input", {
      type: "checkbox",
      "data-window": key,
      "aria-label": label,
      change: () => this.set(key, box.checked ? [-half, half] : undefined),
    });
    box.checked = range !== undefined;
    return h(
      "div",
      { class: "window" },
      h("label", {}, box, ` ${label}`),
      number(0),
      h("span", {}, t.to),
      number(1),
      h("span", { class: "unit" }, unit),
    );
  }

  private restBox(): HTMLElement {
    const box: HTMLInputElement = h("input", {
      type: "checkbox",
      change: () => this.set("at_rest", box.checked ? true : undefined),
    });
    box.checked = this.rule.at_rest === true;
    return h("label", { class: "check" }, box, ` ${t.atRest}`);
  }
}

const structuredCloneOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
