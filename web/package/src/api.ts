// What scripts and pages call: the same on every platform.

import { type Config, type Decision, Engine, type Options, type Placement, type Trial } from "./engine";
import { Pool, type Progress, type RunOptions, type SearchOptions, type WorkerLike } from "./pool";

/** Where it runs: node, or a browser. */
export interface Platform {
  /** The engine's bytes. */
  wasm(): Promise<BufferSource>;
  spawn(): WorkerLike;
  threads(): number;
}

/** Files that a configuration or an option names, by these names. */
export type Files = Record<string, string | Uint8Array>;

export interface RunRequest extends RunOptions {
  threads?: number; // default: as many as the machine has
  files?: Files;
}

/** A run that is complete. It keeps its engines until end(). */
export class Run {
  constructor(
    private readonly pool: Pool,
    readonly progress: Progress,
  ) {}

  get config(): Config {
    return this.progress.config;
  }

  /** Where to put the gripper, in words. */
  get headline(): string {
    return this.progress.answer.headline;
  }

  /** The map as CSV, as `graspmap run` writes it. */
  get map(): string {
    return this.progress.map;
  }

  /** "config", "map", "summary", "text", "trials_csv": what `graspmap run` writes or prints. */
  part(name: string): Promise<string> {
    return this.pool.ask("part", name);
  }

  /** The digest of all trials: that of `graspmap hash`. */
  digest(): Promise<string> {
    return this.part("digest");
  }

  /** The answer of `graspmap plan`, with its options: {"position-sigma-mm": "1,1"}. */
  plan(options: Options = {}): Promise<Decision> {
    return this.pool.ask("decide", "plan", options);
  }

  /** How the part lies in the hand: `graspmap pose`. */
  pose(options: Options = {}): Promise<Decision> {
    return this.pool.ask("decide", "pose", options);
  }

  /** Whether it stays there: `graspmap hold`. */
  hold(options: Options = {}): Promise<Decision> {
    return this.pool.ask("decide", "hold", options);
  }

  /** A trial of the run as it moves. */
  trial(index: number): Promise<Trial> {
    return this.pool.ask("trialOfRun", index);
  }

  /** Ends the engines. */
  end(): void {
    this.pool.end();
  }
}

export interface SimulateRequest {
  changes?: string[]; // "gripper.closing_force_n=20"
  files?: Files;
}

export interface SearchRequest extends SearchOptions {
  files?: Files;
}

/** The functions, on a platform. */
export function functionsOn(platform: Platform) {
  /** Engines in worker threads. */
  async function startPool(threads = platform.threads()): Promise<Pool> {
    return Pool.start(await platform.wasm(), platform.spawn, threads);
  }

  /** Runs a configuration, TOML, as `graspmap run`: the same trials, to the last bit. */
  async function run(toml: string, request: RunRequest = {}): Promise<Run> {
    const pool = await startPool(request.threads);
    for (const [name, content] of Object.entries(request.files ?? {})) pool.addFile(name, content);
    try {
      return new Run(pool, await pool.run(toml, request));
    } catch (error) {
      pool.end();
      throw error;
    }
  }

  /** Simulates trials of a configuration at points of one's own. */
  async function simulate(toml: string, points: Placement[], request: SimulateRequest = {}): Promise<Trial[]> {
    const engine = await Engine.start(await platform.wasm());
    for (const [name, content] of Object.entries(request.files ?? {})) engine.addFile(name, content);
    engine.open(toml, request.changes);
    return points.map((point) => engine.trial(point));
  }

  /** Runs a configuration and plans where to put the gripper. */
  async function plan(toml: string, options: Options = {}, request: RunRequest = {}): Promise<Decision> {
    const done = await run(toml, request);
    try {
      return await done.plan(options);
    } finally {
      done.end();
    }
  }

  /** Searches the best design, or a sequence of squeezes: `graspmap design` and `graspmap sequence`. */
  async function search(command: "design" | "sequence", toml: string, options: Options = {}, request: SearchRequest = {}): Promise<Decision> {
    const pool = await startPool(1);
    for (const [name, content] of Object.entries(request.files ?? {})) pool.addFile(name, content);
    try {
      return await pool.search(command, toml, options, request);
    } finally {
      pool.end();
    }
  }

  /**
   * A configuration that runs as it is, from a DXF or SVG drawing, as `graspmap init` writes it, and what
   * was understood of the drawing. Options are those of init: {"material": "aluminium"}.
   */
  async function importDrawing(name: string, content: string | Uint8Array, options: Options = {}): Promise<{ toml: string; text: string }> {
    const engine = await Engine.start(await platform.wasm());
    engine.addFile(name, content);
    return engine.firstConfig(name, options);
  }

  return { startPool, run, simulate, plan, search, importDrawing };
}
