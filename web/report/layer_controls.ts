// The sliders of the layers that ask "what if": a positioning error, other laws of friction.

import { button, slider } from "./controls";
import { data, h } from "./dom";
import { degrees, percent, short, whole } from "./format";
import { cellSize, isFixed } from "./grid";
import type { Layers } from "./layers";
import type { Law } from "./laws";
import type { ReportData } from "./report_data";
import { LEAST_EFFECTIVE_TRIALS, MOST_PARETO_SHAPE } from "./reweight";

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

export function errorControls(report: ReportData, layers: Layers, changed: () => void): HTMLElement {
  const { axes, sweet_spot, has_placement_noise } = report.facts;
  const answer = h("p", { class: "answer", "aria-live": "polite" });
  const here = h("output", {});
  const at = sweet_spot.found
    ? [sweet_spot.x_mm, sweet_spot.y_mm, sweet_spot.theta_rad]
    : layers.bestExpected().at;
  const tellHere = (): void => {
    const p = layers.expectedAt(at);
    here.replaceChildren(data(p, percent(p), "expected_at"));
  };
  const tell = (): void => {
    const best = layers.bestExpected();
    const [x, y, theta] = best.at;
    const angle = isFixed(axes.theta_rad) ? "" : ` at ${short(theta)} rad`;
    answer.replaceChildren(
      `Best cell centre: (${short(x)}, ${short(y)}) mm${angle}, success `,
      data(best.p, percent(best.p), "expected_best"),
      ".",
    );
    tellHere();
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

/** The two numbers of a law that can be changed without new trials. */
function lawSliders(label: string, key: string, stored: Law, wanted: Law, changed: () => void) {
  const width = (stored.max ?? stored.mean + 3 * stored.sigma) - (stored.min ?? stored.mean - 3 * stored.sigma);
  const step = 10 ** Math.floor(Math.log10(width / 100));
  const make = (name: string, min: number, max: number, field: "min" | "max" | "mean" | "sigma") =>
    slider({ label: `${label}, ${name}`, name: `${key}_${field}`, min, max, step,
      value: wanted[field] as number, text: (v) => short(v, 4),
      changed: (value) => {
        wanted[field] = value;
        changed();
      } });
  if (stored.kind === "uniform") {
    const [low, high] = [stored.min as number, stored.max as number];
    return [make("from", low, high, "min"), make("to", low, high, "max")];
  }
  const reach = 2 * stored.sigma;
  return [
    make("mean", Math.max(stored.min ?? -Infinity, stored.mean - reach), stored.mean + reach, "mean"),
    make("sigma", stored.sigma / 5, stored.sigma, "sigma"),
  ];
}

export function frictionControls(report: ReportData, layers: Layers, changed: () => void): HTMLElement {
  const { laws } = report.facts;
  const answer = h("p", { class: "answer", "aria-live": "polite" });
  const tell = (): void => {
    const bad = [layers.laws.mu_jaw, layers.laws.mu_support].some(
      (law) => law.kind === "uniform" && !((law.min as number) < (law.max as number)),
    );
    if (bad) {
      answer.textContent = "A law needs a width: its upper end must be above its lower one.";
      return;
    }
    const map = layers.reweighted();
    answer.dataset.paretoShape = String(map.paretoShape);
    answer.replaceChildren(
      `The ${whole(report.trials.count)} trials of the page are worth `,
      data(map.effective, whole(map.effective), "effective_trials"),
      " of new ones; the median cell has ",
      data(map.median, whole(map.median), "median_effective_trials"),
      ". ",
    );
    if (map.median < LEAST_EFFECTIVE_TRIALS) {
      answer.append(`Cells of fewer than ${LEAST_EFFECTIVE_TRIALS} get no number: simulate these laws.`);
    } else if (map.paretoShape > MOST_PARETO_SHAPE) {
      answer.append("A few trials decide: do not trust this map, simulate these laws.");
    }
  };
  const update = coalesced(() => {
    tell();
    changed();
  });
  const sliders: { element: HTMLElement; set: (v: number) => void }[] = [];
  const resets: (() => void)[] = [];
  for (const [key, label] of [["mu_jaw", "jaws"], ["mu_support", "table"]] as const) {
    if (laws[key].kind === "fixed") continue;
    const own = lawSliders(label, key, laws[key], layers.laws[key], update);
    sliders.push(...own);
    const fields = laws[key].kind === "uniform" ? (["min", "max"] as const) : (["mean", "sigma"] as const);
    resets.push(() => {
      Object.assign(layers.laws[key], laws[key]);
      own.forEach((one, k) => one.set(laws[key][fields[k]] as number));
    });
  }
  tell();
  return h(
    "div",
    { class: "controls", "data-for": "friction" },
    ...sliders.map((one) => one.element),
    button("As in the run", () => {
      for (const reset of resets) reset();
      update();
    }),
    answer,
    h(
      "p",
      { class: "hint" },
      "No new trials: each stored one counts as much as its friction is likelier under these laws, as in ",
      h("code", {}, "graspmap reweight"),
      ".",
    ),
  );
}
