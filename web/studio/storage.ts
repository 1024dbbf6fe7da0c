// Autosave: the design and its files, in this browser. Where it cannot be kept, the page works without.

import type { Design } from "./design";

const KEY = "graspmap-studio";
const MOST_BYTES = 3_000_000;

/** Files that a design names: drawings, tables. */
export type Files = Map<string, string>;

export interface Saved {
  design: Design;
  files: Files;
}

function isDesign(design: any): design is Design {
  return typeof design?.toml === "string" && typeof design.name === "string" && Array.isArray(design.changes);
}

/** Returns whether it was saved. */
export function save({ design, files }: Saved): boolean {
  try {
    const text = JSON.stringify({ design, files: [...files] });
    if (text.length > MOST_BYTES) return false;
    localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}

export function load(): Saved | null {
  try {
    const { design, files } = JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {};
    return isDesign(design) ? { design, files: new Map(files) } : null;
  } catch {
    return null;
  }
}
