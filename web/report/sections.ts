// What the analyses say: comparison, sensitivities, delivered poses, provenance.

import { byId, h, s } from "./dom";
import { percent, short, significant, whole } from "./format";
import type { ReportData } from "./report_data";

const NAMES: Record<string, string> = {
  x_mm: "placement x",
  y_mm: "placement y",
  theta_rad: "angle",
  noise_x_mm: "noise in x",
  noise_y_mm: "noise in y",
  noise_theta_rad: "noise of the angle",
  mu_jaw: "friction, jaws",
  mu_support: "friction, table",
};

/** Fills a section and shows it. */
export function show(id: string, title: string, ...children: (Node | string)[]): void {
  const section = byId(`${id}-section`);
  section.hidden = false;
  section.replaceChildren(h("h2", { id: `${id}-title` }, title), ...children);
}

const details = (summary: string, text: string): HTMLElement =>
  h("details", {}, h("summary", {}, summary), h("pre", { tabindex: 0 }, text));

/** A bar from 0 to 1 with its interval. */
function effectBar(value: number, [low, high]: [number, number], name: string): SVGSVGElement {
  const x = (v: number) => 4 + 232 * Math.min(Math.max(v, 0), 1);
  return s(
    "svg",
    { class: "effect", viewBox: "0 0 240 20", role: "img", "aria-label": `${name}: ${percent(value)}` },
    s("rect", { class: "ground", x: 4, y: 5, width: 232, height: 10 }),
    s("rect", { class: "value", x: 4, y: 5, width: Math.max(x(value) - 4, 0), height: 10 }),
    s("path", { class: "interval", d: `M${x(low)},10H${x(high)}M${x(low)},6V14M${x(high)},6V14` }),
  );
}

export function showSensitivity(report: ReportData): void {
  const table = report.tables.sensitivity;
  const text = report.texts.sensitivity_text;
  if (!table || text === null) return;
  const parts: (Node | string)[] = [
    h("p", { class: "hint" },
      "The share of the variance of success over the whole map that each input affects, alone or together with others (total Sobol index, with its 95 % interval), as in ",
      h("code", {}, "graspmap sensitivity"), "."),
  ];
  if (table.state === "known" && Array.isArray(table.inputs)) {
    const rows = table.inputs.map((input: any) => {
      const name = NAMES[input.input] ?? input.input;
      return h("tr", {},
        h("th", { scope: "row" }, name),
        h("td", {}, effectBar(input.total.value, input.total.interval, name)),
        h("td", {}, percent(input.total.value)),
        h("td", {}, percent(input.first_order.value)));
    });
    parts.push(h("div", { class: "scroll" }, h("table", { class: "effects" },
      h("thead", {}, h("tr", {}, ...["input", "total effect", "", "alone"].map((n) => h("th", { scope: "col" }, n)))),
      h("tbody", {}, ...rows))));
  }
  parts.push(details("In words", text));
  show("sensitivity", "Which uncertainty matters", ...parts);
}

export function showHold(report: ReportData): void {
  const hold = report.tables.hold;
  const text = report.texts.hold_text;
  if (!hold || text === null) return;
  const chance = (of: any) => `${percent(of.value)} (${percent(of.interval[0])} to ${percent(of.interval[1])})`;
  const row = (name: string, value: string) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
  const rows = hold.lifted
    ? [row("closing succeeds", chance(hold.closes)), row("held and lifted", chance(hold.lifted)),
      row("safety factor, median", significant(hold.factor_quantiles["0.5"] ?? NaN)),
      row(`closing force for ${percent(hold.required_probability)} (N)`,
        hold.force_n === null || hold.force_n === undefined ? "none suffices" : significant(hold.force_n))]
    : [];
  show("hold", "Whether it stays in the hand",
    h("p", { class: "hint" }, `${hold.manoeuvre}, safety factor ${short(hold.factor, 2)}, as in `,
      h("code", {}, "graspmap hold"), "."),
    h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, ...rows))),
    details("In words", text));
}

export function showPose(report: ReportData): void {
  const pose = report.tables.pose;
  const text = report.texts.pose_text;
  if (!pose || text === null) return;
  const coordinates: [string, string, string][] = [
    ["x_mm", "x", "mm"],
    ["y_mm", "y", "mm"],
    ["theta_rad", "theta", "rad"],
    ["opening_mm", "opening", "mm"],
  ];
  const rows = coordinates.map(([key, name, unit]) => {
    const q = pose.quantiles?.[key] ?? {};
    return h("tr", {},
      h("th", { scope: "row" }, `${name} (${unit})`),
      h("td", {}, short(pose.mean?.[key] ?? NaN, 4)),
      h("td", {}, significant(pose.standard_deviation?.[key] ?? NaN)),
      h("td", {}, `${short(q["0.025"] ?? NaN, 3)} to ${short(q["0.975"] ?? NaN, 3)}`));
  });
  show("pose", "How the part lies in the hand",
    h("p", { class: "hint" },
      `After ${whole(pose.trials)} successful grasps on the plateau: the part's frame in the gripper's, and the opening of the jaws, as in `,
      h("code", {}, "graspmap pose"), "."),
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ...["", "mean", "standard deviation", "95 % lie in"].map((n) => h("th", { scope: "col" }, n)))),
      h("tbody", {}, ...rows))),
    details("Modes, covariance and errors, in words", text));
}

export function showComparison(report: ReportData): void {
  const parts: (Node | string)[] = [];
  const { compare_text, difference_text } = report.texts;
  if (compare_text !== null) {
    parts.push(h("h3", {}, "Against the experiment"), h("pre", { tabindex: 0 }, compare_text));
  }
  if (difference_text !== null) {
    parts.push(h("h3", {}, "Against the second run"), h("pre", { tabindex: 0 }, difference_text));
  }
  if (parts.length === 0) return;
  parts.unshift(h("p", { class: "hint" }, "Both maps and their difference are layers of the map above."));
  show("comparison", "Compared", ...parts);
}

/** A link that saves a text, made in the page. */
function saveLink(name: string, text: string): HTMLElement {
  const link = h("a", { download: name, href: "#" }, `Save ${name}`);
  link.addEventListener("click", () => {
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  });
  return link;
}

function health(report: ReportData): string {
  const solver = report.summary.solver ?? {};
  const rungs = Object.entries(solver.steps_by_rung ?? {})
    .filter(([, count]) => Number(count) > 0)
    .map(([rung, count]) => `${rung} ${whole(Number(count))}`)
    .join(", ");
  return `${whole(solver.steps ?? 0)} steps (${rungs}); worst residual ${significant(solver.worst_residual ?? NaN, 2, 0)}, ` +
    `largest overlap ${significant(-(solver.worst_gap_mm ?? NaN), 2, 0)} mm`;
}

export function showProvenance(report: ReportData): void {
  const { facts, config } = report;
  const columns = facts.trial_table.columns;
  const rounded = (name: string): number => columns.find((c) => c.name === name)?.rounded_by_at_most ?? 0;
  const length = Math.max(rounded("part_x_mm"), rounded("part_y_mm"), rounded("jaw_right_x_mm"));
  const row = (name: string, ...value: (Node | string)[]) => [h("dt", {}, name), h("dd", {}, ...value)];
  const sessions = facts.sessions.map((one) =>
    h("li", {}, `${one.started_utc}: ${whole(one.trials)} trials in ${short(one.wall_s, 1)} s on ${one.host}, ` +
      `${one.processes > 1 ? `${one.processes} processes, ` : ""}${one.threads} threads, graspmap ${one.version}, commit ${one.git_commit}`));
  show("provenance", "What it was made of, and how to run it again",
    h("dl", { class: "facts" },
      ...row("run", facts.run),
      ...row("seed", facts.seed),
      ...row("digest of all trials", h("code", {}, facts.digest)),
      ...row("solver", health(report)),
      ...row("sessions", h("ul", {}, ...sessions)),
      ...row("this page", `graspmap ${facts.graspmap_version}, commit ${facts.git_commit}`),
      ...row("rounding", `End poses of trials are rounded by at most ${significant(length, 2)} mm and ` +
        `${significant(rounded("part_theta_rad"), 2)} rad, times by ${significant(rounded("end_time_s"), 2)} s. ` +
        "What was drawn for them is not: it follows from seed and index. Forces and poses of moving pictures have 16 bits.")),
    h("p", {}, "To run it again: ", saveLink(`${fileName(facts.name)}.toml`, config), ", then ",
      h("code", {}, facts.run_again), ". The digest of the new run, ",
      h("code", {}, `${facts.program} hash`), ", is then the same on a processor of the same kind."),
    details("Configuration", config));
}

/** A name as a file's: what file systems and shells may not like becomes "_". */
export const fileName = (name: string): string => name.replace(/[^\w.-]+/g, "_").slice(0, 80) || "run";
