// One trial: how it moves, its story, what was drawn for it.

import { outcomeMark } from "./cell_panel";
import { data, h } from "./dom";
import { short, significant } from "./format";
import type { Drawn, Frame } from "../package/src/engine";
import { Player } from "./player";
import type { ReportData } from "./report_data";
import { SceneView, windowOf } from "./scene_view";
import type { Simulator } from "./simulator";
import type { Store } from "./state";

const FAR_MM = 1e6;

interface Motion {
  frames: Frame[];
  story: string | null;
  source: string; // where the picture comes from
  outcome: string;
}

export class TrialPanel {
  readonly element = h("div", { class: "panel trial_panel" });
  readonly player: Player;
  private view: SceneView | null = null;
  private muJaw = 0;
  /** Hands a trial to the live panel. */
  onTry: ((drawn: Drawn) => void) | null = null;

  constructor(
    private readonly report: ReportData,
    private readonly store: Store,
    private readonly simulator: Simulator,
  ) {
    this.player = new Player((frame, passed) => this.view?.show(frame, passed, this.muJaw));
    store.on(["trial"], ({ trial }) => this.draw(trial));
  }

  /** The part at its placement, the jaws open. */
  private start(drawn: Drawn): Frame {
    const half = this.report.facts.gripper.opening_mm / 2;
    const { x_mm: x, y_mm: y, theta_rad: theta } = drawn;
    const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
    const atPart = this.report.facts.gripper.table === "part";
    const gripper: Frame["gripper"] = atPart ? [cos * x + sin * y, cos * y - sin * x, -theta] : [0, 0, 0];
    return { time_s: 0, part: [-x, -y, theta], jaws: [half, -half], gripper, phase: 0, contacts: [] };
  }

  /** Start and end of a trial whose way is not in the report; the end alone where the start is not known. */
  private ends(row: number, drawn: Drawn | null): Frame[] {
    const { time_s, part, jaws } = this.report.trials.end(row);
    if (drawn) {
      const start = this.start(drawn);
      return [start, { ...start, time_s, part, jaws }];
    }
    // Where obstacles are follows from the start: without it they are out of the picture.
    const gripper: Frame["gripper"] = this.report.facts.gripper.table === "part" ? [FAR_MM, FAR_MM, 0] : [0, 0, 0];
    return [{ time_s, part, jaws, gripper, phase: 0, contacts: [] }];
  }

  /** What the shapes of a picture are, where trials have numbers of their own. */
  private nominalText(): string {
    return this.report.facts.uncertain.length > 0 ? ", drawn with the nominal shapes" : "";
  }

  private motion(row: number, drawn: Drawn | null): Motion {
    const { trials, facts, films } = this.report;
    const outcome = facts.outcomes[trials.outcome[row]];
    const film = films?.film(trials.index[row]);
    // A trial that failed took more work than a page should repeat.
    if (this.simulator.works && !(outcome === "failed" && film)) {
      const live = this.simulator.trial(trials.index[row]);
      // The same trial, to the last bit, unless the run is of another version.
      if (live.outcome === outcome || !film) {
        const source = `Computed here, in this page, with the same bits${this.nominalText()}.`;
        return { frames: live.frames, story: live.story, source, outcome: live.outcome };
      }
    }
    if (film) return { frames: film.frames, story: film.story, source: `As simulated when the report was made${this.nominalText()}.`, outcome };
    return {
      frames: this.ends(row, drawn),
      story: null,
      source: `${drawn ? "Start and end" : "The end"} as stored${this.nominalText()}; the way there is not in this report.`,
      outcome,
    };
  }

  private draw(row: number): void {
    this.player.pause();
    if (row < 0) {
      this.view = null;
      this.element.replaceChildren(
        h("h3", {}, "A trial"),
        h("p", { class: "hint to_do" }, this.hint()),
      );
      return;
    }
    const { trials, facts } = this.report;
    const drawn = this.simulator.drawn(trials.index[row]);
    const motion = this.motion(row, drawn);
    this.muJaw = facts.one_friction && drawn ? drawn.mu_jaw : NaN;
    const width = Math.min(this.element.clientWidth - 26 || 380, 520);
    const poses = motion.frames.map((f) => f.part);
    this.view = new SceneView(facts, windowOf(facts, poses), width, `Trial ${trials.index[row]} as it moves`);
    this.view.begin(motion.frames);
    const stored = facts.outcomes[trials.outcome[row]];
    this.element.replaceChildren(
      h("h3", {}, `Trial ${trials.index[row]}: `, outcomeMark(trials.outcome[row]), h("span", { "data-name": "stored_outcome" }, stored)),
      ...(motion.outcome === stored ? [] : [h("p", { class: "notice" },
        `Computed here it ends ${motion.outcome}: the run is of another version of graspmap.`)]),
      this.view.svg,
      this.player.element,
      h("p", { class: "hint" }, motion.source, this.tryButton(drawn)),
      this.drawnText(row, drawn),
      this.story(motion, row),
    );
    this.element.dataset.outcome = motion.outcome;
    this.player.load(motion.frames);
  }

  private hint(): string {
    const films = this.report.films?.count ?? 0;
    if (this.simulator.works) return "Click a trial, as a dot or in the list, to see how it moves.";
    const which = films > 0
      ? `This page can play ${films} trials as they move, one of each outcome of a cell: bold numbers in the lists.`
      : "No trial of this report moves.";
    return `Click a trial, as a dot or in the list. ${which} Of the others the end is shown.`;
  }

  private tryButton(drawn: Drawn | null): HTMLElement | string {
    const { onTry } = this;
    if (!onTry || !drawn || this.report.facts.uncertain.length > 0) return "";
    return h("button", { type: "button", class: "inline", click: () => onTry(drawn) }, "Change it below");
  }

  private drawnText(row: number, drawn: Drawn | null): HTMLElement {
    const end = this.report.trials.end(row);
    const facts = [h("dt", {}, "end"),
      h("dd", {}, `after ${short(end.time_s)} s: part at (${short(end.part[0])}, ${short(end.part[1])}) mm, ${short(end.part[2])} rad in the gripper`)];
    if (drawn) {
      const number = (name: "x_mm" | "y_mm" | "theta_rad" | "mu_jaw" | "mu_support", digits = 3) =>
        data(drawn[name], short(drawn[name], digits), name);
      facts.unshift(
        h("dt", {}, "placement"),
        h("dd", {}, "(", number("x_mm"), ", ", number("y_mm"), ") mm, ", number("theta_rad"), " rad"),
        h("dt", {}, "friction"),
        h("dd", {}, "jaws ", number("mu_jaw", 4), ", table ", number("mu_support", 4)),
        ...Object.entries(drawn.uncertain).flatMap(([key, value]) =>
          [h("dt", {}, key), h("dd", {}, data(value, significant(value, 4, 0), key))]),
      );
    }
    return h("dl", { class: "facts" }, ...facts);
  }

  private story(motion: Motion, row: number): HTMLElement {
    if (motion.story !== null) return h("pre", { class: "story", tabindex: 0 }, motion.story);
    const { facts, trials } = this.report;
    return h(
      "p",
      { class: "hint" },
      "For its story: ",
      h("code", {}, `${facts.program} replay ${facts.run} ${trials.index[row]}`),
    );
  }

  /** Opens and plays the first trial of a cell that moves, or its first one. */
  playFirstOf(cell: number): void {
    const { trials, films } = this.report;
    const rows = trials.ofCell[cell] ?? [];
    const row = this.store.state.trial;
    if (!rows.includes(row)) {
      const moving = rows.find((r) => films?.has(trials.index[r]));
      const first = this.simulator.works ? rows[0] : (moving ?? rows[0]);
      if (first === undefined) return;
      this.store.set({ trial: first });
      this.player.play();
      return;
    }
    this.player.toggle();
  }
}
