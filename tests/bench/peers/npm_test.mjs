// node npm_test.mjs FOLDER: what judges the engines of bench/peers/npm; and the engines, where FOLDER is that of
// scripts/compare_npm (build/peers_npm) with the packages. Exit code 77: they are not there.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const load = (folder, name) => import(pathToFileURL(join(folder, name)));
const { csvTable, duration, markdownTable, readTrials, score, SWEEP_TRIALS, trialsForMap } = await load(`${root}/bench/peers/npm`, "table.mjs");

// Two cells, even and odd trials: the first mixed, the second all success. Trial 6 is not robust.
const trials = readTrials(`trial,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,robust,end_x_mm,end_y_mm,end_theta_rad
0,0,-9,0,0.1,0.3,success,1,0,9,0
1,0,-9,0,0.1,0.3,success,1,0,9,0
2,0,-9,0,0.1,0.3,missed,1,1,20,0
3,0,-9,0,0.1,0.3,success,1,0,9,0
4,0,-9,0,0.1,0.3,wedged,1,2,9,0
5,0,-9,0,0.1,0.3,success,1,0,9,0
6,0,-9,0,0.1,0.3,success,0,0,9,0
7,0,-9,0,0.1,0.3,success,1,0,9,0
`);
assert.equal(trials[2].outcome, "missed");
assert.equal(trials[6].robust, false);
const right = trials.map(({ outcome, end_x_mm, end_y_mm }) => ({ outcome, pose: [end_x_mm + 0.03, end_y_mm - 0.04, 0] }));
const all_right = score(trials, right, 2);
assert.equal(all_right.robust, 7);
assert.equal(all_right.wrong, 0);
assert.equal(all_right.bias, 0);
assert.ok(Math.abs(all_right.median_mm - 0.05) < 1e-12);

// Three of four wrong in the second cell: d = -3/4, its variance 1/4, so the square is 9/16 - 1/16 = 1/2. The standard
// error of an independent sweep is sqrt((1/3) / 50,400) in the first cell, whose success varies by 1/3, and 0 in the other.
const ends = right.map((end, k) => ([1, 3, 5].includes(k) ? { ...end, outcome: "missed" } : end));
ends[6] = { outcome: "missed" }; // not robust: no wrong trial
ends[4] = { outcome: "missed", pose: [0, 0, 0] }; // wrong, but of success nothing changes
const found = score(trials, ends, 2);
assert.equal(found.wrong, 4);
assert.equal(found.wrong_success, 3);
assert.equal(found.right_share, 3 / 7);
assert.ok(Math.abs(found.bias - Math.sqrt(0.5 / (1 / 3 / (SWEEP_TRIALS / 2)))) < 1e-9);

// The variance of that square by chance: 2 (1/16)^2 4/3 + 4 (1/2) (1/16).
const low = 0.5 - Math.sqrt(2 / 256 * (4 / 3) + 1 / 8);
assert.ok(Math.abs(found.bias_low / found.bias - Math.sqrt(low / 0.5)) < 1e-9);

assert.equal(trialsForMap(0), SWEEP_TRIALS);
assert.ok(Math.abs(trialsForMap(0.6) - SWEEP_TRIALS / 0.64) < 1e-6);
assert.equal(trialsForMap(1), Infinity);
assert.equal(duration(trialsForMap(2)), "never");
assert.equal(duration(2.345), "2.3 s");
assert.equal(duration(300), "5.0 min");

const row = { engine: "E", setting: "1 ms", trials_per_s: 123.4, map_s: Infinity, ...found };
assert.match(markdownTable([row]).split("\n")[2], /^\| E \| 1 ms \| 123 \| 42\.86 % \| .* \| never \|$/);
assert.equal(csvTable([{ a: 1, b: 2 }]), "a,b\n1,2\n");

const packages = process.argv[2];
if (!packages || !existsSync(join(packages, "node_modules"))) {
  console.log("The engines are not tested: scripts/compare_npm installs them.");
  process.exit(77);
}
for (const name of readdirSync(`${root}/bench/peers/npm`)) copyFileSync(join(root, "bench/peers/npm", name), join(packages, name));
const { Engine } = await load(packages, "node_modules/graspmap/index.js");
const engine = await Engine.start(readFileSync(join(packages, "node_modules/graspmap/graspmap.wasm")));
const config = engine.open(readFileSync(join(root, "configs/lock_piece.toml"), "utf8")).document;
const { outcomeOf, readGrasp, simulate, startOf } = await load(packages, "grasp.mjs");
const grasp = readGrasp(config);
assert.throws(() => readGrasp({ ...config, support: { ...config.support, e_o: 2 } }), /e_t = e_o/);
const at = (x_mm, y_mm) => ({ x_mm, y_mm, theta_rad: 0, mu_jaw: 0.15, mu_support: 0.3 });
const placements = [at(0, -10), at(0, -16), at(6, -12), at(-9, -19), at(9, -1)];
const expected = placements.map((placement) => engine.trial(placement));
assert.equal(new Set(expected.map(({ outcome }) => outcome)).size >= 3, true);
for (const name of ["rapier", "box2d", "mujoco"]) {
  const peer = (await load(packages, `${name}.mjs`)).makeEngine(grasp, 0.0005);
  placements.forEach((placement, k) => {
    const result = simulate(grasp, peer, placement, startOf(grasp, placement, peer.start_gap_mm));
    assert.equal(outcomeOf(grasp, result), expected[k].outcome, `${name}, placement ${k}`);
    if (!result.pose || expected[k].outcome === "missed") return; // thrown out, by the last impact
    const [x, y] = expected[k].end;
    assert.ok(Math.hypot(result.pose[0] - x, result.pose[1] - y) < 0.3, `${name}, placement ${k}: ${result.pose}`);
    assert.ok(Math.abs(result.jaws[0] + result.jaws[1]) < 0.02, `${name}: ${result.jaws} are not mirror images`);
  });
}
