// What the map shows of each cell: success, the difference to a pinned design, or the main reason of failure.

import { classScale, differenceScale, probabilityScale, type Scale } from "../report/colours";
import { type Reasons, reasonClasses } from "../report/reasons";
import { type Difference, difference, type Pinned } from "./difference";
import type { Shown } from "./run";
import { texts } from "./texts";

const t = texts.map;

export interface LayerValues {
  values: number[]; // of all cells
  scale: Scale;
  name: string;
  difference: Difference | null;
}

/** The layer "success" where another one has nothing to show. */
export function layerValues(
  layer: string,
  { facts, cells }: Shown,
  pinned: Pinned | null,
  reasons: Reasons | null,
): LayerValues {
  if (layer === "difference" && pinned) {
    const found = difference(facts.axes, cells, pinned);
    return { values: found.values, scale: differenceScale(found.values), name: t.differenceBar, difference: found };
  }
  if (layer === "reasons" && reasons) {
    return { values: reasonClasses({ cells }, reasons), scale: classScale, name: t.reasonsBar, difference: null };
  }
  const values = cells.map((cell) => cell.probability);
  return { values, scale: probabilityScale, name: t.successBar, difference: null };
}
