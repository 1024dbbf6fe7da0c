// The head of the page: what was asked, and the answer.

import { byId, h } from "./dom";
import { percent, percentRange, short, whole } from "./format";
import { isFixed } from "./grid";
import type { ReportData } from "./report_data";

function answer(report: ReportData): (Node | string)[] {
  const { sweet_spot: spot, axes } = report.facts;
  if (!spot.found) return ["No square of whole cells has trials everywhere: there is no sweet spot."];
  const angle = isFixed(axes.theta_rad) ? "" : ` at ${short(spot.theta_rad)} rad`;
  return [
    "Put the gripper at ",
    h("strong", {}, `(${short(spot.x_mm)}, ${short(spot.y_mm)}) mm${angle}`),
    `: in each cell within \u00b1${short(spot.half_width_mm)} mm of it at least `,
    h("strong", {}, percent(spot.lowest_probability)),
    ` of the simulated grasps succeed (worst cell: 95 % interval ${percentRange(...spot.wilson_95)}).`,
  ];
}

export function showHeader(report: ReportData): void {
  const { facts, summary } = report;
  const total = facts.outcomes.map((_, k) => report.cells.reduce((sum, cell) => sum + cell.counts[k], 0));
  const trials = total.reduce((a, b) => a + b, 0);
  const list = facts.outcomes
    .filter((_, k) => total[k] > 0)
    .map((outcome) => `${outcome} ${whole(total[facts.outcomes.indexOf(outcome)])}`)
    .join(", ");
  const plateau = summary.plateau ?? {};
  const { stored, trials: inPage } = facts.trial_table;
  byId("head").replaceChildren(
    h("p", { class: "kicker" }, "graspmap report"),
    h("h1", {}, facts.title),
    h("p", { class: "lead" }, ...answer(report)),
    h(
      "p",
      { class: "counts" },
      `${whole(trials)} simulated grasps: ${list}. `,
      `${percent(facts.plateau_probability)} success or more on ${short(plateau.area_mm2 ?? 0, 1)} mm\u00b2: `,
      `${whole(plateau.cells ?? 0)} of ${whole(plateau.of_cells ?? 0)} cells.`,
      facts.complete ? "" : " The run is not finished.",
    ),
    ...(facts.uncertain.length > 0
      ? [h("p", { class: "notice", id: "uncertain" },
          `In each trial ${facts.uncertain.join(", ")} had a value of its own. Pictures show the nominal part and gripper.`)]
      : []),
    ...(facts.laws_are_known
      ? []
      : [h("p", { class: "notice", id: "unknown_laws" },
          "What was drawn for each trial is not in this report: its page does not know these laws of friction and placement, or they are correlated.")]),
    ...(inPage < stored
      ? [h("p", { class: "notice", id: "sampled" },
          `This page holds a sample: ${whole(inPage)} of ${whole(stored)} trials, the first ones of each cell. ` +
          "Counts, probabilities and intervals of the map are those of all trials; lists, other friction and the positioning error use the sample.")]
      : []),
  );
}
