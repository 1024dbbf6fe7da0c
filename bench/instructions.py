"""Instructions per trial by part of the code, against bench/baseline.json: scripts/instructions
runs callgrind and then this.

  instructions.py [--update] BUILD_FOLDER NAME FILES [NAME FILES ...]

FILES.callgrind is callgrind's output with mangled names, FILES.txt what graspmap_some_trials
printed. A function belongs to the part of the source file that it was compiled from; what was
inlined counts where it was inlined.
"""
import collections
import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "bench/baseline.json"
DOCUMENT = ROOT / "docs/explanation/performance.md"
TOTAL_LIMIT = 0.02  # of the baseline's total
PART_LIMIT = 0.03  # of the baseline's total
KEPT_SHARE = 0.001  # functions with less of a trial are not in the baseline

# Part, and its files: library/source, or a shared library. The first that fits.
PARTS = [
    ("geometry: shapes, closest points", ["geometry/*"]),
    ("broad phase, free travel", ["sim/closing/broad_phase.cpp", "sim/closing/broad_phase.cpp"]),
    ("pairs and contacts", ["sim/closing/contact_set.cpp"]),
    ("equations of a step", ["sim/closing/step_equations.cpp", "sim/closing/support_friction.cpp"]),
    ("Newton system: assembly", ["sim/closing/step_linearization.cpp"]),
    ("Newton system: solution", ["sim/closing/dense_solve.cpp"]),
    ("Newton's method, guesses, retries", ["sim/closing/condensed_stepper.cpp", "sim/closing/newton_solver.cpp",
                                           "sim/closing/pair_selection.cpp", "sim/closing/retry_ladder.cpp",
                                           "sim/closing/step_check.cpp", "sim/closing/step_data.cpp",
                                           "sim/closing/step_error.cpp", "sim/closing/step_memory.cpp"]),
    ("step size, simulation", ["sim/closing/step_sizes.cpp", "sim/closing/step_sizes.cpp",
                               "sim/closing/simulate.cpp", "sim/closing/model.cpp"]),
    ("other sources of sim/", ["sim/*"]),
    ("sampling, row of the table", ["grasp/*", "bench/*"]),
    ("C library: mathematics", ["libm.so*"]),
    ("other libraries: memory, C++", ["*"]),
]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def part_of_file(file):
    return next(part for part, patterns in PARTS
                if any(fnmatch.fnmatch(file, pattern) for pattern in patterns))


def read_functions(path):
    """Instructions in each function itself, by (object file, mangled name)."""
    counts = collections.Counter()
    known = {"fn": {}, "ob": {}}  # callgrind writes a name once, then its number only
    current = {"fn": None, "ob": None}
    is_call = False
    summary = None
    with open(path) as file:
        for line in file:
            if name := re.match(r"(c?)(fn|ob)=\((\d+)\)(?: (.*))?", line):
                callee, kind, number, text = name.groups()
                if text:
                    known[kind][number] = text
                if not callee:
                    current[kind] = known[kind][number]
            elif line.startswith("calls="):
                is_call = True  # the next line is the cost of what is called: not of this function
            elif line.startswith("summary:"):
                summary = int(line.split()[1])
            elif re.match(r"[-+*\d]", line):
                if not is_call:
                    counts[current["ob"], current["fn"]] += int(line.split()[1])
                is_call = False
    if not summary or sum(counts.values()) != summary:
        sys.exit(f"instructions.py: {path}: {sum(counts.values())} instructions in functions, but "
                 f"{summary} in all")
    return counts


def read_sources(build):
    """The sources, as library/source, that each function of the program was compiled from."""
    sources = collections.defaultdict(set)
    for unit in json.loads((build / "compile_commands.json").read_text()):
        source = Path(unit["file"])  # in the build folder when several are compiled together
        source = str(source.relative_to(build if source.is_relative_to(build) else ROOT))
        object_file = re.search(
            r" -o (\S+/graspmap_(geometry|sim|grasp|some_trials)\.dir/\S+\.o) ", unit["command"])
        if object_file:
            for line in run("nm", "--defined-only", build / object_file[1]).splitlines():
                sources[line.split()[-1]].add(source)
    return sources


def part_of(object_file, function, sources):
    """Functions of headers that were not inlined, and are in several parts, are in the last part."""
    if ".so" in object_file:
        return part_of_file(Path(object_file).name)
    parts = {part_of_file(source) for source in sources.get(function, ())}
    return parts.pop() if len(parts) == 1 else PARTS[-1][0]


def plain_names(functions):
    """Without arguments: baselines are shorter, and a change of arguments is no other function."""
    mangled = list(functions)
    names = subprocess.run(["c++filt", "--no-params"], input="\n".join(mangled), check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return dict(zip(mangled, (name.removeprefix("graspmap::") for name in names)))


def by_count(counts):
    """The largest first; equal ones by name, so that baselines of equal counts are equal."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def measure(files, sources):
    """What the baseline holds of a case. Instructions are per trial."""
    words = Path(files + ".txt").read_text().replace(",", "").split()
    trials, steps, iterations = int(words[0]), int(words[2]), int(words[4])
    counts = read_functions(files + ".callgrind")
    names = plain_names({function for _, function in counts})
    parts = {part: {"instructions": 0, "functions": collections.Counter()} for part, _ in PARTS}
    for (object_file, function), count in counts.items():
        part = parts[part_of(object_file, function, sources)]
        part["instructions"] += count
        part["functions"][names[function]] += count
    total = sum(counts.values())
    for part in parts.values():
        part["instructions"] = round(part["instructions"] / trials)
        part["functions"] = {name: round(count / trials)
                             for name, count in by_count(part["functions"])
                             if count >= KEPT_SHARE * total}
    return {"trials": trials, "steps": steps, "newton_iterations": iterations,
            "instructions": round(total / trials), "parts": parts}


def versions(build):
    """What else the counts depend on."""
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M))
    eigen = (Path(cache["Eigen3_DIR"]) / "Eigen3ConfigVersion.cmake").read_text()
    flags = Path("/proc/cpuinfo").read_text().split()
    return {
        "compiler": run(cache["CMAKE_CXX_COMPILER"], "--version").splitlines()[0],
        "options": f"{cache['CMAKE_CXX_FLAGS']} {cache['CMAKE_CXX_FLAGS_RELEASE']}".strip(),
        "eigen": re.search(r'PACKAGE_VERSION "(.*?)"', eigen)[1],
        "c_library": run("getconf", "GNU_LIBC_VERSION").strip(),
        "valgrind": run("valgrind", "--version").strip(),
        # The C library chooses its functions by these.
        "processor": " ".join(flag for flag in ("avx2", "fma", "erms") if flag in flags) or "-",
    }


def change(now, before):
    return f"{100 * (now / before - 1):+.1f} %" if before else "-"


def print_case(name, now, before):
    print(f"\n{name}: {now['trials']} trials; per trial"
          f" {now['steps'] / now['trials']:.1f} steps,"
          f" {now['newton_iterations'] / now['trials']:.1f} Newton iterations", end="")
    if before:
        print(f" (baseline {before['steps'] / before['trials']:.1f},"
              f" {before['newton_iterations'] / before['trials']:.1f})", end="")
    print(f"\n  {'part':36}{'instructions':>14}{'share':>9}{'baseline':>14}{'change':>10}")
    rows = [(part, data["instructions"], before and instructions_before(before, part))
            for part, data in now["parts"].items()]
    rows.append(("total", now["instructions"], before and before["instructions"]))
    for part, count, count_before in rows:
        if not count and not count_before:
            continue
        print(f"  {part:36}{count:14,d}{100 * count / now['instructions']:7.1f} %", end="")
        print(f"{count_before:14,d}{change(count, count_before):>10}" if before else "")


def instructions_before(before, part):
    return before["parts"].get(part, {}).get("instructions", 0)


def growth_of_functions(now, before, parts):
    """The three functions of these parts that grew most, as text."""
    counts, counts_before = collections.Counter(), collections.Counter()
    for part in parts:
        counts.update(now["parts"].get(part, {}).get("functions", {}))
        counts_before.update(before["parts"].get(part, {}).get("functions", {}))
    growth = {name: counts[name] - counts_before[name] for name in {*counts, *counts_before}}
    return ", ".join(f"{name} {count:+,d}" for name, count in by_count(growth)[:3] if count > 0)


def complaints(name, now, before):
    """A line for each part that grew too much, and for the total."""
    lines = []
    total_before = before["instructions"]
    for part, data in now["parts"].items():
        count_before = instructions_before(before, part)
        grown = data["instructions"] - count_before
        if grown > PART_LIMIT * total_before:
            lines.append(f"{name}: {part} grew by {grown:,d} instructions per trial,"
                         f" {100 * grown / total_before:.1f} % of a trial (limit"
                         f" {100 * PART_LIMIT:.0f} %): {growth_of_functions(now, before, [part])}")
    grown = now["instructions"] - total_before
    if grown > TOTAL_LIMIT * total_before:
        lines.append(f"{name}: a trial grew by {grown:,d} instructions,"
                     f" {100 * grown / total_before:.1f} % (limit {100 * TOTAL_LIMIT:.0f} %):"
                     f" {growth_of_functions(now, before, now['parts'])}")
    return lines


def compare(now, before):
    """Prints tables and what grew; returns the exit code."""
    for key, version in now["versions"].items():
        if version != before["versions"].get(key):
            print(f"warning: {key} is {version}, the baseline's {before['versions'].get(key)}:"
                  " the counts may differ for that", file=sys.stderr)
    lines = []
    for name, case in now["cases"].items():
        case_before = before["cases"].get(name)
        if case_before and case_before["trials"] != case["trials"]:
            case_before = None
        print_case(name, case, case_before)
        if case_before:
            lines += complaints(name, case, case_before)
        else:
            lines.append(f"{name}: not in the baseline, or with another number of trials;"
                         " scripts/instructions --update")
    print()
    for line in lines:
        print(line)
    if not lines:
        print("Nothing grew by more than its limit.")
    return 1 if lines else 0


def markdown(now):
    """The table of docs/explanation/performance.md: thousands of instructions per trial."""
    cases = {name: now["cases"][name] for name in ("lock piece", "bolt")}
    lines = ["| thousand instructions per trial | " + " | ".join(cases) + " |",
             "| --- " * (1 + len(cases)) + "|"]
    for part, _ in PARTS:
        counts = [case["parts"][part]["instructions"] for case in cases.values()]
        if any(counts):
            lines.append(f"| {part} | " + " | ".join(f"{n / 1000:.1f}" for n in counts) + " |")
    lines.append("| all | " + " | ".join(
        f"{case['instructions'] / 1000:.1f}" for case in cases.values()) + " |")
    for key, text in (("steps", "steps"), ("newton_iterations", "Newton iterations")):
        lines.append(f"| {text} | " + " | ".join(
            f"{case[key] / case['trials']:.1f}" for case in cases.values()) + " |")
    return "\n".join(lines)


def update(now):
    BASELINE.write_text(json.dumps(now, indent=1) + "\n")
    marks = [f"<!-- scripts/instructions --update: {word} -->\n" for word in ("begin", "end")]
    before, rest = DOCUMENT.read_text().split(marks[0])
    after = rest.split(marks[1])[1]
    DOCUMENT.write_text(before + marks[0] + markdown(now) + "\n" + marks[1] + after)
    print("\nbench/baseline.json and the table of docs/explanation/performance.md are up to date.")


def main():
    arguments = sys.argv[1:]
    updating = arguments[0] == "--update"
    build, *cases = arguments[updating:]
    build = Path(build).resolve()
    sources = read_sources(build)
    now = {"versions": versions(build),
           "cases": {name: measure(files, sources)
                     for name, files in zip(cases[::2], cases[1::2])}}
    if updating:
        for name, case in now["cases"].items():
            print_case(name, case, None)
        update(now)
        return 0
    if not BASELINE.exists():
        sys.exit("instructions.py: there is no bench/baseline.json; scripts/instructions --update")
    return compare(now, json.loads(BASELINE.read_text()))


sys.exit(main())
