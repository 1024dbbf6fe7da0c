// The first thing one sees: a place to drop a drawing, and shapes to begin with.

import { h, s } from "../report/dom";
import type { Options } from "../package/src/engine";
import type { Choice } from "./importing";
import { texts } from "./texts";

const t = texts.start;

export interface StartInput {
  files: (files: File[]) => void;
  shape: (shape: string, size: string) => void;
  choose: (options: Options) => void; // of the last drawing
}

const SHAPES: { id: string; size: string; d: string }[] = [
  { id: "disc", size: "40", d: "M4,20a16,16 0 1,0 32,0a16,16 0 1,0 -32,0z" },
  { id: "ring", size: "40,20", d: "M4,20a16,16 0 1,0 32,0a16,16 0 1,0 -32,0zM12,20a8,8 0 1,1 16,0a8,8 0 1,1 -16,0z" },
  { id: "rectangle", size: "40,20", d: "M4,12H36V28H4z" },
  { id: "hexagon", size: "24", d: "M20,4L34,12V28L20,36L6,28V12z" },
  { id: "slot", size: "50,16", d: "M12,12H28a8,8 0 0,1 0,16H12a8,8 0 0,1 0,-16z" },
];

/** Opens a file dialog. */
export function askForFiles(take: (files: File[]) => void): void {
  const input: HTMLInputElement = h("input", {
    type: "file",
    accept: ".dxf,.svg,.toml,.csv",
    multiple: true,
    change: () => take([...(input.files ?? [])]),
  });
  input.click();
}

/** Files may be dropped anywhere on the page. */
export function takeDrops(take: (files: File[]) => void): void {
  const over = (is: boolean): boolean => document.documentElement.classList.toggle("dropping", is);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

export class StartPage {
  readonly element = h("section", { class: "start", "aria-labelledby": "start-title" });
  private readonly choices = h("div", { id: "choices" });

  constructor(private readonly input: StartInput) {
    const file: HTMLInputElement = h("input", {
      type: "file",
      id: "file",
      accept: ".dxf,.svg,.toml,.csv",
      multiple: true,
      change: () => {
        input.files([...(file.files ?? [])]);
        file.value = "";
      },
    });
    this.element.append(
      h("h1", { id: "start-title" }, t.title),
      h("p", { class: "lead" }, t.lead),
      h(
        "label",
        { class: "drop", for: "file" },
        this.picture(),
        h("strong", {}, t.drop),
        h("span", { class: "hint" }, t.dropHint),
        file,
      ),
      this.choices,
      h("h2", {}, t.shapes),
      h(
        "div",
        { class: "shapes" },
        ...SHAPES.map(({ id, size, d }) =>
          h(
            "button",
            { type: "button", "data-shape": id, click: () => input.shape(id, size) },
            s(
              "svg",
              { viewBox: "0 0 40 40", width: 44, height: 44, "aria-hidden": "true" },
              s("path", { d, "fill-rule": "evenodd" }),
            ),
            h("span", {}, t.shapeNames[id]),
          ),
        ),
      ),
      h("p", { class: "hint" }, t.offline),
    );
  }

  private picture(): SVGSVGElement {
    return s(
      "svg",
      { viewBox: "0 0 120 60", width: 120, height: 60, "aria-hidden": "true", class: "drop_picture" },
      s("path", { class: "drop_jaw", d: "M6,14H26V46H6zM94,14H114V46H94z" }),
      s("path", { class: "drop_part", d: "M40,12H54V36H80V48H40z" }),
      s("path", { class: "drop_arrow", d: "M28,30h8m-4,-4l4,4l-4,4M92,30h-8m4,-4l-4,4l4,4" }),
    );
  }

  /** Offers what a drawing leaves open. */
  offer(choice: Choice | null): void {
    if (!choice) return this.choices.replaceChildren();
    const isSeveral = choice.outlines.length > 0;
    const buttons = isSeveral ? this.outlines(choice) : this.layers(choice);
    this.choices.replaceChildren(
      h(
        "div",
        { class: "panel" },
        h("h2", {}, isSeveral ? t.several : t.whichLayers),
        h("p", { class: "hint" }, choice.message),
        h("div", { class: "choice" }, ...buttons),
      ),
    );
    this.choices.querySelector<HTMLElement>("button, input")?.focus();
  }

  private outlines({ outlines }: Choice): HTMLElement[] {
    const button = (view: string | number, name: string, options: Options): HTMLElement =>
      h("button", { type: "button", "data-view": view, click: () => this.input.choose(options) }, name);
    const one = outlines.map((words, k) => button(k + 1, t.outline(k + 1, words), { view: k + 1 }));
    return [...one, button("all", t.onePart, { bodies: outlines.length })];
  }

  private layers({ layers }: Choice): HTMLElement[] {
    const boxes = layers.map((layer, k) => {
      const box = h("input", { type: "checkbox", "data-layer": layer });
      box.checked = k === 0;
      return box;
    });
    const read = (): void => {
      const layer = layers.filter((_, k) => boxes[k].checked);
      if (layer.length > 0) this.input.choose({ layer });
    };
    const labels = layers.map((layer, k) => h("label", { class: "check" }, boxes[k], ` ${layer} `));
    return [...labels, h("button", { type: "button", id: "read-layers", click: read }, t.readLayers)];
  }
}
