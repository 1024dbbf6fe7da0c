#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <tuple>
#include <vector>

#include "tests/cli/runs.hpp"

// Commands that are ended by a signal, or find no room on the disk: nothing half-done stays.

namespace graspmap::testing {
namespace fs = std::filesystem;
namespace {

using Arguments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A run of 18 trials in the folder `run`.
void small_run_for_analyses(Program& program) {
  const Arguments run = {"run", lock_piece(), "--no-plots", "--quiet", "--out", "run"};
  REQUIRE(program.run(join(run, small_sweep())).exit_code == 0);
}

/// Everything below a folder, sorted.
Arguments names_below(const fs::path& folder) {
  Arguments names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A program `gnuplot` that never ends, and tells that it runs by a file beside itself.
void make_endless_gnuplot(Program& program) {
  fs::create_directory(program.path("bin"));
  std::ofstream(program.path("bin/gnuplot"))
      << "#!/bin/sh\necho $$ > " << program.path("bin/id").string() << "\nexec sleep 1000\n";
  fs::permissions(program.path("bin/gnuplot"), fs::perms::owner_all);
  program.search_path = program.path("bin").string() + ":/usr/bin:/bin";
}

/// The process id of the endless gnuplot, once it runs.
pid_t wait_for_gnuplot(const Program& program) {
  for (int i = 0; i < 1000 && !program.text("bin/id").ends_with('\n'); ++i) sleep(0.01);
  return std::stoi(program.text("bin/id"));
}

struct LongCommand {
  const char* binary;
  Arguments args;
};

const std::string kPushes = kConfigs + "/pushes/simulated_tripod.csv";
const std::string kMeasured = kConfigs + "/lab/lock_piece_off.csv";

std::vector<std::tuple<const char*, Arguments>> signalled_commands() {
  std::vector<std::tuple<const char*, Arguments>> list{
      {kGraspmap, {"fit-support", kPushes, "--quiet"}},
      {kGraspmap, {"lab-plan", "run", "--agree-within", "5"}}};
#ifdef GRASPMAP_LAB
  list.emplace_back(kLab, Arguments{"validate", "A4", "--lock-piece", lock_piece()});
#endif
  return list;
}

TEST_CASE("a long command ends within a second of a signal and leaves nothing") {
  const auto [binary, args] = GENERATE(from_range(signalled_commands()));
  const auto [signal, code] = GENERATE(table<int, int>({{SIGINT, 130}, {SIGTERM, 143}}));
  CAPTURE(args, signal);
  Program program(binary);
  small_run_for_analyses(program);
  const Arguments before = names_below(program.folder().path());
  program.start(join(args, {"--out", "out"}));
  sleep(0.3);
  const auto sent = Clock::now();
  program.send(signal);
  const ProgramResult result = program.wait();
  CHECK(seconds_since(sent) < 1.0);
  CHECK(result.exit_code == code);
  CHECK_THAT(result.err, Catch::EndsWith("graspmap: interrupted; nothing was written.\n"));
  CHECK(names_below(program.folder().path()) == before);
}

TEST_CASE("a signal while gnuplot draws ends gnuplot too, and removes what it has drawn") {
  const auto args =
      GENERATE(Arguments{"plot", "run"}, Arguments{"replay", "run", "3", "--out", "a.gif"});
  CAPTURE(args);
  Program program;
  small_run_for_analyses(program);
  make_endless_gnuplot(program);
  fs::create_directory(program.path("temporary"));
  program.environment["TMPDIR"] = program.path("temporary").string();
  Arguments before = names_below(program.folder().path());
  program.start(args);
  const pid_t gnuplot = wait_for_gnuplot(program);
  const auto sent = Clock::now();
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  CHECK(seconds_since(sent) < 1.0);
  CHECK(result.exit_code == 143);
  CHECK(result.err == "graspmap: interrupted; nothing was written.\n");
  CHECK(::kill(gnuplot, 0) == -1);
  fs::remove(program.path("bin/id"));
  CHECK(names_below(program.folder().path()) == before);
}

TEST_CASE("results stay when a signal comes while their figures are drawn") {
  Program program;
  small_run_for_analyses(program);
  make_endless_gnuplot(program);
  program.start(
      {"compare", "run", kConfigs + "/lab/lock_piece_off.csv", "--no-simulate", "--quiet"});
  wait_for_gnuplot(program);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 130);
  CHECK(result.err == "graspmap: interrupted; the files that were written are complete.\n");
  CHECK(program.names("run/compare") == Arguments{"compare.csv", "compare.json", "placements.csv"});
}

TEST_CASE("a full disk is one line with the file and the reason, and the old file stays") {
  const auto [args, file] = GENERATE(table<Arguments, std::string>({
      {{"plan", "run", "--position-sigma-mm", "1", "--out", "out"}, "out/plan.json"},
      {{"pose", "run", "--out", "out"}, "out/pose.json"},
      {{"difference", "run", "run", "--out", "out"}, "out/difference.csv"},
      {{"merge", "merged", "run", "--quiet"}, "merged/"},
      {{"replay", "run", "3", "--out", "out/a.svg"}, "out/a.svg"},
      {{"replay", "run", "3", "--out", "out/a.csv"}, "out/a.csv"},
      {{"export", "run", "--out", "out/trials.csv", "--quiet"}, "out/trials.csv"},
  }));
  CAPTURE(args);
  Program program;
  small_run_for_analyses(program);
  fs::create_directory(program.path("out"));
  if (file.starts_with("out")) std::ofstream(program.path(file)) << "before";
  const Arguments before = names_below(program.folder().path());
  program.file_size_limit = 400;
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 1);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::Contains(file));
  CHECK(names_below(program.folder().path()) == before);
  if (file.starts_with("out")) CHECK(program.text(file) == "before");
}

/// Commands that take over a second on a run of the published experiment, in `run`.
std::vector<LongCommand> long_commands() {
  std::vector<LongCommand> list{
      {kGraspmap, {"run", lock_piece(), "--trials-per-cell", "50", "--out", "out"}},
      {kGraspmap, {"run", kConfigs + "/lock_piece_adaptive.toml", "--out", "out"}},
      {kGraspmap,
       {"plan", "run", "--position-sigma-mm", "2", "--required-probability", "0.95", "--out",
        "out"}},
      {kGraspmap,
       {"plan", "run", "--position-sigma-mm", "1", "--repeats", "10", "--offset-sigma-mm", "0.5",
        "--out", "out"}},
      {kGraspmap,
       {"pose", "run", "--placement", "0,-7", "--position-sigma-mm", "1", "--out", "out"}},
      {kGraspmap, {"lab-plan", "run", "--agree-within", "8", "--out", "out"}},
      {kGraspmap, {"compare", "run", kMeasured, "--out", "out"}},
      {kGraspmap, {"compare", "run", "run", "--out", "out"}},
      {kGraspmap,
       {"calibrate", "run", kMeasured, "--simulate", "--with", "offset", "--out", "out"}},
      {kGraspmap, {"fit-support", kPushes, "--weight-n", "8", "--out", "out"}},
      {kGraspmap, {"reweight", "run", "--set", "friction.jaw.max=0.2", "--out", "out"}},
      {kGraspmap, {"sensitivity", "run", "--out", "out"}},
      {kGraspmap, {"difference", "run", "run", "--out", "out"}},
      {kGraspmap,
       {"sequence", kConfigs + "/connecting_rod.toml", "--angles-deg", "-40,40", "--out", "out"}},
      {kGraspmap, {"plot", "run"}},
      {kGraspmap, {"export", "run", "--out", "out.csv"}},
      {kGraspmap, {"export", "run", "--format", "npz", "--out", "out.npz"}},
      {kGraspmap, {"merge", "out", "run"}},
      {kGraspmap, {"hash", "run"}},
      {kGraspmap, {"replay", "run", "--worst", "5"}},
      {kGraspmap, {"replay", "run", "7", "--out", "out.gif"}}};
#ifdef GRASPMAP_LAB
  list.insert(
      list.end(),
      {{kLab,
        {"simulate", kConfigs + "/scenes/brazil_nut.toml", "--duration-s", "1", "--animate",
         "--out", "out"}},
       {kLab, {"simulate", kConfigs + "/scenes/cube_sliding.toml", "--animate", "--out", "out"}},
       {kLab, {"validate", "A1", "A3", "B1", "--scenes", kConfigs + "/scenes", "--out", "out"}},
       {kLab,
        {"study-steppers", lock_piece(), "--trials", "10", "--steps-ms", "10,5",
         "--polygon-vertices", "0,16", "--reference-step-ms", "1", "--out", "out"}}});
#endif
  return list;
}

/// What must not stay: temporary names, journals and locks.
bool is_left_over(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  return last.starts_with('.') || last.ends_with(".partial") || last.ends_with("-journal") ||
         last == "run.lock" || name.find("graspmap-") != std::string::npos;
}

/// What signals at random moments did to a command.
struct SignalTally {
  double took_s = 0.0;
  double slowest_end_s = 0.0;
  int interrupted = 0;
  int too_late_or_early = 0;
};

void check_signal(Program& program, const LongCommand& command, double moment_s, int signal,
                  SignalTally& tally) {
  for (const char* made : {"out", "out.csv", "out.npz", "out.gif"})
    fs::remove_all(program.path(made));
  program.start(command.args);
  sleep(moment_s);
  const auto sent = Clock::now();
  program.send(signal);
  const ProgramResult result = program.wait();
  const Arguments names = names_below(program.folder().path());
  CHECK(std::none_of(names.begin(), names.end(), is_left_over));
  // Before main the signal ends the program by itself: 3 ms, or longer where others keep the
  // machine busy.
  constexpr double kStart_s = 0.1;
  if (result.exit_code == 0 || (result.exit_code == -1 && moment_s < kStart_s)) {
    ++tally.too_late_or_early;
    return;
  }
  ++tally.interrupted;
  tally.slowest_end_s = std::max(tally.slowest_end_s, seconds_since(sent));
  CHECK(result.exit_code == 128 + signal);
  CHECK_THAT(result.err, Catch::Contains("graspmap: interrupted"));
}

TEST_CASE("signals at random moments of every long command", "[.long]") {
  Program whole;
  REQUIRE(whole.run({"run", lock_piece(), "--trials-per-cell", "60", "--quiet", "--out", "run"})
              .exit_code == 0);
  std::mt19937 random(7);
  std::string report;
  for (const LongCommand& command : long_commands()) {
    Program program(command.binary);
    fs::copy(whole.path("run"), program.path("run"), fs::copy_options::recursive);
    program.environment["TMPDIR"] = program.folder().path().string();
    CAPTURE(command.args);
    SignalTally tally;
    const auto start = Clock::now();
    CHECK(program.run(command.args).exit_code == 0);
    tally.took_s = seconds_since(start);
    std::uniform_real_distribution<double> moment_s(0.02, tally.took_s);
    for (int k = 0; k < 10; ++k) {
      check_signal(program, command, moment_s(random), k % 2 == 0 ? SIGINT : SIGTERM, tally);
    }
    CHECK(tally.slowest_end_s < 1.0);
    char line[160];
    std::snprintf(line, sizeof line,
                  "%-16s took %6.2f s; interrupted %d, too late or early %d; slowest end %.2f s\n",
                  command.args.front().c_str(), tally.took_s, tally.interrupted,
                  tally.too_late_or_early, tally.slowest_end_s);
    report += line;
  }
  WARN(report);
}

}  // namespace
}  // namespace graspmap::testing
