#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/numpy.hpp"

namespace graspmap::testing {
namespace fs = std::filesystem;
namespace {

using Arguments = std::vector<std::string>;

/// Runs a sweep of 18 trials into the folder `run`.
void small_run(Program& program, const Arguments& more = {}) {
  const Arguments run = {"run", lock_piece(), "--no-plots", "--quiet", "--out", "run"};
  REQUIRE(program.run(join(join(run, small_sweep()), more)).exit_code == 0);
}

ProgramResult run_export(Program& program, const Arguments& more = {}) {
  return program.run(join({"export", "run"}, more));
}

TEST_CASE("an exported trials.csv is the one that the run wrote") {
  Program program;
  small_run(program);
  const std::string csv = program.text("run/trials.csv");
  fs::remove(program.path("run/trials.csv"));
  const ProgramResult result = run_export(program);
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::Contains("100 % (18 of 18 trials)") &&
                             Catch::EndsWith("18 trials in run/trials.csv\n"));
  CHECK(program.text("run/trials.csv") == csv);
}

TEST_CASE("an export goes where --out says, and then touches nothing in the run's folder") {
  Program program;
  small_run(program);
  const std::string csv = program.text("run/trials.csv");
  const Arguments others = {"config.toml", "map.csv", "summary.json", "trials.csv"};
  for (const std::string& file : others) fs::remove(program.path("run/" + file));
  SECTION("a file") {
    CHECK(run_export(program, {"--out", "a.csv", "--quiet"}).err.empty());
    CHECK(program.text("a.csv") == csv);
  }
  SECTION("a standard output that is closed") {
    const ProgramResult result =
        program.run_program("/bin/sh", {"-c", "\"$GRASPMAP\" export run --out - --quiet >&-"});
    CHECK(result.exit_code == 1);
    CHECK(result.err == "graspmap: error: /dev/stdout: cannot be written: Bad file descriptor\n");
  }
  SECTION("standard output") {
    const ProgramResult result = run_export(program, {"--out", "-", "--quiet"});
    CHECK(result.exit_code == 0);
    CHECK(result.out == csv);
    CHECK(result.err.empty());
    CHECK(run_export(program, {"--out", "/dev/stdout"}).out == csv);
  }
  SECTION("a pipe") {
    REQUIRE(::mkfifo(program.path("pipe").c_str(), 0600) == 0);
    auto reader = std::async(std::launch::async, [&] { return file_text(program.path("pipe")); });
    CHECK(run_export(program, {"--out", "pipe"}).exit_code == 0);
    CHECK(reader.get() == csv);
  }
  CHECK(program.names("run") == Arguments{"run.sqlite"});
}

/// The values of a column of a CSV.
Arguments csv_column(const std::string& csv, std::size_t column) {
  std::istringstream rows(csv);
  Arguments values;
  for (std::string row; std::getline(rows, row);) {
    std::istringstream cells(row);
    std::string cell;
    for (std::size_t k = 0; k <= column; ++k) std::getline(cells, cell, ',');
    values.push_back(cell);
  }
  values.erase(values.begin());  // the header
  return values;
}

/// The values of an array, as Python prints them.
Arguments npz_words(const fs::path& npz, const std::string& expression) {
  const std::string code = "import numpy; trials = numpy.load('" + npz.string() + "'); print(*(" +
                           expression + ").tolist(), sep='\\n')";
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(std::system(
              (std::string(GRASPMAP_PYTHON) + " -c \"" + code + "\" > " + out.string()).c_str()) ==
          0);
  std::istringstream text(file_text(out));
  Arguments words;
  for (std::string word; std::getline(text, word);) words.push_back(word);
  return words;
}

TEST_CASE("an exported NPZ has the trials that trials.csv has") {
  Program program;
  small_run(program);
  const ProgramResult result = run_export(program, {"--format", "npz"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::EndsWith("18 trials in run/trials.npz\n"));
  const fs::path npz = program.path("run/trials.npz");
  const std::string csv = program.text("run/trials.csv");
  CHECK(npz_words(npz, "trials['index']") == csv_column(csv, 0));
  CHECK(npz_words(npz, "trials['outcome_names'][trials['outcome']]") == csv_column(csv, 9));
  CHECK(npz_words(npz, "trials['steps']") == csv_column(csv, 16));
  CHECK(npz_words(npz, "trials['mu_jaw']") == csv_column(csv, 7));
  CHECK_THAT(npz_dump(npz), Catch::Contains("\nsteps_halved <i4 (18,) ") &&
                                Catch::Contains("\noutcome_names <U7 (6,) success wedged "));
}

TEST_CASE("an export makes the run's small files anew when one is missing") {
  Program program;
  small_run(program);
  const std::string map = program.text("run/map.csv");
  const std::string config = program.text("run/config.toml");
  const std::string summary = program.text("run/summary.json");
  const std::string missing = GENERATE("map.csv", "config.toml", "summary.json");
  CAPTURE(missing);
  fs::remove(program.path("run/" + missing));
  const ProgramResult result = run_export(program);
  CHECK_THAT(result.err, Catch::EndsWith("Rewritten: config.toml, map.csv, summary.json\n"));
  CHECK(program.text("run/map.csv") == map);
  CHECK(program.text("run/config.toml") == config);
  CHECK(program.text("run/summary.json") == summary);
}

TEST_CASE("an export makes the run's small files anew when they are of fewer trials") {
  Program program;
  small_run(program);
  const std::string old_map = program.text("run/map.csv");
  small_run(program, {"--trials-per-cell", "3"});
  const std::string map = program.text("run/map.csv");
  REQUIRE(map != old_map);
  CHECK_THAT(run_export(program).err, !Catch::Contains("Rewritten"));
  std::ofstream(program.path("run/map.csv")) << old_map;
  CHECK_THAT(run_export(program).err, Catch::Contains("Rewritten"));
  CHECK(program.text("run/map.csv") == map);
}

TEST_CASE("an export of a run that is not complete has what there is, and says so") {
  Program program;
  const auto shard = [&](const char* which, const char* folder) {
    const Arguments run = {"run", lock_piece(), "--no-plots", "--out", folder, "--shard", which};
    REQUIRE(program.run(join(run, small_sweep())).exit_code == 0);
  };
  shard("1/3", "one");
  shard("3/3", "three");
  REQUIRE(program.run({"merge", "run", "one", "three", "--partial", "--no-plots"}).exit_code == 0);
  const ProgramResult result = run_export(program, {"--quiet"});
  CHECK(result.exit_code == 0);
  CHECK(result.err == "graspmap: note: the run is not complete: these are 12 of 18 trials.\n");
  CHECK(count_lines(program.text("run/trials.csv")) == 1 + 12);
  // A shard is complete by itself.
  CHECK(program.run({"export", "one", "--quiet"}).err.empty());
}

TEST_CASE("a run that goes on does not keep an old NPZ") {
  Program program;
  small_run(program);
  REQUIRE(run_export(program, {"--format", "npz"}).exit_code == 0);
  const ProgramResult more =
      program.run(join({"run", lock_piece(), "--no-plots", "--out", "run", "--quiet"},
                       join(small_sweep(), {"--trials-per-cell", "3"})));
  CHECK(more.exit_code == 0);
  CHECK_THAT(more.err, Catch::Contains("trials.npz was of an earlier state"));
  CHECK_FALSE(fs::exists(program.path("run/trials.npz")));
}

/// Waits until a program has told of its first trials, or has ended.
void wait_for_progress(const Program& program) {
  for (int i = 0; i < 3000 && program.errors_so_far().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_CASE("a run can be exported while it is written") {
  Program program;
  program.start({"run", lock_piece(), "--no-plots", "--out", "run"});
  wait_for_progress(program);
  Program reader;
  const auto exported = [&](const char* file) {
    return reader.run({"export", program.path("run").string(), "--out", file});
  };
  const ProgramResult result = exported("some.csv");
  program.send(SIGINT);
  const ProgramResult written = program.wait();
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::Contains("graspmap: note: the run is not complete"));
  CHECK(written.exit_code == 130);
  const std::string some = reader.text("some.csv");
  CHECK(exported("all.csv").exit_code == 0);
  CHECK(reader.text("all.csv").substr(0, some.size()) == some);
}

/// A run of many trials that are quickly made: the jaws close below the part.
void many_quick_trials(Program& program) {
  const Arguments far = {"--set", "placement.y_min_mm=-500", "--set", "placement.y_max_mm=-400"};
  REQUIRE(program
              .run(join({"run", lock_piece(), "--no-plots", "--quiet", "--out", "run",
                         "--trials-per-cell", "100"},
                        far))
              .exit_code == 0);
}

/// Waits until a program writes a file under a temporary name in a folder.
void wait_for_temporary(const Program& program, const std::string& folder) {
  const auto is_hidden = [](const std::string& name) { return name.starts_with('.'); };
  for (int i = 0; i < 10'000; ++i) {
    const Arguments names = program.names(folder);
    if (std::any_of(names.begin(), names.end(), is_hidden)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("an interrupted export leaves no file, and the one before as it was") {
  const auto [signal, code] = GENERATE(table<int, int>({{SIGINT, 130}, {SIGTERM, 143}}));
  Program program;
  many_quick_trials(program);
  fs::remove(program.path("run/trials.csv"));
  fs::create_directory(program.path("out"));
  std::ofstream(program.path("out/trials")) << "before";
  program.start({"export", "run", "--out", "out/trials"});
  wait_for_temporary(program, "out");
  program.send(signal);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == code);
  CHECK_THAT(result.err, Catch::EndsWith("graspmap: interrupted; out/trials was not written.\n"));
  CHECK(program.names("out") == Arguments{"trials"});
  CHECK(program.text("out/trials") == "before");
}

TEST_CASE("an export onto a full disk leaves no half file") {
  const auto [format, size] =
      GENERATE(table<std::string, rlim_t>({{"csv", 2000}, {"npz", 200}, {"npz", 2000}}));
  CAPTURE(format, size);
  Program program;
  small_run(program);
  fs::remove(program.path("run/trials.csv"));
  const Arguments before = program.names("run");
  program.file_size_limit = size;
  const ProgramResult result = run_export(program, {"--format", format, "--quiet"});
  CHECK(result.exit_code == 1);
  CHECK(result.err ==
        "graspmap: error: run/trials." + format + ": cannot be written: File too large\n");
  CHECK(program.names("run") == before);
}

TEST_CASE("what cannot be exported is one line that says why") {
  Program program;
  small_run(program);
  std::ofstream(program.path("no_store")) << "text";
  fs::create_directory(program.path("empty"));
  const auto [args, named] = GENERATE(table<Arguments, std::string>({
      {Arguments{}, "RUNDIR is missing"},
      {Arguments{"none"}, "none: there is no such folder"},
      {Arguments{"empty"}, "empty: has no run.sqlite"},
      {Arguments{"no_store"}, "no_store"},
      {{"run", "--format", "xml"}, "--format: 'xml'; must be one of csv, npz, moveit"},
      {{"run", "--format", "npz", "--out", "-"}, "must be a file with --format npz"},
      {{"run", "--out", "run/run.sqlite"}, "must be another file than a run's store"},
      {{"run", "--out", "run/map.csv"}, "must be another file than a run's own"},
      {Arguments{"run", "--out", ""}, "--out is empty"},
      {Arguments{"run", "other"}, "other"},
      {{"run", "--format", "json", "--height-mm", "10", "--joints", "a"},
       "--joints: is for --format moveit, isaac, not json"},
      {{"run", "--format", "isaac", "--height-mm", "10", "--speed-mm-s", "9"},
       "--speed-mm-s: is for --format urscript, not isaac"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(join({"export"}, args));
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(run_export(program, {"--quiet"}).exit_code == 0);  // the run is as it was
}

TEST_CASE("no command writes over what it reads, nor over what a run needs") {
  Program program;
  small_run(program);
  fs::copy(program.path("run"), program.path("other"), fs::copy_options::recursive);
  std::ofstream(program.path("lab.csv")) << "# origin = measured\nx_mm,y_mm,success\n0,-11,1\n";
  fs::create_directory(program.path("dd"));
  fs::copy(program.path("lab.csv"), program.path("dd/placements.csv"));
  const auto [args, needed, what] = GENERATE(table<Arguments, std::string, std::string>({
      {{"report", "run", "--out", "run/run.sqlite"}, "run/run.sqlite", "a run's store"},
      {{"export", "run", "--out", "other/run.sqlite"}, "other/run.sqlite", "a run's store"},
      {{"report", "run", "--experiment", "lab.csv", "--compare-trials", "100", "--out", "lab.csv"},
       "lab.csv",
       "what is read"},
      {{"replay", "run", "1", "--out", "run/map.csv"}, "run/map.csv", "a run's own"},
      {{"compare", "run", "dd/placements.csv", "--no-plots", "--quiet", "--out", "dd"},
       "dd/placements.csv",
       "what is read"},
  }));
  CAPTURE(args);
  const std::string before = file_text(program.path(needed));
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Catch::Contains("must be another file than " + what));
  CHECK(file_text(program.path(needed)) == before);
}

TEST_CASE("a damaged run is told, and nothing of it is exported") {
  Program program;
  small_run(program);
  fs::remove(program.path("run/trials.csv"));
  fs::resize_file(program.path("run/run.sqlite"), 5000);
  const ProgramResult result = run_export(program);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Catch::Contains("run/run.sqlite"));
  CHECK_FALSE(fs::exists(program.path("run/trials.csv")));
}

}  // namespace
}  // namespace graspmap::testing
