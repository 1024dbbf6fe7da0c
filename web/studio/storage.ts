// Autosave: the design and its files, in this browser. Where it cannot be kept, the page works without.

import type { Design } from "./design";

let key = "graspmap-studio";
const MOST_BYTES = 3_000_000;

/** Files that a design names: drawings, tables. */
export type Files = Map<string, string>;

export interface Saved {
  design: Design;
  files: Files;
}

/** A page with a part in it keeps what becomes of that part; pages of other parts do not see it. */
export function keepApart(content: string): void {
  let hash = 5381;
  for (let k = 0; k < content.length; ++k) hash = (33 * hash + content.charCodeAt(k)) >>> 0;
  key = `graspmap-studio-${hash.toString(16)}-${content.length}`;
}

function isDesign(design: any): design is Design {
  return typeof design?.toml === "string" && typeof design.name === "string" && Array.isArray(design.changes);
}

/** Returns whether it was saved. */
export function save({ design, files }: Saved): boolean {
  try {
    const text = JSON.stringify({ design, files: [...files] });
    if (text.length > MOST_BYTES) return false;
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function load(): Saved | null {
  try {
    const { design, files } = JSON.parse(localStorage.getItem(key) ?? "null") ?? {};
    return isDesign(design) ? { design, files: new Map(files) } : null;
  } catch {
    return null;
  }
}
