// graspmap for pages, by a bundler that knows `new URL(file, import.meta.url)`.

import { functionsOn } from "./api";
import { fitted } from "./pool";

export * from "./api";
export * from "./engine";
export * from "./pool";

export const { startPool, run, simulate, plan, search, importDrawing } = functionsOn({
  wasm: async () => (await fetch(new URL("graspmap.wasm", import.meta.url))).arrayBuffer(),
  spawn: () => fitted(new Worker(new URL("browser_worker.js", import.meta.url), { type: "module" })),
  threads: () => navigator.hardwareConcurrency || 2, // not all browsers say
});
