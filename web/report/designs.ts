// What `graspmap design` has found: the best design, the ten best side by side, each variable alone.

import { ticks } from "./axis_ticks";
import { data, h, s } from "./dom";
import { percent, percentRange, significant, whole } from "./format";
import type { ReportData } from "./report_data";
import { show } from "./sections";

type Estimate = { value: number | null; interval: [number, number] };

export interface DesignObjective {
  word: string;
  probability: number; // asked for
  unit: string; // of a spread
}

const SHOWN = 10;
const NO_SPREAD = 1e5; // a gain of which one design does not reach the probability

const isShare = ({ word }: DesignObjective): boolean => word === "success" || word === "worst-cell";
const unitOf = (objective: DesignObjective): string =>
  objective.word === "tolerated-error" ? " times the robot's error" : ` ${objective.unit}`;

/** "93.1 %", "2.1 times the robot's error", "0.012 rad". */
export function designValue(objective: DesignObjective, value: number | null): string {
  if (value === null) return `success below ${percent(objective.probability)}`;
  return isShare(objective) ? percent(value) : significant(value) + unitOf(objective);
}

const estimateText = (objective: DesignObjective, { value, interval: [low, high] }: Estimate): string =>
  designValue(objective, value) + (value === null ? "" :
    ` (${isShare(objective) ? percentRange(low, high) : `${significant(low)} to ${significant(high)}`})`);

/** "+12.3 percentage points (11.0 to 13.6)". */
export function designGain(objective: DesignObjective, { value, interval }: Estimate): string {
  if (value === null || Math.abs(value) > NO_SPREAD) return "one of them does not reach the probability";
  const number = (x: number) => (isShare(objective) ? (100 * x).toFixed(1) : significant(x));
  return `${value > 0 ? "+" : ""}${number(value)}${isShare(objective) ? " percentage points" : unitOf(objective)} ` +
    `(${number(interval[0])} to ${number(interval[1])})`;
}

/** Key and value of each assignment that a design makes: what it takes away is not its value. */
export function designValues(assignments: string[]): [string, string][] {
  return assignments
    .map((text): [string, string] => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)])
    .filter(([, value]) => value !== "")
    .map(([key, value]) => [key, value.replace(/^"(.*)"$/, "$1")]);
}

const shortKey = (key: string): string => key.replace(/^gripper\.(finger\.)?/, "");

function tableOfBest(designs: any[], objectives: DesignObjective[]): HTMLElement {
  const best = designs.slice(0, SHOWN).map((one) => ({ ...one, of: new Map(designValues(one.set)) }));
  const keys = [...new Set<string>(best.flatMap((one) => [...one.of.keys()]))];
  const mark = (one: any, place: number): string => {
    if (objectives.length > 1) return one.on_front ? "on the front" : "";
    return place > 0 && one.tied ? "tied" : "";
  };
  const heads = ["", ...objectives.map(({ word }) => word), "", ...keys.map(shortKey)];
  const rows = best.map((one, place) => h("tr", {},
    h("th", { scope: "row" }, one.number),
    ...objectives.map((objective, k) => {
      const value = (k === 0 ? one.value : one.second_value) ?? null;
      return h("td", {}, data(String(value), designValue(objective, value), `design_${k}`));
    }),
    h("td", {}, mark(one, place)),
    ...keys.map((key) => h("td", {}, one.of.get(key) ?? "-"))));
  return h("div", { class: "scroll" }, h("table", { class: "designs" },
    h("thead", {}, h("tr", {}, ...heads.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows)));
}

/** The objective over the range of one variable; texts are evenly apart. */
function profileChart(profile: any, best: string | undefined, objective: DesignObjective,
                      [low, high]: [number, number]): HTMLElement {
  const [width, height, left, bottom] = [280, 170, 48, 30];
  const isNumber = profile.levels.every((level: string) => Number.isFinite(Number(level)));
  const place = (level: string) => (isNumber ? Number(level) : profile.levels.indexOf(level));
  const ends = profile.levels.map(place);
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const x = (v: number) => left + ((width - left - 14) * (v - from)) / (to - from || 1);
  const y = (v: number) => height - bottom - ((height - bottom - 10) * (v - low)) / (high - low || 1);
  const points: [number, number][] = profile.levels
    .map((level: string, k: number) => [place(level), profile.values[k]])
    .filter(([, value]: [number, number | null]) => value !== null);
  const xTicks: [number, string][] = isNumber
    ? ticks(from, to, 4).map((v) => [v, significant(v, 4)])
    : profile.levels.map((level: string, k: number) => [k, level.slice(0, 12)]);
  const tickText = (v: number) => (isShare(objective) ? `${significant(100 * v, 4)} %` : significant(v));
  const off = [["-", profile.down], ["+", profile.up]]
    .filter(([, value]) => typeof value === "number")
    .map(([sign, value]) => `${sign}${significant(value, 2)}`);
  const worth = profile.worth > 0 ? designGain(objective, { value: profile.worth, interval: [0, 0] }).replace(/ \(.*/, "") : "0";
  const caption = [`worth ${worth.replace("+", "")}`, profile.matters ? "" : "does not matter",
    off.length ? `may be off ${off.join(", ")}` : ""].filter(Boolean).join("; ");
  return h("figure", {},
    h("figcaption", {}, h("strong", {}, shortKey(profile.key)), h("br"), h("span", { class: "hint" }, caption)),
    s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${profile.key}: ${caption}` },
      s("g", { class: "axis" },
        s("line", { x1: left, y1: height - bottom, x2: width - 14, y2: height - bottom }),
        s("line", { x1: left, y1: 10, x2: left, y2: height - bottom }),
        ...xTicks.map(([v, text]) => s("text", { x: x(v), y: height - bottom + 16, "text-anchor": "middle" }, text)),
        ...ticks(low, high, 3).map((v) => s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, tickText(v)))),
      best === undefined ? null : s("path", { class: "best", d: `M${x(place(best))},10V${height - bottom}` }),
      points.length === 0 ? null : s("path", { class: "line", d: `M${points.map(([u, v]) => `${x(u)},${y(v)}`).join("L")}` }),
      ...points.map(([u, v]) => s("circle", { cx: x(u), cy: y(v), r: 2.6 }))));
}

export function showDesigns(report: ReportData): void {
  const found = report.tables.design;
  if (!found) return;
  const unit = String(found.spread_of).endsWith("_rad") ? "rad" : "mm";
  const objectives: DesignObjective[] =
    found.objectives.map((word: string) => ({ word, probability: found.probability, unit }));
  const best = found.designs[0];
  const values = found.variables.flatMap((one: any) => one.values).filter((value: number | null) => value !== null);
  const span: [number, number] = [Math.min(...values), Math.max(...values)];
  const margin = 0.05 * (span[1] - span[0]) || 0.01;
  const room: [number, number] = [span[0] - margin, span[1] + margin];
  const ofBest = new Map(designValues(best.set));
  const rows = objectives.flatMap((objective, k) => [
    ["best design", estimateText(objective, found.best.values[k])],
    ["as it is", estimateText(objective, found.today.values[k])],
    ["gain", designGain(objective, found.gains[k])],
  ].map(([name, text]) => h("tr", {}, h("th", { scope: "row" }, objectives.length > 1 ? `${name}, ${objective.word}` : name),
    h("td", {}, text))));
  show("designs", "Which design grasps best",
    h("p", {}, h("strong", {}, `${best.words}.`)),
    h("p", { class: "hint" }, `${found.name}: ${whole(found.tried)} designs in ${whole(found.simulated_trials)} trials, as in `,
      h("code", {}, "graspmap design"), `; these numbers are from fresh trials, with their ${percent(found.confidence)} intervals.`),
    h("div", { class: "scroll" }, h("table", { class: "design_gain" }, h("tbody", {}, ...rows))),
    h("h3", {}, "The best ones"),
    h("p", { class: "hint" }, "Their values chose among them: expect a little less than the largest."),
    tableOfBest(found.designs, objectives),
    h("h3", {}, "Each variable alone"),
    h("p", { class: "hint" }, `${objectives[0].word} over each variable, the others as in the best design (dashed), each at its best placement. ` +
      "May be off: with the placement unchanged."),
    h("div", { class: "profiles" },
      ...found.variables.map((one: any) => profileChart(one, ofBest.get(one.key), objectives[0], room))));
}
