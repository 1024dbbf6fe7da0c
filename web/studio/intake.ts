// Files on their way in: dropped ones, drawings that are read again with other options, fingers.

import type { Pool } from "../package/src/pool";
import type { Design, Source } from "./design";
import { type Choice, designOf, designOfFile, NeedsChoice, pathsTo, readFile } from "./importing";
import type { Files } from "./storage";
import { tomlText } from "./toml";

/** What a drawing that is turned decides again. */
const OF_DRAWING = /^(placement\.[xy]_|success|gripper\.opening_mm|summary|part\.piece)/;

export interface IntakeInput {
  pool: Pool;
  files: Files;
  now: () => Design | null;
  open: (design: Design) => void; // another part
  push: (design: Design) => void; // the same part
  change: (key: string, value: string) => void;
  again: () => void; // a file that the design may name has come
  choose: (choice: Choice) => void;
  problem: (message: string) => void; // nothing has changed
}

export class Intake {
  private lastDrawing = "";

  constructor(private readonly input: IntakeInput) {}

  private keep(name: string, content: string): void {
    this.input.files.set(name, content);
    this.input.pool.addFile(name, content);
  }

  private async trying(todo: () => Promise<void>): Promise<void> {
    try {
      await todo();
    } catch (error) {
      if (error instanceof NeedsChoice) this.input.choose(error.choice);
      else this.input.problem((error as Error).message);
    }
  }

  /** Drawings that come with a configuration are files that it names. */
  async take(files: File[]): Promise<void> {
    const isConfig = (file: File): boolean => /\.toml$/i.test(file.name);
    const configs = files.filter(isConfig);
    const others = files.filter((file) => !isConfig(file));
    for (const config of configs) {
      await this.trying(async () => {
        const toml = await readFile(config);
        for (const file of others) await this.keepFor(file, toml);
        this.input.open(await designOfFile(this.input.pool, this.input.files, config.name, toml));
      });
    }
    if (configs.length === 0) for (const file of others) await this.trying(() => this.takeOne(file));
  }

  /** Keeps a file under the paths by which a configuration names it; whether there are such. */
  private async keepFor(file: File, toml: string): Promise<boolean> {
    const paths = pathsTo(file.name, toml);
    const content = paths.length > 0 ? await readFile(file) : "";
    for (const path of paths) this.keep(path, content);
    return paths.length > 0;
  }

  private async takeOne(file: File): Promise<void> {
    const { pool, files, now, again, open } = this.input;
    if (await this.keepFor(file, now()?.toml ?? "")) return again();
    this.lastDrawing = file.name;
    open(await designOfFile(pool, files, file.name, await readFile(file)));
  }

  /** A shape, or a drawing that the engine has. */
  from(source: Source): Promise<void> {
    if (source.drawing !== "") this.lastDrawing = source.drawing;
    return this.trying(async () => this.input.open(await designOf(this.input.pool, source)));
  }

  /** The last drawing with what was chosen in it. */
  choose(options: Source["options"]): Promise<void> {
    return this.from({ drawing: this.lastDrawing, options });
  }

  /** A drawing as the fingers' outline. */
  takeFinger(file: File): Promise<void> {
    return this.trying(async () => {
      this.keep(file.name, await readFile(file));
      this.input.change("gripper.finger", tomlText({ file: file.name }));
    });
  }

  /** The same drawing, turned: what follows from where it lies is recomputed. */
  async turn(degrees: number): Promise<void> {
    const { source, changes } = this.input.now() ?? { source: null, changes: [] };
    if (!source) return;
    const before = Number(source.options["rotation-rad"] ?? 0);
    const options = { ...source.options, "rotation-rad": before + (degrees * Math.PI) / 180 };
    await this.trying(async () => {
      const turned = await designOf(this.input.pool, { ...source, options });
      this.input.push({ ...turned, changes: changes.filter(([key]) => !OF_DRAWING.test(key)) });
    });
  }
}
