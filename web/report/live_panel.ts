// The simulator in the page: drag the gripper, turn the part, change frictions, force and speed.

import { slider, type Slider } from "./controls";
import { byId, h, onWidth } from "./dom";
import { degrees, short } from "./format";
import { isFixed } from "./grid";
import { coalesced } from "./layer_controls";
import type { Drawn, Placement, Trial } from "../package/src/engine";
import { Player } from "./player";
import type { ReportData } from "./report_data";
import { SceneView, windowOf } from "./scene_view";
import type { Simulator } from "./simulator";

interface Setting {
  key: keyof Placement | "force" | "speed";
  label: string;
  min: number;
  max: number;
  step: number;
  text: (v: number) => string;
}

export class LivePanel {
  private readonly values: Record<Setting["key"], number>;
  private readonly sliders = new Map<Setting["key"], Slider>();
  private readonly player: Player;
  private readonly outcome = h("p", { class: "answer", "aria-live": "polite" });
  private readonly story = h("pre", { class: "story", tabindex: 0 });
  private readonly picture = h("div", { class: "live_picture", tabindex: 0, role: "application",
    "aria-label": "The gripper over the part. Drag it, or move it with the arrow keys; Enter plays." });
  private view: SceneView | null = null;
  private drag: { from: [number, number]; x_mm: number; y_mm: number } | null = null;
  private readonly update = coalesced(() => this.simulate());
  /** Times of the last pictures, from the change to the picture, ms. */
  readonly times: number[] = [];
  private changedAt = 0;

  constructor(
    private readonly report: ReportData,
    private readonly simulator: Simulator,
    private readonly onMove: (at: [number, number]) => void,
  ) {
    const { facts } = report;
    const { sweet_spot: spot, axes, laws, gripper } = facts;
    this.values = {
      x_mm: spot.found ? spot.x_mm : (axes.x_mm.min + axes.x_mm.max) / 2,
      y_mm: spot.found ? spot.y_mm : (axes.y_mm.min + axes.y_mm.max) / 2,
      theta_rad: spot.found ? spot.theta_rad : (axes.theta_rad.min + axes.theta_rad.max) / 2,
      mu_jaw: laws.mu_jaw.median,
      mu_support: laws.mu_support.median,
      force: gripper.closing_force_n,
      speed: gripper.closing_speed_mm_s,
    };
    this.player = new Player((frame, passed) => 
      this.view?.show(frame, passed, facts.one_friction ? this.values.mu_jaw : NaN));
  }

  private settings(): Setting[] {
    const { axes, gripper } = this.report.facts;
    const mm = (v: number) => `${short(v, 2)} mm`;
    const reach = (axis: { min: number; max: number }) => ({ min: axis.min, max: axis.max, step: 0.05 });
    const turn = isFixed(axes.theta_rad) ? { min: -0.5, max: 0.5 } : axes.theta_rad;
    return [
      { key: "x_mm", label: "gripper x", ...reach(axes.x_mm), text: mm },
      { key: "y_mm", label: "gripper y", ...reach(axes.y_mm), text: mm },
      { key: "theta_rad", label: "part turned", min: turn.min, max: turn.max, step: 0.005,
        text: (v) => `${short(v)} rad (${degrees(v)})` },
      { key: "mu_jaw", label: "friction, jaws", min: 0, max: 1, step: 0.005, text: (v) => short(v) },
      { key: "mu_support", label: "friction, table", min: 0.01, max: 1, step: 0.005, text: (v) => short(v) },
      { key: "force", label: "closing force", min: gripper.closing_force_n / 10,
        max: gripper.closing_force_n * 4, step: gripper.closing_force_n / 20, text: (v) => `${short(v, 2)} N` },
      { key: "speed", label: "closing speed", min: gripper.closing_speed_mm_s / 10,
        max: gripper.closing_speed_mm_s * 3, step: gripper.closing_speed_mm_s / 20, text: (v) => `${short(v, 1)} mm/s` },
    ];
  }

  build(): void {
    const section = byId("live-section");
    section.hidden = false;
    const title = h("h2", { id: "live-title" }, "Try a grasp");
    if (!this.simulator.works) {
      section.replaceChildren(
        title,
        h("p", { class: "hint" }, `The simulator is ${this.simulator.problem}. Everything else of the page works without it.`),
      );
      section.classList.add("without");
      return;
    }
    const controls = this.settings().map((setting) => {
      const { key, ...rest } = setting;
      const one = slider({ ...rest, name: `live_${key}`, value: this.values[key],
        changed: (value) => {
          this.values[key] = value;
          this.changed();
        } });
      this.sliders.set(key, one);
      return one.element;
    });
    section.replaceChildren(
      title,
      h("p", { class: "hint" },
        "Drag the gripper over the part. Each grasp is computed here, in this page, by graspmap's own simulator. The cross in the map is this placement." +
        (this.report.facts.uncertain.length > 0 ? " Numbers that differ from trial to trial have their nominal values here." : "")),
      h("div", { class: "columns" },
        h("div", {}, this.picture, this.player.element),
        h("div", {}, h("div", { class: "controls" }, ...controls), this.outcome, this.story)),
    );
    this.listen();
    // The first grasp is simulated when the panel is seen first.
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      onWidth(this.picture, () => this.resize());
    }).observe(section);
  }

  /** Puts the view over the placements of the map: the part stays where it is at the start. */
  private resize(): void {
    const { facts } = this.report;
    const width = Math.max(Math.min(this.picture.clientWidth || 480, 560), 240);
    const { x_mm, y_mm } = facts.axes;
    const reach = windowOf(facts, [[0, 0]]);
    reach.min[0] = Math.min(reach.min[0], x_mm.min - facts.gripper.opening_mm / 2);
    reach.max[0] = Math.max(reach.max[0], x_mm.max + facts.gripper.opening_mm / 2);
    reach.min[1] = Math.min(reach.min[1], y_mm.min - 0.2 * facts.part.radius_mm);
    reach.max[1] = Math.max(reach.max[1] + 0.25 * facts.part.radius_mm, y_mm.max);
    this.view = new SceneView(facts, reach, width, "The gripper over the part");
    this.picture.replaceChildren(this.view.svg);
    this.simulate();
  }

  private changed(): void {
    this.changedAt = performance.now();
    this.update();
  }

  private overrides(): string[] {
    const { gripper } = this.report.facts;
    const list: string[] = [];
    if (this.values.force !== gripper.closing_force_n) list.push(`gripper.closing_force_n=${this.values.force}`);
    if (this.values.speed !== gripper.closing_speed_mm_s) list.push(`gripper.closing_speed_mm_s=${this.values.speed}`);
    return list;
  }

  private simulate(): void {
    const { x_mm, y_mm, theta_rad, mu_jaw, mu_support } = this.values;
    let trial: Trial;
    try {
      trial = this.simulator.simulate({ x_mm, y_mm, theta_rad, mu_jaw, mu_support }, this.overrides());
    } catch (error) {
      this.outcome.textContent = `This cannot be simulated: ${(error as Error).message}`;
      return;
    }
    if (!this.view) return;
    this.view.offset = [x_mm, y_mm];
    this.view.begin(trial.frames);
    this.player.load(trial.frames, trial.end_time_s);
    this.outcome.replaceChildren(
      "Computed here: ",
      h("strong", { "data-name": "live_outcome" }, trial.outcome),
      ` after ${short(trial.end_time_s)} s.`,
    );
    this.story.textContent = trial.story;
    this.onMove([x_mm, y_mm]);
    if (this.changedAt > 0) {
      this.times.push(performance.now() - this.changedAt);
      this.changedAt = 0;
      this.picture.dataset.pictures = String(this.times.length);
      this.picture.dataset.lastMs = this.times[this.times.length - 1].toFixed(1);
    }
  }

  private moveTo(x_mm: number, y_mm: number): void {
    const { axes } = this.report.facts;
    const inside = (axis: { min: number; max: number }, v: number) => Math.min(Math.max(v, axis.min), axis.max);
    this.values.x_mm = inside(axes.x_mm, x_mm);
    this.values.y_mm = inside(axes.y_mm, y_mm);
    this.sliders.get("x_mm")?.set(this.values.x_mm);
    this.sliders.get("y_mm")?.set(this.values.y_mm);
    this.changed();
  }

  private listen(): void {
    this.picture.addEventListener("pointerdown", (event) => {
      if (!this.view) return;
      this.picture.setPointerCapture(event.pointerId);
      this.drag = { from: this.view.mmOf(event), x_mm: this.values.x_mm, y_mm: this.values.y_mm };
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (!this.drag || !this.view) return;
      const [x, y] = this.view.mmOf(event);
      this.moveTo(this.drag.x_mm + x - this.drag.from[0], this.drag.y_mm + y - this.drag.from[1]);
    });
    const end = () => (this.drag = null);
    this.picture.addEventListener("pointerup", end);
    this.picture.addEventListener("pointercancel", end);
    this.picture.addEventListener("keydown", (event) => {
      const steps: Record<string, [number, number]> = {
        ArrowLeft: [-0.25, 0], ArrowRight: [0.25, 0], ArrowUp: [0, 0.25], ArrowDown: [0, -0.25],
      };
      const step = steps[event.key];
      if (step) this.moveTo(this.values.x_mm + step[0], this.values.y_mm + step[1]);
      else if (event.key === "Enter" || event.key === " ") this.player.toggle();
      else return;
      event.preventDefault();
    });
  }

  /** Takes over what was drawn for a trial. */
  take(drawn: Drawn): void {
    const { x_mm, y_mm, theta_rad, mu_jaw, mu_support } = drawn;
    Object.assign(this.values, { x_mm, y_mm, theta_rad, mu_jaw, mu_support });
    for (const [key, one] of this.sliders) one.set(this.values[key]);
    this.changed();
    byId("live-section").scrollIntoView({ behavior: "smooth" });
  }
}
