// The simulator of the page, started when it is asked for first.

import { Engine, type Placement, type Trial } from "../package/src/engine";
import type { ReportData } from "./report_data";
import type { Drawn } from "./sampler";

export class Simulator {
  private engine: Engine | null = null;
  /** Why it cannot simulate; "" while it can. */
  problem = "";

  static async start(report: ReportData): Promise<Simulator> {
    const simulator = new Simulator();
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

  simulate(placement: Placement, overrides: string[] = []): Trial {
    if (!this.engine) throw new Error(this.problem);
    return this.engine.trial(placement, overrides);
  }
}

export const placementOf = (drawn: Drawn): Placement => ({
  x_mm: drawn.placement[0],
  y_mm: drawn.placement[1],
  theta_rad: drawn.placement[2],
  mu_jaw: drawn.muJaw,
  mu_support: drawn.muSupport,
});
