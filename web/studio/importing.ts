// From a dropped file to a design: TOML as it is, a drawing as `graspmap init` takes it.

import type { Pool } from "../package/src/pool";
import type { Design, Source } from "./design";
import type { Files } from "./storage";
import { isWritten, tomlText } from "./toml";

/** What a drawing with several outlines leaves open. */
export interface Choice {
  message: string;
  outlines: string[]; // "20 x 30 mm at (20, 75)"
  layers: string[];
}

export class NeedsChoice extends Error {
  constructor(readonly choice: Choice) {
    super(choice.message);
  }
}

const LARGEST_FILE = 20_000_000;

/** What one can choose after an error of the reader. */
export function choiceIn(message: string): Choice | null {
  const several = /shows \d+ outlines apart from each other: (.*?); must be one/s.exec(message);
  const outlines = several ? [...several[1].matchAll(/\d+: (.*?)(?=, \d+: |$)/gs)].map((match) => match[1]) : [];
  const layered = /layers: (.*)$/s.exec(message);
  const layers = layered ? [...layered[1].matchAll(/'([^']+)': \d/g)].map((match) => match[1]) : [];
  return outlines.length > 0 || layers.length > 1 ? { message, outlines, layers } : null;
}

const nameOf = (file: string): string => file.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_") || "part";

export async function readFile(file: File): Promise<string> {
  if (file.size > LARGEST_FILE)
    throw new Error(`${file.name}: ${Math.round(file.size / 1e6)} MB are too many; must be 20 at most`);
  return file.text();
}

/** A first configuration has no name: it comes below the comment at its top. */
const named = (name: string, toml: string): string => toml.replace(/\n\n/, `\n\nname = ${tomlText(name)}\n\n`);

/** A design from a drawing or a shape that the engine has. */
export async function designOf(pool: Pool, source: Source): Promise<Design> {
  try {
    const { toml } = await pool.ask<{ toml: string; text: string }>("firstConfig", source.drawing, source.options);
    const name = nameOf((source.options.shape as string | undefined) ?? source.drawing);
    return { name, toml: named(name, toml), changes: [], source };
  } catch (error) {
    const choice = choiceIn((error as Error).message);
    throw choice ? new NeedsChoice(choice) : error;
  }
}

/** The paths by which a configuration names a file: "drawings/bracket.dxf" of bracket.dxf. */
export function pathsTo(name: string, toml: string): string[] {
  const texts = [...toml.matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map((match) => match[1] ?? match[2]);
  return [...new Set(texts.filter((text) => text === name || text.endsWith(`/${name}`)))];
}

/** A configuration as it is; one without a name gets that of its file, as the program gives it. */
export function designOfToml(name: string, toml: string): Design {
  return { name, toml, changes: isWritten(toml, "name") ? [] : [["name", tomlText(name)]], source: null };
}

/** A dropped file. The engine and `files` get drawings. */
export async function designOfFile(pool: Pool, files: Files, name: string, content: string): Promise<Design> {
  if (/\.toml$/i.test(name)) return designOfToml(nameOf(name), content);
  if (!/\.(dxf|svg)$/i.test(name)) throw new Error(`${name}: must be a DXF, an SVG or a TOML file`);
  files.set(name, content);
  pool.addFile(name, content);
  return designOf(pool, { drawing: name, options: {} });
}
