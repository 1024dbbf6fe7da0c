// The answer in words: where to put the gripper, how sure that is, and how far the run has come.

import { h } from "../report/dom";
import { short, whole } from "../report/format";
import { answerNodes } from "../report/header";
import type { Decisions, Problem, Shown } from "./run";
import { tableWithoutDust, withoutDust } from "./numbers";
import { texts } from "./texts";
import type { Best } from "./map_panel";

const t = texts.answer;

const sentences = (headline: string): string => headline.replace(/\+-(?=\d)/g, "\u00b1");

/** "98.3 %" of the best placement, for the eye. */
function share(headline: string): string {
  return /([\d.]+ %) of the grasps succeed/.exec(headline.replace(/\n/g, " "))?.[1] ?? "";
}

export class AnswerPanel {
  readonly element = h("section", { class: "answer_panel", "aria-label": t.title });
  private readonly big = h("p", { class: "big", id: "share", "aria-hidden": "true" });
  private readonly headline = h("p", { class: "lead", id: "headline" });
  private readonly progress = h("progress", { max: 1, value: 0, "aria-label": t.progress });
  private readonly counts = h("p", { class: "counts", id: "counts" });
  private readonly doubts = h("ul", { class: "notice", id: "doubts", hidden: true });
  private readonly live = h("p", { class: "read_aloud", "aria-live": "polite" });

  constructor() {
    this.element.append(
      this.big,
      h(
        "div",
        { class: "answer_words" },
        this.headline,
        h("div", { class: "progress_row" }, this.progress, this.counts),
        this.doubts,
      ),
      this.live,
    );
  }

  begin(doubts: string[]): void {
    this.element.classList.add("stale");
    this.doubts.hidden = doubts.length === 0;
    this.doubts.replaceChildren(...doubts.map((doubt) => h("li", {}, doubt)));
  }

  show(shown: Shown): void {
    this.element.classList.remove("stale");
    const words = sentences(shown.headline);
    this.headline.replaceChildren(...answerNodes(words));
    this.big.textContent = share(words);
    this.progress.value = shown.trials / Math.max(shown.trialsAsked, 1);
    this.progress.hidden = shown.done;
    this.counts.textContent = t.counts(
      whole(shown.trials),
      whole(shown.trialsAsked),
      short(100 * shown.standardError, 1),
      shown.done,
    );
    // Screen readers hear the end only: maps come several times a second.
    if (shown.done) this.live.textContent = words.replace(/\n/g, " ");
    this.element.dataset.done = String(shown.done);
  }

  problem({ message }: Problem): void {
    this.element.classList.add("stale");
    this.live.textContent = message;
  }
}

/** The texts of `graspmap plan` and `graspmap pose`. */
export class DecisionPanel {
  readonly element = h("section", { class: "panel decisions", "aria-label": t.decisions });
  private readonly plan = h("pre", { id: "plan-text", tabindex: 0 });
  private readonly pose = h("pre", { id: "pose-text", tabindex: 0 });
  private readonly lead = h("p", { class: "answer", id: "pose-words" });

  constructor() {
    this.element.append(
      h("h3", {}, t.inHand),
      this.lead,
      h("details", { open: true }, h("summary", {}, t.plan), this.plan),
      h("details", {}, h("summary", {}, t.pose), this.pose),
    );
    this.begin();
  }

  begin(): void {
    this.element.classList.add("stale");
    this.lead.textContent ||= t.later;
  }

  show({ plan, pose, problem }: Decisions): void {
    this.element.classList.remove("stale");
    this.plan.textContent = tableWithoutDust(plan?.text ?? problem);
    this.pose.textContent = tableWithoutDust(pose?.text ?? problem);
    this.lead.textContent = pose
      ? withoutDust(pose.text).split("\n\n")[0].split(/\.\s/)[0].replace(/\n/g, " ") + "."
      : problem;
  }
}

/** The best placement of plan.json; null where it has none. */
export function bestOf({ plan }: Decisions): Best | null {
  if (!plan) return null;
  const first = (JSON.parse(plan.files["plan.json"]) as { placements?: Record<string, any>[] }).placements?.[0];
  if (!first) return null;
  const { x_mm, y_mm, as_good } = first;
  return { x_mm, y_mm, asGood: as_good?.x_mm && as_good?.y_mm ? as_good : null };
}
