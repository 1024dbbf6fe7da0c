// The simulator of the page, started when it is asked for first.

import { type Live, type LiveTrial, openLive, type Placement } from "./live";
import type { ReportData } from "./report_data";
import type { Drawn } from "./sampler";

export class Simulator {
  private live: Live | null = null;
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
        simulator.live = await openLive(report.wasm, report.config);
      } catch (error) {
        simulator.problem = `does not start here (${(error as Error).message})`;
      }
    }
    return simulator;
  }

  get works(): boolean {
    return this.live !== null;
  }

  simulate(placement: Placement, overrides: string[] = []): LiveTrial {
    if (!this.live) throw new Error(this.problem);
    const trial = this.live.simulate(placement, overrides);
    if (this.live.error !== "") throw new Error(this.live.error);
    return trial;
  }
}

export const placementOf = (drawn: Drawn): Placement => ({
  x_mm: drawn.placement[0],
  y_mm: drawn.placement[1],
  theta_rad: drawn.placement[2],
  mu_jaw: drawn.muJaw,
  mu_support: drawn.muSupport,
});
