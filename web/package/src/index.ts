// graspmap for scripts in node: the engine of `graspmap` as WebAssembly, on all processors by worker threads.

import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { Worker } from "node:worker_threads";
import { functionsOn } from "./api";
import type { WorkerLike } from "./pool";

export * from "./api";
export * from "./engine";
export * from "./pool";

const beside = (name: string): URL => new URL(name, import.meta.url);

function spawn(): WorkerLike {
  const worker = new Worker(beside("node_worker.js"));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (reply, error) => {
      worker.on("message", reply);
      worker.on("error", error);
    },
    busy: (is) => (is ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}

export const { startPool, run, simulate, plan, search, importDrawing } = functionsOn({
  wasm: () => readFile(beside("graspmap.wasm")),
  spawn,
  threads: () => cpus().length,
});
