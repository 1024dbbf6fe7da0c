// The configuration as text, with what is wrong in it by line and key; and all keys with their sentences.

import type { Fault } from "../package/src/engine";
import { button } from "../report/controls";
import { h } from "../report/dom";
import { withoutDust } from "./numbers";
import type { Problem } from "./run";
import { texts } from "./texts";
import { tomlText, valueAt } from "./toml";

const t = texts.editor;

export class EditorPanel {
  readonly element = h("section", { class: "panel editor", id: "editor", "aria-label": t.title, hidden: true });
  private readonly text: HTMLTextAreaElement;
  private readonly faults = h("ul", { class: "faults", id: "editor-faults", "aria-live": "polite" });
  private shown = "";

  constructor(private readonly apply: (toml: string) => void) {
    this.text = h("textarea", {
      id: "toml",
      spellcheck: "false",
      autocomplete: "off",
      wrap: "off",
      rows: 26,
      "aria-label": t.title,
      "aria-describedby": "editor-faults",
      keydown: (event) => this.key(event as KeyboardEvent),
    });
    this.element.append(
      h(
        "div",
        { class: "toolbar" },
        h("h3", {}, t.title),
        h(
          "div",
          { class: "choice" },
          button(t.apply, () => this.take(), t.applyHint),
          button(t.revert, () => this.revert()),
        ),
      ),
      h("p", { class: "hint" }, t.hint),
      this.text,
      this.faults,
    );
  }

  /** The text of the present design; one that is being edited stays. */
  show(toml: string): void {
    const isEdited = this.text.value !== this.shown;
    this.shown = toml;
    if (!isEdited) this.text.value = toml;
    if (!isEdited) this.faults.replaceChildren();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  private take(): void {
    this.faults.replaceChildren();
    this.shown = this.text.value;
    this.apply(this.text.value);
  }

  private revert(): void {
    this.text.value = this.shown;
    this.faults.replaceChildren();
  }

  problem({ message, faults }: Problem): void {
    const items = faults.length > 0 ? faults.map((fault) => this.item(fault)) : [h("li", {}, message)];
    this.faults.replaceChildren(...items);
  }

  private item(fault: Fault): HTMLElement {
    const words = faultWords(fault);
    if (fault.line < 1) return h("li", {}, words);
    return h(
      "li",
      {},
      h("button", { type: "button", class: "link", click: () => this.goTo(fault.line) }, t.line(fault.line)),
      ` ${words}`,
    );
  }

  private goTo(line: number): void {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.text.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(this.text).lineHeight));
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.take();
    }
  }
}

/** "gripper.opening_mm is -1; must be a finite number > 0". */
export const faultWords = ({ key, what, allowed }: Fault): string =>
  `${key ? `${key}: ` : ""}${what}${allowed ? `; ${allowed}` : ""}`;

interface Key {
  key: string;
  words: string;
}

function keysOf(schema: Record<string, any>, path = ""): Key[] {
  return Object.entries<Record<string, any>>(schema.properties ?? {}).flatMap(([name, value]): Key[] => {
    const key = path === "" ? name : `${path}.${name}`;
    const below = keysOf(value, key);
    const inList = value.items?.properties ? keysOf(value.items, `${key}.0`) : [];
    if (below.length + inList.length > 0) return [...below, ...inList];
    return [{ key, words: value.description ?? "" }];
  });
}

const MOST_KEYS = 60;

/** Every key of a configuration: to find, to read about, to set. */
export class KeysPanel {
  readonly element = h("section", { class: "panel keys", "aria-label": t.keys, hidden: true });
  private readonly keys: Key[];
  private readonly list = h("div", { class: "key_list" });
  private readonly search: HTMLInputElement;
  private document: Record<string, any> = {};

  constructor(
    schema: Record<string, any>,
    private readonly change: (key: string, value: string) => void,
  ) {
    this.keys = keysOf(schema);
    this.search = h("input", {
      type: "search",
      id: "key-search",
      placeholder: t.search,
      "aria-label": t.search,
      input: () => this.draw(),
    });
    this.element.append(h("h3", {}, t.keys), h("p", { class: "hint" }, t.keysHint), this.search, this.list);
  }

  show(document: Record<string, any>): void {
    this.document = document;
    if (!this.element.hidden && !this.list.contains(globalThis.document.activeElement)) this.draw();
  }

  draw(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.keys.filter(({ key, words: text }) =>
      words.every((word) => `${key} ${text}`.toLowerCase().includes(word)),
    );
    this.list.replaceChildren(
      ...found.slice(0, MOST_KEYS).map((one) => this.row(one)),
      h("p", { class: "hint" }, t.found(found.length, Math.min(found.length, MOST_KEYS))),
    );
  }

  private row({ key, words }: Key): HTMLElement {
    const value = valueAt(this.document, key);
    const input: HTMLInputElement = h("input", {
      type: "text",
      "data-key": key,
      "aria-label": key,
      placeholder: t.notSet,
      change: () => this.change(key, input.value.trim()),
    });
    if (value !== undefined) input.value = typeof value === "string" ? value : withoutDust(tomlText(value));
    return h("div", { class: "key_row" }, h("code", {}, key), input, h("p", { class: "help" }, words));
  }
}
