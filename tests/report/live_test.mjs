// node live_test.mjs LIVE_MODULE WASM RUN: the simulator in the page against a run's trials. LIVE_MODULE is page/live.ts
// as JavaScript, RUN the folder of a run with config.toml and trials.csv.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [module_file, wasm_file, run] = process.argv.slice(2);
const { openLive } = await import(pathToFileURL(path.resolve(module_file)));
const wasm = fs.readFileSync(wasm_file);
const config = fs.readFileSync(path.join(run, "config.toml"), "utf8");

const [head, ...lines] = fs.readFileSync(path.join(run, "trials.csv"), "utf8").trim().split("\n");
const columns = head.split(",");
const trials = lines.map((line) => Object.fromEntries(line.split(",").map((text, k) => [columns[k], text])));
const inputs = ["x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support"];
const placement = (trial) => Object.fromEntries(inputs.map((name) => [name, Number(trial[name])]));

const live = await openLive(wasm, config);
for (const trial of trials) {
  const simulated = live.simulate(placement(trial));
  assert.equal(live.error, "");
  assert.equal(simulated.outcome, trial.outcome, `trial ${trial.index}`);
  assert.ok(simulated.story.startsWith(trial.outcome));
  const stored = [trial.part_x_mm, trial.part_y_mm, trial.part_theta_rad].map(Number);
  assert.deepEqual(simulated.end, stored, `trial ${trial.index}: other bits`);
}
assert.ok(trials.length > 0);

// Changes hold for their call only, and a wrong one says what is wrong.
const some = placement(trials.find((trial) => trial.outcome === "success"));
const before = live.simulate(some);
const stronger = live.simulate(some, ["gripper.closing_force_n=20"]);
const sum = (frame) => frame.contacts.reduce((all, contact) => all + contact.normal_force_n, 0);
assert.ok(sum(stronger.frames.at(-1)) > 1.5 * sum(before.frames.at(-1)));
assert.deepEqual(live.simulate(some, ["gripper.closing_force_n=-1"]).frames, []);
assert.match(live.error, /gripper\.closing_force_n: is -1; must be/);
assert.deepEqual(live.simulate(some), before);
assert.equal(live.error, "");

await assert.rejects(openLive(wasm, "name = 1"), /config\.toml:1: gripper: missing/);
console.log(`${trials.length} trials: all outcomes and final poses have the same bits`);
