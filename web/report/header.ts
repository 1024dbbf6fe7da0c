// The head of the page: what was asked, and the answer.

import { byId, h } from "./dom";
import { percent, short, whole } from "./format";
import type { ReportData } from "./report_data";
import type { Simulator } from "./simulator";

/** What run says first: commands on lines of their own, the placement in bold. */
export function answerNodes(headline: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  for (const sentence of headline.trim().split(/\n(?=To )/)) {
    if (nodes.length > 0) nodes.push(h("br", {}));
    const [before, place, ...after] = sentence.replace(/\n/g, " ").split(/(\(-?[\d.e-]+, -?[\d.e-]+\) mm)/);
    nodes.push(before, ...(place ? [h("strong", {}, place), after.join("")] : []));
  }
  return nodes;
}

export function showHeader(report: ReportData, simulator: Simulator): void {
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
    h("p", { class: "lead" }, ...answerNodes(report.headline)),
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
    ...(simulator.works
      ? []
      : [h("p", { class: "notice", id: "without_simulator" },
          `The simulator is ${simulator.problem}: neither is what was drawn for each trial, nor the map under a positioning error or other friction.`)]),
    ...(inPage < stored
      ? [h("p", { class: "notice", id: "sampled" },
          `This page holds a sample: ${whole(inPage)} of ${whole(stored)} trials, the first ones of each cell. ` +
          "Counts, probabilities and intervals of the map are those of all trials; lists, other friction and the positioning error use the sample.")]
      : []),
  );
}
