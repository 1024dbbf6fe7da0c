// The simulator in the page: grasp/show/report/live as WebAssembly, texts in and texts out.

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

export interface LiveTrial {
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

export interface Live {
  // Simulates a trial; `changes` are overrides of the configuration, "gripper.closing_force_n=20".
  // When these are wrong, `error` says so and the trial has no frames.
  simulate(placement: Placement, changes?: string[]): LiveTrial;
  error: string; // of the last call; "" when there was none
}

type PackedContact = [number, number, number, number, number, number, number, number];
type PackedFrame = [number, number, number, number, number, number, number, number, number, number, ...PackedContact[]];
interface PackedTrial {
  outcome: string;
  end_time_s: number;
  end: [number, number, number];
  story: string;
  frames: PackedFrame[];
}

interface Simulator {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  _initialize(): void;
  live_open(toml: number): number;
  live_simulate(x_mm: number, y_mm: number, theta_rad: number, mu_jaw: number, mu_support: number, changes: number): number;
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

// Puts a text into the simulator's memory while `use` runs.
function withText<T>(simulator: Simulator, text: string, use: (address: number) => T): T {
  const bytes = new TextEncoder().encode(text);
  const address = simulator.malloc(bytes.length + 1);
  const memory = new Uint8Array(simulator.memory.buffer, address, bytes.length + 1);
  memory.set(bytes);
  memory[bytes.length] = 0;
  try {
    return use(address);
  } finally {
    simulator.free(address);
  }
}

function textAt(simulator: Simulator, address: number): string {
  const memory = new Uint8Array(simulator.memory.buffer);
  return new TextDecoder().decode(memory.subarray(address, memory.indexOf(0, address)));
}

// What the simulator asks of its system. It has no files, no environment, and never ends. `graspmap report` leaves out a
// simulator that asks for anything else (grasp/show/report/live_module.cpp looks for these names).
function system(memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const noFile = () => 8; // EBADF of WASI
  const noEntry = () => -44; // -ENOENT of emscripten
  return {
    env: {
      emscripten_notify_memory_growth: () => undefined,
      __syscall_stat64: noEntry,
    },
    wasi_snapshot_preview1: {
      environ_sizes_get: (count: number, size: number) => {
        const words = new Uint32Array(memory().buffer);
        words[count >> 2] = 0;
        words[size >> 2] = 0;
        return 0;
      },
      environ_get: () => 0,
      fd_close: noFile,
      fd_read: noFile,
      fd_seek: noFile,
      fd_write: noFile,
      proc_exit: (code: number) => {
        throw new Error(`the simulator ended (${code})`);
      },
    },
  };
}

async function start(wasm: Uint8Array): Promise<Simulator> {
  const { instance } = await WebAssembly.instantiate(wasm, system(() => simulator.memory));
  const simulator = instance.exports as unknown as Simulator;
  simulator._initialize();
  return simulator;
}

// Starts the simulator with a run's configuration (its config.toml). Throws an Error when the
// browser has no WebAssembly, or the configuration cannot be read.
export async function openLive(wasm: Uint8Array, config_toml: string): Promise<Live> {
  const simulator = await start(wasm);
  const wrong = withText(simulator, config_toml, (toml) => textAt(simulator, simulator.live_open(toml)));
  if (wrong !== "") throw new Error(wrong);
  return {
    error: "",
    simulate(this: Live, placement: Placement, changes: string[] = []): LiveTrial {
      const { x_mm, y_mm, theta_rad, mu_jaw, mu_support } = placement;
      const answer = withText(simulator, changes.join("\n"), (text) =>
        textAt(simulator, simulator.live_simulate(x_mm, y_mm, theta_rad, mu_jaw, mu_support, text)),
      );
      this.error = answer.startsWith("{") ? "" : answer;
      if (this.error !== "") return { outcome: "failed", end_time_s: 0, end: [0, 0, 0], story: "", frames: [] };
      const trial = JSON.parse(answer) as PackedTrial;
      return { ...trial, frames: trial.frames.map(frameOf) };
    },
  };
}
