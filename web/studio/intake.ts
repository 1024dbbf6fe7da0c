// Files on their way in: dropped ones, drawings that are read again with other options, fingers.

import type { Pool } from "../package/src/pool";
import type { Design, Source } from "./design";
import { type Choice, designOf, designOfFile, NeedsChoice, readFile } from "./importing";
import type { Files } from "./storage";
import { tomlText } from "./toml";

/** What a drawing that is turned decides anew. */
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

  async take(files: File[]): Promise<void> {
    for (const file of files) await this.trying(() => this.takeOne(file));
  }

  private async takeOne(file: File): Promise<void> {
    const { pool, files } = this.input;
    const content = await readFile(file);
    if (/\.csv$/i.test(file.name)) {
      this.keep(file.name, content);
      return this.input.again();
    }
    this.lastDrawing = file.name;
    this.input.open(await designOfFile(pool, files, file.name, content));
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

  /** The same drawing, turned: what follows from where it lies is made anew. */
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
