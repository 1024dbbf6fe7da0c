// The sliders of the layers that ask "what if": a positioning error, other distributions of friction.

import { button, slider } from "./controls";
import { data, h } from "./dom";
import { degrees, percent, percentRange, short, whole } from "./format";
import { type Axis, cellSize, isFixed } from "./grid";
import type { Distribution } from "./facts";
import { changeable, type Layers } from "./layers";
import type { Pose } from "../package/src/engine";
import type { ReportData } from "./report_data";

const REST_MS = 150;

/** Runs the last of many calls, once nothing else is to be done. */
export function coalesced(work: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      work();
    });
  };
}

const middle = (axis: Axis): number => (axis.min + axis.max) / 2;

export function errorControls(report: ReportData, layers: Layers, changed: () => void): HTMLElement {
  const { axes, sweet_spot, has_placement_noise } = report.facts;
  const answer = h("p", { class: "answer", "aria-live": "polite" });
  const here = h("output", {});
  const at: Pose = sweet_spot.found
    ? [sweet_spot.x_mm, sweet_spot.y_mm, sweet_spot.theta_rad]
    : [middle(axes.x_mm), middle(axes.y_mm), middle(axes.theta_rad)];
  const tellHere = (): void => {
    const { success_probability: p, interval } = layers.expectedAt(at);
    here.replaceChildren(data(p, percent(p), "expected_at"), ` (${percentRange(...interval)})`);
  };
  const tellBest = (): void => {
    const best = layers.bestExpected();
    if (!best) {
      answer.textContent = "No success is known of.";
      return;
    }
    const { x_mm, y_mm, theta_rad, success_probability: p, interval, judged_sigma } = best;
    const angle = isFixed(axes.theta_rad) ? "" : ` at ${short(theta_rad)} rad`;
    answer.replaceChildren(
      "Best placement: (", data(x_mm, short(x_mm), "best_x"), ", ", data(y_mm, short(y_mm), "best_y"), `) mm${angle}, success `,
      data(p, percent(p), "expected_best"),
      ` (${percentRange(...interval)})`,
      judged_sigma ? `, judged with ${short(judged_sigma[0])} mm in x and ${short(judged_sigma[1])} mm in y: the trials are too sparse for less.` : ".",
    );
  };
  // The best placement is looked for once the slider rests.
  let waiting = 0;
  const tell = (): void => {
    tellHere();
    answer.textContent = "Looking for the best placement \u2026";
    clearTimeout(waiting);
    waiting = setTimeout(tellBest, REST_MS);
  };
  const update = coalesced(() => {
    tell();
    changed();
  });
  const set = (k: number) => (value: number) => {
    layers.sigma[k] = value;
    update();
  };
  const largest = (k: "x_mm" | "y_mm"): number => Math.max((axes[k].max - axes[k].min) / 4, 1);
  const mm = (value: number): string => (value === 0 ? "exact" : `${short(value)} mm`);
  const axisSlider = (label: string, name: string, k: 0 | 1) =>
    slider({ label, name, min: 0, max: Number(largest(k ? "y_mm" : "x_mm").toPrecision(2)), step: 0.05,
      value: layers.sigma[k], text: mm, changed: set(k) }).element;
  const parts = [
    axisSlider("error in x, sigma", "sigma_x", 0),
    axisSlider("error in y, sigma", "sigma_y", 1),
  ];
  if (!isFixed(axes.theta_rad)) {
    parts.push(
      slider({ label: "error in theta, sigma", name: "sigma_theta", min: 0,
        max: Number((4 * cellSize(axes.theta_rad)).toPrecision(2)), step: 0.005,
        value: layers.sigma[2], changed: set(2),
        text: (v) => (v === 0 ? "exact" : `${short(v)} rad (${degrees(v)})`) }).element,
    );
  }
  const field = (label: string, name: string, k: number): HTMLElement => {
    const input = h("input", { type: "number", step: "any", "data-name": name, input: () => {
      if (!Number.isFinite(input.valueAsNumber)) return;
      at[k] = input.valueAsNumber;
      tellHere();
    } });
    input.value = short(at[k]);
    return h("label", {}, `${label} `, input);
  };
  tell();
  return h(
    "div",
    { class: "controls", "data-for": "expected" },
    ...parts,
    answer,
    h(
      "p",
      { class: "answer fields" },
      field("At x", "at_x", 0),
      field("y", "at_y", 1),
      isFixed(axes.theta_rad) ? null : field("theta", "at_theta", 2),
      "success ",
      here,
    ),
    h(
      "p",
      { class: "hint" },
      "Normal errors, independent of each other, as in ",
      h("code", {}, "graspmap plan"),
      ". What reaches beyond the map counts as no success.",
      has_placement_noise ? " The error comes on top of the run's own noise." : "",
    ),
  );
}

/** Sliders of the two numbers of a distribution that can be changed without new trials. */
function distributionSliders(
  label: string,
  name: string,
  distribution: Distribution,
  set: (field: string, value: number) => void,
) {
  const { min, max, mean = 0, sigma = 0 } = distribution;
  const width = (max ?? mean + 3 * sigma) - (min ?? mean - 3 * sigma);
  const step = 10 ** Math.floor(Math.log10(width / 100));
  const ranges: Record<string, [string, number, number]> = {
    min: ["from", min as number, max as number],
    max: ["to", min as number, max as number],
    mean: ["mean", Math.max(min ?? -Infinity, mean - 2 * sigma), mean + 2 * sigma],
    sigma: ["sigma", sigma / 5, sigma],
  };
  return changeable(distribution).map((field) => {
    const [words, low, high] = ranges[field];
    const stored = distribution[field] as number;
    const one = slider({ label: `${label}, ${words}`, name: `${name}_${field}`, min: low, max: high, step, value: stored,
      text: (v) => short(v, 4), changed: (value) => set(field, value) });
    return { element: one.element, reset: () => one.set(stored) };
  });
}

export function frictionControls(report: ReportData, layers: Layers, changed: () => void): HTMLElement {
  const answer = h("p", { class: "answer", "aria-live": "polite" });
  const tell = (): void => {
    const map = layers.reweighted();
    if (typeof map === "string") {
      answer.textContent = `These distributions have no map: ${map}`;
      return;
    }
    const { effective_trials, median_effective_trials_of_cells: median } = map;
    answer.dataset.paretoK = String(map.pareto_k);
    answer.replaceChildren(
      `The ${whole(report.trials.count)} trials of the page are worth `,
      data(effective_trials, whole(effective_trials), "effective_trials"),
      " of new ones; the median cell has ",
      data(median, whole(median), "median_effective_trials"),
      `. ${map.warning}`,
    );
  };
  const update = coalesced(() => {
    tell();
    changed();
  });
  layers.laws = {};
  const { mu_jaw, mu_support } = report.facts.laws;
  const set = (key: string) => (field: string, value: number) => {
    layers.laws[`${key}.${field}`] = value;
    update();
  };
  const sliders = [
    ...distributionSliders("jaws", "mu_jaw", mu_jaw, set("friction.jaw")),
    ...distributionSliders("table", "mu_support", mu_support, set("friction.support")),
  ];
  tell();
  return h(
    "div",
    { class: "controls", "data-for": "friction" },
    ...sliders.map((one) => one.element),
    button("As in the run", () => {
      layers.laws = {};
      for (const { reset } of sliders) reset();
      update();
    }),
    answer,
    h(
      "p",
      { class: "hint" },
      "No new trials: each stored one counts as much as its friction is more likely under these distributions, as in ",
      h("code", {}, "graspmap reweight"),
      ".",
    ),
  );
}
