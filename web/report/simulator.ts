// graspmap in the page: it simulates trials, and reports what was drawn for them and what the run says under other
// errors and distributions.

import { type Drawn, Engine, type Placement, type Trial } from "../package/src/engine";
import type { ReportData } from "./report_data";

export class Simulator {
  private engine: Engine | null = null;
  private knowsOutcomes = false;
  private readonly known = new Map<number, Drawn>();
  /** Why it cannot simulate; "" while it can. */
  problem = "";

  private constructor(private readonly report: ReportData) {}

  static async start(report: ReportData): Promise<Simulator> {
    const simulator = new Simulator(report);
    if (!report.wasm) {
      simulator.problem = "not in this report";
    } else if (typeof WebAssembly === "undefined") {
      simulator.problem = "this browser has no WebAssembly";
    } else {
      try {
        const engine = await Engine.start(report.wasm);
        engine.open(report.config);
        simulator.engine = engine;
      } catch (error) {
        simulator.problem = `does not start here (${(error as Error).message})`;
      }
    }
    return simulator;
  }

  get works(): boolean {
    return this.engine !== null;
  }

  private get running(): Engine {
    if (!this.engine) throw new Error(this.problem);
    return this.engine;
  }

  simulate(placement: Placement, overrides: string[] = []): Trial {
    return this.running.trial(placement, overrides);
  }

  /** A trial of the run, with all that was drawn for it. */
  trial(index: number): Trial {
    return this.running.trialOfRun(index);
  }

  /** What was drawn for a trial of the run; null where it does not work. */
  drawn(index: number): Drawn | null {
    if (!this.engine) return null;
    const drawn = this.known.get(index) ?? this.engine.drawn(index);
    this.known.set(index, drawn);
    return drawn;
  }

  /** The engine with the outcomes of the report's trials. */
  get run(): Engine {
    const { ranges, outcome } = this.report.trials;
    if (!this.knowsOutcomes) this.running.takeOutcomes(ranges, outcome);
    this.knowsOutcomes = true;
    return this.running;
  }
}
