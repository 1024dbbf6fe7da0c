// The run of the present design: it begins again with each change and reports what is known by now.

import type { Config, Decision, Difference, Fault } from "../package/src/engine";
import { InputError } from "../package/src/engine";
import type { Pool, Progress } from "../package/src/pool";
import type { Facts } from "../report/facts";
import { type MapCell, readMap } from "../report/success_map";
import { changeLines, type Design } from "./design";
import { texts } from "./texts";

/** What a picture needs: a map by now, and what it is of. */
export interface Shown {
  design: Design;
  config: Config;
  facts: Facts;
  cells: MapCell[];
  csv: string;
  difference: Difference | string | null; // to the pinned design, or why there is no difference
  headline: string;
  trials: number;
  trialsAsked: number;
  standardError: number;
  done: boolean;
}

/** The answers that need the whole map. */
export interface Decisions {
  plan: Decision | null;
  pose: Decision | null;
  spot: { x_mm: number; y_mm: number; half_width_mm: number; asGood: null } | null; // where there is no plan
  problem: string; // why they are missing
}

export interface Problem {
  message: string;
  faults: Fault[];
}

export interface Watch {
  config(config: Config, facts: Facts): void;
  shown(shown: Shown): void;
  decided(decisions: Decisions): void;
  problem(problem: Problem): void;
}

/** Whether the 95 % interval of the answer is as narrow as with a standard error of one point. */
function isKnown(headline: string): boolean {
  const interval = /95 % interval\s+([\d.]+)\s+to\s+([\d.]+) %/.exec(headline);
  return interval !== null && Number(interval[2]) - Number(interval[1]) < 2 * 1.96;
}

export class Runner {
  private runs = 0;
  private next: { design: Design; begun: number } | null = null;
  private isOpening = false;
  private awaitsMap = false;
  /** The design that the engines have; nothing after a wrong one. */
  opened: Design | null = null;
  /** Milliseconds from a change to the first map, and to an answer whose standard error is below a point. */
  readonly times: { firstMap: number[]; onePoint: number[] } = { firstMap: [], onePoint: [] };

  constructor(
    readonly pool: Pool,
    private readonly watch: Watch,
  ) {}

  /**
   * Runs a design in place of the one before. While a slider moves, a run that has begun may show its
   * first map: else a drag would show none.
   */
  start(design: Design, isDrag: boolean): void {
    this.next = { design, begun: performance.now() };
    if (!this.isOpening && !(isDrag && this.awaitsMap)) this.begin();
  }

  private begin(): void {
    const { next } = this;
    this.next = null;
    if (next) void this.run(next.design, next.begun);
  }

  private async run(design: Design, begun: number): Promise<void> {
    const run = ++this.runs;
    const isOver = (): boolean => run !== this.runs;
    this.isOpening = true;
    this.awaitsMap = true;
    let facts: Facts | null = null;
    let waits: Progress | null = null;
    let isFirst = true;
    let isFine = false;
    const show = (progress: Progress): void => {
      if (isOver()) return;
      waits = progress;
      if (!facts) return;
      this.watch.shown(this.shown(design, facts, progress));
      const passed = performance.now() - begun;
      if (isFirst) this.times.firstMap.push(passed);
      if (!isFine && isKnown(progress.answer.headline)) {
        isFine = true;
        this.times.onePoint.push(passed);
      }
      isFirst = false;
      this.awaitsMap = false;
      this.begin();
    };
    const read = async (config: Config): Promise<void> => {
      const text = await this.pool.ask<string>("part", "facts");
      if (isOver()) return;
      facts = JSON.parse(text) as Facts;
      this.watch.config(config, facts);
      if (waits) show(waits);
    };
    try {
      let reading: Promise<void> | null = null;
      const last = await this.pool.run(design.toml, {
        changes: changeLines(design.changes),
        onConfig: (config) => {
          this.isOpening = false;
          this.opened = design;
          reading = read(config);
          reading.catch(() => undefined);
        },
        onProgress: show,
      });
      await reading;
      if (isOver()) return;
      show(last);
      const decisions = await this.decide(last.config.document.robot !== undefined);
      if (!isOver()) this.watch.decided(decisions);
    } catch (error) {
      if (isOver() || (error as Error).name === "AbortError") return;
      this.isOpening = false;
      this.awaitsMap = false;
      this.opened = null;
      if (this.next) return this.begin();
      const faults = error instanceof InputError ? error.faults : [];
      this.watch.problem({ message: (error as Error).message, faults });
    }
  }

  private shown(design: Design, facts: Facts, { config, answer, map, difference, done }: Progress): Shown {
    return {
      design,
      config,
      facts,
      cells: readMap(map, facts.outcomes),
      csv: map,
      difference,
      headline: answer.headline,
      trials: answer.trials,
      trialsAsked: answer.trials_asked,
      standardError: answer.standard_error,
      done,
    };
  }

  private async decide(hasRobot: boolean): Promise<Decisions> {
    const decisions: Decisions = { plan: null, pose: null, spot: null, problem: "" };
    for (const command of hasRobot ? (["plan", "pose"] as const) : (["pose"] as const)) {
      try {
        decisions[command] = await this.pool.ask<Decision>("decide", command, {});
      } catch (error) {
        decisions.problem ||= (error as Error).message;
      }
    }
    if (!hasRobot) {
      const { sweet_spot: spot } = JSON.parse(await this.pool.ask<string>("part", "facts")) as Facts;
      if (spot.found)
        decisions.spot = { x_mm: spot.x_mm, y_mm: spot.y_mm, half_width_mm: spot.half_width_mm, asGood: null };
      decisions.problem ||= texts.answer.noRobot;
    }
    return decisions;
  }

  /** Ends the run: what comes of it is no longer reported. */
  stop(): void {
    ++this.runs;
    this.next = null;
    this.isOpening = this.awaitsMap = false;
    this.pool.stop();
  }
}
