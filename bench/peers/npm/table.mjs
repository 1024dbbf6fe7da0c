// What trials of an engine are worth against the reference's: wrong outcomes, and the time to a map.

export const SWEEP_TRIALS = 100_800; // independent ones, whose standard error a map is to have

/** The rows of trials.csv (scripts/compare --reference). */
export function readTrials(csv) {
  const [header, ...lines] = csv.trim().split("\n");
  const keys = header.split(",");
  return lines.map((line) => {
    const words = line.split(",");
    const row = Object.fromEntries(keys.map((key, k) => [key, key === "outcome" ? words[k] : Number(words[k])]));
    return { ...row, robust: row.robust === 1 };
  });
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? NaN : sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** An unbiased estimate of the variance. */
function variance(values) {
  const mean = sum(values) / values.length;
  return sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
}

/**
 * Outcomes {outcome, pose} of an engine against those of the trials. Trial k is in cell k % cells. `bias` is the root
 * mean square over the cells of how far success is off, in standard errors of a cell of an independent sweep, also root
 * mean square: in a cell, (mean of d)^2 - variance(d)/n is unbiased for the square of it, d = success - reference's. Only
 * robust trials count as wrong. `bias_low` and `bias_high` are one standard error of its square away. `wrong_success`:
 * wrong trials whose success differs.
 */
export function score(trials, ends, cells) {
  const robust = trials.filter((trial) => trial.robust).length;
  const wrong = trials.filter((trial, k) => trial.robust && ends[k].outcome !== trial.outcome).length;
  const errors_mm = trials.flatMap((trial, k) => {
    if (ends[k].outcome !== trial.outcome || !ends[k].pose) return [];
    return [Math.hypot(ends[k].pose[0] - trial.end_x_mm, ends[k].pose[1] - trial.end_y_mm)];
  });
  const is = (outcome) => (outcome === "success" ? 1 : 0);
  let [bias2, bias2_variance, error2, wrong_success] = [0, 0, 0, 0];
  for (let cell = 0; cell < cells; ++cell) {
    const own = trials.map((_, k) => k).filter((k) => k % cells === cell);
    const differences = own.map((k) => (trials[k].robust ? is(ends[k].outcome) - is(trials[k].outcome) : 0));
    const mean = sum(differences) / own.length;
    const noise2 = variance(differences) / own.length;
    const square = mean ** 2 - noise2;
    bias2 += square;
    bias2_variance += (2 * noise2 ** 2 * own.length) / (own.length - 1) + 4 * Math.max(square, 0) * noise2;
    wrong_success += sum(differences.map(Math.abs));
    error2 += variance(own.map((k) => is(trials[k].outcome))) / (SWEEP_TRIALS / cells);
  }
  const bias = (by) => Math.sqrt(Math.max(bias2 + by * Math.sqrt(bias2_variance), 0) / error2);
  return {
    robust,
    wrong,
    wrong_success,
    right_share: (robust - wrong) / robust,
    median_mm: quantile(errors_mm, 0.5),
    failed: ends.filter(({ outcome }) => outcome === "failed").length,
    bias: bias(0),
    bias_low: bias(-1),
    bias_high: bias(1),
  };
}

/** Independent trials for a map whose error, bias included, is the standard error of SWEEP_TRIALS; Infinity: never. */
export function trialsForMap(bias) {
  return bias < 1 ? SWEEP_TRIALS / (1 - bias ** 2) : Infinity;
}

/** A time as one says it. */
export function duration(seconds) {
  if (seconds === Infinity) return "never";
  return seconds < 90 ? `${seconds.toPrecision(2)} s` : `${(seconds / 60).toPrecision(2)} min`;
}

const HEADER = ["engine", "setting", "trials/s", "robust right", "median mm", "bias", "time to a right map"];

function cellsOf({ engine, setting, trials_per_s, map_s, right_share, median_mm, bias, bias_low, bias_high }) {
  return [engine, setting, Number(trials_per_s.toPrecision(3)), `${(100 * right_share).toFixed(2)} %`, median_mm.toPrecision(2),
    `${bias.toFixed(1)} (${bias_low.toFixed(1)}-${bias_high.toFixed(1)})`, duration(map_s)];
}

export function markdownTable(rows) {
  const lines = [HEADER, HEADER.map(() => "---"), ...rows.map(cellsOf)];
  return lines.map((words) => `| ${words.join(" | ")} |\n`).join("");
}

export function csvTable(rows) {
  const keys = Object.keys(rows[0]);
  return [keys, ...rows.map((row) => keys.map((key) => row[key]))].map((words) => `${words.join(",")}\n`).join("");
}
