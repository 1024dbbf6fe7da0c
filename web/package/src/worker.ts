// What a worker does: it has an engine, and calls its methods as it is asked, one after the other.

import { Engine, InputError, type Fault } from "./engine";

/** What goes to a worker. The first call is "start" with the compiled module. */
export interface Call {
  id: number;
  method: string;
  args: unknown[];
}

/** What comes back: a result or an error for each call, and lines of a search meanwhile. */
export type Reply =
  | { id: number; result: unknown; error?: undefined }
  | { id: number; result?: undefined; error: { message: string; faults?: Fault[] } }
  | { id: number; line: string };

/** Answers calls. `post` sends a reply, with the buffers that go along. */
export function serve(post: (reply: Reply, transfer: ArrayBuffer[]) => void): (call: Call) => Promise<void> {
  let engine: Promise<Engine> | null = null;
  return async ({ id, method, args }: Call): Promise<void> => {
    try {
      if (method === "start") {
        engine = Engine.start(args[0] as WebAssembly.Module);
        await engine;
        return post({ id, result: null }, []);
      }
      const started = await (engine as Promise<Engine>);
      started.onLine = (line) => post({ id, line } as Reply, []);
      const result = (started as unknown as Record<string, (...args: unknown[]) => unknown>)[method](...args);
      post({ id, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
    } catch (error) {
      const { message } = error as Error;
      post({ id, error: { message, faults: error instanceof InputError ? error.faults : undefined } }, []);
    }
  };
}
