// One trial: how it moves, its story, what was drawn for it.

import { outcomeMark } from "./cell_panel";
import { h } from "./dom";
import { short } from "./format";
import type { Frame } from "../package/src/engine";
import { Player } from "./player";
import type { ReportData } from "./report_data";
import type { Drawn } from "./sampler";
import { SceneView, windowOf } from "./scene_view";
import { placementOf, type Simulator } from "./simulator";
import type { Store } from "./state";

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
    const [x, y, theta] = drawn.placement;
    const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
    const atPart = this.report.facts.gripper.table === "part";
    const gripper: Frame["gripper"] = atPart ? [cos * x + sin * y, cos * y - sin * x, -theta] : [0, 0, 0];
    return { time_s: 0, part: [-x, -y, theta], jaws: [half, -half], gripper, phase: 0, contacts: [] };
  }

  /** Start and end of a trial whose way is not in the report. */
  private ends(row: number, drawn: Drawn): Frame[] {
    const end = this.report.trials.end(row);
    const start = this.start(drawn);
    return [start, { ...start, time_s: end.time_s, part: end.part, jaws: end.jaws }];
  }

  /** Whether the page can compute a trial of the run: it knows all that was drawn for it. */
  private get simulates(): boolean {
    const { facts } = this.report;
    return this.simulator.works && facts.laws_are_known && facts.uncertain.length === 0;
  }

  /** What the shapes of a picture are, where trials have numbers of their own. */
  private nominalText(): string {
    return this.report.facts.uncertain.length > 0 ? ", drawn with the nominal shapes" : "";
  }

  private motion(row: number, drawn: Drawn): Motion {
    const { trials, facts, films } = this.report;
    const outcome = facts.outcomes[trials.outcome[row]];
    const film = films?.film(trials.index[row]);
    // A trial that failed took more work than a page should repeat.
    if (this.simulates && !(outcome === "failed" && film)) {
      const live = this.simulator.simulate(placementOf(drawn));
      // The simulator has the same bits as the program. The inputs are drawn with the browser's logarithms and sines,
      // whose last bits may differ: next to a border between outcomes a trial may end otherwise.
      if (live.outcome === outcome || !film) {
        return { frames: live.frames, story: live.story, source: "Computed here, in this page, with the same bits.", outcome: live.outcome };
      }
    }
    if (film) return { frames: film.frames, story: film.story, source: `As simulated when the report was made${this.nominalText()}.`, outcome };
    return {
      frames: this.ends(row, drawn),
      story: null,
      source: `Start and end as stored${this.nominalText()}; the way between is not in this report.`,
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
    const drawn = trials.draw(row);
    const motion = this.motion(row, drawn);
    this.muJaw = facts.one_friction ? drawn.muJaw : NaN;
    const width = Math.min(this.element.clientWidth - 26 || 380, 520);
    const poses = motion.frames.map((f) => f.part);
    this.view = new SceneView(facts, windowOf(facts, poses), width, `Trial ${trials.index[row]} as it moves`);
    this.view.begin(motion.frames);
    const stored = facts.outcomes[trials.outcome[row]];
    this.element.replaceChildren(
      h("h3", {}, `Trial ${trials.index[row]}: `, outcomeMark(trials.outcome[row]), h("span", { "data-name": "stored_outcome" }, stored)),
      ...(motion.outcome === stored ? [] : [h("p", { class: "notice" },
        `Computed here it ends ${motion.outcome}: the last bits of its inputs differ in this browser, and it is next to a border.`)]),
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
    if (this.simulates) return "Click a trial, as a dot or in the list, to see how it moves.";
    const which = films > 0
      ? `This page can play ${films} trials as they move, one of each outcome of a cell: bold numbers in the lists.`
      : "No trial of this report moves.";
    return `Click a trial, as a dot or in the list. ${which} Of the others start and end are shown.`;
  }

  private tryButton(drawn: Drawn): HTMLElement | string {
    const { onTry } = this;
    if (!onTry || !this.simulates) return "";
    return h("button", { type: "button", class: "inline", click: () => onTry(drawn) }, "Change it below");
  }

  private drawnText(row: number, drawn: Drawn): HTMLElement {
    const end = this.report.trials.end(row);
    const [x, y, theta] = drawn.placement;
    const known = this.report.facts.laws_are_known;
    return h(
      "dl",
      { class: "facts" },
      h("dt", {}, "placement"),
      h("dd", {}, `(${short(x)}, ${short(y)}) mm, ${short(theta)} rad${known ? "" : ", without the noise"}`),
      h("dt", {}, "friction"),
      h("dd", {}, known ? `jaws ${short(drawn.muJaw, 4)}, table ${short(drawn.muSupport, 4)}` : "not in this report"),
      h("dt", {}, "end"),
      h("dd", {}, `after ${short(end.time_s)} s: part at (${short(end.part[0])}, ${short(end.part[1])}) mm, ${short(end.part[2])} rad in the gripper`),
    );
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
      const first = this.simulates ? rows[0] : (moving ?? rows[0]);
      if (first === undefined) return;
      this.store.set({ trial: first });
      this.player.play();
      return;
    }
    this.player.toggle();
  }
}
