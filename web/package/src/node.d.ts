// What this package uses of node, for the compiler: @types/node is not among Debian's packages.

declare module "node:fs/promises" {
  export function readFile(file: string | URL): Promise<Uint8Array>;
  export function readFile(file: string | URL, encoding: "utf8"): Promise<string>;
  export function writeFile(file: string, text: string, options?: { flag: string }): Promise<void>;
  export function mkdir(folder: string, options: { recursive: true }): Promise<void>;
}
declare module "node:os" {
  export function cpus(): unknown[];
}
declare module "node:path" {
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function join(...paths: string[]): string;
  export function resolve(...paths: string[]): string;
}
declare module "node:worker_threads" {
  interface Port {
    postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
    on(event: "message", listener: (message: any) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
  export class Worker implements Port {
    constructor(file: URL);
    postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
    on(event: "message", listener: (message: any) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    ref(): void;
    unref(): void;
    terminate(): Promise<number>;
  }
  export const parentPort: Port | null;
}
declare const process: {
  argv: string[];
  exitCode: number | undefined;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void; isTTY?: boolean };
};
