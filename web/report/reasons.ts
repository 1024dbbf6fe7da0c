// Why grasps are no success: of each cell, and of the run.

import { classScale, colour, MOST_CLASSES } from "./colours";
import { h } from "./dom";
import { percent } from "./format";
import type { ReportData } from "./report_data";

/** What the part "reasons" holds (docs/reference/formats.md). */
export interface Reasons {
  reasons: string[]; // the most frequent first
  share: number[]; // of all trials without success
  cells: number[][]; // the same of each cell; empty where all succeed
  looked_at: number[];
}

/** The class of each cell: 0 without a reason, then by the main one; NaN without trials. */
export function reasonClasses(report: Pick<ReportData, "cells">, reasons: Reasons): number[] {
  return report.cells.map((cell, n) => {
    if (cell.counts.reduce((a, b) => a + b, 0) === 0) return NaN;
    const shares = reasons.cells[n];
    if (shares.length === 0) return 0;
    return Math.min(shares.indexOf(Math.max(...shares)) + 1, MOST_CLASSES - 1);
  });
}

const swatch = (n: number): HTMLElement =>
  h("span", { class: "swatch", style: `background:${colour(classScale, n)}` });

/** What the colours of the layer are. */
export function reasonLegend(reasons: Reasons): HTMLElement {
  const named = reasons.reasons.slice(0, MOST_CLASSES - 2);
  const entries = ["every grasp succeeded", ...named];
  if (reasons.reasons.length > named.length) entries.push("other reasons");
  return h("ul", { class: "classes" }, ...entries.map((words, n) => h("li", {}, swatch(n), words)));
}

/** Reasons with their shares, the largest first; nothing where every grasp succeeds. */
export function reasonTable(reasons: Reasons, shares: number[], caption: string): HTMLElement | null {
  const rows = reasons.reasons.map((words, k) => ({ words, k, share: shares[k] ?? 0 }))
    .filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  if (rows.length === 0) return null;
  return h("table", { class: "reasons" }, h("caption", {}, caption),
    h("tbody", {}, ...rows.map(({ words, k, share }) =>
      h("tr", { "data-reason": words }, h("td", { class: "number" }, percent(share)),
        h("td", {}, swatch(Math.min(k + 1, MOST_CLASSES - 1)), words)))));
}
