// Starts the page: unpacks the engine, starts workers, opens what was there before.

import { Engine } from "../package/src/engine";
import { Pool, pageWorkers } from "../package/src/pool";
import { byId } from "../report/dom";
import { partBytes, partText } from "../report/parts";
import { designOfToml } from "./importing";
import { type Files, keepApart, load } from "./storage";
import { Studio } from "./studio";
import { texts } from "./texts";
import { writtenText } from "./toml";

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

/** What the page begins with: the design of the last time, or what came with it. */
async function begin(studio: Studio, pool: Pool, files: Files): Promise<void> {
  const toml = await partText("config");
  const drawing = [...files.keys()].find((name) => /\.(dxf|svg)$/i.test(name));
  const given = toml ?? (drawing === undefined ? undefined : files.get(drawing));
  if (given !== undefined) keepApart(given);
  const saved = load();
  for (const [name, content] of saved?.files ?? []) files.set(name, content);
  for (const [name, content] of files) pool.addFile(name, content);
  if (saved) {
    studio.begin(saved.design);
    studio.note(texts.restored);
  } else if (toml !== null) {
    studio.begin(designOfToml(writtenText(toml, "", "name") ?? "part", toml));
  } else if (drawing !== undefined) {
    await studio.beginWith(drawing);
  } else {
    studio.showStart(true);
  }
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
  const [schema, grippers] = await Promise.all([
    pool.ask<ReturnType<Engine["schema"]>>("schema"),
    pool.ask<ReturnType<Engine["grippers"]>>("grippers"),
  ]);
  const studio = new Studio(pool, schema, grippers, files);
  byId("loading").remove();
  await begin(studio, pool, files);
  document.documentElement.dataset.ready = "yes";
  Object.assign(globalThis, { studio });
}

document.title = texts.name;
byId("loading").textContent = texts.loading;
start().catch((error: Error) => {
  byId("loading").textContent = error.message;
  document.documentElement.dataset.ready = "failed";
});
