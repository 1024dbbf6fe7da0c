#!/usr/bin/env python3
"""tests/npm/package_test.py PACKAGE.tgz GRASPMAP: the npm package in an empty folder, against the program.

Installs the package, runs its command and a script that imports it, and compares digests, maps, plans and messages
with those of the program. Checks that the types say what there is. Exit code 1 when something differs.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
TRIALS = ["--set", "sweep.trials_per_cell=4", "--set", "sweep.seed=7"]

SCRIPT = """
import { readFile } from "node:fs/promises";
import { importDrawing, InputError, run, search, simulate, startPool, plan } from "graspmap";
const toml = await readFile(process.argv[2], "utf8");
const drawing = await readFile(process.argv[3]);
const found = {};
const seen = [];
const done = await run(toml, {
  changes: ["sweep.trials_per_cell=4", "sweep.seed=7"], threads: 2, onProgress: (p) => seen.push(p.answer.trials),
});
found.digest = await done.digest();
found.seen = seen;
found.trials = done.progress.answer.trials;
found.map = done.map;
found.plan = (await done.plan({ "position-sigma-mm": "1,1" })).text;
found.trial = (await done.trial(42)).outcome;
done.end();
const at = { x_mm: 0, y_mm: -10, theta_rad: 0, mu_jaw: 0.15, mu_support: 0.3 };
found.outcomes = (await simulate(toml, [at, { ...at, x_mm: 30 }])).map((trial) => trial.outcome);
const force = (trial) => trial.frames.at(-1).contacts.reduce((sum, contact) => sum + contact.normal_force_n, 0);
const forces = async (changes) => (await simulate(toml, [at], { changes })).map(force)[0];
found.stronger = (await forces(["gripper.closing_force_n=40"])) / (await forces());
found.first = (await importDrawing("l_bracket.dxf", drawing, { material: "aluminium" })).toml;
found.planned = (await plan(found.first, {}, { changes: ["sweep.trials_per_cell=2"] })).text;
try {
  await run("name = 1");
} catch (error) {
  found.error = [error instanceof InputError, error.message, error.faults];
}
const controller = new AbortController();
try {
  await run(toml, { signal: controller.signal, onProgress: () => controller.abort() });
} catch (error) {
  found.aborted = error.name;
}
const one = await startPool(NaN);
found.workers = one.workers;
one.end();
const isOver = { files: { "a.csv": "" }, signal: AbortSignal.abort() };
found.abortedSearch = await search("design", toml, {}, isOver).catch((error) => error.name);
const pool = await startPool(2);
const first = pool.run(toml, { changes: ["sweep.trials_per_cell=50"] }).catch((error) => error.name);
const second = await pool.run(toml, { changes: ["sweep.trials_per_cell=1"] });
found.overtaken = [await first, second.answer.trials];
pool.end();
console.log(JSON.stringify(found));
"""

TYPES = """
import { run, simulate, type Run, type Trial, type InputError } from "graspmap";
const one: Promise<Run> = run("", { threads: 2, onProgress: ({ answer }) => answer.trials.toFixed() });
const trials: Promise<Trial[]> = simulate("", [{ x_mm: 0, y_mm: 0, theta_rad: 0, mu_jaw: 0.1, mu_support: 0.1 }]);
export const kept: [Promise<Run>, Promise<Trial[]>, InputError?] = [one, trials];
"""


def check(condition, what):
    if not condition:
        print(f"{what}: differs")
        sys.exit(1)


def output(words, folder, code=0):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    check(done.returncode == code, f"{words[:3]}: exit code {done.returncode}; {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout if code == 0 else done.stderr


def without_commands(text):
    """An answer without the commands that need the folder of a run, which the package has not."""
    return re.sub("^To (know|see one): .*\n", "", text, flags=re.MULTILINE)


def main():
    package, program = (str(Path(word).resolve()) for word in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output(["npm", "install", "--offline", "--no-audit", "--no-fund", package], folder)
        for file in ("lock_piece.toml", "l_bracket.toml"):
            shutil.copy(CONFIGS / file, folder)
        shutil.copytree(CONFIGS / "drawings", folder / "drawings")
        here = str(folder / "lock_piece.toml")
        native = "native"
        output([program, "run", here, *TRIALS, "--quiet", "--no-plots", "--out", native], folder)
        digest = output([program, "hash", native], folder).strip()

        # The command: the same files.
        command = [str(folder / "node_modules/.bin/graspmap")]
        text = output([*command, "run", here, *TRIALS, "--out", "web"], folder)
        check(f"Digest: {digest}\n" in text, "the digest of npx graspmap run")
        for file in ("config.toml", "map.csv", "trials.csv"):
            check((folder / "web" / file).read_text() == (folder / native / file).read_text(), file)
        # A configuration that names a drawing, with outlines, and trials that are allocated.
        drawn = [str(folder / "l_bracket.toml"), "--set", "sweep.trials_per_cell=4"]
        output([program, "run", *drawn, "--quiet", "--no-plots", "--out", "bracket"], folder)
        text = output([*command, "run", *drawn, "--out", "bracket_web"], folder)
        check(output([program, "hash", "bracket"], folder).strip() in text, "the digest of the bracket")
        # Files that changes name lie beside the configuration, those of options in the present folder.
        shutil.copy(folder / "drawings/l_bracket.dxf", folder / "other.dxf")
        other = ["--set", "part.piece.0.file=other.dxf", "--out", "other"]
        text = output([*command, "run", *drawn, *other], folder / native)
        check(output([program, "hash", "bracket"], folder).strip() in text, "the digest with a file in a change")
        (folder / "dev.csv").write_text("x_mm,y_mm\n0.5,0\n-0.5,1\n0.2,-1\n0,0.4\n-0.3,0\n")
        (folder / "calibrate.json").write_text('{ "posterior_file": "posterior.csv" }')
        (folder / "posterior.csv").write_text("offset.x_mm,noise.xy_mm\n0.2,0.5\n0.3,0.6\n")
        for options in (["--measured", "dev.csv"], ["--after", "calibrate.json"]):
            text = output([*command, "plan", here, *TRIALS, *options, "--out", "plan"], folder)
            plan = output([program, "plan", native, *options, "--no-plots", "--quiet"], folder)
            ours = without_commands(text.partition("Files in")[0])
            check(without_commands(plan).startswith(ours) and "graspmap " not in ours, f"the text of plan {options}")
        check("must be a finite number > 0" in
              output([*command, "run", here, "--set", "gripper.opening_mm=-1"], folder, code=2), "an error")
        for options, problem in ((["--frce", "1"], "unknown option --frce; --help lists those of run"),
                                 (["--out", "--quiet"], "--out: must have a value")):
            message = output([*command, "run", here, *options], folder, code=2)
            check(message == f"graspmap: {problem}\n", message)
        for threads in ("abc", "0", "1.5", "1025", ""):
            message = output([*command, "run", here, f"--threads={threads}"], folder, code=2)
            check(message == f"graspmap: --threads: '{threads}'; must be a whole number from 1 to 1024\n", message)
        output([*command, "init", "drawings/l_bracket.dxf", "--out", "first.toml"], folder)
        message = output([*command, "init", "drawings/l_bracket.dxf", "--materal", "steel"], folder, code=2)
        check(message == "graspmap: unknown option --materal\n", message)

        # The functions.
        (folder / "script.mjs").write_text(SCRIPT, encoding="utf-8")
        found = json.loads(output(["node", "script.mjs", here, "drawings/l_bracket.dxf"], folder))
        check(found["digest"] == digest, "the digest of run()")
        check(found["map"] == (folder / native / "map.csv").read_text(), "the map of run()")
        check(found["seen"][-1] == found["trials"], "the progress of run()")
        plan = output([program, "plan", native, "--position-sigma-mm", "1,1", "--no-plots", "--quiet"], folder)
        check(without_commands(plan).startswith(without_commands(found["plan"])), "the text of plan()")
        check(found["outcomes"] == ["success", "blocked"], "the outcomes of simulate()")
        check(found["stronger"] > 1.5, "the changes of simulate()")
        output([program, "init", "drawings/l_bracket.dxf", "--material", "aluminium", "--no-plots", "--out",
                "native.toml"], folder)
        check(found["first"] == (folder / "native.toml").read_text(), "importDrawing()")
        check("other outcomes" in found["planned"], "plan()")
        is_ours, message, faults = found["error"]
        check(is_ours and "gripper: missing" in message and faults[0]["what"], "the error of run()")
        check(found["aborted"] == "AbortError" and found["overtaken"] == ["AbortError", 400], "ended runs")
        check(found["workers"] == 1, "a pool without a number of workers")
        check(found["abortedSearch"] == "AbortError", "an ended search")

        # The types.
        (folder / "types.ts").write_text(TYPES, encoding="utf-8")
        options = {"noEmit": True, "strict": True, "target": "ES2022", "module": "ES2022", "moduleResolution": "node",
                   "lib": ["ES2022", "DOM"], "types": []}
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["types.ts"]}))
        output(["tsc", "--project", "."], folder)
    print("the npm package has the program's trials, map, plan and configuration")


main()
