// Everything that a report holds, unpacked.

import type { Facts } from "./facts";
import { Films } from "./films";
import { partBytes, partJson, partText } from "./parts";
import type { Reasons } from "./reasons";
import { type MapCell, readMap } from "./success_map";
import { Trials } from "./trials";

export interface ReportData {
  facts: Facts;
  cells: MapCell[];
  trials: Trials;
  films: Films | null;
  reasons: Reasons | null;
  summary: Record<string, any>;
  headline: string; // where to put the gripper, as run says it
  config: string;
  wasm: Uint8Array | null;
  texts: Record<string, string | null>;
  tables: Record<string, Record<string, any> | null>;
}

export async function unpackReport(): Promise<ReportData> {
  const facts = await partJson<Facts>("run");
  const map = await partText("map");
  const trials = await partBytes("trials");
  if (!facts || map === null || !trials) throw new Error("the file is not complete");
  const films = await partJson<any>("films");
  const frames = await partBytes("frames");
  const texts: ReportData["texts"] = {};
  for (const name of ["sensitivity_text", "pose_text", "hold_text", "compare_text", "compare_cells",
    "difference_text", "difference_cells"]) {
    texts[name] = await partText(name);
  }
  const tables: ReportData["tables"] = {};
  for (const name of ["sensitivity", "pose", "hold", "compare", "difference", "design"]) {
    tables[name] = await partJson(name);
  }
  return {
    facts,
    cells: readMap(map, facts.outcomes),
    trials: new Trials(trials, facts),
    films: films && frames ? new Films(films, frames) : null,
    reasons: await partJson<Reasons>("reasons"),
    summary: (await partJson<Record<string, any>>("summary")) ?? {},
    headline: (await partText("headline")) ?? "",
    config: (await partText("config")) ?? "",
    wasm: await partBytes("wasm"),
    texts,
    tables,
  };
}
