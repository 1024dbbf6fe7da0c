// node live_test.mjs ENGINE WASM RUN: the engine of pages against a run's trials. ENGINE is web/package/src/engine.ts as
// JavaScript, RUN the folder of a run with config.toml, map.csv and trials.csv.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [module_file, wasm_file, run] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(path.resolve(module_file)));
const started = () => Engine.start(fs.readFileSync(wasm_file));
let engine = await started();
const config = fs.readFileSync(path.join(run, "config.toml"), "utf8");

const [head, ...lines] = fs.readFileSync(path.join(run, "trials.csv"), "utf8").trim().split("\n");
const columns = head.split(",");
const trials = lines.map((line) => Object.fromEntries(line.split(",").map((text, k) => [columns[k], text])));
const inputs = ["x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support"];
const placement = (trial) => Object.fromEntries(inputs.map((name) => [name, Number(trial[name])]));

// Trials at given placements.
engine.open(config);
for (const trial of trials) {
  const simulated = engine.trial(placement(trial));
  assert.equal(simulated.outcome, trial.outcome, `trial ${trial.index}`);
  assert.ok(simulated.story.startsWith(trial.outcome));
  const stored = [trial.part_x_mm, trial.part_y_mm, trial.part_theta_rad].map(Number);
  assert.deepEqual(simulated.end, stored, `trial ${trial.index}: other bits`);
}
assert.ok(trials.length > 0);

// The whole run, in two pieces that arrive in the other order: the same map, and the digest of `graspmap hash`.
const [[first, end]] = engine.missing();
const middle = Math.floor((first + end) / 2);
const pieces = [engine.simulate(first, middle), engine.simulate(middle, end)];
engine.take(pieces[1]);
assert.deepEqual(engine.missing(), [[first, middle]]);
assert.equal(engine.answer().complete, false);
engine.take(pieces[0]);
assert.deepEqual(engine.missing(), []);
assert.equal(engine.part("map"), fs.readFileSync(path.join(run, "map.csv"), "utf8"));
assert.equal(engine.part("config"), config);
assert.throws(() => engine.take(pieces[0]), /already exist/);
assert.throws(() => engine.take(pieces[0].subarray(0, 7)), /whole records/);
console.log(JSON.parse(engine.part("facts")).digest);

// A report's outcomes give the same map, and the engine draws what was drawn; how a trial ended is not known then.
const { outcomes: words, axes } = JSON.parse(engine.part("facts"));
// The same configuration again keeps its trials; another engine has none.
engine.open(config);
assert.deepEqual(engine.missing(), []);
engine = await started();
engine.open(config);
const byIndex = [...trials].sort((a, b) => a.index - b.index);
engine.takeOutcomes([[0, 3], [3, trials.length]], Uint8Array.from(byIndex, ({ outcome }) => words.indexOf(outcome)));
assert.equal(engine.part("map"), fs.readFileSync(path.join(run, "map.csv"), "utf8"));
for (const trial of trials) {
  const drawn = engine.drawn(Number(trial.index));
  for (const name of inputs) assert.equal(drawn[name], Number(trial[name]));
  assert.deepEqual(engine.trialOfRun(Number(trial.index)).outcome, trial.outcome);
}
const best = engine.bestPlacement([1, 2, 0]);
const planned = JSON.parse(engine.decide("plan", { "position-sigma-mm": [1, 2].join() }).files["plan.json"]).placements[0];
assert.deepEqual([best.x_mm, best.success_probability], [planned.x_mm, planned.success_probability]);
assert.equal(engine.expected([1, 2, 0], 0).length, axes.x_mm.cells * axes.y_mm.cells);
engine = await started();
engine.open(config);
assert.throws(() => engine.bestPlacement([1, 2, 0]), /no trials yet/);
engine.takeOutcomes([[0, 1]], Uint8Array.of(0));
assert.throws(() => engine.decide("pose"), /only the outcomes are known/);
assert.throws(() => engine.reweight({ "part.mass_kg": 7 }), /random inputs/);
assert.throws(() => engine.takeOutcomes([[1, 2]], Uint8Array.of(9)), /numbers of outcomes/);

// Changes hold for their call only, and a wrong one says what is wrong.
const some = placement(trials.find((trial) => trial.outcome === "success"));
const before = engine.trial(some);
const stronger = engine.trial(some, ["gripper.closing_force_n=20"]);
const sum = (frame) => frame.contacts.reduce((all, contact) => all + contact.normal_force_n, 0);
assert.ok(sum(stronger.frames.at(-1)) > 1.5 * sum(before.frames.at(-1)));
assert.throws(() => engine.trial(some, ["gripper.closing_force_n=-1"]), /gripper\.closing_force_n: is -1; must be/);
assert.deepEqual(engine.trial(some), before);
// Besides those of the run, which they may replace.
engine.open(config, ["gripper.closing_force_n=20"]);
assert.deepEqual(engine.trial(some), stronger);
const slower = engine.trial(some, ["gripper.closing_speed_mm_s=10"]);
assert.ok(slower.end_time_s > stronger.end_time_s && sum(slower.frames.at(-1)) > 1.5 * sum(before.frames.at(-1)));
const [force] = /(?<=^closing_force_n = ).*/m.exec(config);
assert.deepEqual(engine.trial(some, [`gripper.closing_force_n=${force}`]), before);

try {
  engine.open("name = 1");
  assert.fail();
} catch (error) {
  assert.match(error.message, /config\.toml:1: gripper: missing/);
  assert.ok(error.faults.some(({ key, what }) => key === "sweep.seed" && what === "missing"));
}
assert.throws(() => engine.simulate(0, 1), /no configuration is open/);
console.error(`${trials.length} trials: all outcomes and final poses have the same bits`);
