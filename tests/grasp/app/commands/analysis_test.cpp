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
  const AnalysisCommand command = plan_analysis();
  const Analysis found = analyse(command, Arguments(command.syntax, plan_words(run)));
  CHECK(quiet.text().empty());
  CHECK_FALSE(fs::exists(run.path() / "plan"));
  CHECK(found.folder == run.path() / "plan");
  CHECK(found.figures.size() == 1);

  std::vector<std::string> words = plan_words(run);
  words.emplace_back("--no-plots");
  REQUIRE(run_analysis(plan_analysis(), words) == 0);
  CHECK_THAT(quiet.text(), Catch::StartsWith(found.text));
  REQUIRE(found.files.size() == 2);
  for (const ResultFile& file : found.files) {
    CHECK(testing::file_text(run.path() / "plan" / file.name) == file.text());
  }
}

/// The keywords of a call in Python, which finds the same.
Analysis plan_of(const std::string& run, const std::vector<Keyword>& keywords) {
  const AnalysisCommand command = analysis_command("plan");
  return analyse(command, Arguments(command.syntax, {run}, keywords));
}

TEST_CASE("keywords find what options find, and numbers need no text") {
  const TemporaryFolder run;
  make_run(run);
  const AnalysisCommand command = plan_analysis();
  const Analysis typed = analyse(command, Arguments(command.syntax, plan_words(run)));
  const Analysis called =
      plan_of(run.path().string(), {{"position-sigma-mm", "sigma_mm", 1.0, "1.0"}});
  CHECK(called.text == typed.text);
  CHECK(called.files.front().text() == typed.files.front().text());
}

std::string refusal(const std::string& run, const std::vector<Keyword>& keywords) {
  try {
    static_cast<void>(plan_of(run, keywords));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("an analysis refuses in the caller's words") {
  const TemporaryFolder run;
  make_run(run);
  const std::string folder = run.path().string();
  CHECK_THAT(refusal(folder, {}), Catch::StartsWith("give position_sigma_mm SX,SY"));
  CHECK_THAT(refusal(folder, {{"position-sigma-mm", "sigma_mm", "1", "'1'"}}),
             Catch::StartsWith("sigma_mm: '1'; must be"));
  CHECK_THAT(refusal(folder, {{"position-sigma-mm", "sigma_mm", 1.0, "1.0"},
                              {"repeats", "repeats", 4.5, "4.5"}}),
             Catch::StartsWith("repeats: 4.5; must be a whole number"));
  const Arguments called(plan_analysis().syntax, {folder}, {{"trials", "n", 1.0, "1.0"}});
  CHECK(called.spelled("give --trials N, or extend it: graspmap run a.toml --trials 5 --out b\n"
                       "or --threads 2") ==
        "give n N, or extend it: graspmap run a.toml --trials 5 --out b\nor threads 2");
  CHECK_THROWS_AS(plan_of(folder + "/nothing", {{"position-sigma-mm", "", 1.0, "1.0"}}),
                  ConfigError);
  CHECK_THROWS_AS(analysis_command("hash"), std::logic_error);
}

TEST_CASE("an analysis ends when it is stopped") {
  const TemporaryFolder run;
  make_run(run);
  const std::atomic<int> stop{1};
  AnalysisWatch watch;
  watch.stop = &stop;
  const AnalysisCommand command = plan_analysis();
  const Arguments arguments(command.syntax, plan_words(run));
  CHECK_THROWS_AS(analyse(command, arguments, watch), AnalysisStopped);
  CHECK(stop_flag() == nullptr);
}

}  // namespace
}  // namespace graspmap
