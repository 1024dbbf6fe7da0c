#!/usr/bin/env node
// npx graspmap COMMAND FILE [options]: graspmap's commands without an installation.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Decision, type Files, importDrawing, InputError, type Options, run, search } from "./index";

const HELP = `Usage: graspmap COMMAND FILE [options]

  run CONFIG.toml         simulates a sweep: where to put the gripper
  plan CONFIG.toml        the same under the robot's error: --position-sigma-mm 1,1
  pose CONFIG.toml        how the part lies in the hand
  hold CONFIG.toml        whether it stays there
  design CONFIG.toml      the best design of what [design] lets vary
  sequence CONFIG.toml    squeezes that turn an unknown pose into a known one
  init FILE.dxf|FILE.svg  a configuration from a drawing: --material aluminium
  --help                  this

Options of all:
  --set KEY=VALUE         changes a key of the configuration; may be repeated
  --out DIR               where the files go (default: outputs/NAME; of init, the file)
  --threads N             worker threads of a run (default: all processors)
  --quiet                 shows no progress
Other options are those of the command: https://github.com/graspmap/graspmap, docs/reference/commands.md.
The trials are those of the native program, to the last bit.

  npx graspmap run part.toml --set gripper.closing_force_n=20
  npx graspmap plan part.toml --position-sigma-mm 1,1
`;

const FLAGS = new Set(["quiet", "help", "name-sides", "program", "plateau", "no-check"]);

interface Words {
  command: string;
  file: string;
  options: Record<string, string[]>;
}

class UsageError extends Error {}

function wordsOf(args: string[]): Words {
  const operands: string[] = [];
  const options: Record<string, string[]> = {};
  for (let k = 0; k < args.length; ++k) {
    if (!args[k].startsWith("--")) {
      operands.push(args[k]);
      continue;
    }
    const [name, ...rest] = args[k].slice(2).split("=");
    const value = rest.length > 0 ? rest.join("=") : FLAGS.has(name) ? "1" : args[++k];
    if (value === undefined || (rest.length === 0 && value.startsWith("--"))) throw new UsageError(`--${name}: must have a value`);
    (options[name] ??= []).push(value);
  }
  if (operands.length !== 2 && !options.help) throw new UsageError("give a command and a file; --help lists them");
  return { command: operands[0], file: operands[1], options };
}

/** Takes an option out. */
function taken(words: Words, name: string): string[] {
  const values = words.options[name] ?? [];
  delete words.options[name];
  return values;
}

/** --threads; undefined: all. */
function threadsOf(words: Words): number | undefined {
  const [text] = taken(words, "threads");
  if (text === undefined) return undefined;
  const threads = Number(text);
  if (/^\d+$/.test(text) && threads >= 1 && threads <= 1024) return threads;
  throw new UsageError(`--threads: '${text}'; must be a whole number from 1 to 1024`);
}

/** The files that a configuration, changes of it and options name. */
async function filesOf(toml: string, file: string, changes: string[], options: Words["options"]): Promise<Files> {
  const texts = [toml, ...changes].join("\n");
  const quoted = [...texts.matchAll(/["']([^"'\n]+\.(?:dxf|svg|csv|toml))["']/gi)].map(([, name]) => name);
  const bare = changes.map((change) => change.slice(change.indexOf("=") + 1));
  const values = Object.values(options).flat();
  const named = (options.after ?? []).map((name) => name.replace(/[^/]*$/, "posterior.csv")); // by calibrate.json
  const files: Files = {};
  const add = async (name: string, path: string): Promise<void> => {
    try {
      files[name] = await readFile(path);
    } catch {
      // It is no file, or the engine says what it misses.
    }
  };
  for (const name of [...quoted, ...bare]) await add(name, resolve(dirname(file), name));
  for (const name of [...values, ...named]) await add(name, name);
  return files;
}

async function save(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  process.stdout.write(`Files in ${folder}: ${Object.keys(files).join(", ")}\n`);
}

async function main(): Promise<void> {
  const words = wordsOf(process.argv.slice(2));
  if (words.options.help || !words.command) {
    process.stdout.write(HELP);
    return;
  }
  const { command, file } = words;
  const [out] = taken(words, "out");
  const threads = threadsOf(words);
  const quiet = taken(words, "quiet").length > 0;
  const changes = taken(words, "set");
  const { options } = words;
  const [unknown] = command === "run" ? Object.keys(options) : [];
  if (unknown) throw new UsageError(`unknown option --${unknown}; --help lists those of run`);
  const text = await readFile(file, "utf8");
  if (command === "init") {
    const first = await importDrawing(basename(file), text, options);
    const to = out ?? basename(file).replace(/\.[^.]*$/, ".toml");
    await writeFile(to, first.toml, { flag: "wx" });
    process.stderr.write(first.text);
    process.stdout.write(`Configuration in ${to}\n`);
    return;
  }
  const files = await filesOf(text, file, changes, options);
  const name = basename(file).replace(/\.toml$/, "");
  const tell = quiet || !process.stderr.isTTY ? undefined : (line: string) => process.stderr.write(line);
  if (command === "design" || command === "sequence") {
    const found = await search(command, text, options, { changes, files, onLine: tell && ((line) => tell(line + "\n")) });
    process.stdout.write(found.text);
    return save(out ?? join("outputs", `${name}_${command}`), found.files);
  }
  if (!["run", "plan", "pose", "hold"].includes(command)) throw new UsageError(`'${command}' is no command; --help lists them`);
  const done = await run(text, {
    changes,
    files,
    threads,
    onProgress: tell && (({ answer }) => tell(`\r${answer.trials} of ${answer.trials_asked} trials `)),
  });
  tell?.("\r\x1b[K");
  const folder = out ?? join("outputs", String(done.config.document.name ?? name));
  if (command === "run") {
    process.stdout.write(await done.part("text"));
    process.stdout.write(`Digest: ${await done.digest()}\n`);
    await save(folder, {
      "config.toml": await done.part("config"),
      "map.csv": done.map,
      "summary.json": await done.part("summary"),
      "trials.csv": await done.part("trials_csv"),
    });
  } else {
    const decide: Record<string, (options: Options) => Promise<Decision>> = {
      plan: (given) => done.plan(given),
      pose: (given) => done.pose(given),
      hold: (given) => done.hold(given),
    };
    const found = await decide[command](options);
    process.stdout.write(found.text);
    await save(out ?? join(folder, command), found.files);
  }
  done.end();
}

main().catch((error: Error) => {
  const is_ours = error instanceof InputError || error instanceof UsageError || "code" in error;
  process.stderr.write(`graspmap: ${is_ours ? error.message : error.stack}\n`);
  process.exitCode = error instanceof InputError || error instanceof UsageError ? 2 : 1;
});
