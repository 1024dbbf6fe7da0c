// graspmap and physics engines from npm on the same trials, in one process of node. scripts/compare_npm installs the
// packages and runs this beside them; --help explains it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Engine, run } from "graspmap";
import * as box2d from "./box2d.mjs";
import { outcomeOf, readGrasp, simulate, startOf } from "./grasp.mjs";
import * as mujoco from "./mujoco.mjs";
import * as rapier from "./rapier.mjs";
import { csvTable, markdownTable, quantile, readTrials, score, SWEEP_TRIALS, trialsForMap } from "./table.mjs";

const TURN = 50; // trials of an engine at a time
const BLOCKS = 5; // the median of their rates counts
const STEPS_MS = [2, 1, 0.5];
const PEERS = [
  { engine: "Rapier 2D", of: "@dimforge/rapier2d-deterministic-compat", module: rapier, options: {} },
  { engine: "Box2D 3", of: "box2d3-wasm", module: box2d, options: {} },
  { engine: "MuJoCo 3", of: "@mujoco/mujoco", module: mujoco, options: { impratio: 10, tolerance: 1e-10 } },
];
const OURS = [
  { setting: "0.02 mm", changes: [] },
  { setting: "0.005 mm", changes: ["simulation.tolerance_mm=0.005"] },
  { setting: "2 ms", changes: ["simulation.order=1", "simulation.step_s=0.002"] },
];

const graspmapWasm = pathToFileURL(createRequire(import.meta.url).resolve("graspmap/graspmap.wasm"));
const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const versionIn = (module) => JSON.parse(readFileSync(new URL("package.json", module))).version;

/** Processor time of this process so far, s. With --single-threaded node does all on one thread. */
function processor_s() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const OUTCOMES = ["success", "wedged", "missed", "timeout", "blocked", "failed"];

/** Outcome and final pose in the records of web/engine (trial_record.hpp): fields of 8 bytes. */
function endsOf(records, trials) {
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  const size = records.length / trials;
  return Array.from({ length: trials }, (_, k) => {
    const number = (field) => view.getFloat64(k * size + 8 * field, true);
    const outcome = OUTCOMES[Number(view.getBigInt64(k * size + 8 * 8, true))];
    return { outcome, pose: outcome === "failed" || outcome === "blocked" ? undefined : [number(10), number(11), number(12)] };
  });
}

async function ours({ setting, changes }, toml, wasm) {
  const engine = await Engine.start(wasm);
  engine.open(toml, changes);
  let records;
  return {
    engine: "graspmap",
    version: versionIn(graspmapWasm),
    setting,
    changes,
    run: (first, end) => (records = engine.simulate(first, end)),
    ends: (first, end) => endsOf(records, end - first),
  };
}

const startsAt = new Map(); // by the gap: where the steps of each trial begin, by the exact shapes; not timed

function peer({ engine, of, module, options }, step_ms, grasp, trials) {
  const made = module.makeEngine(grasp, step_ms / 1000, options);
  const gap = made.start_gap_mm;
  if (!startsAt.has(gap)) startsAt.set(gap, trials.map((trial) => startOf(grasp, trial, gap)));
  const starts = startsAt.get(gap);
  let results;
  return {
    engine,
    version: dependencies[of],
    setting: `${step_ms} ms`,
    run: (first, end) => {
      results = [];
      for (let k = first; k < end; ++k) results.push(simulate(grasp, made, trials[k], starts[k]));
    },
    ends: () => results.map((result) => ({ outcome: outcomeOf(grasp, result), pose: result.pose })),
  };
}

/** All on the same trials in turns: adds ends and trials_per_s to the contestants. */
function race(contestants, count, tell) {
  for (const one of contestants) {
    Object.assign(one, { all: [], rates: [] });
    one.run(0, TURN); // compiled and warm
  }
  for (let block = 0; block < BLOCKS; ++block) {
    const [begin, end] = [block, block + 1].map((k) => Math.round((k * count) / BLOCKS));
    const seconds = contestants.map(() => 0);
    for (let first = begin; first < end; first += TURN) {
      const last = Math.min(first + TURN, end);
      contestants.forEach((one, k) => {
        const before = processor_s();
        one.run(first, last);
        seconds[k] += processor_s() - before;
        one.all.push(...one.ends(first, last));
      });
      tell(last / count);
    }
    contestants.forEach((one, k) => one.rates.push((end - begin) / seconds[k]));
  }
  for (const one of contestants) one.trials_per_s = quantile(one.rates, 0.5);
}

/** Processor time of an adaptive run of the whole map with the standard error of SWEEP_TRIALS independent trials. */
async function allocated(toml, changes) {
  const whole = ["sweep.sampling=adaptive", "sweep.adaptive.goal=map", "sweep.trials_per_cell=10000", ...changes];
  const answerOf = async (more) => {
    const done = await run(toml, { threads: 1, changes: [...whole, ...more] });
    done.end();
    return done.progress.answer;
  };
  const pilot = await answerOf([`sweep.adaptive.most_trials=${SWEEP_TRIALS / 10}`]);
  const error = pilot.standard_error * Math.sqrt(pilot.independent_trials / SWEEP_TRIALS);
  const before = processor_s();
  const answer = await answerOf([`sweep.adaptive.most_trials=${SWEEP_TRIALS}`, `sweep.adaptive.standard_error=${error}`]);
  return { map_s: processor_s() - before, trials: answer.trials };
}

const { values } = parseArgs({
  options: { config: { type: "string" }, trials: { type: "string" }, out: { type: "string" } },
});
const toml = readFileSync(values.config, "utf8");
const trials = readTrials(readFileSync(values.trials, "utf8"));
const wasm = readFileSync(graspmapWasm);
const { document, cells } = (await Engine.start(wasm)).open(toml);
const grasp = readGrasp(document);
if (trials.length < 2 * cells || trials.length % cells !== 0) {
  process.stderr.write(`compare_npm: ${values.trials}: ${trials.length} trials; must be a multiple of its ${cells} cells, at least ${2 * cells}\n`);
  process.exit(2);
}
const wrongTrials = ({ engine, setting, all }) =>
  trials.flatMap(({ trial, robust, outcome }, k) =>
    all[k].outcome === outcome ? [] : [{ engine, setting, trial, robust, outcome: all[k].outcome, reference_outcome: outcome }],
  );
const contestants = [];
for (const one of OURS) contestants.push(await ours(one, toml, wasm));
for (const one of PEERS) for (const step_ms of STEPS_MS) contestants.push(peer(one, step_ms, grasp, trials));
race(contestants, trials.length, (done) => process.stderr.write(`${Math.round(100 * done)} %${process.stderr.isTTY ? "\r" : "\n"}`));
const rows = [];
for (const { engine, version, setting, changes, all, rates, trials_per_s } of contestants) {
  const found = score(trials, all, cells);
  const map = changes ? await allocated(toml, changes) : { trials: trialsForMap(found.bias) };
  const map_s = found.bias < 1 ? (map.map_s ?? map.trials / trials_per_s) : Infinity;
  rows.push({ engine, version, setting, trials_per_s, slowest: Math.min(...rates), fastest: Math.max(...rates), ...found, map_trials: map.trials, map_s });
}
const text = `${trials.length} trials of ${document.name} in node ${process.version} on ${cpus()[0].model.trim()}; processor time of one thread, the
median of ${BLOCKS} blocks in which all took turns.

${markdownTable(rows)}`;
mkdirSync(values.out, { recursive: true });
writeFileSync(`${values.out}/peers.csv`, csvTable(rows));
writeFileSync(`${values.out}/wrong_trials.csv`, csvTable(contestants.flatMap(wrongTrials)));
writeFileSync(`${values.out}/peers.md`, text);
process.stdout.write(text);
