// A slider with a number beside it, and a distribution with its numbers. Each explains itself.

import { h } from "../report/dom";
import { short } from "../report/format";
import type { LawField, NumberField } from "./fields";
import { texts } from "./texts";
import { tomlText, type Value } from "./toml";

/** Reports a change; `drag`: the slider still moves, and is named. */
export type Change = (key: string, value: string, drag?: string) => void;

export interface FieldControl {
  element: HTMLElement;
  show: (value: any) => void; // of the resolved configuration
}

interface RangeInput {
  name: string;
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  help: string;
  changed: (value: number, drag: string) => void;
  ended: () => void;
}

let fields = 0;

/** A slider and a number in the unit that is shown. */
function range(input: RangeInput): { element: HTMLElement; show: (value: number) => void } {
  const id = `field_${++fields}`;
  let moves = false; // by a drag: what was read meanwhile is older
  const tell = (text: string, drag: string): void => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) return;
    moves = drag !== "";
    paint(value);
    input.changed(value, drag);
  };
  const slide: HTMLInputElement = h("input", {
    type: "range",
    min: input.min,
    max: input.max,
    step: input.step,
    "data-name": input.name,
    "aria-label": input.label,
    "aria-describedby": `${id}_help`,
    input: () => tell(slide.value, input.name),
    change: () => {
      moves = false;
      input.ended();
    },
  });
  const number: HTMLInputElement = h("input", {
    type: "number",
    step: "any",
    id,
    "data-number": input.name,
    inputmode: "decimal",
    "aria-describedby": `${id}_help`,
    change: () => tell(number.value, ""),
  });
  const paint = (value: number): void => {
    if (value > Number(slide.max)) slide.max = String(value);
    if (value < Number(slide.min)) slide.min = String(value);
    slide.value = String(value);
    slide.setAttribute("aria-valuetext", `${short(value)} ${input.unit}`);
    if (document.activeElement !== number || number.value === "") number.value = short(value);
  };
  number.addEventListener("blur", () => {
    if (number.value === "") number.value = short(Number(slide.value));
  });
  return {
    element: h(
      "div",
      { class: "field" },
      h("label", { for: id, title: input.help }, input.label),
      h("span", { class: "typed" }, number, h("span", { class: "unit" }, input.unit)),
      slide,
      h("p", { class: "help", id: `${id}_help` }, input.help),
    ),
    show: (value) => {
      if (!moves) paint(value);
    },
  };
}

export function numberField(field: NumberField, help: string, change: Change, ended: () => void): FieldControl {
  const scale = field.scale ?? 1;
  const one = range({
    ...field,
    name: field.key,
    help,
    ended,
    changed: (value, drag) => change(field.key, tomlText(value / scale), drag),
  });
  return { element: one.element, show: (value) => typeof value === "number" && one.show(value * scale) };
}

const LAWS: Record<string, string[]> = { fixed: ["value"], uniform: ["min", "max"], normal: ["mean", "sigma"] };

/** What is drawn may not be less than this. */
const leastOf = (field: LawField): number => (field.key.includes("noise") ? -Infinity : 0);

/** The numbers of a distribution after another one: about as wide, and not below `least`. */
export function converted(law: Record<string, any>, kind: string, least: number): Record<string, Value> {
  const points: number[] = law.values ?? law.edges ?? [law.min, law.max];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const middle = law.value ?? law.mean ?? (low + high) / 2;
  const spread = "value" in law ? Math.abs(middle) / 4 || 0.01 : (law.sigma ?? (high - low) / Math.sqrt(12));
  const half = spread * Math.sqrt(3);
  const rounded = (x: number): number => Number(x.toPrecision(4));
  if (kind === "fixed") return { distribution: kind, value: rounded(middle) };
  if (kind === "uniform")
    return { distribution: kind, min: Math.max(rounded(middle - half), least), max: rounded(middle + half) };
  const normal = { distribution: kind, mean: rounded(middle), sigma: rounded(spread) };
  return least === 0 ? { ...normal, min: 0 } : normal;
}

/** The distribution with another number. The ends of a range stay in order: the other one gives way. */
export function inOrder(
  law: Record<string, any>,
  part: string,
  value: number,
  step: number,
  least: number,
): Record<string, Value> {
  const next = { ...law, [part]: value };
  if (part === "min" && next.max <= value) next.max = value + step;
  if (part === "max" && next.min >= value) next.min = Math.max(value - step, least);
  return next;
}

export function lawField(field: LawField, help: string, change: Change, ended: () => void): FieldControl {
  const scale = field.scale ?? 1;
  let law: Record<string, any> = {};
  let shownKind = "";
  const numbers = h("div", {});
  const parts = new Map<string, (value: number) => void>();
  const set = (next: Record<string, Value>, drag: string): void => {
    law = next;
    change(field.key, tomlText(next), drag);
  };
  const kind: HTMLSelectElement = h(
    "select",
    {
      "aria-label": texts.law(field.label),
      "data-name": `${field.key}.kind`,
      change: () => {
        set(converted(law, kind.value, leastOf(field)), "");
        show(law);
      },
    },
    ...Object.keys(LAWS).map((id) => h("option", { value: id }, texts.laws[id])),
  );
  const other = h("option", { value: "other", disabled: true }, texts.laws.other);
  kind.append(other);
  const build = (): void => {
    parts.clear();
    numbers.replaceChildren(
      ...(LAWS[shownKind] ?? []).map((part) => {
        const mayBeNegative = leastOf(field) < 0 && part !== "sigma";
        const one = range({
          name: `${field.key}.${part}`,
          label: `${field.label}, ${texts.lawParts[part]}`,
          unit: field.unit,
          help,
          min: mayBeNegative ? -field.max : 0,
          max: field.max,
          step: field.step,
          ended,
          changed: (value, drag) => {
            set(inOrder(law, part, value / scale, field.step / scale, leastOf(field)), drag);
            for (const [name, tell] of parts) if (name !== part) tell(law[name] * scale);
          },
        });
        one.element.querySelector("label")!.textContent = texts.lawParts[part];
        parts.set(part, one.show);
        return one.element;
      }),
    );
  };
  const show = (value: any): void => {
    if (value === undefined || value === null) return;
    law = typeof value === "object" ? value : { distribution: "fixed", value };
    const next = law.distribution in LAWS ? law.distribution : "other";
    kind.value = next;
    if (next !== shownKind) {
      shownKind = next;
      build();
    }
    for (const [part, tell] of parts) tell(law[part] * scale);
  };
  return {
    element: h(
      "fieldset",
      { class: "law" },
      h("legend", { title: help }, field.label),
      h("div", { class: "law_kind" }, kind),
      numbers,
    ),
    show,
  };
}
