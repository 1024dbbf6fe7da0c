#include "grasp/app/commands/analysis.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "grasp/app/commands/commands.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "tests/support/captured_output.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using testing::CapturedOutput;
using testing::TemporaryFolder;

/// A run of 120 of its trials in the folder; made up.
void make_run(const TemporaryFolder& run) {
  testing::made_up_store(run.path() / run_files::kStore,
                         parse_sweep_config(testing::kConfigText, "test"), {{0, 120}});
}

std::vector<std::string> plan_words(const TemporaryFolder& run) {
  return {run.path().string(), "--position-sigma-mm", "1"};
}

TEST_CASE("an analysis is the command's answer and files, and touches neither console nor disk") {
  const TemporaryFolder run;
  make_run(run);
  CapturedOutput quiet;
  const Analysis found = analyse("plan", plan_words(run));
  CHECK(quiet.text().empty());
  CHECK_FALSE(fs::exists(run.path() / "plan"));
  CHECK(found.folder == run.path() / "plan");
  CHECK(found.figures.size() == 1);

  std::vector<std::string> words = plan_words(run);
  words.emplace_back("--no-plots");
  REQUIRE(run_analysis(plan_analysis(), words) == 0);
  CHECK_THAT(quiet.text(), Catch::StartsWith(found.text));
  REQUIRE(found.files.size() == 2);
  for (const AnalysisFile& file : found.files) {
    CHECK(testing::file_text(run.path() / "plan" / file.name) == file.text);
  }
}

TEST_CASE("an analysis refuses what its command refuses, --help too") {
  const TemporaryFolder run;
  make_run(run);
  const std::string folder = run.path().string();
  CHECK_THROWS_AS(analyse("plan", {folder}), UsageError);
  CHECK_THROWS_AS(analyse("plan", {folder, "--nothing"}), UsageError);
  CHECK_THROWS_AS(analyse("plan", {folder, "--help"}), UsageError);
  CHECK_THROWS_AS(analyse("plan", {folder + "/nothing", "--position-sigma-mm", "1"}), ConfigError);
  CHECK_THROWS_AS(analyse("hash", {folder}), std::logic_error);
}

TEST_CASE("an analysis ends when it is stopped") {
  const TemporaryFolder run;
  make_run(run);
  const std::atomic<int> stop{1};
  AnalysisWatch watch;
  watch.stop = &stop;
  CHECK_THROWS_AS(analyse("plan", plan_words(run), watch), AnalysisStopped);
  CHECK(stop_flag() == nullptr);
}

}  // namespace
}  // namespace graspmap
