// Sliders, choices and buttons with their labels.

import { h } from "./dom";

export interface SliderInput {
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  name: string; // for tests and styles
  text: (value: number) => string;
  changed: (value: number) => void;
}

export interface Slider {
  element: HTMLElement;
  set: (value: number) => void; // without telling
}

export function slider(input: SliderInput): Slider {
  const output = h("output", {}, input.text(input.value));
  const range = h("input", {
    type: "range",
    min: input.min,
    max: input.max,
    step: input.step,
    "data-name": input.name,
    "aria-valuetext": input.text(input.value),
    input: () => {
      show(Number(range.value));
      input.changed(Number(range.value));
    },
  });
  range.value = String(input.value);
  const show = (value: number): void => {
    output.textContent = input.text(value);
    range.setAttribute("aria-valuetext", input.text(value));
  };
  return {
    element: h("label", { class: "slider" }, h("span", {}, input.label), range, output),
    set: (value) => {
      range.value = String(value);
      show(Number(range.value));
    },
  };
}

/** Buttons of which one is pressed. */
export function choice(
  label: string,
  options: { id: string; name: string; title?: string }[],
  chosen: string,
  changed: (id: string) => void,
): { element: HTMLElement; set: (id: string) => void } {
  const buttons = options.map(({ id, name, title }) =>
    h("button", { type: "button", "data-choice": id, title: title ?? "", click: () => press(id) }, name),
  );
  const show = (id: string): void => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.choice === id));
    }
  };
  const press = (id: string): void => {
    show(id);
    changed(id);
  };
  show(chosen);
  return { element: h("div", { class: "choice", role: "group", "aria-label": label }, ...buttons), set: show };
}

export const button = (name: string, clicked: () => void, title = ""): HTMLButtonElement =>
  h("button", { type: "button", title, click: clicked }, name);
