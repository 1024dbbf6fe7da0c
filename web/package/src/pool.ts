// A run on all processors: engines in workers. The first of them takes the trials of all, and answers.

import { type Answer, type Config, type Decision, type Difference, InputError, type Options, type Range } from "./engine";
import type { Reply } from "./worker";

/** A worker as this file needs it: those of browsers and of node are made to fit. */
export interface WorkerLike {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** Gets the replies; a worker that breaks down gives an error. */
  listen(reply: (reply: Reply) => void, error: (error: Error) => void): void;
  /** Whether a reply is awaited: meanwhile node stays alive. */
  busy?(is: boolean): void;
  end(): void;
}

/** What is known by now. */
export interface Progress {
  config: Config;
  answer: Answer;
  map: string; // map.csv
  difference: Difference | string | null; // to the pinned run, or why it is unknown; null: nothing is pinned
  done: boolean;
}

export interface RunOptions {
  changes?: string[]; // "gripper.closing_force_n=20"
  onConfig?: (config: Config) => void; // it was read
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface SearchOptions {
  changes?: string[];
  onLine?: (line: string) => void; // a step of the search
  signal?: AbortSignal;
}

/** A run or a search was ended by its signal, or by the next run. */
export class Aborted extends Error {
  constructor() {
    super("it was ended");
    this.name = "AbortError";
  }
}

interface Waiting {
  resolve: (result: any) => void;
  reject: (error: Error) => void;
  onLine?: (line: string) => void;
}

/** An engine in a worker. */
class RemoteEngine {
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;

  constructor(private readonly worker: WorkerLike) {
    worker.listen(
      (reply) => this.take(reply),
      (error) => this.fail(error),
    );
  }

  private take(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    if ("line" in reply) return waiting.onLine?.(reply.line);
    this.waiting.delete(reply.id);
    if (this.waiting.size === 0) this.worker.busy?.(false);
    if (reply.error) waiting.reject(new InputError(reply.error.message, reply.error.faults));
    else waiting.resolve(reply.result);
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  ask<T>(method: string, args: unknown[] = [], transfer: ArrayBuffer[] = [], onLine?: (line: string) => void): Promise<T> {
    const id = ++this.calls;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onLine });
      this.worker.busy?.(true);
      this.worker.post({ id, method, args }, transfer);
    });
  }

  end(): void {
    this.worker.end();
    this.fail(new Aborted());
  }
}

const CHUNK_MS = 25; // of simulation: a change waits for no longer
const LOOK_MS = 120; // between two looks at the map

/** How many trials an engine gets at once: as many as took a chunk's time before. */
class Pacer {
  trials = 16;

  took(trials: number, ms: number): void {
    this.trials = Math.max(1, Math.min(2 * this.trials, Math.round((trials * CHUNK_MS) / Math.max(ms, 0.1)), 4096));
  }
}

/** Ranges that are given out in pieces, in order. */
class Queue {
  private next = 0;

  constructor(private readonly ranges: Range[]) {}

  take(most: number): Range | null {
    const range = this.ranges[this.next];
    if (!range) return null;
    const [first, end] = range;
    const middle = Math.min(end, first + most);
    if (middle === end) ++this.next;
    else this.ranges[this.next] = [middle, end];
    return [first, middle];
  }
}

/** A run while it grows. Of an older one nothing counts any more. */
class Growing {
  private taken = 0;
  private lookedAt = 0;
  private lookMs = 0;
  private looking: Promise<Progress> | null = null;
  private readonly taking: Promise<unknown>[] = [];

  constructor(
    private readonly engines: RemoteEngine[],
    private readonly options: RunOptions,
    private readonly isOver: () => boolean,
    private readonly isPinned: () => boolean,
  ) {}

  check(): void {
    if (this.isOver()) throw new Aborted();
  }

  async run(toml: string): Promise<Progress> {
    const { changes = [], onConfig } = this.options;
    const [config] = await Promise.all(this.engines.map((engine) => engine.ask<Config>("open", [toml, changes])));
    this.check();
    onConfig?.(config);
    for (;;) {
      const ranges = await this.engines[0].ask<Range[]>("missing");
      this.check();
      if (ranges.length === 0) break;
      const queue = new Queue(ranges);
      await Promise.all(this.engines.map((engine) => this.work(engine, queue, config)));
      await Promise.all(this.taking.splice(0));
    }
    await this.looking;
    return this.look(config, true);
  }

  /** One engine simulates until the queue is empty. */
  private async work(engine: RemoteEngine, queue: Queue, config: Config): Promise<void> {
    const pacer = new Pacer();
    for (let range = queue.take(pacer.trials); range; range = queue.take(pacer.trials)) {
      const begun = performance.now();
      const records = await engine.ask<Uint8Array>("simulate", range);
      this.check();
      pacer.took(range[1] - range[0], performance.now() - begun);
      this.taking.push(this.take(records, range[1] - range[0], config));
    }
  }

  /** The first engine takes trials when it comes to it: those who have simulated them go on. */
  private take(records: Uint8Array, trials: number, config: Config): Promise<unknown> {
    const taking = this.engines[0].ask("take", [records], [records.buffer as ArrayBuffer]).then(() => {
      this.taken += trials;
      if (this.isOver() || !this.isDue(config)) return;
      this.looking = this.look(config, false);
      this.looking.catch(() => undefined); // of a run that is over: nobody waits for it
    });
    taking.catch(() => undefined); // `run` sees it
    return taking;
  }

  /** The first look comes when each cell has two trials; a look takes a third of the time at most. */
  private isDue(config: Config): boolean {
    if (!this.options.onProgress || this.looking || this.taken < Math.min(2 * config.cells, config.trials)) return false;
    return this.lookedAt === 0 || performance.now() - this.lookedAt > Math.max(LOOK_MS, 2 * this.lookMs);
  }

  private async look(config: Config, done: boolean): Promise<Progress> {
    const begun = performance.now();
    const judge = this.engines[0];
    try {
      const [answer, map, difference] = await Promise.all([
        judge.ask<Answer>("answer"),
        judge.ask<string>("part", ["map"]),
        this.isPinned() ? judge.ask<Difference>("difference").catch((error: Error) => error.message) : null,
      ]);
      this.check();
      const progress = { config, answer, map, difference, done };
      this.options.onProgress?.(progress);
      this.check();
      return progress;
    } finally {
      this.lookedAt = performance.now();
      this.lookMs = this.lookedAt - begun;
      this.looking = null;
    }
  }
}

export class Pool {
  private runs = 0;
  private isPinned = false;
  private readonly files = new Map<string, string | Uint8Array>();

  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly spawn: () => WorkerLike,
    private readonly engines: RemoteEngine[],
  ) {}

  /** Engines in `workers` workers, each made by `spawn`. */
  static async start(wasm: BufferSource | WebAssembly.Module, spawn: () => WorkerLike, workers: number): Promise<Pool> {
    if (typeof WebAssembly === "undefined") throw new Error("there is no WebAssembly here");
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    const engines = Array.from({ length: Math.max(1, workers) || 1 }, () => new RemoteEngine(spawn()));
    await Promise.all(engines.map((engine) => engine.ask("start", [module])));
    return new Pool(module, spawn, engines);
  }

  get workers(): number {
    return this.engines.length;
  }

  /** A file that configurations and options may name: a drawing, a table of deviations. */
  addFile(name: string, content: string | Uint8Array): void {
    this.files.set(name, content);
    for (const engine of this.engines) engine.ask("addFile", [name, content]).catch(() => undefined); // end() meanwhile
  }

  /**
   * Simulates a configuration, all cells alike at first, and reports what is known by now. Ends the run
   * before. Throws InputError with all faults, and Aborted.
   */
  async run(toml: string, options: RunOptions = {}): Promise<Progress> {
    const run = ++this.runs;
    const isOver = (): boolean => run !== this.runs || options.signal?.aborted === true;
    return new Growing(this.engines, options, isOver, () => this.isPinned).run(toml);
  }

  /** Later runs are compared with the present one, trial by trial; false: no longer. */
  async pin(isPinned = true): Promise<void> {
    await this.ask("pin", isPinned);
    this.isPinned = isPinned;
  }

  /** Ends the run; what it has stays to be asked. */
  stop(): void {
    ++this.runs;
  }

  /** Calls a method of the engine that has the run: ask("decide", "plan", {"position-sigma-mm": 1}). */
  ask<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.engines[0].ask<T>(method, args);
  }

  /** Searches a design or a sequence for a configuration, in a worker of its own. */
  async search(command: "design" | "sequence", toml: string, options: Options, watch: SearchOptions = {}): Promise<Decision> {
    const engine = new RemoteEngine(this.spawn());
    const end = (): void => engine.end();
    watch.signal?.addEventListener("abort", end);
    try {
      if (watch.signal?.aborted) throw new Aborted();
      await engine.ask("start", [this.module]);
      for (const [name, content] of this.files) await engine.ask("addFile", [name, content]);
      await engine.ask("open", [toml, watch.changes ?? []]);
      return await engine.ask<Decision>("decide", [command, options], [], watch.onLine);
    } finally {
      watch.signal?.removeEventListener("abort", end);
      engine.end();
    }
  }

  /** Ends all workers. */
  end(): void {
    this.stop();
    for (const engine of this.engines) engine.end();
  }
}

/** A worker of a browser. */
export function fitted(worker: Worker): WorkerLike {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (reply, error) => {
      worker.onmessage = (event) => reply(event.data);
      worker.onerror = (event) => error(new Error(event.message));
    },
    end: () => worker.terminate(),
  };
}

/** Makes workers of a page from their script. */
export function pageWorkers(script: string): () => WorkerLike {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return () => fitted(new Worker(url));
}
