// What the map shows of each cell: success, the difference to a pinned design, or the main reason of failure.

import { classScale, differenceScale, probabilityScale, type Scale } from "../report/colours";
import { type Reasons, reasonClasses } from "../report/reasons";
import type { Shown } from "./run";
import { texts } from "./texts";

const t = texts.map;

export interface LayerValues {
  values: number[]; // of all cells
  scale: Scale;
  name: string;
}

/** The layer "success" where another one has nothing to show. */
export function layerValues(
  layer: string,
  { cells, difference }: Shown,
  reasons: Reasons | null,
): LayerValues {
  if (layer === "difference" && difference !== null) {
    const values = typeof difference === "string" ? cells.map(() => NaN) : difference.values;
    return { values, scale: differenceScale(values), name: t.differenceBar };
  }
  if (layer === "reasons" && reasons) {
    return { values: reasonClasses({ cells }, reasons), scale: classScale, name: t.reasonsBar };
  }
  const values = cells.map((cell) => cell.probability);
  return { values, scale: probabilityScale, name: t.successBar };
}
