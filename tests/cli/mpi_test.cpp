#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/v_pads.hpp"

// Runs on several ranks of MPI, on this machine.

namespace graspmap::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// Lets Open MPI run as any user and with more ranks than cores.
void prepare(Program& program) {
  program.environment = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"OMPI_MCA_btl", "self,vader"},
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      // Open MPI leaks memory in modules that it unloads, so that suppressions cannot name them.
      {"ASAN_OPTIONS", "detect_leaks=0"},
      {"GRASPMAP_TEST_JOB", program.path("").string()},
  };
}

Arguments on_ranks(int ranks, const Arguments& args) {
  return join({"-n", std::to_string(ranks), kGraspmap}, args);
}

/// The lines of a text that graspmap wrote; a launcher has more to say.
std::vector<std::string> own_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("graspmap: ")) lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

/// The text of a file; empty when it cannot be read: of another's process, or one that has ended.
std::string readable_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The process id of a rank of the job that the program began; 0 when it is not there.
pid_t find_rank(const Program& program, int rank) {
  const std::string job = "GRASPMAP_TEST_JOB=" + program.path("").string() + '\0';
  const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string environment = readable_text(entry.path() / "environ");
    if (readable_text(entry.path() / "cmdline").starts_with(kGraspmap) &&
        environment.find(job) != std::string::npos &&
        environment.find(variable) != std::string::npos) {
      return std::stoi(name);
    }
  }
  return 0;
}

/// The processor time that the programs which have ended took.
double children_s() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// The trials per cell with which a run on 4 ranks, with a thread each, takes some seconds or
/// longer, whatever the build and the load.
int trials_per_cell_for(Program& program, double seconds) {
  constexpr int kTrials = 100;
  const double before_s = children_s();
  CHECK(program.run(run_of(kTrials, {"--out", "calibration"})).exit_code == 0);
  const double trials_per_s = kTrials / (children_s() - before_s);
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  return static_cast<int>(trials_per_s * seconds * cores);
}

TEST_CASE("the trial table has the same digest for any number of ranks") {
  Program program;
  prepare(program);
  CHECK(program.run(run_of(40, {"--out", "plain"})).exit_code == 0);
  for (const int ranks : {1, 2, 4}) {
    const std::string folder = std::to_string(ranks);
    const ProgramResult result =
        program.run_program(GRASPMAP_MPIRUN, on_ranks(ranks, run_of(40, {"--out", folder})));
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.err, Catch::Contains("100 % (360 of 360 trials)"));
    CHECK(digest(program, folder) == digest(program, "plain"));
    for (const char* file : {"/trials.csv", "/map.csv", "/config.toml"}) {
      CHECK(program.text(folder + file) == program.text(std::string("plain") + file));
    }
  }
}

TEST_CASE("an adaptive run has the same digest on several ranks") {
  Program program;
  prepare(program);
  const Arguments adaptive = {"--set", "sweep.sampling=adaptive", "--set",
                              "sweep.adaptive.round_trials=40", "--quiet"};
  CHECK(program.run(join(run_of(40, {"--out", "plain"}), adaptive)).exit_code == 0);
  const Arguments on_3 = on_ranks(3, join(run_of(40, {"--out", "ranks"}), adaptive));
  CHECK(program.run_program(GRASPMAP_MPIRUN, on_3).exit_code == 0);
  CHECK(digest(program, "ranks") == digest(program, "plain"));
}

TEST_CASE("ranks search for a design together, with the bits of one process") {
  Program program;
  prepare(program);
  std::ofstream(program.path("v.toml")) << v_pads(R"([design]
[[design.variable]]
key = "gripper.finger.groove_depth_mm"
min = 3
max = 5
step = 0.5
)");
  const auto search = [](const std::string& folder) {
    return Arguments{"design",        "v.toml", "--out",   folder,       "--designs",     "8",
                     "--generations", "1",      "--quiet", "--no-plots", "--most-trials", "64",
                     "--trials",      "200"};
  };
  CHECK(program.run(search("plain")).exit_code == 0);
  for (const int ranks : {2, 3}) {
    const std::string folder = std::to_string(ranks);
    const ProgramResult result =
        program.run_program(GRASPMAP_MPIRUN, on_ranks(ranks, search(folder)));
    CHECK(result.exit_code == 0);
    for (const char* file : {"/design.json", "/designs.csv", "/design.toml", "/finger.dxf"}) {
      CHECK(program.text(folder + file) == program.text(std::string("plain") + file));
    }
  }
  // What is wrong is said once.
  const ProgramResult wrong = program.run_program(
      GRASPMAP_MPIRUN, on_ranks(2, {"design", "v.toml", "--set", "robot=", "--quiet"}));
  CHECK(wrong.exit_code == 2);
  CHECK(own_lines(wrong.err).size() == 1);
}

TEST_CASE("ranks run a sweep at several angles") {
  Program program;
  prepare(program);
  const std::string config =
      (fs::path(testing::source_dir()) / "configs" / "lock_piece_angles.toml").string();
  const auto turned_run = [&](const std::string& folder) {
    return Arguments{"run",
                     config,
                     "--no-plots",
                     "--out",
                     folder,
                     "--set",
                     "placement.x_cells=3",
                     "--set",
                     "placement.y_cells=3"};
  };
  CHECK(program.run(turned_run("plain")).exit_code == 0);
  CHECK(program.run_program(GRASPMAP_MPIRUN, on_ranks(3, turned_run("ranks"))).exit_code == 0);
  CHECK(digest(program, "ranks") == digest(program, "plain"));
  CHECK(program.text("ranks/map.csv") == program.text("plain/map.csv"));
}

TEST_CASE("ranks share the processors, and their threads are in the summary") {
  Program program;
  prepare(program);
  const ProgramResult result =
      program.run_program(GRASPMAP_MPIRUN, on_ranks(2, run_of(4, {"--threads", "3"})));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: 2 ranks on 1 host, 6 threads\n"));
  CHECK_THAT(result.out, Catch::Contains("6 threads"));
}

TEST_CASE("bad input is told once, and all ranks end") {
  Program program;
  prepare(program);
  const ProgramResult result = program.run_program(
      GRASPMAP_MPIRUN, on_ranks(4, run_of(2, {"--set", "gripper.opning_mm=60"})));
  CHECK(result.exit_code == 2);
  const auto lines = own_lines(result.err);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::Contains("gripper.opning_mm"));
  CHECK(program.names().empty());
}

TEST_CASE("a finished run is resumed on several ranks by doing nothing") {
  Program program;
  prepare(program);
  CHECK(program.run(run_of(2, {"--out", "run"})).exit_code == 0);
  const std::string before = digest(program, "run");
  const Arguments again = on_ranks(2, run_of(2, {"--out", "run", "--resume"}));
  CHECK(program.run_program(GRASPMAP_MPIRUN, again).exit_code == 0);
  CHECK(digest(program, "run") == before);
}

TEST_CASE("a rank that computes other bits is named, and the run is not") {
  Program program;
  prepare(program);
  const Arguments run = run_of(40, {"--out", "run"});
  const std::string other_machine = std::string("LD_PRELOAD=") + kOtherBits;
  const ProgramResult result = program.run_program(
      GRASPMAP_MPIRUN,
      join(on_ranks(1, run), join({":", "-n", "1", "env", other_machine, kGraspmap}, run)));
  CHECK(result.exit_code == 1);
  const auto lines = own_lines(result.err);
  REQUIRE_FALSE(lines.empty());
  CHECK_THAT(lines.back(), Catch::Contains("rank 1 (process ") &&
                               Catch::Contains("comes out differently here than at rank 0"));
}

TEST_CASE("a rank on an older processor works with the others") {
  Program program;
  prepare(program);
  const Arguments run = run_of(40, {"--out", "run"});
  CHECK(program.run(run_of(40, {"--out", "plain"})).exit_code == 0);
  // The C library uses other code on a processor without fused multiplication and addition.
  const std::string old_processor = std::string("GLIBC_TUNABLES=") + kNoFusedOperations;
  const ProgramResult result = program.run_program(
      GRASPMAP_MPIRUN,
      join(on_ranks(1, run), join({":", "-n", "1", "env", old_processor, kGraspmap}, run)));
  CHECK(result.exit_code == 0);
  CHECK(digest(program, "run") == digest(program, "plain"));
}

/// Begins or resumes a run on 4 ranks and waits until it has stored something new.
void begin_on_4_ranks(Program& program, const Arguments& run) {
  const std::string folder = program.path("run").string();
  Program reader;
  const std::string before = reader.run({"hash", folder}).out;
  program.start_program(GRASPMAP_MPIRUN, on_ranks(4, join(run, {"--threads", "1"})));
  for (int i = 0; i < 600; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const ProgramResult result = reader.run({"hash", folder});
    if (result.exit_code != 0 || result.err.find(" 0 of ") != std::string::npos) continue;
    if (result.out != before) return;
  }
  FAIL("no trials were stored in time");
}

TEST_CASE("a job on MPI that ends early, however it does, goes on to the same digest", "[slow]") {
  Program program;
  prepare(program);
  // The seconds that rank 0 has to store and to say what happened; one is enough on an idle
  // machine.
  program.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "2";
  const Arguments sweep = run_of(trials_per_cell_for(program, 8.0), {"--quiet"});
  const Arguments run = join(sweep, {"--out", "run", "--resume"});

  begin_on_4_ranks(program, run);
  program.send(SIGTERM);
  const ProgramResult ended = program.wait();
  CHECK(ended.exit_code != 0);
  CHECK_THAT(ended.err, Catch::Contains("trials are kept in run. To continue:\n  graspmap run ") &&
                            Catch::Contains(" --out run --threads 1 --resume\n"));

  begin_on_4_ranks(program, run);
  const pid_t worker = find_rank(program, 2);
  REQUIRE(worker > 0);
  ::kill(worker, SIGKILL);
  const ProgramResult worker_lost = program.wait();
  CHECK(worker_lost.exit_code != 0);
  CHECK_THAT(worker_lost.err,
             Catch::Contains("rank 2 (process " + std::to_string(worker) + " on host ") &&
                 Catch::Contains("is lost; ") && Catch::Contains(" trials are kept, and `") &&
                 Catch::Contains(" --out run --threads 1 --resume` continues the run"));

  begin_on_4_ranks(program, run);
  const pid_t leader = find_rank(program, 0);
  REQUIRE(leader > 0);
  ::kill(leader, SIGKILL);
  CHECK(program.wait().exit_code != 0);

  begin_on_4_ranks(program, run);
  const pid_t told_to_end = find_rank(program, 1);
  REQUIRE(told_to_end > 0);
  ::kill(told_to_end, SIGTERM);
  const ProgramResult worker_ended = program.wait();
  CHECK(worker_ended.exit_code == 1);
  CHECK_THAT(worker_ended.err,
             Catch::Contains("was told to end; ") && Catch::Contains("--resume` continues"));

  CHECK(program.run_program(GRASPMAP_MPIRUN, on_ranks(2, run)).exit_code == 0);
  CHECK(program.run(join(sweep, {"--out", "whole"})).exit_code == 0);
  CHECK(digest(program, "run") == digest(program, "whole"));
}

}  // namespace
}  // namespace graspmap::testing
