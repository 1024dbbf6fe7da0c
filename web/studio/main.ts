// Starts the page: unpacks the engine, starts workers, opens what was there before.

import { Engine } from "../package/src/engine";
import { Pool, pageWorkers } from "../package/src/pool";
import { byId } from "../report/dom";
import { partBytes, partText } from "../report/parts";
import type { Design } from "./design";
import { type Files, load } from "./storage";
import { Studio } from "./studio";
import { texts } from "./texts";
import { isWritten, tomlText } from "./toml";

const MOST_WORKERS = 16;

/** Files that came with the page: data-part="file:NAME". */
async function filesOfPage(): Promise<Files> {
  const files: Files = new Map();
  for (const element of document.querySelectorAll<HTMLElement>('script[data-part^="file:"]')) {
    const part = element.dataset.part as string;
    files.set(part.slice("file:".length), (await partText(part)) ?? "");
  }
  return files;
}

/** The design that came with the page, or the one of the last time. */
async function firstDesign(files: Files): Promise<{ design: Design; isRestored: boolean } | null> {
  const toml = await partText("config");
  if (toml !== null) {
    const name = document.querySelector<HTMLElement>('script[data-part="config"]')?.dataset.name ?? "part";
    return { design: { name, toml, changes: isWritten(toml, "name") ? [] : [["name", tomlText(name)]], source: null }, isRestored: false };
  }
  const saved = load();
  for (const [name, content] of saved?.files ?? []) files.set(name, content);
  return saved && { design: saved.design, isRestored: true };
}

async function start(): Promise<void> {
  if (typeof WebAssembly === "undefined") throw new Error(texts.noWasm);
  if (typeof Worker === "undefined") throw new Error(texts.noWorkers);
  const bytes = await partBytes("wasm");
  if (!bytes) throw new Error(texts.noStart("the file is not complete"));
  const module = await WebAssembly.compile(bytes);
  const script = byId("worker").textContent ?? "";
  const workers = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS));
  const pool = await Pool.start(module, pageWorkers(script), workers);
  const files = await filesOfPage();
  const first = await firstDesign(files);
  for (const [name, content] of files) pool.addFile(name, content);
  const [schema, grippers] = await Promise.all([
    pool.ask<ReturnType<Engine["schema"]>>("schema"),
    pool.ask<ReturnType<Engine["grippers"]>>("grippers"),
  ]);
  const studio = new Studio(pool, schema, grippers, files);
  byId("loading").remove();
  if (first) studio.begin(first.design);
  else studio.showStart(true);
  if (first?.isRestored) studio.note(texts.restored);
  document.documentElement.dataset.ready = "yes";
  Object.assign(globalThis, { studio });
}

document.title = texts.name;
byId("loading").textContent = texts.loading;
start().catch((error: Error) => {
  byId("loading").textContent = error.message;
  document.documentElement.dataset.ready = "failed";
});
