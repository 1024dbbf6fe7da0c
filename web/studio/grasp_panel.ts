// One grasp as it moves: at the placement that is pointed at, with mean friction, or a trial of the run.

import type { Frame, Placement, Trial } from "../package/src/engine";
import { h } from "../report/dom";
import type { Facts } from "../report/facts";
import { Player } from "../report/player";
import { SceneView, windowOf } from "../report/scene_view";
import { withoutDust } from "./numbers";
import type { Shown } from "./run";
import { texts } from "./texts";

const t = texts.grasp;
const MOST_WIDTH = 620;

export type AskTrial = (method: "trial" | "trialOfRun", ...args: unknown[]) => Promise<Trial>;

/** The middle of a distribution as a resolved configuration has it. */
function middleOf(law: any): number {
  if (typeof law === "number") return law;
  const { value, mean, mode, min, max } = law ?? {};
  const known = [value, mean, mode].find((one) => typeof one === "number");
  return known ?? (typeof min === "number" && typeof max === "number" ? (min + max) / 2 : 0.2);
}

export class GraspPanel {
  readonly element = h("section", { class: "panel grasp_panel", "aria-label": t.title });
  private readonly title = h("h3", {}, t.title);
  private readonly picture = h("div", { class: "grasp_picture" });
  private readonly answer = h("p", { class: "answer", id: "grasp-answer", "aria-live": "polite" });
  private readonly story = h("pre", { class: "story", tabindex: 0 });
  private readonly draws = h("div", { class: "choice" });
  private readonly player: Player;
  private view: SceneView | null = null;
  private muJaw = NaN;
  private facts: Facts | null = null;
  private last: { at: [number, number]; theta: number; place: string } | null = null;
  private friction: Record<string, any> = {};
  private isAsking = false;
  private next: (() => Promise<void>) | null = null;

  constructor(private readonly ask: AskTrial) {
    this.player = new Player((frame, passed) => this.view?.show(frame, passed, this.muJaw));
    this.player.element.hidden = true;
    this.element.append(
      this.title,
      this.picture,
      this.player.element,
      this.answer,
      this.draws,
      h("details", {}, h("summary", {}, t.story), this.story),
    );
    this.answer.textContent = t.hint;
  }

  /** Other shapes: the picture is redrawn with the next grasp. */
  setFacts(facts: Facts, document: Record<string, any>): void {
    this.facts = facts;
    this.friction = document.friction ?? {};
  }

  /** The grasp at a placement with mean friction; `plays`: from its start, else its end is shown. */
  at(at: [number, number], theta: number, place: string, plays: boolean): void {
    const { facts } = this;
    if (!facts) return;
    this.last = { at, theta, place };
    const placement: Placement = {
      x_mm: at[0],
      y_mm: at[1],
      theta_rad: theta,
      mu_jaw: middleOf(this.friction.jaw),
      mu_support: middleOf(this.friction.support),
    };
    this.draws.replaceChildren();
    this.request(async () => {
      const trial = await this.ask("trial", placement);
      this.show(trial, t.at(place), placement.mu_jaw, plays);
    });
  }

  /** The last placement with another design; at first one in the middle. */
  again(at: [number, number], theta: number, place: string): void {
    const last = this.last ?? { at, theta, place };
    this.at(last.at, last.theta, last.place, false);
  }

  /** Another part: placements of the one before mean nothing. */
  forget(): void {
    this.last = null;
  }

  /** The trials of a cell that are there; the first one plays. */
  cell(shown: Shown, cell: number): void {
    const { cells, config } = shown;
    const count = cells[cell]?.trials ?? 0;
    if (count === 0) return;
    const isAdaptive = config.document.sweep?.sampling === "adaptive";
    if (isAdaptive) return this.draws.replaceChildren();
    const button = (k: number) =>
      h(
        "button",
        { type: "button", "data-trial": k, click: () => this.trialOfRun(cell + k * config.cells, k, count) },
        String(k + 1),
      );
    const few = Math.min(count, 8);
    this.draws.replaceChildren(
      h("span", { class: "hint" }, t.trialsOfCell(count)),
      ...Array.from({ length: few }, (_, k) => button(k)),
    );
  }

  private trialOfRun(index: number, k: number, count: number): void {
    this.request(async () => {
      const trial = await this.ask("trialOfRun", index);
      this.show(trial, t.trial(k + 1, count), NaN, true);
      for (const one of this.draws.querySelectorAll("button"))
        one.setAttribute("aria-pressed", String(one.dataset.trial === String(k)));
    });
  }

  /** One question at a time; of those that wait only the last counts. */
  private request(todo: () => Promise<void>): void {
    this.next = todo;
    if (!this.isAsking) void this.work();
  }

  private async work(): Promise<void> {
    this.isAsking = true;
    try {
      while (this.next) {
        const todo = this.next;
        this.next = null;
        await todo().catch(() => undefined); // a run that was ended has no trials
      }
    } finally {
      this.isAsking = false;
    }
  }

  private show(trial: Trial, title: string, muJaw: number, plays: boolean): void {
    const { facts } = this;
    if (!facts || trial.frames.length === 0) return;
    this.muJaw = facts.one_friction ? muJaw : NaN;
    const width = Math.min(this.picture.clientWidth || 360, MOST_WIDTH);
    const poses = trial.frames.map((frame: Frame) => frame.part);
    this.view = new SceneView(facts, windowOf(facts, poses), width, title);
    this.view.begin(trial.frames);
    this.title.textContent = title;
    this.picture.replaceChildren(this.view.svg);
    this.player.element.hidden = false;
    const end = trial.frames[trial.frames.length - 1].time_s;
    this.player.load(trial.frames, plays ? 0 : end);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (plays && !isStill) this.player.play();
    const story = withoutDust(trial.story);
    const lines = story.split("\n").filter(Boolean);
    this.answer.textContent =
      lines
        .slice(0, 4)
        .filter((line, k) => k === 0 || line.startsWith("  "))
        .map((line) => line.trim())
        .join(". ") + ".";
    this.story.textContent = story;
    this.element.dataset.outcome = trial.outcome;
  }
}
