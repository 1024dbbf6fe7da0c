// Puts the panels together: a change of the design begins a run, and what comes of it is shown.

import type { Config, Difference, Trial } from "../package/src/engine";
import type { Pool } from "../package/src/pool";
import type { Facts } from "../report/facts";
import type { Reasons } from "../report/reasons";
import { byId, h } from "../report/dom";
import { AnswerPanel, bestOf, DecisionPanel } from "./answer_panel";
import { changeLines, type Design, History, withChange } from "./design";
import { DesignPanel } from "./design_panel";
import { EditorPanel, KeysPanel } from "./editor_panel";
import { GraspPanel } from "./grasp_panel";
import { Intake } from "./intake";
import { MapPanel } from "./map_panel";
import { PartPicture } from "./part_picture";
import { ProblemBar } from "./problem_bar";
import { ProgramPanel } from "./program_panel";
import { type Decisions, type Problem, Runner, type Shown } from "./run";
import { SetupPanel } from "./setup_panel";
import { StartPage, takeDrops } from "./start_page";
import { type Files, save } from "./storage";
import { SuccessPanel } from "./success_panel";
import { texts } from "./texts";
import { isWritten, writtenText } from "./toml";
import { TopBar } from "./top_bar";

const SAVE_MS = 250;
const NOTE_MS = 6000;

export class Studio {
  readonly runner: Runner;
  private history: History | null = null;
  private readonly answer = new AnswerPanel();
  private readonly decisions = new DecisionPanel();
  private readonly map = new MapPanel();
  private readonly grasp: GraspPanel;
  private readonly picture: PartPicture;
  private readonly success: SuccessPanel;
  private readonly program: ProgramPanel;
  private readonly setup: SetupPanel;
  private readonly editor: EditorPanel;
  private readonly keys: KeysPanel;
  private readonly design: DesignPanel;
  private readonly start: StartPage;
  private readonly intake: Intake;
  private readonly problems = new ProblemBar(() => this.undo());
  private readonly bar: TopBar;
  private saving = 0;
  private unsaved: () => void = () => undefined;
  private shown: Shown | null = null;
  private config: Config | null = null;
  private facts: Facts | null = null;
  private decided: Decisions | null = null;

  constructor(
    private readonly pool: Pool,
    schema: Record<string, any>,
    grippers: Record<string, any>[],
    private readonly files: Files,
  ) {
    this.runner = new Runner(pool, {
      config: (config, facts) => this.takeConfig(config, facts),
      shown: (shown) => this.takeMap(shown),
      decided: (decisions) => this.takeDecisions(decisions),
      problem: (problem) => this.takeProblem(problem),
    });
    const change = (key: string, value: string, drag = "") => this.changeAll([[key, value]], drag);
    this.grasp = new GraspPanel((method, ...args) => this.pool.ask<Trial>(method, ...args));
    this.picture = new PartPicture(change, () => this.history?.endDrag());
    this.success = new SuccessPanel(change);
    this.program = new ProgramPanel(change);
    this.setup = new SetupPanel({
      schema,
      grippers,
      change,
      changes: (pairs) => this.changeAll(pairs),
      ended: () => this.history?.endDrag(),
      turn: (degrees) => void this.intake.turn(degrees),
      fingerFile: (file) => void this.intake.takeFinger(file),
    });
    this.editor = new EditorPanel((toml) => this.push({ ...this.now, toml, changes: [], source: null }));
    this.keys = new KeysPanel(schema, change);
    this.design = new DesignPanel(
      pool,
      () => ({ toml: this.now.toml, changes: changeLines(this.now.changes) }),
      (pairs) => this.changeAll(pairs),
    );
    this.start = new StartPage({
      files: (files) => void this.intake.take(files),
      shape: (shape, size) => void this.intake.from({ drawing: "", options: { shape, "size-mm": size } }),
      choose: (options) => void this.intake.choose(options),
    });
    this.intake = new Intake({
      pool,
      files,
      now: () => this.history?.now ?? null,
      open: (design) => this.begin(design),
      push: (design) => this.push(design),
      change,
      again: () => this.history && this.apply(),
      choose: (choice) => {
        this.problems.hide();
        this.showStart(true);
        this.start.offer(choice);
      },
      problem: (message) => this.problems.show({ message, faults: [] }, false),
    });
    this.bar = new TopBar({
      undo: () => this.undo(),
      redo: () => this.redo(),
      open: () => this.showStart(true),
      pin: () => void this.pin(),
      toggle: (panel) => this.toggle(panel),
      exported: {
        pool,
        shown: () => this.shown,
        decided: () => this.decided,
        picture: () => this.map.picture,
        problem: (message) => this.problems.show({ message, faults: [] }, false),
      },
    });
    this.build();
  }

  private get now(): Design {
    return this.history!.now;
  }

  private build(): void {
    this.setup.put(this.picture.element, this.success.element, this.program.element);
    this.picture.onPick = (name, facesRight) => this.success.pick(name, facesRight);
    this.map.onPoint = (at, theta) => this.grasp.at(at, theta, this.map.placeText(at, theta), false);
    this.map.onChoose = (cell) => this.takeCell(cell);
    this.map.onReasons = () => void this.askReasons();
    byId("bar").replaceChildren(...this.bar.elements);
    byId("problem").replaceWith(this.problems.element);
    byId("start").replaceChildren(this.start.element);
    byId("work").replaceChildren(
      h("aside", { class: "setup_column", "aria-label": texts.setup.part }, this.setup.element),
      h("div", { class: "answer_place" }, this.answer.element),
      h("div", { class: "map_column" }, this.map.element),
      h(
        "div",
        { class: "side_column" },
        this.editor.element,
        this.keys.element,
        this.grasp.element,
        this.decisions.element,
        this.design.element,
      ),
    );
    takeDrops((files) => void this.intake.take(files));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("pagehide", () => this.unsaved());
  }

  private key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.target instanceof HTMLTextAreaElement) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) this.redo();
    else return;
    event.preventDefault();
  }

  showStart(is: boolean): void {
    byId("start").hidden = !is;
    byId("work").hidden = is;
    this.bar.setWorking(!is && this.history !== null, this.history !== null);
    this.start.offer(null);
    if (is) this.bar.onBack = this.history ? () => this.showStart(false) : null;
  }

  /** A new step: the design is opened, and its run begins. */
  push(design: Design, drag = ""): void {
    if (this.history) this.history.push(design, drag);
    else this.history = new History(design);
    this.apply(drag !== "");
  }

  private apply(isDrag = false): void {
    this.bar.setHistory(this.history!.canUndo, this.history!.canRedo, this.now.name);
    this.decisions.begin();
    this.runner.start(this.now, isDrag);
  }

  undo(): void {
    if (!this.history?.canUndo) return;
    this.history.undo();
    this.apply();
  }

  redo(): void {
    if (!this.history?.canRedo) return;
    this.history.redo();
    this.apply();
  }

  /** Changes of several keys in one step. An empty value takes a key away. */
  changeAll(pairs: [string, string][], drag = ""): void {
    if (!this.history) return;
    const { toml } = this.now;
    let { changes } = this.now;
    for (const [key, value] of pairs) {
      changes = withChange(changes, key, value);
      if (value === "" && !isWritten(toml, key)) changes = changes.slice(0, -1);
    }
    this.push({ ...this.now, changes }, drag);
  }

  /** Another part: what was seen of the one before goes. */
  begin(design: Design): void {
    this.problems.hide();
    this.grasp.forget();
    this.push(design);
    this.showStart(false);
  }

  /** A drawing that came with the page. */
  beginWith(drawing: string): Promise<void> {
    this.showStart(true); // until it is read, or to choose in it
    return this.intake.from({ drawing, options: {} });
  }

  private takeConfig(config: Config, facts: Facts): void {
    const { document } = config;
    const design = this.runner.opened ?? this.now;
    const written = (table: string, key: string): string | null => {
      const change = design.changes.filter(([name]) => name === `${table}.${key}`).pop();
      return change ? change[1].replace(/^"(.*)"$/, "$1") : writtenText(design.toml, table, key);
    };
    const isFirst = this.config === null;
    [this.config, this.facts] = [config, facts];
    this.problems.hide();
    this.answer.begin(config.doubts);
    this.success.show(document, config.success);
    this.program.show(document);
    this.setup.show(document, design.source !== null && design.source.drawing !== "", {
      material: written("part", "material"),
      model: written("gripper", "model"),
    });
    this.keys.show(document);
    this.design.show(document);
    this.editor.show(design.changes.length === 0 ? design.toml : config.toml);
    this.grasp.setFacts(facts, document);
    this.drawPart();
    this.keep(design, isFirst);
  }

  /** Saves a design that works, a moment later: not at each step of a drag. */
  private keep(design: Design, isFirst: boolean): void {
    clearTimeout(this.saving);
    this.unsaved = () => {
      this.unsaved = () => undefined;
      if (!save({ design, files: this.files }) && isFirst) this.problems.note(texts.notKept);
    };
    this.saving = setTimeout(() => this.unsaved(), SAVE_MS);
  }

  private drawPart(best: [number, number] | null = null): void {
    const { config, facts } = this;
    if (!config || !facts) return;
    const { x_mm, y_mm } = facts.axes;
    const middle: [number, number] = [(x_mm.min + x_mm.max) / 2, (y_mm.min + y_mm.max) / 2];
    this.picture.show({
      document: config.document,
      facts,
      theta: this.map.theta || facts.axes.theta_rad.min,
      at: best ?? middle,
      left: this.success.touched("left"),
      right: this.success.touched("right"),
    });
  }

  private takeMap(shown: Shown): void {
    const isFirst = this.shown?.facts !== shown.facts;
    this.shown = shown;
    this.answer.show(shown);
    this.map.show(shown);
    if (isFirst) {
      this.decided = null;
      const best = shown.cells.reduce(
        (a, cell, k) => (cell.probability > shown.cells[a].probability ? k : a),
        Math.floor(shown.cells.length / 2),
      );
      const at = this.map.centreOf(best);
      this.grasp.again(at, this.map.theta, this.map.placeText(at, this.map.theta));
      document.documentElement.dataset.maps = String(Number(document.documentElement.dataset.maps ?? 0) + 1);
    }
  }

  private takeDecisions(decisions: Decisions): void {
    this.decided = decisions;
    this.decisions.show(decisions);
    const best = bestOf(decisions) ?? decisions.spot;
    this.map.showBest(best);
    if (!best) return;
    const at: [number, number] = [best.x_mm, best.y_mm];
    this.drawPart(at);
    this.grasp.at(at, this.map.theta, this.map.placeText(at, this.map.theta), false);
  }

  private takeProblem(problem: Problem): void {
    this.problems.show(problem, this.history?.canUndo ?? false);
    this.answer.problem(problem);
    if (this.editor.isOpen) this.editor.problem(problem);
  }

  private takeCell(cell: number): void {
    const { shown } = this;
    if (!shown) return;
    const at = this.map.centreOf(cell);
    this.grasp.at(at, this.map.theta, this.map.placeText(at, this.map.theta), true);
    this.grasp.cell(shown, cell);
  }

  private async askReasons(): Promise<void> {
    const { facts } = this;
    try {
      const reasons = JSON.parse(await this.pool.ask<string>("part", "reasons")) as Reasons | null;
      if (facts === this.facts) this.map.showReasons(reasons);
    } catch (error) {
      this.problems.show({ message: (error as Error).message, faults: [] }, false);
    }
  }

  private async pin(): Promise<void> {
    const { shown } = this;
    const isPinned = !this.map.isPinned && shown !== null;
    await this.pool.pin(isPinned);
    if (shown) shown.difference = isPinned ? await this.pool.ask<Difference>("difference") : null;
    this.map.pin(isPinned ? texts.bar.pinnedAs(this.now.name) : "");
    this.bar.setPinned(isPinned);
  }

  private toggle(panel: "toml" | "keys"): boolean {
    const { element } = panel === "toml" ? this.editor : this.keys;
    element.hidden = !element.hidden;
    if (panel === "keys" && !element.hidden) this.keys.draw();
    if (!element.hidden) element.querySelector<HTMLElement>("textarea, input")?.focus();
    return !element.hidden;
  }

  /** Something to know for a moment. */
  note(words: string): void {
    this.problems.note(words, NOTE_MS);
  }
}
