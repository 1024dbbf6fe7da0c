// What an engineer works on: the text of a configuration and changes to it, as `--set` takes them.

import type { Options } from "../package/src/engine";

export type Changes = [key: string, value: string][];

/** Where a configuration was made from, to make it again with other options. */
export interface Source {
  drawing: string; // a file's name; "" for a shape
  options: Options;
}

export interface Design {
  readonly name: string;
  readonly toml: string;
  readonly changes: Changes;
  readonly source: Source | null;
}

/** The changes with one more. It replaces those of the key and of all that is below it. */
export function withChange(changes: Changes, key: string, value: string): Changes {
  const others = changes.filter(([other]) => other !== key && !other.startsWith(`${key}.`));
  return [...others, [key, value]];
}

export const changeLines = (changes: Changes): string[] => changes.map(([key, value]) => `${key}=${value}`);

const MOST_STEPS = 500;

/** Undo and redo. A drag is one step. */
export class History {
  private steps: Design[];
  private at = 0;
  private dragged = ""; // the key of a drag that continues

  constructor(first: Design) {
    this.steps = [first];
  }

  get now(): Design {
    return this.steps[this.at];
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at + 1 < this.steps.length;
  }

  /** A new step; one of the same drag replaces the one before. */
  push(design: Design, drag = ""): void {
    const goesOn = drag !== "" && drag === this.dragged && this.at > 0;
    this.steps.length = goesOn ? this.at : this.at + 1;
    this.steps.push(design);
    if (this.steps.length > MOST_STEPS) this.steps.shift();
    this.at = this.steps.length - 1;
    this.dragged = drag;
  }

  endDrag(): void {
    this.dragged = "";
  }

  undo(): void {
    this.at = Math.max(this.at - 1, 0);
    this.endDrag();
  }

  redo(): void {
    this.at = Math.min(this.at + 1, this.steps.length - 1);
    this.endDrag();
  }
}
