// The engine: graspmap as WebAssembly (web/engine), texts and bytes in and out. One run at a time; calls are
// synchronous. Pages and node use the same module, and many of it at once in workers.

export interface Contact {
  side: number; // 0 right, 1 left, 2 palm, 3 an obstacle
  x_mm: number; // in the gripper's frame
  y_mm: number;
  normal_x: number; // out of the jaw
  normal_y: number;
  normal_force_n: number; // on the part
  friction_force_n: number; // on the part, along the normal turned by +90 degrees
  grip: number; // 0 rests, 1 sticks, 2 slides
}

export interface Frame {
  time_s: number;
  part: [number, number, number]; // x_mm, y_mm, theta_rad in the gripper's frame
  jaws: [number, number]; // right_x_mm, left_x_mm
  gripper: [number, number, number]; // x_mm, y_mm, theta_rad on the table
  phase: number; // of the program, from 0
  contacts: Contact[];
}

export interface Trial {
  outcome: string;
  end_time_s: number;
  end: [number, number, number]; // x_mm, y_mm, theta_rad of the part, all their digits
  story: string; // the text of `graspmap replay`
  frames: Frame[];
}

export interface Placement {
  x_mm: number;
  y_mm: number;
  theta_rad: number;
  mu_jaw: number;
  mu_support: number;
}

/** What is drawn for a trial of a run: a placement with the noise, and besides: */
export interface Drawn extends Placement {
  intended: Pose; // without the noise
  uncertain: Record<string, number>; // by their keys
}

/** x_mm, y_mm, theta_rad; of an error its standard deviations, 0: exact. */
export type Pose = [x_mm: number, y_mm: number, theta_rad: number];

/** A success probability with its 95 % interval. */
export interface Success {
  success_probability: number;
  interval: [low: number, high: number];
}

/** The placement that `graspmap plan` finds first. */
export interface BestPlacement extends Success {
  x_mm: number;
  y_mm: number;
  theta_rad: number;
  judged_sigma?: Pose; // with which it was judged, where the trials are too sparse for the error
}

/** A run against a pinned one: success of this one less that of the other. */
export interface Difference {
  cells: number; // that have trials of both
  mean: number; // over them
  interval: [number, number]; // of it, 95 %
  better: number; // cells that differ beyond chance
  worse: number;
  values: number[]; // of each cell; NaN where one of the runs has no trials
}

/** A run under other distributions, as `graspmap reweight` has it. Numbers with too few trials are NaN. */
export interface Reweighted {
  effective_trials: number;
  median_effective_trials_of_cells: number;
  pareto_k: number | null; // null: no tail
  warning: string; // why not to trust it; ""
  cells: Record<"success_probability" | "low" | "high" | "effective_trials", number[]>; // in the order of the map
}

/** What is wrong with one key of a configuration, or one option of a decision. */
export interface Fault {
  line: number; // of the text, from 1; 0 when it is not known
  key: string; // "gripper.opening_mm", "position-sigma-mm"
  what: string; // "is -1"
  allowed: string; // "must be a finite number > 0"
}

/** Wrong input: the message has a sentence for each fault. */
export class InputError extends Error {
  constructor(
    message: string,
    readonly faults: Fault[] = [],
  ) {
    super(message);
    this.name = "InputError";
  }
}

/** A configuration that was read. */
export interface Config {
  document: Record<string, any>; // resolved: each key with its value
  toml: string; // the same as text, for `graspmap run`
  cells: number;
  trials: number; // of the whole run, of an adaptive one at most
  success: string[]; // what a success is, in words
  doubts: string[]; // what is most likely a slip
}

/** What a run says by now. */
export interface Answer {
  headline: string;
  complete: boolean;
  trials_per_cell: number;
  trials: number;
  trials_asked: number;
  failed: number; // trials that could not be simulated
  standard_error: number; // the mean over the mixed cells
  independent_trials: number; // of the same precision
}

/** The answer of a command: its text, and its files by their names. */
export interface Decision {
  text: string;
  files: Record<string, string>;
}

/** Options of a command, as on the command line: {"position-sigma-mm": "1,1"}. */
export type Options = Record<string, string | number | (string | number)[]>;

/** The trials first, first + 1, ..., end - 1. */
export type Range = [first: number, end: number];

/** The bytes of a trial that `simulate` gives and `take` takes. */
export const RECORD_BYTES = 200;

type PackedContact = [number, number, number, number, number, number, number, number];
type PackedFrame = [number, number, number, number, number, number, number, number, number, number, ...PackedContact[]];

interface Module {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  _initialize(): void;
  engine_answer_bytes(): number;
  engine_add_file(name: number, bytes: number, size: number): void;
  engine_open(toml: number, changes: number): number;
  engine_missing(): number;
  engine_simulate(first: number, end: number): number;
  engine_take(records: number, size: number): number;
  engine_take_outcomes(ranges: number, outcomes: number, size: number): number;
  engine_extend(trials_per_cell: number): number;
  engine_part(name: number): number;
  engine_decide(command: number, options: number): number;
  engine_trial(x_mm: number, y_mm: number, theta_rad: number, mu_jaw: number, mu_support: number, changes: number): number;
  engine_trial_of_run(index: number): number;
  engine_drawn(index: number): number;
  engine_expected(x_mm: number, y_mm: number, theta_rad: number, cell_theta: number): number;
  engine_expected_at(sigma_x_mm: number, sigma_y_mm: number, sigma_theta_rad: number, x_mm: number, y_mm: number, theta_rad: number): number;
  engine_best_placement(x_mm: number, y_mm: number, theta_rad: number): number;
  engine_pin(is_pinned: boolean): number;
  engine_difference(): number;
  engine_reweight(laws: number): number;
  engine_first_config(drawing: number, options: number): number;
  engine_schema(): number;
  engine_grippers(): number;
}

function contactOf(packed: PackedContact): Contact {
  const [side, x_mm, y_mm, normal_x, normal_y, normal_force_n, friction_force_n, grip] = packed;
  return { side, x_mm, y_mm, normal_x, normal_y, normal_force_n, friction_force_n, grip };
}

function frameOf(packed: PackedFrame): Frame {
  const [time_s, x_mm, y_mm, theta_rad, right_x_mm, left_x_mm, gripper_x_mm, gripper_y_mm, gripper_theta_rad, phase, ...contacts] =
    packed;
  return {
    time_s,
    part: [x_mm, y_mm, theta_rad],
    jaws: [right_x_mm, left_x_mm],
    gripper: [gripper_x_mm, gripper_y_mm, gripper_theta_rad],
    phase,
    contacts: contacts.map(contactOf),
  };
}

/** "name=value", one a line. */
function optionLines(options: Options): string {
  const lines = Object.entries(options).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${one}`),
  );
  const wrong = lines.find((line) => line.includes("\n"));
  if (wrong !== undefined) throw new InputError(`an option is one line: ${wrong}`);
  return lines.join("\n");
}

// What the module asks of its system. It has no files, no environment, and never ends. `graspmap report` leaves out a
// module that asks for anything else (grasp/show/report/live_module.cpp looks for these names).
function system(memory: () => WebAssembly.Memory, written: (bytes: Uint8Array) => void): WebAssembly.Imports {
  const noFile = () => 8; // EBADF of WASI
  const noEntry = () => -44; // -ENOENT of emscripten
  return {
    env: {
      emscripten_notify_memory_growth: () => undefined,
      __syscall_stat64: noEntry,
      __syscall_lstat64: noEntry,
      __syscall_fstat64: noEntry,
      __syscall_fstatat64: noEntry,
      __syscall_getcwd: (path: number) => {
        new Uint8Array(memory().buffer).set([0x2f, 0], path); // "/"
        return 2;
      },
    },
    wasi_snapshot_preview1: {
      environ_sizes_get: (count: number, size: number) => {
        const words = new Uint32Array(memory().buffer);
        words[count >> 2] = 0;
        words[size >> 2] = 0;
        return 0;
      },
      environ_get: () => 0,
      clock_time_get: (_clock: number, _precision: bigint, time: number) => {
        new DataView(memory().buffer).setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_close: noFile,
      fd_read: noFile,
      fd_seek: noFile,
      fd_write: (_file: number, pieces: number, count: number, total: number) => {
        const view = new DataView(memory().buffer);
        let size = 0;
        for (let k = 0; k < count; ++k) {
          const bytes = view.getUint32(pieces + 8 * k + 4, true);
          written(new Uint8Array(memory().buffer, view.getUint32(pieces + 8 * k, true), bytes));
          size += bytes;
        }
        view.setUint32(total, size, true);
        return 0;
      },
      proc_exit: (code: number) => {
        throw new Error(`the engine ended (${code})`);
      },
    },
  };
}

/** Whether an answer is an error, and which. */
function errorIn(text: string): InputError | null {
  if (!/^\{\s*"error":/.test(text)) return null;
  const { error, faults } = JSON.parse(text) as { error: string; faults?: Fault[] };
  return new InputError(error, faults);
}

export class Engine {
  /** Gets the lines of a search as it runs. */
  onLine: (line: string) => void = () => undefined;

  private constructor(private readonly module: Module) {}

  /** Starts an engine. Throws where there is no WebAssembly. */
  static async start(wasm: BufferSource | WebAssembly.Module): Promise<Engine> {
    if (typeof WebAssembly === "undefined") throw new Error("there is no WebAssembly here");
    const decoder = new TextDecoder();
    let rest = "";
    let engine: Engine | null = null;
    const written = (bytes: Uint8Array): void => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) engine?.onLine(line);
    };
    const compiled = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    const instance = await WebAssembly.instantiate(compiled, system(() => module.memory, written));
    const module = instance.exports as unknown as Module;
    module._initialize();
    engine = new Engine(module);
    return engine;
  }

  private bytesAt(address: number, size: number): Uint8Array {
    return new Uint8Array(this.module.memory.buffer, address, size);
  }

  /** Puts bytes, with a zero behind them, into the module's memory while `use` runs. */
  private withBytes<T>(bytes: Uint8Array, use: (address: number) => T): T {
    const address = this.module.malloc(bytes.length + 1);
    const memory = this.bytesAt(address, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    try {
      return use(address);
    } finally {
      this.module.free(address);
    }
  }

  private withText<T>(text: string, use: (address: number) => T): T {
    return this.withBytes(new TextEncoder().encode(text), use);
  }

  private answerBytes(address: number): Uint8Array {
    return this.bytesAt(address, this.module.engine_answer_bytes());
  }

  /** The text of an answer. Throws the error that it is. */
  private text(address: number): string {
    const text = new TextDecoder().decode(this.answerBytes(address));
    const error = errorIn(text);
    if (error) throw error;
    return text;
  }

  private json<T>(address: number): T {
    return JSON.parse(this.text(address)) as T;
  }

  /** The bytes of an answer, which outlive it. Throws the error that it is. */
  private bytes(address: number): Uint8Array {
    const bytes = this.answerBytes(address);
    if (bytes[0] === 0x7b && bytes.length < 100_000) this.text(address); // "{"
    return bytes.slice();
  }

  /** A file that configurations and options may name: a drawing, a table of deviations. */
  addFile(name: string, content: Uint8Array | string): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.withText(name, (at) => this.withBytes(bytes, (data) => this.module.engine_add_file(at, data, bytes.length)));
  }

  /**
   * Reads a configuration with changes, "gripper.closing_force_n=20", and begins its run: with the trials
   * of the one before, where only the robot's error or the number of trials differs. Throws an
   * InputError with all faults.
   */
  open(toml: string, changes: string[] = []): Config {
    return this.withText(toml, (at) =>
      this.withText(changes.join("\n"), (of) => this.json<Config>(this.module.engine_open(at, of))),
    );
  }

  /** The trials that the run lacks, of an adaptive one those of its round. None: it is complete. */
  missing(): Range[] {
    const lines = this.text(this.module.engine_missing()).split("\n").filter(Boolean);
    return lines.map((line) => line.split(" ").map(Number) as Range);
  }

  /** The records of trials. They are not taken: other engines may simulate for this one. */
  simulate(first: number, end: number): Uint8Array {
    return this.bytes(this.module.engine_simulate(first, end));
  }

  /** Takes trials of this configuration, in any order, each once. */
  take(records: Uint8Array): void {
    this.withBytes(records, (at) => this.text(this.module.engine_take(at, records.length)));
  }

  /** Takes outcomes, by their numbers, of the trials of ranges in their order: all that a report holds of them. */
  takeOutcomes(ranges: Range[], outcomes: Uint8Array): void {
    const lines = ranges.map(([first, end]) => `${first} ${end}`).join("\n");
    this.withText(lines, (of) =>
      this.withBytes(outcomes, (at) => this.text(this.module.engine_take_outcomes(of, at, outcomes.length))),
    );
  }

  /** From now on there are so many trials in each cell. */
  extend(trials_per_cell: number): void {
    this.text(this.module.engine_extend(trials_per_cell));
  }

  answer(): Answer {
    return JSON.parse(this.part("answer")) as Answer;
  }

  /** "answer", "config", "facts", "map", "reasons", "summary" or "text" of the trials by now. */
  part(name: string): string {
    return this.withText(name, (at) => this.text(this.module.engine_part(at)));
  }

  /** The trials by now as a report has them. */
  trials(): Uint8Array {
    return this.withText("trials", (at) => this.bytes(this.module.engine_part(at)));
  }

  /** The answer of `graspmap COMMAND` to the run (plan, pose, hold) or its configuration (design, sequence). */
  decide(command: string, options: Options = {}): Decision {
    return this.withText(command, (at) =>
      this.withText(optionLines(options), (of) => this.json<Decision>(this.module.engine_decide(at, of))),
    );
  }

  private trialAt(address: number): Trial {
    const trial = this.json<Omit<Trial, "frames"> & { frames: PackedFrame[] }>(address);
    return { ...trial, frames: trial.frames.map(frameOf) };
  }

  /** A trial at a placement of one's own, with changes besides those of the run. */
  trial(placement: Placement, changes: string[] = []): Trial {
    const { x_mm, y_mm, theta_rad, mu_jaw, mu_support } = placement;
    return this.withText(changes.join("\n"), (of) =>
      this.trialAt(this.module.engine_trial(x_mm, y_mm, theta_rad, mu_jaw, mu_support, of)),
    );
  }

  /** A trial of the run, with all that is drawn for it. */
  trialOfRun(index: number): Trial {
    return this.trialAt(this.module.engine_trial_of_run(index));
  }

  /** What is drawn for a trial of the run. */
  drawn(index: number): Drawn {
    return this.json<Drawn>(this.module.engine_drawn(index));
  }

  /** The success probability under a normal error at the centres of a slice's cells, x fastest. */
  expected(sigma: Pose, cell_theta: number): Float64Array {
    return new Float64Array(this.bytes(this.module.engine_expected(...sigma, cell_theta)).buffer);
  }

  /** The same at one placement. */
  expectedAt(sigma: Pose, at: Pose): Success {
    return this.json<Success>(this.module.engine_expected_at(...sigma, ...at));
  }

  /** The best placement under a normal error; null when no success is known of. */
  bestPlacement(sigma: Pose): BestPlacement | null {
    return this.json<BestPlacement | null>(this.module.engine_best_placement(...sigma));
  }

  /** The run by now is what later ones are compared with; false: none is. */
  pin(is_pinned = true): void {
    this.text(this.module.engine_pin(is_pinned));
  }

  /** The run against the pinned one, as `graspmap difference` has it. Throws an InputError where their maps have other cells. */
  difference(): Difference {
    const found = this.json<Difference>(this.module.engine_difference());
    found.values = found.values.map((value) => value ?? NaN);
    return found;
  }

  /** The map under other distributions, {"friction.jaw.max": 0.2}. */
  reweight(laws: Options): Reweighted {
    return this.withText(optionLines(laws), (at) => {
      const found = this.json<Reweighted>(this.module.engine_reweight(at));
      const { cells } = found;
      cells.success_probability = cells.success_probability.map((p) => p ?? NaN);
      return found;
    });
  }

  /**
   * The configuration that `graspmap init` writes for a drawing (a name, its text added by addFile) or
   * a shape ({shape: "disc", "size-mm": "40"}), and what was understood of the drawing.
   */
  firstConfig(drawing: string, options: Options = {}): { toml: string; text: string } {
    return this.withText(drawing, (at) =>
      this.withText(optionLines(options), (of) => this.json(this.module.engine_first_config(at, of))),
    );
  }

  /** The JSON schema of configurations: each key with its unit, its range and a sentence. */
  schema(): Record<string, any> {
    return this.json(this.module.engine_schema());
  }

  /** The grippers that a configuration may name. */
  grippers(): Record<string, any>[] {
    return this.json<{ grippers: Record<string, any>[] }>(this.module.engine_grippers()).grippers;
  }
}
