// What is wrong, above everything else, until it is mended.

import { button } from "../report/controls";
import { h } from "../report/dom";
import { faultWords } from "./editor_panel";
import type { Problem } from "./run";
import { texts } from "./texts";

const MOST = 8; // lines

export class ProblemBar {
  readonly element = h("div", { id: "problem", class: "problem_bar", role: "alert", hidden: true });

  constructor(private readonly undo: () => void) {}

  /** `isOfDesign`: it can be undone; else nothing has changed. */
  show({ message, faults }: Problem, isOfDesign: boolean): void {
    const lines = faults.length > 0 ? faults.map(faultWords) : [message];
    const more = lines.length - MOST;
    this.element.replaceChildren(
      h("strong", {}, texts.problem.title),
      h(
        "ul",
        {},
        ...lines.slice(0, MOST).map((line) => h("li", {}, line)),
        ...(more > 0 ? [h("li", {}, `+ ${more}`)] : []),
      ),
      ...(lines.some((line) => line.includes("cannot be read")) ? [h("p", {}, texts.problem.dropFile)] : []),
      h(
        "div",
        { class: "choice" },
        isOfDesign ? button(texts.problem.undo, () => this.undo()) : h("span", { class: "hint" }, texts.problem.kept),
        button(texts.problem.close, () => this.hide()),
      ),
    );
    this.element.className = "problem_bar";
    this.element.hidden = false;
  }

  /** Something to know, not a problem: it goes by itself after `ms`, if it is given. */
  note(words: string, ms = 0): void {
    this.element.replaceChildren(
      h("span", {}, words),
      button(texts.problem.close, () => this.close()),
    );
    this.element.className = "problem_bar note";
    this.element.hidden = false;
    if (ms > 0) setTimeout(() => this.isNote && this.close(), ms);
  }

  private get isNote(): boolean {
    return this.element.classList.contains("note") && !this.element.hidden;
  }

  /** The problem is mended; a note stays. */
  hide(): void {
    if (!this.isNote) this.close();
  }

  private close(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
